//! The palette: commands, pictures, files, moments and branches, found by words.

use tidemark_protocol::{ArmPlace, Change, Place};
use tidemark_trace::{CrashPoint, Phase, When};

use crate::state::act::crash;
use crate::state::action::Action;
use crate::state::lesson::LessonAction;
use crate::state::model::{Ui, World};
use crate::state::offer::offers::{OFFERS, parts};
use crate::state::tabs::TABS;
use crate::state::words;

/// No group shows more than this; a longer query finds the rest.
const GROUP_MAX: usize = 8;
/// So many writes ahead a crash can be armed at.
const WRITES_MAX: u64 = 30;

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The heading it stands under.
    pub group: &'static str,
    /// Its name.
    pub name: String,
    /// A few words on it.
    pub note: String,
    /// Its icon.
    pub icon: &'static str,
    /// Its key as caps.
    pub caps: Vec<&'static str>,
    /// Why it is off, if it is.
    pub off: Option<String>,
    /// What choosing it does.
    pub action: Action,
}

/// Where the palette looks, in the order of its groups. To add a kind of thing, add its function.
type Source = fn(&World, &Ui, &mut Vec<Found>);
const SOURCES: &[Source] = &[jumps, lessons, commands, pictures, branches, crashes, files, moments];

/// What fits the words, in groups.
pub fn find(world: &World, ui: &Ui, query: &str) -> Vec<Found> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    let mut all = Vec::new();
    for source in SOURCES {
        source(world, ui, &mut all);
    }
    let fits = |found: &Found| {
        let text = format!("{} {} {}", found.group, found.name, found.note).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let mut shown: Vec<Found> = Vec::new();
    for found in all.into_iter().filter(fits) {
        let in_group = shown.iter().filter(|other| other.group == found.group).count();
        // Moments are many and each has a place on the rail: they come when they are asked for.
        let is_wanted = !words.is_empty() || !(found.group == "Moments" || found.group.starts_with("Crash"));
        let most = if found.group == "Crash points" { CrashPoint::ALL.len() } else { GROUP_MAX };
        if in_group < most && is_wanted {
            shown.push(found);
        }
    }
    shown
}

fn simple(group: &'static str, name: &str, note: &str, icon: &'static str, action: Action) -> Found {
    Found { group, name: name.to_owned(), note: note.to_owned(), icon, caps: vec![], off: None, action }
}

fn jumps(world: &World, _: &Ui, all: &mut Vec<Found>) {
    for jump in crate::state::travel::jumps(world) {
        let at = words::at(world, jump.place);
        let action = Action::Visit(jump.place);
        all.push(simple("Go to", jump.word, &at, jump.icon, action));
    }
}

fn lessons(_: &World, ui: &Ui, all: &mut Vec<Found>) {
    let desk = &ui.lesson;
    for lesson in desk.all.iter() {
        let name = format!("lesson {}: {}", desk.number(lesson), lesson.form.title);
        let action = Action::Lesson(LessonAction::Open(lesson.slug.clone()));
        all.push(simple("Lessons", &name, &desk.mark(lesson).words(), "book", action));
    }
    if desk.open.is_some() {
        all.push(simple(
            "Lessons",
            "leave the lesson",
            "the sandbox comes back",
            "back",
            Action::Lesson(LessonAction::Leave),
        ));
        all.push(simple(
            "Lessons",
            "continue in the sandbox",
            "with this world",
            "fwd",
            Action::Lesson(LessonAction::Stay),
        ));
    }
}

fn commands(world: &World, ui: &Ui, all: &mut Vec<Found>) {
    for offer in OFFERS {
        all.push(Found {
            group: "Commands",
            name: offer.name.to_owned(),
            note: offer.group.word().to_lowercase(),
            icon: offer.icon,
            caps: offer.caps.to_vec(),
            off: (offer.off)(world, ui),
            action: (offer.action)(world, ui),
        });
    }
}

fn pictures(_: &World, _: &Ui, all: &mut Vec<Found>) {
    for row in TABS {
        let mut found = simple("Pictures", row.word, "", "lane", Action::Tab(row.tab));
        found.caps = vec![row.key];
        all.push(found);
    }
    for (word, action) in parts() {
        all.push(simple("Pictures", word, "the last panel", "table", action));
    }
}

fn branches(world: &World, _: &Ui, all: &mut Vec<Found>) {
    for (at, branch) in world.branches.iter().enumerate() {
        let note = words::count(branch.moments, "moment");
        all.push(simple("Branches", &branch.name, &note, "fork", Action::Switch(at)));
    }
    let here = Place { branch: world.branch, moment: world.moment };
    for (at, branch) in world.branches.iter().enumerate().filter(|(at, _)| *at != world.branch) {
        let there = Place { branch: at, moment: branch.moments.saturating_sub(1) };
        let name = format!("compare with {}", branch.name);
        all.push(simple("Branches", &name, "side by side", "fork", Action::Compare(there, here)));
    }
}

fn crashes(world: &World, _: &Ui, all: &mut Vec<Found>) {
    let armed = world.view.as_ref().map(|view| view.armed.as_slice()).unwrap_or_default();
    for place in armed {
        let name = format!("disarm {}", crash::in_words(place));
        all.push(simple("Armed", &name, "no crash there", "cross", Action::Arm(place.clone())));
    }
    let mut arm = |group, name: &str, note: &str, place: ArmPlace| {
        if !armed.contains(&crash::as_seen(&place)) {
            all.push(simple(group, &format!("arm {name}"), note, "bolt", Action::Arm(place)));
        }
    };
    for point in CrashPoint::ALL {
        arm("Crash points", &format!("{point:?}"), point.phrase(), ArmPlace::Point { point });
    }
    for phase in Phase::ALL {
        for (side, when) in [("before", When::Before), ("after", When::After)] {
            arm(
                "Crash at a phase",
                &format!("{side} {phase}"),
                "a crash there",
                ArmPlace::Phase { phase, when },
            );
        }
    }
    for k in 1..=WRITES_MAX {
        for when in [When::Before, When::During, When::After] {
            let place = ArmPlace::Write { k, when };
            arm("Crash at a write", &crash::in_words(&place), "a crash there", place.clone());
        }
    }
}

fn files(world: &World, _: &Ui, all: &mut Vec<Found>) {
    let Some(view) = &world.view else { return };
    for entry in view.store.iter().filter(|entry| entry.change != Change::Deleted) {
        let note = format!("file {}", entry.note);
        all.push(simple("Files", &entry.path, note.trim(), "file", Action::Select(entry.path.clone())));
    }
}

fn moments(world: &World, _: &Ui, all: &mut Vec<Found>) {
    for (moment, mark) in world.marks.iter().enumerate() {
        let place = Place { branch: world.branch, moment };
        let note = format!("moment {}", moment + 1);
        all.push(simple("Moments", &mark.sentence, &note, "dot", Action::Visit(place)));
    }
}
