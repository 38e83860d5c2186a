//! The crash sweep as the page keeps it: what is asked, what came, which cell is looked at; and its words.

use std::rc::Rc;

use tidemark_protocol::{Act, Command, SweepCell, SweepRow, SweepTable, Verdict};
use tidemark_trace::CrashPoint;

use crate::state::act::deed;
use crate::state::act::sample;
use crate::state::model::{Engine, Model, World};
use crate::state::tabs::Tab;
use crate::state::travel;
use crate::state::words::count;

/// What is known of the sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepStand {
    /// The request that is on its way.
    pub asked: Option<u64>,
    /// The table so far.
    pub table: Option<Rc<SweepTable>>,
    /// Whether the next sweep crashes within each recovery too.
    pub recovery: bool,
    /// The point that is looked at.
    pub point: Option<CrashPoint>,
    /// Which of its crashes.
    pub cell: usize,
    /// The branch that was swept, and how many acts it had.
    of: Option<(usize, usize)>,
    /// The branch that is being opened, to be shown where its driver stops.
    opening: Option<u64>,
}

/// What the learner does with the sweep.
#[derive(Clone, Debug, PartialEq)]
pub enum SweepMove {
    /// Tries every crash.
    Begin,
    /// Gives up what goes on.
    Stop,
    /// Crashes within each recovery too, or not.
    Recovery(bool),
    /// Looks at a point: at the worst crash of it.
    Point(CrashPoint),
    /// Looks at one crash of the point.
    Cell(usize),
    /// Opens a crash of the point as a branch.
    Open(usize),
}

impl SweepStand {
    /// The row that is looked at: the chosen one, or the worst.
    pub fn row(&self) -> Option<&SweepRow> {
        let rows = &self.table.as_ref()?.rows;
        match self.point {
            Some(point) => rows.iter().find(|row| row.point == point),
            None => rows.iter().filter(|row| row.verdict.is_some()).max_by_key(|row| {
                // What Spark itself does not come back from is looked at when nothing else is wrong.
                let is_own =
                    row.verdict > Some(Verdict::Right) && !row.worst().is_some_and(SweepCell::is_first_plan);
                (is_own, row.verdict, row.most())
            }),
        }
    }

    /// The crash that is looked at.
    pub fn chosen(&self) -> Option<&SweepCell> {
        let row = self.row()?;
        match self.point {
            Some(_) => row.cells.get(self.cell),
            None => row.worst(),
        }
    }

    /// Whether the table was made of an older stand of the branch, or of another branch.
    pub fn is_old(&self, world: &World) -> bool {
        self.table.is_some() && self.asked.is_none() && self.of != Some((world.branch, world.acts.len()))
    }
}

/// Why no sweep can begin now.
pub fn off(world: &World) -> Option<String> {
    match world.engine {
        Engine::Broken => return Some("The engine cannot be started. Load the page again.".to_owned()),
        Engine::Ready => {}
        Engine::Loading | Engine::Opening => {
            return Some("The engine is loading. The sweep waits for it.".to_owned());
        }
    }
    if world.awaiting.is_some() {
        return Some("The engine is at work. Stop it, or wait for it.".to_owned());
    }
    None
}

/// Does a move.
pub(in crate::state) fn apply(model: &mut Model, what: SweepMove) {
    match what {
        SweepMove::Begin => begin(model),
        SweepMove::Stop => stop(model),
        SweepMove::Recovery(on) => model.world_mut().sweep.recovery = on,
        SweepMove::Point(point) => {
            let sweep = &mut model.world_mut().sweep;
            sweep.point = Some(point);
            let row = sweep.row();
            let worst =
                row.and_then(|row| row.cells.iter().position(|cell| Some(cell.verdict) == row.verdict));
            sweep.cell = worst.unwrap_or(0);
        }
        SweepMove::Cell(cell) => {
            let point = model.world.sweep.row().map(|row| row.point);
            let sweep = &mut model.world_mut().sweep;
            (sweep.point, sweep.cell) = (point, cell);
        }
        SweepMove::Open(cell) => open(model, cell),
    }
}

