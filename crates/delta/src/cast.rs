//! The few changes of type that files of a table need: numbers widened, texts and bytes in another layout, other units
//! of time. A general cast of all types to all others would be a good part of the download.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray as _, BinaryArray, Date32Array, Decimal128Array, Float32Array, Float64Array,
    Int8Array, Int16Array, Int32Array, Int64Array, StringArray, TimestampMicrosecondArray, new_null_array,
};
use arrow::compute::take;
use arrow::datatypes::{
    DataType as Arrow, Date32Type, Decimal128Type, DecimalType as _, DurationMicrosecondType, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, IntervalYearMonthType, TimeUnit,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow::error::ArrowError;

const MICROS_OF_A_DAY: i64 = 86_400_000_000;

/// The values as another type.
///
/// Errors: a value that does not fit, or a pair of types that no file of a table needs.
// tidy: table
pub(crate) fn cast(array: &ArrayRef, to: &Arrow) -> Result<ArrayRef, ArrowError> {
    let from = array.data_type();
    if from == to {
        return Ok(array.clone());
    }
    if let Arrow::Dictionary(..) = from {
        let dictionary = array.as_any_dictionary();
        let keys = cast(&dictionary.keys().slice(0, array.len()), &Arrow::Int64)?;
        return cast(&take(dictionary.values(), &keys, None)?, to);
    }
    let none = || ArrowError::CastError(format!("Casting from {from} to {to} not supported"));
    let made: ArrayRef = match (from, to) {
        (Arrow::Null, _) => new_null_array(to, array.len()),
        (_, Arrow::Int8 | Arrow::Int16 | Arrow::Int32 | Arrow::Int64) => {
            whole(integers(array).ok_or_else(none)?, to)?
        }
        (_, Arrow::Float64) => Arc::new(Float64Array::from(floats(array).ok_or_else(none)?)),
        (_, Arrow::Float32) => {
            let values = floats(array).ok_or_else(none)?;
            Arc::new(values.into_iter().map(|v| v.map(|v| v as f32)).collect::<Float32Array>())
        }
        (Arrow::Decimal128(_, scale), Arrow::Decimal128(precision, wanted)) => {
            let values = array.as_primitive::<Decimal128Type>().iter().collect();
            decimals(values, *scale, *precision, *wanted)?
        }
        (Arrow::Float32 | Arrow::Float64, Arrow::Decimal128(precision, wanted)) => {
            let power = 10_f64.powi(i32::from(*wanted));
            let values = floats(array).ok_or_else(none)?.into_iter();
            let values =
                values.map(|v| v.map(|v| (v * power).round()).filter(|v| v.abs() < 1e38).map(|v| v as i128));
            decimals(values.collect(), *wanted, *precision, *wanted)?
        }
        (_, Arrow::Decimal128(precision, wanted)) => {
            let values = integers(array).ok_or_else(none)?;
            decimals(values.into_iter().map(|v| v.map(i128::from)).collect(), 0, *precision, *wanted)?
        }
        (Arrow::LargeUtf8, Arrow::Utf8) => Arc::new(array.as_string::<i64>().iter().collect::<StringArray>()),
        (Arrow::Utf8View, Arrow::Utf8) => Arc::new(array.as_string_view().iter().collect::<StringArray>()),
        (_, Arrow::Utf8) => {
            let bytes = bytes(array).ok_or_else(none)?;
            let texts = bytes.into_iter().map(|bytes| bytes.map(std::str::from_utf8).transpose());
            let texts = texts.collect::<Result<Vec<_>, _>>();
            Arc::new(StringArray::from(texts.map_err(|e| ArrowError::CastError(e.to_string()))?))
        }
        (_, Arrow::Binary) => Arc::new(bytes(array).ok_or_else(none)?.into_iter().collect::<BinaryArray>()),
        (_, Arrow::Timestamp(TimeUnit::Microsecond, zone)) => {
            let micros = micros(array).ok_or_else(none)?;
            Arc::new(TimestampMicrosecondArray::from(micros).with_timezone_opt(zone.clone()))
        }
        (Arrow::Timestamp(..), Arrow::Date32) => {
            let days =
                |micros: Option<i64>| micros.and_then(|m| i32::try_from(m.div_euclid(MICROS_OF_A_DAY)).ok());
            Arc::new(micros(array).ok_or_else(none)?.into_iter().map(days).collect::<Date32Array>())
        }
        _ => return Err(none()),
    };
    // What has become null on the way did not fit.
    if *from != Arrow::Null && made.null_count() != array.null_count() {
        return Err(ArrowError::CastError(format!("a value of {from} does not fit into {to}")));
    }
    Ok(made)
}

/// Whole numbers of any width, and the numbers that intervals are kept as.
// tidy: table
fn integers(array: &ArrayRef) -> Option<Vec<Option<i64>>> {
    macro_rules! wide {
        ($kind:ty) => {
            array.as_primitive::<$kind>().iter().map(|v| v.map(i64::from)).collect()
        };
    }
    Some(match array.data_type() {
        Arrow::Int8 => wide!(Int8Type),
        Arrow::Int16 => wide!(Int16Type),
        Arrow::Int32 => wide!(Int32Type),
        Arrow::Int64 => wide!(Int64Type),
        Arrow::UInt8 => wide!(UInt8Type),
        Arrow::UInt16 => wide!(UInt16Type),
        Arrow::UInt32 => wide!(UInt32Type),
        Arrow::UInt64 => {
            array.as_primitive::<UInt64Type>().iter().map(|v| v.and_then(|v| i64::try_from(v).ok())).collect()
        }
        // A fraction is cut off; what has no whole number so large becomes null, and is refused.
        Arrow::Float32 | Arrow::Float64 => {
            let cut = |v: f64| (v.trunc().abs() < 9.3e18).then_some(v.trunc() as i64);
            floats(array)?.into_iter().map(|v| v.and_then(cut)).collect()
        }
        Arrow::Decimal128(_, scale) => {
            let power = 10_i128.checked_pow(u32::try_from(*scale).ok()?)?;
            let whole = |v: i128| i64::try_from(v / power).ok();
            array.as_primitive::<Decimal128Type>().iter().map(|v| v.and_then(whole)).collect()
        }
        Arrow::Interval(_) => {
            array.as_primitive_opt::<IntervalYearMonthType>()?.iter().map(|v| v.map(i64::from)).collect()
        }
        Arrow::Duration(_) => array.as_primitive_opt::<DurationMicrosecondType>()?.iter().collect(),
        _ => return None,
    })
}

/// Numbers of any kind as floats.
fn floats(array: &ArrayRef) -> Option<Vec<Option<f64>>> {
    Some(match array.data_type() {
        Arrow::Float32 => array.as_primitive::<Float32Type>().iter().map(|v| v.map(f64::from)).collect(),
        Arrow::Float64 => array.as_primitive::<Float64Type>().iter().collect(),
        Arrow::Decimal128(_, scale) => {
            let power = 10_f64.powi(i32::from(*scale));
            array.as_primitive::<Decimal128Type>().iter().map(|v| v.map(|v| v as f64 / power)).collect()
        }
        _ => integers(array)?.into_iter().map(|v| v.map(|v| v as f64)).collect(),
    })
}

fn whole(values: Vec<Option<i64>>, to: &Arrow) -> Result<ArrayRef, ArrowError> {
    fn narrow<T: TryFrom<i64>>(values: Vec<Option<i64>>, to: &Arrow) -> Result<Vec<Option<T>>, ArrowError> {
        let fit = |value: i64| {
            T::try_from(value)
                .map_err(|_| ArrowError::CastError(format!("Can't cast value {value} to type {to}")))
        };
        values.into_iter().map(|value| value.map(fit).transpose()).collect()
    }
    Ok(match to {
        Arrow::Int8 => Arc::new(Int8Array::from(narrow::<i8>(values, to)?)),
        Arrow::Int16 => Arc::new(Int16Array::from(narrow::<i16>(values, to)?)),
        Arrow::Int32 => Arc::new(Int32Array::from(narrow::<i32>(values, to)?)),
        _ => Arc::new(Int64Array::from(values)),
    })
}

/// Decimals of another scale; digits that go are rounded, a half away from zero.
pub(crate) fn decimals(
    values: Vec<Option<i128>>,
    scale: i8,
    precision: u8,
    wanted: i8,
) -> Result<ArrayRef, ArrowError> {
    let refused = |value: i128| {
        ArrowError::CastError(format!(
            "Cannot cast {value} of scale {scale} to decimal({precision},{wanted})"
        ))
    };
    let power = 10_i128.checked_pow(u32::from(wanted.abs_diff(scale)));
    let fit = |value: i128| {
        let power = power.ok_or_else(|| refused(value))?;
        let scaled = if wanted >= scale {
            value.checked_mul(power)
        } else {
            {
                let (whole, rest) = (value / power, (value % power).abs());
                Some(if rest * 2 >= power { whole + value.signum() } else { whole })
            }
        };
        scaled
            .filter(|scaled| Decimal128Type::validate_decimal_precision(*scaled, precision, wanted).is_ok())
            .ok_or_else(|| refused(value))
    };
    let values: Vec<Option<i128>> =
        values.into_iter().map(|value| value.map(fit).transpose()).collect::<Result<_, _>>()?;
    Ok(Arc::new(Decimal128Array::from(values).with_precision_and_scale(precision, wanted)?))
}

/// Bytes in any layout.
fn bytes(array: &ArrayRef) -> Option<Vec<Option<&[u8]>>> {
    Some(match array.data_type() {
        Arrow::Binary => array.as_binary::<i32>().iter().collect(),
        Arrow::LargeBinary => array.as_binary::<i64>().iter().collect(),
        Arrow::BinaryView => array.as_binary_view().iter().collect(),
        Arrow::FixedSizeBinary(_) => array.as_fixed_size_binary().iter().collect(),
        Arrow::Utf8 => array.as_string::<i32>().iter().map(|v| v.map(str::as_bytes)).collect(),
        Arrow::LargeUtf8 => array.as_string::<i64>().iter().map(|v| v.map(str::as_bytes)).collect(),
        Arrow::Utf8View => array.as_string_view().iter().map(|v| v.map(str::as_bytes)).collect(),
        _ => return None,
    })
}

/// Times of any unit in microseconds; null for a time that is too far away.
fn micros(array: &ArrayRef) -> Option<Vec<Option<i64>>> {
    Some(match array.data_type() {
        Arrow::Timestamp(TimeUnit::Second, _) => {
            array.as_primitive::<TimestampSecondType>().iter().map(|v| v?.checked_mul(1_000_000)).collect()
        }
        Arrow::Timestamp(TimeUnit::Millisecond, _) => {
            array.as_primitive::<TimestampMillisecondType>().iter().map(|v| v?.checked_mul(1_000)).collect()
        }
        Arrow::Timestamp(TimeUnit::Microsecond, _) => {
            array.as_primitive::<TimestampMicrosecondType>().iter().collect()
        }
        Arrow::Timestamp(TimeUnit::Nanosecond, _) => array
            .as_primitive::<TimestampNanosecondType>()
            .iter()
            .map(|v| v.map(|v| v.div_euclid(1_000)))
            .collect(),
        Arrow::Date32 => {
            array.as_primitive::<Date32Type>().iter().map(|v| Some(i64::from(v?) * MICROS_OF_A_DAY)).collect()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use arrow::array::{Date32Array, LargeStringArray, TimestampNanosecondArray};

    use super::*;

    #[test]
    fn what_fits_is_kept_and_what_does_not_is_refused() {
        let int = |value: i64| Arc::new(Int64Array::from(vec![Some(value), None])) as ArrayRef;
        let double = |value: f64| Arc::new(Float64Array::from(vec![value])) as ArrayRef;
        let cents = Arc::new(
            Decimal128Array::from(vec![-1250])
                .with_precision_and_scale(10, 2)
                .expect("ten digits, two of them behind"),
        ) as ArrayRef;
        let micros = Arrow::Timestamp(TimeUnit::Microsecond, None);
        for (array, to, text) in [
            (int(7), Arrow::Int8, Some("7")),
            (int(300), Arrow::Int8, None),
            (int(7), Arrow::Float64, Some("7.0")),
            (int(7), Arrow::Decimal128(5, 2), Some("700")),
            (int(7000), Arrow::Decimal128(5, 2), None),
            (double(2.9), Arrow::Int32, Some("2")),
            (double(f64::NAN), Arrow::Int32, None),
            (double(2.345), Arrow::Decimal128(5, 2), Some("235")),
            (cents.clone(), Arrow::Decimal128(12, 4), Some("-125000")),
            (cents.clone(), Arrow::Decimal128(10, 1), Some("-125")),
            (cents.clone(), Arrow::Int16, Some("-12")),
            (cents, Arrow::Float64, Some("-12.5")),
            (Arc::new(Date32Array::from(vec![1])), micros.clone(), Some("86400000000")),
            (Arc::new(TimestampNanosecondArray::from(vec![-1])), micros, Some("-1")),
            (int(7), Arrow::Utf8, None),
        ] {
            let from = array.data_type().clone();
            let made = cast(&array, &to).ok().map(|made| {
                assert_eq!(*made.data_type(), to);
                assert_eq!(made.null_count(), array.null_count());
                match to {
                    Arrow::Float64 => format!("{:?}", made.as_primitive::<Float64Type>().value(0)),
                    Arrow::Decimal128(..) => made.as_primitive::<Decimal128Type>().value(0).to_string(),
                    Arrow::Timestamp(..) => {
                        made.as_primitive::<TimestampMicrosecondType>().value(0).to_string()
                    }
                    _ => format!("{:?}", integers(&made).and_then(|v| v[0]).unwrap_or_default()),
                }
            });
            assert_eq!(made.as_deref(), text, "{from} to {to}");
        }
        let large = Arc::new(LargeStringArray::from(vec!["é"])) as ArrayRef;
        let text = cast(&large, &Arrow::Utf8).expect("a text is a text");
        assert_eq!(text.as_string::<i32>().value(0), "é");
    }
}
