//! Comparisons, membership, truth and length.

use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{FromPrimitive as _, ToPrimitive as _};

use crate::compile::CmpOp;
use crate::machine::quick_compare;
use crate::machine::{Args, Machine, R};
use crate::value::{Body, ObjId, Type, Value, ViewKind, plain_eq, same};

fn method_of(op: CmpOp) -> (&'static str, &'static str, &'static str) {
    match op {
        CmpOp::Eq => ("__eq__", "__eq__", "=="),
        CmpOp::Ne => ("__ne__", "__ne__", "!="),
        CmpOp::Lt => ("__lt__", "__gt__", "<"),
        CmpOp::Le => ("__le__", "__ge__", "<="),
        CmpOp::Gt => ("__gt__", "__lt__", ">"),
        CmpOp::Ge => ("__ge__", "__le__", ">="),
        CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => ("", "", ""),
    }
}

fn holds(op: CmpOp, order: Ordering) -> bool {
    match op {
        CmpOp::Lt => order.is_lt(),
        CmpOp::Le => order.is_le(),
        CmpOp::Gt => order.is_gt(),
        CmpOp::Ge => order.is_ge(),
        CmpOp::Eq => order.is_eq(),
        CmpOp::Ne => order.is_ne(),
        CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => false,
    }
}

/// The order of two numbers; `None` if one is not a number or not comparable.
pub(crate) fn number_order(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    let big = |v: &Value| match v {
        Value::Big(b) => Some((**b).clone()),
        other => other.as_int().map(BigInt::from),
    };
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => Some(x.partial_cmp(y)),
        (Value::Float(x), other) => {
            let y = big(other)?;
            Some(float_order(*x, &y))
        }
        (other, Value::Float(y)) => {
            let x = big(other)?;
            Some(float_order(*y, &x).map(Ordering::reverse))
        }
        _ => match (a.as_int(), b.as_int()) {
            (Some(x), Some(y)) => Some(Some(x.cmp(&y))),
            _ => Some(Some(big(a)?.cmp(&big(b)?))),
        },
    }
}

fn float_order(x: f64, y: &BigInt) -> Option<Ordering> {
    if x.is_nan() {
        return None;
    }
    if x.is_infinite() {
        return Some(if x > 0.0 { Ordering::Greater } else { Ordering::Less });
    }
    let floor = BigInt::from_f64(x.floor())?;
    Some(match floor.cmp(y) {
        Ordering::Equal if x.fract() != 0.0 => Ordering::Greater,
        other => other,
    })
}

impl Machine {
    pub(crate) fn compare(&mut self, op: CmpOp, a: &Value, b: &Value) -> R {
        match op {
            CmpOp::Is => return Ok(Value::Bool(same(a, b))),
            CmpOp::IsNot => return Ok(Value::Bool(!same(a, b))),
            CmpOp::In => return self.contains(b, a).map(Value::Bool),
            CmpOp::NotIn => return self.contains(b, a).map(|t| Value::Bool(!t)),
            _ => {}
        }
        if let Some(truth) = quick_compare(op, a, b) {
            return Ok(Value::Bool(truth));
        }
        let (name, reflected, sign) = method_of(op);
        let first = self.special(a, name);
        let second = self.special(b, reflected);
        let swap = second.is_some() && self.is_proper_subclass(b, a);
        let mut tries = [(first, a, b), (second, b, a)];
        if swap {
            tries.reverse();
        }
        for (method, receiver, other) in tries {
            if let Some(method) = method {
                let method = self.bind(&method, receiver)?;
                let result = self.call1(&method, other)?;
                if !matches!(result, Value::NotImplemented) {
                    return Ok(result);
                }
            }
        }
        if op == CmpOp::Ne && (self.special(a, "__eq__").is_some() || self.special(b, "__eq__").is_some()) {
            let equal = self.compare(CmpOp::Eq, a, b)?;
            return self.truth(&equal).map(|t| Value::Bool(!t));
        }
        match op {
            CmpOp::Eq => self.plain_equal(a, b).map(Value::Bool),
            CmpOp::Ne => self.plain_equal(a, b).map(|t| Value::Bool(!t)),
            _ => match self.plain_order(op, a, b)? {
                Some(truth) => Ok(Value::Bool(truth)),
                None => {
                    let (left, right) = (self.type_name(a), self.type_name(b));
                    self.type_error(&format!(
                        "'{sign}' not supported between instances of '{left}' and '{right}'"
                    ))
                }
            },
        }
    }

