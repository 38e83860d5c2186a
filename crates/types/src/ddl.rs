//! Schemas and types from DDL text: `id INT, user STRING NOT NULL COMMENT 'who'`.

use serde_json::json;

use crate::data_type::DataType;
use crate::error::{ErrorClass, SparkError};
use crate::lexer::{Token, TokenKind, parse_error, syntax_error, tokenize};
use crate::schema::{StructField, StructType};

impl StructType {
    /// The schema that a DDL text describes, as `spark.readStream.schema(text)` reads it.
    pub fn from_ddl(text: &str) -> Result<StructType, SparkError> {
        let mut parser = TypeParser::new(text);
        parser.some()?;
        let mut fields = vec![parser.column()?];
        while parser.eat(",") {
            fields.push(parser.column()?);
        }
        parser.end()?;
        Ok(StructType::new(fields))
    }
}

impl DataType {
    /// The type that a text describes, as `cast(text)` reads it: `int`, `array<string>`.
    pub fn from_ddl(text: &str) -> Result<DataType, SparkError> {
        let mut parser = TypeParser::new(text);
        parser.some()?;
        let data_type = parser.data_type()?;
        parser.end()?;
        Ok(data_type)
    }

    /// What PySpark makes of a type text: a table schema, else a type, else the fields of a struct.
    ///
    /// Errors: that of the first try.
    pub fn from_python_ddl(text: &str) -> Result<DataType, SparkError> {
        let first = match StructType::from_ddl(text) {
            Ok(schema) => return Ok(DataType::Struct(schema)),
            Err(error) => error,
        };
        DataType::from_ddl(text)
            .or_else(|_| DataType::from_ddl(&format!("struct<{}>", text.trim())))
            .map_err(|_| first)
    }
}

/// Reads types out of a list of tokens, from any place in it.
pub struct TypeParser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    /// How often a `>>` was used as one `>`.
    half: bool,
}

