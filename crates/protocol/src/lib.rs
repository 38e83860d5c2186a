//! What page and engine say to each other: acts, commands, updates and the view, as plain data.
//!
//! Owns: [`Act`] and its line of text, [`Command`], [`Update`], [`View`] and its parts.
//! May touch: types, trace.
//! Must not know: how anything is computed or drawn.
//! Invariants: everything is serde data; an update carries everything that the page needs to draw one moment; the page
//! never works a picture out from facts.

pub mod act;
pub mod check;
pub mod compare;
pub mod lesson;
pub mod lineage;
pub mod link;
pub mod modes;
pub mod object_view;
pub mod plane;
pub mod state_view;
pub mod sweep;
pub mod view;
pub mod work;

pub use act::{Act, ActError, ArmPlace};
pub use check::{Check, CheckAsk, CheckFailure, CheckReport, DataForm, Expect, Generator};
pub use compare::{Comparison, Measure, ObjectDifference, RowDifference, Side, SinkDifference};
pub use lesson::{Lesson, LessonFile, LessonForm, Shows, Watch};
pub use lineage::{Hop, HopKind, Lineage, LineageOf};
pub use link::{Busy, Command, ExportForm, FromWorker, MomentMark, Request, Update};
pub use modes::{ModeBatch, ModeOutcome, ModesView};
pub use object_view::{Field, ObjectBody, ObjectView, Table};
pub use plane::{Fate, PlaneBand, PlaneReach, PlaneRow, PlaneValue, PlaneView, PlaneWindow, WhyNot};
pub use state_view::{StateMeasure, StateOperator, StatePartition, StateRow, StateTable, StateView};
pub use sweep::{SweepCell, SweepRow, SweepTable, Verdict};
pub use view::{
    BatchNumbers, BatchView, Can, Change, Cost, Diagnostic, Earlier, LogLine, QueryState, QueryView,
    ScriptState, ScriptView, SinkRow, SinkView, StepState, StepView, StoreEntry, View,
};
pub use work::{BranchMark, Fork, Place, Work, WorkBranch};
