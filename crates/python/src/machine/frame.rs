//! Frames: what is being executed, from the script at the bottom to the innermost call.

use std::rc::Rc;

use crate::compile::{BinOp, CmpOp, Code, Conversion, UnOp};
use crate::diagnostic::Span;
use crate::host::{HostCall, SystemCall};
use crate::machine::Args;
use crate::value::{ObjId, Value};

/// An entered block: where its handler starts and how high the stack was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) handler: u32,
    pub(crate) height: u32,
}

/// What becomes of the value that a frame returns.
#[derive(Clone, Debug)]
pub(crate) enum FrameKind {
    Normal,
    /// The frame is an `__init__`; its caller gets the object.
    Construct(Value),
    Generator(ObjId),
}

/// A Python function, class body or module that is being executed.
#[derive(Clone, Debug)]
pub(crate) struct PyFrame {
    pub(crate) code: Rc<Code>,
    pub(crate) pc: usize,
    pub(crate) stack: Vec<Value>,
    pub(crate) locals: Vec<Option<Value>>,
    pub(crate) cells: Vec<ObjId>,
    pub(crate) globals: ObjId,
    /// The namespace of a class body, or of `exec` with its own locals.
    pub(crate) names: Option<ObjId>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) returned: Option<Value>,
    pub(crate) kind: FrameKind,
    /// For a generator: the exception that its resumer is handling.
    pub(crate) outer_handled: Value,
    /// For a generator: the exception that it is handling itself while it waits.
    pub(crate) own_handled: Value,
}

impl PyFrame {
    pub(crate) fn new(code: Rc<Code>, globals: ObjId) -> Self {
        Self {
            locals: vec![None; code.locals.len()],
            code,
            pc: 0,
            stack: Vec::new(),
            cells: Vec::new(),
            globals,
            names: None,
            blocks: Vec::new(),
            returned: None,
            kind: FrameKind::Normal,
            outer_handled: Value::None,
            own_handled: Value::None,
        }
    }

    pub(crate) fn span(&self) -> Span {
        self.code.span(self.pc.saturating_sub(1))
    }
}

/// What a native frame does, so that it can begin again.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Call(Value, Args),
    Binary(BinOp, Value, Value),
    InPlace(BinOp, Value, Value),
    Unary(UnOp, Value),
    Compare(CmpOp, Value, Value),
    Truth(Value),
    GetAttr(Value, Rc<str>),
    SetAttr(Value, Rc<str>, Value),
    DelAttr(Value, Rc<str>),
    GetItem(Value, Value),
    SetItem(Value, Value, Value),
    DelItem(Value, Value),
    Iter(Value),
    Next(Value),
    Send(Value, Value),
    /// All items as a tuple.
    Collect(Value),
    /// All items as a tuple of this many, or an error.
    Unpack(Value, usize),
    UnpackEx(Value, usize, usize),
    Format(Value, Conversion, Value),
    BuildSet(Vec<Value>),
    BuildDict(Vec<Value>),
    SetAdd(Value, Value),
    DictAdd(Value, Value, Value),
    DictUpdate(Value, Value),
    /// Dict, new keywords, function for messages.
    DictMerge(Value, Value, Value),
    BuildClass(Rc<str>, Value, Value, Value),
    Import(Rc<str>, i64, Value),
    ImportFrom(Value, Rc<str>),
    ImportStar(Value),
    MatchExc(Value, Value),
    Raise(Value, Option<Value>),
    WithPrepare(Value),
    StarMatch(Value, Value),
    MatchKeys(Value, Value),
    MatchClass(Value, Value, Value, usize),
    MatchRest(Value, Value),
    Length(Value),
}

/// Where the value of a native frame goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    Push,
    Discard,
    /// It is a tuple whose items are pushed, the first one last.
    Spread,
    /// It takes the place of an operand, and the instruction runs again.
    Retry,
    /// It decides a jump over the value that stays on the stack: jumps if it equals the first, else drops the value.
    Decide(bool, u32),
}

/// What an earlier part of a native operation gave.
#[derive(Clone, Debug)]
pub(crate) struct LogEntry {
    pub(crate) depth: usize,
    pub(crate) result: Result<Value, ObjId>,
}

/// A native operation that waits for Python code or for the host.
#[derive(Clone, Debug)]
pub(crate) struct NativeFrame {
    pub(crate) action: Action,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) depth: usize,
    pub(crate) then: Then,
}

/// What the machine waits for.
#[derive(Clone, Debug)]
pub(crate) enum Waiting {
    Host(HostCall),
    System(SystemCall),
}

/// A frame.
#[derive(Clone, Debug)]
pub(crate) enum Frame {
    Py(Box<PyFrame>),
    Native(Box<NativeFrame>),
    /// The bottom of a call by the host, with what was pending before.
    Barrier(Option<Waiting>, Option<Result<Value, ObjId>>, Value),
}
