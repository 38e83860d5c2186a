//! Kept work in the reducer: what is opened, what becomes the former, what the learner is told.

use tidemark_protocol::{Act, Command, ExportForm, FromWorker, Work};

use crate::state::act::sample;
use crate::state::save::keep::{self, Errand, Memo, Move, Shelf};
use crate::state::{Action, KeepNews, Kept, Model, Screen, Theme, reduce};

fn act(model: Model, news: KeepNews) -> Model {
    reduce(&model, Action::Keep(news))
}

fn hear(model: Model, message: FromWorker) -> Model {
    reduce(&model, Action::Heard(Box::new(message)))
}

fn ready(model: Model) -> Model {
    hear(model, FromWorker::Ready { version: "0".to_owned() })
}

fn fresh() -> Model {
    reduce(&Model::fresh(Screen::Sandbox, Theme::System), Action::Seed(7))
}

/// Work with these acts after its seed.
fn work(lines: &[&str]) -> Kept {
    let mut acts = vec![Act::Seed { seed: 9 }];
    acts.extend(lines.iter().map(|line| Act::parse(line).expect("an act")));
    Kept { work: Work::of_acts(acts), draft: None }
}

/// The works that the engine was asked to open.
fn opened(model: &Model) -> Vec<Work> {
    let open = |command: &Command| match command {
        Command::Open { work } => Some(work.clone()),
        _ => None,
    };
    model.outbox.iter().filter_map(|request| open(&request.command)).collect()
}

fn memo(model: &Model) -> &Memo {
    model.ui.keep.memo.as_ref().expect("the learner is told")
}

fn found(kept: Option<Kept>) -> KeepNews {
    KeepNews::Found { kept, has_former: false, is_copy: false }
}

#[test]
fn the_engine_waits_for_the_store() {
    let model = ready(act(fresh(), KeepNews::Ask));
    assert!(opened(&model).is_empty());
    let empty = act(model.clone(), found(None));
    assert_eq!(opened(&empty), [Work::of_acts(vec![Act::Seed { seed: 7 }])]);
    let mut kept = work(&["put in/a.json {}", "edit main.py x = 1"]);
    kept.work.moment = Some(1);
    let back = act(model.clone(), found(Some(kept.clone())));
    assert_eq!(opened(&back), [kept.work.clone()]);
    assert_eq!(back.world.draft, "x = 1");
    assert_eq!(back.kept(), kept);
    // The store may answer before the engine is there.
    let early = ready(act(act(fresh(), KeepNews::Ask), found(Some(kept.clone()))));
    assert_eq!(opened(&early), [kept.work]);
    let none = act(model, KeepNews::NoStore("<b>no</b>".to_owned()));
    assert_eq!((opened(&none).len(), none.ui.keep.shelf), (1, Shelf::None));
}

#[test]
fn the_draft_is_kept_only_if_the_acts_do_not_lead_to_it() {
    for (lines, draft, kept) in [
        (&[][..], sample::SCRIPT, None),
        (&[], "y", Some("y")),
        (&["edit main.py x"], "x", None),
        (&["edit main.py x"], "y", Some("y")),
        (&["edit main.py x", "import a.zip UEs="], "x", Some("x")),
    ] {
        let mut model = act(act(fresh(), KeepNews::Ask), found(Some(work(lines))));
        model = reduce(&model, Action::Draft(draft.to_owned()));
        assert_eq!(model.kept().draft.as_deref(), kept, "{lines:?} {draft}");
        assert_eq!(model.kept().text(), draft);
    }
}

