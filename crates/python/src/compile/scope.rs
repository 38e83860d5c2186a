//! Which names of a function, class or module are local, global, shared with inner functions or taken from outer ones.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_pattern, walk_stmt};
use ruff_python_ast::{self as ast, Expr, ExprContext, Parameters, Pattern, Stmt};
use ruff_text_size::{Ranged as _, TextRange};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ScopeKind {
    Module,
    Function,
    Lambda,
    Class,
    Comprehension,
}

/// A node that opens a scope: its range and kind.
pub(crate) type ScopeKey = (u32, u32, ScopeKind);

pub(crate) fn scope_key(range: TextRange, kind: ScopeKind) -> ScopeKey {
    (range.start().to_u32(), range.end().to_u32(), kind)
}

#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) kind: ScopeKind,
    children: Vec<usize>,
    bound: BTreeSet<String>,
    used: BTreeSet<String>,
    pub(crate) globals: BTreeMap<String, TextRange>,
    pub(crate) nonlocals: BTreeMap<String, TextRange>,
    pub(crate) cells: BTreeSet<String>,
    pub(crate) free: BTreeSet<String>,
    pub(crate) generator: bool,
    pub(crate) annotated: bool,
}

impl Scope {
    pub(crate) fn is_function(&self) -> bool {
        !matches!(self.kind, ScopeKind::Module | ScopeKind::Class)
    }

    pub(crate) fn is_local(&self, name: &str) -> bool {
        self.bound.contains(name) && !self.globals.contains_key(name) && !self.nonlocals.contains_key(name)
    }

    pub(crate) fn locals(&self) -> impl Iterator<Item = &String> {
        self.bound.iter().filter(|n| self.is_local(n) && !self.cells.contains(*n))
    }
}

/// All scopes of a text.
#[derive(Debug)]
pub(crate) struct Scopes {
    pub(crate) all: Vec<Scope>,
    pub(crate) by_key: BTreeMap<ScopeKey, usize>,
    /// Errors of declarations: message and place.
    pub(crate) errors: Vec<(String, TextRange)>,
}

/// Renames a private name of a class.
pub(crate) fn mangle(class: Option<&str>, name: &str) -> String {
    match class {
        Some(class) if name.starts_with("__") && !name.ends_with("__") && !name.contains('.') => {
            format!("_{}{}", class.trim_start_matches('_'), name)
        }
        _ => name.to_owned(),
    }
}

struct Finder {
    scopes: Scopes,
    stack: Vec<usize>,
    classes: Vec<Option<String>>,
}

/// Finds the scopes of a module or expression.
pub(crate) fn find_scopes(body: &[Stmt], expression: Option<&Expr>) -> Scopes {
    let mut finder = Finder {
        scopes: Scopes { all: Vec::new(), by_key: BTreeMap::new(), errors: Vec::new() },
        stack: Vec::new(),
        classes: vec![None],
    };
    finder.open(ScopeKind::Module, TextRange::default());
    finder.visit_body(body);
    if let Some(expression) = expression {
        finder.visit_expr(expression);
    }
    finder.stack.pop();
    finder.resolve(0, &BTreeSet::new());
    finder.scopes
}

impl Finder {
    fn open(&mut self, kind: ScopeKind, range: TextRange) {
        let index = self.scopes.all.len();
        let parent = self.stack.last().copied();
        let key = scope_key(range, kind);
        self.scopes.all.push(Scope {
            kind,
            children: Vec::new(),
            bound: BTreeSet::new(),
            used: BTreeSet::new(),
            globals: BTreeMap::new(),
            nonlocals: BTreeMap::new(),
            cells: BTreeSet::new(),
            free: BTreeSet::new(),
            generator: false,
            annotated: false,
        });
        self.scopes.by_key.insert(key, index);
        if let Some(parent) = parent {
            self.scopes.all[parent].children.push(index);
        }
        self.stack.push(index);
    }

    fn top(&mut self) -> &mut Scope {
        let index = *self.stack.last().expect("a scope is open while a text is visited");
        &mut self.scopes.all[index]
    }

    fn mangled(&self, name: &str) -> String {
        mangle(self.classes.last().and_then(|c| c.as_deref()), name)
    }

    fn bind(&mut self, name: &str) {
        let name = self.mangled(name);
        self.top().bound.insert(name);
    }

    fn use_name(&mut self, name: &str) {
        let mangled = self.mangled(name);
        if name == "super" && self.top().is_function() {
            self.top().used.insert("__class__".to_owned());
        }
        self.top().used.insert(mangled);
    }

