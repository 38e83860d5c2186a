//! The lines of the branches with their ticks and signs, and their names beside them.

use std::rc::Rc;

use tidemark_protocol::MomentMark;
use tidemark_trace::Phase;
use yew::prelude::*;

use crate::app::use_dispatch;
use crate::state::look::rail::Line;
use crate::state::{Action, Dialog, travel};
use crate::widgets::Icon;

/// More moments than this get no small ticks: they would be one grey bar.
const TICKS_MAX: usize = 220;
const ROWS: [&str; 3] = ["rail-y0", "rail-y1", "rail-y2"];

#[derive(Clone, PartialEq, Properties)]
pub(super) struct LinesProps {
    /// The branches that are drawn.
    pub lines: Rc<Vec<Line>>,
    /// The branch on screen.
    pub here: usize,
    /// The playhead.
    pub now: usize,
}

/// Everything on the track but the playhead.
#[component]
pub(super) fn Lines(props: &LinesProps) -> Html {
    let lines = &props.lines;
    let here = lines.iter().find(|line| line.branch == props.here);
    let drawn = lines.iter().map(|line| {
        // The stretch that the branch on screen shares is ink too.
        let is_here = line.branch == props.here;
        html! { <Drawn key={line.branch} line={line.clone()} {is_here} shared={shared(lines, line, here)} now={props.now} /> }
    });
    html! { <>{ for here.map(runs) }{ for drawn }</> }
}

/// Up to which moment a line is a part of the branch on screen, through however many forks.
fn shared(lines: &[Line], line: &Line, here: Option<&Line>) -> usize {
    let mut at = here;
    let mut least = usize::MAX;
    while let Some(own) = at {
        if own.branch == line.branch {
            return if least == usize::MAX { line.moments } else { least.saturating_add(1) };
        }
        let Some((moment, row)) = own.fork else { return 0 };
        least = least.min(moment);
        at = lines.iter().find(|other| other.row == row);
    }
    0
}

/// The runs of the branch on screen, above its line.
pub(crate) fn runs(line: &Line) -> Html {
    let last = line.moments.saturating_sub(1);
    let runs = travel::runs(&line.marks).into_iter().map(|run| {
        let late = (run.at * 100 > last * 93).then_some("");
        html! { <span key={format!("run{}", run.at)} class="rail-run" data-end={late} data-geo={format!("at:{};len:{}", run.at, run.len)}>{format!("run {}", run.number)}</span> }
    });
    html! { <>{ for runs }</> }
}

#[derive(Clone, PartialEq, Properties)]
struct DrawnProps {
    line: Line,
    is_here: bool,
    shared: usize,
    now: usize,
}

/// One branch from its fork on.
#[component]
fn Drawn(props: &DrawnProps) -> Html {
    let line = &props.line;
    let y = ROWS[line.row.min(2)];
    let last = line.moments.saturating_sub(1);
    let from = line.from.min(last);
    let marks = &line.marks;
    let is_own = |at: usize| (at < props.shared && at >= from).then_some("");
    let batches = travel::batches(marks).into_iter().filter(|batch| batch.at >= from);
    // Where batches are many, not every one has room for its name.
    let mut free = 0;
    let tall = batches.map(|batch| {
        let at = format!("at:{}", batch.at);
        let has_room = batch.at >= free;
        if has_room {
            free = batch.at + line.moments / 36;
        }
        html! {
            <>
                <span class={classes!("rail-tick", y)} data-tall="" data-here={is_own(batch.at)} data-geo={at.clone()}></span>
                if has_room { <span class={classes!("rail-b", y)} data-geo={at}>{format!("b{}", batch.number)}</span> }
            </>
        }
    });
    let ticks = (from..line.moments).filter(|_| line.moments <= TICKS_MAX).map(|at| {
        html! { <span class={classes!("rail-tick", y)} data-here={is_own(at)} data-geo={format!("at:{at}")}></span> }
    });
    // A line that this branch leaves is ink up to there, whatever comes after.
    let ink = props.shared.min(line.moments).saturating_sub(1);
    let has_ink = props.shared > from;
    let signs = marks.iter().enumerate().skip(from).filter_map(|(at, mark)| sign(at, mark, line, y));
    html! {
        <>
            if let Some((moment, row)) = line.fork {
                <svg class={classes!("rail-fork", ROWS[row.min(2)])} data-here={(props.shared > from).then_some("")} viewBox="0 0 10 10" preserveAspectRatio="none"
                    aria-hidden="true" data-geo={format!("at:{moment};rows:{}", line.row.saturating_sub(row))}><path d="M0 0 C6 0 2 10 10 10" /></svg>
            }
            <span class={classes!("rail-line", y)} data-geo={format!("at:{from};len:{}", last.saturating_sub(from))}></span>
            if has_ink { <span class={classes!("rail-line", y)} data-here="" data-geo={format!("at:{from};len:{}", ink.saturating_sub(from).max(usize::from(ink == from)))}></span> }
            { for ticks }
            { for tall }
            { for signs }
        </>
    }
}

