//! The dialog for all that comes and goes: a link, files to go on elsewhere, a folder that comes back, new and former work.

use tidemark_protocol::ExportForm;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::context::{use_dispatch, use_ui, use_world};
use super::root::action_of;
use crate::browser::{carry, files, screen};
use crate::state::save::fragment;
use crate::state::save::keep::Shelf;
use crate::state::{Action, Engine, Keep, KeepNews, Model, words};
use crate::widgets::Icon;

/// The button in the top bar.
#[component]
pub fn ShareButton() -> Html {
    let open = use_dispatch().reform(|_: MouseEvent| Action::Open(crate::state::Dialog::Share));
    html! {
        <button class="btn btn-quiet top-share" type="button" onclick={open} aria-label="Share" title="Link, export, import, new sandbox">
            <Icon name="share" /><span class="word">{"Share"}</span>
        </button>
    }
}

/// The dialog.
#[component]
pub fn Share() -> Html {
    let close = use_dispatch().reform(|_: MouseEvent| Action::Close);
    html! {
        <div class="share">
            <h2>{"Share"}</h2>
            <LinkPart />
            <ExportPart />
            <ImportPart />
            <WorkPart />
            <p class="keys-close"><button class="btn" type="button" onclick={close}>{"Close"}</button></p>
        </div>
    }
}

#[component]
fn LinkPart() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let model = Model { world, ui: ui.clone(), outbox: vec![], number: 0, deaths: 0, failures: 0 };
    let offline =
        ui.keep.offline.then_some(" You are offline: it opens when you and the other person are online.");
    match fragment::write(&model.shown()) {
        Ok(fragment) => {
            let address = carry::address(&fragment);
            let size = words::size(address.len() as u64);
            let text = address.clone();
            let copy = Callback::from(move |_: MouseEvent| {
                let dispatch = dispatch.clone();
                carry::copy(&text, move |worked| {
                    let said = if worked {
                        "The link is copied."
                    } else {
                        "Copy the link from its field: the browser does not let the page do it."
                    };
                    dispatch.emit(Action::Say(said.to_owned()));
                });
            });
            let select = Callback::from(|event: FocusEvent| {
                if let Some(field) = event.target_dyn_into::<HtmlInputElement>() {
                    field.select();
                }
            });
            html! {
                <section>
                    <h3>{"Link"}</h3>
                    <p>{"Script, files, acts, branches and this moment travel in the address itself; no server keeps them."}{offline}</p>
                    <p class="share-link">
                        <input class="mono" readonly=true value={address} onfocus={select} aria-label="Link" />
                        <button class="btn btn-strong" type="button" onclick={copy}>{"Copy link"}</button>
                    </p>
                    <p class="quiet">{format!("{size} of {} that a link may have.", words::size(fragment::CHARS_MAX as u64))}</p>
                </section>
            }
        }
        Err(big) => html! {
            <section>
                <h3>{"Link"}</h3>
                <p>{format!(
                    "This work is too big for a link: {}, and {} are the limit. Export the folder and send that.",
                    words::size(big.chars as u64),
                    words::size(fragment::CHARS_MAX as u64)
                )}</p>
            </section>
        },
    }
}

const FORMS: [(ExportForm, &str, &str); 3] = [
    (ExportForm::Script, "main.py", "the script as it stands"),
    (ExportForm::Notebook, "main.ipynb", "a notebook that makes spark with Delta, and the script"),
    (
        ExportForm::Folder,
        "tidemark-work.zip",
        "script, data, checkpoint and tables of this moment; real Spark 4.2 goes on from it unchanged",
    ),
];

#[component]
fn ExportPart() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let off = (world.engine != Engine::Ready).then_some("The engine is not ready.");
    let forms = FORMS.into_iter().map(|(form, name, what)| {
        let take = dispatch.reform(move |_: MouseEvent| match off {
            Some(reason) => Action::Say(reason.to_owned()),
            None => Action::Keep(KeepNews::Export(form)),
        });
        html! {
            <li key={name}>
                <button class="btn" type="button" onclick={take} aria-disabled={off.map(|_| "true")} title={off}>{name}</button>
                <span>{what}</span>
            </li>
        }
    });
    html! {
        <section>
            <h3>{"Export"}</h3>
            <ul class="share-forms">{ for forms }</ul>
        </section>
    }
}

#[component]
fn ImportPart() -> Html {
    let dispatch = use_dispatch();
    let picked = Callback::from(move |event: Event| {
        let dispatch = dispatch.clone();
        files::take_picked(&event, move |news| dispatch.emit(action_of(news)));
    });
    html! {
        <section>
            <h3>{"Import"}</h3>
            <p>{"A folder that was exported here, as a zip, also after real Spark has gone on in it. Or drop it on the page."}</p>
            <p><label class="btn share-pick">{"Choose a zip"}<input type="file" accept=".zip,application/zip" class="only-read" onchange={picked} /></label></p>
        </section>
    }
}

#[component]
fn WorkPart() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let fresh = dispatch.reform(|_: MouseEvent| Action::Keep(KeepNews::Fresh(screen::draw_seed())));
    let back = dispatch.reform(|_: MouseEvent| Action::Keep(KeepNews::Back));
    html! {
        <section>
            <h3>{"This work"}</h3>
            <p>{stand(&ui.keep)}</p>
            <p class="memo-moves">
                <button class="btn" type="button" onclick={fresh}>{"New sandbox"}</button>
                if ui.keep.has_former { <button class="btn" type="button" onclick={back}>{"Back to the former work"}</button> }
            </p>
        </section>
    }
}

/// Where the work is kept, in a sentence.
fn stand(keep: &Keep) -> &'static str {
    match keep.shelf {
        Shelf::None => "It lasts as long as this tab: this browser keeps nothing here.",
        Shelf::Asked => "The browser is asked what it has kept.",
        Shelf::Behind => "The browser's storage is full: the last changes are not saved. Export the folder.",
        Shelf::Kept if keep.is_copy => {
            "A copy of work that another tab has. It is saved apart once you change it."
        }
        Shelf::Kept => {
            "Saved in this browser after each act, with its branches, the moment and the text in the editor."
        }
    }
}
