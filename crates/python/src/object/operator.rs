//! Operators: numbers, sequences, sets, and objects that define their own.

use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;
use num_traits::{FromPrimitive as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::compile::{BinOp, UnOp};
use crate::machine::quick_binary;
use crate::machine::{Machine, R};
use crate::value::{Body, Dict, ObjId, Type, Value, same};

/// Most bits of an integer that an operator makes.
const BITS_MAX: u64 = 4_000_000;
/// Longest sequence that repetition makes.
const REPEAT_MAX: usize = 50_000_000;

struct Names {
    method: &'static str,
    reflected: &'static str,
    in_place: &'static str,
    sign: &'static str,
}

fn names(op: BinOp) -> Names {
    let (method, reflected, in_place, sign) = match op {
        BinOp::Add => ("__add__", "__radd__", "__iadd__", "+"),
        BinOp::Sub => ("__sub__", "__rsub__", "__isub__", "-"),
        BinOp::Mul => ("__mul__", "__rmul__", "__imul__", "*"),
        BinOp::MatMul => ("__matmul__", "__rmatmul__", "__imatmul__", "@"),
        BinOp::Div => ("__truediv__", "__rtruediv__", "__itruediv__", "/"),
        BinOp::Mod => ("__mod__", "__rmod__", "__imod__", "%"),
        BinOp::Pow => ("__pow__", "__rpow__", "__ipow__", "** or pow()"),
        BinOp::LShift => ("__lshift__", "__rlshift__", "__ilshift__", "<<"),
        BinOp::RShift => ("__rshift__", "__rrshift__", "__irshift__", ">>"),
        BinOp::Or => ("__or__", "__ror__", "__ior__", "|"),
        BinOp::Xor => ("__xor__", "__rxor__", "__ixor__", "^"),
        BinOp::And => ("__and__", "__rand__", "__iand__", "&"),
        BinOp::FloorDiv => ("__floordiv__", "__rfloordiv__", "__ifloordiv__", "//"),
    };
    Names { method, reflected, in_place, sign }
}

/// An integer of any size.
pub(crate) fn as_big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Big(b) => Some((**b).clone()),
        other => other.as_int().map(BigInt::from),
    }
}

/// A number as a float.
pub(crate) fn as_float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(f) => Some(*f),
        Value::Big(b) => b.to_f64(),
        other => other.as_int().map(|i| i as f64),
    }
}

/// Python's `//` and `%` on floats.
pub(crate) fn float_divmod(a: f64, b: f64) -> (f64, f64) {
    let mut rest = libm_fmod(a, b);
    let mut quotient = (a - rest) / b;
    if rest != 0.0 {
        if (b < 0.0) != (rest < 0.0) {
            rest += b;
            quotient -= 1.0;
        }
    } else {
        rest = 0.0f64.copysign(b);
    }
    let floored = if quotient != 0.0 {
        let floor = quotient.floor();
        if quotient - floor > 0.5 { floor + 1.0 } else { floor }
    } else {
        0.0f64.copysign(a / b)
    };
    (floored, rest)
}

fn libm_fmod(a: f64, b: f64) -> f64 {
    a % b
}

impl Machine {
    /// `a op b`
    pub(crate) fn binary(&mut self, op: BinOp, a: &Value, b: &Value) -> R {
        if let Some(value) = quick_binary(op, a, b) {
            return Ok(value);
        }
        let names = names(op);
        if let Some(value) = self.binary_special(&names, a, b)? {
            return Ok(value);
        }
        if let Some(value) = self.plain_binary(op, a, b)? {
            return Ok(value);
        }
        self.unsupported(op, names.sign, a, b)
    }

    fn binary_special(&mut self, names: &Names, a: &Value, b: &Value) -> R<Option<Value>> {
        let first = self.special(a, names.method);
        let second = self.special(b, names.reflected);
        if first.is_none() && second.is_none() {
            return Ok(None);
        }
        let (class_a, class_b) = (self.class_of(a), self.class_of(b));
        let swap = second.is_some() && class_a != class_b && self.class_is(class_b, class_a);
        let mut tries = [(first, a, b), (second, b, a)];
        if swap {
            tries.reverse();
        }
        for (method, receiver, other) in tries {
            if let Some(method) = method.filter(|m| !m.is_none()) {
                let method = self.bind(&method, receiver)?;
                let result = self.call1(&method, other)?;
                if !matches!(result, Value::NotImplemented) {
                    return Ok(Some(result));
                }
            }
        }
        Ok(None)
    }

