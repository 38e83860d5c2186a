//! The loop that takes the top frame one stop further, and the ways in which values and exceptions go down the frames.

use std::rc::Rc;

use crate::compile::Op;
use crate::host::Stop;
use crate::machine::Need;
use crate::machine::frame::{Action, Frame, FrameKind, LogEntry, NativeFrame, PyFrame, Then, Waiting};
use crate::machine::{Args, Fault, Machine, R};
use crate::value::{Body, GeneratorState, ObjId, TraceEntry, Type, Value};

/// What the loop does after a step.
pub(crate) enum Flow {
    Next,
    Stop(Stop),
}

impl Machine {
    /// Runs at most `fuel` instructions.
    pub fn run(&mut self, fuel: u64) -> Stop {
        self.fuel = fuel;
        loop {
            if self.incoming.is_none()
                && let Some(waiting) = &self.waiting
            {
                return match waiting {
                    Waiting::Host(call) => Stop::Ask(call.clone()),
                    Waiting::System(call) => Stop::System(call.clone()),
                };
            }
            self.collect_if_due();
            let flow = match self.frames.pop() {
                None => return Stop::Finished,
                Some(Frame::Py(frame)) => self.execute(frame),
                Some(Frame::Native(frame)) => match self.incoming.take() {
                    Some(result) => {
                        self.waiting = None;
                        self.frames.push(Frame::Native(frame));
                        self.resume(result)
                    }
                    None if self.fuel == 0 => {
                        self.frames.push(Frame::Native(frame));
                        return Stop::OutOfFuel;
                    }
                    None => self.start(*frame),
                },
                Some(Frame::Barrier(waiting, incoming, handled)) => {
                    (self.waiting, self.incoming, self.handled) = (waiting, incoming, handled);
                    Flow::Next
                }
            };
            if let Flow::Stop(stop) = flow {
                return stop;
            }
        }
    }

    fn start(&mut self, frame: NativeFrame) -> Flow {
        self.log = frame.log;
        self.visiting.clear();
        (self.cursor, self.depth) = (0, 0);
        let result = self.perform(&frame.action);
        self.settle(frame.action, frame.then, result)
    }

    /// Performs an action of the top frame, from a fresh log.
    pub(crate) fn act(
        &mut self,
        frame: Box<PyFrame>,
        action: Action,
        then: Then,
    ) -> Result<Box<PyFrame>, Flow> {
        self.frames.push(Frame::Py(frame));
        self.log.clear();
        self.visiting.clear();
        (self.cursor, self.depth) = (0, 0);
        let result = self.perform(&action);
        match result {
            Ok(value) => {
                let Some(Frame::Py(mut frame)) = self.frames.pop() else {
                    unreachable!("a native operation leaves the frames as they were")
                };
                Self::put(&mut frame, then, value);
                Ok(frame)
            }
            other => Err(self.settle(action, then, other)),
        }
    }

    fn put(frame: &mut PyFrame, then: Then, value: Value) {
        match then {
            Then::Push => frame.stack.push(value),
            Then::Discard => {}
            Then::Spread => {
                if let Value::Tuple(items) = value {
                    frame.stack.extend(items.iter().rev().cloned());
                }
            }
            Then::Retry => {
                frame.stack.push(value);
                frame.pc -= 1;
            }
            Then::Decide(when, target) => {
                if matches!(value, Value::Bool(truth) if truth == when) {
                    frame.pc = target as usize;
                } else {
                    frame.stack.pop();
                }
            }
        }
    }

    pub(crate) fn settle(&mut self, action: Action, then: Then, result: R) -> Flow {
        match result {
            Ok(value) => match self.frames.last_mut() {
                Some(Frame::Py(frame)) => {
                    Self::put(frame, then, value);
                    Flow::Next
                }
                _ => self.deliver(value),
            },
            Err(Fault::Raise(exc)) => self.unwind(exc, true),
            Err(Fault::Need(need)) => {
                let log = std::mem::take(&mut self.log);
                let depth = self.need_depth;
                self.frames.push(Frame::Native(Box::new(NativeFrame { action, log, depth, then })));
                self.begin(*need)
            }
        }
    }

