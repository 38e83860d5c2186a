//! The doors of the library to the outside, and to the machine itself.

use crate::host::{SystemCall, SystemReply};
use crate::machine::{Args, Machine, NativeFunction, R};
use crate::value::{Body, Type, Value};

pub(crate) static SYSTEM: &[NativeFunction] = &[
    NativeFunction::function("_system", "read", |m, a| {
        let path = text(m, a, 0)?;
        m.logged(|m| m.system(SystemCall::Read { path }))
    }),
    NativeFunction::function("_system", "write", |m, a| {
        let path = text(m, a, 0)?;
        let bytes = a.get(1).and_then(|b| m.as_bytes(b)).map(|b| b.to_vec()).unwrap_or_default();
        m.logged(|m| m.system(SystemCall::Write { path, bytes }))
    }),
    NativeFunction::function("_system", "list", |m, a| {
        let path = text(m, a, 0)?;
        m.logged(|m| m.system(SystemCall::List { path }))
    }),
    NativeFunction::function("_system", "remove", |m, a| {
        let path = text(m, a, 0)?;
        m.logged(|m| m.system(SystemCall::Remove { path }))
    }),
    NativeFunction::function("_system", "rmdir", |m, a| {
        let path = text(m, a, 0)?;
        m.logged(|m| m.system(SystemCall::RemoveFolder { path }))
    }),
    NativeFunction::function("_system", "rmtree", |m, a| {
        let path = text(m, a, 0)?;
        m.logged(|m| m.system(SystemCall::RemoveTree { path }))
    }),
    NativeFunction::function("_system", "mkdir", |m, a| {
        let path = text(m, a, 0)?;
        let parents = matches!(a.get(1), Some(Value::Bool(true)));
        m.logged(|m| m.system(SystemCall::MakeFolder { path, parents }))
    }),
    NativeFunction::function("_system", "rename", |m, a| {
        let (from, to) = (text(m, a, 0)?, text(m, a, 1)?);
        m.logged(|m| m.system(SystemCall::Rename { from, to }))
    }),
    NativeFunction::function("_system", "stat", |m, a| {
        let path = text(m, a, 0)?;
        m.logged(|m| m.system(SystemCall::Stat { path }))
    }),
    NativeFunction::function("_system", "sleep", |m, a| {
        let micros = a.get(0).and_then(Value::as_int).unwrap_or(0).max(0) as u64;
        m.logged(|m| m.system(SystemCall::Sleep { micros }))
    }),
    NativeFunction::function("_system", "now", |m, _| m.logged(|m| m.system(SystemCall::Now))),
];

