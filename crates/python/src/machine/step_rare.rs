//! The instructions that are executed less often.

use crate::compile::Op;
use crate::machine::frame::{Action, Block, Frame, PyFrame, Then};
use crate::machine::run::Flow;
use crate::machine::step::pop;
use crate::machine::{Args, Fault, Machine};
use crate::value::{Body, FunctionData, ObjId, Type, Value};

type Step = Result<Box<PyFrame>, Flow>;

impl Machine {
    fn throw(&mut self, frame: Box<PyFrame>, fault: Fault) -> Step {
        self.frames.push(Frame::Py(frame));
        Err(self.fail(fault))
    }

    fn reraise(&mut self, frame: Box<PyFrame>, exc: &Value) -> Step {
        self.frames.push(Frame::Py(frame));
        match exc {
            Value::Obj(id) => Err(self.unwind(*id, false)),
            _ => Err(Flow::Next),
        }
    }

    // tidy: table
    pub(crate) fn step_rare(&mut self, mut frame: Box<PyFrame>, op: Op) -> Step {
        let code = std::rc::Rc::clone(&frame.code);
        match op {
            Op::Dup2 => {
                let len = frame.stack.len();
                let (a, b) = (frame.stack[len - 2].clone(), frame.stack[len - 1].clone());
                frame.stack.push(a);
                frame.stack.push(b);
            }
            Op::Rot3 => {
                let value = pop(&mut frame);
                let at = frame.stack.len() - 2;
                frame.stack.insert(at, value);
            }
            Op::Copy(depth) => {
                let value = frame.stack[frame.stack.len() - 1 - depth as usize].clone();
                frame.stack.push(value);
            }
            Op::LoadName(at) => {
                let name = &code.names[at as usize];
                let found = frame.names.and_then(|n| self.dict_of(n).get_str(name).cloned());
                let found = found.or_else(|| self.dict_of(frame.globals).get_str(name).cloned());
                match found.or_else(|| self.dict_of(self.builtins).get_str(name).cloned()) {
                    Some(value) => frame.stack.push(value),
                    None => {
                        let fault = self.unknown_name(name);
                        return self.throw(frame, fault);
                    }
                }
            }
            Op::StoreName(at) => {
                let value = pop(&mut frame);
                let names = frame.names.unwrap_or(frame.globals);
                let name = code.names[at as usize].clone();
                if self.heap.get(names).class == Type::Dict.id() {
                    self.dict_mut(names).set_name(&name, value);
                } else {
                    let action = Action::SetItem(Value::Obj(names), Value::Str(name), value);
                    frame = self.act(frame, action, Then::Discard)?;
                }
            }
            Op::DeleteName(at) | Op::DeleteGlobal(at) => {
                let name = &code.names[at as usize];
                let names = match op {
                    Op::DeleteName(_) => frame.names.unwrap_or(frame.globals),
                    _ => frame.globals,
                };
                if self.dict_mut(names).remove_str(name).is_none() {
                    let fault = self.unknown_name(name);
                    return self.throw(frame, fault);
                }
            }
            Op::DeleteFast(at) => {
                if frame.locals[at as usize].take().is_none() {
                    let fault = self.unbound_local(&code.locals[at as usize]);
                    return self.throw(frame, fault);
                }
            }
            Op::DeleteCell(at) => {
                let cell = frame.cells[at as usize];
                if self.cell(cell).is_none() {
                    let fault = self.unbound_cell(&code, at as usize);
                    return self.throw(frame, fault);
                }
                self.set_cell(cell, None);
            }
            Op::LoadClassCell(at) => {
                let name = &code.cells[at as usize];
                let found = frame.names.and_then(|n| self.dict_of(n).get_str(name).cloned());
                match found.or_else(|| self.cell(frame.cells[at as usize])) {
                    Some(value) => frame.stack.push(value),
                    None => {
                        let fault = self.unbound_cell(&code, at as usize);
                        return self.throw(frame, fault);
                    }
                }
            }
            Op::LoadClosure(at) => {
                let cell = frame.cells[at as usize];
                frame.stack.push(Value::Obj(cell));
            }
            Op::StoreAttr(at) => {
                let object = pop(&mut frame);
                let value = pop(&mut frame);
                let name = code.names[at as usize].clone();
                frame = self.act(frame, Action::SetAttr(object, name, value), Then::Discard)?;
            }
            Op::DeleteAttr(at) => {
                let object = pop(&mut frame);
                let name = code.names[at as usize].clone();
                frame = self.act(frame, Action::DelAttr(object, name), Then::Discard)?;
            }
            Op::StoreIndex => {
                let key = pop(&mut frame);
                let object = pop(&mut frame);
                let value = pop(&mut frame);
                frame = self.act(frame, Action::SetItem(object, key, value), Then::Discard)?;
            }
            Op::DeleteIndex => {
                let key = pop(&mut frame);
                let object = pop(&mut frame);
                frame = self.act(frame, Action::DelItem(object, key), Then::Discard)?;
            }
            Op::Unary(op) => {
                let value = pop(&mut frame);
                frame = self.act(frame, Action::Unary(op, value), Then::Push)?;
            }
            Op::JumpIfNone(target) => {
                if pop(&mut frame).is_none() {
                    frame.pc = target as usize;
                }
            }
            Op::BuildSet(count) => {
                let from = frame.stack.len() - count as usize;
                let items: Vec<Value> = frame.stack.drain(from..).collect();
                frame = self.act(frame, Action::BuildSet(items), Then::Push)?;
            }
            Op::BuildDict(count) => {
                let from = frame.stack.len() - 2 * count as usize;
                let items: Vec<Value> = frame.stack.drain(from..).collect();
                frame = self.act(frame, Action::BuildDict(items), Then::Push)?;
            }
            Op::BuildString(count) => {
                let from = frame.stack.len() - count as usize;
                let mut text = String::new();
                for part in frame.stack.drain(from..) {
                    if let Some(part) = self.as_text(&part) {
                        text.push_str(&part);
                    }
                }
                frame.stack.push(Value::from(text));
            }
            Op::BuildSlice => {
                let step = pop(&mut frame);
                let stop = pop(&mut frame);
                let start = pop(&mut frame);
                frame.stack.push(Value::Slice(std::rc::Rc::new([start, stop, step])));
            }
            Op::ListToTuple => {
                if let Value::Obj(id) = pop(&mut frame) {
                    let items = self.list_items(id).clone();
                    frame.stack.push(Value::tuple(items));
                }
            }
            Op::ListExtend(_) | Op::ArgsExtend => {
                let value = pop(&mut frame);
                match self.quick_items(&value) {
                    Some(items) => {
                        let depth = if let Op::ListExtend(depth) = op { depth } else { 0 };
                        let at = frame.stack.len() - 1 - depth as usize;
                        if let Value::Obj(id) = frame.stack[at] {
                            self.list_mut(id).extend(items);
                        }
                    }
                    None if !self.is_iterable(&value) => {
                        let kind = self.type_name(&value);
                        let text = if matches!(op, Op::ArgsExtend) {
                            let function = frame.stack[frame.stack.len() - 2].clone();
                            let name = self.callee_name(&function);
                            format!("{name} argument after * must be an iterable, not {kind}")
                        } else {
                            format!("Value after * must be an iterable, not {kind}")
                        };
                        let fault = self.error(Type::TypeError, &text);
                        return self.throw(frame, fault);
                    }
                    None => frame = self.act(frame, Action::Collect(value), Then::Retry)?,
                }
            }
            Op::SetAdd(depth) => {
                let value = pop(&mut frame);
                let set = frame.stack[frame.stack.len() - 1 - depth as usize].clone();
                frame = self.act(frame, Action::SetAdd(set, value), Then::Discard)?;
            }
            Op::SetUpdate(depth) => {
                let value = pop(&mut frame);
                let set = frame.stack[frame.stack.len() - 1 - depth as usize].clone();
                frame = self.act(frame, Action::DictUpdate(set, value), Then::Discard)?;
            }
            Op::DictAdd(depth) => {
                let value = pop(&mut frame);
                let key = pop(&mut frame);
                let dict = frame.stack[frame.stack.len() - 1 - depth as usize].clone();
                frame = self.act(frame, Action::DictAdd(dict, key, value), Then::Discard)?;
            }
            Op::DictUpdate(depth) => {
                let value = pop(&mut frame);
                let dict = frame.stack[frame.stack.len() - 1 - depth as usize].clone();
                frame = self.act(frame, Action::DictUpdate(dict, value), Then::Discard)?;
            }
            Op::DictMerge => {
                let value = pop(&mut frame);
                let len = frame.stack.len();
                let (dict, function) = (frame.stack[len - 1].clone(), frame.stack[len - 3].clone());
                frame = self.act(frame, Action::DictMerge(dict, value, function), Then::Discard)?;
            }
            Op::UnpackEx(before, after) => {
                let value = pop(&mut frame);
                let action = Action::UnpackEx(value, before as usize, after as usize);
                frame = self.act(frame, action, Then::Spread)?;
            }
            Op::GetIter => {
                let value = pop(&mut frame);
                match self.quick_iter(&value) {
                    Some(iterator) => frame.stack.push(iterator),
                    None => frame = self.act(frame, Action::Iter(value), Then::Push)?,
                }
            }
            Op::CloseIter(at) => {
                let iterator = pop(&mut frame);
                if self.is_waiting_generator(&iterator, &code.names[at as usize])
                    && let Some(function) = self.lookup_class(Type::Generator.id(), "close")
                {
                    let action = Action::Call(function, Args::new(vec![iterator]));
                    frame = self.act(frame, action, Then::Discard)?;
                }
            }
            Op::CallEx(flags) => {
                let names = if flags == 1 { Some(pop(&mut frame)) } else { None };
                let items = pop(&mut frame);
                let function = pop(&mut frame);
                let mut args = Args::new(self.as_tuple(&items).map_or_else(Vec::new, |t| t.to_vec()));
                if let Some(Value::Obj(id)) = names {
                    for (name, value) in self.dict_of(id).iter() {
                        if let Value::Str(name) = name {
                            args.names.push((name.clone(), value.clone()));
                        }
                    }
                }
                return self.call_op(frame, function, args);
            }
            Op::MakeFunction(at, flags) => {
                let function = self.make_function(&mut frame, at as usize, flags);
                frame.stack.push(function);
            }
            Op::BuildClass(at) => {
                let keywords = pop(&mut frame);
                let bases = pop(&mut frame);
                let body = pop(&mut frame);
                let name = code.names[at as usize].clone();
                frame = self.act(frame, Action::BuildClass(name, body, bases, keywords), Then::Push)?;
            }
            Op::SaveReturn => frame.returned = Some(pop(&mut frame)),
            Op::ReturnSaved => {
                let value = frame.returned.take().unwrap_or(Value::None);
                return Err(self.leave(&mut frame, value));
            }
            Op::Yield => {
                let value = pop(&mut frame);
                return Err(self.yield_from_frame(frame, value));
            }
            Op::YieldFrom(_) => {
                let sent = pop(&mut frame);
                let iterator = frame.stack[frame.stack.len() - 1].clone();
                if let Some(id) = self.generator_id(&iterator) {
                    self.frames.push(Frame::Py(frame));
                    return Err(self.resume_generator(id, sent));
                }
                frame = self.act(frame, Action::Send(iterator, sent), Then::Push)?;
            }
            Op::GetYieldFromIter => {
                let value = pop(&mut frame);
                frame = self.act(frame, Action::Iter(value), Then::Push)?;
            }
            Op::SetupTry(handler) => {
                let height = frame.stack.len() as u32;
                frame.blocks.push(Block { handler, height });
            }
            Op::SetupWith(handler) => {
                let height = frame.stack.len() as u32 - 1;
                frame.blocks.push(Block { handler, height });
            }
            Op::PopBlock => {
                frame.blocks.pop();
            }
            Op::PushExc => {
                let exc = pop(&mut frame);
                let before = std::mem::replace(&mut self.handled, exc.clone());
                frame.stack.push(before);
                frame.stack.push(exc);
            }
            Op::PopExc => self.handled = pop(&mut frame),
            Op::PopExcUnder => {
                let new = pop(&mut frame);
                frame.stack.pop();
                self.handled = pop(&mut frame);
                frame.stack.push(new);
            }
            Op::MatchExc => {
                let kind = pop(&mut frame);
                let exc = frame.stack[frame.stack.len() - 1].clone();
                frame = self.act(frame, Action::MatchExc(exc, kind), Then::Push)?;
            }
            Op::Reraise => {
                let exc = frame.stack[frame.stack.len() - 1].clone();
                return self.reraise(frame, &exc);
            }
            Op::EndFinally => {
                let exc = pop(&mut frame);
                self.handled = pop(&mut frame);
                return self.reraise(frame, &exc);
            }
            Op::Raise(0) => {
                let handled = self.handled.clone();
                if handled.is_none() {
                    let fault = self.error(Type::RuntimeError, "No active exception to reraise");
                    return self.throw(frame, fault);
                }
                return self.reraise(frame, &handled);
            }
            Op::Raise(count) => {
                let cause = if count > 1 { Some(pop(&mut frame)) } else { None };
                let exc = pop(&mut frame);
                frame = self.act(frame, Action::Raise(exc, cause), Then::Discard)?;
            }
            Op::WithPrepare => {
                let manager = pop(&mut frame);
                frame = self.act(frame, Action::WithPrepare(manager), Then::Spread)?;
            }
            Op::WithExceptArgs => {
                let len = frame.stack.len();
                let (exit, exc) = (frame.stack[len - 3].clone(), frame.stack[len - 1].clone());
                let class = Value::Obj(self.class_of(&exc));
                let trace = self.traceback_object(&exc);
                frame.stack.extend([exit, class, exc, trace]);
            }
            Op::ImportName(at) => {
                let names = pop(&mut frame);
                let level = pop(&mut frame).as_int().unwrap_or(0);
                let name = code.names[at as usize].clone();
                frame = self.act(frame, Action::Import(name, level, names), Then::Push)?;
            }
            Op::ImportFrom(at) => {
                let module = frame.stack[frame.stack.len() - 1].clone();
                let name = code.names[at as usize].clone();
                frame = self.act(frame, Action::ImportFrom(module, name), Then::Push)?;
            }
            Op::ImportStar => {
                let module = pop(&mut frame);
                frame = self.act(frame, Action::ImportStar(module), Then::Discard)?;
            }
            Op::Format(conversion, has_spec) => {
                let spec = if has_spec { pop(&mut frame) } else { Value::str("") };
                let value = pop(&mut frame);
                frame = self.act(frame, Action::Format(value, conversion, spec), Then::Push)?;
            }
            Op::SetupAnnotations => {
                let names = frame.names.unwrap_or(frame.globals);
                if self.dict_of(names).get_str("__annotations__").is_none() {
                    let dict = self.new_dict_id();
                    self.dict_mut(names).set_str("__annotations__", Value::Obj(dict));
                }
            }
            Op::AssertionError => frame.stack.push(Value::Obj(Type::AssertionError.id())),
            Op::StarBegin => {
                let exc = frame.stack[frame.stack.len() - 1].clone();
                let raised = self.list(Vec::new());
                frame.stack.push(exc);
                frame.stack.push(raised);
            }
            Op::StarMatch => {
                let kind = pop(&mut frame);
                let raised = pop(&mut frame);
                let rest = pop(&mut frame);
                frame = self.act(frame, Action::StarMatch(rest, kind), Then::Spread)?;
                let found = pop(&mut frame);
                frame.stack.push(raised);
                if !found.is_none() {
                    self.handled = found.clone();
                }
                frame.stack.push(found);
            }
            Op::StarEnd => {
                let raised = pop(&mut frame);
                let rest = pop(&mut frame);
                let original = frame.stack[frame.stack.len() - 1].clone();
                let result = self.star_result(&original, &rest, &raised);
                self.handled = original;
                frame.stack.push(result);
            }
            Op::MatchSequence => {
                let value = frame.stack[frame.stack.len() - 1].clone();
                let truth = self.is_list(&value).is_some()
                    || self.as_tuple(&value).is_some()
                    || matches!(value, Value::Range(_))
                    || self.is_instance_of_named(&value, "deque");
                frame.stack.push(Value::Bool(truth));
            }
            Op::MatchMapping => {
                let value = frame.stack[frame.stack.len() - 1].clone();
                let truth = self.is_dict(&value).is_some();
                frame.stack.push(Value::Bool(truth));
            }
            Op::MatchKeys => {
                let keys = pop(&mut frame);
                let subject = pop(&mut frame);
                frame = self.act(frame, Action::MatchKeys(subject, keys), Then::Push)?;
            }
            Op::MatchClass(count) => {
                let names = pop(&mut frame);
                let class = pop(&mut frame);
                let subject = pop(&mut frame);
                frame =
                    self.act(frame, Action::MatchClass(subject, class, names, count as usize), Then::Push)?;
            }
            Op::MatchRest => {
                let keys = pop(&mut frame);
                let subject = pop(&mut frame);
                frame = self.act(frame, Action::MatchRest(subject, keys), Then::Push)?;
            }
            Op::Length => {
                let value = frame.stack[frame.stack.len() - 1].clone();
                frame = self.act(frame, Action::Length(value), Then::Push)?;
            }
            other => unreachable!("{other:?} is executed elsewhere"),
        }
        Ok(frame)
    }

