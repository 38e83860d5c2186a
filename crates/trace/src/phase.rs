//! The ten steps of a micro-batch and the fourteen points at which a driver is killed.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One step of the micro-batch protocol: the ten columns of the lane, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The sources are listed.
    List,
    /// New files are noted in `sources/0/N`.
    Note,
    /// The batch is planned in `offsets/N`.
    Plan,
    /// Rows are read.
    Read,
    /// Operators work, per partition.
    Work,
    /// State is saved, per operator and partition.
    Save,
    /// Sink files are written.
    Write,
    /// The sink commits.
    Commit,
    /// The watermark advances.
    Advance,
    /// The batch is marked in `commits/N`.
    Done,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Phase; 10] = [
        Phase::List,
        Phase::Note,
        Phase::Plan,
        Phase::Read,
        Phase::Work,
        Phase::Save,
        Phase::Write,
        Phase::Commit,
        Phase::Advance,
        Phase::Done,
    ];

    /// The verb on the lane, lower case.
    pub fn verb(self) -> &'static str {
        match self {
            Phase::List => "list",
            Phase::Note => "note",
            Phase::Plan => "plan",
            Phase::Read => "read",
            Phase::Work => "work",
            Phase::Save => "save",
            Phase::Write => "write",
            Phase::Commit => "commit",
            Phase::Advance => "advance",
            Phase::Done => "done",
        }
    }

    /// The key of `durationMs` under which the phase's time counts.
    pub fn duration_key(self) -> &'static str {
        match self {
            Phase::List | Phase::Note => "latestOffset",
            Phase::Plan => "walCommit",
            Phase::Read | Phase::Work | Phase::Save | Phase::Write | Phase::Commit => "addBatch",
            Phase::Advance | Phase::Done => "commitOffsets",
        }
    }

    /// The phase with this verb.
    pub fn from_verb(verb: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|p| p.verb() == verb)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verb())
    }
}

/// On which side of a write or a phase something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// Before it.
    Before,
    /// In the middle: half the bytes are in a temporary file.
    During,
    /// After it.
    After,
}

/// The named points at which a driver can be killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CrashPoint {
    /// Before listing.
    C01,
    /// After `sources/0/N`.
    C02,
    /// During `offsets/N`.
    C03,
    /// After `offsets/N`.
    C04,
    /// While reading.
    C05,
    /// Some state partitions saved.
    C06,
    /// All state saved.
    C07,
    /// Some sink files written.
    C08,
    /// All sink files, no commit of the sink.
    C09,
    /// The sink has committed, no `commits/N`.
    C10,
    /// During `commits/N`.
    C11,
    /// After `commits/N`.
    C12,
    /// Inside `foreachBatch`, between two writes.
    C13,
    /// Again during recovery.
    C14,
}

impl CrashPoint {
    /// All points in order.
    pub const ALL: [CrashPoint; 14] = [
        CrashPoint::C01,
        CrashPoint::C02,
        CrashPoint::C03,
        CrashPoint::C04,
        CrashPoint::C05,
        CrashPoint::C06,
        CrashPoint::C07,
        CrashPoint::C08,
        CrashPoint::C09,
        CrashPoint::C10,
        CrashPoint::C11,
        CrashPoint::C12,
        CrashPoint::C13,
        CrashPoint::C14,
    ];

    /// The point written `C01` to `C14`.
    pub fn from_name(name: &str) -> Option<CrashPoint> {
        CrashPoint::ALL.into_iter().find(|p| format!("{p:?}").eq_ignore_ascii_case(name))
    }

    /// What the point means, in one phrase.
    pub fn phrase(self) -> &'static str {
        match self {
            CrashPoint::C01 => "before listing",
            CrashPoint::C02 => "after sources/0/N",
            CrashPoint::C03 => "during offsets/N",
            CrashPoint::C04 => "after offsets/N",
            CrashPoint::C05 => "while reading",
            CrashPoint::C06 => "some state saved",
            CrashPoint::C07 => "all state saved",
            CrashPoint::C08 => "some sink files written",
            CrashPoint::C09 => "all sink files, no sink commit",
            CrashPoint::C10 => "sink committed, no commits/N",
            CrashPoint::C11 => "during commits/N",
            CrashPoint::C12 => "after commits/N",
            CrashPoint::C13 => "inside foreachBatch",
            CrashPoint::C14 => "again during recovery",
        }
    }
}
