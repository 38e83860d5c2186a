//! Columns under construction: what Arrow's builders do, and taking back what a bad record has begun.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DurationMicrosecondArray,
    Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, IntervalYearMonthArray,
    ListArray, MapArray, NullArray, StringArray, StructArray, TimestampMicrosecondArray,
};
use arrow::buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow::datatypes::{DataType as Arrow, Fields as ArrowFields};
use arrow::error::ArrowError;
use tidemark_types::{DataType, StructType};

/// A column of values of one type.
#[derive(Clone, Debug)]
pub struct Column {
    pub(crate) data_type: DataType,
    pub(crate) values: Values,
    valid: Vec<bool>,
}

/// The values of a column; at nulls something of the right length.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Null,
    Boolean(Vec<bool>),
    Byte(Vec<i8>),
    Short(Vec<i16>),
    Integer(Vec<i32>),
    Long(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Decimal(Vec<i128>),
    /// Strings and binaries: where each ends, and all their bytes.
    Bytes(Vec<i32>, Vec<u8>),
    List(Vec<i32>, Box<Column>),
    Map(Vec<i32>, Box<Column>, Box<Column>),
    Struct(Fields),
}

/// The columns of a struct or of the rows, by name.
#[derive(Clone, Debug)]
pub struct Fields {
    names: Vec<Box<[u8]>>,
    pub(crate) columns: Vec<Column>,
    /// Where the next name is likely to be.
    guess: usize,
}

impl Fields {
    /// Empty columns for a schema.
    pub fn new(schema: &StructType) -> Self {
        Fields {
            names: schema.fields.iter().map(|f| f.name.as_bytes().into()).collect(),
            columns: schema.fields.iter().map(|f| Column::new(&f.data_type)).collect(),
            guess: 0,
        }
    }

    /// The position of a name, compared byte by byte. The names of records mostly come in one order.
    pub(crate) fn find(&mut self, name: &[u8]) -> Option<usize> {
        let found = if self.names.get(self.guess).is_some_and(|n| **n == *name) {
            self.guess
        } else {
            self.names.iter().position(|n| **n == *name)?
        };
        self.guess = if found + 1 == self.names.len() { 0 } else { found + 1 };
        Some(found)
    }

    /// Null for all columns that have fewer than `rows` values.
    pub(crate) fn fill(&mut self, rows: usize) {
        for column in &mut self.columns {
            while column.len() < rows {
                column.push_null();
            }
        }
    }

    /// Takes back all after the first `rows` values.
    pub(crate) fn truncate(&mut self, rows: usize) {
        for column in &mut self.columns {
            column.truncate(rows);
        }
    }

    fn append(&mut self, other: Fields) {
        for (mine, theirs) in self.columns.iter_mut().zip(other.columns) {
            mine.append(theirs);
        }
    }
}

impl Column {
    /// An empty column.
    pub fn new(data_type: &DataType) -> Self {
        let bytes = || Values::Bytes(vec![0], Vec::new());
        let values = match data_type {
            DataType::Null => Values::Null,
            DataType::Boolean => Values::Boolean(Vec::new()),
            DataType::Byte => Values::Byte(Vec::new()),
            DataType::Short => Values::Short(Vec::new()),
            DataType::Integer | DataType::Date | DataType::YearMonthInterval => Values::Integer(Vec::new()),
            DataType::Long | DataType::Timestamp | DataType::TimestampNtz | DataType::DayTimeInterval => {
                Values::Long(Vec::new())
            }
            DataType::Float => Values::Float(Vec::new()),
            DataType::Double => Values::Double(Vec::new()),
            DataType::Decimal(..) => Values::Decimal(Vec::new()),
            DataType::String | DataType::Binary => bytes(),
            DataType::Array(element, _) => Values::List(vec![0], Box::new(Column::new(element))),
            DataType::Map(key, value, _) => {
                Values::Map(vec![0], Box::new(Column::new(key)), Box::new(Column::new(value)))
            }
            DataType::Struct(schema) => Values::Struct(Fields::new(schema)),
        };
        Column { data_type: data_type.clone(), values, valid: Vec::new() }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.valid.len()
    }

