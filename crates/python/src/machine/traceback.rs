//! The text of exceptions that nobody caught, as CPython 3.11 prints it.

use std::rc::Rc;

use crate::diagnostic::Span;
use crate::host::{Traceback, TracebackFrame};
use crate::machine::Machine;
use crate::value::{Body, ObjId, TraceEntry, Type, Value};

/// Frames that repeat are shown this often.
const REPEATS_MAX: usize = 3;

/// The marks under a source line: the part that failed, and in it the operator or the brackets.
fn marks(line: &str, span: Span) -> Option<String> {
    let text: Vec<char> = line.chars().collect();
    let lead = text.iter().take_while(|c| c.is_whitespace()).count();
    let trimmed_end = line.trim_end().chars().count();
    let start = span.column as usize;
    let end = if span.end_line == span.line { span.end_column as usize } else { trimmed_end };
    if end <= start || start < lead || end > text.len() || (start == lead && end == trimmed_end) {
        return None;
    }
    let part: String = text[start..end].iter().collect();
    let anchors = if span.end_line == span.line { anchors(&part) } else { None };
    let mut out = " ".repeat(start - lead);
    match anchors {
        Some((from, to)) => {
            out.push_str(&"~".repeat(from));
            out.push_str(&"^".repeat(to - from));
            out.push_str(&"~".repeat(end - start - to));
        }
        None => out.push_str(&"^".repeat(end - start)),
    }
    Some(out)
}

/// Where the operator of a binary expression or the brackets of a subscript stand.
fn anchors(part: &str) -> Option<(usize, usize)> {
    use ruff_python_ast::Expr;
    use ruff_text_size::Ranged as _;
    let parsed = ruff_python_parser::parse_expression(part).ok()?;
    let chars = |at: usize| part.get(..at).map(|p| p.chars().count());
    match &*parsed.syntax().body {
        Expr::BinOp(b) => {
            let (from, to) = (b.left.range().end().to_usize(), b.right.range().start().to_usize());
            let between = part.get(from..to)?;
            let sign = b.op.as_str();
            let at = from + between.find(sign)?;
            Some((chars(at)?, chars(at + sign.len())?))
        }
        Expr::Subscript(s) => {
            let from = s.value.range().end().to_usize();
            let at = from + part.get(from..)?.find('[')?;
            Some((chars(at)?, part.chars().count()))
        }
        _ => None,
    }
}

impl Machine {
    pub(crate) fn traceback_object(&mut self, exc: &Value) -> Value {
        let Some(id) = self.is_exception(exc) else { return Value::None };
        let entries: Rc<[TraceEntry]> = Rc::from(self.exception(id).trace.clone());
        if entries.is_empty() { Value::None } else { self.add(Type::Traceback, Body::Traceback(entries)) }
    }

    /// The report for the host.
    pub(crate) fn traceback_of(&mut self, exc: ObjId) -> Traceback {
        let value = Value::Obj(exc);
        let class = self.type_name(&value);
        let message = self.quiet_text(exc);
        let frames = self
            .exception(exc)
            .trace
            .iter()
            .rev()
            .map(|e| TracebackFrame {
                file: e.code.source.file.to_string(),
                function: e.code.name.to_string(),
                span: e.span,
            })
            .collect();
        let exits = self.class_is(self.heap.get(exc).class, Type::SystemExit.id());
        let exit_status = exits.then(|| match self.exception(exc).args.first() {
            None | Some(Value::None) => 0,
            Some(code) => code.as_int().map_or(1, |c| c as i32),
        });
        let text = self.format_exception(exc, true);
        Traceback { class, message, text, frames, exception: value, exit_status }
    }

    /// `str()` of an exception without running Python code.
    pub(crate) fn quiet_text(&mut self, exc: ObjId) -> String {
        let log = std::mem::take(&mut self.log);
        let (cursor, depth) = (self.cursor, self.depth);
        (self.cursor, self.depth) = (0, 0);
        self.visiting.clear();
        let value = Value::Obj(exc);
        let text = match self.own_attribute(&value, "__message__") {
            Some(text) => self.as_text(&text).map(|t| t.to_string()).unwrap_or_default(),
            None => match self.exception_text(exc) {
                Ok(text) => text,
                Err(_) => "<exception str() failed>".to_owned(),
            },
        };
        self.log = log;
        (self.cursor, self.depth) = (cursor, depth);
        text
    }