    /// Binds a walrus target in the nearest scope that is no comprehension.
    fn bind_outside_comprehension(&mut self, name: &str) {
        let mangled = self.mangled(name);
        for index in self.stack.clone().into_iter().rev() {
            let scope = &mut self.scopes.all[index];
            if scope.kind != ScopeKind::Comprehension {
                scope.bound.insert(mangled);
                return;
            }
            scope.used.insert(mangled.clone());
            scope.nonlocals.insert(mangled.clone(), TextRange::default());
        }
    }

    fn parameters(&mut self, parameters: &Parameters) {
        for p in parameters {
            self.bind(p.name());
        }
    }

    fn outer_of_function(&mut self, parameters: &Parameters, annotations: bool) {
        for p in parameters.iter_non_variadic_params() {
            if let Some(default) = p.default() {
                self.visit_expr(default);
            }
        }
        if annotations {
            for p in parameters {
                if let Some(annotation) = p.annotation() {
                    self.visit_expr(annotation);
                }
            }
        }
    }

    fn comprehension(&mut self, range: TextRange, generators: &[ast::Comprehension], parts: &[&Expr]) {
        if let Some(first) = generators.first() {
            self.visit_expr(&first.iter);
        }
        self.open(ScopeKind::Comprehension, range);
        self.top().bound.insert(".0".to_owned());
        for (at, generator) in generators.iter().enumerate() {
            if at > 0 {
                self.visit_expr(&generator.iter);
            }
            self.visit_expr(&generator.target);
            for test in &generator.ifs {
                self.visit_expr(test);
            }
        }
        for part in parts {
            self.visit_expr(part);
        }
        self.stack.pop();
    }

    /// Names that an inner scope takes from outside of itself.
    fn resolve(&mut self, index: usize, outer: &BTreeSet<String>) -> BTreeSet<String> {
        let scope = &self.scopes.all[index];
        let mut visible = outer.clone();
        if scope.is_function() {
            visible.extend(scope.bound.iter().filter(|n| scope.is_local(n)).cloned());
            for name in scope.globals.keys() {
                visible.remove(name);
            }
        }
        if scope.kind == ScopeKind::Class {
            visible.insert("__class__".to_owned());
        }
        let mut wanted: BTreeSet<String> = BTreeSet::new();
        for child in scope.children.clone() {
            wanted.extend(self.resolve(child, &visible));
        }
        let scope = &mut self.scopes.all[index];
        for (name, range) in &scope.nonlocals {
            if !outer.contains(name) && *range != TextRange::default() {
                self.scopes.errors.push((format!("no binding for nonlocal '{name}' found"), *range));
            }
        }
        let mut up = BTreeSet::new();
        if scope.is_function() {
            for name in wanted {
                if scope.is_local(&name) {
                    scope.cells.insert(name);
                } else {
                    up.insert(name);
                }
            }
        } else {
            if scope.kind == ScopeKind::Class && wanted.remove("__class__") {
                scope.cells.insert("__class__".to_owned());
            }
            up = wanted;
        }
        let own: Vec<String> = scope
            .used
            .iter()
            .chain(scope.bound.iter())
            .filter(|n| !scope.is_local(n) && !scope.globals.contains_key(*n) && outer.contains(*n))
            .cloned()
            .collect();
        up.extend(own);
        up.retain(|n| outer.contains(n));
        scope.free = up.clone();
        up
    }
}

