//! A memo: something of the kept work that the learner is told, with moves as buttons; and the line that there is no network.

use yew::prelude::*;

use super::context::{use_dispatch, use_ui};
use crate::browser::carry;
use crate::state::save::keep::{Memo, Move};
use crate::state::{Action, KeepNews};
use crate::widgets::Icon;
use tidemark_protocol::ExportForm;

/// The memo, if there is one.
#[component]
pub fn Memos() -> Html {
    let ui = use_ui();
    let memo = ui.keep.memo.clone();
    html! {
        <div class="memos" role="status" aria-live="polite">
            if let Some(memo) = memo { <OneMemo {memo} /> }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct MemoProps {
    memo: Memo,
}

#[component]
fn OneMemo(props: &MemoProps) -> Html {
    let dispatch = use_dispatch();
    let moves = props.memo.moves.iter().map(|&chosen| {
        let go = dispatch.clone();
        let press = Callback::from(move |_: MouseEvent| perform(chosen, &go));
        html! { <button key={chosen.word()} class="btn" type="button" onclick={press}>{chosen.word()}</button> }
    });
    let close = dispatch.reform(|_: MouseEvent| Action::Keep(KeepNews::Forget));
    html! {
        <div class="memo pop">
            <p><b>{&props.memo.what}</b>{" "}{&props.memo.kept}</p>
            <p class="memo-moves">
                { for moves }
                <button class="btn btn-quiet" type="button" onclick={close}>{"Close"}</button>
            </p>
        </div>
    }
}

fn perform(chosen: Move, dispatch: &Callback<Action>) {
    let news = match chosen {
        Move::Back => KeepNews::Back,
        Move::TakeOver => KeepNews::TakeOver,
        Move::Export => KeepNews::Export(ExportForm::Folder),
        Move::Reload => return carry::reload(),
    };
    dispatch.emit(Action::Keep(news));
}

/// The word in the top bar while there is no network.
#[component]
pub fn Offline() -> Html {
    let ui = use_ui();
    if !ui.keep.offline {
        return Html::default();
    }
    html! {
        <span class="top-offline" role="status" title="You are offline. All lessons are here, and your work.">
            <Icon name="off" /><span class="word">{"offline"}</span>
        </span>
    }
}