    /// Whether the value in this row is not null.
    pub(crate) fn is_valid(&self, row: usize) -> bool {
        self.valid[row]
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.valid.is_empty()
    }

    /// Adds a null.
    pub fn push_null(&mut self) {
        match &mut self.values {
            Values::Null => {}
            Values::Boolean(v) => v.push(false),
            Values::Byte(v) => v.push(0),
            Values::Short(v) => v.push(0),
            Values::Integer(v) => v.push(0),
            Values::Long(v) => v.push(0),
            Values::Float(v) => v.push(0.0),
            Values::Double(v) => v.push(0.0),
            Values::Decimal(v) => v.push(0),
            Values::Bytes(ends, _) | Values::List(ends, _) | Values::Map(ends, ..) => ends.push(last(ends)),
            Values::Struct(fields) => fields.fill(self.valid.len() + 1),
        }
        self.valid.push(false);
    }

    /// Says that the value whose parts have been added is complete.
    pub(crate) fn push_valid(&mut self) {
        match &mut self.values {
            Values::Bytes(ends, bytes) => ends.push(bytes.len() as i32),
            Values::List(ends, element) => ends.push(element.len() as i32),
            Values::Map(ends, key, _) => ends.push(key.len() as i32),
            _ => {}
        }
        self.valid.push(true);
    }

    /// Adds a string or a binary.
    pub fn push_bytes(&mut self, value: &[u8]) {
        if let Values::Bytes(_, bytes) = &mut self.values {
            bytes.extend_from_slice(value);
        }
        self.push_valid();
    }

    /// Takes back all after the first `length` values, and parts of a value that was not completed.
    pub(crate) fn truncate(&mut self, length: usize) {
        match &mut self.values {
            Values::Null => {}
            Values::Boolean(v) => v.truncate(length),
            Values::Byte(v) => v.truncate(length),
            Values::Short(v) => v.truncate(length),
            Values::Integer(v) => v.truncate(length),
            Values::Long(v) => v.truncate(length),
            Values::Float(v) => v.truncate(length),
            Values::Double(v) => v.truncate(length),
            Values::Decimal(v) => v.truncate(length),
            Values::Bytes(ends, bytes) => {
                ends.truncate(length + 1);
                bytes.truncate(last(ends) as usize);
            }
            Values::List(ends, element) => {
                ends.truncate(length + 1);
                element.truncate(last(ends) as usize);
            }
            Values::Map(ends, key, value) => {
                ends.truncate(length + 1);
                key.truncate(last(ends) as usize);
                value.truncate(last(ends) as usize);
            }
            Values::Struct(fields) => fields.truncate(length),
        }
        self.valid.truncate(length);
    }

    /// Adds all values of another column of the same type.
    pub(crate) fn append(&mut self, other: Column) {
        match (&mut self.values, other.values) {
            (Values::Boolean(a), Values::Boolean(b)) => a.extend(b),
            (Values::Byte(a), Values::Byte(b)) => a.extend(b),
            (Values::Short(a), Values::Short(b)) => a.extend(b),
            (Values::Integer(a), Values::Integer(b)) => a.extend(b),
            (Values::Long(a), Values::Long(b)) => a.extend(b),
            (Values::Float(a), Values::Float(b)) => a.extend(b),
            (Values::Double(a), Values::Double(b)) => a.extend(b),
            (Values::Decimal(a), Values::Decimal(b)) => a.extend(b),
            (Values::Bytes(ends, bytes), Values::Bytes(more, b)) => {
                add_ends(ends, &more);
                bytes.extend(b);
            }
            (Values::List(ends, element), Values::List(more, b)) => {
                add_ends(ends, &more);
                element.append(*b);
            }
            (Values::Map(ends, key, value), Values::Map(more, k, v)) => {
                add_ends(ends, &more);
                key.append(*k);
                value.append(*v);
            }
            (Values::Struct(fields), Values::Struct(more)) => fields.append(more),
            _ => {}
        }
        self.valid.extend(other.valid);
    }

