//! Reads a regular expression and writes its program.

use crate::module::regex::program::{Inst, Item, Regex, Style};

/// Flags, with Python's numbers.
pub(crate) const IGNORE_CASE: i64 = 2;
const MULTI_LINE: i64 = 8;
const DOT_ALL: i64 = 16;
const UNICODE: i64 = 32;
const VERBOSE: i64 = 64;
const ASCII: i64 = 256;

/// Most copies that a counted repetition makes.
const COPIES_MAX: usize = 1000;

/// What is wrong with an expression, and where.
pub(crate) type Problem = (String, usize);

type P<T> = Result<T, Problem>;

struct Parser {
    chars: Vec<char>,
    at: usize,
    flags: i64,
    groups: usize,
    names: Vec<(String, usize)>,
    open: Vec<usize>,
    marks: usize,
}

/// Compiles an expression.
pub(crate) fn compile(pattern: &str, flags: i64) -> P<Regex> {
    let mut parser = Parser {
        chars: pattern.chars().collect(),
        at: 0,
        flags,
        groups: 0,
        names: Vec::new(),
        open: Vec::new(),
        marks: 0,
    };
    let mut program = parser.alternatives()?;
    if parser.at < parser.chars.len() {
        return Err(("unbalanced parenthesis".to_owned(), parser.at));
    }
    program.push(Inst::Done);
    let flags = if parser.flags & ASCII == 0 { parser.flags | UNICODE } else { parser.flags };
    Ok(Regex { program, groups: parser.groups, names: parser.names, marks: parser.marks, flags })
}

/// Moves the targets of a piece of program that is put at `by`.
fn shifted(piece: &[Inst], by: usize) -> impl Iterator<Item = Inst> {
    piece.iter().map(move |inst| match inst {
        Inst::Split(a, b) => Inst::Split(a + by, b + by),
        Inst::Jump(a) => Inst::Jump(a + by),
        Inst::Look { behind, negated, end } => {
            Inst::Look { behind: *behind, negated: *negated, end: end + by }
        }
        other => other.clone(),
    })
}

fn append(program: &mut Vec<Inst>, piece: &[Inst]) {
    let by = program.len();
    program.extend(shifted(piece, by));
}

