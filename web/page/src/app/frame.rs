//! The frame of the sandbox: top bar, picture, a row of evidence, rail; on a phone a dock.

use yew::prelude::*;

use super::context::use_world;
use super::dock::DockBar;
use super::notice::{Notices, Said};
use super::picture::Picture;
use super::sheet::Sheet;
use super::top::Top;
use crate::panels::editor::EditorPanel;
use crate::panels::inspect::InspectPanel;
use crate::panels::rail::RailPanel;
use crate::panels::sink::SinkPanel;
use crate::panels::store::StorePanel;

/// Everything inside `#app`.
#[component]
pub fn Frame() -> Html {
    let busy = use_world().awaiting.is_some().to_string();
    html! {
        <div class="shell" data-dock="">
            <a class="skip" href="#picture">{"Skip to the picture"}</a>
            <Top />
            <main class="shell-main" aria-busy={busy}>
                <Picture />
                <div class="evidence evidence-sandbox">
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
            <Sheet />
        </div>
    }
}