impl<'a> TypeParser<'a> {
    /// A parser at the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        TypeParser { text, tokens: tokenize(text), at: 0, half: false }
    }

    /// A parser at one token of a text that has been cut already.
    pub fn at(text: &'a str, tokens: Vec<Token>, at: usize) -> Self {
        TypeParser { text, tokens, at, half: false }
    }

    /// The position of the next token.
    pub fn position(&self) -> usize {
        self.at
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    fn error_here(&self) -> SparkError {
        syntax_error(self.text, self.peek(), "")
    }

    /// Refuses a text without a token.
    fn some(&self) -> Result<(), SparkError> {
        match self.peek().kind {
            TokenKind::End => Err(parse_error(
                self.text,
                self.peek().start,
                "PARSE_EMPTY_STATEMENT",
                "42617",
                "Syntax error, unexpected empty statement.".to_owned(),
            )),
            _ => Ok(()),
        }
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = matches!(&self.peek().kind, TokenKind::Symbol(s) if *s == symbol);
        if found {
            self.at += 1;
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(&self.peek().kind, TokenKind::Word(w) if w.eq_ignore_ascii_case(word));
        if found {
            self.at += 1;
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), SparkError> {
        if self.eat(symbol) { Ok(()) } else { Err(self.error_here()) }
    }

    /// The closing `>` of a type; the lexer reads two of them as one shift.
    fn close(&mut self) -> bool {
        if self.half {
            self.half = false;
            self.at += 1;
            return true;
        }
        if matches!(&self.peek().kind, TokenKind::Symbol(">>")) {
            self.half = true;
            return true;
        }
        self.eat(">")
    }

    fn end(&self) -> Result<(), SparkError> {
        match self.peek().kind {
            TokenKind::End if !self.half => Ok(()),
            _ => Err(self.error_here()),
        }
    }

    fn identifier(&mut self) -> Result<String, SparkError> {
        let name = match &self.peek().kind {
            TokenKind::Word(word) => word.clone(),
            TokenKind::Quoted(name) => name.clone(),
            _ => return Err(self.error_here()),
        };
        if let (TokenKind::Word(_), TokenKind::Symbol("-"), TokenKind::Word(after)) = (
            &self.peek().kind,
            &self.peek_second().kind,
            &self.tokens[(self.at + 2).min(self.tokens.len() - 1)].kind,
        ) {
            return Err(self.invalid_identifier(&format!("{name}-{after}"), self.peek_second().start));
        }
        self.at += 1;
        Ok(name)
    }

    fn invalid_identifier(&self, name: &str, at: usize) -> SparkError {
        parse_error(
            self.text,
            at,
            "INVALID_IDENTIFIER",
            "42602",
            format!(
                "The unquoted identifier {name} is invalid and must be back quoted as: `{name}`.\nUnquoted identifiers can only contain ASCII letters ('a' - 'z', 'A' - 'Z'), digits ('0' - '9'), and underbar ('_').\nUnquoted identifiers must also not start with a digit.\nDifferent data sources and meta stores may impose additional restrictions on valid identifiers."
            ),
        )
        .with_parameter("ident", name)
    }

    /// `name [:] type [NOT NULL] [COMMENT '…']`.
    fn column(&mut self) -> Result<StructField, SparkError> {
        let name = self.identifier()?;
        self.eat(":");
        let data_type = self.data_type()?;
        if self.eat_word("collate") {
            self.identifier()?;
        }
        let mut field = StructField::new(name, data_type, true);
        if self.eat_word("not") {
            if !self.eat_word("null") {
                return Err(syntax_error(self.text, self.peek(), ": missing 'NULL'"));
            }
            field.nullable = false;
        }
        if self.eat_word("comment") {
            let TokenKind::Text(comment) = &self.peek().kind else { return Err(self.error_here()) };
            field.metadata = Some(json!({"comment": comment}).to_string());
            self.at += 1;
        }
        Ok(field)
    }

    /// A type at the next token.
    pub fn data_type(&mut self) -> Result<DataType, SparkError> {
        let token = self.peek().clone();
        let name = match &token.kind {
            TokenKind::Word(word) => word.to_ascii_lowercase(),
            TokenKind::Quoted(_) => return Err(self.unsupported(&token)),
            _ => return Err(self.error_here()),
        };
        self.at += 1;
        match name.as_str() {
            "array" | "map" | "struct" => self.nested(&token, &name),
            "decimal" | "dec" | "numeric" => self.decimal(),
            "char" | "character" | "varchar" => {
                let size = self.integers()?;
                if size.is_empty() { Err(self.missing_size(&token)) } else { Ok(DataType::String) }
            }
            "interval" => self.interval(&token),
            simple => simple_type(simple).ok_or_else(|| self.unsupported(&token)),
        }
    }

    fn nested(&mut self, token: &Token, name: &str) -> Result<DataType, SparkError> {
        let open = self.peek().clone();
        if matches!(open.kind, TokenKind::Symbol("<>")) && name == "struct" {
            self.at += 1;
            return Ok(DataType::Struct(StructType::default()));
        }
        if !self.eat("<") {
            return Err(self.incomplete(token, name));
        }
        let whole = match name {
            "array" => self.data_type().map(|e| DataType::Array(Box::new(e), true)),
            "map" => self.data_type().and_then(|key| {
                self.expect(",").map_err(|_| syntax_error(self.text, &open, ""))?;
                Ok(DataType::Map(Box::new(key), Box::new(self.data_type()?), true))
            }),
            _ => self.fields().map(|fields| DataType::Struct(StructType::new(fields))),
        }?;
        if self.close() { Ok(whole) } else { Err(syntax_error(self.text, &open, "")) }
    }

    fn fields(&mut self) -> Result<Vec<StructField>, SparkError> {
        if matches!(self.peek().kind, TokenKind::Symbol(">")) {
            return Ok(Vec::new());
        }
        let mut fields = vec![self.column()?];
        while self.eat(",") {
            fields.push(self.column()?);
        }
        Ok(fields)
    }

    fn decimal(&mut self) -> Result<DataType, SparkError> {
        let (precision, scale) = match self.integers()?.as_slice() {
            [] => (10, 0),
            [precision] => (*precision, 0),
            [precision, scale, ..] => (*precision, *scale),
        };
        if precision > 38 {
            return Err(SparkError::new(
                ErrorClass::Arithmetic,
                "DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION",
                "22003",
                format!("Decimal precision {precision} exceeds max precision 38."),
            )
            .with_parameter("precision", precision.to_string())
            .with_parameter("maxPrecision", "38"));
        }
        if scale > precision {
            return Err(SparkError::new(
                ErrorClass::Analysis,
                "INVALID_DECIMAL_SCALE",
                "42K09",
                format!("Decimal scale ({scale}) cannot be greater than precision ({precision})."),
            ));
        }
        Ok(DataType::Decimal(precision as u8, scale as i8))
    }

    /// `(n, …)`, or nothing.
    fn integers(&mut self) -> Result<Vec<u32>, SparkError> {
        if !self.eat("(") {
            return Ok(Vec::new());
        }
        let mut numbers = Vec::new();
        loop {
            let TokenKind::Number(number) = &self.peek().kind else { return Err(self.error_here()) };
            numbers.push(number.parse().map_err(|_| self.error_here())?);
            self.at += 1;
            if self.eat(")") {
                return Ok(numbers);
            }
            self.expect(",")?;
        }
    }

    fn interval(&mut self, token: &Token) -> Result<DataType, SparkError> {
        let unit = |p: &Self| match &p.peek().kind {
            TokenKind::Word(w) => Some(w.to_ascii_lowercase()),
            _ => None,
        };
        let Some(first) =
            unit(self).filter(|u| ["year", "month", "day", "hour", "minute", "second"].contains(&u.as_str()))
        else {
            return Err(self.unsupported(token));
        };
        self.at += 1;
        if self.eat_word("to") {
            unit(self).ok_or_else(|| self.error_here())?;
            self.at += 1;
        }
        Ok(match first.as_str() {
            "year" | "month" => DataType::YearMonthInterval,
            _ => DataType::DayTimeInterval,
        })
    }

    fn unsupported(&self, token: &Token) -> SparkError {
        let name = self.text[token.start..token.end].to_uppercase();
        parse_error(
            self.text,
            token.start,
            "UNSUPPORTED_DATATYPE",
            "0A000",
            format!("Unsupported data type \"{name}\"."),
        )
        .with_parameter("typeName", format!("\"{name}\""))
    }

    fn missing_size(&self, token: &Token) -> SparkError {
        let name = format!("\"{}\"", self.text[token.start..token.end].to_uppercase());
        parse_error(
            self.text,
            token.start,
            "DATATYPE_MISSING_SIZE",
            "42K01",
            format!("DataType {name} requires a length parameter, for example {name}(10). Please specify the length."),
        )
        .with_parameter("type", name)
    }

    fn incomplete(&self, token: &Token, name: &str) -> SparkError {
        let (condition, what) = match name {
            "array" => (
                "INCOMPLETE_TYPE_DEFINITION.ARRAY",
                "The definition of \"ARRAY\" type is incomplete. You must provide an element type. For example: \"ARRAY<INT>\".",
            ),
            "map" => (
                "INCOMPLETE_TYPE_DEFINITION.MAP",
                "The definition of \"MAP\" type is incomplete. You must provide a key type and a value type. For example: \"MAP<TIMESTAMP, INT>\".",
            ),
            _ => (
                "INCOMPLETE_TYPE_DEFINITION.STRUCT",
                "The definition of \"STRUCT\" type is incomplete. You must provide at least one field type. For example: \"STRUCT<name STRING, phone DECIMAL(10, 0)>\".",
            ),
        };
        parse_error(self.text, token.start, condition, "42K01", format!("Incomplete complex type: {what}"))
    }
}

// tidy: table
fn simple_type(name: &str) -> Option<DataType> {
    Some(match name {
        "boolean" => DataType::Boolean,
        "tinyint" | "byte" => DataType::Byte,
        "smallint" | "short" => DataType::Short,
        "int" | "integer" => DataType::Integer,
        "bigint" | "long" => DataType::Long,
        "float" | "real" => DataType::Float,
        "double" => DataType::Double,
        "date" => DataType::Date,
        "timestamp" | "timestamp_ltz" => DataType::Timestamp,
        "timestamp_ntz" => DataType::TimestampNtz,
        "string" => DataType::String,
        "binary" => DataType::Binary,
        "void" => DataType::Null,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_texts() {
        for (text, sql) in [
            (
                "id INT, user STRING, amt DOUBLE, ts TIMESTAMP",
                "STRUCT<id: INT, user: STRING, amt: DOUBLE, ts: TIMESTAMP>",
            ),
            ("a STRUCT<x: INT, y STRING>", "STRUCT<a: STRUCT<x: INT, y: STRING>>"),
            ("a STRUCT<x: INT NOT NULL COMMENT 'c'>", "STRUCT<a: STRUCT<x: INT NOT NULL>>"),
            (
                "a ARRAY<ARRAY<INT>>, b MAP<STRING, DOUBLE>",
                "STRUCT<a: ARRAY<ARRAY<INT>>, b: MAP<STRING, DOUBLE>>",
            ),
            ("a map<string, struct<x:int>>", "STRUCT<a: MAP<STRING, STRUCT<x: INT>>>"),
            (
                "a DECIMAL, b DECIMAL(5), c NUMERIC(5,2), e DEC",
                "STRUCT<a: DECIMAL(10,0), b: DECIMAL(5,0), c: DECIMAL(5,2), e: DECIMAL(10,0)>",
            ),
            ("`a b` INT NOT NULL, `c``d` LONG", "STRUCT<a b: INT NOT NULL, c`d: BIGINT>"),
            ("a: INT, 1a INT, select INT", "STRUCT<a: INT, 1a: INT, select: INT>"),
            (
                "timestamp TIMESTAMP, date DATE, value VARCHAR(3), v VOID",
                "STRUCT<timestamp: TIMESTAMP, date: DATE, value: STRING, v: VOID>",
            ),
            (
                "a STRUCT<>, i INTERVAL DAY TO SECOND, y INTERVAL YEAR",
                "STRUCT<a: STRUCT<>, i: INTERVAL DAY TO SECOND, y: INTERVAL YEAR TO MONTH>",
            ),
        ] {
            let schema = StructType::from_ddl(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(DataType::Struct(schema).sql(), sql, "{text}");
        }
        assert_eq!(DataType::from_python_ddl("int"), Ok(DataType::Integer));
        let comment = StructType::from_ddl("b STRING COMMENT 'hello'").expect("the text is good");
        assert_eq!(comment.fields[0].metadata.as_deref(), Some(r#"{"comment":"hello"}"#));
    }

    /// Condition and beginning of the text, as Spark 4.2 answers.
    #[test]
    // tidy: table
    fn bad_texts() {
        for (text, message) in [
            (
                "id",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near end of input. SQLSTATE: 42601 (line 1, pos 2)\n\n== SQL ==\nid\n--^^^",
            ),
            (
                "id INT,",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near end of input. SQLSTATE: 42601 (line 1, pos 7)\n\n== SQL ==\nid INT,\n-------^^^",
            ),
            (
                "id INTT",
                "\n[UNSUPPORTED_DATATYPE] Unsupported data type \"INTT\". SQLSTATE: 0A000 (line 1, pos 3)\n\n== SQL ==\nid INTT\n---^^^",
            ),
            (
                "id INT user STRING",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near 'user'. SQLSTATE: 42601 (line 1, pos 7)\n\n== SQL ==\nid INT user STRING\n-------^^^",
            ),
            (
                "a DECIMAL(50,2)",
                "[DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION] Decimal precision 50 exceeds max precision 38. SQLSTATE: 22003",
            ),
            (
                "a INT; b INT",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near ';'. SQLSTATE: 42601 (line 1, pos 5)\n\n== SQL ==\na INT; b INT\n-----^^^",
            ),
            (
                "a VARCHAR",
                "\n[DATATYPE_MISSING_SIZE] DataType \"VARCHAR\" requires a length parameter, for example \"VARCHAR\"(10). Please specify the length. SQLSTATE: 42K01 (line 1, pos 2)\n\n== SQL ==\na VARCHAR\n--^^^",
            ),
            (
                "a ARRAY",
                "\n[INCOMPLETE_TYPE_DEFINITION.ARRAY] Incomplete complex type: The definition of \"ARRAY\" type is incomplete. You must provide an element type. For example: \"ARRAY<INT>\". SQLSTATE: 42K01 (line 1, pos 2)\n\n== SQL ==\na ARRAY\n--^^^",
            ),
            (
                "a MAP<INT>",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near '<'. SQLSTATE: 42601 (line 1, pos 5)\n\n== SQL ==\na MAP<INT>\n-----^^^",
            ),
            (
                "a STRUCT<x INT",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near '<'. SQLSTATE: 42601 (line 1, pos 8)\n\n== SQL ==\na STRUCT<x INT\n--------^^^",
            ),
            (
                "a INT,, b INT",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near ','. SQLSTATE: 42601 (line 1, pos 6)\n\n== SQL ==\na INT,, b INT\n------^^^",
            ),
            (
                ", a INT",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near ','. SQLSTATE: 42601 (line 1, pos 0)\n\n== SQL ==\n, a INT\n^^^",
            ),
            (
                "a ",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near end of input. SQLSTATE: 42601 (line 1, pos 2)\n\n== SQL ==\na \n--^^^",
            ),
            (
                "a INT NOT",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near end of input: missing 'NULL'. SQLSTATE: 42601 (line 1, pos 9)\n\n== SQL ==\na INT NOT\n---------^^^",
            ),
            (
                "a INT)",
                "\n[PARSE_SYNTAX_ERROR] Syntax error at or near ')'. SQLSTATE: 42601 (line 1, pos 5)\n\n== SQL ==\na INT)\n-----^^^",
            ),
        ] {
            let error = StructType::from_ddl(text).expect_err("the text is bad");
            assert_eq!(error.full_message(), message, "{text}");
        }
        for text in ["", " \n"] {
            let error = StructType::from_ddl(text).expect_err("the text is bad");
            assert_eq!(error.condition.0, "PARSE_EMPTY_STATEMENT");
        }
        let error = StructType::from_ddl("a-b INT").expect_err("the text is bad");
        assert_eq!((error.condition.0.as_str(), error.sql_state.as_str()), ("INVALID_IDENTIFIER", "42602"));
    }
}
