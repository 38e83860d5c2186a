//! Frees objects that nothing refers to.

use crate::machine::Machine;
use crate::machine::frame::{Action, Frame, FrameKind, PyFrame, Waiting};
use crate::value::{Body, GeneratorState, IterState, ObjId, Value};

/// Fewest new objects between two collections.
const PAUSE_MIN: usize = 200_000;

struct Marks {
    marked: Vec<bool>,
    work: Vec<ObjId>,
}

impl Marks {
    fn id(&mut self, id: ObjId) {
        if let Some(mark) = self.marked.get_mut(id.0 as usize)
            && !*mark
        {
            *mark = true;
            self.work.push(id);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Obj(id) => self.id(*id),
            Value::Tuple(items) => items.iter().for_each(|i| self.value(i)),
            Value::Slice(parts) => parts.iter().for_each(|i| self.value(i)),
            Value::Bound(bound) => {
                self.value(&bound.function);
                self.value(&bound.receiver);
            }
            _ => {}
        }
    }

    fn values<'a>(&mut self, values: impl IntoIterator<Item = &'a Value>) {
        values.into_iter().for_each(|v| self.value(v));
    }

    fn frame(&mut self, frame: &PyFrame) {
        self.values(&frame.stack);
        self.values(frame.locals.iter().flatten());
        frame.cells.iter().for_each(|c| self.id(*c));
        self.id(frame.globals);
        if let Some(names) = frame.names {
            self.id(names);
        }
        self.values(&frame.returned);
        self.value(&frame.outer_handled);
        self.value(&frame.own_handled);
        match &frame.kind {
            FrameKind::Construct(object) => self.value(object),
            FrameKind::Generator(id) => self.id(*id),
            FrameKind::Normal => {}
        }
    }

    // tidy: table
    fn action(&mut self, action: &Action) {
        match action {
            Action::Call(f, args) => {
                self.value(f);
                self.values(&args.items);
                self.values(args.names.iter().map(|(_, v)| v));
            }
            Action::Binary(_, a, b) | Action::InPlace(_, a, b) | Action::Compare(_, a, b) => {
                self.values([a, b]);
            }
            Action::Unary(_, a)
            | Action::Truth(a)
            | Action::GetAttr(a, _)
            | Action::DelAttr(a, _)
            | Action::Iter(a)
            | Action::Next(a)
            | Action::Collect(a)
            | Action::Unpack(a, _)
            | Action::UnpackEx(a, ..)
            | Action::ImportFrom(a, _)
            | Action::ImportStar(a)
            | Action::WithPrepare(a)
            | Action::Import(_, _, a)
            | Action::Length(a) => self.value(a),
            Action::SetAttr(a, _, b)
            | Action::GetItem(a, b)
            | Action::DelItem(a, b)
            | Action::Send(a, b)
            | Action::Format(a, _, b)
            | Action::SetAdd(a, b)
            | Action::DictUpdate(a, b)
            | Action::MatchExc(a, b)
            | Action::StarMatch(a, b)
            | Action::MatchKeys(a, b)
            | Action::MatchRest(a, b) => self.values([a, b]),
            Action::SetItem(a, b, c)
            | Action::DictAdd(a, b, c)
            | Action::DictMerge(a, b, c)
            | Action::BuildClass(_, a, b, c)
            | Action::MatchClass(a, b, c, _) => self.values([a, b, c]),
            Action::BuildSet(items) | Action::BuildDict(items) => self.values(items),
            Action::Raise(a, b) => {
                self.value(a);
                self.values(b);
            }
        }
    }

    fn waiting(&mut self, waiting: &Waiting) {
        if let Waiting::Host(call) = waiting {
            self.values(&call.args);
            self.values(call.kwargs.iter().map(|(_, v)| v));
        }
    }

    fn incoming(&mut self, incoming: &Result<Value, ObjId>) {
        match incoming {
            Ok(value) => self.value(value),
            Err(id) => self.id(*id),
        }
    }

    // tidy: table
    fn body(&mut self, body: &Body) {
        match body {
            Body::Instance
            | Body::ByteArray(_)
            | Body::Module(_)
            | Body::Code(_)
            | Body::Traceback(_)
            | Body::Regex(_) => {}
            Body::List(items) => self.values(items),
            Body::Dict(d) | Body::Set(d) | Body::FrozenSet(d) => {
                for (k, v) in d.iter() {
                    self.value(k);
                    self.value(v);
                }
            }
            Body::Boxed(v) | Body::StaticMethod(v) | Body::ClassMethod(v) => self.value(v),
            Body::Exception(e) => {
                self.values(e.args.iter());
                self.values(&e.cause);
                self.values(&e.context);
            }
            Body::Function(f) => {
                self.id(f.globals);
                self.values(f.defaults.iter());
                self.values(f.kwdefaults.iter().map(|(_, v)| v));
                f.closure.iter().for_each(|c| self.id(*c));
                self.values(&f.annotations);
                self.value(&f.doc);
                self.value(&f.module);
            }
            Body::Class(c) => {
                c.bases.iter().chain(c.mro.iter()).chain(&c.subclasses).for_each(|b| self.id(*b));
                for (k, v) in c.dict.iter() {
                    self.value(k);
                    self.value(v);
                }
            }
            Body::Cell(value) => self.values(value),
            Body::Generator(g) => {
                if let GeneratorState::Suspended(frame, _) = &g.state {
                    self.frame(frame);
                }
            }
            Body::Iter(state) => match &**state {
                IterState::List(id, _) => self.id(*id),
                IterState::Tuple(items, _) => self.values(items.iter()),
                IterState::Dict { dict, .. } | IterState::DictReversed { dict, .. } => self.id(*dict),
                IterState::Set { set, .. } => self.id(*set),
                IterState::Sequence(v, _) | IterState::ReversedSequence(v, _) => self.value(v),
                IterState::Callable(a, b) | IterState::Enumerate(a, b) => self.values([a, b]),
                IterState::Zip(all, _) => self.values(all),
                IterState::Str(..) | IterState::Bytes(..) | IterState::Range { .. } | IterState::Done => {}
            },
            Body::Property(parts) => self.values(parts.iter()),
            Body::Super(class, object) => {
                self.id(*class);
                self.value(object);
            }
            Body::View(dict, _) => self.id(*dict),
        }
    }
}

