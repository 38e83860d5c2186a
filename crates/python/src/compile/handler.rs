//! `try` and `with`.
//!
//! A block is entered with `SetupTry(handler)`. When an exception arrives, the stack is cut to its height at that
//! point, the exception is pushed, and the handler runs. While it runs, the exception that was handled before lies below
//! it (`PushExc`), and a second block makes sure that it is restored.

use ruff_python_ast::{ExceptHandler, ExceptHandlerExceptHandler, Stmt, StmtTry, WithItem};
use ruff_text_size::Ranged as _;

use crate::compile::code::Op;
use crate::compile::compiler::{Compiler, Unwind};
use crate::value::Value;

impl<'a> Compiler<'a> {
    pub(crate) fn try_(&mut self, node: &'a StmtTry) {
        if node.finalbody.is_empty() {
            self.try_except(node);
            return;
        }
        let setup = self.emit(Op::SetupTry(0));
        self.unit().unwinds.push(Unwind::Finally(&node.finalbody));
        if node.handlers.is_empty() {
            self.body(&node.body);
        } else {
            self.try_except(node);
        }
        self.unit().unwinds.pop();
        self.emit(Op::PopBlock);
        self.body(&node.finalbody);
        let end = self.emit(Op::Jump(0));
        self.land(setup);
        self.emit(Op::PushExc);
        let cleanup = self.emit(Op::SetupTry(0));
        self.unit().unwinds.push(Unwind::FinallyEnd);
        self.body(&node.finalbody);
        self.unit().unwinds.pop();
        self.emit(Op::PopBlock);
        self.emit(Op::EndFinally);
        self.land(cleanup);
        self.emit(Op::PopExcUnder);
        self.emit(Op::Reraise);
        self.land(end);
    }

    fn try_except(&mut self, node: &'a StmtTry) {
        let setup = self.emit(Op::SetupTry(0));
        self.unit().unwinds.push(Unwind::Try);
        self.body(&node.body);
        self.unit().unwinds.pop();
        self.emit(Op::PopBlock);
        self.body(&node.orelse);
        let mut ends = vec![self.emit(Op::Jump(0))];
        self.land(setup);
        self.emit(Op::PushExc);
        let cleanup = self.emit(Op::SetupTry(0));
        if node.is_star {
            self.star_handlers(node, &mut ends);
        } else {
            for handler in &node.handlers {
                let ExceptHandler::ExceptHandler(h) = handler;
                self.at(h.range, |c| c.handler(h, &mut ends));
            }
            self.emit(Op::Reraise);
        }
        self.land(cleanup);
        self.emit(Op::PopExcUnder);
        self.emit(Op::Reraise);
        ends.into_iter().for_each(|j| self.land(j));
    }

    fn handler(&mut self, node: &'a ExceptHandlerExceptHandler, ends: &mut Vec<usize>) {
        let mut next = None;
        if let Some(kind) = &node.type_ {
            self.expression(kind);
            self.at(kind.range(), |c| {
                c.emit(Op::MatchExc);
            });
            next = Some(self.emit(Op::JumpIfFalse(0)));
        }
        let name = node.name.as_ref().map(|n| n.as_str());
        let mut forget = None;
        if let Some(name) = name {
            self.emit(Op::Dup);
            self.store(name);
            forget = Some(self.emit(Op::SetupTry(0)));
        }
        self.unit().unwinds.push(Unwind::Handler(name));
        self.body(&node.body);
        self.unit().unwinds.pop();
        if let Some(name) = name {
            self.emit(Op::PopBlock);
            self.forget(name);
        }
        self.emit(Op::PopBlock);
        self.emit(Op::Pop);
        self.emit(Op::PopExc);
        ends.push(self.emit(Op::Jump(0)));
        if let (Some(name), Some(forget)) = (name, forget) {
            self.land(forget);
            self.forget(name);
            self.emit(Op::Reraise);
        }
        if let Some(next) = next {
            self.land(next);
        }
    }

    /// `except*`: above the exception lie the rest of the group and a list of what the handlers raised.
    fn star_handlers(&mut self, node: &'a StmtTry, ends: &mut Vec<usize>) {
        self.emit(Op::StarBegin);
        for handler in &node.handlers {
            let ExceptHandler::ExceptHandler(h) = handler;
            if let Some(kind) = &h.type_ {
                self.expression(kind);
            }
            self.emit(Op::StarMatch);
            self.emit(Op::Dup);
            let none = self.emit(Op::JumpIfNone(0));
            let name = h.name.as_ref().map(|n| n.as_str());
            match name {
                Some(name) => self.store(name),
                None => {
                    self.emit(Op::Pop);
                }
            }
            let collect = self.emit(Op::SetupTry(0));
            self.body(&h.body);
            self.emit(Op::PopBlock);
            if let Some(name) = name {
                self.forget(name);
            }
            let next = self.emit(Op::Jump(0));
            self.land(collect);
            self.emit(Op::ListAppend(0));
            if let Some(name) = name {
                self.forget(name);
            }
            let next_too = self.emit(Op::Jump(0));
            self.land(none);
            self.emit(Op::Pop);
            self.land(next);
            self.land(next_too);
        }
        self.emit(Op::StarEnd);
        self.emit(Op::Dup);
        let done = self.emit(Op::JumpIfNone(0));
        self.emit(Op::Reraise);
        self.land(done);
        self.emit(Op::Pop);
        self.emit(Op::PopBlock);
        self.emit(Op::Pop);
        self.emit(Op::PopExc);
        ends.push(self.emit(Op::Jump(0)));
    }

    pub(crate) fn with(&mut self, items: &'a [WithItem], body: &'a [Stmt]) {
        let Some((item, others)) = items.split_first() else {
            self.body(body);
            return;
        };
        self.expression(&item.context_expr);
        self.at(item.context_expr.range(), |c| {
            c.emit(Op::WithPrepare);
            c.emit(Op::Call(0));
        });
        let setup = self.emit(Op::SetupWith(0));
        match &item.optional_vars {
            Some(target) => self.assign(target),
            None => {
                self.emit(Op::Pop);
            }
        }
        self.unit().unwinds.push(Unwind::Value);
        self.unit().unwinds.push(Unwind::With);
        self.with(others, body);
        self.unit().unwinds.pop();
        self.unit().unwinds.pop();
        self.emit(Op::PopBlock);
        self.at(item.context_expr.range(), |c| c.leave_with());
        self.emit(Op::Pop);
        let end = self.emit(Op::Jump(0));
        self.land(setup);
        self.emit(Op::PushExc);
        let cleanup = self.emit(Op::SetupTry(0));
        self.at(item.context_expr.range(), |c| {
            c.emit(Op::WithExceptArgs);
            c.emit(Op::Call(3));
        });
        let suppressed = self.emit(Op::JumpIfTrue(0));
        self.emit(Op::PopBlock);
        self.emit(Op::EndFinally);
        self.land(suppressed);
        self.emit(Op::PopBlock);
        self.emit(Op::Pop);
        self.emit(Op::PopExc);
        self.emit(Op::Pop);
        let end_too = self.emit(Op::Jump(0));
        self.land(cleanup);
        self.emit(Op::PopExcUnder);
        self.emit(Op::Reraise);
        self.land(end);
        self.land(end_too);
    }

    /// Calls the `__exit__` that lies on the stack without an exception; it stays there.
    pub(crate) fn leave_with(&mut self) {
        self.emit(Op::Dup);
        for _ in 0..3 {
            self.constant(Value::None);
        }
        self.emit(Op::Call(3));
        self.emit(Op::Pop);
    }
}
