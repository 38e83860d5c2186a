//! What is wrong in an attempt: the first thing, as a sentence with its row and its first step.

use std::collections::BTreeMap;

use tidemark_protocol::{Check, Expect, ScriptState, View};
use tidemark_trace::CrashPoint;

use super::attempt::Attempt;
use super::table::{Rows, sorted};

/// What the solution's tables hold at the end, by path.
pub(super) type Oracle = BTreeMap<String, Rows>;

/// Something wrong: what, without its data set, and the moment at which it first appears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) what: String,
    pub(super) moment: usize,
    /// Whether the moment is that of something that has come, not of something that stays away.
    pub(super) appears: bool,
}

/// The tables that a check asks about.
pub(super) fn tables(check: &Check) -> impl Iterator<Item = &str> {
    check.expect.iter().filter_map(|expect| match expect {
        Expect::Rows { table, .. } => Some(table.as_str()),
        _ => None,
    })
}

/// What the attempt's tables hold at its end.
pub(super) fn oracle(check: &Check, attempt: &Attempt) -> Oracle {
    let Some(world) = attempt.worlds.last() else { return Oracle::new() };
    tables(check).filter_map(|path| Some((path.to_owned(), Rows::read(world, path)?))).collect()
}

/// The first thing that is wrong, if anything is. After a crash only the tables and the ends of the runs are judged.
pub(super) fn judge(
    check: &Check,
    attempt: &Attempt,
    oracle: &Oracle,
    crash: Option<CrashPoint>,
) -> Option<Wrong> {
    let judge = Judge { check, attempt };
    judge.runs().or_else(|| {
        check.expect.iter().find_map(|expect| match expect {
            Expect::Rows { table, key } => judge.rows(table, key, oracle.get(table)?),
            Expect::Given { table, key, columns, rows } => {
                let wanted = Rows { columns: columns.clone(), rows: rows.clone() };
                judge.rows(table, key, &wanted)
            }
            Expect::Once { table, key } => judge.once(table, key),
            Expect::Ended => judge.ended(),
            Expect::Survives { .. } | Expect::Sweep => None,
            _ if crash.is_some() => None,
            Expect::Read => judge.read(),
            Expect::Batches { exactly } => judge.batches(*exactly),
            Expect::Option { name } => judge.option(name),
            Expect::State { rows_max } => judge.state(*rows_max),
        })
    })
}

struct Judge<'a> {
    check: &'a Check,
    attempt: &'a Attempt,
}

