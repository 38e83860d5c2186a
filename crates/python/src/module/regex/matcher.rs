//! Runs the program of a regular expression over characters.

use crate::module::regex::program::{Inst, Regex, fold, word};

/// Most steps of one search.
const STEPS_MAX: usize = 20_000_000;

/// Where a match may begin and must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Search,
    Start,
    Whole,
}

/// The search was given up.
#[derive(Debug)]
pub(crate) struct TooLong;

enum Choice {
    Branch(usize, usize),
    Slot(usize, Option<usize>),
    Mark(usize, Option<usize>),
}

struct Run<'a> {
    regex: &'a Regex,
    text: &'a [char],
    end: usize,
    slots: Vec<Option<usize>>,
    marks: Vec<Option<usize>>,
    steps: usize,
    whole: bool,
    start: usize,
    empty_at: Option<usize>,
}

/// Finds the first match from `from` on, before `end`; never an empty one at `empty_at`. Gives the slots of all groups.
pub(crate) fn find(
    regex: &Regex,
    text: &[char],
    from: usize,
    end: usize,
    mode: Mode,
    empty_at: Option<usize>,
) -> Result<Option<Vec<Option<usize>>>, TooLong> {
    let last = if mode == Mode::Search { end } else { from };
    let mut steps = 0;
    for start in from..=last {
        let mut run = Run {
            regex,
            text,
            end,
            slots: vec![None; 2 * (regex.groups + 1)],
            marks: vec![None; regex.marks],
            steps,
            whole: mode == Mode::Whole,
            start,
            empty_at,
        };
        if let Some(stop) = run.from(0, start)? {
            run.slots[0] = Some(start);
            run.slots[1] = Some(stop);
            return Ok(Some(run.slots));
        }
        steps = run.steps;
    }
    Ok(None)
}

impl Run<'_> {
    /// Matches from an instruction and a position; gives the position at the end of the program or of a look.
    // tidy: table
    fn from(&mut self, pc: usize, at: usize) -> Result<Option<usize>, TooLong> {
        let (mut pc, mut at) = (pc, at);
        let mut stack: Vec<Choice> = Vec::new();
        loop {
            self.steps += 1;
            if self.steps > STEPS_MAX {
                return Err(TooLong);
            }
            let next = if at < self.end { self.text.get(at) } else { None };
            let goes = match &self.regex.program[pc] {
                Inst::Char(c, style) => match next {
                    Some(n) if n == c || (style.ignore_case && fold(*n) == fold(*c)) => {
                        at += 1;
                        true
                    }
                    _ => false,
                },
                Inst::Any { newline } => match next {
                    Some(n) if *newline || *n != '\n' => {
                        at += 1;
                        true
                    }
                    _ => false,
                },
                Inst::Class { items, negated, style } => match next {
                    Some(n) if items.iter().any(|i| i.holds(*n, *style)) != *negated => {
                        at += 1;
                        true
                    }
                    _ => false,
                },
                Inst::Split(first, second) => {
                    stack.push(Choice::Branch(*second, at));
                    pc = *first;
                    continue;
                }
                Inst::Jump(target) => {
                    pc = *target;
                    continue;
                }
                Inst::Save(slot) => {
                    stack.push(Choice::Slot(*slot, self.slots[*slot]));
                    self.slots[*slot] = Some(at);
                    true
                }
                Inst::Mark(mark) => {
                    stack.push(Choice::Mark(*mark, self.marks[*mark]));
                    self.marks[*mark] = Some(at);
                    true
                }
                Inst::Moved(mark) => self.marks[*mark] != Some(at),
                Inst::LineStart { multi } => at == 0 || (*multi && self.text.get(at - 1) == Some(&'\n')),
                Inst::LineEnd { multi } => {
                    at == self.end
                        || (at + 1 == self.end && self.text[at] == '\n')
                        || (*multi && next == Some(&'\n'))
                }
                Inst::TextStart => at == 0,
                Inst::TextEnd => at == self.end,
                Inst::WordEdge { negated, ascii } => {
                    let before = at > 0 && word(self.text.get(at - 1), *ascii);
                    (before != word(next, *ascii)) != *negated
                }
                Inst::Back(group, style) => match (self.slots[2 * group], self.slots[2 * group + 1]) {
                    (Some(from), Some(to)) if at + (to - from) <= self.end => {
                        let same = (0..to - from).all(|i| {
                            let (a, b) = (self.text[from + i], self.text[at + i]);
                            a == b || (style.ignore_case && fold(a) == fold(b))
                        });
                        if same {
                            at += to - from;
                        }
                        same
                    }
                    _ => false,
                },
                Inst::Look { behind, negated, end } => {
                    let (behind, negated, end) = (*behind, *negated, *end);
                    let from = match behind {
                        Some(width) => at.checked_sub(width),
                        None => Some(at),
                    };
                    let kept = self.slots.clone();
                    let found = match from {
                        Some(from) => self.from(pc + 1, from)?.is_some(),
                        None => false,
                    };
                    if found == negated || negated {
                        let after = std::mem::replace(&mut self.slots, kept);
                        drop(after);
                    } else {
                        for (slot, old) in kept.into_iter().enumerate() {
                            if self.slots[slot] != old {
                                stack.push(Choice::Slot(slot, old));
                            }
                        }
                    }
                    if found != negated {
                        pc = end;
                        continue;
                    }
                    false
                }
                Inst::Done => {
                    let last = pc + 1 == self.regex.program.len();
                    let refused = last
                        && ((self.whole && at != self.end)
                            || (at == self.start && self.empty_at == Some(at)));
                    if !refused {
                        return Ok(Some(at));
                    }
                    false
                }
            };
            if goes {
                pc += 1;
                continue;
            }
            loop {
                match stack.pop() {
                    None => return Ok(None),
                    Some(Choice::Slot(slot, old)) => self.slots[slot] = old,
                    Some(Choice::Mark(mark, old)) => self.marks[mark] = old,
                    Some(Choice::Branch(to, place)) => {
                        (pc, at) = (to, place);
                        break;
                    }
                }
            }
        }
    }
}
