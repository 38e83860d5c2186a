//! A column in the middle of an expression: an array, or one value that stands for every row.

use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, Datum, PrimitiveArray, UInt32Array, new_null_array,
};
use arrow::buffer::NullBuffer;
use arrow::compute::take;

use crate::error::Result;
use crate::kernel::error::internal;

/// A column in the middle of an expression.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    array: ArrayRef,
    scalar: bool,
}

impl Value {
    /// One value for each row.
    pub(crate) fn array(array: ArrayRef) -> Self {
        Value { array, scalar: false }
    }

    /// One value for all rows; the array has length 1.
    pub(crate) fn scalar(array: ArrayRef) -> Self {
        assert_eq!(array.len(), 1, "a value for all rows is one value");
        Value { array, scalar: true }
    }

    /// A value that is an array of this many rows, or a scalar where every argument was one.
    pub(crate) fn of(array: ArrayRef, scalar: bool) -> Self {
        if scalar { Value::scalar(array) } else { Value::array(array) }
    }

    /// Whether one value stands for all rows.
    pub(crate) fn is_scalar(&self) -> bool {
        self.scalar
    }

    /// The array as it is: of length 1 for a scalar.
    pub(crate) fn inner(&self) -> &ArrayRef {
        &self.array
    }

    /// One value for each of `rows` rows.
    pub(crate) fn into_array(self, rows: usize) -> Result<ArrayRef> {
        if !self.scalar {
            return Ok(self.array);
        }
        if self.array.is_null(0) {
            return Ok(new_null_array(self.array.data_type(), rows));
        }
        let indices = UInt32Array::from(vec![0_u32; rows]);
        take(self.array.as_ref(), &indices, None).map_err(internal)
    }

    /// The values as a view that repeats a scalar.
    pub(crate) fn view<T: ArrowPrimitiveType>(&self) -> View<'_, T> {
        View { array: self.array.as_primitive::<T>(), scalar: self.scalar }
    }

    /// Whether row `index` is null.
    pub(crate) fn is_null(&self, index: usize) -> bool {
        self.array.is_null(self.at(index))
    }

    /// The place of row `index` in the inner array.
    pub(crate) fn at(&self, index: usize) -> usize {
        if self.scalar { 0 } else { index }
    }
}

impl Datum for Value {
    fn get(&self) -> (&dyn Array, bool) {
        (self.array.as_ref(), self.scalar)
    }
}

/// The values of a primitive column, a scalar repeated.
pub(crate) struct View<'a, T: ArrowPrimitiveType> {
    array: &'a PrimitiveArray<T>,
    scalar: bool,
}

impl<T: ArrowPrimitiveType> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ArrowPrimitiveType> Copy for View<'_, T> {}

impl<T: ArrowPrimitiveType> View<'_, T> {
    /// The value of a row, whatever its validity.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> T::Native {
        self.array.value(if self.scalar { 0 } else { index })
    }
}

/// The number of rows that these arguments have, and whether all are scalars (then 1 row).
pub(crate) fn extent(args: &[Value], rows: usize) -> (usize, bool) {
    let scalar = !args.is_empty() && args.iter().all(Value::is_scalar);
    (if scalar { 1 } else { rows }, scalar)
}

/// The rows in which no argument is null, over `rows` rows; `None` when none can be null.
pub(crate) fn nulls_of(args: &[&Value], rows: usize) -> Option<NullBuffer> {
    let mut out: Option<NullBuffer> = None;
    for arg in args {
        let nulls = match (arg.scalar, arg.array.logical_nulls()) {
            (_, None) => continue,
            (false, Some(nulls)) => nulls,
            (true, Some(nulls)) if nulls.is_null(0) => NullBuffer::new_null(rows),
            (true, Some(_)) => continue,
        };
        out = NullBuffer::union(out.as_ref(), Some(&nulls));
    }
    out
}