    fn is_proper_subclass(&self, value: &Value, of: &Value) -> bool {
        let (class, base) = (self.class_of(value), self.class_of(of));
        class != base && self.class_is(class, base)
    }

    /// Whether two values are the same or equal.
    pub(crate) fn eq(&mut self, a: &Value, b: &Value) -> R<bool> {
        if same(a, b) {
            return Ok(true);
        }
        let simple =
            !matches!(a, Value::Obj(_) | Value::Host(_)) && !matches!(b, Value::Obj(_) | Value::Host(_));
        if simple && let Some(truth) = plain_eq(a, b) {
            return Ok(truth);
        }
        self.nested(|m| {
            let result = m.compare(CmpOp::Eq, a, b)?;
            m.truth(&result)
        })
    }

    /// Equality of built-in bodies.
    pub(crate) fn plain_equal(&mut self, a: &Value, b: &Value) -> R<bool> {
        if let Some(truth) = plain_eq(a, b) {
            return Ok(truth);
        }
        let (x, y) = (self.unboxed(a), self.unboxed(b));
        match (&x, &y) {
            (Value::Tuple(m), Value::Tuple(n)) => self.items_equal(&m.clone(), &n.clone()),
            (Value::Slice(m), Value::Slice(n)) => self.items_equal(&m[..], &n[..]),
            (Value::Obj(m), Value::Obj(n)) => self.bodies_equal(*m, *n),
            (Value::Obj(m), Value::Bytes(n)) | (Value::Bytes(n), Value::Obj(m)) => {
                Ok(matches!(&self.heap.get(*m).body, Body::ByteArray(b) if **b == **n))
            }
            (Value::Obj(_) | Value::Host(_), _) | (_, Value::Obj(_) | Value::Host(_)) => Ok(same(&x, &y)),
            _ => Ok(plain_eq(&x, &y).unwrap_or(false)),
        }
    }

