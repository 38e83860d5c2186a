//! The public face of the machine.

use std::rc::Rc;

use crate::diagnostic::{Span, SyntaxError};
use crate::host::{Host, HostClassId, Printed, PyException, Stop, SystemError, SystemReply};
use crate::value::{Value, View};

pub(crate) struct NativeFunction {
    pub(crate) owner: &'static str,
    pub(crate) name: &'static str,
}

/// A compiled script: read once, run by any number of machines.
#[derive(Clone, Debug)]
pub struct Program {
    file: Rc<str>,
}

impl Program {
    /// Compiles a script. All errors of syntax, and all syntax that this machine does not have, are found here.
    pub fn compile(source: &str, file: &str) -> Result<Self, Vec<SyntaxError>> {
        let _ = source;
        Ok(Self { file: Rc::from(file) })
    }
}

/// A running script: plain data that can stop after any instruction and be cloned at any stop.
#[derive(Clone, Debug)]
pub struct Machine {
    program: Program,
    host: Rc<Host>,
}

impl Machine {
    /// A machine at the start of a script, with `__name__ == "__main__"`.
    pub fn new(program: &Program, host: Rc<Host>) -> Self {
        Self { program: program.clone(), host }
    }

    /// Runs at most `fuel` instructions.
    pub fn run(&mut self, fuel: u64) -> Stop {
        let _ = (fuel, &self.program.file, &self.host);
        Stop::Finished
    }

    /// Answers [`Stop::Ask`].
    pub fn answer(&mut self, answer: Result<Value, PyException>) {
        let _ = answer;
    }

    /// Answers [`Stop::System`].
    pub fn answer_system(&mut self, answer: Result<SystemReply, SystemError>) {
        let _ = answer;
    }

    /// Calls a Python value on top of what the machine does now; allowed at any stop, also while a question is
    /// pending. The next [`Machine::run`] executes it and ends with [`Stop::Returned`] or [`Stop::Raised`].
    pub fn call(&mut self, function: &Value, args: Vec<Value>, kwargs: Vec<(String, Value)>) {
        let _ = (function, args, kwargs);
    }

    /// Takes what the script printed since the last time.
    pub fn take_stdout(&mut self) -> Vec<Printed> {
        Vec::new()
    }

    /// Instructions executed since the machine was made.
    pub fn instructions(&self) -> u64 {
        0
    }

    /// Line of the script that runs now, of the innermost frame that belongs to the script.
    pub fn current_line(&self) -> Option<u32> {
        self.current_span().map(|s| s.line)
    }

    /// As [`Machine::current_line`], the whole expression or statement.
    pub fn current_span(&self) -> Option<Span> {
        None
    }

    /// Sets a global name of the script, such as `spark`.
    pub fn set_global(&mut self, name: &str, value: Value) {
        let _ = (name, value);
    }

    /// Reads a global name of the script.
    pub fn global(&self, name: &str) -> Option<Value> {
        let _ = name;
        None
    }

    /// What a value is, one level deep.
    pub fn view(&self, value: &Value) -> View {
        let _ = value;
        View::None
    }

    /// `repr()` without running Python code: instances with their own `__repr__` show as `<Name object>`.
    pub fn plain_repr(&self, value: &Value) -> String {
        let _ = value;
        String::new()
    }

    /// Name of the value's type.
    pub fn type_name(&self, value: &Value) -> String {
        let _ = value;
        String::new()
    }

    /// Reads an attribute without running Python code: own attributes, then those of the class.
    pub fn attribute(&self, value: &Value, name: &str) -> Option<Value> {
        let _ = (value, name);
        None
    }

    /// Sets an attribute of an instance, function or module without running Python code.
    pub fn set_attribute(&mut self, value: &Value, name: &str, new: Value) {
        let _ = (value, name, new);
    }

    /// A new list.
    pub fn new_list(&mut self, items: Vec<Value>) -> Value {
        Value::tuple(items)
    }

    /// A new dict; keys must be plain (None, bool, int, float, str, bytes, tuples of these, host objects).
    pub fn new_dict(&mut self, items: Vec<(Value, Value)>) -> Value {
        let _ = items;
        Value::None
    }

    /// A new set of plain items.
    pub fn new_set(&mut self, items: Vec<Value>) -> Value {
        Value::tuple(items)
    }

    /// A `datetime.datetime` from microseconds since 1970 of its wall clock; with an offset it knows its zone.
    pub fn new_datetime(&mut self, wall_micros: i64, offset_micros: Option<i64>) -> Value {
        let _ = (wall_micros, offset_micros);
        Value::None
    }

    /// A `datetime.date` from days since 1970.
    pub fn new_date(&mut self, days: i32) -> Value {
        let _ = days;
        Value::None
    }

    /// A `datetime.timedelta`.
    pub fn new_timedelta(&mut self, micros: i64) -> Value {
        let _ = micros;
        Value::None
    }

    /// A `decimal.Decimal` from its text.
    pub fn new_decimal(&mut self, text: &str) -> Value {
        Value::str(text)
    }

    /// The class object of a host class, as Python sees it.
    pub fn host_class(&self, class: HostClassId) -> Value {
        let _ = class;
        Value::None
    }
}
