//! A lesson from its first stage to its exercise, with an engine that answers from a list.

use std::rc::Rc;

use tidemark_protocol::{
    Act, Change, CheckFailure, CheckReport, Command, FromWorker, MomentMark, ScriptState, Update, View,
};
use tidemark_trace::Phase;

use super::{LessonAction, Pick, Stage};
use crate::state::act::deed;
use crate::state::tests::conversation::{Page, mark, view, with_file};
use crate::state::{Action, Deed, Dock};

const SLUG: &str = "02-crash-between-commits";
const LOG: &str = "out/_delta_log/00000000000000000001.json";

fn lesson(page: &mut Page, action: LessonAction) {
    page.act(Action::Lesson(action));
}

fn stage(page: &Page) -> Stage {
    page.model.ui.lesson.open.as_ref().expect("a lesson is open").stage
}

/// Answers the last request with marks of its own.
fn answer(page: &mut Page, view: View, marks: Vec<MomentMark>) {
    let number = page.last().number;
    let update = Update {
        number,
        view: Rc::new(view),
        moments: marks.len(),
        marks,
        first_mark: 0,
        branch: 0,
        branches: vec![],
        acts: page.model.world.acts.to_vec(),
        first_act: 0,
        busy: None,
    };
    page.hear(FromWorker::Update { update: Box::new(update) });
}

/// The crash is at moment 23; the run after the guess has 7 moments, and its fourth decides.
fn marks(count: usize) -> Vec<MomentMark> {
    let one = |at: usize| MomentMark {
        run: if at < 24 { 3 } else { 4 },
        phase: (at == 27).then_some(Phase::Commit),
        ..mark()
    };
    (0..count).map(one).collect()
}

fn begun() -> Page {
    let mut page = Page::open();
    lesson(&mut page, LessonAction::Open(SLUG.to_owned()));
    answer(&mut page, view(23, "", ScriptState::Crashed), marks(24));
    page
}

fn compared() -> Page {
    let mut page = begun();
    lesson(&mut page, LessonAction::Next);
    lesson(&mut page, LessonAction::Pick(Pick::Option(1)));
    lesson(&mut page, LessonAction::Go);
    answer(&mut page, view(30, "", ScriptState::Ended), marks(31));
    lesson(&mut page, LessonAction::See);
    page
}

#[test]
fn opening_sets_the_world_up_and_holds_acts_back() {
    let mut page = Page::open();
    lesson(&mut page, LessonAction::Open(SLUG.to_owned()));
    let Command::Open { work } = page.command() else { panic!("{:?}", page.command()) };
    let acts: Vec<String> =
        work.acts(0).iter().map(|act| act.to_string().chars().take(12).collect()).collect();
    assert_eq!(acts[0], "seed 7");
    assert_eq!(acts[acts.len() - 2..], ["arm C10", "run main.py"]);
    answer(&mut page, view(23, "", ScriptState::Crashed), marks(24));
    assert_eq!(stage(&page), Stage::Read);
    assert_eq!(page.model.world.curtain.veil, Some(23));
    assert!(
        deed::reason(&page.model.world, Deed::Restart).is_some_and(|reason| reason.contains("Guess first"))
    );
    let asked = page.last().number;
    page.act(Action::Delete("ckpt/".to_owned()));
    page.act(Action::On);
    assert_eq!(page.last().number, asked, "nothing is done before the guess");
}

