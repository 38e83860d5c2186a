//! The words of a lesson: paragraphs with code and emphasis.

use yew::prelude::*;

use crate::state::lesson::text::{self, Piece};

/// A paragraph.
pub(super) fn paragraph(words: &str) -> Html {
    html! { <p>{ for text::pieces(words).iter().map(piece) }</p> }
}

/// A paragraph without its own element, for a label.
pub(super) fn inline(words: &str) -> Html {
    html! { <>{ for text::pieces(words).iter().map(piece) }</> }
}

/// The paragraphs of a text that has been read.
pub(super) fn paragraphs(read: &[Vec<Piece>]) -> Html {
    html! { <>{ for read.iter().map(|pieces| html! { <p>{ for pieces.iter().map(piece) }</p> }) }</> }
}

fn piece(piece: &Piece) -> Html {
    match piece {
        Piece::Plain(words) => html! { {words} },
        Piece::Code(words) => html! { <code>{words}</code> },
        Piece::Stress(words) => html! { <i>{words}</i> },
    }
}