    fn make_function(&mut self, frame: &mut PyFrame, at: usize, flags: u32) -> Value {
        let code = std::rc::Rc::clone(&frame.code.codes[at]);
        let mut closure: Vec<ObjId> = Vec::new();
        if flags & 8 != 0
            && let Value::Tuple(cells) = pop(frame)
        {
            closure =
                cells.iter().filter_map(|c| if let Value::Obj(id) = c { Some(*id) } else { None }).collect();
        }
        let annotations = if flags & 4 != 0 { Some(pop(frame)) } else { None };
        let mut kwdefaults = Vec::new();
        if flags & 2 != 0
            && let Value::Obj(id) = pop(frame)
        {
            for (name, value) in self.dict_of(id).iter() {
                if let Value::Str(name) = name {
                    kwdefaults.push((name.clone(), value.clone()));
                }
            }
        }
        let mut defaults: std::rc::Rc<[Value]> = std::rc::Rc::from(Vec::new());
        if flags & 1 != 0
            && let Value::Tuple(values) = pop(frame)
        {
            defaults = values;
        }
        let module = self.dict_of(frame.globals).get_str("__name__").cloned().unwrap_or(Value::None);
        let data = FunctionData {
            name: code.name.clone(),
            qualname: code.qualname.clone(),
            doc: code.doc.clone(),
            code,
            globals: frame.globals,
            defaults,
            kwdefaults,
            closure: std::rc::Rc::from(closure),
            annotations,
            module,
        };
        self.add(Type::Function, Body::Function(Box::new(data)))
    }
}
