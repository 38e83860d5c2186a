//! Statistics of a data file, as the text that `add.stats` holds.
//!
//! Source: Delta's `StatisticsCollection`; spec of the log, "Schema JSON, types and statistics".

use std::cmp::Ordering;
use std::fmt::Write as _;

use arrow::array::{Array, ArrayRef, AsArray as _};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType,
};
use tidemark_types::number::{decimal_text, double_text, float_text};
use tidemark_types::{Batch, DataType, StructField, StructType};

use crate::value_text::micros_text;

/// How many characters of a text are kept.
const TEXT_PREFIX: usize = 32;

/// How many leaf columns have statistics if the table does not say.
const INDEXED_COLUMNS: usize = 32;

const MICROS_PER_DAY: i64 = 86_400_000_000;

/// Which columns have statistics.
#[derive(Clone, Debug)]
pub(crate) struct StatsColumns {
    schema: StructType,
}

impl StatsColumns {
    /// The first leaf columns of the table that are no partition columns; `limit` is `delta.dataSkippingNumIndexedCols`.
    pub(crate) fn decide(
        table: &StructType,
        partition_columns: &[String],
        limit: Option<&str>,
    ) -> StatsColumns {
        let mut left = match limit.and_then(|text| text.parse::<i64>().ok()) {
            Some(limit) if limit < 0 => usize::MAX,
            Some(limit) => limit as usize,
            None => INDEXED_COLUMNS,
        };
        let data: Vec<StructField> = table
            .fields
            .iter()
            .filter(|field| !partition_columns.iter().any(|name| name.eq_ignore_ascii_case(&field.name)))
            .cloned()
            .collect();
        StatsColumns { schema: keep_leaves(&StructType::new(data), &mut left) }
    }
}

fn keep_leaves(schema: &StructType, left: &mut usize) -> StructType {
    let mut kept = Vec::new();
    for field in &schema.fields {
        if *left == 0 {
            break;
        }
        let data_type = match &field.data_type {
            DataType::Struct(inner) => DataType::Struct(keep_leaves(inner, left)),
            leaf => {
                *left -= 1;
                leaf.clone()
            }
        };
        kept.push(StructField { data_type, ..field.clone() });
    }
    StructType::new(kept)
}

/// The statistics of these rows; a column that the data lacks counts as null.
pub(crate) fn render(batch: &Batch, columns: &StatsColumns) -> String {
    let mut out = format!("{{\"numRecords\":{}", batch.rows());
    if !columns.schema.fields.is_empty() {
        let (mut min, mut max, mut nulls) = (Object::new(), Object::new(), Object::new());
        for field in &columns.schema.fields {
            let column = batch.schema().index_of(&field.name).map(|index| batch.column(index));
            note(field, column, None, batch.rows(), &mut min, &mut max, &mut nulls);
        }
        let (min, max, nulls) = (min.finish(), max.finish(), nulls.finish());
        write!(out, ",\"minValues\":{min},\"maxValues\":{max},\"nullCount\":{nulls}")
            .expect("writing to a String does not fail");
    }
    out.push('}');
    out
}

/// A JSON object that is written key by key.
struct Object(String);

impl Object {
    fn new() -> Self {
        Object(String::from("{"))
    }

    fn put(&mut self, key: &str, value: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&json_text(key));
        self.0.push(':');
        self.0.push_str(value);
    }

    fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn note(
    field: &StructField,
    column: Option<&ArrayRef>,
    parent: Option<&NullBuffer>,
    rows: usize,
    min: &mut Object,
    max: &mut Object,
    nulls: &mut Object,
) {
    let valid = NullBuffer::union(parent, column.and_then(|c| c.logical_nulls()).as_ref());
    if let DataType::Struct(inner) = &field.data_type {
        let group = column.and_then(|c| c.as_struct_opt());
        let (mut low, mut high, mut count) = (Object::new(), Object::new(), Object::new());
        for child in &inner.fields {
            let values = group.and_then(|g| g.column_by_name(&child.name));
            note(child, values, valid.as_ref(), rows, &mut low, &mut high, &mut count);
        }
        min.put(&field.name, &low.finish());
        max.put(&field.name, &high.finish());
        nulls.put(&field.name, &count.finish());
        return;
    }
    let Some(column) = column else {
        nulls.put(&field.name, &rows.to_string());
        return;
    };
    let null_count = valid.as_ref().map_or(0, NullBuffer::null_count);
    let rows_valid = (0..column.len()).filter(|row| valid.as_ref().is_none_or(|v| v.is_valid(*row)));
    if let Some((low, high)) = bounds(column, &field.data_type, rows_valid) {
        min.put(&field.name, &low);
        if let Some(high) = high {
            max.put(&field.name, &high);
        }
    }
    nulls.put(&field.name, &null_count.to_string());
}