fn begin(model: &mut Model) {
    model.ui_mut().tab = Tab::Sweep;
    if model.world.sweep.asked.is_some() {
        model.say("The sweep goes on. X stops it.");
        return;
    }
    if let Some(reason) = off(&model.world) {
        model.say(reason);
        return;
    }
    // What is swept is the script in the editor.
    let is_edited = model.world.view.as_ref().is_some_and(|view| view.script.text != model.world.draft)
        || model.world.acts.iter().all(|act| !matches!(act, Act::Edit { .. }));
    if is_edited {
        let last = model.world.marks.len();
        travel::go(model, last);
        let text = model.world.draft.clone();
        deed::ask(model, [Act::Edit { script: sample::NAME.to_owned(), text }]);
    }
    let recovery = model.world.sweep.recovery;
    let number = model.post(Command::Sweep { recovery });
    let world = model.world_mut();
    let acts = world.acts.len() + usize::from(is_edited);
    let of = Some((world.branch, acts));
    world.sweep = SweepStand { asked: Some(number), recovery, of, ..SweepStand::default() };
}

fn stop(model: &mut Model) {
    if model.world.sweep.asked.is_some() {
        model.post(Command::Halt);
    }
}

fn open(model: &mut Model, at: usize) {
    let Some(row) = model.world.sweep.row() else { return };
    let Some(cell) = row.cells.get(at) else { return };
    if cell.acts.is_empty() {
        model.say("The branches can be opened when the sweep is over. X stops it.");
        return;
    }
    if let Some(reason) = off(&model.world) {
        model.say(reason);
        return;
    }
    let (name, acts) = (name_of(row.point, cell), cell.acts.clone());
    model.say(format!("A branch of its own: {}.", cell.place));
    let number = model.post(Command::Begin { name, acts });
    let world = model.world_mut();
    world.awaiting = Some(number);
    world.looking = None;
    world.sweep.opening = Some(number);
    model.ui_mut().tab = Tab::Lane;
}

/// `C10, after commits/1`: the branch of a crash.
fn name_of(point: CrashPoint, cell: &SweepCell) -> String {
    let last = cell.place.rsplit(", then ").next().unwrap_or(&cell.place);
    format!("{point:?} {last}")
}

/// A table came, or the last one.
pub(in crate::state) fn take(model: &mut Model, number: u64, table: SweepTable) {
    if model.world.sweep.asked != Some(number) {
        return;
    }
    let is_over = table.is_over();
    let sentence = table.sentence.clone();
    let sweep = &mut model.world_mut().sweep;
    sweep.table = Some(Rc::new(table));
    if is_over {
        sweep.asked = None;
        if model.ui.tab != Tab::Sweep {
            model.say(sentence);
        }
    }
}

/// The request was refused.
pub(in crate::state) fn refused(model: &mut Model, number: u64) {
    if model.world.sweep.asked == Some(number) {
        model.world_mut().sweep.asked = None;
    }
}

/// The worker has died: what has come stays.
pub(in crate::state) fn forget(model: &mut Model) {
    let sweep = &mut model.world_mut().sweep;
    (sweep.asked, sweep.opening) = (None, None);
}

/// Shows an opened branch where its driver stopped last.
pub(in crate::state) fn settle(model: &mut Model) {
    let is_there = model.world.sweep.opening.is_some() && model.world.awaiting.is_none();
    if !is_there {
        return;
    }
    model.world_mut().sweep.opening = None;
    if let Some(crash) = model.world.marks.iter().rposition(|mark| mark.crash) {
        travel::go(model, crash);
    }
}

// ---- words

/// The headline of the picture.
pub fn headline(world: &World) -> String {
    match (&world.sweep.table, world.sweep.asked) {
        (Some(table), _) => table.sentence.clone(),
        (None, Some(_)) => "The script runs without a crash first.".to_owned(),
        (None, None) => "No crash has been tried yet.".to_owned(),
    }
}

