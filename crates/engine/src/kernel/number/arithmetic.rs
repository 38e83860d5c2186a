//! `+ - * / div %` over numbers, with Spark's ANSI errors.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, PrimitiveArray, new_null_array};
use arrow::datatypes::{
    ArrowNativeType, DataType as Arrow, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
};
use tidemark_types::DataType;

use crate::error::{Error, Result};
use crate::kernel::column::value::{Value, extent, nulls_of};
use crate::kernel::context::EvalContext;
use crate::kernel::error::{
    arithmetic_overflow, binary_overflow, divide_by_zero, remainder_by_zero, unsupported,
};
use crate::kernel::number::decimal;
use crate::kernel::time::interval;

/// An operator of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    IntegralDivide,
    Remainder,
}

impl Operation {
    /// The function that tolerates an overflow.
    pub(crate) fn tolerant(self) -> &'static str {
        match self {
            Operation::Add => "try_add",
            Operation::Subtract => "try_subtract",
            Operation::Multiply => "try_multiply",
            Operation::Divide | Operation::IntegralDivide => "try_divide",
            Operation::Remainder => "try_mod",
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            Operation::Add => "+",
            Operation::Subtract => "-",
            Operation::Multiply => "*",
            Operation::Divide => "/",
            Operation::IntegralDivide => "div",
            Operation::Remainder => "%",
        }
    }
}

/// An operator over two columns.
pub(crate) fn arithmetic(
    op: Operation,
    args: &[Value],
    types: &[DataType],
    out: &DataType,
    rows: usize,
    context: &EvalContext,
) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if types.contains(&DataType::Null) {
        return Ok(Value::of(new_null_array(&out.to_arrow(), rows), scalar));
    }
    let (left, right) = (&args[0], &args[1]);
    let array: ArrayRef = match (&types[0], &types[1]) {
        (l, r) if l.is_integral() && r.is_integral() && op == Operation::IntegralDivide => {
            integral_divide(&widen(left), &widen(right), rows)?
        }
        (DataType::Byte, DataType::Byte) => narrow::<Int8Type>(op, left, right, rows)?,
        (DataType::Short, DataType::Short) => narrow::<Int16Type>(op, left, right, rows)?,
        (DataType::Integer, DataType::Integer) => wide::<Int32Type>(op, left, right, rows)?,
        (DataType::Long, DataType::Long) => wide::<Int64Type>(op, left, right, rows)?,
        (DataType::Float, DataType::Float) => float::<Float32Type>(op, left, right, rows)?,
        (DataType::Double, DataType::Double) => float::<Float64Type>(op, left, right, rows)?,
        (DataType::Decimal(..), DataType::Decimal(..)) => {
            decimal::arithmetic(op, left, right, types, out, rows)?
        }
        (l, r) if !l.is_numeric() || !r.is_numeric() => {
            interval::arithmetic(op, args, types, out, rows, context)?
        }
        (l, r) => return Err(unsupported(format!("{} {} {}", l.sql(), op.symbol(), r.sql()))),
    };
    Ok(Value::of(array, scalar))
}

/// Applies a function to the pairs of two columns; `None` in a row where neither is null fails.
pub(crate) fn zip_checked<A, B, O>(
    left: &Value,
    right: &Value,
    rows: usize,
    apply: impl Fn(A::Native, B::Native) -> Option<O::Native>,
    fail: impl Fn(A::Native, B::Native) -> Error,
) -> Result<ArrayRef>
where
    A: ArrowPrimitiveType,
    B: ArrowPrimitiveType,
    O: ArrowPrimitiveType,
{
    let nulls = nulls_of(&[left, right], rows);
    let (a, b) = (left.view::<A>(), right.view::<B>());
    let mut out = Vec::with_capacity(rows);
    for row in 0..rows {
        match apply(a.get(row), b.get(row)) {
            Some(value) => out.push(value),
            None if nulls.as_ref().is_some_and(|n| n.is_null(row)) => out.push(O::Native::default()),
            None => return Err(fail(a.get(row), b.get(row))),
        }
    }
    Ok(Arc::new(PrimitiveArray::<O>::new(out.into(), nulls)))
}

