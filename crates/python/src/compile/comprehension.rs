//! Comprehensions and generator expressions: functions of their first iterator.

use ruff_python_ast::{Comprehension, Expr};
use ruff_text_size::Ranged as _;

use crate::compile::code::Op;
use crate::compile::compiler::Compiler;
use crate::compile::scope::ScopeKind;
use crate::value::Value;

impl<'a> Compiler<'a> {
    pub(crate) fn comprehension(&mut self, expr: &'a Expr) {
        let (name, generators): (_, &'a [Comprehension]) = match expr {
            Expr::ListComp(c) => ("<listcomp>", &c.generators),
            Expr::SetComp(c) => ("<setcomp>", &c.generators),
            Expr::DictComp(c) => ("<dictcomp>", &c.generators),
            Expr::Generator(c) => ("<genexpr>", &c.generators),
            other => return self.refuse("not a comprehension", other.range()),
        };
        self.open(name, ScopeKind::Comprehension, expr.range(), &[".0".to_owned()]);
        self.unit().code.positional = 1;
        self.unit().code.posonly = 1;
        match expr {
            Expr::ListComp(_) => {
                self.emit(Op::BuildList(0));
            }
            Expr::SetComp(_) => {
                self.emit(Op::BuildSet(0));
            }
            Expr::DictComp(_) => {
                self.emit(Op::BuildDict(0));
            }
            _ => self.unit().code.generator = true,
        }
        self.clauses(expr, generators, 0);
        if matches!(expr, Expr::Generator(_)) {
            self.constant(Value::None);
        }
        self.emit(Op::Return);
        let code = self.close();
        self.make_function(code, 0);
        if let Some(first) = generators.first() {
            self.expression(&first.iter);
            self.at(first.iter.range(), |c| {
                c.emit(Op::GetIter);
            });
        }
        self.emit(Op::Call(1));
    }

    fn clauses(&mut self, expr: &'a Expr, generators: &'a [Comprehension], depth: usize) {
        let Some(clause) = generators.get(depth) else {
            self.element(expr, depth as u32);
            return;
        };
        if depth == 0 {
            self.load(".0");
        } else {
            self.expression(&clause.iter);
            self.at(clause.iter.range(), |c| {
                c.emit(Op::GetIter);
            });
        }
        let start = self.here();
        let mut next = 0;
        self.at(clause.iter.range(), |c| next = c.emit(Op::ForIter(0)));
        self.assign(&clause.target);
        for test in &clause.ifs {
            for jump in self.condition(test, false) {
                self.unit().code.ops[jump] = match self.unit().code.ops[jump] {
                    Op::JumpIfTrue(_) => Op::JumpIfTrue(start),
                    _ => Op::JumpIfFalse(start),
                };
            }
        }
        self.clauses(expr, generators, depth + 1);
        self.emit(Op::Jump(start));
        self.land(next);
    }

    fn element(&mut self, expr: &'a Expr, depth: u32) {
        match expr {
            Expr::ListComp(c) => {
                self.expression(&c.elt);
                self.emit(Op::ListAppend(depth));
            }
            Expr::SetComp(c) => {
                self.expression(&c.elt);
                self.emit(Op::SetAdd(depth));
            }
            Expr::DictComp(c) => {
                if let Some(key) = &c.key {
                    self.expression(key);
                }
                self.expression(&c.value);
                self.emit(Op::DictAdd(depth));
            }
            Expr::Generator(c) => {
                self.expression(&c.elt);
                self.emit(Op::Yield);
                self.emit(Op::Pop);
            }
            other => self.refuse("not a comprehension", other.range()),
        }
    }
}
