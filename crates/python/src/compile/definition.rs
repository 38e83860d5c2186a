//! Functions, lambdas and classes.

use ruff_python_ast::{Decorator, Expr, ExprLambda, Parameters, StmtClassDef, StmtFunctionDef};
use ruff_text_size::Ranged as _;

use crate::compile::code::Op;
use crate::compile::compiler::Compiler;
use crate::compile::scope::{ScopeKind, mangle};
use crate::value::Value;

impl<'a> Compiler<'a> {
    fn parameter_names(&mut self, parameters: &Parameters) -> Vec<String> {
        let class = self.unit().class.clone();
        let mut names: Vec<String> = Vec::new();
        let named = parameters.posonlyargs.iter().chain(&parameters.args).chain(&parameters.kwonlyargs);
        names.extend(named.map(|p| mangle(class.as_deref(), p.name())));
        names.extend(parameters.vararg.iter().map(|p| mangle(class.as_deref(), &p.name)));
        names.extend(parameters.kwarg.iter().map(|p| mangle(class.as_deref(), &p.name)));
        names
    }

    /// Pushes defaults; returns the flags of [`Op::MakeFunction`].
    fn defaults(&mut self, parameters: &'a Parameters) -> u32 {
        let mut flags = 0;
        let mut count = 0;
        for p in parameters.posonlyargs.iter().chain(&parameters.args) {
            if let Some(default) = &p.default {
                self.expression(default);
                count += 1;
            }
        }
        if count > 0 {
            self.emit(Op::BuildTuple(count));
            flags |= 1;
        }
        let mut count = 0;
        for p in &parameters.kwonlyargs {
            if let Some(default) = &p.default {
                let name = self.mangled(p.name());
                self.text(&name);
                self.expression(default);
                count += 1;
            }
        }
        if count > 0 {
            self.emit(Op::BuildDict(count));
            flags |= 2;
        }
        flags
    }

    pub(crate) fn annotation(&mut self, annotation: &'a Expr) {
        if self.text_annotations {
            let text = self.source.slice(annotation.range()).to_owned();
            self.text(&text);
        } else {
            self.expression(annotation);
        }
    }

    fn annotations(&mut self, parameters: &'a Parameters, returns: Option<&'a Expr>) -> u32 {
        let mut count = 0;
        let named = parameters.posonlyargs.iter().chain(&parameters.args).map(|p| &p.parameter);
        let variadic = parameters.vararg.iter().map(|p| &**p);
        let kwonly = parameters.kwonlyargs.iter().map(|p| &p.parameter);
        let kwarg = parameters.kwarg.iter().map(|p| &**p);
        let all: Vec<_> = named.chain(variadic).chain(kwonly).chain(kwarg).collect();
        for p in all {
            if let Some(annotation) = &p.annotation {
                let name = self.mangled(&p.name);
                self.text(&name);
                self.annotation(annotation);
                count += 1;
            }
        }
        if let Some(returns) = returns {
            self.text("return");
            self.annotation(returns);
            count += 1;
        }
        if count == 0 {
            return 0;
        }
        self.emit(Op::BuildDict(count));
        4
    }

    fn shape(&mut self, parameters: &Parameters) {
        let code = &mut self.unit().code;
        code.posonly = parameters.posonlyargs.len();
        code.positional = parameters.posonlyargs.len() + parameters.args.len();
        code.kwonly = parameters.kwonlyargs.len();
        code.vararg = parameters.vararg.is_some();
        code.kwarg = parameters.kwarg.is_some();
    }

    fn decorators(&mut self, decorators: &'a [Decorator]) {
        for decorator in decorators {
            self.expression(&decorator.expression);
        }
    }

    fn decorate(&mut self, decorators: &'a [Decorator]) {
        for decorator in decorators.iter().rev() {
            self.at(decorator.expression.range(), |c| {
                c.emit(Op::Call(1));
            });
        }
    }

    pub(crate) fn function(&mut self, node: &'a StmtFunctionDef) {
        self.decorators(&node.decorator_list);
        let mut flags = self.defaults(&node.parameters);
        flags |= self.annotations(&node.parameters, node.returns.as_deref());
        let names = self.parameter_names(&node.parameters);
        self.open(&node.name, ScopeKind::Function, node.range, &names);
        self.shape(&node.parameters);
        if let Some(doc) = Self::docstring(&node.body) {
            self.unit().code.doc = Value::str(doc);
        }
        self.body(&node.body);
        self.constant(Value::None);
        self.emit(Op::Return);
        let code = self.close();
        self.make_function(code, flags);
        self.decorate(&node.decorator_list);
        self.store(&node.name);
    }

    pub(crate) fn lambda(&mut self, node: &'a ExprLambda) {
        let mut flags = 0;
        let mut names = Vec::new();
        if let Some(parameters) = &node.parameters {
            flags = self.defaults(parameters);
            names = self.parameter_names(parameters);
        }
        self.open("<lambda>", ScopeKind::Lambda, node.range, &names);
        if let Some(parameters) = &node.parameters {
            self.shape(parameters);
        }
        self.expression(&node.body);
        self.emit(Op::Return);
        let code = self.close();
        self.make_function(code, flags);
    }

    pub(crate) fn class(&mut self, node: &'a StmtClassDef) {
        self.decorators(&node.decorator_list);
        self.open(&node.name, ScopeKind::Class, node.range, &[]);
        let qualname = self.unit().qualname.clone();
        self.text(&qualname);
        let at = self.name("__qualname__");
        self.emit(Op::StoreName(at));
        if let Some(doc) = Self::docstring(&node.body) {
            self.text(doc);
            let at = self.name("__doc__");
            self.emit(Op::StoreName(at));
        }
        let scope = self.unit().scope;
        if self.scopes.all[scope].annotated {
            self.emit(Op::SetupAnnotations);
        }
        self.body(&node.body);
        if self.scopes.all[scope].cells.contains("__class__") {
            self.emit(Op::LoadClosure(0));
        } else {
            self.constant(Value::None);
        }
        self.emit(Op::Return);
        let code = self.close();
        self.make_function(code, 0);
        let at = self.name(&node.name);
        match &node.arguments {
            Some(arguments) => {
                self.sequence(&arguments.args, Op::BuildTuple);
                self.emit(Op::BuildDict(0));
                for keyword in &arguments.keywords {
                    match &keyword.arg {
                        Some(name) => {
                            self.text(name);
                            self.expression(&keyword.value);
                            self.emit(Op::DictAdd(0));
                        }
                        None => {
                            self.expression(&keyword.value);
                            self.emit(Op::DictUpdate(0));
                        }
                    }
                }
            }
            None => {
                self.emit(Op::BuildTuple(0));
                self.emit(Op::BuildDict(0));
            }
        }
        self.emit(Op::BuildClass(at));
        self.decorate(&node.decorator_list);
        self.store(&node.name);
    }
}
