//! Branches, crashes that are to come, depths and dialogs, over whole conversations.

use std::rc::Rc;

use tidemark_protocol::{
    Act, ArmPlace, BranchMark, Change, Command, Fork, FromWorker, MomentMark, Place, ScriptState, Update,
    View,
};
use tidemark_trace::{CrashPoint, Phase, When};

use crate::state::offer::palette;
use crate::state::tests::conversation::{Page, mark, view, with_file};
use crate::state::{Action, Deed, Depth, Dialog, Tab};

const COMMIT: ArmPlace = ArmPlace::Phase { phase: Phase::Commit, when: When::After };

fn named(sentence: &str) -> MomentMark {
    MomentMark { sentence: sentence.to_owned(), ..mark() }
}

fn branch(name: &str, fork: Option<(usize, usize, usize)>, moments: usize) -> BranchMark {
    let fork = fork.map(|(branch, moment, acts)| Fork { branch, moment, acts });
    BranchMark { name: name.to_owned(), fork, moments }
}

/// An answer of the engine about one branch: its marks and acts from a place on.
struct Answer<'a> {
    on: usize,
    branches: Vec<BranchMark>,
    from: usize,
    marks: &'a [&'a str],
    first_act: usize,
    acts: Vec<Act>,
}

fn answer(page: &mut Page, view: View, answer: Answer<'_>) {
    let update = Update {
        number: page.last().number,
        view: Rc::new(view),
        moments: answer.from + answer.marks.len(),
        marks: answer.marks.iter().map(|text| named(text)).collect(),
        first_mark: answer.from,
        branch: answer.on,
        branches: answer.branches,
        acts: answer.acts,
        first_act: answer.first_act,
        busy: None,
    };
    page.hear(FromWorker::Update { update: Box::new(update) });
}

/// A page with three moments on main, and a second branch that left after the second one.
fn two_branches() -> Page {
    let mut page = Page::open();
    page.act(Action::Do(Deed::Drop));
    let main = Answer {
        on: 0,
        branches: vec![branch("main", None, 3)],
        from: 0,
        marks: &["begin", "dropped", "ran"],
        first_act: 1,
        acts: vec![Act::Step, Act::Step],
    };
    answer(&mut page, view(2, "", ScriptState::Ended), main);
    page.act(Action::By(-1));
    page.act(Action::Delete("ckpt/".to_owned()));
    let second = Answer {
        on: 1,
        branches: vec![branch("main", None, 3), branch("no checkpoint", Some((0, 1, 2)), 3)],
        from: 2,
        marks: &["deleted"],
        first_act: 2,
        acts: vec![Act::Delete { path: "ckpt/".to_owned() }],
    };
    answer(&mut page, view(2, "", ScriptState::Ended), second);
    page
}

fn sentences(marks: &[MomentMark]) -> Vec<&str> {
    marks.iter().map(|mark| mark.sentence.as_str()).collect()
}

#[test]
fn each_branch_keeps_its_moments_and_acts() {
    let page = two_branches();
    let world = &page.model.world;
    assert_eq!(world.branch, 1);
    assert_eq!(sentences(&world.marks), ["begin", "dropped", "deleted"]);
    assert_eq!(sentences(&world.branches[0].marks), ["begin", "dropped", "ran"]);
    let work = world.work();
    let lines = |at: usize| work.branches[at].acts.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(work.current, 1);
    assert_eq!(lines(0), ["seed 7", "step", "step"]);
    assert_eq!(lines(1), ["delete ckpt/"]);
}

#[test]
fn a_new_worker_begins_with_all_branches() {
    let mut page = two_branches();
    page.act(Action::Died("panicked".to_owned()));
    page.hear(FromWorker::Ready { version: "0".to_owned() });
    let Command::Open { work } = page.command() else { panic!("{:?}", page.command()) };
    assert_eq!(
        work.branches.iter().map(|branch| branch.name.as_str()).collect::<Vec<_>>(),
        ["main", "no checkpoint"]
    );
}