/// The sign of a moment: a bolt, a ring, a diamond, a dot.
fn sign(at: usize, mark: &MomentMark, line: &Line, y: &'static str) -> Option<Html> {
    let is_idle = || {
        mark.phase == Some(Phase::Done)
            && mark.batch.is_some_and(|batch| line.idle.contains(&(mark.run, batch)))
    };
    let (kind, icon) = if mark.crash {
        ("crash", "bolt")
    } else if mark.duplicate {
        ("dup", "ring")
    } else if mark.output {
        ("out", "diamond")
    } else if mark.dropped > 0 {
        ("drop", "cross")
    } else if is_idle() {
        ("idle", "hollow")
    } else if mark.act {
        ("act", "dot")
    } else {
        return None;
    };
    Some(
        html! { <span class={classes!("rail-mark", y)} data-k={kind} data-geo={format!("at:{at}")}><Icon name={icon} /></span> },
    )
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct NamesProps {
    /// The branches that are drawn.
    pub lines: Rc<Vec<Line>>,
    /// The branch on screen.
    pub here: usize,
    /// The last moment on the rail.
    pub of: usize,
    /// How many branches are not drawn.
    pub hidden: usize,
}

/// The names: a press goes there; on the branch on screen it opens the list.
#[component]
pub(super) fn Names(props: &NamesProps) -> Html {
    let dispatch = use_dispatch();
    if props.lines.len() < 2 && props.hidden == 0 {
        return Html::default();
    }
    let names = props.lines.iter().map(|line| {
        let is_here = line.branch == props.here;
        let branch = line.branch;
        let press = dispatch.reform(move |_: MouseEvent| if is_here { Action::Open(Dialog::Branches) } else { Action::Switch(branch) });
        let (at, side) = side(line, props.of);
        let title = if is_here { "Compare, rename, drop" } else { "Go to this branch" };
        html! {
            <button key={branch} class={classes!("rail-name", ROWS[line.row.min(2)])} type="button" data-here={is_here.then_some("")} data-side={side}
                data-geo={format!("at:{at}")} aria-current={is_here.then_some("true")} aria-label={format!("Branch {}", line.name)} {title} onclick={press}>{&line.name}</button>
        }
    });
    let more = dispatch.reform(|_: MouseEvent| Action::Open(Dialog::Branches));
    html! {
        <>
            { for names }
            if props.hidden > 0 { <button class="rail-name rail-more" type="button" onclick={more}>{format!("{} more", props.hidden)}</button> }
        </>
    }
}

/// Where a name stands: left of its fork; a branch from the start has its name at its end; near the edge it moves over.
fn side(line: &Line, of: usize) -> (usize, &'static str) {
    match line.fork {
        Some((moment, _)) if moment * 100 > of * 16 => (moment, "left"),
        Some((moment, _)) => (moment, "right"),
        None if (line.moments * 100) > of * 88 => (line.moments.saturating_sub(1), "up-left"),
        None => (line.moments.saturating_sub(1), "end"),
    }
}