    /// The last line: class, module and message.
    pub(crate) fn exception_line(&mut self, exc: ObjId) -> String {
        let message = self.quiet_text(exc);
        self.line_with(exc, &message)
    }

    pub(crate) fn line_with(&self, exc: ObjId, message: &str) -> String {
        let class = self.heap.get(exc).class;
        let name = match self.class_data(class) {
            Some(c) if &*c.module == "builtins" || &*c.module == "__main__" => c.qualname.to_string(),
            Some(c) => format!("{}.{}", c.module, c.qualname),
            None => String::new(),
        };
        if message.is_empty() { format!("{name}\n") } else { format!("{name}: {message}\n") }
    }

    /// The whole text, with the exceptions that led to this one.
    pub(crate) fn format_exception(&mut self, exc: ObjId, chain: bool) -> String {
        let mut parts = Vec::new();
        let mut at = Some(exc);
        let mut seen = Vec::new();
        while let Some(id) = at {
            seen.push(id);
            let data = self.exception(id).clone();
            let next = |v: &Option<Value>| match v {
                Some(Value::Obj(id)) if !seen.contains(id) => Some(*id),
                _ => None,
            };
            parts.push(self.format_single(id));
            at = None;
            if chain {
                if let Some(cause) = next(&data.cause) {
                    parts.push(
                        "\nThe above exception was the direct cause of the following exception:\n\n"
                            .to_owned(),
                    );
                    at = Some(cause);
                } else if data.cause.is_none()
                    && !data.suppress
                    && let Some(context) = next(&data.context)
                {
                    parts.push(
                        "\nDuring handling of the above exception, another exception occurred:\n\n"
                            .to_owned(),
                    );
                    at = Some(context);
                }
            }
        }
        parts.reverse();
        parts.concat()
    }

    fn format_single(&mut self, exc: ObjId) -> String {
        let mut text = String::new();
        let trace = self.exception(exc).trace.clone();
        if !trace.is_empty() {
            text.push_str("Traceback (most recent call last):\n");
            text.push_str(&format_entries(&trace));
        }
        text.push_str(&self.exception_line(exc));
        if let Some(notes) = self.own_attribute(&Value::Obj(exc), "__notes__") {
            for note in self.quick_items(&notes).unwrap_or_default() {
                if let Some(note) = self.as_text(&note) {
                    text.push_str(&note);
                    text.push('\n');
                }
            }
        }
        text
    }
}

/// The frames of a traceback, given innermost first.
pub(crate) fn format_entries(trace: &[TraceEntry]) -> String {
    let mut text = String::new();
    let mut last: Option<(String, u32)> = None;
    let mut repeats = 0;
    let flush = |text: &mut String, repeats: usize| {
        if repeats > REPEATS_MAX {
            let more = repeats - REPEATS_MAX;
            let plural = if more == 1 { "" } else { "s" };
            text.push_str(&format!("  [Previous line repeated {more} more time{plural}]\n"));
        }
    };
    for entry in trace.iter().rev() {
        let source = &entry.code.source;
        let key = (format!("{}:{}", source.file, entry.code.name), entry.span.line);
        if last.as_ref() == Some(&key) {
            repeats += 1;
        } else {
            flush(&mut text, repeats);
            last = Some(key);
            repeats = 1;
        }
        if repeats > REPEATS_MAX {
            continue;
        }
        text.push_str(&format!(
            "  File \"{}\", line {}, in {}\n",
            source.file, entry.span.line, entry.code.name
        ));
        let line = source.line(entry.span.line);
        if !line.trim().is_empty() {
            text.push_str(&format!("    {}\n", line.trim()));
            if let Some(marks) = marks(line, entry.span) {
                text.push_str(&format!("    {marks}\n"));
            }
        }
    }
    flush(&mut text, repeats);
    text
}
