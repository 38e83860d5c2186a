//! Expressions: each leaves one value on the stack.

use ruff_python_ast::{
    Arguments, BoolOp, CmpOp as AstCmp, Expr, ExprCompare, ExprDict, ExprSlice, Operator, UnaryOp,
};
use ruff_text_size::Ranged as _;

use crate::compile::code::{BinOp, CmpOp, Op, UnOp};
use crate::compile::compiler::Compiler;
use crate::value::Value;

pub(crate) fn binary_op(op: Operator) -> BinOp {
    match op {
        Operator::Add => BinOp::Add,
        Operator::Sub => BinOp::Sub,
        Operator::Mult => BinOp::Mul,
        Operator::MatMult => BinOp::MatMul,
        Operator::Div => BinOp::Div,
        Operator::Mod => BinOp::Mod,
        Operator::Pow => BinOp::Pow,
        Operator::LShift => BinOp::LShift,
        Operator::RShift => BinOp::RShift,
        Operator::BitOr => BinOp::Or,
        Operator::BitXor => BinOp::Xor,
        Operator::BitAnd => BinOp::And,
        Operator::FloorDiv => BinOp::FloorDiv,
    }
}

fn compare_op(op: AstCmp) -> CmpOp {
    match op {
        AstCmp::Eq => CmpOp::Eq,
        AstCmp::NotEq => CmpOp::Ne,
        AstCmp::Lt => CmpOp::Lt,
        AstCmp::LtE => CmpOp::Le,
        AstCmp::Gt => CmpOp::Gt,
        AstCmp::GtE => CmpOp::Ge,
        AstCmp::Is => CmpOp::Is,
        AstCmp::IsNot => CmpOp::IsNot,
        AstCmp::In => CmpOp::In,
        AstCmp::NotIn => CmpOp::NotIn,
    }
}

impl<'a> Compiler<'a> {
    pub(crate) fn expression(&mut self, expr: &'a Expr) {
        self.at(expr.range(), |c| c.expression_here(expr));
    }