#[test]
fn a_link_over_work_keeps_that_work() {
    let own = work(&["put in/a.json {}"]);
    let theirs = work(&["put in/b.json {}"]);
    let model = act(ready(act(fresh(), KeepNews::Ask)), found(Some(own.clone())));
    let link = act(model.clone(), KeepNews::Link(Box::new(Ok(theirs.clone()))));
    assert_eq!(link.kept(), theirs);
    assert_eq!(link.ui.keep.errand.map(|(_, errand)| errand), Some(Errand::Begin));
    assert_eq!(memo(&link).moves, [Move::Back]);
    // In a sandbox where nothing was done it just opens.
    let first = act(ready(fresh()), KeepNews::Link(Box::new(Ok(theirs.clone()))));
    assert_eq!((first.kept(), first.ui.keep.errand), (theirs, None));
    // A link that cannot be opened changes nothing.
    let broken = act(model.clone(), KeepNews::Link(Box::new(Err("<script>\u{7}".repeat(50)))));
    assert_eq!((broken.kept(), &broken.outbox), (own, &model.outbox));
    assert_eq!(memo(&broken).what, "This link cannot be opened.");
    assert!(memo(&broken).kept.chars().count() < 300);
}

#[test]
fn without_a_store_the_former_work_comes_back_too() {
    let own = work(&["put in/a.json {}"]);
    let model =
        act(act(ready(fresh()), KeepNews::NoStore(String::new())), KeepNews::Link(Box::new(Ok(own.clone()))));
    let new = act(model, KeepNews::Fresh(3));
    assert_eq!(new.kept(), Kept::fresh(3));
    assert_eq!(memo(&new).moves, [Move::Back]);
    let back = act(new, KeepNews::Back);
    assert_eq!(back.kept(), own);
    assert_eq!(act(back, KeepNews::Back).kept(), Kept::fresh(3));
}

#[test]
fn with_a_store_the_store_brings_it_back() {
    let model = act(ready(act(fresh(), KeepNews::Ask)), found(Some(work(&["step"]))));
    let new = act(model, KeepNews::Fresh(3));
    let asked = act(new, KeepNews::Back);
    assert_eq!(asked.ui.keep.errand, Some((2, Errand::Back)));
    let former = work(&["step"]);
    let back = act(asked, KeepNews::Opened { kept: Box::new(former.clone()), has_former: true });
    assert_eq!((back.kept(), back.ui.keep.has_former, &back.ui.keep.memo), (former, true, &None));
}

#[test]
fn what_cannot_be_saved_is_told_with_its_size_until_it_is() {
    let model = act(act(fresh(), KeepNews::Ask), found(None));
    let full = act(model, KeepNews::Full(312_000));
    assert!(memo(&full).kept.starts_with("This work has 312.0 kB"), "{}", memo(&full).kept);
    assert_eq!(memo(&full).moves, [Move::Export]);
    let saved = act(full, KeepNews::Saved);
    assert_eq!((saved.ui.keep.shelf, &saved.ui.keep.memo), (Shelf::Kept, &None));
}

#[test]
fn exports_are_asked_for_and_handed_on_once() {
    let model = act(ready(fresh()), KeepNews::Export(ExportForm::Folder));
    let number = model.number;
    let file = |number| FromWorker::File {
        number,
        name: "main.py".to_owned(),
        mime: "text/x-python".to_owned(),
        base64: "eA==".to_owned(),
    };
    assert_eq!(hear(model.clone(), file(number + 1)).ui.keep.parcel, None);
    let handed = hear(model.clone(), file(number));
    assert_eq!(handed.ui.keep.parcel.as_ref().map(|parcel| parcel.name.as_str()), Some("main.py"));
    let refused = hear(model, FromWorker::Refused { number, message: "The store has a run.py.".to_owned() });
    assert_eq!(memo(&refused).kept, "The store has a run.py.");
}

#[test]
fn the_script_of_an_archive_is_the_draft() {
    let mut model = ready(fresh());
    model.ui_mut().keep.importing = Some("work.zip".to_owned());
    model.world_mut().script = "z = 1".to_owned();
    keep::done(&mut model);
    assert_eq!((model.world.draft.as_str(), &model.ui.keep.importing), ("z = 1", &None));
    model.world_mut().draft = "own".to_owned();
    keep::done(&mut model);
    assert_eq!(model.world.draft, "own");
}
