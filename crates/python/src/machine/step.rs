//! The instructions that programs spend their time in. Others are in `step_rare`.

use crate::compile::{BinOp, CmpOp, Op};
use crate::host::Stop;
use crate::machine::frame::{Action, Frame, FrameKind, PyFrame, Then};
use crate::machine::run::Flow;
use crate::machine::{Args, Fault, Machine};
use crate::value::{Body, Value, same};

macro_rules! act {
    ($self:ident, $frame:ident, $action:expr, $then:expr) => {
        match $self.act($frame, $action, $then) {
            Ok(frame) => $frame = frame,
            Err(flow) => return flow,
        }
    };
}

macro_rules! throw {
    ($self:ident, $frame:ident, $fault:expr) => {{
        let fault = $fault;
        $self.frames.push(Frame::Py($frame));
        return $self.fail(fault);
    }};
}

pub(crate) fn pop(frame: &mut PyFrame) -> Value {
    frame.stack.pop().expect("the compiler balances the stack")
}

impl Machine {
    /// Executes a frame until it calls, returns, stops or fails.
    // tidy: table
    pub(crate) fn execute(&mut self, mut frame: Box<PyFrame>) -> Flow {
        let code = std::rc::Rc::clone(&frame.code);
        loop {
            if self.fuel == 0 {
                self.frames.push(Frame::Py(frame));
                return Flow::Stop(Stop::OutOfFuel);
            }
            self.fuel -= 1;
            self.executed += 1;
            let op = code.ops[frame.pc];
            frame.pc += 1;
            match op {
                Op::Const(at) => frame.stack.push(code.consts[at as usize].clone()),
                Op::LoadFast(at) => match &frame.locals[at as usize] {
                    Some(value) => {
                        let value = value.clone();
                        frame.stack.push(value);
                    }
                    None => throw!(self, frame, self.unbound_local(&code.locals[at as usize])),
                },
                Op::StoreFast(at) => {
                    let value = pop(&mut frame);
                    frame.locals[at as usize] = Some(value);
                }
                Op::LoadGlobal(at) => {
                    let name = &code.names[at as usize];
                    let found = self.dict_of(frame.globals).get_str(name).cloned();
                    match found.or_else(|| self.dict_of(self.builtins).get_str(name).cloned()) {
                        Some(value) => frame.stack.push(value),
                        None => throw!(self, frame, self.unknown_name(name)),
                    }
                }
                Op::StoreGlobal(at) => {
                    let value = pop(&mut frame);
                    let globals = frame.names.unwrap_or(frame.globals);
                    self.dict_mut(globals).set_name(&code.names[at as usize], value);
                }
                Op::LoadCell(at) => match self.cell(frame.cells[at as usize]) {
                    Some(value) => frame.stack.push(value),
                    None => throw!(self, frame, self.unbound_cell(&code, at as usize)),
                },
                Op::StoreCell(at) => {
                    let value = pop(&mut frame);
                    self.set_cell(frame.cells[at as usize], Some(value));
                }
                Op::Pop => {
                    frame.stack.pop();
                }
                Op::Dup => {
                    let value = frame.stack[frame.stack.len() - 1].clone();
                    frame.stack.push(value);
                }
                Op::Swap => {
                    let len = frame.stack.len();
                    frame.stack.swap(len - 1, len - 2);
                }
                Op::LoadAttr(at) => {
                    let object = pop(&mut frame);
                    let name = &code.names[at as usize];
                    match self.quick_attribute(&object, name) {
                        Some(value) => frame.stack.push(value),
                        None => act!(self, frame, Action::GetAttr(object, name.clone()), Then::Push),
                    }
                }
                Op::Index => {
                    let key = pop(&mut frame);
                    let object = pop(&mut frame);
                    match self.quick_item(&object, &key) {
                        Some(value) => frame.stack.push(value),
                        None => act!(self, frame, Action::GetItem(object, key), Then::Push),
                    }
                }
                Op::Binary(op) => {
                    let right = pop(&mut frame);
                    let left = pop(&mut frame);
                    match quick_binary(op, &left, &right) {
                        Some(value) => frame.stack.push(value),
                        None => act!(self, frame, Action::Binary(op, left, right), Then::Push),
                    }
                }
                Op::InPlace(op) => {
                    let right = pop(&mut frame);
                    let left = pop(&mut frame);
                    match quick_binary(op, &left, &right) {
                        Some(value) => frame.stack.push(value),
                        None => act!(self, frame, Action::InPlace(op, left, right), Then::Push),
                    }
                }
                Op::Compare(op) => {
                    let right = pop(&mut frame);
                    let left = pop(&mut frame);
                    match quick_compare(op, &left, &right) {
                        Some(truth) => frame.stack.push(Value::Bool(truth)),
                        None => act!(self, frame, Action::Compare(op, left, right), Then::Push),
                    }
                }
                Op::Not => {
                    let value = pop(&mut frame);
                    match self.quick_truth(&value) {
                        Some(truth) => frame.stack.push(Value::Bool(!truth)),
                        None => act!(self, frame, Action::Truth(value), Then::Retry),
                    }
                }
                Op::Jump(target) => {
                    let back = (target as usize) < frame.pc;
                    frame.pc = target as usize;
                    if back && self.collect_due() {
                        self.frames.push(Frame::Py(frame));
                        return Flow::Next;
                    }
                }
                Op::JumpIfFalse(target) | Op::JumpIfTrue(target) => {
                    let value = pop(&mut frame);
                    match self.quick_truth(&value) {
                        Some(truth) => {
                            if truth == matches!(op, Op::JumpIfTrue(_)) {
                                frame.pc = target as usize;
                            }
                        }
                        None => act!(self, frame, Action::Truth(value), Then::Retry),
                    }
                }
                Op::JumpIfFalseOrPop(target) | Op::JumpIfTrueOrPop(target) => {
                    let value = frame.stack[frame.stack.len() - 1].clone();
                    match self.quick_truth(&value) {
                        Some(truth) => {
                            if truth == matches!(op, Op::JumpIfTrueOrPop(_)) {
                                frame.pc = target as usize;
                            } else {
                                frame.stack.pop();
                            }
                        }
                        None => {
                            // The truth is asked above the value, and a plain jump decides over it.
                            let jump = matches!(op, Op::JumpIfTrueOrPop(_));
                            self.frames.push(Frame::Py(frame));
                            return self.ask_truth(value, jump, target);
                        }
                    }
                }
                Op::ForIter(target) => {
                    let iterator = frame.stack[frame.stack.len() - 1].clone();
                    match self.quick_next(&iterator) {
                        Some(Some(value)) => frame.stack.push(value),
                        Some(None) => {
                            frame.stack.pop();
                            frame.pc = target as usize;
                        }
                        None => {
                            if let Some(id) = self.generator_id(&iterator) {
                                self.frames.push(Frame::Py(frame));
                                return self.resume_generator(id, Value::None);
                            }
                            act!(self, frame, Action::Next(iterator), Then::Push);
                        }
                    }
                }
                Op::ListAppend(depth) => {
                    let value = pop(&mut frame);
                    let at = frame.stack.len() - 1 - depth as usize;
                    if let Value::Obj(id) = frame.stack[at] {
                        self.list_mut(id).push(value);
                    }
                }
                Op::BuildTuple(count) => {
                    let from = frame.stack.len() - count as usize;
                    let items: Vec<Value> = frame.stack.drain(from..).collect();
                    frame.stack.push(Value::tuple(items));
                }
                Op::BuildList(count) => {
                    let from = frame.stack.len() - count as usize;
                    let items: Vec<Value> = frame.stack.drain(from..).collect();
                    let list = self.list(items);
                    frame.stack.push(list);
                }
                Op::Call(count) => {
                    let from = frame.stack.len() - count as usize;
                    let items: Vec<Value> = frame.stack.drain(from..).collect();
                    let function = pop(&mut frame);
                    match self.call_op(frame, function, Args::new(items)) {
                        Ok(same) => frame = same,
                        Err(flow) => return flow,
                    }
                }
                Op::CallKw(count, names) => {
                    let from = frame.stack.len() - count as usize;
                    let mut items: Vec<Value> = frame.stack.drain(from..).collect();
                    let function = pop(&mut frame);
                    let mut named = Vec::new();
                    if let Value::Tuple(names) = &code.consts[names as usize] {
                        let values = items.split_off(items.len() - names.len());
                        for (name, value) in names.iter().zip(values) {
                            if let Value::Str(name) = name {
                                named.push((name.clone(), value));
                            }
                        }
                    }
                    match self.call_op(frame, function, Args { items, names: named }) {
                        Ok(same) => frame = same,
                        Err(flow) => return flow,
                    }
                }
                Op::Return => {
                    let value = pop(&mut frame);
                    return self.leave(&mut frame, value);
                }
                Op::Unpack(count) => {
                    let value = pop(&mut frame);
                    match self.quick_unpack(&value, count as usize) {
                        Some(items) => frame.stack.extend(items.iter().rev().cloned()),
                        None => act!(self, frame, Action::Unpack(value, count as usize), Then::Retry),
                    }
                }
                Op::Nop => {}
                other => match self.step_rare(frame, other) {
                    Ok(same) => frame = same,
                    Err(flow) => return flow,
                },
            }
        }
    }

