//! One Python value: unchangeable ones are held by the value itself, others are ids into the heap.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use crate::host::HostObject;

/// Names an object on the heap of one machine and of its clones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjId(pub(crate) u32);

/// A Python value. Cheap to clone; equality is not Python's, ask the machine for that.
#[derive(Clone, Debug)]
pub enum Value {
    /// `None`
    None,
    /// `...`
    Ellipsis,
    /// `NotImplemented`
    NotImplemented,
    /// `True` and `False`
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// An integer that needs more than 64 bits.
    Big(Rc<BigInt>),
    /// A float.
    Float(f64),
    /// A complex number.
    Complex(f64, f64),
    /// A text.
    Str(Rc<str>),
    /// Bytes.
    Bytes(Rc<[u8]>),
    /// A tuple.
    Tuple(Rc<[Value]>),
    /// A range.
    Range(Rc<Range>),
    /// A slice: start, stop, step.
    Slice(Rc<[Value; 3]>),
    /// An object on the heap: list, dict, set, function, class, instance, exception and so on.
    Obj(ObjId),
    /// A function or method that the machine itself has.
    Native(Native),
    /// A function with its first argument.
    Bound(Rc<Bound>),
    /// A function of a host module.
    HostFunction(Rc<HostFunction>),
    /// An object of the host.
    Host(HostObject),
}

/// A range of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// First number.
    pub start: i64,
    /// Bound that is not reached.
    pub stop: i64,
    /// Step, never zero.
    pub step: i64,
}

/// A function with its first argument.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The function.
    pub function: Value,
    /// The first argument.
    pub receiver: Value,
}

/// A function of a host module, or a method of a host class.
#[derive(Clone, Debug)]
pub enum HostFunction {
    /// A function of a module.
    Module {
        /// Full name of the module.
        module: String,
        /// Name of the function.
        name: String,
    },
    /// A method that wants a receiver as its first argument.
    Method {
        /// Name of the method.
        name: String,
        /// Name of the class, for messages.
        class: String,
    },
    /// A static method.
    Static {
        /// The class.
        class: crate::host::HostClassId,
        /// Name of the method.
        name: String,
    },
    /// A property of a host class; never seen by Python code.
    Property {
        /// Name of the property.
        name: String,
        /// Whether it can be written.
        settable: bool,
    },
    /// A method that returns an attribute of its receiver.
    Getter(String),
    /// A name that is not there yet, with what is said when it is used.
    Refused(String),
}

/// A function of the machine: an entry of one of its tables.
#[derive(Clone, Copy)]
pub struct Native(pub(crate) &'static crate::machine::NativeFunction);

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}{}>", self.0.owner, self.0.name)
    }
}

impl Value {
    /// A text.
    pub fn str(text: &str) -> Self {
        Self::Str(Rc::from(text))
    }

    /// A tuple.
    pub fn tuple(items: Vec<Self>) -> Self {
        Self::Tuple(Rc::from(items))
    }

    /// Bytes.
    pub fn bytes(bytes: &[u8]) -> Self {
        Self::Bytes(Rc::from(bytes))
    }

    /// An integer of any size.
    pub fn big(number: BigInt) -> Self {
        match number.to_i64() {
            Some(small) => Self::Int(small),
            None => Self::Big(Rc::new(number)),
        }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(s) => Some(s),
            _ => None,
        }
    }

    /// The number, if it is an int or bool of 64 bits.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(i) => Some(*i),
            Self::Bool(b) => Some(i64::from(*b)),
            _ => None,
        }
    }

    /// Whether it is `None`.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::str(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Str(Rc::from(text))
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}
