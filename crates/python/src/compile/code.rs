//! The instructions, and the unit of them that one frame executes.

use std::rc::Rc;

use crate::compile::Source;
use crate::diagnostic::Span;
use crate::value::Value;

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinOp {
    Add,
    Sub,
    Mul,
    MatMul,
    Div,
    Mod,
    Pow,
    LShift,
    RShift,
    Or,
    Xor,
    And,
    FloorDiv,
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnOp {
    Invert,
    Plus,
    Minus,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Is,
    IsNot,
    In,
    NotIn,
}

/// `!s`, `!r`, `!a` in a replacement field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conversion {
    None,
    Str,
    Repr,
    Ascii,
}

/// One instruction of the stack machine. Numbers are indexes into the lists of [`Code`], jump targets, or counts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    Const(u32),
    Pop,
    Dup,
    Dup2,
    Swap,
    /// Moves the top below the next two.
    Rot3,
    /// Copies the value this deep below the top.
    Copy(u32),
    LoadName(u32),
    StoreName(u32),
    DeleteName(u32),
    LoadGlobal(u32),
    StoreGlobal(u32),
    DeleteGlobal(u32),
    LoadFast(u32),
    StoreFast(u32),
    DeleteFast(u32),
    LoadCell(u32),
    StoreCell(u32),
    DeleteCell(u32),
    /// The namespace of the class body first, then the cell.
    LoadClassCell(u32),
    /// Pushes the cell itself.
    LoadClosure(u32),
    LoadAttr(u32),
    StoreAttr(u32),
    DeleteAttr(u32),
    Index,
    StoreIndex,
    DeleteIndex,
    Binary(BinOp),
    InPlace(BinOp),
    Unary(UnOp),
    Not,
    Compare(CmpOp),
    Jump(u32),
    JumpIfFalse(u32),
    JumpIfTrue(u32),
    JumpIfFalseOrPop(u32),
    JumpIfTrueOrPop(u32),
    /// Pops the top and jumps if it is `None`.
    JumpIfNone(u32),
    BuildTuple(u32),
    BuildList(u32),
    BuildSet(u32),
    BuildDict(u32),
    BuildString(u32),
    BuildSlice,
    ListToTuple,
    /// Appends the top to the list this deep below it.
    ListAppend(u32),
    SetAdd(u32),
    DictAdd(u32),
    ListExtend(u32),
    /// As `ListExtend` for the arguments of a call, whose function lies below the list.
    ArgsExtend,
    SetUpdate(u32),
    DictUpdate(u32),
    /// As `DictUpdate` for keyword arguments: doubled names are an error of the function two below the dict.
    DictMerge,
    Unpack(u32),
    UnpackEx(u32, u32),
    GetIter,
    ForIter(u32),
    /// Drops an iterator; a generator made by a call of this name in the head of the loop has no other holder and is closed.
    CloseIter(u32),
    Call(u32),
    /// Count of all arguments; the names of the last ones are a constant tuple.
    CallKw(u32, u32),
    /// Function, tuple of arguments, and a dict if `1`.
    CallEx(u32),
    /// Code, and flags: 1 defaults, 2 keyword defaults, 4 annotations, 8 closure.
    MakeFunction(u32, u32),
    /// Function of the body, tuple of bases, dict of keywords; the name is a constant.
    BuildClass(u32),
    Return,
    /// Keeps the top as the value to return while finally-blocks run.
    SaveReturn,
    ReturnSaved,
    Yield,
    /// Iterator and value to send; jumps here when the iterator has ended, leaving its value.
    YieldFrom(u32),
    GetYieldFromIter,
    SetupTry(u32),
    /// As `SetupTry`, with the stack cut below its top.
    SetupWith(u32),
    PopBlock,
    /// Exception on top: the one handled before is put below it.
    PushExc,
    /// The exception handled before is on top: it is handled again.
    PopExc,
    /// Below the top lies an exception and the one handled before it: drops both, restores.
    PopExcUnder,
    /// Class or tuple on top, exception below: pushes whether it matches.
    MatchExc,
    /// The same exception goes on.
    Reraise,
    /// Handled before and exception: restores and goes on with the exception.
    EndFinally,
    Raise(u32),
    WithPrepare,
    WithExceptArgs,
    ImportName(u32),
    ImportFrom(u32),
    ImportStar,
    Format(Conversion, bool),
    SetupAnnotations,
    AssertionError,
    StarBegin,
    StarMatch,
    StarEnd,
    /// Pushes whether the subject is a sequence that patterns take.
    MatchSequence,
    MatchMapping,
    /// Keys tuple on top of subject: pushes tuple of values or `None`.
    MatchKeys,
    /// Subject, class, names tuple; count of positional ones: replaces with tuple of attributes or `None`.
    MatchClass(u32),
    /// Length of the top is pushed above it.
    Length,
    /// Subject and keys: pushes dict of the others.
    MatchRest,
    /// Prints the value of an expression statement in interactive mode; unused in files.
    Nop,
}

/// What one frame executes.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) name: Rc<str>,
    pub(crate) qualname: Rc<str>,
    pub(crate) source: Rc<Source>,
    pub(crate) first_line: u32,
    pub(crate) ops: Vec<Op>,
    pub(crate) spans: Vec<Span>,
    pub(crate) consts: Vec<Value>,
    pub(crate) codes: Vec<Rc<Code>>,
    pub(crate) names: Vec<Rc<str>>,
    /// Positional-only, positional, keyword-only, `*args`, `**kwargs`, then other locals.
    pub(crate) locals: Vec<Rc<str>>,
    /// Own cells, then those of the closure.
    pub(crate) cells: Vec<Rc<str>>,
    pub(crate) own_cells: usize,
    /// Parameters that live in cells: cell and local.
    pub(crate) cell_params: Vec<(u32, u32)>,
    pub(crate) posonly: usize,
    pub(crate) positional: usize,
    pub(crate) kwonly: usize,
    pub(crate) vararg: bool,
    pub(crate) kwarg: bool,
    pub(crate) generator: bool,
    pub(crate) doc: Value,
}

impl Code {
    pub(crate) fn span(&self, pc: usize) -> Span {
        self.spans.get(pc).copied().unwrap_or_default()
    }
}