/// The line below it.
pub fn meaning(world: &World) -> String {
    let Some(table) = &world.sweep.table else {
        return match world.sweep.asked {
            Some(_) => "Then each of its writes gets a crash of its own, a restart, and the rest of the script.".to_owned(),
            None => "The sweep runs the script once for each write, stops the driver there, restarts it, and compares the \
                     tables with a run that was left in peace."
                .to_owned(),
        };
    };
    if world.sweep.asked.is_some() {
        return "Each is a run of its own: one crash, a restart, the rest of the script. X stops the sweep."
            .to_owned();
    }
    if table.tried == 0 {
        return String::new();
    }
    let cells = || table.rows.iter().flat_map(|row| &row.cells);
    let some = |verdict| cells().filter(|cell| cell.verdict == verdict).count();
    let mut parts = Vec::new();
    for (verdict, none, what) in [
        (Verdict::Doubled, "no row is there twice", "rows are there twice"),
        (Verdict::Lost, "no row is lost", "rows are missing"),
        (Verdict::Stuck, "nothing is stuck", "the script is stuck"),
    ] {
        parts.push(match some(verdict) {
            0 => none.to_owned(),
            number => format!("{what} after {}", crashes(number)),
        });
    }
    let text = format!(
        "{} tried: {}. Points that do not apply are named and not counted.",
        crashes(table.tried as usize),
        parts.join(", ")
    );
    if world.sweep.is_old(world) {
        format!("{text} The branch has gone on since: S sweeps again.")
    } else {
        text
    }
}

fn crashes(number: usize) -> String {
    if number == 1 { "1 crash".to_owned() } else { format!("{number} crashes") }
}

/// What stands in the store at a point, with the number of a batch.
// tidy: table
pub fn where_in(point: CrashPoint, batch: Option<i64>) -> String {
    use CrashPoint as C;
    let n = batch.map_or("N".to_owned(), |n| n.to_string());
    match point {
        C::C01 => "before the source is listed".to_owned(),
        C::C02 => format!("sources/0/{n} is there, offsets/{n} is not"),
        C::C03 => format!("while offsets/{n} is written"),
        C::C04 => format!("offsets/{n} is there, nothing read"),
        C::C05 => "while reading".to_owned(),
        C::C06 => "some state partitions saved".to_owned(),
        C::C07 => "all state saved".to_owned(),
        C::C08 => "some data files written".to_owned(),
        C::C09 => "all data files, no commit of the sink".to_owned(),
        C::C10 => format!("the sink has committed, no commits/{n}"),
        C::C11 => format!("while commits/{n} is written"),
        C::C12 => format!("commits/{n} is there"),
        C::C13 => "between the writes of the function".to_owned(),
        C::C14 => "at a crash, and again in the recovery".to_owned(),
    }
}

/// What came of a crash, as a heading.
pub fn outcome(cell: &SweepCell) -> String {
    match cell.verdict {
        Verdict::Right => "The tables are as they are without a crash.".to_owned(),
        Verdict::Doubled => match cell.doubled {
            1 => "1 row is there once too often.".to_owned(),
            number => format!("{number} rows are there too often."),
        },
        Verdict::Lost if cell.doubled > 0 => format!(
            "{} not what a run without a crash makes.",
            if cell.doubled == 1 { "1 row is".to_owned() } else { format!("{} rows are", cell.doubled) }
        ),
        Verdict::Lost => match cell.lost {
            1 => "1 row is missing.".to_owned(),
            number => format!("{number} rows are missing."),
        },
        Verdict::Stuck => "The script does not come back.".to_owned(),
    }
}

/// How it came to that, and the next move.
pub fn story(point: CrashPoint, cell: &SweepCell, script: &str) -> Vec<String> {
    let mut story = vec![format!("The driver stopped {}.", cell.place)];
    story.push(match cell.again {
        0 if cell.verdict == Verdict::Stuck => cell.message.clone(),
        0 => "After the restart no planned batch was left to be run again.".to_owned(),
        again => format!(
            "After the restart {} ran again, with exactly what was planned.",
            count(again as usize, "batch")
        ),
    });
    if cell.verdict != Verdict::Stuck && !cell.message.is_empty() {
        story.push(cell.message.clone());
    }
    let function = script.contains("foreachBatch");
    match (cell.verdict, point) {
        (Verdict::Right, CrashPoint::C10 | CrashPoint::C11) if !function => story.push(
            "The sink knows the number of the last batch that it took, so the second try writes nothing."
                .to_owned(),
        ),
        (Verdict::Doubled | Verdict::Lost, _) if function && cell.doubled > 0 => {
            story.push(
                "The function ran again with the same batch, and wrote again what it had written.".to_owned(),
            );
            story.push(
                "A MERGE on a key, or txnAppId and txnVersion with the number of the batch, makes the second try harmless."
                    .to_owned(),
            );
        }
        _ => {}
    }
    story
}

