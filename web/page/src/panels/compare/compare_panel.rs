//! The two sides and what differs between them.

use yew::prelude::*;

/// The picture.
#[component]
pub fn Compare() -> Html {
    html! { <div class="compare"></div> }
}
