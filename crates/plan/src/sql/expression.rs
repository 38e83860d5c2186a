//! Expressions of SQL text, by Spark's precedence.

use tidemark_types::SparkError;
use tidemark_types::lexer::TokenKind;

use crate::error::not_supported;
use crate::expr::{Call, Expr, Origin};
use crate::literal::Literal;
use crate::scalar::CastMode;

use super::cursor::{Cursor, placed};
use super::subquery::MARKS;
use super::{interval, literal};

/// Binary operators from loose to tight; those of one line bind alike, to the left.
const LEVELS: [&[&str]; 7] = [
    &["=", "==", "<=>", "<>", "!=", "<", "<=", ">", ">="],
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-", "||"],
    &["*", "/", "%"],
];

/// Words that end an expression, so that they are no alias without `AS`.
const ENDS: [&str; 48] = [
    "from",
    "where",
    "group",
    "having",
    "order",
    "sort",
    "limit",
    "offset",
    "union",
    "except",
    "intersect",
    "minus",
    "join",
    "on",
    "using",
    "left",
    "right",
    "full",
    "inner",
    "outer",
    "cross",
    "lateral",
    "natural",
    "semi",
    "anti",
    "window",
    "qualify",
    "cluster",
    "distribute",
    "when",
    "then",
    "else",
    "end",
    "and",
    "or",
    "as",
    "is",
    "in",
    "like",
    "rlike",
    "ilike",
    "between",
    "not",
    "desc",
    "asc",
    "nulls",
    "div",
    "tablesample",
];