    /// Calls a value: Python functions get a frame, others are performed.
    pub(crate) fn call_op(
        &mut self,
        mut frame: Box<PyFrame>,
        function: Value,
        args: Args,
    ) -> Result<Box<PyFrame>, Flow> {
        let (function, args) = match function {
            Value::Bound(bound) => (bound.function.clone(), args.with_first(bound.receiver.clone())),
            other => (other, args),
        };
        match &function {
            Value::Native(native) => {
                let call = native.0.call;
                self.frames.push(Frame::Py(frame));
                self.log.clear();
                self.visiting.clear();
                (self.cursor, self.depth) = (0, 0);
                match call(self, &args) {
                    Ok(value) => {
                        let Some(Frame::Py(mut frame)) = self.frames.pop() else {
                            unreachable!("a native operation leaves the frames as they were")
                        };
                        frame.stack.push(value);
                        Ok(frame)
                    }
                    Err(Fault::Raise(exc)) => Err(self.unwind(exc, true)),
                    other => Err(self.settle(Action::Call(function, args), Then::Push, other)),
                }
            }
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::Function(_) => {
                    let id = *id;
                    self.frames.push(Frame::Py(frame));
                    Err(self.enter(id, &args, FrameKind::Normal))
                }
                Body::Class(_) => match self.plain_constructor(*id) {
                    Some(init) => {
                        let object = self.plain_instance(*id);
                        self.frames.push(Frame::Py(frame));
                        let args = args.with_first(object.clone());
                        Err(self.enter(init, &args, FrameKind::Construct(object)))
                    }
                    None => {
                        frame = self.act(frame, Action::Call(function, args), Then::Push)?;
                        Ok(frame)
                    }
                },
                _ => self.act(frame, Action::Call(function, args), Then::Push),
            },
            _ => self.act(frame, Action::Call(function, args), Then::Push),
        }
    }

    /// Asks for the truth of the value on top of the frame, then jumps with it or drops it.
    fn ask_truth(&mut self, value: Value, jump: bool, target: u32) -> Flow {
        self.log.clear();
        self.visiting.clear();
        (self.cursor, self.depth) = (0, 0);
        let action = Action::Truth(value);
        let result = self.perform(&action);
        self.settle(action, Then::Decide(jump, target), result)
    }
}

