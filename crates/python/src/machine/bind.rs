//! Arguments meet parameters.

use std::rc::Rc;

use crate::compile::Code;
use crate::machine::frame::{FrameKind, PyFrame};
use crate::machine::{Args, Fault, Machine, R};
use crate::value::{Body, Dict, FunctionData, GeneratorData, GeneratorState, Obj, ObjId, Type, Value};

fn quoted_list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [init @ .., last] => format!("{}, and {last}", init.join(", ")),
    }
}

impl Machine {
    pub(crate) fn function_data(&self, id: ObjId) -> Option<&FunctionData> {
        match &self.heap.get(id).body {
            Body::Function(f) => Some(f),
            _ => None,
        }
    }

    /// A frame of a function with its parameters set.
    pub(crate) fn frame_for(&mut self, function: ObjId, args: &Args) -> R<Box<PyFrame>> {
        let Some(data) = self.function_data(function) else {
            return Err(self.error(Type::TypeError, "not a function"));
        };
        let code = Rc::clone(&data.code);
        let mut frame = PyFrame::new(Rc::clone(&code), data.globals);
        let closure = Rc::clone(&data.closure);
        let simple = !code.vararg
            && !code.kwarg
            && code.kwonly == 0
            && args.names.is_empty()
            && args.items.len() == code.positional;
        if simple {
            for (slot, value) in frame.locals.iter_mut().zip(&args.items) {
                *slot = Some(value.clone());
            }
        } else {
            let data = data.clone();
            self.bind_arguments(&data, args, &mut frame.locals)?;
        }
        for _ in 0..code.own_cells {
            let cell = self.heap.add(Obj { class: Type::Cell.id(), attrs: None, body: Body::Cell(None) });
            frame.cells.push(cell);
        }
        frame.cells.extend(closure.iter().copied());
        for (cell, local) in &code.cell_params {
            let value = frame.locals[*local as usize].take();
            self.set_cell(frame.cells[*cell as usize], value);
        }
        Ok(Box::new(frame))
    }

    fn bind_arguments(&mut self, data: &FunctionData, args: &Args, locals: &mut [Option<Value>]) -> R<()> {
        let code = &data.code;
        let given = args.items.len();
        let taken = given.min(code.positional);
        for (slot, value) in locals.iter_mut().zip(&args.items[..taken]) {
            *slot = Some(value.clone());
        }
        let named = code.positional + code.kwonly;
        if code.vararg {
            locals[named] = Some(Value::tuple(args.items[taken..].to_vec()));
        }
        let mut extra = Dict::default();
        let mut positional_only = Vec::new();
        for (name, value) in &args.names {
            let at = code.locals[..named].iter().position(|l| l == name);
            match at {
                Some(at) if at >= code.posonly => {
                    if locals[at].is_some() {
                        let text = format!("{}() got multiple values for argument '{name}'", data.qualname);
                        return Err(self.error(Type::TypeError, &text));
                    }
                    locals[at] = Some(value.clone());
                }
                _ if code.kwarg => extra.set_name(name, value.clone()),
                Some(_) => positional_only.push(name.to_string()),
                None => {
                    let text = format!("{}() got an unexpected keyword argument '{name}'", data.qualname);
                    return Err(self.error(Type::TypeError, &text));
                }
            }
        }
        if !positional_only.is_empty() {
            let text = format!(
                "{}() got some positional-only arguments passed as keyword arguments: '{}'",
                data.qualname,
                positional_only.join(", ")
            );
            return Err(self.error(Type::TypeError, &text));
        }
        if given > code.positional && !code.vararg {
            return Err(self.too_many(data, given, locals));
        }
        self.fill_defaults(data, locals)?;
        if code.kwarg {
            let extra = self.dict(extra);
            locals[named + usize::from(code.vararg)] = Some(extra);
        }
        Ok(())
    }