#[test]
fn going_to_another_branch_is_one_question() {
    let mut page = two_branches();
    page.act(Action::Switch(0));
    assert_eq!(*page.command(), Command::Switch { branch: 0, moment: None });
    let back = Answer {
        on: 0,
        branches: vec![branch("main", None, 3), branch("no checkpoint", Some((0, 1, 2)), 3)],
        from: 3,
        marks: &[],
        first_act: 3,
        acts: vec![],
    };
    answer(&mut page, view(2, "", ScriptState::Ended), back);
    assert_eq!(sentences(&page.model.world.marks), ["begin", "dropped", "ran"]);
    page.act(Action::Visit(Place { branch: 1, moment: 2 }));
    assert_eq!(*page.command(), Command::Switch { branch: 1, moment: Some(2) });
    page.act(Action::Visit(Place { branch: 0, moment: 1 }));
    assert!(page.model.ui.said.as_deref().is_some_and(|said| said.starts_with("The engine is at work")));
}

#[test]
fn b_goes_back_to_the_fork() {
    let mut page = two_branches();
    page.act(Action::Fork);
    assert_eq!(page.model.world.moment, 1);
    let mut page = Page::open();
    page.act(Action::Fork);
    assert!(page.model.ui.said.as_deref().is_some_and(|said| said.contains("no fork")));
}

#[test]
fn branches_are_renamed_and_dropped_but_main_stays() {
    let mut page = two_branches();
    page.act(Action::Discard(0));
    assert!(page.model.ui.said.as_deref().is_some_and(|said| said.starts_with("main stays")));
    page.act(Action::Rename(1, "  ".to_owned()));
    assert_eq!(page.model.ui.said.as_deref(), Some("A branch needs a name."));
    page.act(Action::Rename(1, "lost".to_owned()));
    assert_eq!(*page.command(), Command::Rename { branch: 1, name: "lost".to_owned() });
    let renamed = Answer {
        on: 1,
        branches: vec![branch("main", None, 3), branch("lost", Some((0, 1, 2)), 3)],
        from: 3,
        marks: &[],
        first_act: 3,
        acts: vec![],
    };
    answer(&mut page, view(2, "", ScriptState::Ended), renamed);
    assert_eq!(sentences(&page.model.world.marks), ["begin", "dropped", "deleted"]);
    page.act(Action::Discard(1));
    assert_eq!(*page.command(), Command::Discard { branch: 1 });
    let gone = Answer {
        on: 0,
        branches: vec![branch("main", None, 3)],
        from: 3,
        marks: &[],
        first_act: 3,
        acts: vec![],
    };
    answer(&mut page, view(2, "", ScriptState::Ended), gone);
    assert_eq!(sentences(&page.model.world.marks), ["begin", "dropped", "ran"]);
}

#[test]
fn a_crash_is_armed_taken_away_and_strikes_at_a_moment_that_has_been() {
    let mut page = Page::open();
    page.act(Action::Arm(COMMIT));
    assert_eq!(*page.command(), Command::Do { act: Act::Arm { place: COMMIT }, at: 0 });
    let mut armed = view(1, "", ScriptState::Fresh);
    armed.armed.push(COMMIT);
    page.answer(armed, 4);
    // The same place by the name of its point.
    page.act(Action::Arm(ArmPlace::Point { point: CrashPoint::C10 }));
    assert_eq!(*page.command(), Command::Do { act: Act::Disarm { place: COMMIT }, at: 1 });
    page.answer(view(5, "", ScriptState::Fresh), 6);
    page.act(Action::CrashAt(3));
    assert_eq!(*page.command(), Command::Do { act: Act::Crash, at: 3 });
}

#[test]
fn the_transport_moves_by_the_depth() {
    let mut page = Page::open();
    for (finer, depth) in [
        (false, Depth::Batch),
        (false, Depth::Run),
        (false, Depth::Run),
        (true, Depth::Batch),
        (true, Depth::Step),
    ] {
        page.act(Action::Depth(finer));
        assert_eq!(page.model.ui.depth, depth);
    }
    page.act(Action::Do(Deed::Drop));
    page.answer(view(5, "", ScriptState::Ended), 6);
    page.act(Action::Move(-1));
    assert_eq!(page.model.world.moment, 4);
    page.act(Action::Depth(false));
    page.act(Action::Depth(false));
    page.act(Action::Move(-1));
    assert_eq!(page.model.world.moment, 0);
}