/// Applies a function to the values of a column; `None` in a row that is not null fails.
pub(crate) fn map_checked<A, O>(
    value: &Value,
    apply: impl Fn(A::Native) -> Option<O::Native>,
    fail: impl Fn(A::Native) -> Error,
) -> Result<Value>
where
    A: ArrowPrimitiveType,
    O: ArrowPrimitiveType,
{
    let array = value.inner().as_primitive::<A>();
    let mut out = Vec::with_capacity(array.len());
    for (row, item) in array.values().iter().enumerate() {
        match apply(*item) {
            Some(made) => out.push(made),
            None if array.is_null(row) => out.push(O::Native::default()),
            None => return Err(fail(*item)),
        }
    }
    let made = PrimitiveArray::<O>::new(out.into(), array.nulls().cloned());
    Ok(Value::of(Arc::new(made), value.is_scalar()))
}

fn narrow<T>(op: Operation, left: &Value, right: &Value, rows: usize) -> Result<ArrayRef>
where
    T: ArrowPrimitiveType,
    T::Native: Into<i64> + TryFrom<i64>,
{
    let fail = |a: T::Native, b: T::Native| match op {
        Operation::Remainder => remainder_by_zero(),
        _ => binary_overflow(a.into(), op.symbol(), b.into(), op.tolerant()),
    };
    let apply = |a: T::Native, b: T::Native| {
        let (a, b): (i64, i64) = (a.into(), b.into());
        let exact = match op {
            Operation::Add => a + b,
            Operation::Subtract => a - b,
            Operation::Multiply => a * b,
            Operation::Remainder if b != 0 => a % b,
            Operation::Remainder | Operation::Divide | Operation::IntegralDivide => return None,
        };
        T::Native::try_from(exact).ok()
    };
    zip_checked::<T, T, T>(left, right, rows, apply, fail)
}

/// Integers of four and eight bytes.
trait Checked: ArrowNativeType {
    fn add(self, other: Self) -> Option<Self>;
    fn subtract(self, other: Self) -> Option<Self>;
    fn multiply(self, other: Self) -> Option<Self>;
    fn remainder(self, other: Self) -> Option<Self>;
}

macro_rules! checked {
    ($type:ty) => {
        impl Checked for $type {
            fn add(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }
            fn subtract(self, other: Self) -> Option<Self> {
                self.checked_sub(other)
            }
            fn multiply(self, other: Self) -> Option<Self> {
                self.checked_mul(other)
            }
            fn remainder(self, other: Self) -> Option<Self> {
                (other != 0).then(|| self.wrapping_rem(other))
            }
        }
    };
}
checked!(i32);
checked!(i64);

fn wide<T>(op: Operation, left: &Value, right: &Value, rows: usize) -> Result<ArrayRef>
where
    T: ArrowPrimitiveType,
    T::Native: Checked,
{
    let fail = |_, _| arithmetic_overflow("overflow", op.tolerant());
    match op {
        Operation::Add => zip_checked::<T, T, T>(left, right, rows, Checked::add, fail),
        Operation::Subtract => zip_checked::<T, T, T>(left, right, rows, Checked::subtract, fail),
        Operation::Multiply => zip_checked::<T, T, T>(left, right, rows, Checked::multiply, fail),
        Operation::Remainder => {
            zip_checked::<T, T, T>(left, right, rows, Checked::remainder, |_, _| remainder_by_zero())
        }
        Operation::Divide | Operation::IntegralDivide => Err(unsupported("/ of integers")),
    }
}

fn integral_divide(left: &Value, right: &Value, rows: usize) -> Result<ArrayRef> {
    let fail = |_, b: i64| match b {
        0 => divide_by_zero(),
        _ => arithmetic_overflow("Overflow in integral divide", "try_divide"),
    };
    zip_checked::<Int64Type, Int64Type, Int64Type>(left, right, rows, i64::checked_div, fail)
}

