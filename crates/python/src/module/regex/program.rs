//! The program of a regular expression.

/// A part of a character class.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Range(char, char),
    Digit(bool),
    Word(bool),
    Space(bool),
}

/// How a character is compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    pub(crate) ignore_case: bool,
    pub(crate) ascii: bool,
}

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) enum Inst {
    Char(char, Style),
    Any {
        newline: bool,
    },
    Class {
        items: Vec<Item>,
        negated: bool,
        style: Style,
    },
    /// Tries the first, then the second.
    Split(usize, usize),
    Jump(usize),
    Save(usize),
    /// Remembers the position in which a round of a loop began.
    Mark(usize),
    /// Fails if the round has not moved.
    Moved(usize),
    LineStart {
        multi: bool,
    },
    LineEnd {
        multi: bool,
    },
    TextStart,
    TextEnd,
    WordEdge {
        negated: bool,
        ascii: bool,
    },
    Back(usize, Style),
    /// Matches the instructions up to `end` here, or this many characters back, without moving.
    Look {
        behind: Option<usize>,
        negated: bool,
        end: usize,
    },
    Done,
}

/// A compiled expression.
#[derive(Clone, Debug)]
pub(crate) struct Regex {
    pub(crate) program: Vec<Inst>,
    pub(crate) groups: usize,
    pub(crate) names: Vec<(String, usize)>,
    pub(crate) marks: usize,
    pub(crate) flags: i64,
}

fn is_word(c: char, ascii: bool) -> bool {
    c == '_' || if ascii { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() }
}

/// Whether a character is one of a word.
pub(crate) fn word(c: Option<&char>, ascii: bool) -> bool {
    c.is_some_and(|c| is_word(*c, ascii))
}

/// The character that stands for all cases of one.
pub(crate) fn fold(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

impl Item {
    pub(crate) fn holds(&self, c: char, style: Style) -> bool {
        match self {
            Self::Range(a, b) => {
                (*a..=*b).contains(&c)
                    || (style.ignore_case && {
                        let lower = fold(c);
                        let upper = c.to_uppercase().next().unwrap_or(c);
                        (*a..=*b).contains(&lower) || (*a..=*b).contains(&upper)
                    })
            }
            Self::Digit(yes) => {
                let digit = if style.ascii {
                    c.is_ascii_digit()
                } else {
                    c.is_numeric() && !c.is_alphabetic() && !"½²³¹¼¾".contains(c)
                };
                digit == *yes
            }
            Self::Word(yes) => is_word(c, style.ascii) == *yes,
            Self::Space(yes) => {
                let space = if style.ascii { " \t\n\r\x0b\x0c".contains(c) } else { c.is_whitespace() };
                space == *yes
            }
        }
    }
}