    fn items_equal(&mut self, a: &[Value], b: &[Value]) -> R<bool> {
        if a.len() != b.len() {
            return Ok(false);
        }
        for (x, y) in a.iter().zip(b) {
            if !self.eq(x, y)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn bodies_equal(&mut self, a: ObjId, b: ObjId) -> R<bool> {
        if a == b {
            return Ok(true);
        }
        match (&self.heap.get(a).body, &self.heap.get(b).body) {
            (Body::List(x), Body::List(y)) => {
                if x.len() != y.len() {
                    return Ok(false);
                }
                let (x, y) = (x.clone(), y.clone());
                self.items_equal(&x, &y)
            }
            (Body::Dict(x), Body::Dict(y)) => {
                if x.len() != y.len() {
                    return Ok(false);
                }
                for (key, value) in x.clone().iter() {
                    match self.table_get(b, key)? {
                        Some(other) if self.eq(value, &other)? => {}
                        _ => return Ok(false),
                    }
                }
                Ok(true)
            }
            (Body::Set(x) | Body::FrozenSet(x), Body::Set(y) | Body::FrozenSet(y)) => {
                if x.len() != y.len() {
                    return Ok(false);
                }
                self.table_within(a, b)
            }
            (Body::ByteArray(x), Body::ByteArray(y)) => Ok(x == y),
            (Body::View(..), _) | (_, Body::View(..)) => {
                let (Some(x), Some(y)) = (self.set_like(&Value::Obj(a)), self.set_like(&Value::Obj(b)))
                else {
                    return Ok(false);
                };
                let (x, y) = (self.table_of(&x)?, self.table_of(&y)?);
                let (x, y) = (self.set(x), self.set(y));
                self.plain_equal(&x, &y)
            }
            (Body::Instance, Body::Instance)
                if self.heap.get(a).class == self.heap.get(b).class
                    && (self.heap.get(a).class == Type::GenericAlias.id()
                        || self.heap.get(a).class == Type::Union.id()) =>
            {
                let (x, y) = (self.repr(&Value::Obj(a))?, self.repr(&Value::Obj(b))?);
                Ok(x == y)
            }
            _ => Ok(false),
        }
    }

    /// Items of a set, or of a view that acts as one.
    pub(crate) fn set_like(&self, value: &Value) -> Option<Vec<Value>> {
        match self.body(value)? {
            Body::Set(d) | Body::FrozenSet(d) => Some(d.keys().cloned().collect()),
            Body::View(dict, kind) if *kind != ViewKind::Values => Some(self.view_items(*dict, *kind)),
            _ => None,
        }
    }

    /// Whether all keys of a table are in another.
    pub(crate) fn table_within(&mut self, a: ObjId, b: ObjId) -> R<bool> {
        for key in self.dict_of(a).keys().cloned().collect::<Vec<_>>() {
            if !self.table_has(b, &key)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn plain_order(&mut self, op: CmpOp, a: &Value, b: &Value) -> R<Option<bool>> {
        let (x, y) = (self.unboxed(a), self.unboxed(b));
        if let Some(order) = number_order(&x, &y) {
            return Ok(Some(order.is_some_and(|o| holds(op, o))));
        }
        match (&x, &y) {
            (Value::Str(m), Value::Str(n)) => return Ok(Some(holds(op, m.cmp(n)))),
            (Value::Bytes(m), Value::Bytes(n)) => return Ok(Some(holds(op, m.cmp(n)))),
            (Value::Tuple(m), Value::Tuple(n)) => {
                return self.items_order(op, &m.clone(), &n.clone()).map(Some);
            }
            _ => {}
        }
        if let (Some(m), Some(n)) = (self.is_list(&x), self.is_list(&y)) {
            let (m, n) = (self.list_items(m).clone(), self.list_items(n).clone());
            return self.items_order(op, &m, &n).map(Some);
        }
        if let (Some(m), Some(n)) = (self.set_like(&x), self.set_like(&y)) {
            let (small, large, strict) = match op {
                CmpOp::Lt => (m, n, true),
                CmpOp::Le => (m, n, false),
                CmpOp::Gt => (n, m, true),
                _ => (n, m, false),
            };
            let (small, large) = (self.table_of(&small)?, self.table_of(&large)?);
            let fits = if strict { small.len() < large.len() } else { small.len() <= large.len() };
            let (small, large) = (self.set(small), self.set(large));
            let (Some(s), Some(l)) = (self.is_set(&small), self.is_set(&large)) else { return Ok(None) };
            return Ok(Some(fits && self.table_within(s, l)?));
        }
        Ok(None)
    }

    fn items_order(&mut self, op: CmpOp, a: &[Value], b: &[Value]) -> R<bool> {
        for (x, y) in a.iter().zip(b) {
            if !self.eq(x, y)? {
                let result = self.compare(op, x, y)?;
                return self.truth(&result);
            }
        }
        Ok(holds(op, a.len().cmp(&b.len())))
    }

    /// `a < b`
    pub(crate) fn less(&mut self, a: &Value, b: &Value) -> R<bool> {
        let result = self.compare(CmpOp::Lt, a, b)?;
        self.truth(&result)
    }

    /// `item in container`
    pub(crate) fn contains(&mut self, container: &Value, item: &Value) -> R<bool> {
        if let Some(answer) = self.call_special(container, "__contains__", std::slice::from_ref(item))? {
            return self.truth(&answer);
        }
        self.plain_contains(container, item)
    }

    pub(crate) fn plain_contains(&mut self, container: &Value, item: &Value) -> R<bool> {
        match &self.unboxed(container) {
            Value::Str(text) => match self.as_text(item) {
                Some(part) => return Ok(text.contains(&*part)),
                None => {
                    let kind = self.type_name(item);
                    return self
                        .type_error(&format!("'in <string>' requires string as left operand, not {kind}"));
                }
            },
            Value::Bytes(bytes) => return self.bytes_contain(bytes, item),
            Value::Range(range) => {
                return match item {
                    Value::Float(f) if f.fract() == 0.0 => Ok(range.contains(*f as i64)),
                    other => Ok(other.as_int().is_some_and(|i| range.contains(i))),
                };
            }
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::Dict(_) | Body::Set(_) | Body::FrozenSet(_) => {
                    if self.is_dict(container).is_none()
                        && let Some(other) = self.is_set(item)
                        && !self.is_frozen(other)
                    {
                        let frozen = Body::FrozenSet(self.dict_of(other).clone());
                        let frozen = self.add(Type::FrozenSet, frozen);
                        return self.table_has(*id, &frozen);
                    }
                    return self.table_has(*id, item);
                }
                Body::ByteArray(bytes) => {
                    let bytes: Rc<[u8]> = Rc::from(bytes.as_slice());
                    return self.bytes_contain(&bytes, item);
                }
                Body::View(dict, ViewKind::Keys) => {
                    let dict = *dict;
                    return self.table_has(dict, item);
                }
                _ => {}
            },
            _ => {}
        }
        if let Some(items) = self.quick_items(container) {
            for candidate in items {
                if self.eq(&candidate, item)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let iterable = self.is_iterator(container)
            || self.special(container, "__iter__").is_some()
            || self.special(container, "__getitem__").is_some();
        if !iterable {
            let kind = self.type_name(container);
            return self.type_error(&format!("argument of type '{kind}' is not iterable"));
        }
        let search = self.core("search");
        let answer = self.call_value(&search, Args::new(vec![container.clone(), item.clone()]))?;
        Ok(matches!(answer, Value::Bool(true)))
    }

    fn bytes_contain(&mut self, bytes: &[u8], item: &Value) -> R<bool> {
        if let Some(byte) = self.as_index(item) {
            return Ok(bytes.iter().any(|b| i64::from(*b) == byte));
        }
        match self.as_bytes(item) {
            Some(part) => Ok(part.is_empty() || bytes.windows(part.len()).any(|w| *w == *part)),
            None => {
                let kind = self.type_name(item);
                self.type_error(&format!("a bytes-like object is required, not '{kind}'"))
            }
        }
    }

    /// Truth that needs no code.
    pub(crate) fn quick_truth(&self, value: &Value) -> Option<bool> {
        match value {
            Value::None => Some(false),
            Value::Bool(b) => Some(*b),
            Value::Int(i) => Some(*i != 0),
            Value::Float(f) => Some(*f != 0.0),
            Value::Complex(r, i) => Some(*r != 0.0 || *i != 0.0),
            Value::Str(s) => Some(!s.is_empty()),
            Value::Bytes(b) => Some(!b.is_empty()),
            Value::Tuple(t) => Some(!t.is_empty()),
            Value::Range(r) => Some(r.len() > 0),
            Value::Big(b) => Some(b.to_i8() != Some(0)),
            Value::Host(object) => {
                let special =
                    ["__bool__", "__len__"].iter().any(|n| self.host.member(object.class, n).is_some());
                if special { None } else { Some(true) }
            }
            Value::Obj(id) => {
                if self.special(value, "__bool__").is_some() || self.special(value, "__len__").is_some() {
                    return None;
                }
                Some(match &self.heap.get(*id).body {
                    Body::List(items) => !items.is_empty(),
                    Body::Dict(d) | Body::Set(d) | Body::FrozenSet(d) => !d.is_empty(),
                    Body::ByteArray(b) => !b.is_empty(),
                    Body::Boxed(inner) => self.quick_truth(inner)?,
                    Body::View(dict, _) => !self.dict_of(*dict).is_empty(),
                    _ => true,
                })
            }
            _ => Some(true),
        }
    }

    /// `bool(value)`
    pub(crate) fn truth(&mut self, value: &Value) -> R<bool> {
        if let Some(truth) = self.quick_truth(value) {
            return Ok(truth);
        }
        if let Some(answer) = self.call_special(value, "__bool__", &[])? {
            return match answer {
                Value::Bool(truth) => Ok(truth),
                other => {
                    let kind = self.type_name(&other);
                    self.type_error(&format!("__bool__ should return bool, returned {kind}"))
                }
            };
        }
        Ok(self.length(value)? != 0)
    }

    /// `len(value)`
    pub(crate) fn length(&mut self, value: &Value) -> R<usize> {
        if let Some(answer) = self.call_special(value, "__len__", &[])? {
            return match self.as_index(&answer) {
                Some(n) if n >= 0 => Ok(n as usize),
                Some(_) => self.value_error("__len__() should return >= 0"),
                None => {
                    let kind = self.type_name(&answer);
                    self.type_error(&format!("'{kind}' object cannot be interpreted as an integer"))
                }
            };
        }
        self.plain_length(value)
    }

    pub(crate) fn plain_length(&mut self, value: &Value) -> R<usize> {
        let found = match &self.unboxed(value) {
            Value::Str(s) => Some(if s.is_ascii() { s.len() } else { s.chars().count() }),
            Value::Bytes(b) => Some(b.len()),
            Value::Tuple(t) => Some(t.len()),
            Value::Range(r) => Some(r.len() as usize),
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::List(items) => Some(items.len()),
                Body::Dict(d) | Body::Set(d) | Body::FrozenSet(d) => Some(d.len()),
                Body::ByteArray(b) => Some(b.len()),
                Body::View(dict, _) => Some(self.dict_of(*dict).len()),
                _ => None,
            },
            _ => None,
        };
        match found {
            Some(n) => Ok(n),
            None => {
                let kind = self.type_name(value);
                self.type_error(&format!("object of type '{kind}' has no len()"))
            }
        }
    }
}
