//! Values of library classes that the host makes: dates, times, decimals.


use crate::compile::compile_module;
use crate::machine::Machine;
use crate::machine::frame::{Frame, PyFrame};
use crate::value::{Body, Dict, Obj, Value};

impl Machine {
    /// Imports library modules before the script begins, so that the host can make values of their classes. To be called
    /// on a fresh machine.
    pub fn preload(&mut self, modules: &[&str]) {
        let source = format!("import {}\n", modules.join(", "));
        let Ok(code) = compile_module(&source, "<library preload>", true) else { return };
        let module = self.add_module("_preload", Dict::default());
        let globals = self.attrs_of(module);
        let below_core = self.frames.len().saturating_sub(1);
        self.frames.insert(below_core, Frame::Py(Box::new(PyFrame::new(code, globals))));
        self.py_frames += 1;
    }

    /// A `datetime.datetime` from microseconds since 1970 of its wall clock, without a zone.
    ///
    /// Shape: the module must have been preloaded; otherwise the text of the time.
    pub fn new_datetime(&mut self, wall_micros: i64) -> Value {
        let made = self.library_instance(
            "datetime",
            "datetime",
            &[("_micros", Value::Int(wall_micros)), ("_tzinfo", Value::None), ("_fold", Value::Int(0))],
        );
        made.unwrap_or_else(|| Value::Int(wall_micros))
    }

    /// A `datetime.date` from days since 1970; see [`Machine::new_datetime`].
    pub fn new_date(&mut self, days: i32) -> Value {
        let days = Value::Int(days.into());
        self.library_instance("datetime", "date", &[("_days", days.clone())]).unwrap_or(days)
    }

    /// A `datetime.timedelta`; see [`Machine::new_datetime`].
    pub fn new_timedelta(&mut self, micros: i64) -> Value {
        let micros = Value::Int(micros);
        self.library_instance("datetime", "timedelta", &[("_micros", micros.clone())]).unwrap_or(micros)
    }

    /// A `decimal.Decimal` from its text; see [`Machine::new_datetime`].
    pub fn new_decimal(&mut self, text: &str) -> Value {
        let text = Value::str(text);
        self.library_instance("decimal", "Decimal", &[("_text", text.clone())]).unwrap_or(text)
    }

    /// An instance with these attributes, its `__init__` not called; `None` when the module is not loaded.
    fn library_instance(&mut self, module: &str, class: &str, attributes: &[(&str, Value)]) -> Option<Value> {
        let module = *self.modules.get(module)?;
        let Value::Obj(class) = self.own_attribute(&Value::Obj(module), class)? else { return None };
        let mut dict = Dict::default();
        for (name, value) in attributes {
            dict.set_str(name, value.clone());
        }
        let Value::Obj(attrs) = self.dict(dict) else { return None };
        Some(Value::Obj(self.heap.add(Obj { class, attrs: Some(attrs), body: Body::Instance })))
    }
}
