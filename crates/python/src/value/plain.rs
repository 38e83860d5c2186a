//! Equality and hashes of values that need no Python code.

use num_bigint::BigInt;
use num_traits::{FromPrimitive as _, Signed as _, ToPrimitive as _};

use crate::value::dict::{hash_bytes, hash_str};
use crate::value::{Range, Value};

const MODULUS: u64 = (1 << 61) - 1;

/// Whether two values are the same object.
pub(crate) fn same(a: &Value, b: &Value) -> bool {
    use std::rc::Rc;
    match (a, b) {
        (Value::None, Value::None)
        | (Value::Ellipsis, Value::Ellipsis)
        | (Value::NotImplemented, Value::NotImplemented) => true,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        (Value::Int(x), Value::Int(y)) => x == y,
        (Value::Float(x), Value::Float(y)) => x.to_bits() == y.to_bits(),
        (Value::Str(x), Value::Str(y)) => Rc::ptr_eq(x, y) || (x.len() <= 1 && x == y),
        (Value::Bytes(x), Value::Bytes(y)) => Rc::ptr_eq(x, y),
        (Value::Tuple(x), Value::Tuple(y)) => Rc::ptr_eq(x, y) || (x.is_empty() && y.is_empty()),
        (Value::Big(x), Value::Big(y)) => Rc::ptr_eq(x, y),
        (Value::Range(x), Value::Range(y)) => Rc::ptr_eq(x, y),
        (Value::Slice(x), Value::Slice(y)) => Rc::ptr_eq(x, y),
        (Value::Obj(x), Value::Obj(y)) => x == y,
        (Value::Native(x), Value::Native(y)) => std::ptr::eq(x.0, y.0),
        (Value::Bound(x), Value::Bound(y)) => Rc::ptr_eq(x, y),
        (Value::HostFunction(x), Value::HostFunction(y)) => Rc::ptr_eq(x, y),
        (Value::Host(x), Value::Host(y)) => x == y,
        _ => false,
    }
}

/// Compares a float with an integer exactly.
pub(crate) fn float_eq_big(f: f64, i: &BigInt) -> bool {
    f.is_finite() && f.fract() == 0.0 && BigInt::from_f64(f).is_some_and(|b| b == *i)
}

/// Equality without Python code; `None` when it needs some.
pub(crate) fn plain_eq(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Str(x), Value::Str(y)) => Some(x == y),
        (Value::Int(x), Value::Int(y)) => Some(x == y),
        (Value::Obj(x), Value::Obj(y)) if x == y => Some(true),
        (Value::Obj(_) | Value::Host(_), _) | (_, Value::Obj(_) | Value::Host(_)) => {
            if same(a, b) {
                Some(true)
            } else {
                None
            }
        }
        (Value::Float(x), Value::Float(y)) => Some(x == y),
        (Value::Bool(_) | Value::Int(_), Value::Bool(_) | Value::Int(_)) => Some(a.as_int() == b.as_int()),
        (Value::Float(f), Value::Int(_) | Value::Bool(_)) => a_eq_int(*f, b.as_int().unwrap_or(0)),
        (Value::Int(_) | Value::Bool(_), Value::Float(f)) => a_eq_int(*f, a.as_int().unwrap_or(0)),
        (Value::Float(f), Value::Big(i)) | (Value::Big(i), Value::Float(f)) => Some(float_eq_big(*f, i)),
        (Value::Big(x), Value::Big(y)) => Some(x == y),
        (Value::Complex(r, i), Value::Complex(s, j)) => Some(r == s && i == j),
        (Value::Complex(r, i), Value::Float(f)) | (Value::Float(f), Value::Complex(r, i)) => {
            Some(r == f && *i == 0.0)
        }
        (Value::Bytes(x), Value::Bytes(y)) => Some(x == y),
        (Value::Tuple(x), Value::Tuple(y)) => tuples_eq(x, y),
        (Value::Range(x), Value::Range(y)) => Some(ranges_eq(x, y)),
        (Value::Slice(x), Value::Slice(y)) => tuples_eq(&x[..], &y[..]),
        (Value::Bound(x), Value::Bound(y)) => {
            Some(same(&x.function, &y.function) && same(&x.receiver, &y.receiver))
        }
        _ => Some(same(a, b)),
    }
}

fn a_eq_int(f: f64, i: i64) -> Option<bool> {
    Some(f == i as f64 && (i.unsigned_abs() < (1 << 53) || float_eq_big(f, &BigInt::from(i))))
}

fn tuples_eq(x: &[Value], y: &[Value]) -> Option<bool> {
    if x.len() != y.len() {
        return Some(false);
    }
    for (a, b) in x.iter().zip(y) {
        if same(a, b) {
            continue;
        }
        match plain_eq(a, b) {
            Some(true) => {}
            other => return other,
        }
    }
    Some(true)
}

