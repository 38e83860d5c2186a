//! The heap: objects by id, shared between clones of a machine until one of them changes an object.

use std::rc::Rc;

use crate::compile::Code;
use crate::diagnostic::Span;
use crate::host::HostClassId;
use crate::machine::PyFrame;
use crate::module::Regex;
use crate::value::{Dict, ObjId, Type, Value};

/// An object on the heap.
#[derive(Clone, Debug)]
pub(crate) struct Obj {
    pub(crate) class: ObjId,
    /// The dict of its attributes, once it has one.
    pub(crate) attrs: Option<ObjId>,
    pub(crate) body: Body,
}

/// What an object holds beside its attributes.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Instance,
    List(Vec<Value>),
    Dict(Dict),
    Set(Dict),
    FrozenSet(Dict),
    ByteArray(Vec<u8>),
    /// An instance of a class derived from an unchangeable type.
    Boxed(Value),
    Exception(Box<ExceptionData>),
    Function(Box<FunctionData>),
    Class(Box<ClassData>),
    Module(Rc<str>),
    Cell(Cell),
    Generator(Box<GeneratorData>),
    Iter(Box<IterState>),
    Property(Box<[Value; 4]>),
    StaticMethod(Value),
    ClassMethod(Value),
    /// `super`: the class after which the search starts, and the object.
    Super(ObjId, Value),
    View(ObjId, ViewKind),
    Traceback(Rc<[TraceEntry]>),
    Code(Rc<Code>),
    Regex(Rc<Regex>),
}

/// A variable shared between functions.
pub(crate) type Cell = Option<Value>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewKind {
    Keys,
    Values,
    Items,
}

/// Where an exception passed.
#[derive(Clone, Debug)]
pub(crate) struct TraceEntry {
    pub(crate) code: Rc<Code>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct ExceptionData {
    pub(crate) args: Rc<[Value]>,
    pub(crate) cause: Option<Value>,
    pub(crate) context: Option<Value>,
    pub(crate) suppress: bool,
    /// Innermost first.
    pub(crate) trace: Vec<TraceEntry>,
}

#[derive(Clone, Debug)]
pub(crate) struct FunctionData {
    pub(crate) code: Rc<Code>,
    pub(crate) globals: ObjId,
    pub(crate) name: Rc<str>,
    pub(crate) qualname: Rc<str>,
    pub(crate) defaults: Rc<[Value]>,
    pub(crate) kwdefaults: Vec<(Rc<str>, Value)>,
    pub(crate) closure: Rc<[ObjId]>,
    pub(crate) annotations: Option<Value>,
    pub(crate) doc: Value,
    pub(crate) module: Value,
}

#[derive(Clone, Debug)]
pub(crate) struct ClassData {
    pub(crate) name: Rc<str>,
    pub(crate) qualname: Rc<str>,
    pub(crate) module: Rc<str>,
    pub(crate) bases: Vec<ObjId>,
    pub(crate) mro: Rc<[ObjId]>,
    pub(crate) dict: Dict,
    /// The built-in type whose body instances have.
    pub(crate) layout: Type,
    /// The host class that this is or derives from.
    pub(crate) host: Option<HostClassId>,
    /// Made by a class statement.
    pub(crate) user: bool,
    pub(crate) subclasses: Vec<ObjId>,
    /// It or a base defines `__getattribute__`.
    pub(crate) hooked: bool,
    /// The names of `__slots__`, if instances have no dict.
    pub(crate) slots: Option<Rc<[Rc<str>]>>,
}

#[derive(Clone, Debug)]
pub(crate) struct GeneratorData {
    pub(crate) name: Rc<str>,
    pub(crate) qualname: Rc<str>,
    pub(crate) state: GeneratorState,
}

#[derive(Clone, Debug)]
pub(crate) enum GeneratorState {
    /// Waits at its frame; `true` once it has begun.
    Suspended(Box<PyFrame>, bool),
    Running,
    Done,
}

/// What an iterator of the machine remembers.
#[derive(Clone, Debug)]
pub(crate) enum IterState {
    /// Items of a list that may change meanwhile.
    List(ObjId, usize),
    Tuple(Rc<[Value]>, usize),
    /// Characters from a byte position on.
    Str(Rc<str>, usize),
    Bytes(Rc<[u8]>, usize),
    Range {
        next: i64,
        left: i64,
        step: i64,
    },
    /// Keys, values or items of a dict: slot and length at the start.
    Dict {
        dict: ObjId,
        kind: ViewKind,
        slot: usize,
        len: usize,
    },
    DictReversed {
        dict: ObjId,
        kind: ViewKind,
        slot: usize,
    },
    Set {
        set: ObjId,
        slot: usize,
        len: usize,
    },
    /// By `__getitem__` with rising indexes.
    Sequence(Value, i64),
    ReversedSequence(Value, i64),
    Callable(Value, Value),
    Zip(Vec<Value>, bool),
    Enumerate(Value, Value),
    Done,
}

/// All objects of a machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    slots: Vec<Option<Rc<Obj>>>,
    free: Vec<u32>,
    /// Objects made since the last collection.
    pub(crate) made: usize,
}

impl Heap {
    pub(crate) fn add(&mut self, obj: Obj) -> ObjId {
        self.made += 1;
        if let Some(at) = self.free.pop() {
            self.slots[at as usize] = Some(Rc::new(obj));
            return ObjId(at);
        }
        self.slots.push(Some(Rc::new(obj)));
        ObjId(self.slots.len() as u32 - 1)
    }

    pub(crate) fn get(&self, id: ObjId) -> &Obj {
        self.slots[id.0 as usize].as_ref().expect("an id on the heap is live while a value holds it")
    }

    pub(crate) fn get_mut(&mut self, id: ObjId) -> &mut Obj {
        Rc::make_mut(
            self.slots[id.0 as usize].as_mut().expect("an id on the heap is live while a value holds it"),
        )
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn live(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Frees all objects that are not marked.
    pub(crate) fn sweep(&mut self, marked: &[bool]) {
        for (at, slot) in self.slots.iter_mut().enumerate() {
            if slot.is_some() && !marked[at] {
                *slot = None;
                self.free.push(at as u32);
            }
        }
        self.made = 0;
    }
}