/// What the branches of a sweep are to a screen reader: one line for a row.
pub fn row_in_words(row: &SweepRow) -> String {
    let name = format!("{:?}, {}", row.point, where_in(row.point, None));
    match (&row.absent, row.verdict) {
        (Some(absent), _) => format!("{name}: does not apply, {absent}"),
        (None, None) => format!("{name}: not tried yet"),
        (None, Some(verdict)) => format!("{name}: {verdict}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::model::{Screen, Theme};
    use crate::state::{Action, reduce};
    use tidemark_protocol::FromWorker;
    use tidemark_trace::When;

    fn cell(verdict: Verdict, doubled: u64) -> SweepCell {
        SweepCell {
            place: "after out/_delta_log/…0001.json".to_owned(),
            when: When::After,
            batch: Some(1),
            verdict,
            doubled,
            lost: 0,
            again: 1,
            message: String::new(),
            acts: vec![Act::Seed { seed: 7 }],
        }
    }

    fn table(tried: u64, planned: u64) -> SweepTable {
        let row = |point| SweepRow { point, absent: None, verdict: None, cells: Vec::new() };
        let mut rows: Vec<SweepRow> = CrashPoint::ALL.into_iter().map(row).collect();
        rows[9].cells = vec![cell(Verdict::Right, 0), cell(Verdict::Doubled, 2)];
        rows[9].verdict = Some(Verdict::Doubled);
        rows[5].absent = Some("no state".to_owned());
        SweepTable {
            rows,
            tried,
            planned,
            sentence: "Survived 10 of 11 crash points.".to_owned(),
            ..SweepTable::default()
        }
    }

    fn ready() -> Model {
        let mut model = Model::fresh(Screen::Sandbox, Theme::System);
        let edit = Act::Edit { script: sample::NAME.to_owned(), text: model.world.draft.clone() };
        let world = model.world_mut();
        world.engine = Engine::Ready;
        world.acts = Rc::new(vec![edit]);
        model
    }

    #[test]
    fn a_sweep_is_asked_for_fills_and_ends() {
        let model = reduce(&ready(), Action::Sweep(SweepMove::Begin));
        assert_eq!(model.ui.tab, Tab::Sweep);
        let number = model.world.sweep.asked.expect("it is on its way");
        assert!(
            model
                .outbox
                .iter()
                .any(|r| r.number == number && r.command == Command::Sweep { recovery: false })
        );
        let swept = |tried| {
            let table = Box::new(table(tried, 4));
            Action::Heard(Box::new(FromWorker::Swept { number, table }))
        };
        let model = reduce(&model, swept(2));
        assert!(model.world.sweep.asked.is_some());
        let model = reduce(&model, swept(4));
        assert_eq!(model.world.sweep.asked, None);
        assert_eq!(model.world.sweep.chosen().map(|cell| cell.verdict), Some(Verdict::Doubled));
        assert!(headline(&model.world).starts_with("Survived 10 of 11"));
        let model = reduce(&model, Action::Sweep(SweepMove::Open(1)));
        let begun = model.outbox.last().map(|request| request.command.clone());
        let name = "C10 after out/_delta_log/…0001.json".to_owned();
        assert_eq!(begun, Some(Command::Begin { name, acts: vec![Act::Seed { seed: 7 }] }));
        assert_eq!(model.ui.tab, Tab::Lane);
    }

    #[test]
    fn every_outcome_has_its_words() {
        for (verdict, doubled, words) in [
            (Verdict::Right, 0, "The tables are as they are without a crash."),
            (Verdict::Doubled, 1, "1 row is there once too often."),
            (Verdict::Doubled, 3, "3 rows are there too often."),
            (Verdict::Stuck, 0, "The script does not come back."),
        ] {
            assert_eq!(outcome(&cell(verdict, doubled)), words);
        }
        let story = story(CrashPoint::C10, &cell(Verdict::Doubled, 1), "w.foreachBatch(put)");
        assert!(story.last().is_some_and(|line| line.contains("txnVersion")), "{story:?}");
    }

    #[test]
    fn a_row_that_does_not_apply_says_why() {
        let table = table(4, 4);
        assert_eq!(
            row_in_words(&table.rows[5]),
            "C06, some state partitions saved: does not apply, no state"
        );
    }
}
