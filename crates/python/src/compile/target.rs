//! What can stand left of `=`: assignment, deletion, unpacking.

use ruff_python_ast::{Expr, ExprContext};
use ruff_text_size::Ranged as _;

use crate::compile::code::Op;
use crate::compile::compiler::Compiler;

impl<'a> Compiler<'a> {
    /// Stores the top of the stack into a target.
    pub(crate) fn assign(&mut self, target: &'a Expr) {
        self.at(target.range(), |c| c.assign_here(target));
    }

    fn assign_here(&mut self, target: &'a Expr) {
        match target {
            Expr::Name(n) => self.store(&n.id),
            Expr::Attribute(a) => {
                self.expression(&a.value);
                let name = self.mangled(&a.attr);
                let at = self.name(&name);
                self.emit(Op::StoreAttr(at));
            }
            Expr::Subscript(s) => {
                self.expression(&s.value);
                self.expression(&s.slice);
                self.emit(Op::StoreIndex);
            }
            Expr::Tuple(t) => self.unpack(&t.elts),
            Expr::List(l) => self.unpack(&l.elts),
            Expr::Starred(s) => self.assign(&s.value),
            other => self.refuse("cannot assign to expression", other.range()),
        }
    }

    fn unpack(&mut self, targets: &'a [Expr]) {
        match targets.iter().position(|t| t.is_starred_expr()) {
            Some(at) => self.emit(Op::UnpackEx(at as u32, (targets.len() - at - 1) as u32)),
            None => self.emit(Op::Unpack(targets.len() as u32)),
        };
        for target in targets {
            self.assign(target);
        }
    }

    pub(crate) fn delete_target(&mut self, target: &'a Expr) {
        self.at(target.range(), |c| match target {
            Expr::Name(n) => c.delete(&n.id),
            Expr::Attribute(a) => {
                c.expression(&a.value);
                let name = c.mangled(&a.attr);
                let at = c.name(&name);
                c.emit(Op::DeleteAttr(at));
            }
            Expr::Subscript(s) => {
                c.expression(&s.value);
                c.expression(&s.slice);
                c.emit(Op::DeleteIndex);
            }
            Expr::Tuple(t) => t.elts.iter().for_each(|e| c.delete_target(e)),
            Expr::List(l) => l.elts.iter().for_each(|e| c.delete_target(e)),
            other => c.refuse("cannot delete expression", other.range()),
        });
    }

    /// `target op= value`
    pub(crate) fn augment(&mut self, target: &'a Expr, op: Op, value: &'a Expr) {
        match target {
            Expr::Attribute(a) => {
                self.expression(&a.value);
                self.emit(Op::Dup);
                let name = self.mangled(&a.attr);
                let at = self.name(&name);
                self.at(a.range, |c| {
                    c.emit(Op::LoadAttr(at));
                });
                self.expression(value);
                self.emit(op);
                self.emit(Op::Swap);
                self.emit(Op::StoreAttr(at));
            }
            Expr::Subscript(s) => {
                self.expression(&s.value);
                self.expression(&s.slice);
                self.emit(Op::Dup2);
                self.at(s.range, |c| {
                    c.emit(Op::Index);
                });
                self.expression(value);
                self.emit(op);
                self.emit(Op::Rot3);
                self.emit(Op::StoreIndex);
            }
            Expr::Name(n) => {
                debug_assert!(!matches!(n.ctx, ExprContext::Del));
                self.at(n.range, |c| c.load(&n.id));
                self.expression(value);
                self.emit(op);
                self.store(&n.id);
            }
            other => self.refuse("illegal expression for augmented assignment", other.range()),
        }
    }
}
