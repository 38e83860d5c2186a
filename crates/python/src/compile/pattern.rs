//! `match`: every pattern pops its subject and leaves a truth value.

use ruff_python_ast::{Pattern, Singleton, StmtMatch};
use ruff_text_size::Ranged as _;

use crate::compile::code::{CmpOp, Op};
use crate::compile::compiler::{Compiler, Unwind};
use crate::value::Value;

impl<'a> Compiler<'a> {
    pub(crate) fn match_(&mut self, node: &'a StmtMatch) {
        self.expression(&node.subject);
        let mut ends = Vec::new();
        self.unit().unwinds.push(Unwind::Value);
        for case in &node.cases {
            self.emit(Op::Dup);
            let mut fail = Vec::new();
            self.at(case.pattern.range(), |c| {
                c.pattern(&case.pattern);
                fail.push(c.emit(Op::JumpIfFalse(0)));
            });
            if let Some(guard) = &case.guard {
                fail.extend(self.condition(guard, false));
            }
            self.unit().unwinds.pop();
            self.emit(Op::Pop);
            self.body(&case.body);
            self.unit().unwinds.push(Unwind::Value);
            ends.push(self.emit(Op::Jump(0)));
            fail.into_iter().for_each(|j| self.land(j));
        }
        self.unit().unwinds.pop();
        self.emit(Op::Pop);
        ends.into_iter().for_each(|j| self.land(j));
    }

    /// After checks whose failure leaves `depth` values to drop: lands them, drops, pushes `False`.
    fn settle(&mut self, fails: Vec<Vec<usize>>) {
        self.constant(Value::Bool(true));
        let done = self.emit(Op::Jump(0));
        // Failures are landed from the deepest stack to the flattest, each dropping one value more.
        for fail in fails.into_iter().rev() {
            fail.into_iter().for_each(|j| self.land(j));
            self.emit(Op::Pop);
        }
        self.constant(Value::Bool(false));
        self.land(done);
    }