fn ranges_eq(x: &Range, y: &Range) -> bool {
    let (n, m) = (x.len(), y.len());
    n == m && (n == 0 || (x.start == y.start && (n == 1 || x.step == y.step)))
}

impl Range {
    /// How many numbers it has.
    pub(crate) fn len(&self) -> i64 {
        let (start, stop, step) = (i128::from(self.start), i128::from(self.stop), i128::from(self.step));
        let n = if step > 0 { (stop - start + step - 1) / step } else { (start - stop - step - 1) / -step };
        n.clamp(0, i128::from(i64::MAX)) as i64
    }

    /// The number at an index within its length.
    pub(crate) fn at(&self, index: i64) -> i64 {
        self.start.wrapping_add(self.step.wrapping_mul(index))
    }

    /// Whether the number is in it.
    pub(crate) fn contains(&self, number: i64) -> bool {
        let inside = if self.step > 0 {
            number >= self.start && number < self.stop
        } else {
            number <= self.start && number > self.stop
        };
        inside && (i128::from(number) - i128::from(self.start)) % i128::from(self.step) == 0
    }
}

fn hash_int(i: i64) -> u64 {
    let rest = i.unsigned_abs() % MODULUS;
    if i < 0 { (rest as i64).wrapping_neg() as u64 } else { rest }
}

/// Python's hash of a float.
pub(crate) fn hash_float(f: f64) -> u64 {
    if f.is_nan() {
        return 0;
    }
    if f.is_infinite() {
        return if f > 0.0 { 314_159 } else { (-314_159i64) as u64 };
    }
    if f.fract() == 0.0 {
        if f.abs() < 9e18 {
            return hash_int(f as i64);
        }
        return BigInt::from_f64(f).map_or(0, |b| hash_big(&b));
    }
    let bits = f.abs().to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let (mantissa, shift) = if exponent == 0 {
        (bits & ((1 << 52) - 1), -1074)
    } else {
        ((bits & ((1 << 52) - 1)) | (1 << 52), exponent - 1075)
    };
    let power = shift.rem_euclid(61) as u32;
    let m = mantissa % MODULUS;
    let rotated = ((m << power) & MODULUS) | (m >> (61 - power));
    if f < 0.0 { (rotated as i64).wrapping_neg() as u64 } else { rotated }
}

fn hash_big(b: &BigInt) -> u64 {
    let rest = (b.abs() % MODULUS).to_u64().unwrap_or(0);
    if b.is_negative() { (rest as i64).wrapping_neg() as u64 } else { rest }
}

/// Joins hashes of items in order.
pub(crate) fn hash_join(hashes: impl Iterator<Item = u64>) -> u64 {
    let mut all: u64 = 0x27d4_eb2f_1656_67c5;
    for hash in hashes {
        all = all
            .wrapping_add(hash.wrapping_mul(0xc2b2_ae3d_27d4_eb4f))
            .rotate_left(31)
            .wrapping_mul(0x9e37_79b1_85eb_ca87);
    }
    all & 0x1fff_ffff_ffff_ffff
}

/// The hash of a value that needs no Python code; `None` when it needs some or has none.
pub(crate) fn plain_hash(value: &Value) -> Option<u64> {
    Some(match value {
        Value::Str(s) => hash_str(s),
        Value::Int(i) => hash_int(*i),
        Value::Bool(b) => u64::from(*b),
        Value::None => 0xfca8_6420,
        Value::Float(f) => hash_float(*f),
        Value::Complex(r, i) => hash_float(*r).wrapping_add(hash_float(*i).wrapping_mul(1_000_003)),
        Value::Big(b) => hash_big(b),
        Value::Bytes(b) => hash_bytes(b),
        Value::Tuple(items) => {
            let mut hashes = Vec::with_capacity(items.len());
            for item in items.iter() {
                hashes.push(plain_hash(item)?);
            }
            hash_join(hashes.into_iter())
        }
        Value::Range(r) => {
            let n = r.len();
            let step = if n < 2 { 0 } else { r.step };
            hash_join([n, if n == 0 { 0 } else { r.start }, step].into_iter().map(hash_int))
        }
        Value::Ellipsis => 11,
        Value::NotImplemented => 12,
        Value::Native(n) => hash_str(n.0.name) ^ hash_str(n.0.owner),
        Value::Bound(b) => plain_hash(&b.function)? ^ plain_hash(&b.receiver).unwrap_or(7),
        Value::HostFunction(_) => 13,
        Value::Slice(_) | Value::Obj(_) | Value::Host(_) => return None,
    })
}
