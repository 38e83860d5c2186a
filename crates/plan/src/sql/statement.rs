//! Statements: a query, or one of the commands about temporary views.

use tidemark_types::lexer::TokenKind;
use tidemark_types::{SparkError, Zone};

use crate::error::not_supported;
use crate::expr::Expr;

use super::cursor::Cursor;
use super::query::Query;

/// Words that begin a command of Spark's SQL.
const COMMANDS: [&str; 34] = [
    "add", "alter", "analyze", "begin", "cache", "call", "clear", "comment", "convert", "create", "declare",
    "delete", "describe", "desc", "drop", "explain", "export", "grant", "import", "insert", "list", "load",
    "merge", "msck", "optimize", "refresh", "reset", "restore", "revoke", "set", "show", "truncate",
    "update", "vacuum",
];

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `SELECT …`.
    Query(Query),
    /// `CREATE [OR REPLACE] TEMP VIEW name AS …`.
    CreateView {
        /// The name.
        name: String,
        /// Whether a view of the name is replaced.
        replace: bool,
        /// What it shows.
        query: Query,
    },
    /// `DROP VIEW [IF EXISTS] name`.
    DropView {
        /// The name.
        name: Vec<String>,
        /// Whether it may be missing.
        if_exists: bool,
    },
}

impl Statement {
    /// The tables and paths that the statement reads.
    pub fn relations(&self) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        match self {
            Statement::Query(query) | Statement::CreateView { query, .. } => query.relations(&[], &mut found),
            Statement::DropView { .. } => {}
        }
        found
    }
}

/// The expression of a text: `expr("…")`, perhaps with an alias; timestamp constants are in `zone`.
pub fn parse_expression(text: &str, zone: Zone) -> Result<Expr, SparkError> {
    let mut cursor = Cursor::new(text, zone);
    let expr = cursor.named_expression_or_end()?;
    if cursor.at_end() { Ok(expr) } else { Err(cursor.error_extra()) }
}

/// The statement of a text; a semicolon may end it; timestamp constants are in `zone`.
pub fn parse_statement(text: &str, zone: Zone) -> Result<Statement, SparkError> {
    let mut cursor = Cursor::new(text, zone);
    let statement = statement(&mut cursor)?;
    let mut ended = false;
    while cursor.eat(";") {
        ended = true;
    }
    if cursor.at_end() {
        return Ok(statement);
    }
    Err(if ended { cursor.error_extra_token() } else { cursor.error_extra() })
}

fn statement(cursor: &mut Cursor<'_>) -> Result<Statement, SparkError> {
    if cursor.is_word("create") {
        let position = cursor.position();
        cursor.next();
        let replace = cursor.eat_words(&["or", "replace"]);
        if (cursor.eat_word("temp") || cursor.eat_word("temporary")) && cursor.eat_word("view") {
            let name = cursor.identifier()?;
            cursor.expect_word("as")?;
            let query = cursor.query()?;
            return Ok(Statement::CreateView { name, replace, query });
        }
        cursor.go_back(position);
    }
    if cursor.eat_words(&["drop", "view"]) {
        let if_exists = cursor.eat_words(&["if", "exists"]);
        return Ok(Statement::DropView { name: cursor.dotted()?, if_exists });
    }
    if let TokenKind::Word(word) = &cursor.peek().kind
        && COMMANDS.iter().any(|command| word.eq_ignore_ascii_case(command))
    {
        return Err(not_supported(&format!("the SQL command {}", word.to_uppercase())));
    }
    cursor.query().map(Statement::Query)
}

impl Cursor<'_> {
    /// An expression where a lone `AS` at the end is a name, as Spark reads it.
    fn named_expression_or_end(&mut self) -> Result<Expr, SparkError> {
        let expr = self.expression()?;
        if self.is_word("as") && matches!(self.ahead(1).kind, TokenKind::End) {
            let name = self.identifier()?;
            return Ok(expr.alias(&name));
        }
        self.go_back(0);
        self.named_expression()
    }
}
