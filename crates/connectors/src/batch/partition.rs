//! Columns that folders name, `day=2024-01-01`: their types, their values, their texts.

use arrow::array::ArrayRef;
use tidemark_engine::Result;
use tidemark_types::timestamp::{parse_date, parse_timestamp, parse_timestamp_ntz};
use tidemark_types::{DataType, ErrorClass, SparkError, StructField, StructType, Zone};

use crate::format::json::column::{Column, Values};
use crate::format::json::number::parse_decimal;
use crate::packing::InputFile;

/// The value of a folder that stands for null.
pub const NULL_FOLDER: &str = "__HIVE_DEFAULT_PARTITION__";

/// The partition columns of these files with the types that their values tell.
pub fn infer(files: &[InputFile]) -> Vec<StructField> {
    let mut fields: Vec<(String, DataType)> = Vec::new();
    for (name, value) in files.iter().flat_map(|file| &file.partition) {
        let found = value.as_deref().map_or(DataType::Null, type_of);
        match fields.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, data_type)) => *data_type = wider(data_type.clone(), found),
            None => fields.push((name.clone(), found)),
        }
    }
    fields
        .into_iter()
        .map(|(name, data_type)| match data_type {
            DataType::Null => StructField::new(name, DataType::String, true),
            known => StructField::new(name, known, true),
        })
        .collect()
}

/// A schema whose values may all be null, at every depth: what Spark makes of the declared schema of files.
pub fn nullable(schema: &StructType) -> StructType {
    let fields = schema.fields.iter().cloned();
    StructType::new(
        fields
            .map(|field| StructField { nullable: true, data_type: nullable_type(&field.data_type), ..field })
            .collect(),
    )
}

fn nullable_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Array(element, _) => DataType::Array(Box::new(nullable_type(element)), true),
        DataType::Map(key, value, _) => {
            DataType::Map(Box::new(nullable_type(key)), Box::new(nullable_type(value)), true)
        }
        DataType::Struct(schema) => DataType::Struct(nullable(schema)),
        other => other.clone(),
    }
}

/// A schema with the partition columns at its end: one that is declared keeps its declared type.
pub fn with_partitions(declared: &StructType, partitions: Vec<StructField>) -> StructType {
    let is_partition = |name: &str| partitions.iter().any(|p| p.name.eq_ignore_ascii_case(name));
    let mut fields: Vec<StructField> =
        declared.fields.iter().filter(|f| !is_partition(&f.name)).cloned().collect();
    for partition in partitions {
        let own = declared.fields.iter().find(|f| f.name.eq_ignore_ascii_case(&partition.name));
        fields.push(own.cloned().unwrap_or(partition));
    }
    StructType::new(fields)
}

/// An inferred schema with the partition columns: one that the files have too stays in its place, with the type that
/// the folders tell.
pub fn merged_with_partitions(inferred: &StructType, partitions: Vec<StructField>) -> StructType {
    let mut fields = inferred.fields.clone();
    for partition in partitions {
        match fields.iter_mut().find(|f| f.name.eq_ignore_ascii_case(&partition.name)) {
            Some(field) => field.data_type = partition.data_type,
            None => fields.push(partition),
        }
    }
    StructType::new(fields)
}

fn type_of(text: &str) -> DataType {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = !unsigned.is_empty() && unsigned.bytes().all(|b| b.is_ascii_digit());
    if text.parse::<i32>().is_ok() {
        return DataType::Integer;
    }
    if text.parse::<i64>().is_ok() {
        return DataType::Long;
    }
    if digits && unsigned.len() <= 38 {
        return DataType::Decimal(unsigned.len() as u8, 0);
    }
    let numeric = text.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    if numeric && text.parse::<f64>().is_ok() {
        return DataType::Double;
    }
    let plain = |length: usize| text.len() == length && text.as_bytes().get(4) == Some(&b'-');
    if plain(10) && parse_date(text).is_some() {
        return DataType::Date;
    }
    if (plain(19) || plain(21)) && text.as_bytes()[10] == b' ' && parse_timestamp_ntz(text).is_some() {
        return DataType::Timestamp;
    }
    DataType::String
}

