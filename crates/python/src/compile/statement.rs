//! Statements.

use ruff_python_ast::{Expr, Stmt, StmtFor, StmtIf, StmtImport, StmtImportFrom, StmtWhile};
use ruff_text_size::Ranged as _;

use crate::compile::code::Op;
use crate::compile::compiler::{Compiler, Unwind};
use crate::compile::expression::binary_op;
use crate::value::Value;

impl<'a> Compiler<'a> {
    pub(crate) fn body(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            self.at(stmt.range(), |c| c.statement(stmt));
        }
    }

    // tidy: table
    fn statement(&mut self, stmt: &'a Stmt) {
        match stmt {
            Stmt::Expr(e) => {
                self.expression(&e.value);
                self.emit(Op::Pop);
            }
            Stmt::Assign(a) => {
                self.expression(&a.value);
                for (at, target) in a.targets.iter().enumerate() {
                    if at + 1 < a.targets.len() {
                        self.emit(Op::Dup);
                    }
                    self.assign(target);
                }
            }
            Stmt::AugAssign(a) => self.augment(&a.target, Op::InPlace(binary_op(a.op)), &a.value),
            Stmt::AnnAssign(a) => {
                if let Some(value) = &a.value {
                    self.expression(value);
                    self.assign(&a.target);
                }
                let scope = self.unit().scope;
                if !self.scopes.all[scope].is_function() {
                    self.annotation(&a.annotation);
                    match &*a.target {
                        Expr::Name(n) if a.simple => {
                            let at = self.name("__annotations__");
                            self.emit(Op::LoadName(at));
                            let name = self.mangled(&n.id);
                            self.text(&name);
                            self.emit(Op::StoreIndex);
                        }
                        _ => {
                            self.emit(Op::Pop);
                        }
                    }
                }
            }
            Stmt::FunctionDef(f) => self.function(f),
            Stmt::ClassDef(c) => self.class(c),
            Stmt::Return(r) => self.return_(r.value.as_deref()),
            Stmt::Delete(d) => d.targets.iter().for_each(|t| self.delete_target(t)),
            Stmt::If(i) => self.if_(i),
            Stmt::For(f) => self.for_(f),
            Stmt::While(w) => self.while_(w),
            Stmt::Break(_) => self.leave_loop(true),
            Stmt::Continue(_) => self.leave_loop(false),
            Stmt::Try(t) => self.try_(t),
            Stmt::With(w) => self.with(&w.items, &w.body),
            Stmt::Raise(r) => {
                let mut count = 0;
                for part in [&r.exc, &r.cause].into_iter().flatten() {
                    self.expression(part);
                    count += 1;
                }
                self.emit(Op::Raise(count));
            }
            Stmt::Assert(a) => {
                let fine = self.condition(&a.test, true);
                self.emit(Op::AssertionError);
                if let Some(msg) = &a.msg {
                    self.expression(msg);
                    self.emit(Op::Call(1));
                }
                self.at(a.test.range(), |c| {
                    c.emit(Op::Raise(1));
                });
                fine.into_iter().for_each(|j| self.land(j));
            }
            Stmt::Import(i) => self.import(i),
            Stmt::ImportFrom(i) => self.import_from(i),
            Stmt::Match(m) => self.match_(m),
            Stmt::Global(_) | Stmt::Nonlocal(_) | Stmt::Pass(_) => {
                self.emit(Op::Nop);
            }
            Stmt::TypeAlias(_) | Stmt::IpyEscapeCommand(_) => {
                self.refuse("this statement is not supported here", stmt.range());
            }
        }
    }

    fn return_(&mut self, value: Option<&'a Expr>) {
        match value {
            Some(value) => self.expression(value),
            None => self.constant(Value::None),
        }
        if self.unit().unwinds.is_empty() {
            self.emit(Op::Return);
            return;
        }
        self.emit(Op::SaveReturn);
        self.unwind_to(0);
        self.emit(Op::ReturnSaved);
    }

    /// Emits what undoes all blocks above `depth`, without forgetting them.
    fn unwind_to(&mut self, depth: usize) {
        let all = std::mem::take(&mut self.unit().unwinds);
        for at in (depth..all.len()).rev() {
            match all[at] {
                Unwind::Loop { iterator, made_by, .. } => self.drop_iterator(iterator, made_by),
                Unwind::Value => {
                    self.emit(Op::Pop);
                }
                Unwind::Try => {
                    self.emit(Op::PopBlock);
                }
                Unwind::Handler(name) => {
                    if let Some(name) = name {
                        self.emit(Op::PopBlock);
                        self.forget(name);
                    }
                    self.emit(Op::PopBlock);
                    self.emit(Op::Pop);
                    self.emit(Op::PopExc);
                }
                Unwind::Finally(body) => {
                    self.emit(Op::PopBlock);
                    self.unit().unwinds = all[..at].to_vec();
                    self.body(body);
                    self.unit().unwinds.clear();
                }
                Unwind::FinallyEnd => {
                    self.emit(Op::PopBlock);
                    self.emit(Op::Pop);
                    self.emit(Op::PopExc);
                }
                Unwind::With => {
                    self.emit(Op::PopBlock);
                    self.leave_with();
                }
            }
        }
        self.unit().unwinds = all;
    }

    /// Unbinds the name of a handler.
    pub(crate) fn forget(&mut self, name: &str) {
        self.constant(Value::None);
        self.store(name);
        self.delete(name);
    }

    /// Drops the iterator of a loop that is left early.
    fn drop_iterator(&mut self, iterator: bool, made_by: Option<&'a str>) {
        match made_by {
            Some(name) => {
                let at = self.name(name);
                self.emit(Op::CloseIter(at));
            }
            None if iterator => {
                self.emit(Op::Pop);
            }
            None => {}
        }
    }

    fn leave_loop(&mut self, done: bool) {
        let found = self.unit().unwinds.iter().rposition(|u| matches!(u, Unwind::Loop { .. }));
        let Some(at) = found else { return };
        self.unwind_to(at + 1);
        let Unwind::Loop { start, iterator, made_by } = self.unit().unwinds[at] else { return };
        if !done {
            self.emit(Op::Jump(start));
            return;
        }
        self.drop_iterator(iterator, made_by);
        let jump = self.emit(Op::Jump(0));
        if let Some(waiting) = self.unit().breaks.last_mut() {
            waiting.push(jump);
        }
    }

    fn if_(&mut self, node: &'a StmtIf) {
        let mut ends = Vec::new();
        let mut next = self.condition(&node.test, false);
        self.body(&node.body);
        for (at, clause) in node.elif_else_clauses.iter().enumerate() {
            ends.push(self.emit(Op::Jump(0)));
            next.into_iter().for_each(|j| self.land(j));
            next = match &clause.test {
                Some(test) => self.condition(test, false),
                None => Vec::new(),
            };
            self.body(&clause.body);
            debug_assert!(clause.test.is_some() || at + 1 == node.elif_else_clauses.len());
        }
        next.into_iter().for_each(|j| self.land(j));
        ends.into_iter().for_each(|j| self.land(j));
    }

    fn loop_body(&mut self, start: u32, iterator: Option<&'a Expr>, body: &'a [Stmt]) {
        let made_by = match iterator {
            Some(Expr::Call(c)) => match &*c.func {
                Expr::Name(n) => Some(n.id.as_str()),
                _ => None,
            },
            _ => None,
        };
        self.unit().unwinds.push(Unwind::Loop { start, iterator: iterator.is_some(), made_by });
        self.unit().breaks.push(Vec::new());
        self.body(body);
        self.unit().unwinds.pop();
        self.emit(Op::Jump(start));
    }

    fn loop_end(&mut self, orelse: &'a [Stmt]) {
        let breaks = self.unit().breaks.pop().unwrap_or_default();
        self.body(orelse);
        breaks.into_iter().for_each(|j| self.land(j));
    }

    fn for_(&mut self, node: &'a StmtFor) {
        self.expression(&node.iter);
        self.at(node.iter.range(), |c| {
            c.emit(Op::GetIter);
        });
        let start = self.here();
        let mut next = 0;
        self.at(node.iter.range(), |c| next = c.emit(Op::ForIter(0)));
        self.assign(&node.target);
        self.loop_body(start, Some(&node.iter), &node.body);
        self.land(next);
        self.loop_end(&node.orelse);
    }

    fn while_(&mut self, node: &'a StmtWhile) {
        let start = self.here();
        let ends = self.condition(&node.test, false);
        self.loop_body(start, None, &node.body);
        ends.into_iter().for_each(|j| self.land(j));
        self.loop_end(&node.orelse);
    }

    fn import(&mut self, node: &'a StmtImport) {
        for alias in &node.names {
            self.constant(Value::Int(0));
            self.constant(Value::None);
            let at = self.name(&alias.name);
            self.emit(Op::ImportName(at));
            match &alias.asname {
                Some(asname) => {
                    for part in alias.name.split('.').skip(1) {
                        let at = self.name(part);
                        self.emit(Op::ImportFrom(at));
                        self.emit(Op::Swap);
                        self.emit(Op::Pop);
                    }
                    self.store(asname);
                }
                None => {
                    let first = alias.name.split('.').next().unwrap_or_default().to_owned();
                    self.store(&first);
                }
            }
        }
    }

    fn import_from(&mut self, node: &'a StmtImportFrom) {
        let module = node.module.as_ref().map_or("", |m| m.as_str());
        if module == "__future__" {
            self.emit(Op::Nop);
            return;
        }
        self.constant(Value::Int(i64::from(node.level)));
        let names = node.names.iter().map(|a| Value::str(&a.name)).collect();
        self.constant(Value::tuple(names));
        let at = self.name(module);
        self.emit(Op::ImportName(at));
        for alias in &node.names {
            if alias.name.as_str() == "*" {
                self.emit(Op::ImportStar);
                return;
            }
            let at = self.name(&alias.name);
            self.emit(Op::ImportFrom(at));
            self.store(alias.asname.as_ref().unwrap_or(&alias.name));
        }
        self.emit(Op::Pop);
    }
}
