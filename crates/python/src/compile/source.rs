//! The text of a file, with its lines.

use std::rc::Rc;

use ruff_text_size::TextRange;

use crate::diagnostic::Span;

/// A text and where its lines begin.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) file: Rc<str>,
    pub(crate) text: String,
    /// Part of the standard library of the machine: its frames do not show in tracebacks.
    pub(crate) library: bool,
    starts: Vec<u32>,
}

impl Source {
    pub(crate) fn new(text: &str, file: &str, library: bool) -> Self {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                starts.push(at as u32 + 1);
            }
        }
        Self { file: Rc::from(file), text: text.to_owned(), library, starts }
    }

    fn place(&self, offset: u32) -> (u32, u32) {
        let line = self.starts.partition_point(|s| *s <= offset).max(1);
        let start = self.starts[line - 1] as usize;
        let before = self.text.get(start..offset as usize).unwrap_or("");
        (line as u32, before.chars().count() as u32)
    }

    pub(crate) fn span(&self, range: TextRange) -> Span {
        let (line, column) = self.place(range.start().to_u32());
        let (end_line, end_column) = self.place(range.end().to_u32());
        Span { line, column, end_line, end_column }
    }

    /// The text of a line that counts from 1, without its end.
    pub(crate) fn line(&self, line: u32) -> &str {
        let Some(start) = (line as usize).checked_sub(1).and_then(|l| self.starts.get(l)) else { return "" };
        let end = self.starts.get(line as usize).map_or(self.text.len(), |e| *e as usize);
        self.text.get(*start as usize..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    pub(crate) fn slice(&self, range: TextRange) -> &str {
        self.text.get(range.start().to_usize()..range.end().to_usize()).unwrap_or("")
    }
}
