//! The frame of the sandbox: top bar, picture, a row of evidence, rail; on a phone a dock.

use yew::prelude::*;

use super::context::{use_ui, use_world};
use super::dialogs::Dialogs;
use super::dock::DockBar;
use super::memo::Memos;
use super::notice::{Notices, Said};
use super::picture::Picture;
use super::top::Top;
use crate::panels::editor::EditorPanel;
use crate::panels::inspect::InspectPanel;
use crate::panels::lesson::LessonPanel;
use crate::panels::lineage::LineagePanel;
use crate::panels::rail::RailPanel;
use crate::panels::sink::SinkPanel;
use crate::panels::store::StorePanel;
use crate::state::tabs::row_of;

/// Everything inside `#app`.
#[component]
pub fn Frame() -> Html {
    let busy = use_world().awaiting.is_some().to_string();
    let ui = use_ui();
    let (is_full, is_wide) = (row_of(ui.tab).is_full, ui.wide);
    let lesson = ui.lesson.open.as_ref();
    let panels = if lesson.is_some() { "evidence-lesson" } else { "evidence-sandbox" };
    html! {
        <div class="shell" data-dock="" data-full={is_full.then_some("")} data-lesson={lesson.map(|_| "")}>
            <a class="skip" href="#picture">{"Skip to the picture"}</a>
            <Top />
            <LessonPanel />
            <main class="shell-main" aria-busy={busy}>
                <Picture />
                <LineagePanel />
                <div class={classes!("evidence", panels)} data-lesson={lesson.map(|_| "")} data-try={lesson.filter(|open| open.exercise).map(|_| "")} data-wide={is_wide.then_some("")} hidden={is_full}>
                    <EditorPanel />
                    <StorePanel />
                    <InspectPanel />
                    <SinkPanel />
                </div>
            </main>
            <RailPanel />
            <DockBar />
            <Said />
            <Notices />
            <Memos />
            <Dialogs />
        </div>
    }
}
