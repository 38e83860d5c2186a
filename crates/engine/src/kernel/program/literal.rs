//! Constants as arrays of one value.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DurationMicrosecondArray,
    Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, IntervalYearMonthArray,
    StringArray, TimestampMicrosecondArray, new_null_array,
};
use tidemark_plan::Literal;

use crate::error::Result;
use crate::kernel::error::internal;

/// The constant as an array of length 1, carried as its type.
// tidy: table
pub(crate) fn literal_array(literal: &Literal) -> Result<ArrayRef> {
    Ok(match literal {
        Literal::Null(data_type) => new_null_array(&data_type.to_arrow(), 1),
        Literal::Boolean(v) => Arc::new(BooleanArray::from(vec![*v])),
        Literal::Byte(v) => Arc::new(Int8Array::from(vec![*v])),
        Literal::Short(v) => Arc::new(Int16Array::from(vec![*v])),
        Literal::Integer(v) => Arc::new(Int32Array::from(vec![*v])),
        Literal::Long(v) => Arc::new(Int64Array::from(vec![*v])),
        Literal::Float(v) => Arc::new(Float32Array::from(vec![*v])),
        Literal::Double(v) => Arc::new(Float64Array::from(vec![*v])),
        Literal::Decimal(v, precision, scale) => Arc::new(
            Decimal128Array::from(vec![*v]).with_precision_and_scale(*precision, *scale).map_err(internal)?,
        ),
        Literal::String(v) => Arc::new(StringArray::from(vec![v.as_str()])),
        Literal::Binary(v) => Arc::new(BinaryArray::from(vec![v.as_slice()])),
        Literal::Date(v) => Arc::new(Date32Array::from(vec![*v])),
        Literal::Timestamp(v) => Arc::new(TimestampMicrosecondArray::from(vec![*v]).with_timezone("UTC")),
        Literal::TimestampNtz(v) => Arc::new(TimestampMicrosecondArray::from(vec![*v])),
        Literal::DayTimeInterval(v) => Arc::new(DurationMicrosecondArray::from(vec![*v])),
        Literal::YearMonthInterval(v) => Arc::new(IntervalYearMonthArray::from(vec![*v])),
    })
}
