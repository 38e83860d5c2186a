//! The panel: head, script, output.

use tidemark_protocol::ScriptState;
use yew::prelude::*;

use super::output::Output;
use super::script::Script;
use crate::app::dock::open_mark;
use crate::app::{use_ui, use_world};
use crate::state::act::sample;
use crate::state::{Dock, World};

/// The panel.
#[component]
pub fn EditorPanel() -> Html {
    let (world, ui) = (use_world(), use_ui());
    html! {
        <section class="panel editor" aria-labelledby="h-code" tabindex="-1" data-panel="" data-open={open_mark(ui.dock, Dock::Code)}>
            <div class="panel-head"><h2 id="h-code">{sample::NAME}</h2><span class="panel-note push">{note(&world)}</span></div>
            <Script />
            <Output />
        </section>
    }
}

/// How the script stands.
fn note(world: &World) -> String {
    if world.is_stale() {
        return "changed since this run".to_owned();
    }
    let Some(view) = &world.view else { return "not run yet".to_owned() };
    let line = view.script.line.map(|line| format!(" at line {line}")).unwrap_or_default();
    match view.script.state {
        ScriptState::Fresh => "not run yet".to_owned(),
        ScriptState::Running => format!("running{line}"),
        ScriptState::Parked => format!("waiting{line}"),
        ScriptState::Ended => "ended".to_owned(),
        ScriptState::Failed => format!("failed{line}"),
        ScriptState::Crashed => "lost with the driver".to_owned(),
        ScriptState::Stopped => "stopped".to_owned(),
    }
}
