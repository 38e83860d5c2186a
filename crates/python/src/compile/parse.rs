//! Entry to the compiler: parse, check, compile, or say what is wrong and where.

use std::rc::Rc;

use ruff_python_ast::{Expr, Stmt};
use ruff_python_parser::{ParseError, ParseErrorType, parse_expression};
use ruff_text_size::{Ranged as _, TextRange};

use crate::compile::code::{Code, Op};
use crate::compile::compiler::Compiler;
use crate::compile::guard;
use crate::compile::scope::{ScopeKind, find_scopes};
use crate::compile::source::Source;
use crate::diagnostic::SyntaxError;
use crate::value::Value;

fn message_of(error: &ParseErrorType) -> (&'static str, String) {
    let text = error.to_string();
    let known = match error {
        ParseErrorType::UnexpectedIndentation => return ("IndentationError", "unexpected indent".to_owned()),
        ParseErrorType::OtherError(m) if m.contains("an indented block") => {
            return ("IndentationError", m.replace("Expected", "expected"));
        }
        ParseErrorType::Lexical(_) if text.contains("unindent") || text.contains("ndentation") => {
            return ("IndentationError", "unindent does not match any outer indentation level".to_owned());
        }
        ParseErrorType::PositionalAfterKeywordArgument => "positional argument follows keyword argument",
        ParseErrorType::PositionalAfterKeywordUnpacking => {
            "positional argument follows keyword argument unpacking"
        }
        ParseErrorType::NonDefaultParamAfterDefaultParam => "non-default argument follows default argument",
        ParseErrorType::InvalidAssignmentTarget => {
            "cannot assign to expression here. Maybe you meant '==' instead of '='?"
        }
        ParseErrorType::ExpectedToken { .. }
        | ParseErrorType::ExpectedExpression
        | ParseErrorType::SimpleStatementsOnSameLine
        | ParseErrorType::UnexpectedExpressionToken => {
            let mut message = "invalid syntax".to_owned();
            if text != message {
                message = format!("invalid syntax: {}", lower_first(&text));
            }
            return ("SyntaxError", message);
        }
        _ => return ("SyntaxError", lower_first(&text)),
    };
    ("SyntaxError", known.to_owned())
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

fn syntax_error(source: &Source, class: &str, message: String, range: TextRange) -> SyntaxError {
    let span = source.span(range);
    SyntaxError {
        class: class.to_owned(),
        message,
        file: source.file.to_string(),
        span,
        source_line: source.line(span.line).to_owned(),
    }
}

fn parse_error(source: &Source, error: &ParseError) -> SyntaxError {
    let (mut class, mut message) = message_of(&error.error);
    let lead = |line: &str| line.chars().take_while(|c| c.is_whitespace()).collect::<String>();
    if class == "IndentationError" {
        let line = source.span(error.location).line;
        let (own, before) = (lead(source.line(line)), lead(source.line(line.saturating_sub(1))));
        if own.contains('\t') != before.contains('\t') && !own.is_empty() && !before.is_empty() {
            class = "TabError";
            message = "inconsistent use of tabs and spaces in indentation".to_owned();
        }
    }
    syntax_error(source, class, message, error.location)
}

/// Compiles a whole file.
pub(crate) fn compile_module(text: &str, file: &str, library: bool) -> Result<Rc<Code>, Vec<SyntaxError>> {
    let source = Rc::new(Source::new(text, file, library));
    let parsed = ruff_python_parser::parse_unchecked_source(text, ruff_python_ast::PySourceType::Python);
    if !parsed.errors().is_empty() {
        return Err(parsed.errors().iter().map(|e| parse_error(&source, e)).collect());
    }
    let body: &[Stmt] = &parsed.syntax().body;
    compile_parts(&source, body, None)
}

/// Compiles one expression, whose value the code returns.
pub(crate) fn compile_expression(text: &str, file: &str) -> Result<Rc<Code>, Vec<SyntaxError>> {
    let text = text.trim_start_matches([' ', '\t']);
    let source = Rc::new(Source::new(text, file, false));
    let parsed = match parse_expression(text) {
        Ok(parsed) => parsed,
        Err(error) => return Err(vec![parse_error(&source, &error)]),
    };
    compile_parts(&source, &[], Some(&parsed.syntax().body))
}

fn compile_parts(
    source: &Rc<Source>,
    body: &[Stmt],
    value: Option<&Expr>,
) -> Result<Rc<Code>, Vec<SyntaxError>> {
    let scopes = find_scopes(body, value);
    let mut errors: Vec<SyntaxError> =
        scopes.errors.iter().map(|(m, r)| syntax_error(source, "SyntaxError", m.clone(), *r)).collect();
    errors
        .extend(guard::find(body, value).into_iter().map(|(m, r)| syntax_error(source, "SyntaxError", m, r)));
    if !errors.is_empty() {
        errors.sort_by_key(|e| e.span);
        return Err(errors);
    }
    let annotated = scopes.all[0].annotated;
    let mut compiler = Compiler::new(source.clone(), scopes);
    compiler.text_annotations = body.iter().any(|s| {
        matches!(s, Stmt::ImportFrom(i) if i.module.as_ref().is_some_and(|m| m.as_str() == "__future__")
            && i.names.iter().any(|n| n.name.as_str() == "annotations"))
    });
    compiler.open("<module>", ScopeKind::Module, TextRange::default(), &[]);
    if annotated {
        compiler.emit(Op::SetupAnnotations);
    }
    if let Some(doc) = Compiler::docstring(body) {
        compiler.unit().code.doc = Value::str(doc);
    }
    compiler.body(body);
    match value {
        Some(value) => {
            compiler.at(value.range(), |_| ());
            compiler.expression(value);
        }
        None => compiler.constant(Value::None),
    }
    compiler.emit(Op::Return);
    let code = compiler.close();
    if compiler.errors.is_empty() { Ok(code) } else { Err(compiler.errors) }
}
