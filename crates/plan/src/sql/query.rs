//! Queries of SQL text as a tree.

use tidemark_types::SparkError;
use tidemark_types::lexer::TokenKind;

use crate::error::not_supported;
use crate::expr::{Expr, Origin};
use crate::logical::JoinType;

use super::cursor::{Cursor, placed};
use super::subquery::subqueries;

/// A query with its order and limit.
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) with: Vec<(String, Query)>,
    pub(super) body: Body,
    pub(super) order: Vec<Expr>,
    pub(super) limit: Option<Expr>,
}

/// What a query's rows are.
#[derive(Clone, Debug)]
pub(super) enum Body {
    Select(Box<Select>),
    Values(Vec<Vec<Expr>>),
    Union { left: Box<Body>, right: Box<Body>, all: bool },
    Nested(Box<Query>),
}

/// `SELECT … FROM … WHERE … GROUP BY … HAVING …`.
#[derive(Clone, Debug)]
pub(super) struct Select {
    pub(super) origin: Origin,
    pub(super) distinct: bool,
    pub(super) items: Vec<Expr>,
    pub(super) from: Option<From>,
    pub(super) views: Vec<LateralView>,
    pub(super) filter: Option<Expr>,
    pub(super) group: Option<Group>,
    pub(super) having: Option<Expr>,
}

/// `GROUP BY`.
#[derive(Clone, Debug)]
pub(super) enum Group {
    All,
    Keys(Vec<Expr>),
}

/// `LATERAL VIEW [OUTER] explode(x) t AS c`.
#[derive(Clone, Debug)]
pub(super) struct LateralView {
    pub(super) generator: Expr,
    pub(super) table: String,
    pub(super) names: Vec<String>,
}

/// What stands after FROM.
#[derive(Clone, Debug)]
pub(super) enum From {
    Table { parts: Vec<String>, origin: Origin },
    Query(Box<Query>),
    Values(Vec<Vec<Expr>>),
    Range(Vec<Expr>),
    Alias { child: Box<From>, name: String, columns: Vec<String> },
    Join { left: Box<From>, right: Box<From>, join_type: JoinType, on: On },
}

/// The condition of a join.
#[derive(Clone, Debug)]
pub(super) enum On {
    Nothing,
    Natural,
    Using(Vec<String>),
    Condition(Expr),
}

impl Query {
    /// The tables that the query reads, each once, common table expressions left out.
    pub(super) fn relations(&self, hidden: &[String], found: &mut Vec<Vec<String>>) {
        let mut hidden = hidden.to_vec();
        for (name, query) in &self.with {
            query.relations(&hidden, found);
            hidden.push(name.to_lowercase());
        }
        self.body.relations(&hidden, found);
    }
}

impl Body {
    fn relations(&self, hidden: &[String], found: &mut Vec<Vec<String>>) {
        match self {
            Body::Select(select) => {
                if let Some(from) = &select.from {
                    from.relations(hidden, found);
                }
                if let Some(filter) = &select.filter {
                    subqueries(filter).iter().for_each(|query| query.relations(hidden, found));
                }
            }
            Body::Values(_) => {}
            Body::Union { left, right, .. } => {
                left.relations(hidden, found);
                right.relations(hidden, found);
            }
            Body::Nested(query) => query.relations(hidden, found),
        }
    }
}

impl From {
    fn relations(&self, hidden: &[String], found: &mut Vec<Vec<String>>) {
        match self {
            From::Table { parts, .. } => {
                let is_hidden = parts.len() == 1 && hidden.contains(&parts[0].to_lowercase());
                if !is_hidden && !found.contains(parts) {
                    found.push(parts.clone());
                }
            }
            From::Query(query) => query.relations(hidden, found),
            From::Values(_) | From::Range(_) => {}
            From::Alias { child, .. } => child.relations(hidden, found),
            From::Join { left, right, .. } => {
                left.relations(hidden, found);
                right.relations(hidden, found);
            }
        }
    }
}

