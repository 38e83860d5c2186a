//! The table of a sweep and its sentence.

use tidemark_protocol::{SweepCell, SweepRow, SweepTable, Verdict};
use tidemark_trace::{CrashPoint, When};

use super::site::Site;
use super::sweeper::RECOVERIES_MAX;

/// What is known of a sweep so far.
#[derive(Debug)]
pub(super) struct Report {
    table: SweepTable,
    /// Crashes that are planned, by point.
    planned: Vec<u64>,
    /// Batches of the run without a crash.
    pub(super) batches: u64,
    /// Whether more crashes within recoveries were there than are tried.
    pub(super) cut: bool,
    refused: Option<String>,
    failure: Option<String>,
}

impl Report {
    pub(super) fn new(recovery: bool) -> Report {
        let row = |point| SweepRow { point, absent: None, verdict: None, cells: Vec::new() };
        let rows = CrashPoint::ALL.into_iter().map(row).collect();
        Report {
            table: SweepTable { recovery, rows, ..SweepTable::default() },
            planned: vec![0; CrashPoint::ALL.len()],
            batches: 0,
            cut: false,
            refused: None,
            failure: None,
        }
    }

    /// There is nothing to sweep, and why.
    pub(super) fn refuse(&mut self, why: &str) {
        self.refused = Some(why.to_owned());
    }

    /// The script failed in the run without a crash.
    pub(super) fn failed(&mut self, message: &str) {
        self.failure = Some(message.to_owned());
    }

    /// The last run without a crash failed.
    pub(super) fn refuse_failed(&mut self) {
        let message = self.failure.clone().unwrap_or_default();
        self.refused =
            Some(format!("The script fails without a crash already. {message} Mend it, then sweep."));
    }

    pub(super) fn plan(&mut self, point: CrashPoint) {
        self.planned[point as usize] += 1;
    }

    pub(super) fn unplan(&mut self, point: CrashPoint) {
        let planned = &mut self.planned[point as usize];
        *planned = planned.saturating_sub(1);
    }

    pub(super) fn add(&mut self, point: CrashPoint, cell: SweepCell) {
        let row = &mut self.table.rows[point as usize];
        row.verdict = row.verdict.max(Some(cell.verdict));
        row.cells.push(cell);
    }

    /// Nothing more is tried.
    pub(super) fn stop(&mut self) {
        let tried: u64 = self.table.rows.iter().map(|row| row.cells.len() as u64).sum();
        let planned: u64 = self.planned.iter().sum();
        self.refused =
            Some(format!("Stopped: {tried} of {planned} crashes tried. S sweeps again from the beginning."));
        for (planned, row) in self.planned.iter_mut().zip(&self.table.rows) {
            *planned = row.cells.len() as u64;
        }
    }

    /// Names the points that no crash can reach.
    pub(super) fn name_absent(&mut self, functions: bool) {
        for row in &mut self.table.rows {
            let is_planned = self.planned[row.point as usize] > 0;
            let comes_later = row.point == CrashPoint::C14 && self.table.recovery && self.batches > 0;
            if !is_planned && !comes_later {
                row.absent = Some(absence(row.point, self.batches > 0, functions).to_owned());
            }
        }
    }

    /// The table as it stands.
    pub(super) fn table(&self, is_over: bool) -> SweepTable {
        let mut table = self.table.clone();
        if !is_over {
            table.rows.iter_mut().flat_map(|row| &mut row.cells).for_each(|cell| cell.acts.clear());
        }
        table.planned = self.planned.iter().sum();
        // What is planned shows when the script has run without a crash.
        let is_first_run = !is_over && table.planned == 0;
        table.planned = table.planned.max(u64::from(is_first_run));
        table.tried = table.rows.iter().map(|row| row.cells.len() as u64).sum();
        if is_over && self.refused.is_none() {
            for row in &mut table.rows {
                if row.cells.is_empty() && row.absent.is_none() {
                    row.absent = Some(absence(row.point, self.batches > 0, true).to_owned());
                }
            }
        }
        table.applicable = table.rows.iter().filter(|row| row.absent.is_none()).count() as u64;
        let whole = |row: &&SweepRow| row.cells.len() as u64 == self.planned[row.point as usize];
        table.survived =
            table.rows.iter().filter(whole).filter(|row| row.verdict == Some(Verdict::Right)).count() as u64;
        table.sentence = self.sentence(&table, is_over, is_first_run);
        table
    }

    fn sentence(&self, table: &SweepTable, is_over: bool, is_first_run: bool) -> String {
        if let Some(refused) = &self.refused {
            return refused.clone();
        }
        if is_first_run {
            return "The script runs without a crash first.".to_owned();
        }
        if !is_over {
            return format!("{} of {} crashes tried.", table.tried, table.planned);
        }
        if table.tried == 0 {
            return "Nothing to crash: the script writes nothing. Drop a file, then sweep again.".to_owned();
        }
        let mut text = format!("Survived {} of {} crash points.", table.survived, table.applicable);
        for (verdict, one, many) in [
            (Verdict::Doubled, "doubles rows", "double rows"),
            (Verdict::Lost, "loses rows", "lose rows"),
            (Verdict::Stuck, "is stuck", "are stuck"),
        ] {
            let points: Vec<CrashPoint> = table
                .rows
                .iter()
                .filter(|row| row.verdict == Some(verdict) && !is_known(row))
                .map(|row| row.point)
                .collect();
            if !points.is_empty() {
                text += &format!(" {} {}.", and(&points), if points.len() == 1 { one } else { many });
            }
        }
        if table.rows.iter().any(is_known) {
            text += " In the middle of the very first plan, offsets/0, the query is stuck, as Spark is.";
        }
        if self.cut {
            text += &format!(" Only {RECOVERIES_MAX} crashes within recoveries were tried; there are more.");
        }
        text
    }
}

/// Whether all that is wrong at a point is what Spark itself does with half of the very first plan.
fn is_known(row: &SweepRow) -> bool {
    let mut wrong = row.cells.iter().filter(|cell| cell.verdict != Verdict::Right).peekable();
    wrong.peek().is_some() && wrong.all(SweepCell::is_first_plan)
}

/// `C03`, `C10 and C11`, `C10, C11 and C13`.
fn and(points: &[CrashPoint]) -> String {
    let names: Vec<String> = points.iter().map(|point| format!("{point:?}")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Why a point does not apply.
fn absence(point: CrashPoint, has_batches: bool, functions: bool) -> &'static str {
    match point {
        _ if !has_batches => "no batch",
        CrashPoint::C02 => "no source log",
        CrashPoint::C06 | CrashPoint::C07 => "no state",
        CrashPoint::C08 | CrashPoint::C09 => "no sink files",
        CrashPoint::C13 if functions => "one write in the function",
        CrashPoint::C13 => "no function",
        CrashPoint::C14 => "no recovery that writes",
        _ => "not in this run",
    }
}

/// What to say of a query that is stuck on half of its very first plan.
pub(super) fn half_written_first_plan(site: &Site, message: &str) -> Option<String> {
    let is_it = site.when == When::During
        && site.point == CrashPoint::C03
        && message.contains("STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY");
    is_it.then(|| {
        format!("Half of offsets/0 is in the way, on Spark as here. Delete the offsets folder, then run again. {message}")
    })
}
