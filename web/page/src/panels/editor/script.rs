//! The text of the script: CodeMirror when its bundle is there, a text area until then.

use std::cell::RefCell;
use std::rc::Rc;

use tidemark_protocol::{Diagnostic, ScriptState};
use yew::prelude::*;

use crate::app::{use_dispatch, use_world};
use crate::browser::editor::{self, Editor};
use crate::state::{Action, Deed, World};

/// The text.
#[component]
pub fn Script() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let host = use_node_ref();
    let is_there = use_editor(&host, &world, &dispatch);
    let oninput = dispatch.reform(|event: InputEvent| Action::Draft(editor::text_of(&event)));
    html! {
        <div class="panel-body editor-body">
            <div class="editor-host" ref={host}></div>
            if !is_there {
                <textarea class="editor-plain" aria-label="Script, PySpark" spellcheck="false" autocapitalize="off"
                    value={world.draft.clone()} {oninput} />
            }
        </div>
    }
}

/// Keeps the editor in step with the world; says whether it is there.
#[hook]
fn use_editor(host: &NodeRef, world: &Rc<World>, dispatch: &Callback<Action>) -> bool {
    let editor = use_mut_ref(|| None::<Editor>);
    let is_there = use_state_eq(|| false);
    let text = use_mut_ref(|| Rc::new(RefCell::new(world.draft.clone()))).borrow().clone();
    text.replace(world.draft.clone());
    {
        let (host, editor, is_there) = (host.clone(), editor.clone(), is_there.setter());
        let (draft, run) = (dispatch.reform(Action::Draft), dispatch.reform(|()| Action::Do(Deed::Run)));
        use_effect_with((), move |()| {
            if let Some(parent) = host.cast() {
                let ready = move |made: Editor| {
                    *editor.borrow_mut() = Some(made);
                    is_there.set(true);
                };
                Editor::load(parent, text, move |text| draft.emit(text), move || run.emit(()), ready);
            }
        });
    }
    let there = *is_there;
    let marks = (there, world.draft.clone(), errors(world), line(world));
    use_effect_with(marks, move |(there, draft, errors, line)| {
        if let Some(editor) = editor.borrow().as_ref().filter(|_| *there) {
            editor.set_text(draft);
            editor.set_errors(errors);
            editor.set_line(*line);
        }
    });
    there
}

/// Whether the text in the editor is the one that the moment speaks of.
fn is_same(world: &World) -> bool {
    world.view.as_ref().is_some_and(|view| view.script.text == world.draft)
}

fn errors(world: &World) -> Vec<Diagnostic> {
    let view = world.view.as_ref().filter(|_| is_same(world));
    view.map(|view| view.script.errors.clone()).unwrap_or_default()
}

/// The line at which the script stands, while it stands somewhere.
fn line(world: &World) -> Option<u32> {
    let view = world.view.as_ref().filter(|_| is_same(world))?;
    let stands =
        matches!(view.script.state, ScriptState::Running | ScriptState::Parked | ScriptState::Crashed);
    view.script.line.filter(|_| stands)
}