/// The number of characters that a piece always takes.
fn width(piece: &[Inst]) -> Option<usize> {
    let mut total = 0;
    let mut at = 0;
    while at < piece.len() {
        match &piece[at] {
            Inst::Char(..) | Inst::Any { .. } | Inst::Class { .. } => total += 1,
            Inst::Split(first, second) if *first == at + 1 => {
                // An alternation: both ways must be equally wide.
                let jump = second.checked_sub(1)?;
                let Inst::Jump(end) = piece.get(jump)? else { return None };
                if *end < *second || *second <= at {
                    return None;
                }
                let left = width(&shift_back(&piece[at + 1..jump], at + 1))?;
                let right = width(&shift_back(&piece[*second..*end], *second))?;
                if left != right {
                    return None;
                }
                total += left;
                at = *end;
                continue;
            }
            Inst::Split(..) | Inst::Jump(_) | Inst::Back(..) => return None,
            Inst::Look { end, .. } => {
                at = *end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    Some(total)
}

fn shift_back(piece: &[Inst], by: usize) -> Vec<Inst> {
    piece
        .iter()
        .map(|inst| match inst {
            Inst::Split(a, b) => Inst::Split(a.saturating_sub(by), b.saturating_sub(by)),
            Inst::Jump(a) => Inst::Jump(a.saturating_sub(by)),
            Inst::Look { behind, negated, end } => {
                Inst::Look { behind: *behind, negated: *negated, end: end.saturating_sub(by) }
            }
            other => other.clone(),
        })
        .collect()
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += 1;
        }
        found
    }

    fn style(&self) -> Style {
        Style { ignore_case: self.flags & IGNORE_CASE != 0, ascii: self.flags & ASCII != 0 }
    }

    fn alternatives(&mut self) -> P<Vec<Inst>> {
        let first = self.sequence()?;
        if !self.eat('|') {
            return Ok(first);
        }
        let rest = self.alternatives()?;
        let mut program = vec![Inst::Split(1, first.len() + 2)];
        append(&mut program, &first);
        program.push(Inst::Jump(first.len() + 2 + rest.len()));
        append(&mut program, &rest);
        Ok(program)
    }

    fn sequence(&mut self) -> P<Vec<Inst>> {
        let mut program = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            if self.flags & VERBOSE != 0 {
                if c.is_whitespace() {
                    self.at += 1;
                    continue;
                }
                if c == '#' {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                    continue;
                }
            }
            let start = self.at;
            let piece = self.atom()?;
            let piece = self.repeated(piece, start)?;
            append(&mut program, &piece);
        }
        Ok(program)
    }

    fn number(&mut self) -> Option<usize> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect::<String>().parse().ok()
    }

    fn quantifier(&mut self) -> P<Option<(usize, Option<usize>)>> {
        let start = self.at;
        Ok(match self.peek() {
            Some('*') => {
                self.at += 1;
                Some((0, None))
            }
            Some('+') => {
                self.at += 1;
                Some((1, None))
            }
            Some('?') => {
                self.at += 1;
                Some((0, Some(1)))
            }
            Some('{') => {
                self.at += 1;
                let least = self.number();
                let most = if self.eat(',') { self.number() } else { least };
                let comma = self.chars[start..self.at].contains(&',');
                if !self.eat('}') || (least.is_none() && !comma) {
                    self.at = start;
                    return Ok(None);
                }
                let least = least.unwrap_or(0);
                if most.is_some_and(|m| m < least) {
                    return Err(("min repeat greater than max repeat".to_owned(), start + 1));
                }
                Some((least, most))
            }
            _ => None,
        })
    }

    fn repeated(&mut self, piece: Vec<Inst>, start: usize) -> P<Vec<Inst>> {
        let place = self.at;
        let Some((least, most)) = self.quantifier()? else { return Ok(piece) };
        if piece.is_empty() && start == place {
            return Err(("nothing to repeat".to_owned(), place));
        }
        let lazy = self.eat('?');
        if !lazy && self.peek() == Some('+') {
            return Err(("possessive quantifiers are not supported here".to_owned(), self.at));
        }
        let again = self.at;
        if self.quantifier()?.is_some() {
            return Err(("multiple repeat".to_owned(), again));
        }
        if least > COPIES_MAX || most.is_some_and(|m| m > COPIES_MAX) {
            return Err(("the repetition number is too large".to_owned(), place));
        }
        let split = |a: usize, b: usize| if lazy { Inst::Split(b, a) } else { Inst::Split(a, b) };
        let mut program = Vec::new();
        for _ in 0..least {
            append(&mut program, &piece);
        }
        match most {
            None => {
                let mark = self.marks;
                self.marks += 1;
                let head = program.len();
                program.push(split(head + 1, head + piece.len() + 4));
                program.push(Inst::Mark(mark));
                append(&mut program, &piece);
                program.push(Inst::Moved(mark));
                program.push(Inst::Jump(head));
            }
            Some(most) => {
                let end = program.len() + (most - least) * (piece.len() + 1);
                for _ in least..most {
                    let head = program.len();
                    program.push(split(head + 1, end));
                    append(&mut program, &piece);
                }
            }
        }
        Ok(program)
    }

    fn atom(&mut self) -> P<Vec<Inst>> {
        let place = self.at;
        let Some(c) = self.peek() else { return Ok(Vec::new()) };
        self.at += 1;
        let style = self.style();
        Ok(vec![match c {
            '.' => Inst::Any { newline: self.flags & DOT_ALL != 0 },
            '^' => Inst::LineStart { multi: self.flags & MULTI_LINE != 0 },
            '$' => Inst::LineEnd { multi: self.flags & MULTI_LINE != 0 },
            '(' => return self.group(place),
            '[' => self.class(place)?,
            '*' | '+' | '?' => return Err(("nothing to repeat".to_owned(), place)),
            '\\' => self.escape(place)?,
            other => Inst::Char(other, style),
        }])
    }

    fn close(&mut self, place: usize) -> P<()> {
        if self.eat(')') { Ok(()) } else { Err(("missing ), unterminated subpattern".to_owned(), place)) }
    }

    fn name(&mut self, end: char) -> P<String> {
        let start = self.at;
        while self.peek().is_some_and(|c| c != end) {
            self.at += 1;
        }
        let name: String = self.chars[start..self.at].iter().collect();
        if !self.eat(end) {
            let text = if name.is_empty() {
                "missing group name".to_owned()
            } else {
                format!("missing {end}, unterminated name")
            };
            return Err((text, start));
        }
        if name.is_empty() {
            return Err(("missing group name".to_owned(), start));
        }
        let good = name.chars().all(|c| c == '_' || c.is_alphanumeric())
            && !name.starts_with(|c: char| c.is_numeric());
        if good { Ok(name) } else { Err((format!("bad character in group name '{name}'"), start)) }
    }

    fn group(&mut self, place: usize) -> P<Vec<Inst>> {
        if !self.eat('?') {
            return self.capture(place, None);
        }
        let kept = self.flags;
        match self.peek() {
            Some('P') => {
                self.at += 1;
                if self.eat('<') {
                    let start = self.at;
                    let name = self.name('>')?;
                    if let Some((_, old)) = self.names.iter().find(|(n, _)| *n == name) {
                        let new = self.groups + 1;
                        return Err((
                            format!("redefinition of group name '{name}' as group {new}; was group {old}"),
                            start,
                        ));
                    }
                    return self.capture(place, Some(name));
                }
                if self.eat('=') {
                    let start = self.at;
                    let name = self.name(')')?;
                    return match self.names.iter().find(|(n, _)| *n == name) {
                        Some((_, group)) => Ok(vec![Inst::Back(*group, self.style())]),
                        None => Err((format!("unknown group name '{name}'"), start)),
                    };
                }
                let c = self.peek().map_or(String::new(), |c| c.to_string());
                Err((format!("unknown extension ?P{c}"), place + 1))
            }
            Some(':') => {
                self.at += 1;
                let inner = self.alternatives()?;
                self.close(place)?;
                self.flags = kept;
                Ok(inner)
            }
            Some('#') => {
                while self.peek().is_some_and(|c| c != ')') {
                    self.at += 1;
                }
                self.close(place)?;
                Ok(Vec::new())
            }
            Some(c @ ('=' | '!')) => {
                self.at += 1;
                self.look(place, c == '!', false)
            }
            Some('<') if matches!(self.chars.get(self.at + 1), Some('=' | '!')) => {
                let negated = self.chars[self.at + 1] == '!';
                self.at += 2;
                self.look(place, negated, true)
            }
            _ => self.inline_flags(place),
        }
    }

    fn inline_flags(&mut self, place: usize) -> P<Vec<Inst>> {
        let kept = self.flags;
        let mut on = true;
        while let Some(c) = self.peek() {
            self.at += 1;
            let flag = match c {
                'i' => IGNORE_CASE,
                'm' => MULTI_LINE,
                's' => DOT_ALL,
                'x' => VERBOSE,
                'a' => ASCII,
                'u' | 'L' => 0,
                '-' => {
                    on = false;
                    continue;
                }
                ')' => return Ok(Vec::new()),
                ':' => {
                    let inner = self.alternatives()?;
                    self.close(place)?;
                    self.flags = kept;
                    return Ok(inner);
                }
                other => return Err((format!("unknown extension ?{other}"), place + 1)),
            };
            self.flags = if on { self.flags | flag } else { self.flags & !flag };
        }
        Err(("missing ), unterminated subpattern".to_owned(), place))
    }

    fn capture(&mut self, place: usize, name: Option<String>) -> P<Vec<Inst>> {
        self.groups += 1;
        let group = self.groups;
        if let Some(name) = name {
            self.names.push((name, group));
        }
        self.open.push(group);
        let inner = self.alternatives()?;
        self.close(place)?;
        self.open.pop();
        let mut program = vec![Inst::Save(2 * group)];
        append(&mut program, &inner);
        program.push(Inst::Save(2 * group + 1));
        Ok(program)
    }

    fn look(&mut self, place: usize, negated: bool, behind: bool) -> P<Vec<Inst>> {
        let inner = self.alternatives()?;
        self.close(place)?;
        let behind = match (behind, width(&inner)) {
            (false, _) => None,
            (true, Some(width)) => Some(width),
            (true, None) => return Err(("look-behind requires fixed-width pattern".to_owned(), place)),
        };
        let mut program = vec![Inst::Look { behind, negated, end: inner.len() + 2 }];
        append(&mut program, &inner);
        program.push(Inst::Done);
        Ok(program)
    }

    fn hex(&mut self, digits: usize, place: usize) -> P<char> {
        let text: String = self.chars[self.at..].iter().take(digits).collect();
        let found =
            u32::from_str_radix(&text, 16).ok().filter(|_| text.len() == digits).and_then(char::from_u32);
        match found {
            Some(c) => {
                self.at += digits;
                Ok(c)
            }
            None => Err((
                format!(
                    "incomplete escape \\{}",
                    self.chars[place + 1..].iter().take(1 + text.len()).collect::<String>()
                ),
                place,
            )),
        }
    }

    /// An escape that is one character; `None` if it is none.
    fn escaped_char(&mut self, c: char, place: usize) -> P<Option<char>> {
        Ok(Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\x0c',
            'v' => '\x0b',
            'a' => '\x07',
            'x' => self.hex(2, place)?,
            'u' => self.hex(4, place)?,
            'U' => self.hex(8, place)?,
            '0' => '\0',
            c if !c.is_ascii_alphanumeric() => c,
            _ => return Ok(None),
        }))
    }

    fn escape(&mut self, place: usize) -> P<Inst> {
        let Some(c) = self.peek() else { return Err(("bad escape (end of pattern)".to_owned(), place)) };
        self.at += 1;
        let style = self.style();
        let one = |item: Item| Inst::Class { items: vec![item], negated: false, style };
        Ok(match c {
            'd' | 'D' => one(Item::Digit(c == 'd')),
            'w' | 'W' => one(Item::Word(c == 'w')),
            's' | 'S' => one(Item::Space(c == 's')),
            'b' | 'B' => Inst::WordEdge { negated: c == 'B', ascii: style.ascii },
            'A' => Inst::TextStart,
            'Z' => Inst::TextEnd,
            '1'..='9' => {
                self.at -= 1;
                let start = self.at;
                while self.at < start + 2 && self.peek().is_some_and(|c| c.is_ascii_digit()) {
                    self.at += 1;
                }
                let group: usize = self.chars[start..self.at].iter().collect::<String>().parse().unwrap_or(0);
                if group > self.groups {
                    return Err((format!("invalid group reference {group}"), start));
                }
                if self.open.contains(&group) {
                    return Err(("cannot refer to an open group".to_owned(), place));
                }
                Inst::Back(group, style)
            }
            other => match self.escaped_char(other, place)? {
                Some(c) => Inst::Char(c, style),
                None => return Err((format!("bad escape \\{other}"), place)),
            },
        })
    }

    fn class(&mut self, place: usize) -> P<Inst> {
        let negated = self.eat('^');
        let mut items = Vec::new();
        let mut first = true;
        loop {
            let start = self.at;
            let Some(c) = self.peek() else { return Err(("unterminated character set".to_owned(), place)) };
            self.at += 1;
            if c == ']' && !first {
                break;
            }
            first = false;
            let low = match self.class_item(c, start, &mut items)? {
                Some(low) => low,
                None => continue,
            };
            if self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|c| *c != ']') {
                self.at += 1;
                let Some(c) = self.peek() else {
                    return Err(("unterminated character set".to_owned(), place));
                };
                self.at += 1;
                let here = self.at - 1;
                match self.class_item(c, here, &mut items)? {
                    Some(high) if high >= low => items.push(Item::Range(low, high)),
                    _ => {
                        let text: String = self.chars[start..self.at].iter().collect();
                        return Err((format!("bad character range {text}"), start));
                    }
                }
            } else {
                items.push(Item::Range(low, low));
            }
        }
        Ok(Inst::Class { items, negated, style: self.style() })
    }

    fn class_item(&mut self, c: char, place: usize, items: &mut Vec<Item>) -> P<Option<char>> {
        if c != '\\' {
            return Ok(Some(c));
        }
        let Some(c) = self.peek() else { return Err(("bad escape (end of pattern)".to_owned(), place)) };
        self.at += 1;
        match c {
            'd' | 'D' => items.push(Item::Digit(c == 'd')),
            'w' | 'W' => items.push(Item::Word(c == 'w')),
            's' | 'S' => items.push(Item::Space(c == 's')),
            'b' => return Ok(Some('\x08')),
            other => {
                return match self.escaped_char(other, place)? {
                    Some(c) => Ok(Some(c)),
                    None => Err((format!("bad escape \\{other}"), place)),
                };
            }
        }
        Ok(None)
    }
}
