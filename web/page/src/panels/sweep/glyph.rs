//! The small lane of a row: the ten steps, what is kept, what is lost, and where the driver stops.

use tidemark_trace::CrashPoint;
use yew::prelude::*;

/// Where the boxes of the ten steps begin.
const BOXES: [u32; 10] = [5, 20, 35, 50, 65, 80, 95, 110, 125, 140];

/// How a box stands when the driver stops: `k` kept in the store, `l` lost with the driver, `p` not yet, `u` not used.
// tidy: table
fn boxes(point: CrashPoint) -> (&'static str, &'static [f32]) {
    use CrashPoint as C;
    match point {
        C::C01 => ("pppppppppp", &[3.0]),
        C::C02 => ("lkpppppppp", &[33.0]),
        C::C03 => ("lkpppppppp", &[40.5]),
        C::C04 => ("lkkppppppp", &[48.0]),
        C::C05 => ("lkkppppppp", &[55.5]),
        C::C06 => ("lkkllppppp", &[85.5]),
        C::C07 => ("lkkllkpppp", &[93.0]),
        C::C08 => ("lkkllkpppp", &[100.5]),
        C::C09 => ("lkkllkkppp", &[108.0]),
        C::C10 => ("lkkllkkkpp", &[123.0]),
        C::C11 => ("lkkllkkklp", &[145.5]),
        C::C12 => ("lkkllkkklk", &[153.0]),
        C::C13 => ("lkkllkkppp", &[115.5]),
        C::C14 => ("lkkllkkkpp", &[123.0, 126.5]),
    }
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct GlyphProps {
    /// The point.
    pub(super) point: CrashPoint,
    /// Whether the script keeps state.
    pub(super) state: bool,
}

/// The picture. It says nothing to a screen reader; the words stand beside it.
#[component]
pub(super) fn Glyph(props: &GlyphProps) -> Html {
    let (stand, crashes) = boxes(props.point);
    let steps = BOXES.into_iter().zip(stand.chars()).enumerate().map(|(at, (x, stand))| {
        // Without state there is nothing to save and no time to advance.
        if !props.state && (at == 5 || at == 8) {
            return html! { <path key={x} class="un" d={format!("M{} 9h5", x + 3)} /> };
        }
        let class = match stand {
            'k' => "kept",
            'l' => "lost",
            _ => "plan",
        };
        html! { <rect key={x} {class} x={x.to_string()} y="4" width="11" height="10" rx="2" /> }
    });
    let crashes =
        crashes.iter().map(|x| html! { <path key={x.to_string()} class="crash" d={format!("M{x} 0v18")} /> });
    html! { <svg class="sweep-glyph" viewBox="0 0 156 18" aria-hidden="true">{ for steps }{ for crashes }</svg> }
}
