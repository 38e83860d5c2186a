//! A value as plain data, one level deep, for the host.

use std::rc::Rc;

use num_bigint::BigInt;

use crate::host::{HostClassId, HostObject};
use crate::value::Value;

/// What a value is. Items of containers are values to be viewed in turn.
#[derive(Clone, Debug)]
pub enum View {
    /// `None`
    None,
    /// A truth value.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// A larger integer.
    Big(BigInt),
    /// A float.
    Float(f64),
    /// A text.
    Str(Rc<str>),
    /// Bytes or a bytearray.
    Bytes(Vec<u8>),
    /// A list.
    List(Vec<Value>),
    /// A tuple, also a named one.
    Tuple(Vec<Value>),
    /// A dict in its order.
    Dict(Vec<(Value, Value)>),
    /// A set or frozenset in insertion order.
    Set(Vec<Value>),
    /// `range(start, stop, step)`
    Range(i64, i64, i64),
    /// A `datetime.datetime`: microseconds since 1970 of its own wall clock, and the offset of its zone if it has one.
    Datetime {
        /// Wall clock, as if it were UTC.
        wall_micros: i64,
        /// Offset east of UTC.
        offset_micros: Option<i64>,
    },
    /// A `datetime.date`: days since 1970.
    Date(i32),
    /// A `datetime.timedelta` in microseconds.
    Timedelta(i64),
    /// A `decimal.Decimal` as its text.
    Decimal(String),
    /// Something callable that Python code or the machine defines, with its `__name__`.
    Function(String),
    /// A class: its name, and the host class it is or derives from.
    Class(String, Option<HostClassId>),
    /// An object of the host.
    Host(HostObject),
    /// An exception: class name and `str()` as far as it is known without running code.
    Exception(String, String),
    /// An instance of another class: its name, and the host class from which it derives.
    Instance(String, Option<HostClassId>),
    /// Anything else: the name of its type.
    Other(String),
}