impl Cursor<'_> {
    /// An item of a select list: an expression, perhaps with names.
    pub(super) fn named_expression(&mut self) -> Result<Expr, SparkError> {
        let origin = self.origin();
        let child = self.expression()?;
        let names = if self.eat_word("as") {
            self.alias_names()?
        } else if self.is_implicit_alias() {
            vec![self.identifier()?]
        } else {
            return Ok(child);
        };
        Ok(placed(origin, Expr::Alias { child: Box::new(child), names }))
    }

    fn alias_names(&mut self) -> Result<Vec<String>, SparkError> {
        if self.at_end() {
            return Err(self.error());
        }
        if !self.eat("(") {
            return Ok(vec![self.identifier()?]);
        }
        let mut names = vec![self.identifier()?];
        while self.eat(",") {
            names.push(self.identifier()?);
        }
        self.expect(")")?;
        Ok(names)
    }

    pub(super) fn is_implicit_alias(&self) -> bool {
        match &self.peek().kind {
            TokenKind::Quoted(_) => true,
            // A word at the very end cannot begin a clause, so it is a name.
            TokenKind::Word(word) => {
                matches!(self.ahead(1).kind, TokenKind::End)
                    || !ENDS.iter().any(|end| word.eq_ignore_ascii_case(end))
            }
            _ => false,
        }
    }

    /// Any expression.
    pub(super) fn expression(&mut self) -> Result<Expr, SparkError> {
        self.deeper(|cursor| {
            let origin = cursor.origin();
            let mut left = cursor.conjunction()?;
            while cursor.eat_word("or") {
                let right = cursor.conjunction()?;
                left = placed(origin, left.binary("or", right));
            }
            Ok(left)
        })
    }

    fn conjunction(&mut self) -> Result<Expr, SparkError> {
        let origin = self.origin();
        let mut left = self.negation()?;
        while self.eat_word("and") {
            let right = self.negation()?;
            left = Expr::At { origin, child: Box::new(left.binary("and", right)) };
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Expr, SparkError> {
        let origin = self.origin();
        if self.eat_word("not") || self.eat("!") {
            let child = self.deeper(Self::negation)?;
            return Ok(placed(origin, Expr::call("!", vec![child])));
        }
        if self.is_word("exists")
            && matches!(self.ahead(1).kind, TokenKind::Symbol("("))
            && self.is_word_ahead(2, "select")
        {
            self.next();
            self.expect("(")?;
            let text = self.subquery()?;
            return Ok(placed(origin, Expr::call(MARKS[1], vec![text])));
        }
        let value = self.level(0)?;
        self.predicate(value)
    }

    /// `IS …`, `IN …`, `LIKE …`, `BETWEEN …` after a value.
    fn predicate(&mut self, value: Expr) -> Result<Expr, SparkError> {
        let origin = self.origin();
        if self.eat_word("is") {
            let negated = self.eat_word("not");
            let test = self.is_test(value)?;
            return Ok(placed(origin, negate_if(negated, test, true)));
        }
        let negated = self.is_word("not")
            && ["in", "like", "rlike", "ilike", "regexp", "between"].iter().any(|w| self.is_word_ahead(1, w));
        if negated {
            self.next();
        }
        let test = if self.eat_word("between") {
            let low = self.level(0)?;
            self.expect_word("and")?;
            Expr::call("between", vec![value, low, self.level(0)?])
        } else if self.eat_word("in") {
            self.expect("(")?;
            if self.is_word("select") || self.is_word("with") {
                Expr::call(MARKS[0], vec![value, self.subquery()?])
            } else {
                let mut args = vec![value];
                args.extend(self.list()?);
                Expr::call("in", args)
            }
        } else if self.is_any_word(&["like", "ilike"]) {
            let name = self.identifier()?.to_lowercase();
            let mut args = vec![value, self.level(1)?];
            if self.eat_word("escape") {
                args.push(self.primary()?);
            }
            Expr::call(&name, args)
        } else if self.eat_word("rlike") || self.eat_word("regexp") {
            Expr::call("rlike", vec![value, self.level(1)?])
        } else {
            return Ok(value);
        };
        Ok(placed(origin, negate_if(negated, test, false)))
    }

    fn is_test(&mut self, value: Expr) -> Result<Expr, SparkError> {
        if self.eat_word("null") || self.eat_word("unknown") {
            return Ok(Expr::call("isNull", vec![value]));
        }
        for (word, truth) in [("true", true), ("false", false)] {
            if self.eat_word(word) {
                return Ok(value.binary("<=>", Expr::Literal(Literal::Boolean(truth))));
            }
        }
        if self.eat_words(&["distinct", "from"]) {
            let right = self.level(1)?;
            return Ok(Expr::call("!", vec![value.binary("<=>", right)]));
        }
        Err(self.error())
    }

    /// Binary operators of this level and tighter ones.
    fn level(&mut self, level: usize) -> Result<Expr, SparkError> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let origin = self.origin();
        let mut left = self.level(level + 1)?;
        loop {
            let operator = match &self.peek().kind {
                TokenKind::Symbol(s) if operators.contains(s) => *s,
                TokenKind::Word(w) if level == LEVELS.len() - 1 && w.eq_ignore_ascii_case("div") => "div",
                _ => return Ok(left),
            };
            self.next();
            let right = self.level(level + 1)?;
            let call = match operator {
                "==" => left.binary("=", right),
                "<>" | "!=" => Expr::call("!", vec![left.binary("=", right)]),
                "||" => left.binary("concat", right),
                other => left.binary(other, right),
            };
            left = Expr::At { origin, child: Box::new(call) };
        }
    }

    fn unary(&mut self) -> Result<Expr, SparkError> {
        let origin = self.origin();
        if self.is_symbol("-") {
            self.next();
            if let TokenKind::Number(number) = self.peek().kind.clone() {
                let Some(constant) = literal::number(&number, true) else { return Err(self.error()) };
                self.next();
                return self.postfix(placed(origin, Expr::Literal(constant)), origin);
            }
            let child = self.deeper(Self::unary)?;
            return Ok(placed(origin, Expr::call("negative", vec![child])));
        }
        if self.eat("+") {
            let child = self.deeper(Self::unary)?;
            return Ok(placed(origin, Expr::call("positive", vec![child])));
        }
        if self.eat("~") {
            let child = self.deeper(Self::unary)?;
            return Ok(placed(origin, Expr::call("~", vec![child])));
        }
        let primary = self.primary()?;
        self.postfix(primary, origin)
    }

    /// `[key]`, `.field`, `::type` after a value.
    fn postfix(&mut self, mut value: Expr, origin: Origin) -> Result<Expr, SparkError> {
        loop {
            if self.eat("[") {
                let key = self.expression()?;
                self.expect("]")?;
                value = Expr::At { origin, child: Box::new(value.extract(key)) };
            } else if self.is_symbol(".") {
                self.next();
                let field = Expr::Literal(Literal::String(self.identifier()?));
                let child = Expr::Extract { child: Box::new(value), key: Box::new(field), dotted: false };
                value = Expr::At { origin, child: Box::new(child) };
            } else if self.eat("::") {
                let to = self.data_type()?;
                value = Expr::At { origin, child: Box::new(value.cast(to)) };
            } else {
                return Ok(value);
            }
        }
    }

    /// A comma list up to its closing parenthesis.
    fn list(&mut self) -> Result<Vec<Expr>, SparkError> {
        let mut items = vec![self.named_expression()?];
        while self.eat(",") {
            items.push(self.named_expression()?);
        }
        self.expect(")")?;
        Ok(items)
    }

    fn primary(&mut self) -> Result<Expr, SparkError> {
        let origin = self.origin();
        let token = self.peek().clone();
        let expr = match &token.kind {
            TokenKind::Number(number) => {
                let Some(constant) = literal::number(number, false) else { return Err(self.error()) };
                self.next();
                Expr::Literal(constant)
            }
            TokenKind::Text(_) => {
                // Strings in a row are one.
                let mut value = String::new();
                while let TokenKind::Text(part) = &self.peek().kind {
                    value.push_str(part);
                    self.next();
                }
                Expr::Literal(Literal::String(value))
            }
            TokenKind::Symbol("(") => {
                self.next();
                self.parenthesis()?
            }
            TokenKind::Symbol("*") => {
                self.next();
                Expr::Star(Vec::new())
            }
            TokenKind::Word(word) => self.word(&word.to_lowercase())?,
            TokenKind::Quoted(_) => self.reference()?,
            TokenKind::Symbol(_) | TokenKind::Unknown(_) | TokenKind::End => return Err(self.error()),
        };
        Ok(placed(origin, expr))
    }

    fn parenthesis(&mut self) -> Result<Expr, SparkError> {
        if self.is_word("select") || self.is_word("with") {
            return Err(not_supported("a subquery as a value"));
        }
        let mut items = self.list()?;
        if self.is_symbol("->") {
            return Err(not_supported("lambda functions in SQL"));
        }
        if items.len() == 1 { Ok(items.remove(0)) } else { Ok(Expr::call("struct", items)) }
    }

    /// What begins with a word: a constant, a special form, a function, a name.
    fn word(&mut self, word: &str) -> Result<Expr, SparkError> {
        let token = self.peek().clone();
        let opens = matches!(self.ahead(1).kind, TokenKind::Symbol("("));
        if let (true, TokenKind::Text(value)) = (is_typed_literal(word), self.ahead(1).kind.clone()) {
            let end = self.ahead(1).end;
            self.next();
            self.next();
            return literal::typed(self.text, self.zone, token.start, end, &word.to_uppercase(), &value)
                .map(Expr::Literal);
        }
        match word {
            "null" => Ok(self.constant(Literal::Null(tidemark_types::DataType::Null))),
            "true" => Ok(self.constant(Literal::Boolean(true))),
            "false" => Ok(self.constant(Literal::Boolean(false))),
            "case" => self.case(),
            "cast" | "try_cast" if opens => self.cast(word == "try_cast"),
            "interval" => {
                self.next();
                match interval::interval(self)? {
                    Some(constant) => Ok(constant),
                    None => {
                        self.go_back(self.position() - 1);
                        self.reference()
                    }
                }
            }
            "substring" | "substr" if opens => self.substring(),
            "extract" if opens => self.extract_field(),
            "position" | "overlay" if opens => Err(not_supported(&format!("the function {word}"))),
            "trim" if opens && ["both", "leading", "trailing"].iter().any(|w| self.is_word_ahead(2, w)) => {
                Err(not_supported("TRIM with FROM"))
            }
            _ => self.reference(),
        }
    }

    fn constant(&mut self, literal: Literal) -> Expr {
        self.next();
        Expr::Literal(literal)
    }

    fn case(&mut self) -> Result<Expr, SparkError> {
        self.next();
        let subject = if self.is_word("when") { None } else { Some(self.expression()?) };
        let mut branches = Vec::new();
        while self.eat_word("when") {
            let condition = self.expression()?;
            let condition = match &subject {
                Some(subject) => subject.clone().binary("=", condition),
                None => condition,
            };
            self.expect_word("then")?;
            branches.push((condition, self.expression()?));
        }
        if branches.is_empty() {
            return Err(self.error());
        }
        let otherwise = if self.eat_word("else") { Some(Box::new(self.expression()?)) } else { None };
        self.expect_word("end")?;
        Ok(Expr::Case { branches, otherwise })
    }

    fn cast(&mut self, trying: bool) -> Result<Expr, SparkError> {
        self.next();
        self.expect("(")?;
        let child = Box::new(self.expression()?);
        self.expect_word("as")?;
        let token = self.peek().clone();
        let to = self.data_type().map_err(|e| {
            if e.condition.0 == "UNSUPPORTED_DATATYPE" {
                let context = literal::fragment(self.text, token.start, token.end);
                e.with_context(context)
            } else {
                e
            }
        })?;
        self.expect(")")?;
        Ok(Expr::Cast { child, to, mode: if trying { CastMode::Try } else { CastMode::Ansi } })
    }

    /// `substring(x, 1, 2)` and `substring(x FROM 1 FOR 2)`.
    fn substring(&mut self) -> Result<Expr, SparkError> {
        let name = self.identifier()?.to_lowercase();
        self.expect("(")?;
        let mut args = vec![self.expression()?];
        if self.eat_word("from") {
            args.push(self.expression()?);
            if self.eat_word("for") {
                args.push(self.expression()?);
            }
            self.expect(")")?;
            return Ok(Expr::call("substring", args));
        }
        if self.eat(",") {
            args.extend(self.list()?);
        } else {
            self.expect(")")?;
        }
        Ok(Expr::call(&name, args))
    }

    /// `extract(YEAR FROM x)`.
    fn extract_field(&mut self) -> Result<Expr, SparkError> {
        self.next();
        self.expect("(")?;
        let field = self.identifier()?;
        self.expect_word("from")?;
        let source = self.expression()?;
        self.expect(")")?;
        Ok(Expr::call("extract", vec![Expr::Literal(Literal::String(field)), source]))
    }

    /// A name with dots, a star of a table, or a call.
    fn reference(&mut self) -> Result<Expr, SparkError> {
        let mut parts = vec![self.identifier()?];
        while self.is_symbol(".") {
            match &self.ahead(1).kind {
                TokenKind::Symbol("*") => {
                    self.next();
                    self.next();
                    return Ok(Expr::Star(parts));
                }
                TokenKind::Word(_) | TokenKind::Quoted(_) => {
                    self.next();
                    parts.push(self.identifier()?);
                }
                _ => {
                    self.next();
                    return Err(self.error());
                }
            }
        }
        if self.is_symbol("->") {
            return Err(not_supported("lambda functions in SQL"));
        }
        if self.eat("(") {
            return self.arguments(&parts.join("."));
        }
        Ok(Expr::Name(parts))
    }

    fn arguments(&mut self, name: &str) -> Result<Expr, SparkError> {
        let distinct = self.eat_word("distinct");
        if !distinct
            && self.is_word("all")
            && !matches!(self.ahead(1).kind, TokenKind::Symbol(")" | "," | "."))
        {
            self.next();
        }
        let args = if self.eat(")") { Vec::new() } else { self.list()? };
        let mut call = Call { name: name.to_owned(), args, distinct, filter: None };
        if self.is_word("ignore") && self.is_word_ahead(1, "nulls") {
            self.eat_words(&["ignore", "nulls"]);
            call.args.push(Expr::Literal(Literal::Boolean(true)));
        }
        self.eat_words(&["respect", "nulls"]);
        if self.is_word("filter") && matches!(self.ahead(1).kind, TokenKind::Symbol("(")) {
            self.next();
            self.expect("(")?;
            self.expect_word("where")?;
            call.filter = Some(Box::new(self.expression()?));
            self.expect(")")?;
        }
        if self.eat_word("over") {
            return self.window_specification(Expr::Call(call));
        }
        Ok(Expr::Call(call))
    }

    /// `(PARTITION BY … ORDER BY … frame)` after OVER.
    fn window_specification(&mut self, call: Expr) -> Result<Expr, SparkError> {
        self.expect("(")?;
        let mut partitions = Vec::new();
        if self.eat_words(&["partition", "by"]) {
            partitions.push(self.expression()?);
            while self.eat(",") {
                partitions.push(self.expression()?);
            }
        }
        let mut orders = Vec::new();
        if self.eat_words(&["order", "by"]) {
            orders.push(self.sort_item()?);
            while self.eat(",") {
                orders.push(self.sort_item()?);
            }
        }
        if self.is_any_word(&["rows", "range"]) {
            while !self.is_symbol(")") && !self.at_end() {
                self.next();
            }
        }
        self.expect(")")?;
        Ok(call.over(partitions, orders))
    }
}

fn is_typed_literal(word: &str) -> bool {
    matches!(word, "date" | "timestamp" | "timestamp_ntz" | "timestamp_ltz" | "x")
}

/// `NOT test`; for `IS NOT NULL` the test that Spark has for it.
fn negate_if(negated: bool, test: Expr, is: bool) -> Expr {
    if !negated {
        return test;
    }
    match test {
        Expr::Call(call) if is && call.name == "isNull" => Expr::call("isNotNull", call.args),
        Expr::Call(mut call) if is && call.name == "!" => call.args.remove(0),
        other => Expr::call("!", vec![other]),
    }
}
