//! Everything that the page offers, as one list: the keyboard, the palette and the sheet of keys read it.

use crate::state::act::deed::{self, Deed};
use crate::state::action::Action;
use crate::state::look::sweep::{self, SweepMove};
use crate::state::model::{Dialog, Ui, World};
use crate::state::offer::keys::Key;
use crate::state::save::keep::KeepNews;
use crate::state::tabs::{PARTS, TABS, Tab};
use tidemark_protocol::ScriptState;

/// Where an offer stands in the palette and in the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Moves of the playhead.
    Rail,
    /// Acts of the learner.
    Acts,
    /// What is looked at.
    Look,
    /// Saving, sharing, help.
    Page,
}

impl Group {
    /// All groups in their order.
    pub const ALL: [Group; 4] = [Group::Rail, Group::Acts, Group::Look, Group::Page];

    /// Its heading.
    pub fn word(self) -> &'static str {
        match self {
            Group::Rail => "Rail",
            Group::Acts => "Acts",
            Group::Look => "Look",
            Group::Page => "Page",
        }
    }
}

/// One thing that can be done.
#[derive(Clone, Copy)]
pub struct Offer {
    /// Where it stands.
    pub group: Group,
    /// What it does, in a few words.
    pub name: &'static str,
    /// Its icon.
    pub icon: &'static str,
    /// Its key as caps: `["Shift", "→"]`; empty if it has none.
    pub caps: &'static [&'static str],
    /// Why it is off now; nothing if it is on.
    pub off: fn(&World, &Ui) -> Option<String>,
    /// What it asks for.
    pub action: fn(&World, &Ui) -> Action,
}

const fn offer(
    group: Group,
    name: &'static str,
    icon: &'static str,
    caps: &'static [&'static str],
    off: fn(&World, &Ui) -> Option<String>,
    action: fn(&World, &Ui) -> Action,
) -> Offer {
    Offer { group, name, icon, caps, off, action }
}

/// All offers. To add one, add a line: its key, its place in the palette and its row in the sheet come from here.
#[rustfmt::skip]
pub const OFFERS: &[Offer] = &[
    offer(Group::Rail, "one step on; at the end one engine step", "fwd", &["→"], on, |_, _| Action::On),
    offer(Group::Rail, "one step back", "back", &["←"], on, |_, _| Action::By(-1)),
    offer(Group::Rail, "next batch", "fwd", &["Shift", "→"], on, |_, _| Action::ByBatch(1)),
    offer(Group::Rail, "previous batch", "back", &["Shift", "←"], on, |_, _| Action::ByBatch(-1)),
    offer(Group::Rail, "next run", "fwd", &["Alt", "→"], on, |_, _| Action::ByRun(1)),
    offer(Group::Rail, "previous run", "back", &["Alt", "←"], on, |_, _| Action::ByRun(-1)),
    offer(Group::Rail, "to the start", "first", &["Home"], on, |_, _| Action::First),
    offer(Group::Rail, "to the end", "last", &["End"], on, |_, _| Action::Last),
    offer(Group::Rail, "play, pause", "play", &["Space"], on, |_, _| Action::Play),
    offer(Group::Rail, "next change of the selected file", "fwd", &["]"], is_selected, |_, _| Action::Change(true)),
    offer(Group::Rail, "previous change of the selected file", "back", &["["], is_selected, |_, _| Action::Change(false)),
    offer(Group::Rail, "back to the fork", "fork", &["B"], on, |_, _| Action::Fork),
    offer(Group::Acts, "run, or restart after a crash", "play", &["R"], |world, _| deed::reason(world, again(world)), |world, _| Action::Do(again(world))),
    offer(Group::Acts, "one engine step", "step", &["N"], |world, _| deed::reason(world, Deed::Step), |_, _| Action::Do(Deed::Step)),
    offer(Group::Acts, "trigger", "trigger", &["T"], |world, _| deed::reason(world, Deed::Trigger), |_, _| Action::Do(Deed::Trigger)),
    offer(Group::Acts, "stop", "stop", &["X"], |world, _| deed::reason(world, Deed::Stop), |_, _| Action::Do(Deed::Stop)),
    offer(Group::Acts, "crash after this step", "bolt", &["K"], |world, _| deed::reason(world, Deed::Crash), |_, _| Action::Do(Deed::Crash)),
    offer(Group::Acts, "crash sweep: every crash of the script", "bolt", &["S"], |world, _| sweep::off(world), |_, _| Action::Sweep(SweepMove::Begin)),
    offer(Group::Acts, "drop the next sample", "drop", &["D"], |world, _| deed::reason(world, Deed::Drop), |_, _| Action::Do(Deed::Drop)),
    offer(Group::Acts, "run, in the editor too", "play", &["Ctrl", "Enter"], |world, _| deed::reason(world, Deed::Run), |_, _| Action::Do(Deed::Run)),
    offer(Group::Acts, "someone else: a second hand in the store", "fork", &["E"], on, |_, _| Action::Open(Dialog::Hand)),
    offer(Group::Look, "coarser: batch, then run", "minus", &["-"], on, |_, _| Action::Depth(false)),
    offer(Group::Look, "finer: batch, then step", "plus", &["+"], on, |_, _| Action::Depth(true)),
    offer(Group::Look, "why is the window not out yet?", "help", &["W"], why_off, |world, _| Action::Why(world.time.first_open())),
    offer(Group::Look, "find in the store", "find", &["/"], on, |_, _| Action::Open(Dialog::Palette("files ".to_owned()))),
    offer(Group::Look, "branches: switch, compare, rename, drop", "fork", &[], on, |_, _| Action::Open(Dialog::Branches)),
    offer(Group::Page, "find anything", "find", &["Ctrl", "K"], on, |_, _| Action::Open(Dialog::Palette(String::new()))),
    offer(Group::Page, "share: link, export, import, new sandbox", "share", &[], on, |_, _| Action::Open(Dialog::Share)),
    offer(Group::Page, "back to the former work", "restart", &[], former, |_, _| Action::Keep(KeepNews::Back)),
    offer(Group::Page, "all keys", "help", &["?"], on, |_, _| Action::Open(Dialog::Keys)),
    offer(Group::Page, "light, dark, or as the system", "theme", &[], on, |_, ui| Action::Theme(ui.theme.next())),
];

