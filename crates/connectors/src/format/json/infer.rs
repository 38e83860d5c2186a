//! The schema of JSON records: the type of each, merged.

use std::cmp::Ordering;

use tidemark_types::{DataType, SparkError, StructField, StructType};

use crate::format::json::decode::malformed_record;
use crate::format::json::lexer::{Broken, Lexer, Token};
use crate::format::json::moments::Moments;
use crate::format::json::number::parse_long;
use crate::format::json::options::{JsonOptions, ParseMode};
use crate::format::json::text::unescape;
use crate::format::lines::{BYTE_ORDER_MARK, Lines};

const MAX_PRECISION: usize = 38;

/// The schema of all records of these files.
pub fn infer<'a>(
    files: impl Iterator<Item = &'a [u8]>,
    options: &JsonOptions,
    moments: &Moments,
) -> Result<StructType, SparkError> {
    let mut inference = Inference { lexer: Lexer::new(options.rules), options, moments };
    let mut root = DataType::Struct(StructType::default());
    for text in files {
        if options.multi_line {
            root = inference.add(root, text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))?;
        } else {
            for line in Lines::new(text, 0, text.len(), options.line_separator.as_deref()) {
                root = inference.add(root, line)?;
            }
        }
    }
    Ok(match canonical(root, options.drop_null_fields) {
        Some(DataType::Struct(schema)) => schema,
        _ => StructType::default(),
    })
}

struct Inference<'a, 'o> {
    lexer: Lexer<'a>,
    options: &'o JsonOptions,
    moments: &'o Moments,
}

