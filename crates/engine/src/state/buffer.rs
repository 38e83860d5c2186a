//! The states of aggregates as Spark stores them, where that differs from the columns they are computed in: collected
//! values as the bytes of a row, registers of an approximate count packed into words.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, BooleanArray, Decimal128Array, Int64Array};
use arrow::datatypes::{Decimal128Type, Float64Type, Int64Type};
use tidemark_plan::{AggregateCall, AggregateFunction, Scalar};
use tidemark_types::{DataType, StructField};

use crate::error::Result;
use crate::kernel::typed;
use crate::operator::buffer_fields;
use crate::state::row::decode;
use crate::state::row::encode;

const REGISTERS: usize = 512;
const REGISTER_BITS: usize = 6;
const REGISTERS_IN_WORD: usize = 10;
/// Spark takes one word more than whole words fill.
const WORDS: usize = REGISTERS / REGISTERS_IN_WORD + 1;

/// How the state of a call is stored.
enum Form {
    Plain,
    Collected(DataType),
    Registers,
    /// A sum of small decimals: whole numbers of the last digit.
    WholeSum(u8, i8),
    /// An average of small decimals: the same as a double, and the count.
    WholeAverage(u8, i8),
}

/// The most digits of decimals whose sum fits into eight bytes.
const SUM_DIGITS_MAX: u8 = 8;
/// The most digits of decimals whose average a double can tell.
const AVERAGE_DIGITS_MAX: u8 = 11;
/// A sum of decimals has so many digits more than they have.
const SUM_DIGITS_MORE: u8 = 10;

/// Source: for small decimals Spark's `DecimalAggregates`.
fn form(call: &AggregateCall) -> Form {
    if let Some(DataType::Decimal(precision, scale)) = call.args.first().map(Scalar::data_type)
        && !call.distinct
    {
        let sum = precision + SUM_DIGITS_MORE;
        match call.function {
            AggregateFunction::Sum if precision <= SUM_DIGITS_MAX => return Form::WholeSum(sum, scale),
            AggregateFunction::Avg if precision <= AVERAGE_DIGITS_MAX => {
                return Form::WholeAverage(sum, scale);
            }
            _ => {}
        }
    }
    match call.function {
        AggregateFunction::CollectList | AggregateFunction::CollectSet => {
            Form::Collected(call.data_type.clone())
        }
        AggregateFunction::ApproxCountDistinct => Form::Registers,
        _ => Form::Plain,
    }
}

/// The columns in which the states of these calls are stored.
pub(super) fn stored_fields(calls: &[AggregateCall]) -> Vec<StructField> {
    let fields = calls.iter().flat_map(|call| match form(call) {
        Form::Plain => buffer_fields(call),
        Form::Collected(_) => vec![StructField::new("buf", DataType::Binary, true)],
        Form::Registers => {
            (0..WORDS).map(|word| StructField::new(format!("MS[{word}]"), DataType::Long, true)).collect()
        }
        Form::WholeSum(..) => vec![StructField::new("sum", DataType::Long, true)],
        Form::WholeAverage(..) => vec![
            StructField::new("sum", DataType::Double, true),
            StructField::new("count", DataType::Long, true),
        ],
    });
    fields.collect()
}

/// The states as they are stored.
pub(super) fn stored(calls: &[AggregateCall], buffers: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
    let (mut out, mut rest) = (Vec::new(), buffers);
    for call in calls {
        let (own, others) = rest.split_at(buffer_fields(call).len());
        match form(call) {
            Form::Plain => out.extend_from_slice(own),
            Form::Collected(array) => {
                let rows = encode(&[array], own, own[0].len())?;
                out.push(Arc::new(BinaryArray::from_iter_values(rows)));
            }
            Form::Registers => out.extend(packed(&own[0])),
            Form::WholeSum(..) => {
                let sums = own[0].as_primitive::<Decimal128Type>();
                let empty = own[1].as_boolean();
                let whole = sums.iter().zip(empty).map(|(sum, empty)| {
                    sum.filter(|_| empty == Some(false)).and_then(|sum| i64::try_from(sum).ok())
                });
                out.push(Arc::new(whole.collect::<Int64Array>()));
            }
            Form::WholeAverage(..) => {
                let sums = own[0].as_primitive::<Decimal128Type>();
                out.push(Arc::new(sums.unary::<_, Float64Type>(|sum| sum as f64)));
                out.push(own[1].clone());
            }
        }
        rest = others;
    }
    Ok(out)
}

/// The states as they are computed.
pub(super) fn restored(calls: &[AggregateCall], columns: &[ArrayRef]) -> Result<Vec<ArrayRef>> {
    let (mut out, mut rest) = (Vec::new(), columns);
    for call in calls {
        let width = stored_fields(std::slice::from_ref(call)).len();
        let (own, others) = rest.split_at(width);
        match form(call) {
            Form::Plain => out.extend_from_slice(own),
            Form::Collected(array) => {
                let bytes = own[0].as_binary::<i32>();
                let rows: Vec<&[u8]> = (0..bytes.len()).map(|row| bytes.value(row)).collect();
                out.extend(decode(&[array], &rows)?);
            }
            Form::Registers => out.push(unpacked(own)),
            Form::WholeSum(precision, scale) => {
                let whole = own[0].as_primitive::<Int64Type>();
                let sums: Decimal128Array = whole.iter().map(|sum| Some(sum.map_or(0, i128::from))).collect();
                let empty: BooleanArray = whole.iter().map(|sum| Some(sum.is_none())).collect();
                out.push(typed(sums, precision, scale)?);
                out.push(Arc::new(empty));
            }
            Form::WholeAverage(precision, scale) => {
                let whole = own[0].as_primitive::<Float64Type>();
                out.push(typed(whole.unary(|sum| sum as i128), precision, scale)?);
                out.push(own[1].clone());
            }
        }
        rest = others;
    }
    Ok(out)
}

fn packed(registers: &ArrayRef) -> Vec<ArrayRef> {
    let bytes = registers.as_binary::<i32>();
    (0..WORDS)
        .map(|word| {
            let words = (0..bytes.len()).map(|row| {
                let registers = bytes.value(row);
                let own = registers.iter().skip(word * REGISTERS_IN_WORD).take(REGISTERS_IN_WORD);
                own.enumerate()
                    .fold(0_i64, |sum, (place, rank)| sum | (i64::from(*rank) << (REGISTER_BITS * place)))
            });
            Arc::new(Int64Array::from_iter_values(words)) as ArrayRef
        })
        .collect()
}

fn unpacked(words: &[ArrayRef]) -> ArrayRef {
    let columns: Vec<&Int64Array> = words.iter().map(|word| word.as_primitive::<Int64Type>()).collect();
    let rows = columns.first().map_or(0, |column| column.len());
    let registers = (0..rows).map(|row| {
        (0..REGISTERS)
            .map(|index| {
                let word = columns[index / REGISTERS_IN_WORD].value(row) as u64;
                (word >> (REGISTER_BITS * (index % REGISTERS_IN_WORD))) as u8 & 0x3f
            })
            .collect::<Vec<u8>>()
    });
    Arc::new(BinaryArray::from_iter_values(registers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_there_and_back() {
        let bytes: Vec<u8> = (0..REGISTERS).map(|index| (index % 56) as u8).collect();
        let column: ArrayRef = Arc::new(BinaryArray::from_iter_values([&bytes]));
        let words = packed(&column);
        assert_eq!(words.len(), 52);
        assert_eq!(words[0].as_primitive::<Int64Type>().value(0) & 0xfff, 0x040);
        assert_eq!(&unpacked(&words), &column);
    }
}