#[test]
fn the_run_stops_before_the_step_that_decides() {
    let mut page = begun();
    lesson(&mut page, LessonAction::Next);
    page.act(Action::Do(Deed::Restart));
    assert_eq!(stage(&page), Stage::Guess, "without a choice nothing runs");
    lesson(&mut page, LessonAction::Pick(Pick::Option(1)));
    page.act(Action::Do(Deed::Restart));
    assert_eq!(*page.command(), Command::Do { act: Act::Restart, at: 23 });
    let before = page.model.world.view.clone();
    answer(&mut page, view(30, "", ScriptState::Ended), marks(31));
    assert_eq!(page.model.world.view, before, "the end does not show");
    assert_eq!((page.model.world.moment, page.model.world.curtain.veil), (24, Some(26)));
    assert!(page.model.ui.playing);
    answer(&mut page, view(24, "", ScriptState::Running), marks(31));
    for moment in [25, 26] {
        page.act(Action::Tick);
        answer(&mut page, view(moment, "", ScriptState::Running), marks(31));
    }
    assert_eq!((page.model.world.moment, page.model.ui.playing), (26, false));
    page.act(Action::Look(29));
    assert_eq!(page.model.world.moment, 26, "behind the veil nothing is to be seen");
    page.act(Action::On);
    assert_eq!((stage(&page), page.model.world.moment), (Stage::Compare, 30));
    assert_eq!(page.model.world.curtain, super::Curtain::default());
}

#[test]
fn guess_and_result_are_compared_by_how_sure_one_was() {
    let mut page = compared();
    let open = page.model.ui.lesson.open.clone().expect("a lesson is open");
    assert_eq!(open.verdict(), "You expected 4 rows. It is 3 rows.");
    assert_eq!(open.reasons().len(), 1);
    lesson(&mut page, LessonAction::Sure(4));
    let open = page.model.ui.lesson.open.clone().expect("a lesson is open");
    assert_eq!(open.reasons().len(), 2, "one who was sure is told more");
}

#[test]
fn an_explanation_points_at_a_file() {
    let mut page = compared();
    lesson(&mut page, LessonAction::Next);
    assert_eq!((stage(&page), page.model.ui.selected.clone()), (Stage::Explain, None));
    lesson(&mut page, LessonAction::Point);
    assert!(page.model.ui.said.as_ref().is_some_and(|said| said.contains("No file is selected")));
    let says = |page: &Page| {
        let open = page.model.ui.lesson.open.clone().expect("a lesson is open");
        (open.evidence().map(|(right, _)| right), open.explained)
    };
    lesson(&mut page, LessonAction::Cause(0));
    for (path, right, explained) in
        [("ckpt/offsets/1", false, false), ("in/a.json", false, false), (LOG, true, true)]
    {
        page.act(Action::Select(path.to_owned()));
        lesson(&mut page, LessonAction::Point);
        assert_eq!(says(&page), (Some(right), explained), "{path}");
    }
    lesson(&mut page, LessonAction::Next);
    assert_eq!(stage(&page), Stage::Try);
}

#[test]
fn things_are_done_by_hand_then_the_exercise_begins() {
    let mut page = compared();
    lesson(&mut page, LessonAction::Next);
    lesson(&mut page, LessonAction::Cause(0));
    page.act(Action::Select(LOG.to_owned()));
    lesson(&mut page, LessonAction::Point);
    page.model.world_mut().view =
        Some(Rc::new(with_file(view(30, "", ScriptState::Ended), "ckpt/commits/1", Change::Same)));
    lesson(&mut page, LessonAction::Next);
    let task = |page: &Page| page.model.ui.lesson.open.as_ref().map(|open| open.task);
    let whole = |moment, done: bool| {
        let found = with_file(view(moment, "", ScriptState::Ended), LOG, Change::Same);
        if done { with_file(found, "ckpt/commits/1", Change::New) } else { found }
    };
    page.act(Action::Delete("ckpt/commits/1".to_owned()));
    assert_eq!(task(&page), Some(0), "nothing is done while the act is in flight");
    answer(&mut page, whole(31, false), marks(32));
    assert_eq!(task(&page), Some(1));
    page.act(Action::Draft(String::new()));
    page.act(Action::Do(Deed::Run));
    answer(&mut page, whole(38, true), marks(39));
    assert_eq!(task(&page), Some(2));
    page.act(Action::Select(LOG.to_owned()));
    assert_eq!(task(&page), Some(3));
    lesson(&mut page, LessonAction::Next);
    let open = page.model.ui.lesson.open.clone().expect("a lesson is open");
    assert!(open.exercise);
    assert_eq!(page.model.world.draft, open.lesson.start);
}