impl<'a> Inference<'a, '_> {
    fn add(&mut self, root: DataType, record: &'a [u8]) -> Result<DataType, SparkError> {
        self.lexer.begin(record);
        let found = match self.lexer.next_token().and_then(|token| self.value(token)) {
            Ok(found) => found,
            Err(Broken) => match self.options.mode {
                ParseMode::DropMalformed => return Ok(root),
                ParseMode::FailFast => return Err(malformed_record(&self.options.corrupt_column)),
                ParseMode::Permissive => DataType::Struct(StructType::new(vec![self.corrupt_field()])),
            },
        };
        self.merge_roots(root, found)
    }

    fn corrupt_field(&self) -> StructField {
        StructField::new(&self.options.corrupt_column, DataType::String, true)
    }

    fn value(&mut self, token: Token) -> Result<DataType, Broken> {
        let text_wanted = self.options.primitives_as_string;
        Ok(match token {
            Token::Null | Token::End => DataType::Null,
            Token::Text if self.lexer.span().is_empty() => DataType::Null,
            Token::Text => self.text(),
            Token::StartObject => self.object()?,
            Token::StartArray => {
                let mut element = DataType::Null;
                loop {
                    let token = self.lexer.next_token()?;
                    if token == Token::EndArray {
                        break DataType::Array(Box::new(element), true);
                    }
                    element = merge(element, self.value(token)?);
                }
            }
            _ if text_wanted => DataType::String,
            Token::Integer => integer_type(self.lexer.span()),
            Token::Float if self.options.prefers_decimal => fraction_type(self.lexer.span()),
            Token::Float => DataType::Double,
            Token::True | Token::False => DataType::Boolean,
            Token::EndObject | Token::EndArray | Token::Name => return Err(Broken),
        })
    }

    fn object(&mut self) -> Result<DataType, Broken> {
        let mut fields = Vec::new();
        while self.lexer.next_token()? == Token::Name {
            let name = self.content();
            let token = self.lexer.next_token()?;
            fields.push(StructField::new(name, self.value(token)?, true));
        }
        fields.sort_by(|a, b| compare_names(&a.name, &b.name));
        Ok(DataType::Struct(StructType::new(fields)))
    }

    fn text(&self) -> DataType {
        let content = self.content();
        if self.options.prefers_decimal
            && let decimal @ DataType::Decimal(..) = fraction_type(content.replace(',', "").as_bytes())
        {
            return decimal;
        }
        if self.options.infer_timestamp && self.moments.timestamp(&content).is_some() {
            return DataType::Timestamp;
        }
        DataType::String
    }

    fn content(&self) -> String {
        let mut bytes = Vec::new();
        unescape(self.lexer.span(), &mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn merge_roots(&self, a: DataType, b: DataType) -> Result<DataType, SparkError> {
        Ok(match (a, b) {
            (DataType::Array(a, _), b) => self.merge_roots(*a, b)?,
            (a, DataType::Array(b, _)) => self.merge_roots(a, *b)?,
            (schema @ DataType::Struct(_), DataType::Null)
            | (DataType::Null, schema @ DataType::Struct(_)) => schema,
            (a @ DataType::Struct(_), b @ DataType::Struct(_)) => merge(a, b),
            (DataType::Struct(schema), _) | (_, DataType::Struct(schema)) => {
                DataType::Struct(self.with_corrupt_field(schema)?)
            }
            (a, b) => merge(a, b),
        })
    }

    fn with_corrupt_field(&self, mut schema: StructType) -> Result<StructType, SparkError> {
        match self.options.mode {
            ParseMode::FailFast => return Err(malformed_record(&self.options.corrupt_column)),
            ParseMode::Permissive if !schema.fields.iter().any(|f| f.name == self.options.corrupt_column) => {
                schema.fields.push(self.corrupt_field());
                schema.fields.sort_by(|a, b| compare_names(&a.name, &b.name));
            }
            _ => {}
        }
        Ok(schema)
    }
}

fn integer_type(text: &[u8]) -> DataType {
    if parse_long(text).is_some() {
        return DataType::Long;
    }
    let digits = text.strip_prefix(b"-").unwrap_or(text).len();
    if digits <= MAX_PRECISION { DataType::Decimal(digits as u8, 0) } else { DataType::Double }
}

/// The decimal type that holds the text, or double.
fn fraction_type(text: &[u8]) -> DataType {
    let text = String::from_utf8_lossy(text);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(&text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let Ok(exponent) = exponent.parse::<i64>() else { return DataType::Double };
    if !all_digits(whole) || !all_digits(fraction) || whole.len() + fraction.len() == 0 {
        return DataType::Double;
    }
    let digits = format!("{whole}{fraction}").trim_start_matches('0').len().max(1) as i64;
    let scale = fraction.len() as i64 - exponent;
    let precision = digits.max(scale);
    if scale < 0 || precision > MAX_PRECISION as i64 {
        return DataType::Double;
    }
    DataType::Decimal(precision as u8, scale as i8)
}

/// Names in the order of Java's strings: by UTF-16 units.
fn compare_names(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// The type that holds values of both.
fn merge(a: DataType, b: DataType) -> DataType {
    match (a, b) {
        (a, b) if a == b => a,
        (DataType::Null, other) | (other, DataType::Null) => other,
        (DataType::Long, DataType::Double) | (DataType::Double, DataType::Long) => DataType::Double,
        (DataType::Double, DataType::Decimal(..)) | (DataType::Decimal(..), DataType::Double) => {
            DataType::Double
        }
        (DataType::Decimal(p, s), DataType::Long) | (DataType::Long, DataType::Decimal(p, s)) => {
            merge_decimals((20, 0), (p, s))
        }
        (DataType::Decimal(p, s), DataType::Decimal(q, t)) => merge_decimals((p, s), (q, t)),
        (DataType::Struct(a), DataType::Struct(b)) => DataType::Struct(merge_structs(a, b)),
        (DataType::Array(a, _), DataType::Array(b, _)) => DataType::Array(Box::new(merge(*a, *b)), true),
        _ => DataType::String,
    }
}

fn merge_decimals((p, s): (u8, i8), (q, t): (u8, i8)) -> DataType {
    let scale = s.max(t);
    let range = (i16::from(p) - i16::from(s)).max(i16::from(q) - i16::from(t));
    let precision = range + i16::from(scale);
    if precision > MAX_PRECISION as i16 {
        DataType::Double
    } else {
        DataType::Decimal(precision as u8, scale)
    }
}

/// Both sides are sorted by name.
fn merge_structs(a: StructType, b: StructType) -> StructType {
    let mut fields = Vec::with_capacity(a.fields.len().max(b.fields.len()));
    let mut left = a.fields.into_iter().peekable();
    let mut right = b.fields.into_iter().peekable();
    loop {
        let order = match (left.peek(), right.peek()) {
            (Some(l), Some(r)) => compare_names(&l.name, &r.name),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return StructType::new(fields),
        };
        match order {
            Ordering::Less => fields.extend(left.next()),
            Ordering::Greater => fields.extend(right.next()),
            Ordering::Equal => fields.extend(
                left.next()
                    .zip(right.next())
                    .map(|(l, r)| StructField::new(l.name, merge(l.data_type, r.data_type), true)),
            ),
        }
    }
}

/// Without empty structs and names; what was always null is a string, or nothing.
fn canonical(data_type: DataType, drop_nulls: bool) -> Option<DataType> {
    match data_type {
        DataType::Array(element, nulls) => {
            canonical(*element, drop_nulls).map(|element| DataType::Array(Box::new(element), nulls))
        }
        DataType::Struct(schema) => {
            let fields: Vec<_> = schema
                .fields
                .into_iter()
                .filter(|field| !field.name.is_empty())
                .filter_map(|field| {
                    canonical(field.data_type, drop_nulls)
                        .map(|data_type| StructField::new(field.name, data_type, true))
                })
                .collect();
            (!fields.is_empty()).then(|| DataType::Struct(StructType::new(fields)))
        }
        DataType::Null if drop_nulls => None,
        DataType::Null => Some(DataType::String),
        other => Some(other),
    }
}