pub(crate) static MACHINE: &[NativeFunction] = &[
    NativeFunction::function("_machine", "write_out", |m, a| {
        let text = text(m, a, 0)?;
        let error = matches!(a.get(1), Some(Value::Bool(true)));
        m.write_out(&text, error);
        Ok(Value::None)
    }),
    NativeFunction::function("_machine", "redirect", |m, a| {
        let new = a.get(0).filter(|v| !v.is_none()).cloned();
        Ok(std::mem::replace(&mut m.redirect, new).unwrap_or(Value::None))
    }),
    NativeFunction::function("_machine", "handled", |m, _| Ok(m.handled.clone())),
    NativeFunction::function("_machine", "format_tb", |m, a| match a.get(0).and_then(|t| m.body(t)) {
        Some(Body::Traceback(entries)) => Ok(Value::from(crate::machine::format_entries(entries))),
        _ => Ok(Value::str("")),
    }),
    NativeFunction::function("_machine", "exception_line", |m, a| {
        let Some(exc) = a.get(0).cloned() else { return Ok(Value::None) };
        let message = m.str_of(&exc)?;
        match m.is_exception(&exc) {
            Some(id) => Ok(Value::from(m.line_with(id, &message))),
            None => Ok(Value::str("")),
        }
    }),
    NativeFunction::function("_machine", "line_of", |m, a| {
        let line = match a.get(0).and_then(|t| m.body(t)) {
            Some(Body::Traceback(entries)) => entries.last().map_or(0, |e| e.span.line),
            _ => 0,
        };
        Ok(Value::Int(i64::from(line)))
    }),
    NativeFunction::function("_machine", "caller_globals", |m, a| {
        let depth = a.get(0).and_then(Value::as_int).unwrap_or(1).max(0) as usize;
        let main = m.main;
        let found = m
            .frames
            .iter()
            .rev()
            .filter_map(|f| match f {
                crate::machine::Frame::Py(p) => Some(p.globals),
                _ => None,
            })
            .nth(depth);
        Ok(Value::Obj(found.unwrap_or(main)))
    }),
    NativeFunction::function("_machine", "set_class", |m, a| {
        if let (Some(Value::Obj(id)), Some(class)) = (a.get(0), a.get(1).and_then(|c| m.as_class(c))) {
            m.heap.get_mut(*id).class = class;
        }
        Ok(a.get(0).cloned().unwrap_or(Value::None))
    }),
    NativeFunction::function("_machine", "set_class_attribute", |m, a| {
        let name = text(m, a, 1)?;
        if let Some(class) = a.get(0).and_then(|c| m.as_class(c))
            && let Some(data) = m.class_data_mut(class)
        {
            data.dict.set_str(&name, a.get(2).cloned().unwrap_or(Value::None));
        }
        Ok(Value::None)
    }),
    NativeFunction::function("_machine", "annotation_text", |m, a| {
        let value = a.get(0).cloned().unwrap_or(Value::None);
        m.annotation_text(&value).map(Value::from)
    }),
    NativeFunction::function("_machine", "generic_alias", |m, a| {
        let (origin, key) =
            (a.get(0).cloned().unwrap_or(Value::None), a.get(1).cloned().unwrap_or(Value::None));
        Ok(m.generic_alias(origin, &key))
    }),
    NativeFunction::function("_machine", "types", |m, _| {
        let kinds = [
            Type::Function,
            Type::Builtin,
            Type::Method,
            Type::Module,
            Type::Generator,
            Type::MappingProxy,
            Type::Union,
            Type::GenericAlias,
            Type::Code,
            Type::Traceback,
            Type::Cell,
            Type::DictKeys,
            Type::DictValues,
            Type::DictItems,
        ];
        let _ = m;
        Ok(Value::tuple(kinds.iter().map(|k| Value::Obj(k.id())).collect()))
    }),
];

fn text(m: &mut Machine, args: &Args, at: usize) -> R<String> {
    let value = args.get(at).cloned().unwrap_or(Value::None);
    match m.as_text(&value) {
        Some(text) => Ok(text.to_string()),
        None => {
            let kind = m.type_name(&value);
            m.type_error(&format!("expected str, bytes or os.PathLike object, not {kind}"))
        }
    }
}

/// The path that a system call is about, for its error.
pub(crate) fn path_of(call: &SystemCall) -> Option<String> {
    match call {
        SystemCall::Read { path }
        | SystemCall::Write { path, .. }
        | SystemCall::List { path }
        | SystemCall::Remove { path }
        | SystemCall::RemoveFolder { path }
        | SystemCall::RemoveTree { path }
        | SystemCall::MakeFolder { path, .. }
        | SystemCall::Rename { from: path, .. }
        | SystemCall::Stat { path } => Some(path.clone()),
        SystemCall::Sleep { .. } | SystemCall::Now => None,
    }
}

/// A reply as the library sees it.
pub(crate) fn reply_value(reply: SystemReply) -> Value {
    match reply {
        SystemReply::Done | SystemReply::Absent => Value::None,
        SystemReply::Bytes(bytes) => Value::bytes(&bytes),
        SystemReply::Names(names) => Value::tuple(names.iter().map(|n| Value::str(n)).collect()),
        SystemReply::Stat { folder, size, modified_micros } => {
            Value::tuple(vec![Value::Bool(folder), Value::Int(size as i64), Value::Int(modified_micros)])
        }
        SystemReply::Now(micros) => Value::Int(micros),
    }
}