impl Judge<'_> {
    /// Something that can be seen at a moment.
    fn appears(&self, what: String, moment: usize) -> Option<Wrong> {
        Some(Wrong { what, moment, appears: true })
    }

    /// Something that is wrong at the end.
    fn lacks(&self, what: String) -> Option<Wrong> {
        Some(Wrong { what, moment: self.attempt.last_moment(), appears: false })
    }

    /// Errors and runs without an end.
    fn runs(&self) -> Option<Wrong> {
        if let Some(refused) = &self.attempt.refused {
            return self.lacks(format!("an act cannot be done: {}", refused.trim_end_matches('.')));
        }
        self.attempt.ends.iter().enumerate().find_map(|(at, end)| {
            let run = at + 1;
            if end.is_endless {
                return self
                    .appears(format!("run {run} does not come to an end; it was interrupted"), end.moment);
            }
            match end.state {
                ScriptState::Failed => {
                    let error = end.error.trim_end_matches('.');
                    self.appears(format!("run {run} ends with an error: {error}"), end.moment)
                }
                ScriptState::Crashed => self.appears(format!("run {run} does not come up again"), end.moment),
                _ => None,
            }
        })
    }

    fn ended(&self) -> Option<Wrong> {
        let parked = self.attempt.ends.iter().position(|end| end.state == ScriptState::Parked)?;
        let moment = self.attempt.ends[parked].moment;
        self.appears(
            format!("run {} does not end by itself: its query waits for more data", parked + 1),
            moment,
        )
    }

    fn rows(&self, table: &str, key: &str, wanted: &Rows) -> Option<Wrong> {
        let noun = &self.check.noun;
        let world = self.attempt.worlds.last()?;
        let Some(found) = Rows::read(world, table) else {
            return self.lacks(format!("there is no table {table} at the end"));
        };
        let Some(found) = found.in_order(&wanted.columns) else {
            return self.lacks(format!(
                "{table} has the columns {}; they should be {}",
                found.columns.join(", "),
                wanted.columns.join(", ")
            ));
        };
        let all = [wanted.keys(key).unwrap_or_default(), found.keys(key).unwrap_or_default()].concat();
        let keys = sorted(all);
        let counts = |of: &str| (wanted.count(key, of), found.count(key, of));
        for of in &keys {
            let (right, there) = counts(of);
            if right > 0 && there > right {
                let first = self.first(table, |rows| rows.count(key, of) > right);
                return self.appears(format!("{noun} {of} is there {}", times(there)), first);
            }
        }
        for of in &keys {
            let (right, there) = counts(of);
            if there < right {
                let what =
                    if there == 0 { "is missing".to_owned() } else { format!("is there {}", times(there)) };
                return self.lacks(format!("{noun} {of} {what}"));
            }
            if right == 0 {
                let first = self.first(table, |rows| rows.count(key, of) > 0);
                return self.appears(format!("there is {noun} {of}, which is in no file"), first);
            }
        }
        keys.iter().find_map(|of| self.changed(table, key, of, wanted, &found))
    }

    /// A row with the right key and another value.
    fn changed(&self, table: &str, key: &str, of: &str, wanted: &Rows, found: &Rows) -> Option<Wrong> {
        let at = wanted.columns.iter().position(|name| name == key)?;
        let with_key = |rows: &Rows| -> Vec<Vec<String>> {
            let mut rows: Vec<_> = rows.rows.iter().filter(|row| row[at] == of).cloned().collect();
            rows.sort();
            rows
        };
        let (right, there) = (with_key(wanted), with_key(found));
        let (right, there) = right.iter().zip(&there).find(|(right, there)| right != there)?;
        let column = right.iter().zip(there).position(|(right, there)| right != there)?;
        let (name, is, should) = (&wanted.columns[column], &there[column], &right[column]);
        let first = self.first(table, |rows| {
            rows.in_order(&wanted.columns).is_some_and(|rows| rows.rows.contains(there))
        });
        self.appears(format!("{} {of} has {name} {is}; it should be {should}", self.check.noun), first)
    }

    fn once(&self, table: &str, key: &str) -> Option<Wrong> {
        let rows = Rows::read(self.attempt.worlds.last()?, table)?;
        let keys = sorted(rows.keys(key)?);
        let of = keys.iter().find(|of| rows.count(key, of) > 1)?;
        let first = self.first(table, |rows| rows.count(key, of) > 1);
        self.appears(format!("{} {of} is there {}", self.check.noun, times(rows.count(key, of))), first)
    }

    fn read(&self) -> Option<Wrong> {
        let view = self.attempt.last_view();
        if view.queries.is_empty() {
            return self.lacks("no streaming query runs: each run reads all files again".to_owned());
        }
        let given = self.attempt.done.iter().map(rows_of).sum::<i64>();
        let total = input_rows(&view);
        if total > given {
            let first =
                (0..self.attempt.worlds.len()).find(|at| input_rows(&self.attempt.view_at(*at)) > given);
            let what =
                format!("the queries read {total} rows, and the files hold {given}: some are read again");
            return self.appears(what, first.unwrap_or_default());
        }
        if total < given {
            return self.lacks(format!("the queries read {total} rows, and the files hold {given}"));
        }
        None
    }

    fn batches(&self, exactly: u64) -> Option<Wrong> {
        let view = self.attempt.last_view();
        let count = view.queries.iter().flat_map(|query| &query.batches).filter(|batch| !batch.again).count();
        (count as u64 != exactly)
            .then(|| self.lacks(format!("{count} batches ran; it should be {exactly}")))
            .flatten()
    }

    fn option(&self, name: &str) -> Option<Wrong> {
        (!self.attempt.options.contains(&name.to_lowercase()))
            .then(|| self.lacks(format!("no query is started with the option {name}")))
            .flatten()
    }

    fn state(&self, rows_max: u64) -> Option<Wrong> {
        let most = self.attempt.state_rows_max;
        (most > rows_max)
            .then(|| {
                self.lacks(format!("the state holds up to {most} rows; it should be at most {rows_max}"))
            })
            .flatten()
    }

    /// The first moment at which a table is so; the last one if it never is.
    fn first(&self, table: &str, is_so: impl Fn(&Rows) -> bool) -> usize {
        let mut log = None;
        for (at, world) in self.attempt.worlds.iter().enumerate() {
            let commits = world.peek_list(&world.resolve(&format!("{table}/_delta_log"))).len();
            if log.replace(commits) != Some(commits)
                && Rows::read(world, table).is_some_and(|rows| is_so(&rows))
            {
                return at;
            }
        }
        self.attempt.last_moment()
    }
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

/// The rows of a file that is put.
fn rows_of(act: &tidemark_protocol::Act) -> i64 {
    match act {
        tidemark_protocol::Act::Put { text, .. } => {
            text.lines().filter(|line| !line.trim().is_empty()).count() as i64
        }
        _ => 0,
    }
}

/// The rows that all batches of all queries have read so far.
fn input_rows(view: &View) -> i64 {
    view.queries.iter().flat_map(|query| &query.batches).map(|batch| batch.input_rows).sum()
}