/// Operators on the plainest operands.
pub(crate) fn quick_binary(op: BinOp, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => {
            let (a, b) = (*a, *b);
            let result = match op {
                BinOp::Add => a.checked_add(b)?,
                BinOp::Sub => a.checked_sub(b)?,
                BinOp::Mul => a.checked_mul(b)?,
                BinOp::FloorDiv if b > 0 => a.div_euclid(b),
                BinOp::Mod if b > 0 => a.rem_euclid(b),
                BinOp::And => a & b,
                BinOp::Or => a | b,
                BinOp::Xor => a ^ b,
                _ => return None,
            };
            Some(Value::Int(result))
        }
        (Value::Float(a), Value::Float(b)) => match op {
            BinOp::Add => Some(Value::Float(a + b)),
            BinOp::Sub => Some(Value::Float(a - b)),
            BinOp::Mul => Some(Value::Float(a * b)),
            BinOp::Div if *b != 0.0 => Some(Value::Float(a / b)),
            _ => None,
        },
        _ => None,
    }
}

/// Comparisons of the plainest operands.
pub(crate) fn quick_compare(op: CmpOp, left: &Value, right: &Value) -> Option<bool> {
    match (op, left, right) {
        (CmpOp::Is, ..) => Some(same(left, right)),
        (CmpOp::IsNot, ..) => Some(!same(left, right)),
        (_, Value::Int(a), Value::Int(b)) => compare_with(op, a, b),
        (_, Value::Float(a), Value::Float(b)) => compare_with(op, a, b),
        (_, Value::Str(a), Value::Str(b)) => compare_with(op, a, b),
        _ => None,
    }
}

fn compare_with<T: PartialOrd + ?Sized>(op: CmpOp, a: &T, b: &T) -> Option<bool> {
    match op {
        CmpOp::Eq => Some(a == b),
        CmpOp::Ne => Some(a != b),
        CmpOp::Lt => Some(a < b),
        CmpOp::Le => Some(a <= b),
        CmpOp::Gt => Some(a > b),
        CmpOp::Ge => Some(a >= b),
        CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => None,
    }
}