/// The least and the greatest value as JSON; the greatest is missing if no text bounds it.
fn bounds(
    column: &ArrayRef,
    data_type: &DataType,
    rows: impl Iterator<Item = usize>,
) -> Option<(String, Option<String>)> {
    macro_rules! primitive {
        ($kind:ty, $order:expr, $text:expr) => {{
            let values = column.as_primitive::<$kind>();
            let (low, high) = extremes(rows.map(|row| values.value(row)), $order)?;
            Some(($text(low), Some($text(high))))
        }};
    }
    match data_type {
        DataType::Byte => primitive!(Int8Type, Ord::cmp, |v: i8| v.to_string()),
        DataType::Short => primitive!(Int16Type, Ord::cmp, |v: i16| v.to_string()),
        DataType::Integer => primitive!(Int32Type, Ord::cmp, |v: i32| v.to_string()),
        DataType::Long => primitive!(Int64Type, Ord::cmp, |v: i64| v.to_string()),
        DataType::Float => {
            primitive!(Float32Type, |a: &f32, b: &f32| order(f64::from(*a), f64::from(*b)), |v: f32| {
                quoted_if_special(float_text(v))
            })
        }
        DataType::Double => {
            primitive!(Float64Type, |a: &f64, b: &f64| order(*a, *b), |v: f64| quoted_if_special(
                double_text(v)
            ))
        }
        DataType::Decimal(_, scale) => {
            primitive!(Decimal128Type, Ord::cmp, |v: i128| decimal_text(v, *scale))
        }
        DataType::Date => primitive!(Date32Type, Ord::cmp, |days: i32| {
            json_text(&micros_text(i64::from(days) * MICROS_PER_DAY, "%Y-%m-%d"))
        }),
        DataType::Timestamp => primitive!(TimestampMicrosecondType, Ord::cmp, |micros: i64| {
            json_text(&micros_text(micros.div_euclid(1000) * 1000, "%Y-%m-%dT%H:%M:%S%.3fZ"))
        }),
        DataType::TimestampNtz => primitive!(TimestampMicrosecondType, Ord::cmp, |micros: i64| {
            json_text(&micros_text(micros.div_euclid(1000) * 1000, "%Y-%m-%dT%H:%M:%S%.3f"))
        }),
        DataType::String => {
            let values = column.as_string::<i32>();
            let (low, high) = extremes(rows.map(|row| values.value(row)), Ord::cmp)?;
            Some((json_text(least_text(low)), greatest_text(high).map(|text| json_text(&text))))
        }
        DataType::Null
        | DataType::Boolean
        | DataType::Binary
        | DataType::DayTimeInterval
        | DataType::YearMonthInterval
        | DataType::Array(..)
        | DataType::Map(..)
        | DataType::Struct(_) => None,
    }
}

fn extremes<T: Copy>(
    mut values: impl Iterator<Item = T>,
    order: impl Fn(&T, &T) -> Ordering,
) -> Option<(T, T)> {
    let first = values.next()?;
    Some(values.fold((first, first), |(low, high), value| {
        (
            if order(&value, &low) == Ordering::Less { value } else { low },
            if order(&value, &high) == Ordering::Greater { value } else { high },
        )
    }))
}

/// Spark's order: NaN is greater than all.
fn order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

fn quoted_if_special(text: String) -> String {
    if matches!(text.as_str(), "NaN" | "Infinity" | "-Infinity") { format!("\"{text}\"") } else { text }
}

/// The first characters: no text that begins with them is less.
fn least_text(text: &str) -> &str {
    text.char_indices().nth(TEXT_PREFIX).map_or(text, |(end, _)| &text[..end])
}