    // tidy: table
    fn expression_here(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(n) => self.load(&n.id),
            Expr::NumberLiteral(n) => self.number(n),
            Expr::StringLiteral(s) => self.text(s.value.to_str()),
            Expr::BytesLiteral(b) => {
                let bytes: Vec<u8> = b.value.bytes().collect();
                self.constant(Value::bytes(&bytes));
            }
            Expr::BooleanLiteral(b) => self.constant(Value::Bool(b.value)),
            Expr::NoneLiteral(_) => self.constant(Value::None),
            Expr::EllipsisLiteral(_) => self.constant(Value::Ellipsis),
            Expr::FString(f) => self.fstring(f),
            Expr::BoolOp(b) => {
                let mut jumps = Vec::new();
                for (at, value) in b.values.iter().enumerate() {
                    self.expression(value);
                    if at + 1 < b.values.len() {
                        jumps.push(self.emit(match b.op {
                            BoolOp::And => Op::JumpIfFalseOrPop(0),
                            BoolOp::Or => Op::JumpIfTrueOrPop(0),
                        }));
                    }
                }
                jumps.into_iter().for_each(|j| self.land(j));
            }
            Expr::Named(n) => {
                self.expression(&n.value);
                self.emit(Op::Dup);
                self.assign(&n.target);
            }
            Expr::BinOp(b) => {
                self.expression(&b.left);
                self.expression(&b.right);
                self.emit(Op::Binary(binary_op(b.op)));
            }
            Expr::UnaryOp(u) => {
                self.expression(&u.operand);
                self.emit(match u.op {
                    UnaryOp::Invert => Op::Unary(UnOp::Invert),
                    UnaryOp::Not => Op::Not,
                    UnaryOp::UAdd => Op::Unary(UnOp::Plus),
                    UnaryOp::USub => Op::Unary(UnOp::Minus),
                });
            }
            Expr::Compare(c) => self.compare(c),
            Expr::If(i) => {
                let otherwise = self.condition(&i.test, false);
                self.expression(&i.body);
                let end = self.emit(Op::Jump(0));
                otherwise.into_iter().for_each(|j| self.land(j));
                self.expression(&i.orelse);
                self.land(end);
            }
            Expr::Lambda(l) => self.lambda(l),
            Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                self.comprehension(expr);
            }
            Expr::Tuple(t) => self.sequence(&t.elts, Op::BuildTuple),
            Expr::List(l) => self.sequence(&l.elts, Op::BuildList),
            Expr::Set(s) => self.sequence(&s.elts, Op::BuildSet),
            Expr::Dict(d) => self.dict(d),
            Expr::Call(c) => {
                self.expression(&c.func);
                self.arguments(&c.arguments);
            }
            Expr::Attribute(a) => {
                self.expression(&a.value);
                let name = self.mangled(&a.attr);
                let at = self.name(&name);
                self.emit(Op::LoadAttr(at));
            }
            Expr::Subscript(s) => {
                self.expression(&s.value);
                self.expression(&s.slice);
                self.emit(Op::Index);
            }
            Expr::Slice(s) => self.slice(s),
            Expr::Yield(y) => {
                match &y.value {
                    Some(value) => self.expression(value),
                    None => self.constant(Value::None),
                }
                self.emit(Op::Yield);
            }
            Expr::YieldFrom(y) => {
                self.expression(&y.value);
                self.emit(Op::GetYieldFromIter);
                self.constant(Value::None);
                let start = self.here();
                let from = self.emit(Op::YieldFrom(0));
                self.emit(Op::Yield);
                self.emit(Op::Jump(start));
                self.land(from);
            }
            Expr::Starred(s) => self.refuse("can't use starred expression here", s.range),
            Expr::Await(_) | Expr::TString(_) | Expr::IpyEscapeCommand(_) => {
                self.refuse("this expression is not supported here", expr.range());
            }
        }
    }

    /// Compiles a condition; returns jumps that are taken when its truth equals `when`.
    pub(crate) fn condition(&mut self, test: &'a Expr, when: bool) -> Vec<usize> {
        match test {
            Expr::UnaryOp(u) if u.op == UnaryOp::Not => self.condition(&u.operand, !when),
            Expr::BoolOp(b) => {
                let short = matches!(b.op, BoolOp::Or);
                let mut taken = Vec::new();
                let mut skipped = Vec::new();
                for (at, value) in b.values.iter().enumerate() {
                    let last = at + 1 == b.values.len();
                    if last || short == when {
                        taken.extend(self.condition(value, when));
                    } else {
                        skipped.extend(self.condition(value, short));
                    }
                }
                skipped.into_iter().for_each(|j| self.land(j));
                taken
            }
            _ => {
                self.expression(test);
                let op = if when { Op::JumpIfTrue(0) } else { Op::JumpIfFalse(0) };
                let mut jump = 0;
                self.at(test.range(), |c| jump = c.emit(op));
                vec![jump]
            }
        }
    }

    fn compare(&mut self, node: &'a ExprCompare) {
        self.expression(&node.left);
        let last = node.ops.len() - 1;
        let mut ends = Vec::new();
        for (at, (op, right)) in node.ops.iter().zip(node.comparators.iter()).enumerate() {
            self.expression(right);
            if at < last {
                self.emit(Op::Dup);
                self.emit(Op::Rot3);
                self.emit(Op::Compare(compare_op(*op)));
                ends.push(self.emit(Op::JumpIfFalseOrPop(0)));
            } else {
                self.emit(Op::Compare(compare_op(*op)));
            }
        }
        if !ends.is_empty() {
            let done = self.emit(Op::Jump(0));
            ends.into_iter().for_each(|j| self.land(j));
            self.emit(Op::Swap);
            self.emit(Op::Pop);
            self.land(done);
        }
    }

    fn slice(&mut self, node: &'a ExprSlice) {
        for part in [&node.lower, &node.upper, &node.step] {
            match part {
                Some(part) => self.expression(part),
                None => self.constant(Value::None),
            }
        }
        self.emit(Op::BuildSlice);
    }

    /// Items of a display, starred ones included.
    pub(crate) fn sequence(&mut self, items: &'a [Expr], build: impl Fn(u32) -> Op) {
        if !items.iter().any(|i| i.is_starred_expr()) {
            items.iter().for_each(|i| self.expression(i));
            self.emit(build(items.len() as u32));
            return;
        }
        let set = matches!(build(0), Op::BuildSet(_));
        self.emit(if set { Op::BuildSet(0) } else { Op::BuildList(0) });
        for item in items {
            match item {
                Expr::Starred(s) => {
                    self.expression(&s.value);
                    self.emit(if set { Op::SetUpdate(0) } else { Op::ListExtend(0) });
                }
                _ => {
                    self.expression(item);
                    self.emit(if set { Op::SetAdd(0) } else { Op::ListAppend(0) });
                }
            }
        }
        if matches!(build(0), Op::BuildTuple(_)) {
            self.emit(Op::ListToTuple);
        }
    }

    fn dict(&mut self, node: &'a ExprDict) {
        if node.items.iter().all(|i| i.key.is_some()) {
            for item in &node.items {
                if let Some(key) = &item.key {
                    self.expression(key);
                }
                self.expression(&item.value);
            }
            self.emit(Op::BuildDict(node.items.len() as u32));
            return;
        }
        self.emit(Op::BuildDict(0));
        for item in &node.items {
            match &item.key {
                Some(key) => {
                    self.expression(key);
                    self.expression(&item.value);
                    self.emit(Op::DictAdd(0));
                }
                None => {
                    self.expression(&item.value);
                    self.emit(Op::DictUpdate(0));
                }
            }
        }
    }

    /// Arguments of a call whose function is on the stack, and the call.
    pub(crate) fn arguments(&mut self, arguments: &'a Arguments) {
        let starred = arguments.args.iter().any(|a| a.is_starred_expr());
        let doubled = arguments.keywords.iter().any(|k| k.arg.is_none());
        if !starred && !doubled {
            arguments.args.iter().for_each(|a| self.expression(a));
            if arguments.keywords.is_empty() {
                self.emit(Op::Call(arguments.args.len() as u32));
                return;
            }
            let mut names = Vec::new();
            for keyword in &arguments.keywords {
                self.expression(&keyword.value);
                let name = keyword.arg.as_ref().map_or("", |a| a.as_str());
                names.push(Value::str(name));
            }
            let count = (arguments.args.len() + names.len()) as u32;
            let consts = &mut self.unit().code.consts;
            consts.push(Value::tuple(names));
            let at = consts.len() as u32 - 1;
            self.emit(Op::CallKw(count, at));
            return;
        }
        self.emit(Op::BuildList(0));
        for arg in &arguments.args {
            match arg {
                Expr::Starred(s) => {
                    self.expression(&s.value);
                    self.emit(Op::ArgsExtend);
                }
                _ => {
                    self.expression(arg);
                    self.emit(Op::ListAppend(0));
                }
            }
        }
        self.emit(Op::ListToTuple);
        if arguments.keywords.is_empty() {
            self.emit(Op::CallEx(0));
            return;
        }
        self.emit(Op::BuildDict(0));
        for keyword in &arguments.keywords {
            match &keyword.arg {
                Some(name) => {
                    self.text(name);
                    self.expression(&keyword.value);
                    self.emit(Op::BuildDict(1));
                }
                None => self.expression(&keyword.value),
            }
            self.emit(Op::DictMerge);
        }
        self.emit(Op::CallEx(1));
    }
}
