//! Functions of the machine itself, and the arguments of all calls.
//!
//! A native function is written straight down, but it may have to run Python code on its way. Then it returns
//! [`Fault::Need`](crate::machine::fault::Need), the code runs, and the function starts again from its beginning with a
//! log of what its earlier calls gave. So a native function must do nothing that can be seen before its last call of
//! Python code, except through [`Machine::logged`].

use std::rc::Rc;

use crate::machine::{Machine, R};
use crate::value::Value;

/// Arguments of a call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Args {
    pub(crate) items: Vec<Value>,
    pub(crate) names: Vec<(Rc<str>, Value)>,
}

impl Args {
    pub(crate) fn new(items: Vec<Value>) -> Self {
        Self { items, names: Vec::new() }
    }

    pub(crate) fn with_first(&self, first: Value) -> Self {
        let mut items = Vec::with_capacity(self.items.len() + 1);
        items.push(first);
        items.extend(self.items.iter().cloned());
        Self { items, names: self.names.clone() }
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Value> {
        self.items.get(at)
    }

    pub(crate) fn named(&self, name: &str) -> Option<&Value> {
        self.names.iter().find(|(n, _)| &**n == name).map(|(_, v)| v)
    }

    /// The argument at a position or of a name.
    pub(crate) fn at(&self, at: usize, name: &str) -> Option<&Value> {
        self.items.get(at).or_else(|| self.named(name))
    }
}

/// How a native function is found and bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativeKind {
    Function,
    /// Its first argument is the object.
    Method,
    Static,
    /// Its first argument is the class.
    Class,
}

/// An entry in the tables of native functions.
pub(crate) struct NativeFunction {
    /// The type or module it belongs to.
    pub(crate) owner: &'static str,
    pub(crate) name: &'static str,
    pub(crate) kind: NativeKind,
    pub(crate) call: fn(&mut Machine, &Args) -> R,
}

impl NativeFunction {
    pub(crate) const fn function(
        owner: &'static str,
        name: &'static str,
        call: fn(&mut Machine, &Args) -> R,
    ) -> Self {
        Self { owner, name, kind: NativeKind::Function, call }
    }

    pub(crate) const fn method(
        owner: &'static str,
        name: &'static str,
        call: fn(&mut Machine, &Args) -> R,
    ) -> Self {
        Self { owner, name, kind: NativeKind::Method, call }
    }

    pub(crate) const fn fixed(
        owner: &'static str,
        name: &'static str,
        call: fn(&mut Machine, &Args) -> R,
    ) -> Self {
        Self { owner, name, kind: NativeKind::Static, call }
    }

    pub(crate) const fn class(
        owner: &'static str,
        name: &'static str,
        call: fn(&mut Machine, &Args) -> R,
    ) -> Self {
        Self { owner, name, kind: NativeKind::Class, call }
    }
}