    // tidy: table
    fn pattern(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::MatchValue(p) => {
                self.expression(&p.value);
                self.emit(Op::Compare(CmpOp::Eq));
                self.as_truth();
            }
            Pattern::MatchSingleton(p) => {
                self.constant(match p.value {
                    Singleton::None => Value::None,
                    Singleton::True => Value::Bool(true),
                    Singleton::False => Value::Bool(false),
                });
                self.emit(Op::Compare(CmpOp::Is));
            }
            Pattern::MatchAs(p) => match (&p.pattern, &p.name) {
                (None, None) => {
                    self.emit(Op::Pop);
                    self.constant(Value::Bool(true));
                }
                (None, Some(name)) => {
                    self.store(name);
                    self.constant(Value::Bool(true));
                }
                (Some(inner), name) => {
                    self.emit(Op::Dup);
                    self.pattern(inner);
                    let fail = self.emit(Op::JumpIfFalse(0));
                    self.emit(Op::Dup);
                    match name {
                        Some(name) => self.store(name),
                        None => {
                            self.emit(Op::Pop);
                        }
                    }
                    self.emit(Op::Pop);
                    self.settle(vec![vec![fail]]);
                }
            },
            Pattern::MatchOr(p) => {
                let mut matched = Vec::new();
                for alternative in &p.patterns {
                    self.emit(Op::Dup);
                    self.pattern(alternative);
                    matched.push(self.emit(Op::JumpIfTrue(0)));
                }
                self.emit(Op::Pop);
                self.constant(Value::Bool(false));
                let done = self.emit(Op::Jump(0));
                matched.into_iter().for_each(|j| self.land(j));
                self.emit(Op::Pop);
                self.constant(Value::Bool(true));
                self.land(done);
            }
            Pattern::MatchStar(p) => self.refuse("starred pattern outside of a sequence", p.range),
            Pattern::MatchSequence(p) => self.sequence_pattern(&p.patterns),
            Pattern::MatchMapping(p) => {
                let mut fails = Vec::new();
                self.emit(Op::MatchMapping);
                fails.push(self.emit(Op::JumpIfFalse(0)));
                for key in &p.keys {
                    self.expression(key);
                }
                self.emit(Op::BuildTuple(p.keys.len() as u32));
                self.emit(Op::Copy(1));
                self.emit(Op::Copy(1));
                // subject, keys, subject, keys
                self.emit(Op::MatchKeys);
                self.emit(Op::Dup);
                let absent = self.emit(Op::JumpIfNone(0));
                // subject, keys, values
                let mut inner = self.items(&p.patterns);
                self.emit(Op::Pop);
                if let Some(rest) = &p.rest {
                    self.emit(Op::Copy(1));
                    self.emit(Op::Copy(1));
                    self.emit(Op::MatchRest);
                    self.store(rest);
                }
                self.emit(Op::Pop);
                self.emit(Op::Pop);
                inner.push(absent);
                self.settle(vec![fails, Vec::new(), inner]);
            }
            Pattern::MatchClass(p) => {
                self.expression(&p.cls);
                let names = p.arguments.keywords.iter().map(|k| Value::str(&k.attr)).collect();
                self.constant(Value::tuple(names));
                self.at(p.range, |c| {
                    c.emit(Op::MatchClass(p.arguments.patterns.len() as u32));
                });
                self.emit(Op::Dup);
                let absent = self.emit(Op::JumpIfNone(0));
                let mut fails = vec![absent];
                let all = p.arguments.patterns.iter().chain(p.arguments.keywords.iter().map(|k| &k.pattern));
                for (at, inner) in all.enumerate() {
                    fails.extend(self.item(at as i64, inner));
                }
                self.emit(Op::Pop);
                self.settle(vec![fails]);
            }
        }
    }

    fn as_truth(&mut self) {
        self.emit(Op::Not);
        self.emit(Op::Not);
    }

    /// Matches item `at` of the value on top, which stays; returns the jump of failure.
    fn item(&mut self, at: i64, pattern: &'a Pattern) -> Option<usize> {
        if matches!(pattern, Pattern::MatchAs(p) if p.pattern.is_none() && p.name.is_none()) {
            return None;
        }
        self.emit(Op::Dup);
        self.constant(Value::Int(at));
        self.emit(Op::Index);
        self.pattern(pattern);
        Some(self.emit(Op::JumpIfFalse(0)))
    }

    fn items(&mut self, patterns: &'a [Pattern]) -> Vec<usize> {
        patterns.iter().enumerate().filter_map(|(at, p)| self.item(at as i64, p)).collect()
    }

    fn sequence_pattern(&mut self, patterns: &'a [Pattern]) {
        let star = patterns.iter().position(|p| matches!(p, Pattern::MatchStar(_)));
        let mut fails = Vec::new();
        self.emit(Op::MatchSequence);
        fails.push(self.emit(Op::JumpIfFalse(0)));
        self.emit(Op::Length);
        let wanted = patterns.len() - usize::from(star.is_some());
        self.constant(Value::Int(wanted as i64));
        self.emit(Op::Compare(if star.is_some() { CmpOp::Ge } else { CmpOp::Eq }));
        fails.push(self.emit(Op::JumpIfFalse(0)));
        for (at, inner) in patterns.iter().enumerate() {
            match (inner, star) {
                (Pattern::MatchStar(p), _) => {
                    let Some(name) = &p.name else { continue };
                    let after = patterns.len() - at - 1;
                    self.emit(Op::Dup);
                    self.constant(Value::Int(at as i64));
                    self.constant(if after == 0 { Value::None } else { Value::Int(-(after as i64)) });
                    self.constant(Value::None);
                    self.emit(Op::BuildSlice);
                    self.emit(Op::Index);
                    self.emit(Op::BuildList(0));
                    self.emit(Op::Swap);
                    self.emit(Op::ListExtend(0));
                    self.store(name);
                }
                (_, Some(star)) if at > star => {
                    fails.extend(self.item(at as i64 - patterns.len() as i64, inner));
                }
                _ => fails.extend(self.item(at as i64, inner)),
            }
        }
        self.emit(Op::Pop);
        self.settle(vec![fails]);
    }
}
