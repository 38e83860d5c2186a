//! Records to rows: lines or a document, and what becomes of the malformed ones.

use std::sync::Arc;

use tidemark_types::{Batch, DataType, ErrorClass, SparkError, StructType};

use crate::format::file_format::Input;
use crate::format::json::column::{Column, Fields};
use crate::format::json::convert::{Bad, BadString, Outcome, Parser};
use crate::format::json::lexer::Token;
use crate::format::json::moments::Moments;
use crate::format::json::options::{JsonOptions, ParseMode};
use crate::format::json::row_text::row_text;
use crate::format::lines::{BYTE_ORDER_MARK, Lines};
use crate::format::read::failed_read_file;

/// The rows of a piece of a file.
pub fn decode(
    input: &Input<'_>,
    schema: &Arc<StructType>,
    options: &JsonOptions,
) -> Result<Batch, SparkError> {
    let moments = Moments::new(options, input.now);
    let mut decoder = Decoder::new(schema, options, &moments);
    let text: &[u8] = input.bytes;
    let read = if options.multi_line {
        decoder.record(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text))
    } else {
        Lines::new(text, input.start, input.end, options.line_separator.as_deref())
            .try_for_each(|line| decoder.record(line))
    };
    read.map_err(|cause| failed_read_file(input.uri, cause))?;
    decoder.finish()
}

/// Reads records one after another into the columns of a batch.
#[derive(Debug)]
pub struct Decoder<'a, 'o> {
    parser: Parser<'a, 'o>,
    schema: Arc<StructType>,
    fields: Fields,
    /// The position and the values of the column for malformed records, if the schema has it.
    corrupt: Option<(usize, Column)>,
    rows: usize,
    mode: ParseMode,
}

impl<'a, 'o> Decoder<'a, 'o> {
    /// A decoder for rows of this schema.
    pub fn new(schema: &Arc<StructType>, options: &JsonOptions, moments: &'o Moments) -> Self {
        let position = schema.fields.iter().position(|f| f.name == options.corrupt_column);
        let mut parsed = schema.as_ref().clone();
        let corrupt = position.map(|at| (at, Column::new(&parsed.fields.remove(at).data_type)));
        let mut parser = Parser::new(options, moments);
        parser.note_reason = options.mode == ParseMode::FailFast;
        Decoder {
            parser,
            schema: schema.clone(),
            fields: Fields::new(&parsed),
            corrupt,
            rows: 0,
            mode: options.mode,
        }
    }

    /// Reads one record: no row for a blank one, several for an array.
    pub fn record(&mut self, text: &'a [u8]) -> Result<(), SparkError> {
        let before = self.rows;
        self.parser.begin(text);
        match self.parse() {
            Ok(Outcome::Whole) => {
                self.mark(None);
                Ok(())
            }
            Ok(Outcome::Partial) => self.malformed(text, before),
            Err(Bad) => {
                self.fields.truncate(before);
                self.fields.fill(before + 1);
                self.rows = before + 1;
                self.malformed(text, before)
            }
        }
    }

    /// All rows as a batch.
    pub fn finish(self) -> Result<Batch, SparkError> {
        let mut columns = self.fields.columns;
        if let Some((position, column)) = self.corrupt {
            columns.insert(position, column);
        }
        let arrays = columns
            .into_iter()
            .map(Column::finish)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| SparkError::plain(ErrorClass::Spark, error.to_string()))?;
        Ok(Batch::new(self.schema, arrays, self.rows))
    }

    fn parse(&mut self) -> Result<Outcome, Bad> {
        match self.parser.lexer.next_token()? {
            Token::End => Ok(Outcome::Whole),
            Token::StartObject => self.row(),
            Token::StartArray => {
                let mut outcome = Outcome::Whole;
                loop {
                    match self.parser.lexer.next_token()? {
                        Token::EndArray => return Ok(outcome),
                        Token::StartObject if self.row()? == Outcome::Partial => outcome = Outcome::Partial,
                        Token::StartObject => {}
                        _ => return Err(Bad),
                    }
                }
            }
            _ => Err(Bad),
        }
    }

    fn row(&mut self) -> Result<Outcome, Bad> {
        let outcome = self.parser.object(&mut self.fields, self.rows)?;
        self.rows += 1;
        Ok(outcome)
    }

    /// Completes the column for malformed records up to the last row.
    fn mark(&mut self, text: Option<&[u8]>) {
        let Some((_, column)) = &mut self.corrupt else { return };
        while column.len() < self.rows {
            match text {
                Some(text) => column.push_bytes(String::from_utf8_lossy(text).as_bytes()),
                None => column.push_null(),
            }
        }
    }

    /// Does with the rows since `before` what the mode says.
    fn malformed(&mut self, text: &[u8], before: usize) -> Result<(), SparkError> {
        match self.mode {
            ParseMode::Permissive => self.mark(Some(text)),
            ParseMode::DropMalformed => {
                self.fields.truncate(before);
                self.rows = before;
            }
            ParseMode::FailFast => {
                self.mark(Some(text));
                return Err(match self.parser.reason.take() {
                    Some(reason) => bad_string(text, &reason),
                    None => malformed_record(&self.first_row(before)),
                });
            }
        }
        Ok(())
    }

    fn first_row(&self, row: usize) -> String {
        let mut columns: Vec<&Column> = self.fields.columns.iter().collect();
        if let Some((position, column)) = &self.corrupt {
            columns.insert(*position, column);
        }
        row_text(&columns, row)
    }
}

const ADVICE: &str =
    "To process malformed records as null result, try setting the option 'mode' as 'PERMISSIVE'.";

/// `MALFORMED_RECORD_IN_PARSING` of a record that became this row.
pub fn malformed_record(row: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Spark,
        "MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION",
        "22023",
        format!("Malformed records are detected in record parsing: {row}.\nParse Mode: FAILFAST. {ADVICE} "),
    )
    .with_parameter("badRecord", row)
    .with_parameter("failFastMode", "FAILFAST")
}

fn bad_string(text: &[u8], reason: &BadString) -> SparkError {
    let record = String::from_utf8_lossy(text);
    let BadString { field, value, data_type } = reason;
    SparkError::new(
        ErrorClass::Runtime,
        "MALFORMED_RECORD_IN_PARSING.CANNOT_PARSE_STRING_AS_DATATYPE",
        "22023",
        format!(
            "Malformed records are detected in record parsing: {record}.\nParse Mode: FAILFAST. {ADVICE} Cannot parse \
             the value '{value}' of the field `{field}` as target spark data type {} from the input type StringType.",
            if *data_type == DataType::Float { "FloatType" } else { "DoubleType" }
        ),
    )
    .with_parameter("badRecord", record)
    .with_parameter("failFastMode", "FAILFAST")
}
