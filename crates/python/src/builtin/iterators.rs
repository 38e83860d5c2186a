//! Methods of iterators and generators.

use crate::machine::{Args, Fault, Machine, NativeFunction, Need, R};
use crate::value::{Body, IterState, ObjId, Type, Value};

pub(crate) static ITERATOR: &[NativeFunction] = &[
    NativeFunction::method("iterator", "__next__", |m, a| {
        let iterator = a.get(0).cloned().unwrap_or(Value::None);
        m.next_or_stop(&iterator)
    }),
    NativeFunction::method("iterator", "__iter__", |_, a| Ok(a.get(0).cloned().unwrap_or(Value::None))),
    NativeFunction::method("iterator", "__length_hint__", |m, a| {
        let left = match a.get(0).and_then(|v| m.body(v)) {
            Some(Body::Iter(state)) => match &**state {
                IterState::Range { left, .. } => *left,
                IterState::Tuple(items, at) => (items.len() - at.min(&items.len())) as i64,
                IterState::List(list, at) => m.list_items(*list).len().saturating_sub(*at) as i64,
                _ => 0,
            },
            _ => 0,
        };
        Ok(Value::Int(left))
    }),
];

pub(crate) static GENERATOR: &[NativeFunction] = &[
    NativeFunction::method("generator", "send", |m, a| {
        let id = receiver(m, a)?;
        let value = a.get(1).cloned().unwrap_or(Value::None);
        m.logged(|m| m.need(Need::Resume(id, value)))
    }),
    NativeFunction::method("generator", "throw", |m, a| {
        let id = receiver(m, a)?;
        let exc = thrown(m, a)?;
        m.logged(|m| m.need(Need::Throw(id, exc)))
    }),
    NativeFunction::method("generator", "close", |m, a| {
        let id = receiver(m, a)?;
        if m.generator_is_done(id) {
            return Ok(Value::None);
        }
        let exc = m.logged(|m| Ok(Value::Obj(m.new_exception(Type::GeneratorExit.id(), Vec::new()))))?;
        let Value::Obj(exc) = exc else { return Ok(Value::None) };
        match m.logged(|m| m.need(Need::Throw(id, exc))) {
            Ok(_) => m.raise_error(Type::RuntimeError, "generator ignored GeneratorExit"),
            Err(fault)
                if m.fault_is(&fault, Type::GeneratorExit) || m.fault_is(&fault, Type::StopIteration) =>
            {
                Ok(Value::None)
            }
            Err(fault) => Err(fault),
        }
    }),
];

fn receiver(m: &mut Machine, args: &Args) -> R<ObjId> {
    match args.get(0).and_then(|g| m.generator_id(g)) {
        Some(id) => Ok(id),
        None => m.type_error("descriptor requires a 'generator' object"),
    }
}

fn thrown(m: &mut Machine, args: &Args) -> R<ObjId> {
    let kind = args.get(1).cloned().unwrap_or(Value::None);
    let made = match (m.as_class(&kind), args.get(2)) {
        (Some(_), Some(value)) if !value.is_none() => m.call1(&kind, value)?,
        (Some(_), _) => m.call_value(&kind, Args::default())?,
        _ => kind,
    };
    match m.is_exception(&made) {
        Some(id) => Ok(id),
        None => {
            let kind = m.type_name(&made);
            Err(Fault::Raise(m.new_exception(
                Type::TypeError.id(),
                vec![Value::from(format!(
                    "exceptions must be classes or instances deriving from BaseException, not {kind}"
                ))],
            )))
        }
    }
}