    /// Starts what a native operation needs; its frame is on top.
    fn begin(&mut self, need: Need) -> Flow {
        match need {
            Need::Call(function, args) => self.enter(function, &args, FrameKind::Normal),
            Need::Body(function, namespace) => match self.frame_for(function, &Args::default()) {
                Ok(mut frame) => {
                    frame.names = Some(namespace);
                    self.push_frame(frame)
                }
                Err(fault) => self.fail(fault),
            },
            Need::Code(code, globals, names) => {
                let mut frame = PyFrame::new(code, globals);
                frame.names = names;
                self.push_frame(Box::new(frame))
            }
            Need::Resume(generator, value) => self.resume_generator(generator, value),
            Need::Throw(generator, exc) => self.throw_into(generator, exc),
            Need::Host(mut call) => {
                call.span = self.script_frame().map(PyFrame::span).unwrap_or_default();
                for value in call.args.iter().chain(call.kwargs.iter().map(|(_, v)| v)) {
                    if self.is_callable(value) && matches!(value, Value::Obj(_) | Value::Bound(_)) {
                        self.kept.push(value.clone());
                    }
                }
                self.waiting = Some(Waiting::Host(call.clone()));
                Flow::Stop(Stop::Ask(call))
            }
            Need::System(call) => {
                self.waiting = Some(Waiting::System(call.clone()));
                Flow::Stop(Stop::System(call))
            }
        }
    }

    /// An error before a called frame exists goes to the caller.
    pub(crate) fn fail(&mut self, fault: Fault) -> Flow {
        match fault {
            Fault::Raise(exc) => self.unwind(exc, true),
            Fault::Need(_) => Flow::Next,
        }
    }

    pub(crate) fn push_frame(&mut self, frame: Box<PyFrame>) -> Flow {
        if self.py_frames >= crate::machine::state::FRAMES_MAX {
            let fault = self.error(Type::RecursionError, "maximum recursion depth exceeded");
            return self.fail(fault);
        }
        self.py_frames += 1;
        self.frames.push(Frame::Py(frame));
        Flow::Next
    }

    /// Calls a Python function on top of the frames.
    pub(crate) fn enter(&mut self, function: ObjId, args: &Args, kind: FrameKind) -> Flow {
        let mut frame = match self.frame_for(function, args) {
            Ok(frame) => frame,
            Err(fault) => return self.fail(fault),
        };
        if frame.code.generator {
            let generator = self.new_generator(function, frame);
            return self.deliver(generator);
        }
        frame.kind = kind;
        self.push_frame(frame)
    }

    /// Gives a value to the top frame.
    pub(crate) fn deliver(&mut self, value: Value) -> Flow {
        match self.frames.last_mut() {
            Some(Frame::Py(frame)) => {
                frame.stack.push(value);
                Flow::Next
            }
            Some(Frame::Native(_)) => {
                self.incoming = Some(Ok(value));
                Flow::Next
            }
            Some(Frame::Barrier(..)) => {
                self.lift_barrier();
                Flow::Stop(Stop::Returned(value))
            }
            None => Flow::Stop(Stop::Finished),
        }
    }

    fn lift_barrier(&mut self) {
        if let Some(Frame::Barrier(waiting, incoming, handled)) = self.frames.pop() {
            (self.waiting, self.incoming, self.handled) = (waiting, incoming, handled);
        }
    }

    /// Lets the native frame on top go on with what it needed.
    fn resume(&mut self, result: Result<Value, ObjId>) -> Flow {
        let Some(Frame::Native(mut frame)) = self.frames.pop() else {
            unreachable!("only native frames wait for results")
        };
        frame.log.push(LogEntry { depth: frame.depth, result });
        self.start(*frame)
    }