/// A text that is not less than this one and not much longer than the prefix; none if that is too long.
///
/// The prefix counts UTF-16 units, as Java does, and gets one character more that is greater than the one cut off.
fn greatest_text(text: &str) -> Option<String> {
    if text.chars().map(char::len_utf16).sum::<usize>() <= TEXT_PREFIX {
        return Some(text.to_owned());
    }
    let mut prefix = String::new();
    let mut units = 0;
    let mut rest = text.chars().peekable();
    while let Some(&next) = rest.peek() {
        let past_prefix = units >= TEXT_PREFIX;
        if past_prefix && next != char::MAX {
            prefix.push(if next < '\u{7f}' { '\u{7f}' } else { char::MAX });
            return Some(prefix);
        }
        if past_prefix && units >= 2 * TEXT_PREFIX {
            return None;
        }
        prefix.push(next);
        units += next.len_utf16();
        rest.next();
    }
    Some(prefix)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{Float64Array, Int64Array, StringArray, StructArray, TimestampMicrosecondArray};

    use super::*;

    #[test]
    fn the_bounds_of_long_texts_are_prefixes() {
        let emoji = "😀".repeat(20);
        let cases = [
            ("abc".to_owned(), "abc".to_owned(), Some("abc".to_owned())),
            ("a".repeat(32), "a".repeat(32), Some("a".repeat(32))),
            ("a".repeat(33), "a".repeat(32), Some(format!("{}\u{7f}", "a".repeat(32)))),
            ("é".repeat(40), "é".repeat(32), Some(format!("{}\u{10ffff}", "é".repeat(32)))),
            (emoji.clone(), emoji, Some(format!("{}\u{10ffff}", "😀".repeat(16)))),
            (
                format!("{}😀zz", "a".repeat(31)),
                format!("{}😀", "a".repeat(31)),
                Some(format!("{}😀\u{7f}", "a".repeat(31))),
            ),
            ("\u{10ffff}".repeat(40), "\u{10ffff}".repeat(32), None),
        ];
        for (text, least, greatest) in cases {
            assert_eq!(least_text(&text), least);
            assert_eq!(greatest_text(&text), greatest, "{text}");
        }
    }

    #[test]
    fn statistics_have_delta_s_form() {
        let inner = StructType::new(vec![StructField::new("p", DataType::Long, true)]);
        let schema = Arc::new(StructType::new(vec![
            StructField::new("amt", DataType::Double, true),
            StructField::new("ts", DataType::Timestamp, true),
            StructField::new("st", DataType::Struct(inner.clone()), true),
            StructField::new("s", DataType::String, true),
        ]));
        let group = StructArray::new(
            inner.to_arrow().fields,
            vec![Arc::new(Int64Array::from(vec![Some(1), Some(2)])) as ArrayRef],
            Some(NullBuffer::from(vec![true, false])),
        );
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Float64Array::from(vec![Some(7.0), Some(f64::NAN)])),
            Arc::new(TimestampMicrosecondArray::from(vec![-1, 1_000_999]).with_timezone("UTC")),
            Arc::new(group),
            Arc::new(StringArray::from(vec![None::<&str>, None])),
        ];
        let batch = Batch::new(schema.clone(), columns, 2);
        let mut table = (*schema).clone();
        table.fields.push(StructField::new("w", DataType::String, true));
        let stats = render(&batch, &StatsColumns::decide(&table, &[], None));
        assert_eq!(
            stats,
            r#"{"numRecords":2,"minValues":{"amt":7.0,"ts":"1969-12-31T23:59:59.999Z","st":{"p":1}},"maxValues":{"amt":"NaN","ts":"1970-01-01T00:00:01.000Z","st":{"p":1}},"nullCount":{"amt":0,"ts":0,"st":{"p":1},"s":2,"w":2}}"#
        );
        let two = StatsColumns::decide(&table, &["amt".into()], Some("1"));
        assert_eq!(
            render(&batch, &two),
            r#"{"numRecords":2,"minValues":{"ts":"1969-12-31T23:59:59.999Z"},"maxValues":{"ts":"1970-01-01T00:00:01.000Z"},"nullCount":{"ts":0}}"#
        );
    }
}
