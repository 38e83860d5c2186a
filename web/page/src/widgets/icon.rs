//! An icon from the shell's sprite.

use yew::prelude::*;

/// Which icon.
#[derive(Clone, PartialEq, Properties)]
pub struct IconProps {
    /// Its name in the sprite, without `i-`.
    pub name: AttrValue,
}

/// An icon of 16 by 16 in the colour of the text. It says nothing to a screen reader; a word stands beside it.
#[component]
pub fn Icon(props: &IconProps) -> Html {
    html! { <svg class="i" aria-hidden="true"><use href={format!("#i-{}", props.name)} /></svg> }
}
