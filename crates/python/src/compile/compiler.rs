//! The compiler's state: one unit per function, class or module being compiled.

use std::collections::BTreeMap;
use std::rc::Rc;

use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::TextRange;

use crate::compile::code::{Code, Op};
use crate::compile::scope::{ScopeKind, Scopes, mangle, scope_key};
use crate::compile::source::Source;
use crate::diagnostic::{Span, SyntaxError};
use crate::value::Value;

/// What leaving a block early (`return`, `break`, `continue`) has to undo.
#[derive(Clone, Copy)]
pub(crate) enum Unwind<'a> {
    /// A loop: start, whether an iterator lies on the stack, and the name of the function whose call made it.
    Loop { start: u32, iterator: bool, made_by: Option<&'a str> },
    /// The body of a `try` with handlers.
    Try,
    /// A handler, with the name it binds.
    Handler(Option<&'a str>),
    /// The body of a `try` with this `finally`.
    Finally(&'a [Stmt]),
    /// A `finally` that runs because of an exception.
    FinallyEnd,
    /// The body of a `with`.
    With,
    /// A value on the stack.
    Value,
}

/// A unit of code under construction.
pub(crate) struct Unit<'a> {
    pub(crate) qualname: String,
    pub(crate) scope: usize,
    pub(crate) kind: ScopeKind,
    pub(crate) class: Option<String>,
    pub(crate) code: Code,
    pub(crate) unwinds: Vec<Unwind<'a>>,
    /// Jumps of `break` that wait for the end of their loop, by depth of unwinds.
    pub(crate) breaks: Vec<Vec<usize>>,
    names: BTreeMap<String, u32>,
    texts: BTreeMap<String, u32>,
    local_index: BTreeMap<String, u32>,
    cell_index: BTreeMap<String, u32>,
}

/// Where a name of the current unit lives.
pub(crate) enum Home {
    Fast(u32),
    Cell(u32),
    ClassCell(u32),
    Global,
    Name,
}

/// Turns a syntax tree into code.
pub(crate) struct Compiler<'a> {
    pub(crate) source: Rc<Source>,
    pub(crate) scopes: Scopes,
    pub(crate) units: Vec<Unit<'a>>,
    pub(crate) errors: Vec<SyntaxError>,
    pub(crate) span: Span,
    pub(crate) text_annotations: bool,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(source: Rc<Source>, scopes: Scopes) -> Self {
        Self {
            source,
            scopes,
            units: Vec::new(),
            errors: Vec::new(),
            span: Span::default(),
            text_annotations: false,
        }
    }

    pub(crate) fn refuse(&mut self, message: &str, range: TextRange) {
        let span = self.source.span(range);
        self.errors.push(SyntaxError {
            class: "SyntaxError".to_owned(),
            message: message.to_owned(),
            file: self.source.file.to_string(),
            span,
            source_line: self.source.line(span.line).to_owned(),
        });
    }

    pub(crate) fn unit(&mut self) -> &mut Unit<'a> {
        self.units.last_mut().expect("a unit is open while nodes are compiled")
    }

    pub(crate) fn open(&mut self, name: &str, kind: ScopeKind, range: TextRange, params: &[String]) {
        let scope = self.scopes.by_key.get(&scope_key(range, kind)).copied().unwrap_or(0);
        let qualname = self.qualname(name);
        let class = match kind {
            ScopeKind::Class => Some(name.to_owned()),
            _ => self.units.last().and_then(|u| u.class.clone()),
        };
        let found = &self.scopes.all[scope];
        let mut locals: Vec<Rc<str>> = Vec::new();
        let mut local_index = BTreeMap::new();
        if found.is_function() {
            let others = found.locals().filter(|n| !params.contains(n));
            for name in params.iter().chain(others) {
                local_index.insert(name.clone(), locals.len() as u32);
                locals.push(Rc::from(name.as_str()));
            }
        }
        let cells: Vec<Rc<str>> =
            found.cells.iter().chain(found.free.iter()).map(|n| Rc::from(n.as_str())).collect();
        let own_cells = found.cells.len();
        let mut cell_index = BTreeMap::new();
        for (at, cell) in cells.iter().enumerate() {
            cell_index.entry(cell.to_string()).or_insert(at as u32);
        }
        let mut cell_params = Vec::new();
        for (at, param) in params.iter().enumerate() {
            if found.cells.contains(param) {
                cell_params.push((cell_index[param], at as u32));
            }
        }
        let code = Code {
            name: Rc::from(name),
            qualname: Rc::from(qualname.as_str()),
            source: self.source.clone(),
            first_line: self.source.span(range).line,
            ops: Vec::new(),
            spans: Vec::new(),
            consts: Vec::new(),
            codes: Vec::new(),
            names: Vec::new(),
            locals,
            cells,
            own_cells,
            cell_params,
            posonly: 0,
            positional: 0,
            kwonly: 0,
            vararg: false,
            kwarg: false,
            generator: found.generator,
            doc: Value::None,
        };
        self.units.push(Unit {
            qualname,
            scope,
            kind,
            class,
            code,
            unwinds: Vec::new(),
            breaks: Vec::new(),
            names: BTreeMap::new(),
            texts: BTreeMap::new(),
            local_index,
            cell_index,
        });
    }

    fn qualname(&self, name: &str) -> String {
        match self.units.last() {
            None => name.to_owned(),
            Some(outer) => {
                let declared_global = self.scopes.all[outer.scope].globals.contains_key(name)
                    || outer.kind == ScopeKind::Module;
                if declared_global {
                    name.to_owned()
                } else if outer.kind == ScopeKind::Class {
                    format!("{}.{}", outer.qualname, name)
                } else {
                    format!("{}.<locals>.{}", outer.qualname, name)
                }
            }
        }
    }

    pub(crate) fn close(&mut self) -> Rc<Code> {
        let unit = self.units.pop().expect("a unit is open while nodes are compiled");
        Rc::new(unit.code)
    }

    pub(crate) fn emit(&mut self, op: Op) -> usize {
        let span = self.span;
        let code = &mut self.unit().code;
        code.ops.push(op);
        code.spans.push(span);
        code.ops.len() - 1
    }

    pub(crate) fn here(&mut self) -> u32 {
        self.unit().code.ops.len() as u32
    }

    /// Points a jump emitted before to the next instruction.
    pub(crate) fn land(&mut self, at: usize) {
        let here = self.here();
        let op = &mut self.unit().code.ops[at];
        match op {
            Op::Jump(t)
            | Op::JumpIfFalse(t)
            | Op::JumpIfTrue(t)
            | Op::JumpIfFalseOrPop(t)
            | Op::JumpIfTrueOrPop(t)
            | Op::JumpIfNone(t)
            | Op::ForIter(t)
            | Op::SetupTry(t)
            | Op::SetupWith(t)
            | Op::YieldFrom(t) => *t = here,
            other => unreachable!("only jumps are landed, not {other:?}"),
        }
    }

    pub(crate) fn constant(&mut self, value: Value) {
        let code = &mut self.unit().code;
        code.consts.push(value);
        let at = code.consts.len() as u32 - 1;
        self.emit(Op::Const(at));
    }

    pub(crate) fn text(&mut self, text: &str) {
        let unit = self.unit();
        let at = match unit.texts.get(text) {
            Some(at) => *at,
            None => {
                unit.code.consts.push(Value::str(text));
                let at = unit.code.consts.len() as u32 - 1;
                unit.texts.insert(text.to_owned(), at);
                at
            }
        };
        self.emit(Op::Const(at));
    }

    pub(crate) fn name(&mut self, name: &str) -> u32 {
        let unit = self.unit();
        if let Some(at) = unit.names.get(name) {
            return *at;
        }
        unit.code.names.push(Rc::from(name));
        let at = unit.code.names.len() as u32 - 1;
        unit.names.insert(name.to_owned(), at);
        at
    }

    pub(crate) fn mangled(&mut self, name: &str) -> String {
        mangle(self.unit().class.as_deref(), name)
    }

    pub(crate) fn home(&mut self, name: &str) -> Home {
        let unit = self.units.last().expect("a unit is open while nodes are compiled");
        let scope = &self.scopes.all[unit.scope];
        if scope.globals.contains_key(name) {
            return Home::Global;
        }
        match unit.kind {
            ScopeKind::Module => Home::Global,
            ScopeKind::Class => match unit.cell_index.get(name) {
                Some(at) if scope.free.contains(name) && !scope.is_local(name) => Home::ClassCell(*at),
                _ => Home::Name,
            },
            _ => match (unit.cell_index.get(name), unit.local_index.get(name)) {
                (Some(at), _) => Home::Cell(*at),
                (None, Some(at)) => Home::Fast(*at),
                (None, None) => Home::Global,
            },
        }
    }

    pub(crate) fn load(&mut self, name: &str) {
        let name = self.mangled(name);
        match self.home(&name) {
            Home::Fast(at) => self.emit(Op::LoadFast(at)),
            Home::Cell(at) => self.emit(Op::LoadCell(at)),
            Home::ClassCell(at) => self.emit(Op::LoadClassCell(at)),
            Home::Global => {
                let at = self.name(&name);
                self.emit(Op::LoadGlobal(at))
            }
            Home::Name => {
                let at = self.name(&name);
                self.emit(Op::LoadName(at))
            }
        };
    }

    pub(crate) fn store(&mut self, name: &str) {
        let name = self.mangled(name);
        match self.home(&name) {
            Home::Fast(at) => self.emit(Op::StoreFast(at)),
            Home::Cell(at) | Home::ClassCell(at) => self.emit(Op::StoreCell(at)),
            Home::Global => {
                let at = self.name(&name);
                self.emit(Op::StoreGlobal(at))
            }
            Home::Name => {
                let at = self.name(&name);
                self.emit(Op::StoreName(at))
            }
        };
    }

    pub(crate) fn delete(&mut self, name: &str) {
        let name = self.mangled(name);
        match self.home(&name) {
            Home::Fast(at) => self.emit(Op::DeleteFast(at)),
            Home::Cell(at) | Home::ClassCell(at) => self.emit(Op::DeleteCell(at)),
            Home::Global => {
                let at = self.name(&name);
                self.emit(Op::DeleteGlobal(at))
            }
            Home::Name => {
                let at = self.name(&name);
                self.emit(Op::DeleteName(at))
            }
        };
    }

    /// Pushes the cells that a unit takes from the current one, as a tuple; returns whether there are any.
    pub(crate) fn closure(&mut self, code: &Code) -> bool {
        let free: Vec<String> = code.cells[code.own_cells..].iter().map(|n| n.to_string()).collect();
        for name in &free {
            let at = self.unit().cell_index.get(name).copied().unwrap_or(0);
            self.emit(Op::LoadClosure(at));
        }
        if free.is_empty() {
            return false;
        }
        self.emit(Op::BuildTuple(free.len() as u32));
        true
    }

    pub(crate) fn make_function(&mut self, code: Rc<Code>, mut flags: u32) {
        if self.closure(&code) {
            flags |= 8;
        }
        let unit = self.unit();
        unit.code.codes.push(code);
        let at = unit.code.codes.len() as u32 - 1;
        self.emit(Op::MakeFunction(at, flags));
    }

    /// Runs `compile` with instructions marked as standing at `range`.
    pub(crate) fn at(&mut self, range: TextRange, compile: impl FnOnce(&mut Self)) {
        let before = self.span;
        self.span = self.source.span(range);
        compile(self);
        self.span = before;
    }

    pub(crate) fn docstring(body: &[Stmt]) -> Option<&str> {
        match body.first() {
            Some(Stmt::Expr(e)) => match &*e.value {
                Expr::StringLiteral(s) => Some(s.value.to_str()),
                _ => None,
            },
            _ => None,
        }
    }
}
