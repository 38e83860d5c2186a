//! What page and engine say to each other: acts, commands, updates and the view, as plain data.
//!
//! Owns: [`Act`] and its line of text, [`Command`], [`Update`], [`View`] and its parts.
//! May touch: types, trace.
//! Must not know: how anything is computed or drawn.
//! Invariants: everything is serde data; an update carries everything that the page needs to draw one moment; the page
//! never works a picture out from facts.

pub mod act;
pub mod link;
pub mod object_view;
pub mod view;

pub use act::{Act, ActError, ArmPlace};
pub use link::{Busy, Command, FromWorker, MomentMark, Request, Update};
pub use object_view::{Field, ObjectBody, ObjectView, Table};
pub use view::{
    BatchView, Can, Change, Diagnostic, LogLine, QueryState, QueryView, ScriptState, ScriptView, SinkRow,
    SinkView, StepState, StepView, StoreEntry, View,
};
