//! Tokens to values of the declared types, as Spark's parser converts them.

use tidemark_types::DataType;

use crate::format::json::column::{Column, Fields, Values};
use crate::format::json::lexer::{Broken, Lexer, Token};
use crate::format::json::moments::Moments;
use crate::format::json::number::{
    non_numeric, parse_base64, parse_decimal, parse_double, parse_float, parse_long,
};
use crate::format::json::options::JsonOptions;
use crate::format::json::text::unescape;

/// How far a value could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it.
    Whole,
    /// Some of its fields are null because they could not be.
    Partial,
}

/// A value that cannot be read at all; nothing of it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bad;

impl From<Broken> for Bad {
    fn from(_: Broken) -> Self {
        Bad
    }
}

/// The first string that could not become a number, for the error of `FAILFAST`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadString {
    /// The field.
    pub field: String,
    /// The string.
    pub value: String,
    /// What it should have been.
    pub data_type: DataType,
}

/// Reads records into columns.
#[derive(Debug)]
pub struct Parser<'a, 'o> {
    /// The tokens.
    pub lexer: Lexer<'a>,
    /// Texts of times.
    pub moments: &'o Moments,
    /// Whether the first reason is kept.
    pub note_reason: bool,
    /// The first reason, if it is a bad string.
    pub reason: Option<BadString>,
    noted: bool,
    field: Vec<u8>,
    scratch: Vec<u8>,
    non_numeric: bool,
}

impl<'a, 'o> Parser<'a, 'o> {
    /// A parser with these options.
    pub fn new(options: &JsonOptions, moments: &'o Moments) -> Self {
        Parser {
            lexer: Lexer::new(options.rules),
            moments,
            note_reason: false,
            reason: None,
            noted: false,
            field: Vec::new(),
            scratch: Vec::new(),
            non_numeric: options.rules.non_numeric,
        }
    }

    /// Begins with another record.
    pub fn begin(&mut self, record: &'a [u8]) {
        self.lexer.begin(record);
        self.reason = None;
        self.noted = false;
    }

    /// Reads the object that has just begun as row `row` of these columns.
    pub fn object(&mut self, fields: &mut Fields, row: usize) -> Result<Outcome, Bad> {
        let depth = self.lexer.depth();
        let mut outcome = Outcome::Whole;
        while self.lexer.next_token()? == Token::Name {
            let found = if self.lexer.escaped() {
                self.scratch.clear();
                unescape(self.lexer.span(), &mut self.scratch);
                fields.find(&self.scratch)
            } else {
                fields.find(self.lexer.span())
            };
            let Some(index) = found else {
                self.lexer.skip_value()?;
                continue;
            };
            if self.note_reason {
                self.field = self.lexer.span().to_vec();
            }
            let token = self.lexer.next_token()?;
            if self.field(&mut fields.columns[index], row, token) == Outcome::Partial {
                outcome = Outcome::Partial;
                self.lexer.leave_to(depth)?;
            }
        }
        fields.fill(row + 1);
        Ok(outcome)
    }

    /// Reads the value of a field; a bad one leaves what was there before.
    fn field(&mut self, column: &mut Column, row: usize, token: Token) -> Outcome {
        if column.len() == row {
            return self.value(column, token).unwrap_or_else(|Bad| {
                column.truncate(row);
                Outcome::Partial
            });
        }
        // The name comes a second time: the last good value wins.
        let mut fresh = Column::new(&column.data_type);
        match self.value(&mut fresh, token) {
            Ok(outcome) => {
                column.truncate(row);
                column.append(fresh);
                outcome
            }
            Err(Bad) => Outcome::Partial,
        }
    }

    /// Adds the value that begins with `token` to a column.
    fn value(&mut self, column: &mut Column, token: Token) -> Result<Outcome, Bad> {
        let mut outcome = Outcome::Whole;
        let row = column.len();
        match (&mut column.values, token) {
            (_, Token::Null) => {
                column.push_null();
                return Ok(outcome);
            }
            (Values::Null, _) => {
                self.lexer.skip_children()?;
                column.push_null();
                return Ok(outcome);
            }
            (Values::Bytes(..), _) => return self.bytes(column, token),
            (_, Token::Text) => return self.text(column),
            (_, Token::Integer) => self.integer(column)?,
            (Values::Float(values), Token::Float) => values.push(parse_float(self.lexer.span(), false)),
            (Values::Double(values), Token::Float) => values.push(parse_double(self.lexer.span(), false)),
            (Values::Decimal(_), Token::Float) => self.decimal(column)?,
            (Values::Boolean(values), Token::True) => values.push(true),
            (Values::Boolean(values), Token::False) => values.push(false),
            (Values::Struct(fields), Token::StartObject) => outcome = self.object(fields, row)?,
            (Values::Map(_, keys, values), Token::StartObject) => outcome = self.map(keys, values)?,
            (Values::List(_, element), Token::StartArray) => outcome = self.array(element)?,
            _ => return self.refuse(),
        }
        column.push_valid();
        Ok(outcome)
    }

    /// Not a value of the type, for a reason that has no name of its own.
    fn refuse<T>(&mut self) -> Result<T, Bad> {
        self.noted = true;
        Err(Bad)
    }