    /// The column as Arrow has it.
    pub fn finish(self) -> Result<ArrayRef, ArrowError> {
        let Column { data_type, values, valid } = self;
        let length = valid.len();
        let nulls = valid.contains(&false).then(|| NullBuffer::from(valid));
        let arrow = data_type.to_arrow();
        Ok(match values {
            Values::Null => Arc::new(NullArray::new(length)),
            Values::Boolean(v) => Arc::new(BooleanArray::new(v.into(), nulls)),
            Values::Byte(v) => Arc::new(Int8Array::new(v.into(), nulls)),
            Values::Short(v) => Arc::new(Int16Array::new(v.into(), nulls)),
            Values::Integer(v) => match data_type {
                DataType::Date => Arc::new(Date32Array::new(v.into(), nulls)),
                DataType::YearMonthInterval => Arc::new(IntervalYearMonthArray::new(v.into(), nulls)),
                _ => Arc::new(Int32Array::new(v.into(), nulls)),
            },
            Values::Long(v) => match data_type {
                DataType::Timestamp | DataType::TimestampNtz => {
                    Arc::new(TimestampMicrosecondArray::new(v.into(), nulls).with_data_type(arrow))
                }
                DataType::DayTimeInterval => Arc::new(DurationMicrosecondArray::new(v.into(), nulls)),
                _ => Arc::new(Int64Array::new(v.into(), nulls)),
            },
            Values::Float(v) => Arc::new(Float32Array::new(v.into(), nulls)),
            Values::Double(v) => Arc::new(Float64Array::new(v.into(), nulls)),
            Values::Decimal(v) => Arc::new(Decimal128Array::new(v.into(), nulls).with_data_type(arrow)),
            Values::Bytes(ends, bytes) if data_type == DataType::Binary => {
                Arc::new(BinaryArray::try_new(offsets(ends), Buffer::from_vec(bytes), nulls)?)
            }
            Values::Bytes(ends, bytes) => {
                Arc::new(StringArray::try_new(offsets(ends), Buffer::from_vec(bytes), nulls)?)
            }
            Values::List(ends, element) => match arrow {
                Arrow::List(field) => {
                    Arc::new(ListArray::try_new(field, offsets(ends), element.finish()?, nulls)?)
                }
                other => return Err(ArrowError::SchemaError(format!("{other} is no list"))),
            },
            Values::Map(ends, key, value) => finish_map(arrow, ends, *key, *value, nulls)?,
            Values::Struct(fields) => match arrow {
                Arrow::Struct(types) => finish_struct(types, fields, length, nulls)?,
                other => return Err(ArrowError::SchemaError(format!("{other} is no struct"))),
            },
        })
    }
}

fn finish_struct(
    types: ArrowFields,
    fields: Fields,
    length: usize,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let columns = fields.columns.into_iter().map(Column::finish).collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(StructArray::try_new_with_length(types, columns, nulls, length)?))
}

fn finish_map(
    arrow: Arrow,
    ends: Vec<i32>,
    key: Column,
    value: Column,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let Arrow::Map(entries, ordered) = arrow else {
        return Err(ArrowError::SchemaError(format!("{arrow} is no map")));
    };
    let Arrow::Struct(fields) = entries.data_type() else {
        return Err(ArrowError::SchemaError(format!("{entries} are no entries of a map")));
    };
    let structs = StructArray::try_new(fields.clone(), vec![key.finish()?, value.finish()?], None)?;
    Ok(Arc::new(MapArray::try_new(entries, offsets(ends), structs, nulls, ordered)?))
}

fn offsets(ends: Vec<i32>) -> OffsetBuffer<i32> {
    OffsetBuffer::new(ScalarBuffer::from(ends))
}

fn last(ends: &[i32]) -> i32 {
    ends.last().copied().unwrap_or(0)
}

fn add_ends(ends: &mut Vec<i32>, more: &[i32]) {
    let base = last(ends);
    ends.extend(more.iter().skip(1).map(|end| base + end));
}
