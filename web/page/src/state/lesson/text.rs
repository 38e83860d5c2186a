//! The words of a lesson: headings, paragraphs, and in them code and emphasis. Nothing else of Markdown.

/// A piece of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words.
    Plain(String),
    /// `code`.
    Code(String),
    /// *emphasis*.
    Stress(String),
}

/// The heading and the paragraphs of `lesson.md`.
pub fn read(text: &str) -> (String, Vec<Vec<Piece>>) {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let heading = first.trim_start_matches('#').trim().to_owned();
    let paragraphs = rest.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    (heading, paragraphs.map(|paragraph| pieces(&paragraph.replace('\n', " "))).collect())
}

/// The pieces of a paragraph. A sign without its partner stands for itself.
pub fn pieces(paragraph: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut rest = paragraph;
    while let Some(at) = rest.find(['`', '*']) {
        let sign = rest.as_bytes()[at] as char;
        let Some(end) = rest[at + 1..].find(sign) else { break };
        if at > 0 {
            found.push(Piece::Plain(rest[..at].to_owned()));
        }
        let inner = rest[at + 1..at + 1 + end].to_owned();
        found.push(if sign == '`' { Piece::Code(inner) } else { Piece::Stress(inner) });
        rest = &rest[at + 2 + end..];
    }
    if !rest.is_empty() {
        found.push(Piece::Plain(rest.to_owned()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_is_a_heading_and_paragraphs() {
        let (heading, paragraphs) =
            read("# Two runs\n\nDelta says *done*: `out/`\nholds it.\n\nThen 2 * 3.\n");
        assert_eq!(heading, "Two runs");
        assert_eq!(
            paragraphs,
            [
                vec![
                    Piece::Plain("Delta says ".to_owned()),
                    Piece::Stress("done".to_owned()),
                    Piece::Plain(": ".to_owned()),
                    Piece::Code("out/".to_owned()),
                    Piece::Plain(" holds it.".to_owned()),
                ],
                vec![Piece::Plain("Then 2 * 3.".to_owned())],
            ]
        );
    }
}