    fn array(&mut self, element: &mut Column) -> Result<Outcome, Bad> {
        let mut outcome = Outcome::Whole;
        loop {
            let token = self.lexer.next_token()?;
            if token == Token::EndArray {
                return Ok(outcome);
            }
            if self.value(element, token)? == Outcome::Partial {
                outcome = Outcome::Partial;
            }
        }
    }

    fn map(&mut self, keys: &mut Column, values: &mut Column) -> Result<Outcome, Bad> {
        let mut outcome = Outcome::Whole;
        while self.lexer.next_token()? == Token::Name {
            self.bytes(keys, Token::Text)?;
            let token = self.lexer.next_token()?;
            if self.value(values, token)? == Outcome::Partial {
                outcome = Outcome::Partial;
            }
        }
        Ok(outcome)
    }

    fn integer(&mut self, column: &mut Column) -> Result<(), Bad> {
        let span = self.lexer.span();
        let long = parse_long(span);
        let taken = match (&mut column.values, &column.data_type) {
            (Values::Long(values), DataType::Long) => long.map(|value| values.push(value)),
            (Values::Integer(values), DataType::Integer) => {
                long.and_then(|value| i32::try_from(value).ok()).map(|value| values.push(value))
            }
            (Values::Short(values), _) => {
                long.and_then(|value| i16::try_from(value).ok()).map(|value| values.push(value))
            }
            // −128 to 255, wrapping.
            (Values::Byte(values), _) => {
                long.filter(|value| (-128..=255).contains(value)).map(|value| values.push(value as i8))
            }
            (Values::Float(values), _) => {
                values.push(parse_float(span, true));
                Some(())
            }
            (Values::Double(values), _) => {
                values.push(parse_double(span, true));
                Some(())
            }
            // Seconds since the epoch.
            (Values::Long(values), DataType::Timestamp) => {
                long.map(|value| values.push(value.wrapping_mul(1_000_000)))
            }
            (Values::Decimal(_), _) => return self.decimal(column),
            _ => None,
        };
        taken.map_or_else(|| self.refuse(), Ok)
    }

    fn decimal(&mut self, column: &mut Column) -> Result<(), Bad> {
        let text = std::str::from_utf8(self.lexer.span()).unwrap_or_default();
        let value = match column.data_type {
            DataType::Decimal(precision, scale) => parse_decimal(text, precision, scale),
            _ => None,
        };
        match (&mut column.values, value) {
            (Values::Decimal(values), Some(value)) => {
                values.push(value);
                Ok(())
            }
            _ => self.refuse(),
        }
    }

    /// Adds a string or a binary: any literal but a string counts as its source text.
    fn bytes(&mut self, column: &mut Column, token: Token) -> Result<Outcome, Bad> {
        let binary = column.data_type == DataType::Binary;
        let span = self.lexer.span();
        match token {
            _ if binary => {
                let decoded =
                    if token == Token::Text { parse_base64(self.content().as_bytes()) } else { None };
                match decoded {
                    Some(bytes) => column.push_bytes(&bytes),
                    None => return self.refuse(),
                }
            }
            Token::Text if !self.lexer.escaped() => column.push_bytes(span),
            Token::Text => {
                if let Values::Bytes(_, bytes) = &mut column.values {
                    unescape(span, bytes);
                }
                column.push_valid();
            }
            _ => {
                let start = self.lexer.token_start();
                self.lexer.skip_children()?;
                column.push_bytes(self.lexer.source(start));
            }
        }
        Ok(Outcome::Whole)
    }

    /// Adds a string to a column of another type.
    fn text(&mut self, column: &mut Column) -> Result<Outcome, Bad> {
        let moments = self.moments;
        let allowed = self.non_numeric;
        let content = self.content();
        let number = || non_numeric(content).filter(|_| allowed);
        let taken = match (&mut column.values, &column.data_type) {
            (_, _) if content.is_empty() => None,
            (Values::Long(values), DataType::Timestamp) => moments.timestamp(content).map(|v| values.push(v)),
            (Values::Long(values), DataType::TimestampNtz) => {
                moments.timestamp_ntz(content).map(|v| values.push(v))
            }
            (Values::Integer(values), DataType::Date) => moments.date(content).map(|v| values.push(v)),
            (Values::Float(values), _) => number().map(|v| values.push(v as f32)),
            (Values::Double(values), _) => number().map(|v| values.push(v)),
            (Values::Decimal(values), DataType::Decimal(precision, scale)) => {
                parse_decimal(&content.replace(',', ""), *precision, *scale).map(|v| values.push(v))
            }
            _ => None,
        };
        if taken.is_some() {
            column.push_valid();
            return Ok(Outcome::Whole);
        }
        let named = !content.is_empty() && matches!(column.data_type, DataType::Float | DataType::Double);
        if self.note_reason && !self.noted && named {
            self.reason = Some(BadString {
                field: String::from_utf8_lossy(&self.field).into_owned(),
                value: self.content().to_owned(),
                data_type: column.data_type.clone(),
            });
        }
        self.refuse()
    }

    /// What the string just read stands for.
    fn content(&mut self) -> &str {
        let bytes = if self.lexer.escaped() {
            self.scratch.clear();
            unescape(self.lexer.span(), &mut self.scratch);
            &self.scratch
        } else {
            self.lexer.span()
        };
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}