    /// The top frame returns a value.
    pub(crate) fn leave(&mut self, frame: &mut PyFrame, value: Value) -> Flow {
        self.py_frames -= 1;
        match std::mem::replace(&mut frame.kind, FrameKind::Normal) {
            FrameKind::Normal => self.deliver(value),
            FrameKind::Construct(object) => {
                if value.is_none() {
                    return self.deliver(object);
                }
                let name = self.type_name(&value);
                let fault =
                    self.error(Type::TypeError, &format!("__init__() should return None, not '{name}'"));
                self.fail(fault)
            }
            FrameKind::Generator(id) => {
                self.handled = frame.outer_handled.clone();
                self.set_generator(id, GeneratorState::Done);
                self.exhausted(value)
            }
        }
    }

    /// A generator has ended with a value: the loop that asked is over, others get `StopIteration`.
    fn exhausted(&mut self, value: Value) -> Flow {
        if let Some(Frame::Py(frame)) = self.frames.last_mut()
            && Self::end_loop(frame, &value)
        {
            return Flow::Next;
        }
        let args = if value.is_none() { Vec::new() } else { vec![value] };
        let exc = self.new_exception(Type::StopIteration.id(), args);
        self.unwind(exc, true)
    }

    /// If the instruction of the frame asks an iterator, goes on behind its end.
    fn end_loop(frame: &mut PyFrame, value: &Value) -> bool {
        match frame.pc.checked_sub(1).and_then(|at| frame.code.ops.get(at)) {
            Some(Op::ForIter(end)) => {
                let end = *end as usize;
                frame.stack.pop();
                frame.pc = end;
                true
            }
            Some(Op::YieldFrom(end)) => {
                let end = *end as usize;
                frame.stack.pop();
                frame.stack.push(value.clone());
                frame.pc = end;
                true
            }
            _ => false,
        }
    }

    /// Carries an exception down the frames to a handler. `trace` is false for the first frame on a re-raise.
    pub(crate) fn unwind(&mut self, exc: ObjId, mut trace: bool) -> Flow {
        let mut exc = exc;
        loop {
            match self.frames.last_mut() {
                None => return Flow::Stop(Stop::Raised(self.traceback_of(exc))),
                Some(Frame::Barrier(..)) => {
                    let traceback = self.traceback_of(exc);
                    self.lift_barrier();
                    return Flow::Stop(Stop::Raised(traceback));
                }
                Some(Frame::Native(_)) => {
                    self.incoming = Some(Err(exc));
                    return Flow::Next;
                }
                Some(Frame::Py(_)) => {}
            }
            self.add_context(exc);
            let stops = self.class_is(self.heap.get(exc).class, Type::StopIteration.id());
            let stop_value = if stops { self.stop_value(exc) } else { Value::None };
            let Some(Frame::Py(frame)) = self.frames.last_mut() else { return Flow::Next };
            if stops && Self::end_loop(frame, &stop_value) {
                return Flow::Next;
            }
            let entry = (trace && !frame.code.source.library)
                .then(|| TraceEntry { code: Rc::clone(&frame.code), span: frame.span() });
            trace = true;
            let caught = frame.blocks.pop();
            if let Some(block) = caught {
                frame.stack.truncate(block.height as usize);
                frame.stack.push(Value::Obj(exc));
                frame.pc = block.handler as usize;
            }
            if let Some(entry) = entry {
                self.exception_mut(exc).trace.push(entry);
            }
            if caught.is_some() {
                return Flow::Next;
            }
            exc = self.drop_frame(exc, stops);
        }
    }

    /// An exception leaves the Python frame on top.
    fn drop_frame(&mut self, exc: ObjId, stops: bool) -> ObjId {
        self.py_frames -= 1;
        let Some(Frame::Py(frame)) = self.frames.pop() else { return exc };
        if let FrameKind::Generator(id) = frame.kind {
            self.handled = frame.outer_handled.clone();
            self.set_generator(id, GeneratorState::Done);
            if stops {
                let fault = self.error(Type::RuntimeError, "generator raised StopIteration");
                if let Fault::Raise(new) = fault {
                    let data = self.exception_mut(new);
                    data.cause = Some(Value::Obj(exc));
                    data.context = Some(Value::Obj(exc));
                    data.suppress = true;
                    return new;
                }
            }
        }
        exc
    }