/// Why W has no answer now.
fn why_off(world: &World, ui: &Ui) -> Option<String> {
    match (ui.tab == Tab::Time, world.time.first_open()) {
        (false, _) => Some("The time plane answers this. Press 2 to see it.".to_owned()),
        (true, None) => Some("No window waits: each one is out, or none is there.".to_owned()),
        (true, Some(_)) => None,
    }
}

/// An offer that is always on.
pub fn on(_: &World, _: &Ui) -> Option<String> {
    None
}

fn is_selected(_: &World, ui: &Ui) -> Option<String> {
    ui.selected.is_none().then(|| "Nothing is open. Choose a file in the store first.".to_owned())
}

fn former(_: &World, ui: &Ui) -> Option<String> {
    (!ui.keep.has_former).then(|| "There is no former work.".to_owned())
}

/// R starts the script from the store: Restart after a crash, Run otherwise.
fn again(world: &World) -> Deed {
    if world.script_state() == ScriptState::Crashed { Deed::Restart } else { Deed::Run }
}

/// Whether these caps are the key that was pressed.
pub fn answers(caps: &[&str], key: &Key) -> bool {
    let Some((last, with)) = caps.split_last() else { return false };
    let name = match *last {
        "→" => "ArrowRight",
        "←" => "ArrowLeft",
        "Space" => " ",
        other => other,
    };
    let is_same = key.name == name || (name.chars().count() == 1 && key.name.eq_ignore_ascii_case(name));
    // Signs are typed with Shift on some keyboards and without on others.
    let is_sign = name.len() == 1 && !name.as_bytes()[0].is_ascii_alphanumeric() && name != " ";
    is_same
        && (is_sign || key.shift == with.contains(&"Shift"))
        && key.alt == with.contains(&"Alt")
        && key.control == with.contains(&"Ctrl")
}

/// What a key does, by the offers, the pictures and the parts.
pub fn action_of(key: &Key, world: &World, ui: &Ui) -> Option<Action> {
    if let Some(row) = TABS.iter().find(|row| answers(&[row.key], key)) {
        return Some(Action::Tab(row.tab));
    }
    let offer = OFFERS.iter().find(|offer| answers(offer.caps, key))?;
    let action = (offer.action)(world, ui);
    // A deed says its reason itself, when its turn has come.
    let off = if matches!(action, Action::Do(_)) { None } else { (offer.off)(world, ui) };
    Some(off.map_or(action, Action::Say))
}

/// The rows of the sheet of keys: caps and what they do.
pub fn sheet() -> Vec<(&'static str, Vec<(Vec<&'static str>, String)>)> {
    let mut groups: Vec<_> = Group::ALL.into_iter().map(|group| (group.word(), rows(group))).collect();
    for row in TABS {
        let pictures = &mut groups[Group::Look as usize].1;
        pictures.push((vec![row.key], format!("picture: {}", row.word)));
    }
    for (group, caps, what) in BESIDE {
        groups[*group as usize].1.push((caps.to_vec(), (*what).to_owned()));
    }
    groups
}

fn rows(group: Group) -> Vec<(Vec<&'static str>, String)> {
    let found = OFFERS.iter().filter(|offer| offer.group == group && !offer.caps.is_empty());
    let row = |offer: &Offer| match PAIRS.iter().find(|(one, other, ..)| [*one, *other].contains(&offer.name))
    {
        // Two that belong together are one row, at the place of the first.
        Some((one, _, caps, what)) => (*one == offer.name).then(|| (caps.to_vec(), (*what).to_owned())),
        None => Some((offer.caps.to_vec(), offer.name.to_owned())),
    };
    found.filter_map(row).collect()
}

/// Offers that are one row of the sheet: their names, the caps and the words of the row.
const PAIRS: &[(&str, &str, &[&str], &str)] = &[
    (
        "one step on; at the end one engine step",
        "one step back",
        &["←", "→"],
        "one step; at the end one engine step",
    ),
    ("next batch", "previous batch", &["Shift", "←", "→"], "one batch"),
    ("next run", "previous run", &["Alt", "←", "→"], "one run"),
    ("to the start", "to the end", &["Home", "End"], "start, end"),
    (
        "next change of the selected file",
        "previous change of the selected file",
        &["[", "]"],
        "when did this file change",
    ),
    ("coarser: batch, then run", "finer: batch, then step", &["-", "+"], "depth"),
];

/// Keys that a part of the page takes for itself.
const BESIDE: &[(Group, &[&str], &str)] = &[
    (Group::Acts, &["Del"], "delete the file or folder in the tree"),
    (Group::Acts, &["Enter"], "on a gap of the lane: arm a crash there, or take it away"),
    (Group::Look, &["F6"], "next panel, with Shift the one before"),
    (Group::Look, &["↑", "↓"], "on the lane: boxes, gaps and tiles"),
    (Group::Page, &["Esc"], "close, or leave the editor for the rail"),
];

/// The names of all parts of the last panel.
pub fn parts() -> impl Iterator<Item = (&'static str, Action)> {
    PARTS.iter().map(|row| (row.word, Action::Show(row.part)))
}