#[test]
fn the_comparison_is_asked_for_while_its_picture_is_on() {
    let mut page = two_branches();
    let sides = |left, right| Command::Compare {
        left: Place { branch: 0, moment: left },
        right: Place { branch: 1, moment: right },
    };
    page.act(Action::Tab(Tab::Compare));
    assert_eq!(*page.command(), sides(2, 2));
    let before = page.asked.len();
    page.act(Action::Quiet);
    assert_eq!(page.asked.len(), before);
    page.act(Action::By(-1));
    assert!(page.asked.iter().any(|request| request.command == sides(2, 1)));
    page.act(Action::Tab(Tab::Lane));
    let before = page.asked.len();
    page.act(Action::By(1));
    assert!(page.asked[before..].iter().all(|request| !matches!(request.command, Command::Compare { .. })));
}

#[test]
fn changes_of_a_file_are_asked_for_once() {
    let mut page = Page::open();
    page.act(Action::Change(true));
    assert!(page.model.ui.said.as_deref().is_some_and(|said| said.starts_with("Nothing is open")));
    page.act(Action::Do(Deed::Drop));
    page.answer(with_file(view(5, "", ScriptState::Ended), "in/a.json", Change::Same), 6);
    page.act(Action::Select("in/a.json".to_owned()));
    page.act(Action::Change(false));
    assert_eq!(*page.command(), Command::Changes { path: "in/a.json".to_owned() });
    let number = page.last().number;
    page.hear(FromWorker::Changes { number, moments: vec![1, 3] });
    assert_eq!(page.model.world.moment, 3);
    page.act(Action::Change(false));
    assert_eq!(page.model.world.moment, 1);
    page.act(Action::Change(false));
    assert!(page.model.ui.said.as_deref().is_some_and(|said| said.contains("does not change before")));
    let asked =
        page.asked.iter().filter(|request| matches!(request.command, Command::Changes { .. })).count();
    assert_eq!(asked, 1);
}

#[test]
fn a_run_from_nothing_deletes_the_checkpoint_first() {
    let mut page = Page::open();
    page.act(Action::Do(Deed::Drop));
    let mut shown = view(1, "old", ScriptState::Ended);
    for path in ["ckpt/", "ckpt/metadata", "ckpt/offsets/", "ckpt/offsets/0", "in/a.json"] {
        shown = with_file(shown, path, Change::Same);
    }
    page.answer(shown, 2);
    page.act(Action::Draft("new".to_owned()));
    assert!(page.model.world.is_stale());
    page.act(Action::Afresh);
    let deletes = page.asked.iter().filter(
        |request| matches!(&request.command, Command::Do { act: Act::Delete { path }, .. } if path == "ckpt/"),
    );
    assert_eq!(deletes.count(), 1);
    page.answer(view(2, "old", ScriptState::Ended), 3);
    assert!(
        page.asked
            .iter()
            .any(|request| matches!(&request.command, Command::Do { act: Act::Edit { .. }, at: 2 }))
    );
}

#[test]
fn the_palette_finds_commands_files_moments_branches_and_points() {
    let page = two_branches();
    let names = |query: &str| {
        let found = palette::find(&page.model.world, &page.model.ui, query);
        found.into_iter().map(|found| (found.group, found.name)).collect::<Vec<_>>()
    };
    for (query, group, name) in [
        ("engine step", "Commands", "one engine step"),
        ("main", "Branches", "main"),
        ("compare with", "Branches", "compare with main"),
        ("c10", "Crash points", "arm C10"),
        ("arm before commit", "Crash at a phase", "arm before commit"),
        ("arm during write 3", "Crash at a write", "arm during write 3 from now"),
        ("dropped", "Moments", "dropped"),
        ("numbers", "Pictures", "Numbers"),
    ] {
        assert!(names(query).contains(&(group, name.to_owned())), "{query}: {:?}", names(query));
    }
    assert!(names("nothing like it").is_empty());
    assert!(names("").iter().all(|(group, _)| *group != "Moments"));
}

#[test]
fn one_dialog_is_open_at_a_time() {
    let mut page = Page::open();
    page.act(Action::Open(Dialog::Keys));
    page.act(Action::Open(Dialog::Branches));
    assert_eq!(page.model.ui.dialog, Some(Dialog::Branches));
    page.act(Action::Close);
    assert_eq!(page.model.ui.dialog, None);
}
