//! Finds syntax that Python forbids beyond its grammar, and syntax that this machine does not have.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Parameters, Stmt};
use ruff_text_size::{Ranged as _, TextRange};

#[derive(Default)]
struct Guard {
    found: Vec<(String, TextRange)>,
    loops: usize,
    functions: usize,
}

/// All such places: message and range.
pub(crate) fn find(body: &[Stmt], expression: Option<&Expr>) -> Vec<(String, TextRange)> {
    let mut guard = Guard::default();
    guard.visit_body(body);
    if let Some(expression) = expression {
        guard.visit_expr(expression);
    }
    guard.found
}

impl Guard {
    fn refuse(&mut self, message: &str, range: TextRange) {
        self.found.push((message.to_owned(), range));
    }

    fn target(&mut self, target: &Expr) {
        match target {
            Expr::Tuple(t) => self.targets(&t.elts),
            Expr::List(l) => self.targets(&l.elts),
            _ => {}
        }
    }

    fn targets(&mut self, targets: &[Expr]) {
        if targets.iter().filter(|t| t.is_starred_expr()).count() > 1 {
            self.refuse("multiple starred expressions in assignment", targets[0].range());
        }
        for target in targets {
            self.target(target);
        }
    }

    fn parameters(&mut self, parameters: &Parameters) {
        let mut seen = BTreeSet::new();
        for parameter in parameters {
            let name = parameter.name();
            if !seen.insert(name.as_str()) {
                self.found.push((
                    format!("duplicate argument '{name}' in function definition"),
                    parameter.as_parameter().range,
                ));
            }
        }
    }

    fn inside_function(&mut self, visit: impl FnOnce(&mut Self)) {
        let loops = std::mem::take(&mut self.loops);
        self.functions += 1;
        visit(self);
        self.functions -= 1;
        self.loops = loops;
    }
}

impl<'a> Visitor<'a> for Guard {
    // tidy: table
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => {
                if f.is_async {
                    self.refuse("'async def' is not supported here", f.range);
                }
                if let Some(p) = &f.type_params {
                    self.refuse("type parameters need Python 3.12", p.range);
                }
                self.parameters(&f.parameters);
                for decorator in &f.decorator_list {
                    self.visit_expr(&decorator.expression);
                }
                self.visit_parameters(&f.parameters);
                self.inside_function(|g| g.visit_body(&f.body));
                return;
            }
            Stmt::ClassDef(c) => {
                if let Some(p) = &c.type_params {
                    self.refuse("type parameters need Python 3.12", p.range);
                }
                let (loops, functions) =
                    (std::mem::take(&mut self.loops), std::mem::take(&mut self.functions));
                walk_stmt(self, stmt);
                (self.loops, self.functions) = (loops, functions);
                return;
            }
            Stmt::For(f) => {
                if f.is_async {
                    self.refuse("'async for' is not supported here", f.range);
                }
                self.target(&f.target);
                self.visit_expr(&f.target);
                self.visit_expr(&f.iter);
                self.loops += 1;
                self.visit_body(&f.body);
                self.loops -= 1;
                self.visit_body(&f.orelse);
                return;
            }
            Stmt::While(w) => {
                self.visit_expr(&w.test);
                self.loops += 1;
                self.visit_body(&w.body);
                self.loops -= 1;
                self.visit_body(&w.orelse);
                return;
            }
            Stmt::With(w) if w.is_async => self.refuse("'async with' is not supported here", w.range),
            Stmt::TypeAlias(t) => self.refuse("'type' statements need Python 3.12", t.range),
            Stmt::IpyEscapeCommand(i) => self.refuse("invalid syntax", i.range),
            Stmt::Break(b) if self.loops == 0 => self.refuse("'break' outside loop", b.range),
            Stmt::Continue(c) if self.loops == 0 => self.refuse("'continue' not properly in loop", c.range),
            Stmt::Return(r) if self.functions == 0 => self.refuse("'return' outside function", r.range),
            Stmt::Assign(a) => {
                for target in &a.targets {
                    self.target(target);
                    if let Expr::Starred(s) = target {
                        self.refuse("starred assignment target must be in a list or tuple", s.range);
                    }
                }
            }
            Stmt::Try(t) => {
                for (at, handler) in t.handlers.iter().enumerate() {
                    let ruff_python_ast::ExceptHandler::ExceptHandler(h) = handler;
                    if h.type_.is_none() && at + 1 < t.handlers.len() {
                        self.refuse("default 'except:' must be last", h.range);
                    }
                }
            }
            Stmt::ImportFrom(i) => {
                if self.functions > 0 && i.names.iter().any(|n| n.name.as_str() == "*") {
                    self.refuse("import * only allowed at module level", i.range);
                }
            }
            Stmt::AnnAssign(_)
            | Stmt::Delete(_)
            | Stmt::AugAssign(_)
            | Stmt::If(_)
            | Stmt::With(_)
            | Stmt::Match(_)
            | Stmt::Raise(_)
            | Stmt::Assert(_)
            | Stmt::Import(_)
            | Stmt::Global(_)
            | Stmt::Nonlocal(_)
            | Stmt::Expr(_)
            | Stmt::Pass(_)
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_) => {}
        }
        walk_stmt(self, stmt);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Await(a) => self.refuse("'await' is not supported here", a.range),
            Expr::TString(t) => self.refuse("template strings need Python 3.14", t.range),
            Expr::IpyEscapeCommand(i) => self.refuse("invalid syntax", i.range),
            Expr::Lambda(l) => {
                if let Some(p) = &l.parameters {
                    self.parameters(p);
                    self.visit_parameters(p);
                }
                self.inside_function(|g| g.visit_expr(&l.body));
                return;
            }
            Expr::ListComp(c) if c.generators.iter().any(|g| g.is_async) => {
                self.refuse("asynchronous comprehensions are not supported here", c.range);
            }
            Expr::Call(c) => {
                let mut seen = BTreeSet::new();
                for keyword in &c.arguments.keywords {
                    if let Some(name) = &keyword.arg
                        && !seen.insert(name.as_str())
                    {
                        self.found.push((format!("keyword argument repeated: {name}"), keyword.range));
                    }
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}