    fn fill_defaults(&mut self, data: &FunctionData, locals: &mut [Option<Value>]) -> R<()> {
        let code = &data.code;
        let first = code.positional - data.defaults.len().min(code.positional);
        let mut missing = Vec::new();
        for (at, slot) in locals.iter_mut().enumerate().take(code.positional).filter(|(_, s)| s.is_none()) {
            match at.checked_sub(first).and_then(|d| data.defaults.get(d)) {
                Some(default) => *slot = Some(default.clone()),
                None => missing.push(format!("'{}'", code.locals[at])),
            }
        }
        let kind = if missing.is_empty() { "keyword-only" } else { "positional" };
        if missing.is_empty() {
            let named = locals.iter_mut().zip(&code.locals).skip(code.positional).take(code.kwonly);
            for (slot, name) in named.filter(|(s, _)| s.is_none()) {
                match data.kwdefaults.iter().find(|(n, _)| n == name) {
                    Some((_, default)) => *slot = Some(default.clone()),
                    None => missing.push(format!("'{name}'")),
                }
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        if let Some(text) = Self::missing_as_in_c(data, &missing[0]) {
            return Err(self.error(Type::TypeError, &text));
        }
        let plural = if missing.len() == 1 { "" } else { "s" };
        let text = format!(
            "{}() missing {} required {kind} argument{plural}: {}",
            data.qualname,
            missing.len(),
            quoted_list(&missing)
        );
        Err(self.error(Type::TypeError, &text))
    }

    /// Modules that the original has in C say it in their own way.
    fn missing_as_in_c(data: &FunctionData, quoted: &str) -> Option<String> {
        let file = &*data.code.source.file;
        if !matches!(file, "<library itertools>" | "<library datetime>") {
            return None;
        }
        let class = data.qualname.rsplit_once('.').map_or(&*data.qualname, |(class, _)| class);
        let name = quoted.trim_matches('\'');
        let at = data.code.locals.iter().position(|l| &**l == name)?;
        Some(format!("{class}() missing required argument '{name}' (pos {at})"))
    }

    fn too_many(&mut self, data: &FunctionData, given: usize, locals: &[Option<Value>]) -> Fault {
        let code: &Code = &data.code;
        let most = code.positional;
        let least = most - data.defaults.len().min(most);
        let (takes, plural) = if least == most {
            (most.to_string(), most != 1)
        } else {
            (format!("from {least} to {most}"), true)
        };
        let kwonly = locals[most..most + code.kwonly].iter().filter(|l| l.is_some()).count();
        let given_text = if kwonly > 0 {
            let s = if kwonly == 1 { "" } else { "s" };
            let p = if given == 1 { "" } else { "s" };
            format!("{given} positional argument{p} (and {kwonly} keyword-only argument{s}) were given")
        } else {
            format!("{given} {} given", if given == 1 { "was" } else { "were" })
        };
        let text = format!(
            "{}() takes {takes} positional argument{} but {given_text}",
            data.qualname,
            if plural { "s" } else { "" }
        );
        self.error(Type::TypeError, &text)
    }

    pub(crate) fn new_generator(&mut self, function: ObjId, mut frame: Box<PyFrame>) -> Value {
        let (name, qualname) = match self.function_data(function) {
            Some(data) => (data.name.clone(), data.qualname.clone()),
            None => (frame.code.name.clone(), frame.code.qualname.clone()),
        };
        let id = self.heap.add(Obj { class: Type::Generator.id(), attrs: None, body: Body::Instance });
        frame.kind = FrameKind::Generator(id);
        self.heap.get_mut(id).body = Body::Generator(Box::new(GeneratorData {
            name,
            qualname,
            state: GeneratorState::Suspended(frame, false),
        }));
        Value::Obj(id)
    }

    pub(crate) fn generator_id(&self, value: &Value) -> Option<ObjId> {
        match value {
            Value::Obj(id) if matches!(self.heap.get(*id).body, Body::Generator(_)) => Some(*id),
            _ => None,
        }
    }

    /// Whether the value is a generator of a function of this name that has begun and waits.
    pub(crate) fn is_waiting_generator(&self, value: &Value, name: &str) -> bool {
        matches!(self.body(value), Some(Body::Generator(g))
            if &*g.name == name && matches!(g.state, GeneratorState::Suspended(_, true)))
    }

    pub(crate) fn cell(&self, id: ObjId) -> Option<Value> {
        match &self.heap.get(id).body {
            Body::Cell(value) => value.clone(),
            _ => None,
        }
    }

    pub(crate) fn set_cell(&mut self, id: ObjId, value: Option<Value>) {
        if let Body::Cell(cell) = &mut self.heap.get_mut(id).body {
            *cell = value;
        }
    }

    /// A class whose call makes a plain instance and runs a Python `__init__`.
    pub(crate) fn plain_constructor(&self, class: ObjId) -> Option<ObjId> {
        let data = self.class_data(class)?;
        if !data.user || data.layout != Type::Object || self.heap.get(class).class != Type::Type.id() {
            return None;
        }
        if self.lookup_class(class, "__new__").is_some_and(|v| !matches!(v, Value::Native(_))) {
            return None;
        }
        match self.lookup_class(class, "__init__")? {
            Value::Obj(id) if matches!(&self.heap.get(id).body, Body::Function(f) if !f.code.generator) => {
                Some(id)
            }
            _ => None,
        }
    }

    pub(crate) fn plain_instance(&mut self, class: ObjId) -> Value {
        Value::Obj(self.heap.add(Obj { class, attrs: None, body: Body::Instance }))
    }
}