    fn unsupported(&mut self, op: BinOp, sign: &str, a: &Value, b: &Value) -> R {
        let (left, right) = (self.type_name(a), self.type_name(b));
        if op == BinOp::Add {
            match (&self.unboxed(a), self.body(a)) {
                (Value::Str(_), _) => {
                    return self.type_error(&format!("can only concatenate str (not \"{right}\") to str"));
                }
                (Value::Tuple(_), _) => {
                    return self
                        .type_error(&format!("can only concatenate tuple (not \"{right}\") to tuple"));
                }
                (Value::Bytes(_), _) => return self.type_error(&format!("can't concat {right} to bytes")),
                (_, Some(Body::List(_))) => {
                    return self.type_error(&format!("can only concatenate list (not \"{right}\") to list"));
                }
                _ => {}
            }
        }
        if op == BinOp::Mul {
            let sequence = |m: &Self, v: &Value| {
                matches!(m.unboxed(v), Value::Str(_) | Value::Tuple(_) | Value::Bytes(_))
                    || m.is_list(v).is_some()
            };
            if sequence(self, a) {
                return self.type_error(&format!("can't multiply sequence by non-int of type '{right}'"));
            }
            if sequence(self, b) {
                return self.type_error(&format!("can't multiply sequence by non-int of type '{left}'"));
            }
        }
        self.type_error(&format!("unsupported operand type(s) for {sign}: '{left}' and '{right}'"))
    }

    /// `a op= b`
    pub(crate) fn in_place(&mut self, op: BinOp, a: &Value, b: &Value) -> R {
        let names = names(op);
        if let Some(result) = self.call_special(a, names.in_place, std::slice::from_ref(b))?
            && !matches!(result, Value::NotImplemented)
        {
            return Ok(result);
        }
        if let Value::Obj(id) = a
            && self.in_place_body(op, *id, a, b)?
        {
            return Ok(a.clone());
        }
        if let Some(value) = quick_binary(op, a, b) {
            return Ok(value);
        }
        if let Some(value) = self.binary_special(&names, a, b)? {
            return Ok(value);
        }
        if let Some(value) = self.plain_binary(op, a, b)? {
            return Ok(value);
        }
        let sign = if op == BinOp::Pow { "**=".to_owned() } else { format!("{}=", names.sign) };
        self.unsupported(op, &sign, a, b)
    }