impl Cursor<'_> {
    /// A whole query.
    pub(super) fn query(&mut self) -> Result<Query, SparkError> {
        self.deeper(|cursor| {
            let mut with = Vec::new();
            if cursor.eat_word("with") {
                loop {
                    let name = cursor.identifier()?;
                    cursor.eat_word("as");
                    cursor.expect("(")?;
                    let query = cursor.query()?;
                    cursor.expect(")")?;
                    with.push((name, query));
                    if !cursor.eat(",") {
                        break;
                    }
                }
            }
            let body = cursor.body()?;
            let mut order = Vec::new();
            if cursor.eat_words(&["order", "by"]) {
                order.push(cursor.sort_item()?);
                while cursor.eat(",") {
                    order.push(cursor.sort_item()?);
                }
            }
            if cursor.is_any_word(&["cluster", "distribute", "sort", "window", "qualify"]) {
                let word = cursor.identifier()?.to_uppercase();
                return Err(not_supported(&format!("the clause {word} in SQL")));
            }
            let limit = if cursor.eat_word("limit") && !cursor.eat_word("all") {
                Some(cursor.expression()?)
            } else {
                None
            };
            if cursor.is_word("offset") {
                return Err(not_supported("OFFSET in SQL"));
            }
            Ok(Query { with, body, order, limit })
        })
    }

    pub(super) fn sort_item(&mut self) -> Result<Expr, SparkError> {
        let origin = self.origin();
        let child = Box::new(self.expression()?);
        let ascending = if self.eat_word("desc") {
            false
        } else {
            self.eat_word("asc");
            true
        };
        let nulls_first = if self.eat_word("nulls") {
            let first = self.eat_word("first");
            if !first {
                self.expect_word("last")?;
            }
            first
        } else {
            ascending
        };
        Ok(placed(origin, Expr::Sort { child, ascending, nulls_first }))
    }

    fn body(&mut self) -> Result<Body, SparkError> {
        let mut left = self.body_part()?;
        loop {
            if self.eat_word("union") {
                let all = self.eat_word("all");
                if !all {
                    self.eat_word("distinct");
                }
                let right = self.body_part()?;
                left = Body::Union { left: Box::new(left), right: Box::new(right), all };
            } else if self.is_any_word(&["except", "minus", "intersect"]) {
                let word = self.identifier()?.to_uppercase();
                return Err(not_supported(&format!("{word} in SQL")));
            } else {
                return Ok(left);
            }
        }
    }

    fn body_part(&mut self) -> Result<Body, SparkError> {
        if self.is_word("select") {
            return Ok(Body::Select(Box::new(self.select_statement()?)));
        }
        if self.eat_word("values") {
            return Ok(Body::Values(self.rows()?));
        }
        if self.eat_word("table") {
            let origin = self.origin();
            let parts = self.dotted()?;
            let select = Select {
                origin,
                distinct: false,
                items: vec![Expr::Star(Vec::new())],
                from: Some(From::Table { parts, origin }),
                views: Vec::new(),
                filter: None,
                group: None,
                having: None,
            };
            return Ok(Body::Select(Box::new(select)));
        }
        if self.eat("(") {
            let query = self.query()?;
            self.expect(")")?;
            return Ok(Body::Nested(Box::new(query)));
        }
        Err(self.error())
    }

    fn rows(&mut self) -> Result<Vec<Vec<Expr>>, SparkError> {
        let mut rows = Vec::new();
        loop {
            let row = match self.expression()? {
                Expr::At { child, .. } if matches!(&*child, Expr::Call(call) if call.name == "struct") => {
                    match *child {
                        Expr::Call(call) => call.args,
                        other => vec![other],
                    }
                }
                other => vec![other],
            };
            rows.push(row);
            if !self.eat(",") {
                return Ok(rows);
            }
        }
    }

    fn select_statement(&mut self) -> Result<Select, SparkError> {
        let origin = self.origin();
        self.expect_word("select")?;
        let distinct = self.eat_word("distinct");
        if !distinct
            && self.is_word("all")
            && !matches!(self.ahead(1).kind, TokenKind::Symbol(_) | TokenKind::End)
        {
            self.next();
        }
        let mut items = vec![self.named_expression()?];
        while self.eat(",") {
            items.push(self.named_expression()?);
        }
        let from = if self.eat_word("from") { Some(self.from_clause()?) } else { None };
        let mut views = Vec::new();
        while self.eat_words(&["lateral", "view"]) {
            views.push(self.lateral_view()?);
        }
        let filter = if self.eat_word("where") { Some(self.expression()?) } else { None };
        let group = if self.eat_words(&["group", "by"]) { Some(self.group()?) } else { None };
        let having = if self.eat_word("having") { Some(self.expression()?) } else { None };
        Ok(Select { origin, distinct, items, from, views, filter, group, having })
    }

    fn group(&mut self) -> Result<Group, SparkError> {
        if self.is_word("all") && !matches!(self.ahead(1).kind, TokenKind::Symbol("," | "." | "(")) {
            self.next();
            return Ok(Group::All);
        }
        if self.is_any_word(&["rollup", "cube"]) || self.is_word("grouping") && self.is_word_ahead(1, "sets")
        {
            return Err(not_supported("ROLLUP, CUBE and GROUPING SETS"));
        }
        let mut keys = vec![self.expression()?];
        while self.eat(",") {
            keys.push(self.expression()?);
        }
        if self.is_word("with") {
            return Err(not_supported("ROLLUP, CUBE and GROUPING SETS"));
        }
        Ok(Group::Keys(keys))
    }

    fn lateral_view(&mut self) -> Result<LateralView, SparkError> {
        let outer = self.eat_word("outer");
        let mut generator = self.expression()?;
        if outer && let Expr::Call(call) = generator.bare() {
            let mut call = call.clone();
            call.name.push_str("_outer");
            generator = Expr::Call(call);
        }
        let table = self.identifier()?;
        let mut names = Vec::new();
        if self.eat_word("as") || self.is_implicit_alias() {
            names.push(self.identifier()?);
            while self.eat(",") {
                names.push(self.identifier()?);
            }
        }
        Ok(LateralView { generator, table, names })
    }

    fn from_clause(&mut self) -> Result<From, SparkError> {
        let mut from = self.joined()?;
        while self.eat(",") {
            let right = Box::new(self.joined()?);
            from = From::Join { left: Box::new(from), right, join_type: JoinType::Inner, on: On::Nothing };
        }
        Ok(from)
    }

    fn joined(&mut self) -> Result<From, SparkError> {
        let mut left = self.relation()?;
        loop {
            let start = self.position();
            let natural = self.eat_word("natural");
            let join_type = self.join_words()?;
            if !self.eat_word("join") {
                self.go_back(start);
                return Ok(left);
            }
            let right = self.relation()?;
            let on = if natural {
                On::Natural
            } else if self.eat_word("on") {
                On::Condition(self.expression()?)
            } else if self.eat_word("using") {
                self.expect("(")?;
                let mut names = vec![self.identifier()?];
                while self.eat(",") {
                    names.push(self.identifier()?);
                }
                self.expect(")")?;
                On::Using(names)
            } else {
                On::Nothing
            };
            left = From::Join { left: Box::new(left), right: Box::new(right), join_type, on };
        }
    }

    fn join_words(&mut self) -> Result<JoinType, SparkError> {
        let found = if self.eat_word("inner") {
            JoinType::Inner
        } else if self.eat_word("cross") {
            JoinType::Cross
        } else if self.eat_word("left") {
            if self.eat_word("semi") {
                JoinType::LeftSemi
            } else if self.eat_word("anti") {
                JoinType::LeftAnti
            } else {
                self.eat_word("outer");
                JoinType::LeftOuter
            }
        } else if self.eat_word("right") {
            self.eat_word("outer");
            JoinType::RightOuter
        } else if self.eat_word("full") {
            self.eat_word("outer");
            JoinType::FullOuter
        } else if self.eat_word("semi") {
            JoinType::LeftSemi
        } else if self.eat_word("anti") {
            JoinType::LeftAnti
        } else {
            JoinType::Inner
        };
        Ok(found)
    }

    fn relation(&mut self) -> Result<From, SparkError> {
        let origin = self.origin();
        let from = if self.eat("(") {
            if self.eat_word("values") {
                let rows = self.rows()?;
                self.expect(")")?;
                From::Values(rows)
            } else if self.is_any_word(&["select", "with", "table"]) || self.is_symbol("(") {
                let query = self.query()?;
                self.expect(")")?;
                From::Query(Box::new(query))
            } else {
                let from = self.from_clause()?;
                self.expect(")")?;
                from
            }
        } else if self.is_word("values") && !matches!(self.ahead(1).kind, TokenKind::End) {
            self.next();
            From::Values(self.rows()?)
        } else {
            let parts = self.dotted()?;
            if self.eat("(") {
                let args = if self.eat(")") { Vec::new() } else { self.function_arguments()? };
                if parts.len() != 1 || !parts[0].eq_ignore_ascii_case("range") {
                    return Err(not_supported(&format!("the table function {}", parts.join("."))));
                }
                From::Range(args)
            } else {
                From::Table { parts, origin }
            }
        };
        self.table_alias(from)
    }

    fn function_arguments(&mut self) -> Result<Vec<Expr>, SparkError> {
        let mut args = vec![self.expression()?];
        while self.eat(",") {
            args.push(self.expression()?);
        }
        self.expect(")")?;
        Ok(args)
    }

    fn table_alias(&mut self, from: From) -> Result<From, SparkError> {
        let explicit = self.eat_word("as");
        if !explicit && !self.is_implicit_alias() {
            return Ok(from);
        }
        let name = self.identifier()?;
        let mut columns = Vec::new();
        if self.eat("(") {
            columns.push(self.identifier()?);
            while self.eat(",") {
                columns.push(self.identifier()?);
            }
            self.expect(")")?;
        }
        Ok(From::Alias { child: Box::new(from), name, columns })
    }
}
