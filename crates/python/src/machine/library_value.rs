//! Values of library classes that the host makes: dates, times, decimals.

use std::rc::Rc;

use crate::host::Stop;
use crate::machine::Machine;
use crate::machine::frame::{Action, Frame, NativeFrame, Then};
use crate::value::{Body, Obj, ObjId, Value};

/// Instructions that loading a library module may take.
const LOAD_FUEL: u64 = 5_000_000;

impl Machine {
    /// A class of a library module, loaded if it is not yet. Library modules ask nothing while they load.
    fn library_class(&mut self, module: &str, class: &str) -> Option<ObjId> {
        if !self.modules.contains_key("_core") || self.core("collect").is_none() {
            self.run_core();
        }
        if !self.modules.contains_key(module) {
            let handled = std::mem::replace(&mut self.handled, Value::None);
            self.frames.push(Frame::Barrier(self.waiting.take(), self.incoming.take(), handled));
            let action = Action::Import(Rc::from(module), 0, Value::tuple(Vec::new()));
            self.frames.push(Frame::Native(Box::new(NativeFrame {
                action,
                log: Vec::new(),
                depth: 0,
                then: Then::Push,
            })));
            let (fuel, executed) = (self.fuel, self.executed);
            let stop = self.run(LOAD_FUEL);
            (self.fuel, self.executed) = (fuel, executed);
            if !matches!(stop, Stop::Returned(_)) {
                return None;
            }
        }
        let module = *self.modules.get(module)?;
        let found = self.own_attribute(&Value::Obj(module), class)?;
        self.as_class(&found)
    }

    /// Runs the library's core if the script has not begun.
    fn run_core(&mut self) {
        let core = match self.frames.last() {
            Some(Frame::Py(frame)) if frame.code.source.library && frame.pc == 0 => self.frames.pop(),
            _ => return,
        };
        let handled = std::mem::replace(&mut self.handled, Value::None);
        self.frames.push(Frame::Barrier(self.waiting.take(), self.incoming.take(), handled));
        self.frames.extend(core);
        let (fuel, executed) = (self.fuel, self.executed);
        let _ = self.run(LOAD_FUEL);
        (self.fuel, self.executed) = (fuel, executed);
    }

    fn library_object(&mut self, module: &str, class: &str, attributes: &[(&str, Value)]) -> Value {
        let Some(class) = self.library_class(module, class) else { return Value::None };
        let id = self.heap.add(Obj { class, attrs: None, body: Body::Instance });
        for (name, value) in attributes {
            self.set_own_attribute(id, name, value.clone());
        }
        Value::Obj(id)
    }

    /// A `datetime.datetime` without a zone from microseconds since 1970 of its wall clock.
    pub fn new_datetime(&mut self, wall_micros: i64) -> Value {
        self.new_zoned_datetime(wall_micros, None)
    }

    /// A `decimal.Decimal` from its text.
    pub fn new_decimal(&mut self, text: &str) -> Value {
        match self.library_object("decimal", "Decimal", &[("_text", Value::str(text))]) {
            Value::None => Value::str(text),
            made => made,
        }
    }

    /// A `datetime.datetime` from microseconds since 1970 of its wall clock; with an offset it knows its zone.
    pub fn new_zoned_datetime(&mut self, wall_micros: i64, offset_micros: Option<i64>) -> Value {
        let zone = match offset_micros {
            None => Value::None,
            Some(0) => {
                let utc =
                    self.library_class("datetime", "timezone").and_then(|c| self.lookup_class(c, "utc"));
                utc.unwrap_or(Value::None)
            }
            Some(offset) => {
                let parts = [("_micros", Value::Int(offset)), ("_name", Value::None)];
                self.library_object("datetime", "timezone", &parts)
            }
        };
        self.library_object(
            "datetime",
            "datetime",
            &[("_micros", Value::Int(wall_micros)), ("_tzinfo", zone)],
        )
    }

    /// A `datetime.date` from days since 1970.
    pub fn new_date(&mut self, days: i32) -> Value {
        self.library_object("datetime", "date", &[("_days", Value::Int(i64::from(days)))])
    }

    /// A `datetime.timedelta`.
    pub fn new_timedelta(&mut self, micros: i64) -> Value {
        self.library_object("datetime", "timedelta", &[("_micros", Value::Int(micros))])
    }
}
