//! The bill: requests, bytes and files by batch, what they cost, and what that makes of a day.

use tidemark_protocol::Cost;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::app::use_world;
use crate::browser::screen;
use crate::state::look::bill::{self, BillRow, Day, FIELDS, Prices, grouped, money};
use crate::state::words;
use crate::widgets::Icon;

/// The bill.
#[component]
pub fn Bill() -> Html {
    let world = use_world();
    let prices = use_state(|| Prices::from_text(&screen::stored_prices()));
    let queries = world.view.as_ref().map(|view| view.queries.as_slice()).unwrap_or_default();
    let rows = bill::rows(queries);
    let change = {
        let prices = prices.clone();
        Callback::from(move |changed: Prices| {
            screen::keep_prices(&changed.text());
            prices.set(changed);
        })
    };
    if rows.is_empty() {
        return html! {
            <>
                <div class="empty"><Icon name="table" /><p>{"No bill yet. Each batch shows here what it asked of the store. Run the script with R."}</p></div>
                { price_list(&prices, bill::interval(queries), &change) }
            </>
        };
    }
    let idle: u64 = queries.iter().map(|query| query.idle_triggers).sum();
    let mut of_idle = Cost::default();
    queries.iter().for_each(|query| of_idle += query.idle);
    let told = bill::interval(queries);
    let interval = prices.every(told);
    html! {
        <>
            { table(&rows, &prices) }
            { days(&rows, (&of_idle, idle), interval, &prices) }
            { price_list(&prices, told, &change) }
        </>
    }
}

fn table(rows: &[BillRow], prices: &Prices) -> Html {
    const HEADS: [&str; 7] = ["costs", "LIST", "GET", "PUT", "files", "read", "written"];
    let line = |name: Html, cost: &Cost, key: String, class: &'static str| {
        html! {
            <tr {key} {class}><th scope="row">{name}</th>
                <td class="r">{money(prices.of(cost))}</td>
                <td class="r">{cost.list}</td><td class="r">{cost.get}</td><td class="r">{cost.put}</td><td class="r">{cost.files}</td>
                <td class="r">{words::size(cost.bytes_read)}</td><td class="r">{words::size(cost.bytes_written)}</td>
            </tr>
        }
    };
    let body = rows.iter().enumerate().map(|(at, row)| {
        let name = html! { <><span class="quiet">{format!("run {} ", row.run)}</span><b>{&row.name}</b></> };
        line(name, &row.cost, at.to_string(), "")
    });
    let heads = HEADS.into_iter().map(|head| html! { <th scope="col" class="r">{head}</th> });
    html! {
        <div class="numbers-scroll" tabindex="0" role="region" aria-label="Bill by batch">
            <table class="grid numbers-bill">
                <thead><tr><th scope="col">{"batch"}</th>{ for heads }</tr></thead>
                <tbody>{ for body }</tbody>
                <tfoot>{ line(html! { <b>{"all"}</b> }, &bill::total(rows), "all".to_owned(), "numbers-all") }</tfoot>
            </table>
        </div>
    }
}

/// What it makes of a day, in words.
fn days(rows: &[BillRow], (idle, idle_count): (&Cost, u64), interval: f64, prices: &Prices) -> Html {
    let whole: Vec<BillRow> = rows.iter().filter(|row| row.is_batch).cloned().collect();
    let busy = bill::day(&bill::total(&whole), whole.len() as u64, interval, prices);
    let quiet = bill::day(idle, idle_count, interval, prices);
    let say = |day: Day| {
        format!("{} requests, {} data files, {}", grouped(day.requests), grouped(day.files), money(day.price))
    };
    let every = grouped_seconds(interval);
    html! {
        <div class="numbers-note">
            if let Some(day) = busy {
                <p><b>{format!("A day at one trigger every {every}: {} triggers.", grouped(day.triggers))}</b>
                {format!(" If each finds data like {}: {}.", words::count(whole.len(), "batch"), say(day))}</p>
            } else {
                <p>{"A day is reckoned from the first batch that is done."}</p>
            }
            if let Some(day) = quiet { <p>{format!("If none finds anything: {}.", say(day))}</p> }
        </div>
    }
}

fn grouped_seconds(seconds: f64) -> String {
    if seconds == 1.0 { "second".to_owned() } else { format!("{seconds} s") }
}

/// The prices and the interval, each a field.
fn price_list(prices: &Prices, told: Option<f64>, change: &Callback<Prices>) -> Html {
    let fields = FIELDS.iter().map(|(word, unit, of)| {
        let mut copy = *prices;
        let value = *of(&mut copy);
        let onchange = {
            let (change, of, prices) = (change.clone(), *of, *prices);
            Callback::from(move |event: Event| {
                if let Some(number) = number_of(&event) {
                    let mut changed = prices;
                    *of(&mut changed) = number;
                    change.emit(changed);
                }
            })
        };
        html! {
            <label key={*word}><span>{*word}</span><input type="number" min="0" step="any" value={value.to_string()} {onchange} /><span class="quiet">{*unit}</span></label>
        }
    });
    let oninterval = {
        let (change, prices) = (change.clone(), *prices);
        Callback::from(move |event: Event| {
            if let Some(number) = number_of(&event).filter(|number| *number > 0.0) {
                change.emit(Prices { interval: number, ..prices });
            }
        })
    };
    let unit =
        if told.is_some() && prices.interval <= 0.0 { "s, as the query says" } else { "s, started so often" };
    let reset = {
        let change = change.clone();
        Callback::from(move |_: MouseEvent| change.emit(bill::EXAMPLES))
    };
    html! {
        <section class="numbers-prices" aria-label="Prices">
            <h3>{"Prices"}<span>{"examples, change them to yours"}</span></h3>
            <div>
                { for fields }
                <label><span>{"trigger"}</span><input type="number" min="0" step="any" value={prices.every(told).to_string()} onchange={oninterval} /><span class="quiet">{unit}</span></label>
                <button class="btn btn-quiet btn-small" type="button" onclick={reset}>{"Back to the examples"}</button>
            </div>
        </section>
    }
}

fn number_of(event: &Event) -> Option<f64> {
    let field: HtmlInputElement = event.target_dyn_into()?;
    field.value().trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0)
}
