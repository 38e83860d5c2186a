//! CSV as a file format.

use std::sync::Arc;

use bytes::Bytes;
use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_plan::spec::Options;
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::{Batch, DataType, ErrorClass, SimTime, SparkError, StructField, StructType, Zone};

use crate::format::csv::options::CsvOptions;
use crate::format::csv::record::{Cell, record};
use crate::format::csv::value::{push, widen};
use crate::format::file_format::{FileFormat, Input};
use crate::format::json::column::Column;
use crate::format::json::decode::malformed_record;
use crate::format::json::json_format::{check_corrupt_column, check_names};
use crate::format::json::moments::Moments;
use crate::format::json::options::ParseMode;
use crate::format::json::row_text::row_text;
use crate::format::lines::{BYTE_ORDER_MARK, Lines};
use crate::format::read::failed_read_file;
use crate::format::text::unsupported_type;

/// CSV with its options.
#[derive(Clone, Debug)]
pub struct CsvFormat {
    options: CsvOptions,
    /// The columns of the files, if they are more than those that are read.
    declared: Option<StructType>,
}

impl CsvFormat {
    /// CSV as reader or writer was told.
    pub fn new(options: &Options, settings: &dyn Settings) -> Result<Self> {
        Ok(CsvFormat { options: CsvOptions::new(options, settings)?, declared: None })
    }

    /// The records of a piece of a file with the source text of each, without blank lines, comments and header.
    fn records<'a>(&'a self, text: &'a [u8], start: usize, end: usize) -> Vec<(&'a [u8], Vec<Cell>)> {
        let options = &self.options;
        let mut out = Vec::new();
        let mut add = |source: &'a [u8], multi_line: bool| {
            let blank = source.trim_ascii().is_empty();
            if !blank && (options.comment.is_none() || source.first().copied() != options.comment) {
                out.push((source, record(source, options, multi_line).0));
            }
        };
        if options.base.multi_line {
            let mut rest = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
            while !rest.is_empty() {
                let (_, length) = record(rest, options, true);
                add(rest[..length].trim_ascii_end(), true);
                rest = &rest[length..];
            }
        } else {
            Lines::new(text, start, end, options.base.line_separator.as_deref())
                .for_each(|line| add(line, false));
        }
        if options.header && start == 0 && !out.is_empty() {
            out.remove(0);
        }
        out
    }

    fn header(&self, text: &[u8]) -> Option<Vec<Cell>> {
        let options = CsvOptions { header: false, ..self.options.clone() };
        let without = CsvFormat { options, declared: None };
        without.records(text, 0, text.len()).into_iter().next().map(|(_, cells)| cells)
    }

    fn check_header(&self, input: &Input<'_>, schema: &StructType) -> Result<()> {
        if !self.options.header || self.options.enforce_schema || input.start > 0 {
            return Ok(());
        }
        let Some(header) = self.header(input.bytes) else { return Ok(()) };
        let names: Vec<&str> = header.iter().map(|cell| cell.text.as_str()).collect();
        let agrees = names.iter().zip(schema.names()).all(|(a, b)| a.eq_ignore_ascii_case(b));
        if agrees && names.len() == schema.fields.len() {
            return Ok(());
        }
        let text = format!(
            "CSV header does not conform to the schema.\n Header: {}\n Schema: {}\nCSV file: {}",
            names.join(", "),
            schema.names().join(", "),
            input.uri
        );
        Err(failed_read_file(input.uri, SparkError::plain(ErrorClass::IllegalArgument, text)).into())
    }
}

impl FileFormat for CsvFormat {
    fn title(&self) -> &'static str {
        "CSV"
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn declare(&mut self, columns: &StructType) {
        let data = columns.fields.iter().filter(|f| f.name != self.options.base.corrupt_column).cloned();
        self.declared = Some(StructType::new(data.collect()));
    }

    fn splittable(&self) -> bool {
        !self.options.base.multi_line
    }

    fn infer(&self, files: &[Bytes], now: SimTime) -> Result<Option<StructType>> {
        let moments = Moments::new(&self.options.base, now);
        let Some(header) = files.iter().find_map(|file| self.header(file)) else {
            return Ok((!files.is_empty()).then(StructType::default));
        };
        let mut types = vec![DataType::Null; header.len()];
        if self.options.infer_schema {
            for file in files {
                for (_, cells) in self.records(file, 0, file.len()) {
                    for (known, cell) in types.iter_mut().zip(&cells) {
                        *known = widen(known, cell, &self.options, &moments);
                    }
                }
            }
        }
        let name = |at: usize, cell: &Cell| {
            let named = self.options.header && !cell.text.is_empty();
            if named { cell.text.clone() } else { format!("_c{at}") }
        };
        let fields = header.iter().zip(types).enumerate().map(|(at, (cell, data_type))| {
            let data_type = if data_type == DataType::Null { DataType::String } else { data_type };
            StructField::new(name(at, cell), data_type, true)
        });
        Ok(Some(StructType::new(fields.collect())))
    }