    fn set_generator(&mut self, id: ObjId, state: GeneratorState) {
        if let Body::Generator(g) = &mut self.heap.get_mut(id).body {
            g.state = state;
        }
    }

    fn take_generator(&mut self, id: ObjId) -> GeneratorState {
        match &mut self.heap.get_mut(id).body {
            Body::Generator(g) => match &g.state {
                GeneratorState::Suspended(..) => std::mem::replace(&mut g.state, GeneratorState::Running),
                GeneratorState::Running => GeneratorState::Running,
                GeneratorState::Done => GeneratorState::Done,
            },
            _ => GeneratorState::Done,
        }
    }

    /// Puts a suspended generator on top of the frames.
    fn wake(&mut self, mut frame: Box<PyFrame>) -> Flow {
        frame.outer_handled = self.handled.clone();
        if !frame.own_handled.is_none() {
            self.handled = std::mem::replace(&mut frame.own_handled, Value::None);
        }
        self.push_frame(frame)
    }

    pub(crate) fn resume_generator(&mut self, id: ObjId, value: Value) -> Flow {
        match self.take_generator(id) {
            GeneratorState::Suspended(mut frame, begun) => {
                if begun {
                    frame.stack.push(value);
                } else if !value.is_none() {
                    self.set_generator(id, GeneratorState::Suspended(frame, begun));
                    let fault =
                        self.error(Type::TypeError, "can't send non-None value to a just-started generator");
                    return self.fail(fault);
                }
                self.wake(frame)
            }
            GeneratorState::Running => {
                let fault = self.error(Type::ValueError, "generator already executing");
                self.fail(fault)
            }
            GeneratorState::Done => self.exhausted(Value::None),
        }
    }

    fn throw_into(&mut self, id: ObjId, exc: ObjId) -> Flow {
        match self.take_generator(id) {
            GeneratorState::Suspended(mut frame, true) => {
                let delegates = frame.pc >= 2 && matches!(frame.code.ops[frame.pc - 2], Op::YieldFrom(_));
                let inner = if delegates { frame.stack.last().cloned() } else { None };
                if let Some(Value::Obj(inner)) = inner
                    && matches!(&self.heap.get(inner).body, Body::Generator(g) if matches!(g.state, GeneratorState::Suspended(..)))
                {
                    frame.pc -= 1;
                    let flow = self.wake(frame);
                    if matches!(flow, Flow::Stop(_)) {
                        return flow;
                    }
                    return self.throw_into(inner, exc);
                }
                let flow = self.wake(frame);
                match flow {
                    Flow::Next => self.unwind(exc, true),
                    stop @ Flow::Stop(_) => stop,
                }
            }
            GeneratorState::Running => {
                let fault = self.error(Type::ValueError, "generator already executing");
                self.fail(fault)
            }
            GeneratorState::Suspended(_, false) => {
                self.set_generator(id, GeneratorState::Done);
                self.unwind(exc, true)
            }
            GeneratorState::Done => self.unwind(exc, true),
        }
    }

    /// The generator whose frame this is yields a value.
    pub(crate) fn yield_from_frame(&mut self, mut frame: Box<PyFrame>, value: Value) -> Flow {
        self.py_frames -= 1;
        if let FrameKind::Generator(id) = frame.kind {
            let same = crate::value::same(&self.handled, &frame.outer_handled);
            frame.own_handled = if same { Value::None } else { self.handled.clone() };
            self.handled = frame.outer_handled.clone();
            self.set_generator(id, GeneratorState::Suspended(frame, true));
        }
        self.deliver(value)
    }
}