fn float<T>(op: Operation, left: &Value, right: &Value, rows: usize) -> Result<ArrayRef>
where
    T: ArrowPrimitiveType,
    T::Native: num_like::Float,
{
    use num_like::Float;
    let zero = T::Native::default();
    match op {
        Operation::Add => {
            zip_checked::<T, T, T>(left, right, rows, |a, b| Some(a.plus(b)), |_, _| divide_by_zero())
        }
        Operation::Subtract => {
            zip_checked::<T, T, T>(left, right, rows, |a, b| Some(a.minus(b)), |_, _| divide_by_zero())
        }
        Operation::Multiply => {
            zip_checked::<T, T, T>(left, right, rows, |a, b| Some(a.times(b)), |_, _| divide_by_zero())
        }
        Operation::Divide => zip_checked::<T, T, T>(
            left,
            right,
            rows,
            |a, b| (b != zero).then(|| a.over(b)),
            |_, _| divide_by_zero(),
        ),
        Operation::Remainder => zip_checked::<T, T, T>(
            left,
            right,
            rows,
            |a, b| (b != zero).then(|| a.modulo(b)),
            |_, _| remainder_by_zero(),
        ),
        Operation::IntegralDivide => Err(unsupported("div of doubles")),
    }
}

/// The four operators of floats under names of their own, so that one function serves both widths.
mod num_like {
    /// A float.
    pub(super) trait Float: Copy + PartialEq {
        fn plus(self, other: Self) -> Self;
        fn minus(self, other: Self) -> Self;
        fn times(self, other: Self) -> Self;
        fn over(self, other: Self) -> Self;
        fn modulo(self, other: Self) -> Self;
    }

    macro_rules! float {
        ($type:ty) => {
            impl Float for $type {
                fn plus(self, other: Self) -> Self {
                    self + other
                }
                fn minus(self, other: Self) -> Self {
                    self - other
                }
                fn times(self, other: Self) -> Self {
                    self * other
                }
                fn over(self, other: Self) -> Self {
                    self / other
                }
                fn modulo(self, other: Self) -> Self {
                    self % other
                }
            }
        };
    }
    float!(f32);
    float!(f64);
}

/// An integer column with eight bytes.
pub(crate) fn widen(value: &Value) -> Value {
    let array: ArrayRef = match value.inner().data_type() {
        Arrow::Int8 => Arc::new(value.inner().as_primitive::<Int8Type>().unary::<_, Int64Type>(i64::from)),
        Arrow::Int16 => Arc::new(value.inner().as_primitive::<Int16Type>().unary::<_, Int64Type>(i64::from)),
        Arrow::Int32 => Arc::new(value.inner().as_primitive::<Int32Type>().unary::<_, Int64Type>(i64::from)),
        _ => value.inner().clone(),
    };
    Value::of(array, value.is_scalar())
}

/// `-a`.
pub(crate) fn negate(value: &Value, data_type: &DataType) -> Result<Value> {
    let fail = || arithmetic_overflow("overflow", "");
    signed(value, data_type, SignChange::Negate, &fail)
}

/// `abs(a)`.
pub(crate) fn abs(value: &Value, data_type: &DataType) -> Result<Value> {
    let fail = || arithmetic_overflow("overflow", "");
    signed(value, data_type, SignChange::Abs, &fail)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SignChange {
    Negate,
    Abs,
}

// tidy: table
fn signed(
    value: &Value,
    data_type: &DataType,
    change: SignChange,
    fail: &dyn Fn() -> Error,
) -> Result<Value> {
    macro_rules! integers {
        ($type:ty) => {
            match change {
                SignChange::Negate => map_checked::<$type, $type>(value, |v| v.checked_neg(), |_| fail()),
                SignChange::Abs => map_checked::<$type, $type>(value, |v| v.checked_abs(), |_| fail()),
            }
        };
    }
    macro_rules! floats {
        ($type:ty) => {{
            let array = value.inner().as_primitive::<$type>();
            let made: PrimitiveArray<$type> = match change {
                SignChange::Negate => array.unary(|v| -v),
                SignChange::Abs => array.unary(|v| v.abs()),
            };
            Ok(Value::of(Arc::new(made), value.is_scalar()))
        }};
    }
    match data_type {
        DataType::Null => Ok(value.clone()),
        DataType::Byte => integers!(Int8Type),
        DataType::Short => integers!(Int16Type),
        DataType::Integer => integers!(Int32Type),
        DataType::Long => integers!(Int64Type),
        DataType::Float => floats!(Float32Type),
        DataType::Double => floats!(Float64Type),
        DataType::Decimal(precision, scale) => {
            decimal::signed(value, *precision, *scale, change == SignChange::Abs)
        }
        DataType::DayTimeInterval | DataType::YearMonthInterval => {
            interval::signed(value, data_type, change == SignChange::Abs)
        }
        other => Err(unsupported(format!("the sign of {}", other.sql()))),
    }
}
