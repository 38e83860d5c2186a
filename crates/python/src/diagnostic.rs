//! Where something stands in the text, and what is wrong there before anything runs.

/// A stretch of source text: lines count from 1, columns are characters and count from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Line of the first character.
    pub line: u32,
    /// Column of the first character.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column after the last character.
    pub end_column: u32,
}

/// A text that is not Python, or that uses what this machine does not have; found before anything runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// `SyntaxError`, `IndentationError` or `TabError`.
    pub class: String,
    /// What is wrong, without place.
    pub message: String,
    /// Name of the file as given to the compiler.
    pub file: String,
    /// Where it is wrong.
    pub span: Span,
    /// The line of source text.
    pub source_line: String,
}

impl SyntaxError {
    /// Renders the text that CPython prints for an error found while reading a file.
    pub fn render(&self) -> String {
        let trimmed = self.source_line.trim_start();
        let lead = self.source_line.chars().count() - trimmed.chars().count();
        let start = (self.span.column as usize).saturating_sub(lead);
        let width = if self.span.end_line == self.span.line {
            (self.span.end_column.saturating_sub(self.span.column) as usize).max(1)
        } else {
            trimmed.chars().count().saturating_sub(start).max(1)
        };
        format!(
            "  File \"{}\", line {}\n    {}\n    {}{}\n{}: {}\n",
            self.file,
            self.span.line,
            trimmed.trim_end(),
            " ".repeat(start),
            "^".repeat(width),
            self.class,
            self.message
        )
    }
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: {} ({}, line {}, column {})",
            self.class, self.message, self.file, self.span.line, self.span.column
        )
    }
}

impl std::error::Error for SyntaxError {}