    fn check_read(&self, schema: &StructType) -> Result<()> {
        check_names(schema)?;
        check_types(schema)?;
        check_corrupt_column(&self.options.base.corrupt_column, schema)
    }

    fn check_write(&self, schema: &StructType) -> Result<()> {
        check_names(schema)?;
        check_types(schema)
    }

    fn decode(&self, input: &Input<'_>, schema: &Arc<StructType>) -> Result<Batch> {
        let moments = Moments::new(&self.options.base, input.now);
        let corrupt = schema.fields.iter().position(|f| f.name == self.options.base.corrupt_column);
        let mut data = schema.as_ref().clone();
        let mut marks = corrupt.map(|at| Column::new(&data.fields.remove(at).data_type));
        let declared = self.declared.as_ref().unwrap_or(&data);
        self.check_header(input, declared)?;
        let positions: Vec<usize> =
            data.fields.iter().map(|f| declared.index_of(&f.name).unwrap_or(usize::MAX)).collect();
        let whole = declared.fields.len() == data.fields.len();
        let mut columns: Vec<Column> =
            data.fields.iter().map(|field| Column::new(&field.data_type)).collect();
        let mut rows = 0;
        for (source, cells) in self.records(input.bytes, input.start, input.end) {
            let mut good = !whole || cells.len() == columns.len();
            for (column, at) in columns.iter_mut().zip(&positions) {
                good &= push(column, cells.get(*at), &self.options, &moments);
            }
            match self.options.base.mode {
                ParseMode::DropMalformed if !good => {
                    for column in &mut columns {
                        column.truncate(rows);
                    }
                    continue;
                }
                ParseMode::FailFast if !good => {
                    let row = row_text(&columns.iter().collect::<Vec<_>>(), rows);
                    return Err(failed_read_file(input.uri, malformed_record(&row)).into());
                }
                _ => {}
            }
            rows += 1;
            if let Some(marks) = &mut marks {
                if good {
                    marks.push_null();
                } else {
                    marks.push_bytes(String::from_utf8_lossy(source).as_bytes());
                }
            }
        }
        if let Some((at, marks)) = corrupt.zip(marks) {
            columns.insert(at, marks);
        }
        let arrays = columns
            .into_iter()
            .map(Column::finish)
            .collect::<std::result::Result<Vec<_>, _>>()
            .map_err(|error| SparkError::plain(ErrorClass::Spark, error.to_string()))?;
        Ok(Batch::new(schema.clone(), arrays, rows))
    }

    fn encode(&self, batches: &[Batch], schema: &Arc<StructType>) -> Result<Bytes> {
        let moments = Moments::new(&self.options.base, SimTime(0));
        let style = TextStyle::cast(Zone::parse(&self.options.base.time_zone).unwrap_or(Zone::UTC));
        let mut out = String::new();
        let mut line = |cells: Vec<Option<String>>| {
            let cells: Vec<String> = cells.iter().map(|cell| self.cell_text(cell.as_deref())).collect();
            out.push_str(&cells.join(&char::from(self.options.separator).to_string()));
            out.push('\n');
        };
        if self.options.header {
            line(schema.fields.iter().map(|field| Some(field.name.clone())).collect());
        }
        for batch in batches {
            for row in 0..batch.rows() {
                let cells =
                    schema.fields.iter().zip(batch.columns()).map(|(field, column)| match &field.data_type {
                        DataType::Timestamp | DataType::TimestampNtz | DataType::Date => {
                            moments.cell_text(column.as_ref(), &field.data_type, row)
                        }
                        other => value_text(column, other, row, style),
                    });
                line(cells.collect());
            }
        }
        Ok(out.into())
    }
}

impl CsvFormat {
    fn cell_text(&self, cell: Option<&str>) -> String {
        let Some(text) = cell else { return self.options.null_value.clone() };
        let Some(quote) = self.options.quote.map(char::from) else { return text.to_owned() };
        if text.is_empty() {
            return self.options.empty_value.clone().unwrap_or_else(|| format!("{quote}{quote}"));
        }
        let special = [char::from(self.options.separator), quote, '\n', '\r'];
        if !text.contains(special) {
            return text.to_owned();
        }
        let escape = char::from(self.options.escape);
        format!("{quote}{}{quote}", text.replace(quote, &format!("{escape}{quote}")))
    }
}

fn check_types(schema: &StructType) -> Result<()> {
    let nested = |field: &&StructField| {
        matches!(
            field.data_type,
            DataType::Array(..) | DataType::Map(..) | DataType::Struct(_) | DataType::Binary
        )
    };
    match schema.fields.iter().find(nested) {
        Some(field) => Err(unsupported_type("CSV", &field.name, &field.data_type).into()),
        None => Ok(()),
    }
}