#[test]
fn a_check_that_fails_leads_to_its_step() {
    let mut page = compared();
    let (start, lesson_open) = {
        let open = page.model.ui.lesson.open.clone().expect("a lesson is open");
        (open.lesson.start.clone(), super::Open { stage: Stage::Try, exercise: true, ..open })
    };
    page.model.ui_mut().lesson_mut().open = Some(lesson_open);
    page.act(Action::Draft(start.clone()));
    lesson(&mut page, LessonAction::Check);
    let Command::Check { ask } = page.command() else { panic!("{:?}", page.command()) };
    assert_eq!(ask.script, start);
    let number = page.last().number;
    let failure = CheckFailure {
        message: "no".to_owned(),
        data: "hidden data 2".to_owned(),
        acts: vec![Act::Step],
        moment: 5,
    };
    let report = CheckReport { over: true, failure: Some(failure), ..CheckReport::default() };
    page.hear(FromWorker::Checked { number, report: Box::new(report) });
    lesson(&mut page, LessonAction::GoThere);
    assert_eq!(*page.command(), Command::Begin { name: "hidden data 2".to_owned(), acts: vec![Act::Step] });
    answer(&mut page, view(8, "", ScriptState::Ended), marks(9));
    assert_eq!((page.model.world.moment, page.model.ui.dock), (5, Dock::Sink));
    lesson(&mut page, LessonAction::Check);
    let number = page.last().number;
    let report = CheckReport { over: true, ..CheckReport::default() };
    page.hear(FromWorker::Checked { number, report: Box::new(report) });
    let desk = &page.model.ui.lesson;
    assert!(desk.progress.of("crash-between-commits").solved);
}

#[test]
fn the_own_work_comes_back_or_stands_beside_the_lesson() {
    let own = || {
        let mut page = Page::open();
        page.act(Action::Delete("nothing".to_owned()));
        let acts = vec![Act::Seed { seed: 7 }, Act::Step];
        page.model.world_mut().acts = Rc::new(acts.clone());
        page.model.world_mut().branches.clear();
        answer(&mut page, view(1, "", ScriptState::Ended), marks(2));
        lesson(&mut page, LessonAction::Open(SLUG.to_owned()));
        answer(&mut page, view(23, "", ScriptState::Crashed), marks(24));
        (page, acts)
    };
    let (mut page, acts) = own();
    lesson(&mut page, LessonAction::Leave);
    let Command::Open { work } = page.command() else { panic!("{:?}", page.command()) };
    assert_eq!((work.acts(0), page.model.ui.lesson.open.is_none()), (acts.clone(), true));
    let (mut page, acts) = own();
    assert_eq!(page.model.kept().work.acts(0), acts, "what is kept is the own work");
    lesson(&mut page, LessonAction::Stay);
    let Command::Open { work } = page.command() else { panic!("{:?}", page.command()) };
    let names: Vec<&str> = work.branches.iter().map(|branch| branch.name.as_str()).collect();
    assert_eq!((names, work.current), (vec!["main", "Exactly once, really"], 1));
    assert_eq!(work.acts(0), acts);
    assert!(page.model.world.curtain.hold.is_none());
}

#[test]
fn a_lesson_without_things_to_do_goes_straight_to_its_exercise() {
    let mut page = Page::open();
    lesson(&mut page, LessonAction::Open("01-three-runs".to_owned()));
    answer(&mut page, view(13, "", ScriptState::Ended), marks(14));
    let open = page.model.ui.lesson.open.clone().expect("a lesson is open");
    let explained = super::Open { stage: Stage::Explain, explained: true, ..open };
    page.model.ui_mut().lesson_mut().open = Some(explained);
    lesson(&mut page, LessonAction::Next);
    let open = page.model.ui.lesson.open.clone().expect("a lesson is open");
    assert_eq!((open.stage, open.exercise), (Stage::Try, true));
    assert_eq!(page.model.world.draft, open.lesson.start);
}