fn wider(a: DataType, b: DataType) -> DataType {
    let rank = |data_type: &DataType| match data_type {
        DataType::Integer => 1,
        DataType::Long => 2,
        DataType::Decimal(..) => 3,
        DataType::Double => 4,
        _ => 0,
    };
    match (a, b) {
        (a, b) if a == b => a,
        (DataType::Null, other) | (other, DataType::Null) => other,
        (DataType::Date, DataType::Timestamp) | (DataType::Timestamp, DataType::Date) => DataType::Timestamp,
        (a, b) if rank(&a) > 0 && rank(&b) > 0 => {
            if rank(&a) > rank(&b) {
                a
            } else {
                b
            }
        }
        _ => DataType::String,
    }
}

/// A column of `rows` times the same text, read as this type; null where it is none of the type.
pub fn constant(text: Option<&str>, data_type: &DataType, rows: usize) -> Result<ArrayRef> {
    let mut column = Column::new(data_type);
    for _ in 0..rows {
        match text {
            Some(text) => push(&mut column, text),
            None => column.push_null(),
        }
    }
    column.finish().map_err(|error| SparkError::plain(ErrorClass::Spark, error.to_string()).into())
}

fn push(column: &mut Column, text: &str) {
    let data_type = column.data_type.clone();
    let pushed = match (&mut column.values, &data_type) {
        (Values::Bytes(_, bytes), _) => {
            bytes.extend_from_slice(text.as_bytes());
            Some(())
        }
        (Values::Boolean(v), _) => text.to_ascii_lowercase().parse().ok().map(|x| v.push(x)),
        (Values::Byte(v), _) => text.parse().ok().map(|x| v.push(x)),
        (Values::Short(v), _) => text.parse().ok().map(|x| v.push(x)),
        (Values::Integer(v), DataType::Integer) => text.parse().ok().map(|x| v.push(x)),
        (Values::Integer(v), DataType::Date) => parse_date(text).map(|x| v.push(x)),
        (Values::Long(v), DataType::Long) => text.parse().ok().map(|x| v.push(x)),
        (Values::Long(v), DataType::Timestamp) => parse_timestamp(text, Zone::UTC, 0).map(|x| v.push(x)),
        (Values::Long(v), DataType::TimestampNtz) => parse_timestamp_ntz(text).map(|x| v.push(x)),
        (Values::Float(v), _) => text.parse().ok().map(|x| v.push(x)),
        (Values::Double(v), _) => text.parse().ok().map(|x| v.push(x)),
        (Values::Decimal(v), DataType::Decimal(p, s)) => parse_decimal(text, *p, *s).map(|x| v.push(x)),
        _ => None,
    };
    match pushed {
        Some(()) => column.push_valid(),
        None => column.push_null(),
    }
}

/// The name of a folder, with the letters escaped that Spark escapes.
pub fn folder_name(column: &str, value: Option<&str>) -> String {
    let value = value.filter(|text| !text.is_empty()).map_or_else(|| NULL_FOLDER.to_owned(), escape);
    format!("{}={value}", escape(column))
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter < ' ' || letter == '\u{7f}' || "\"#%'*/:=?\\{[]^".contains(letter) {
            out.push_str(&format!("%{:02X}", letter as u32));
        } else {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use tidemark_types::SimTime;

    use super::*;

    #[test]
    fn types_of_folders() {
        let table: &[(&[&str], &str)] = &[
            (&["1", "2"], "int"),
            (&["1", "12345678901"], "bigint"),
            (&["1", "1.5"], "double"),
            (&["1", "x"], "string"),
            (&["2024-01-01", NULL_FOLDER], "date"),
            (&["2024-01-01 10:00:00"], "timestamp"),
            (&["a b"], "string"),
            (&[NULL_FOLDER], "string"),
            (&["12345678901234567890"], "decimal(20,0)"),
        ];
        for (values, expected) in table {
            let files: Vec<_> = values
                .iter()
                .map(|value| {
                    let mut file = InputFile::new("/in/a", 1, SimTime(0));
                    file.partition = vec![("k".into(), (*value != NULL_FOLDER).then(|| (*value).to_owned()))];
                    file
                })
                .collect();
            assert_eq!(infer(&files)[0].data_type.simple_string(), *expected, "{values:?}");
        }
    }

    #[test]
    fn names_of_folders() {
        assert_eq!(folder_name("k", Some("a:b/c d")), "k=a%3Ab%2Fc d");
        assert_eq!(folder_name("k", None), "k=__HIVE_DEFAULT_PARTITION__");
    }
}
