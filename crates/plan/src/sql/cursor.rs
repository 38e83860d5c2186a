//! A place in a cut text.

use tidemark_types::lexer::{Token, TokenKind, line_and_pos, syntax_error, tokenize};
use tidemark_types::{DataType, SparkError, Zone};

use crate::expr::{Expr, Origin};

/// How deep expressions and queries may nest.
const DEPTH_MAX: usize = 200;

/// The tokens of a text and the one that is next.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) zone: Zone,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, zone: Zone) -> Self {
        Cursor { text, zone, tokens: tokenize(text), at: 0, depth: 0 }
    }

    pub(super) fn peek(&self) -> &Token {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, count: usize) -> &Token {
        &self.tokens[(self.at + count).min(self.tokens.len() - 1)]
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn is_symbol(&self, symbol: &str) -> bool {
        matches!(&self.peek().kind, TokenKind::Symbol(s) if *s == symbol)
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Result<(), SparkError> {
        if self.eat(symbol) { Ok(()) } else { Err(self.error()) }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.is_word_ahead(0, word)
    }

    pub(super) fn is_word_ahead(&self, count: usize, word: &str) -> bool {
        matches!(&self.ahead(count).kind, TokenKind::Word(w) if w.eq_ignore_ascii_case(word))
    }

    pub(super) fn is_any_word(&self, words: &[&str]) -> bool {
        words.iter().any(|w| self.is_word(w))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn eat_words(&mut self, words: &[&str]) -> bool {
        let found = words.iter().enumerate().all(|(i, w)| self.is_word_ahead(i, w));
        if found {
            self.at += words.len();
        }
        found
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), SparkError> {
        if self.eat_word(word) { Ok(()) } else { Err(self.error()) }
    }

    /// A name, quoted or not.
    pub(super) fn identifier(&mut self) -> Result<String, SparkError> {
        let name = match &self.peek().kind {
            TokenKind::Word(w) => w.clone(),
            TokenKind::Quoted(q) => q.clone(),
            _ => return Err(self.error()),
        };
        self.next();
        Ok(name)
    }

    /// `a.b.c`.
    pub(super) fn dotted(&mut self) -> Result<Vec<String>, SparkError> {
        let mut parts = vec![self.identifier()?];
        while self.is_symbol(".") {
            self.next();
            parts.push(self.identifier()?);
        }
        Ok(parts)
    }

    /// A type at this place.
    pub(super) fn data_type(&mut self) -> Result<DataType, SparkError> {
        let mut parser = tidemark_types::ddl::TypeParser::at(self.text, self.tokens.clone(), self.at);
        let data_type = parser.data_type()?;
        self.at = parser.position();
        Ok(data_type)
    }

    pub(super) fn error(&self) -> SparkError {
        syntax_error(self.text, self.peek(), "")
    }

    /// The error of a token too many.
    pub(super) fn error_extra(&self) -> SparkError {
        let token = self.peek();
        let last = matches!(self.ahead(1).kind, TokenKind::End) && !matches!(token.kind, TokenKind::End);
        if last && !matches!(token.kind, TokenKind::Unknown(_)) {
            return self.error_extra_token();
        }
        self.error()
    }

    pub(super) fn error_extra_token(&self) -> SparkError {
        let token = self.peek();
        let hint = format!(": extra input '{}'", &self.text[token.start..token.end]);
        syntax_error(self.text, token, &hint)
    }

    pub(super) fn at_end(&self) -> bool {
        matches!(self.peek().kind, TokenKind::End)
    }

    pub(super) fn origin(&self) -> Origin {
        self.origin_of(self.peek().start)
    }

    pub(super) fn origin_of(&self, byte: usize) -> Origin {
        let (line, pos) = line_and_pos(self.text, byte);
        Origin { line, pos }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn go_back(&mut self, position: usize) {
        self.at = position;
    }

    /// Goes one level deeper, within the limit.
    pub(super) fn deeper<T>(
        &mut self,
        then: impl FnOnce(&mut Self) -> Result<T, SparkError>,
    ) -> Result<T, SparkError> {
        if self.depth == DEPTH_MAX {
            return Err(crate::error::not_supported("SQL text nested this deeply"));
        }
        self.depth += 1;
        let result = then(self);
        self.depth -= 1;
        result
    }
}

/// The expression with its place.
pub(super) fn placed(origin: Origin, child: Expr) -> Expr {
    match child {
        Expr::At { .. } => child,
        other => Expr::At { origin, child: Box::new(other) },
    }
}