impl<'a> Visitor<'a> for Finder {
    // tidy: table
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::FunctionDef(f) => {
                for decorator in &f.decorator_list {
                    self.visit_expr(&decorator.expression);
                }
                self.outer_of_function(&f.parameters, true);
                if let Some(returns) = &f.returns {
                    self.visit_expr(returns);
                }
                self.bind(&f.name);
                self.open(ScopeKind::Function, f.range);
                self.parameters(&f.parameters);
                self.visit_body(&f.body);
                self.stack.pop();
            }
            Stmt::ClassDef(c) => {
                for decorator in &c.decorator_list {
                    self.visit_expr(&decorator.expression);
                }
                if let Some(arguments) = &c.arguments {
                    self.visit_arguments(arguments);
                }
                self.bind(&c.name);
                self.open(ScopeKind::Class, c.range);
                self.classes.push(Some(c.name.to_string()));
                self.visit_body(&c.body);
                self.classes.pop();
                self.stack.pop();
            }
            Stmt::Global(g) => {
                for name in &g.names {
                    let mangled = self.mangled(name);
                    let top = self.top();
                    let problem = if top.bound.contains(&mangled) {
                        Some("assigned to")
                    } else if top.used.contains(&mangled) {
                        Some("used")
                    } else {
                        None
                    };
                    top.globals.insert(mangled, g.range);
                    if let Some(what) = problem {
                        let message = format!("name '{name}' is {what} prior to global declaration");
                        self.scopes.errors.push((message, g.range));
                    }
                }
            }
            Stmt::Nonlocal(n) => {
                for name in &n.names {
                    let mangled = self.mangled(name);
                    let top = self.top();
                    let message = if top.kind == ScopeKind::Module {
                        Some("nonlocal declaration not allowed at module level".to_owned())
                    } else if top.bound.contains(&mangled) {
                        Some(format!("name '{name}' is assigned to prior to nonlocal declaration"))
                    } else if top.used.contains(&mangled) {
                        Some(format!("name '{name}' is used prior to nonlocal declaration"))
                    } else {
                        None
                    };
                    match message {
                        Some(message) => self.scopes.errors.push((message, n.range)),
                        None => {
                            top.nonlocals.insert(mangled, n.range);
                        }
                    }
                }
            }
            Stmt::Import(i) => {
                for alias in &i.names {
                    let name = alias.asname.as_ref().map_or_else(
                        || alias.name.split('.').next().unwrap_or_default().to_owned(),
                        |a| a.to_string(),
                    );
                    self.bind(&name);
                }
            }
            Stmt::ImportFrom(i) => {
                for alias in &i.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    if name.as_str() != "*" {
                        self.bind(name);
                    }
                }
            }
            Stmt::AugAssign(a) => {
                if let Expr::Name(n) = &*a.target {
                    self.use_name(&n.id);
                    self.bind(&n.id);
                } else {
                    self.visit_expr(&a.target);
                }
                self.visit_expr(&a.value);
            }
            Stmt::AnnAssign(a) => {
                if !self.top().is_function() {
                    self.visit_expr(&a.annotation);
                    self.top().annotated = true;
                }
                if let Some(value) = &a.value {
                    self.visit_expr(value);
                }
                if a.simple
                    && let Expr::Name(n) = &*a.target
                {
                    self.bind(&n.id);
                } else {
                    self.visit_expr(&a.target);
                }
            }
            Stmt::Try(t) => {
                self.visit_body(&t.body);
                for handler in &t.handlers {
                    let ast::ExceptHandler::ExceptHandler(h) = handler;
                    if let Some(kind) = &h.type_ {
                        self.visit_expr(kind);
                    }
                    if let Some(name) = &h.name {
                        self.bind(name);
                    }
                    self.visit_body(&h.body);
                }
                self.visit_body(&t.orelse);
                self.visit_body(&t.finalbody);
            }
            _ => walk_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(n) => match n.ctx {
                ExprContext::Store | ExprContext::Del => self.bind(&n.id),
                _ => self.use_name(&n.id),
            },
            Expr::Named(n) => {
                self.visit_expr(&n.value);
                if let Expr::Name(name) = &*n.target {
                    self.bind_outside_comprehension(&name.id);
                }
            }
            Expr::Lambda(l) => {
                if let Some(parameters) = &l.parameters {
                    self.outer_of_function(parameters, false);
                }
                self.open(ScopeKind::Lambda, l.range);
                if let Some(parameters) = &l.parameters {
                    self.parameters(parameters);
                }
                self.visit_expr(&l.body);
                self.stack.pop();
            }
            Expr::ListComp(c) => self.comprehension(c.range, &c.generators, &[&c.elt]),
            Expr::SetComp(c) => self.comprehension(c.range, &c.generators, &[&c.elt]),
            Expr::Generator(c) => self.comprehension(c.range, &c.generators, &[&c.elt]),
            Expr::DictComp(c) => {
                let mut parts: Vec<&Expr> = Vec::new();
                if let Some(key) = &c.key {
                    parts.push(key);
                }
                parts.push(&c.value);
                self.comprehension(c.range, &c.generators, &parts);
            }
            Expr::Yield(_) | Expr::YieldFrom(_) => {
                if !self.top().is_function() {
                    self.scopes.errors.push(("'yield' outside function".to_owned(), expr.range()));
                }
                self.top().generator = true;
                walk_expr(self, expr);
            }
            _ => walk_expr(self, expr),
        }
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::MatchAs(p) => {
                if let Some(name) = &p.name {
                    self.bind(name);
                }
            }
            Pattern::MatchStar(p) => {
                if let Some(name) = &p.name {
                    self.bind(name);
                }
            }
            Pattern::MatchMapping(p) => {
                if let Some(name) = &p.rest {
                    self.bind(name);
                }
            }
            _ => {}
        }
        walk_pattern(self, pattern);
    }
}
