//! A moment as the page gets it.

use tidemark_protocol::{Can, Diagnostic, LogLine, QueryState, ScriptState, ScriptView, View};
use tidemark_python::{SyntaxError, Traceback};
use tidemark_world::World;

use crate::fault::place_of_fault;
use crate::moment::{Lane, Moment, ScriptStand};
use crate::store;

/// Lines of output that a view carries at most: the newest.
const LINES_MAX: usize = 2_000;

/// The view of a moment; `before` is the World of the moment before it.
pub(crate) fn view(index: usize, moment: &Moment, before: Option<&World>) -> View {
    View {
        moment: index,
        at: moment.world.now(),
        sentence: moment.mark.sentence.clone(),
        script: script(&moment.script),
        store: store::entries(&moment.world, before, &moment.lanes, &moment.notes),
        queries: moment.lanes.iter().map(crate::moment::Lane::to_view).collect(),
        sinks: moment.sinks.to_views(),
        armed: moment.world.armed().iter().map(place_of_fault).collect(),
        can: can(moment),
    }
}

fn script(stand: &ScriptStand) -> ScriptView {
    let mut lines: Vec<LogLine> = Vec::new();
    let mut open = false;
    for (text, line) in &stand.printed {
        for piece in text.split_inclusive('\n') {
            let body = piece.strip_suffix('\n').unwrap_or(piece);
            match lines.last_mut() {
                Some(last) if open => last.text.push_str(body),
                _ => lines.push(LogLine { text: body.to_owned(), line: (*line > 0).then_some(*line) }),
            }
            open = !piece.ends_with('\n');
        }
    }
    if lines.len() > LINES_MAX {
        lines.drain(..lines.len() - LINES_MAX);
    }
    ScriptView {
        name: stand.name.to_string(),
        text: stand.text.to_string(),
        state: stand.state,
        line: stand.line,
        printed: lines,
        errors: stand.errors.as_ref().clone(),
    }
}

/// What can be done, and why not.
pub(crate) fn can(moment: &Moment) -> Can {
    let because = |reason: &str| Some(reason.to_owned());
    let state = moment.script.state;
    let is_down = state == ScriptState::Crashed;
    let is_active = |lane: &Lane| lane.view.run == moment.script.run && lane.view.state == QueryState::Active;
    let is_driven = moment.lanes.iter().any(is_active);
    Can {
        run: if is_down { because("The driver is down. Restart it first.") } else { None },
        step: if is_down { because("The driver is down. Restart it first.") } else { None },
        trigger: match (is_down, !is_driven) {
            (true, _) => because("The driver is down. Restart it first."),
            (false, true) => because("No query waits for data. Run the script first."),
            (false, false) => None,
        },
        stop: match state {
            ScriptState::Running | ScriptState::Parked => None,
            _ if is_driven => None,
            _ => because("Nothing runs."),
        },
        crash: match state {
            ScriptState::Running | ScriptState::Parked => None,
            ScriptState::Crashed => because("The driver is already down."),
            _ => because("The driver is not running. Press Step to start it and stop in the middle."),
        },
        restart: if is_down || state != ScriptState::Fresh {
            None
        } else {
            because("The script has not run yet.")
        },
    }
}

/// Errors of syntax at their places.
pub(crate) fn syntax_errors(errors: &[SyntaxError]) -> Vec<Diagnostic> {
    errors
        .iter()
        .map(|error| Diagnostic {
            line: error.span.line,
            column: error.span.column,
            end_line: error.span.end_line,
            end_column: error.span.end_column,
            class: error.class.clone(),
            condition: String::new(),
            message: error.message.clone(),
            traceback: error.render(),
        })
        .collect()
}

/// An exception that left the script, at the innermost line of the script.
pub(crate) fn traceback(name: &str, error: &Traceback) -> Diagnostic {
    let frame = error.frames.iter().rev().find(|f| f.file == name).or(error.frames.last());
    let span = frame.map(|f| f.span).unwrap_or_default();
    let condition = error
        .message
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .map(|(name, _)| name.to_owned())
        .unwrap_or_default();
    Diagnostic {
        line: span.line,
        column: span.column,
        end_line: span.end_line,
        end_column: span.end_column,
        class: error.class.clone(),
        condition,
        message: error.message.clone(),
        traceback: error.text.clone(),
    }
}
