//! Where a crash can be armed, as faults of the World.

use tidemark_protocol::ArmPlace;
use tidemark_trace::{CrashPoint, Phase, When};
use tidemark_world::{Fault, World};

/// How the file of a state partition ends: after the first of them some are saved, and others not.
const STATE_FILE: &str = ".delta";
/// How a file of a table ends.
const SINK_FILE: &str = ".parquet";

/// The fault that is armed at a place.
pub fn fault_of_place(place: &ArmPlace) -> Fault {
    match place {
        ArmPlace::Write { k, when } => Fault::Write { k: *k, when: *when },
        ArmPlace::Phase { phase, when } => Fault::Phase { phase: *phase, when: *when },
        ArmPlace::Point { point } => fault_of(*point),
    }
}

/// The place of an armed fault: the reverse of [`fault_of_place`], with a phase for the points that are one.
pub(crate) fn place_of_fault(fault: &Fault) -> ArmPlace {
    match fault {
        Fault::Write { k, when } => ArmPlace::Write { k: *k, when: *when },
        Fault::Phase { phase, when } => ArmPlace::Phase { phase: *phase, when: *when },
        Fault::Recovery => ArmPlace::Point { point: CrashPoint::C14 },
        Fault::Function { .. } => ArmPlace::Point { point: CrashPoint::C13 },
        Fault::Folder { name, .. } => {
            ArmPlace::Point { point: if name == "offsets" { CrashPoint::C03 } else { CrashPoint::C11 } }
        }
        Fault::Path { suffix, .. } => {
            ArmPlace::Point { point: if suffix == STATE_FILE { CrashPoint::C06 } else { CrashPoint::C08 } }
        }
    }
}

/// The armed fault at a place, in whichever words the place is named.
pub(crate) fn armed_at<'a>(world: &'a World, place: &ArmPlace) -> Option<&'a Fault> {
    let wanted = place_of_fault(&fault_of_place(place));
    world.armed().iter().find(|fault| place_of_fault(fault) == wanted)
}

/// `after commit` of a phase, which reads better than the line of the act; any other place as it is written.
pub(crate) fn in_words(place: &ArmPlace) -> String {
    let text = place.to_string();
    match (place, text.split_once(' ')) {
        (ArmPlace::Phase { .. }, Some((phase, side))) => format!("{side} {phase}"),
        _ => text,
    }
}

/// The named point within a step at which a driver stopped, from the place as the World tells it.
pub(crate) fn point_within(place: &str, calls_function: bool) -> Option<CrashPoint> {
    let (side, path) = place.split_once(" put ")?;
    let mut parts = path.rsplit('/');
    let (name, folder) = (parts.next()?, parts.next()?);
    match (side, folder) {
        ("during", "offsets") => Some(CrashPoint::C03),
        ("during", "commits") => Some(CrashPoint::C11),
        ("after", "_delta_log") => calls_function.then_some(CrashPoint::C13),
        ("after", _) if name.ends_with(STATE_FILE) => Some(CrashPoint::C06),
        ("after", _) if name.ends_with(SINK_FILE) => Some(CrashPoint::C08),
        _ => None,
    }
}

/// The fault of a named crash point.
// tidy: table
fn fault_of(point: CrashPoint) -> Fault {
    use CrashPoint as C;
    let phase = |phase, when| Fault::Phase { phase, when };
    match point {
        C::C01 => phase(Phase::List, When::Before),
        C::C02 => phase(Phase::Note, When::After),
        C::C03 => Fault::Folder { name: "offsets".to_owned(), when: When::During },
        C::C04 => phase(Phase::Plan, When::After),
        C::C05 => phase(Phase::Read, When::After),
        C::C06 => Fault::Path { suffix: STATE_FILE.to_owned(), when: When::After },
        C::C07 => phase(Phase::Save, When::After),
        C::C08 => Fault::Path { suffix: SINK_FILE.to_owned(), when: When::After },
        C::C09 => phase(Phase::Write, When::After),
        C::C10 => phase(Phase::Commit, When::After),
        C::C11 => Fault::Folder { name: "commits".to_owned(), when: When::During },
        C::C12 => phase(Phase::Done, When::After),
        C::C13 => Fault::Function { is_inside: false },
        C::C14 => Fault::Recovery,
    }
}