impl Machine {
    pub(crate) fn collect_due(&self) -> bool {
        self.heap.made > self.collect_at
    }

    /// Collects if enough objects were made; only between instructions.
    pub(crate) fn collect_if_due(&mut self) {
        if self.collect_due() {
            self.collect();
        }
    }

    fn collect(&mut self) {
        let mut marks = Marks { marked: vec![false; self.heap.len()], work: Vec::new() };
        for at in 0..crate::value::TYPES.len() as u32 {
            marks.id(ObjId(at));
        }
        self.modules.values().for_each(|m| marks.id(*m));
        self.host_classes.iter().for_each(|c| marks.id(*c));
        self.exceptions.values().for_each(|c| marks.id(*c));
        marks.id(self.builtins);
        marks.id(self.main);
        marks.value(&self.handled);
        self.kept.iter().chain(&self.redirect).for_each(|v| marks.value(v));
        if let Some(waiting) = &self.waiting {
            marks.waiting(waiting);
        }
        if let Some(incoming) = &self.incoming {
            marks.incoming(incoming);
        }
        for frame in &self.frames {
            match frame {
                Frame::Py(frame) => marks.frame(frame),
                Frame::Native(native) => {
                    marks.action(&native.action);
                    native.log.iter().for_each(|e| marks.incoming(&e.result));
                }
                Frame::Barrier(waiting, incoming, handled) => {
                    waiting.iter().for_each(|w| marks.waiting(w));
                    incoming.iter().for_each(|i| marks.incoming(i));
                    marks.value(handled);
                }
            }
        }
        while let Some(id) = marks.work.pop() {
            let obj = self.heap.get(id);
            marks.id(obj.class);
            if let Some(attrs) = obj.attrs {
                marks.id(attrs);
            }
            marks.body(&obj.body);
        }
        self.heap.sweep(&marks.marked);
        self.collect_at = PAUSE_MIN.max(self.heap.live());
    }
}