    /// Operators that change a list, dict, set or bytearray.
    fn in_place_body(&mut self, op: BinOp, id: ObjId, a: &Value, b: &Value) -> R<bool> {
        match (&self.heap.get(id).body, op) {
            (Body::List(_), BinOp::Add) => {
                let more = self.collect_items(b)?;
                self.list_mut(id).extend(more);
                Ok(true)
            }
            (Body::List(items), BinOp::Mul) => {
                let Some(times) = self.as_index(b) else { return Ok(false) };
                let items = self.repeat(&items.clone(), times)?;
                *self.list_mut(id) = items;
                Ok(true)
            }
            (Body::Dict(_), BinOp::Or) => {
                self.update_dict(a, &crate::machine::Args::new(vec![b.clone()]))?;
                Ok(true)
            }
            (Body::Set(_), BinOp::Or | BinOp::And | BinOp::Sub | BinOp::Xor) => {
                if self.set_like(b).is_none() {
                    return Ok(false);
                }
                let table = self.set_operation(op, a, b)?;
                if let Some(table) = table {
                    *self.dict_mut(id) = table;
                }
                Ok(true)
            }
            (Body::ByteArray(_), BinOp::Add) => {
                let Some(more) = self.as_bytes(b) else { return Ok(false) };
                if let Body::ByteArray(bytes) = &mut self.heap.get_mut(id).body {
                    bytes.extend_from_slice(&more);
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Operators of built-in types; `None` if they have none for these operands.
    pub(crate) fn plain_binary(&mut self, op: BinOp, a: &Value, b: &Value) -> R<Option<Value>> {
        let (x, y) = (self.unboxed(a), self.unboxed(b));
        if let Some(value) = self.number_binary(op, &x, &y)? {
            return Ok(Some(value));
        }
        match (op, &x, &y) {
            (BinOp::Add, Value::Str(m), Value::Str(n)) => {
                let mut text = String::with_capacity(m.len() + n.len());
                text.push_str(m);
                text.push_str(n);
                Ok(Some(Value::from(text)))
            }
            (BinOp::Add, Value::Tuple(m), Value::Tuple(n)) => {
                Ok(Some(Value::tuple(m.iter().chain(n.iter()).cloned().collect())))
            }
            (BinOp::Mod, Value::Str(format), _) => {
                let format = Rc::clone(format);
                self.percent(&format, b, false).map(|t| Some(Value::from(t)))
            }
            (BinOp::Mod, Value::Bytes(format), _) => {
                let text: String = format.iter().map(|b| *b as char).collect();
                let made = self.percent(&text, b, true)?;
                Ok(Some(Value::bytes(&made.chars().map(|c| c as u8).collect::<Vec<u8>>())))
            }
            (BinOp::Mul, _, _) => self.multiply_sequence(&x, &y),
            (BinOp::Add, Value::Bytes(_), _) | (BinOp::Add, _, Value::Bytes(_)) => {
                let (Some(m), Some(n)) = (self.as_bytes(&x), self.as_bytes(&y)) else { return Ok(None) };
                let joined = [&m[..], &n[..]].concat();
                Ok(Some(Value::bytes(&joined)))
            }
            (BinOp::Or, ..) if self.is_type_like(&x) && self.is_type_like(&y) => {
                self.union_of(&x, &y).map(Some)
            }
            (_, Value::Obj(m), _) => self.object_binary(op, *m, &x, &y),
            (_, _, Value::Obj(_)) if self.set_like(&x).is_some() => Ok(None),
            _ => Ok(None),
        }
    }

    fn object_binary(&mut self, op: BinOp, id: ObjId, x: &Value, y: &Value) -> R<Option<Value>> {
        match (&self.heap.get(id).body, op) {
            (Body::List(items), BinOp::Add) => {
                let Some(other) = self.is_list(y) else { return Ok(None) };
                let joined = items.iter().chain(self.list_items(other)).cloned().collect();
                Ok(Some(self.list(joined)))
            }
            (Body::ByteArray(bytes), BinOp::Add) => {
                let mut bytes = bytes.clone();
                let Some(more) = self.as_bytes(y) else { return Ok(None) };
                bytes.extend_from_slice(&more);
                Ok(Some(self.add(Type::ByteArray, Body::ByteArray(bytes))))
            }
            (Body::Dict(dict), BinOp::Or) => {
                let dict = dict.clone();
                if self.is_dict(y).is_none() {
                    return Ok(None);
                }
                let made = self.logged(|m| Ok(m.dict(dict)))?;
                self.update_display(&made, y)?;
                Ok(Some(made))
            }
            (
                Body::Set(_) | Body::FrozenSet(_) | Body::View(..),
                BinOp::Or | BinOp::And | BinOp::Sub | BinOp::Xor,
            ) => {
                let view = matches!(self.heap.get(id).body, Body::View(..));
                let other = if view { self.collect_items(y).ok() } else { self.set_like(y) };
                if other.is_none() || self.set_like(x).is_none() {
                    return Ok(None);
                }
                let frozen = self.is_frozen(id);
                let Some(table) = self.set_operation(op, x, y)? else { return Ok(None) };
                Ok(Some(if frozen {
                    self.add(Type::FrozenSet, Body::FrozenSet(table))
                } else {
                    self.set(table)
                }))
            }
            _ => Ok(None),
        }
    }

    /// Union, intersection, difference or symmetric difference.
    pub(crate) fn set_operation(&mut self, op: BinOp, a: &Value, b: &Value) -> R<Option<Dict>> {
        let Some(left) = self.set_like(a) else { return Ok(None) };
        let right = self.collect_items(b)?;
        let left_table = self.table_of(&left)?;
        let right_table = self.table_of(&right)?;
        let (l, r) = (self.set(left_table.clone()), self.set(right_table));
        let (Some(l), Some(r)) = (self.is_set(&l), self.is_set(&r)) else { return Ok(None) };
        let mut kept = Vec::new();
        for item in &left {
            let inside = self.table_has(r, item)?;
            let keep = match op {
                BinOp::Or => true,
                BinOp::And => inside,
                _ => !inside,
            };
            if keep {
                kept.push(item.clone());
            }
        }
        if matches!(op, BinOp::Or | BinOp::Xor) {
            for item in &right {
                if !self.table_has(l, item)? {
                    kept.push(item.clone());
                }
            }
        }
        self.table_of(&kept).map(Some)
    }

    fn repeat(&mut self, items: &[Value], times: i64) -> R<Vec<Value>> {
        let times = times.max(0) as usize;
        if items.len().saturating_mul(times) > REPEAT_MAX {
            return Err(crate::machine::Fault::Raise(self.new_exception(Type::MemoryError.id(), Vec::new())));
        }
        let mut all = Vec::with_capacity(items.len() * times);
        for _ in 0..times {
            all.extend_from_slice(items);
        }
        Ok(all)
    }

    fn multiply_sequence(&mut self, x: &Value, y: &Value) -> R<Option<Value>> {
        let (sequence, times) = match (self.as_index(x), self.as_index(y)) {
            (_, Some(times)) => (x, times),
            (Some(times), _) => (y, times),
            _ => return Ok(None),
        };
        let count = times.max(0) as usize;
        match sequence {
            Value::Str(text) if text.len().saturating_mul(count) <= REPEAT_MAX => {
                Ok(Some(Value::from(text.repeat(count))))
            }
            Value::Bytes(bytes) if bytes.len().saturating_mul(count) <= REPEAT_MAX => {
                Ok(Some(Value::bytes(&bytes.repeat(count))))
            }
            Value::Tuple(items) => self.repeat(&items.clone(), times).map(|i| Some(Value::tuple(i))),
            Value::Str(_) | Value::Bytes(_) => {
                Err(crate::machine::Fault::Raise(self.new_exception(Type::MemoryError.id(), Vec::new())))
            }
            other => match self.is_list(other) {
                Some(id) => {
                    let items = self.list_items(id).clone();
                    let items = self.repeat(&items, times)?;
                    Ok(Some(self.list(items)))
                }
                None => Ok(None),
            },
        }
    }

    fn number_binary(&mut self, op: BinOp, x: &Value, y: &Value) -> R<Option<Value>> {
        if let (Value::Bool(a), Value::Bool(b)) = (x, y) {
            match op {
                BinOp::And => return Ok(Some(Value::Bool(a & b))),
                BinOp::Or => return Ok(Some(Value::Bool(a | b))),
                BinOp::Xor => return Ok(Some(Value::Bool(a ^ b))),
                _ => {}
            }
        }
        let integers = matches!(x, Value::Int(_) | Value::Bool(_) | Value::Big(_))
            && matches!(y, Value::Int(_) | Value::Bool(_) | Value::Big(_));
        if integers {
            return self.int_binary(op, x, y).map(Some);
        }
        if matches!(x, Value::Complex(..)) || matches!(y, Value::Complex(..)) {
            return self.complex_binary(op, x, y);
        }
        match (as_float(x), as_float(y)) {
            (Some(a), Some(b)) => self.float_binary(op, a, b),
            _ => Ok(None),
        }
    }

    fn complex_binary(&mut self, op: BinOp, x: &Value, y: &Value) -> R<Option<Value>> {
        let parts = |v: &Value| match v {
            Value::Complex(r, i) => Some((*r, *i)),
            other => as_float(other).map(|f| (f, 0.0)),
        };
        let (Some((a, b)), Some((c, d))) = (parts(x), parts(y)) else { return Ok(None) };
        Ok(Some(match op {
            BinOp::Add => Value::Complex(a + c, b + d),
            BinOp::Sub => Value::Complex(a - c, b - d),
            BinOp::Mul => Value::Complex(a * c - b * d, a * d + b * c),
            BinOp::Div => {
                let n = c * c + d * d;
                if n == 0.0 {
                    return self.raise_error(Type::ZeroDivisionError, "complex division by zero");
                }
                Value::Complex((a * c + b * d) / n, (b * c - a * d) / n)
            }
            _ => return Ok(None),
        }))
    }

    fn float_binary(&mut self, op: BinOp, a: f64, b: f64) -> R<Option<Value>> {
        let zero = |m: &mut Self, text: &str| m.raise_error(Type::ZeroDivisionError, text);
        Ok(Some(Value::Float(match op {
            BinOp::Add => a + b,
            BinOp::Sub => a - b,
            BinOp::Mul => a * b,
            BinOp::Div if b == 0.0 => return zero(self, "float division by zero"),
            BinOp::Div => a / b,
            BinOp::FloorDiv if b == 0.0 => return zero(self, "float floor division by zero"),
            BinOp::FloorDiv => float_divmod(a, b).0,
            BinOp::Mod if b == 0.0 => return zero(self, "float modulo"),
            BinOp::Mod => float_divmod(a, b).1,
            BinOp::Pow => return self.float_pow(a, b).map(Some),
            _ => return Ok(None),
        })))
    }

    fn float_pow(&mut self, a: f64, b: f64) -> R {
        if a == 0.0 && b < 0.0 {
            return self.raise_error(Type::ZeroDivisionError, "0.0 cannot be raised to a negative power");
        }
        if a < 0.0 && a.is_finite() && b.is_finite() && b.fract() != 0.0 {
            let (size, angle) = (libm::pow(a.abs(), b), std::f64::consts::PI * b);
            return Ok(Value::Complex(size * libm::cos(angle), size * libm::sin(angle)));
        }
        let result = libm::pow(a, b);
        if result.is_infinite() && a.is_finite() && b.is_finite() {
            let id = self.new_exception(
                Type::OverflowError.id(),
                vec![Value::Int(34), Value::str("Numerical result out of range")],
            );
            return Err(crate::machine::Fault::Raise(id));
        }
        Ok(Value::Float(result))
    }

    fn int_binary(&mut self, op: BinOp, x: &Value, y: &Value) -> R {
        let (Some(a), Some(b)) = (as_big(x), as_big(y)) else { return Ok(Value::None) };
        let zero = b.is_zero();
        Ok(Value::big(match op {
            BinOp::Add => a + b,
            BinOp::Sub => a - b,
            BinOp::Mul => a * b,
            BinOp::Div => {
                if zero {
                    return self.raise_error(Type::ZeroDivisionError, "division by zero");
                }
                return self.int_true_div(&a, &b);
            }
            BinOp::FloorDiv if zero => {
                return self.raise_error(Type::ZeroDivisionError, "integer division or modulo by zero");
            }
            BinOp::Mod if zero => return self.raise_error(Type::ZeroDivisionError, "integer modulo by zero"),
            BinOp::FloorDiv => a.div_floor(&b),
            BinOp::Mod => a.mod_floor(&b),
            BinOp::Pow => return self.int_pow(&a, &b),
            BinOp::LShift | BinOp::RShift => {
                if b.is_negative() {
                    return self.value_error("negative shift count");
                }
                let Some(count) = b.to_u64().filter(|c| *c < BITS_MAX || op == BinOp::RShift) else {
                    return self.raise_error(Type::OverflowError, "too many digits in integer");
                };
                if op == BinOp::LShift {
                    a << count
                } else if count > a.bits() + 1 {
                    BigInt::from(if a.is_negative() { -1 } else { 0 })
                } else {
                    a >> count
                }
            }
            BinOp::Or => a | b,
            BinOp::Xor => a ^ b,
            BinOp::And => a & b,
            BinOp::MatMul => {
                let (left, right) = (self.type_name(x), self.type_name(y));
                return self
                    .type_error(&format!("unsupported operand type(s) for @: '{left}' and '{right}'"));
            }
        }))
    }

    fn int_true_div(&mut self, a: &BigInt, b: &BigInt) -> R {
        if let (Some(x), Some(y)) = (a.to_i64(), b.to_i64())
            && x.unsigned_abs() < (1 << 53)
            && y.unsigned_abs() < (1 << 53)
        {
            return Ok(Value::Float(x as f64 / y as f64));
        }
        let negative = (a.sign() == Sign::Minus) != (b.sign() == Sign::Minus);
        let (n, d) = (a.abs(), b.abs());
        // Scales so that the quotient has 55 bits and more, rounds by the rest, scales back.
        let shift = 66 - (n.bits() as i64 - d.bits() as i64);
        let (n, d) = if shift >= 0 { (n << shift, d) } else { (n, d << -shift) };
        let (mut quotient, rest) = n.div_rem(&d);
        if !rest.is_zero() && quotient.is_even() {
            quotient += 1;
        }
        let Some(size) = quotient.to_f64() else { return Ok(Value::Float(0.0)) };
        let scaled = ldexp(size, -shift);
        if scaled.is_infinite() {
            return self.raise_error(Type::OverflowError, "integer division result too large for a float");
        }
        Ok(Value::Float(if negative { -scaled } else { scaled }))
    }

    fn int_pow(&mut self, a: &BigInt, b: &BigInt) -> R {
        if b.is_negative() {
            if a.is_zero() {
                return self.raise_error(Type::ZeroDivisionError, "0.0 cannot be raised to a negative power");
            }
            let (x, y) = (a.to_f64().unwrap_or(f64::INFINITY), b.to_f64().unwrap_or(f64::NEG_INFINITY));
            return self.float_pow(x, y);
        }
        let small = a.bits() <= 1;
        let exponent = b.to_u32();
        match exponent {
            Some(e) if small || a.bits().saturating_mul(u64::from(e)) < BITS_MAX => Ok(Value::big(a.pow(e))),
            _ if small => Ok(Value::big(if b.is_even() { a * a } else { a.clone() })),
            _ => self.raise_error(Type::OverflowError, "too many digits in integer"),
        }
    }

    pub(crate) fn unary(&mut self, op: UnOp, value: &Value) -> R {
        let (name, sign) = match op {
            UnOp::Invert => ("__invert__", "~"),
            UnOp::Plus => ("__pos__", "+"),
            UnOp::Minus => ("__neg__", "-"),
        };
        if let Some(result) = self.call_special(value, name, &[])? {
            return Ok(result);
        }
        match (op, self.unboxed(value)) {
            (UnOp::Minus, Value::Int(i)) => {
                Ok(i.checked_neg().map_or_else(|| Value::big(-BigInt::from(i)), Value::Int))
            }
            (UnOp::Minus, Value::Float(f)) => Ok(Value::Float(-f)),
            (UnOp::Minus, Value::Complex(r, i)) => Ok(Value::Complex(-r, -i)),
            (UnOp::Plus, v @ (Value::Int(_) | Value::Float(_) | Value::Big(_) | Value::Complex(..))) => Ok(v),
            (_, v @ (Value::Bool(_) | Value::Big(_) | Value::Int(_))) => {
                let big = as_big(&v).unwrap_or_default();
                Ok(Value::big(match op {
                    UnOp::Invert => -big - 1,
                    UnOp::Plus => big,
                    UnOp::Minus => -big,
                }))
            }
            _ => {
                let kind = self.type_name(value);
                self.type_error(&format!("bad operand type for unary {sign}: '{kind}'"))
            }
        }
    }

    fn is_type_like(&self, value: &Value) -> bool {
        let class = self.class_of(value);
        value.is_none()
            || self.as_class(value).is_some()
            || class == Type::Union.id()
            || class == Type::GenericAlias.id()
    }

    /// `int | None`
    pub(crate) fn union_of(&mut self, x: &Value, y: &Value) -> R {
        let mut parts: Vec<Value> = Vec::new();
        for side in [x, y] {
            let members = if self.class_of(side) == Type::Union.id() {
                self.own_attribute(side, "__args__").and_then(|a| self.quick_items(&a)).unwrap_or_default()
            } else if side.is_none() {
                vec![Value::Obj(Type::NoneType.id())]
            } else {
                vec![side.clone()]
            };
            for member in members {
                if !parts.iter().any(|p| same(p, &member)) {
                    parts.push(member);
                }
            }
        }
        if let [one] = &parts[..] {
            return Ok(one.clone());
        }
        let union = self.add(Type::Union, Body::Instance);
        if let Value::Obj(id) = union {
            self.set_own_attribute(id, "__args__", Value::tuple(parts));
        }
        Ok(union)
    }

    /// `pow(a, b, modulus)`
    pub(crate) fn mod_pow(&mut self, a: &Value, b: &Value, modulus: &Value) -> R {
        let (Some(a), Some(mut b), Some(m)) = (as_big(a), as_big(b), as_big(modulus)) else {
            return self.type_error("pow() 3rd argument not allowed unless all arguments are integers");
        };
        if m.is_zero() {
            return self.value_error("pow() 3rd argument cannot be 0");
        }
        let mut base = a.mod_floor(&m);
        if b.is_negative() {
            let found = base.extended_gcd(&m);
            if found.gcd != BigInt::from(1) && found.gcd != BigInt::from(-1) {
                return self.value_error("base is not invertible for the given modulus");
            }
            base = found.x.mod_floor(&m);
            b = -b;
        }
        let positive = m.abs();
        Ok(Value::big(base.mod_floor(&positive).modpow(&b, &positive).mod_floor(&m)))
    }
}

/// `x * 2**e` without losing what is between.
pub(crate) fn ldexp(x: f64, e: i64) -> f64 {
    libm::ldexp(x, e.clamp(-5000, 5000) as i32)
}

/// A float as an integer, cut towards zero.
pub(crate) fn truncate(f: f64) -> Option<BigInt> {
    BigInt::from_f64(f.trunc())
}
