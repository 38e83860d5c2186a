//! The last stage: things to do by hand, then the exercise with its check, hints and solution.

use tidemark_protocol::CheckReport;
use yew::prelude::*;

use super::prose;
use crate::app::{use_dispatch, use_ui, use_world};
use crate::state::lesson::diff::{self, Side};
use crate::state::{Action, LessonAction};
use crate::widgets::Icon;

/// What is to be done by hand, one thing after the other.
#[component]
pub(super) fn Tasks() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let tasks = &open.lesson.form.tasks;
    let next = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Next));
    let items = tasks.iter().enumerate().take(open.task + 1).map(|(at, task)| {
        let is_done = at < open.task;
        html! {
            <li key={at} data-done={is_done.then_some("")}>
                <span class="lesson-tick">if is_done { <Icon name="tick" /> } else { {at + 1} }</span>
                <div>{ prose::paragraph(&task.ask) }if is_done { <div class="lesson-answer" role="status">{ prose::paragraph(&task.says) }</div> }</div>
            </li>
        }
    });
    html! {
        <>
            <h2>{"By hand"}</h2>
            <ol class="lesson-tasks">{ for items }</ol>
            if open.task >= tasks.len() {
                <div class="lesson-ask"><button class="btn btn-strong lesson-go" type="button" onclick={next}>{"To the exercise"}<Icon name="fwd" /></button></div>
            } else {
                <p class="quiet">{format!("{} of {}", open.task + 1, tasks.len())}</p>
            }
        </>
    }
}

/// The exercise.
#[component]
pub(super) fn Exercise() -> Html {
    let ui = use_ui();
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let hidden = open.lesson.form.check.hidden.len();
    html! {
        <>
            <h2>{"Try it"}</h2>
            { prose::paragraph(&open.lesson.form.exercise.ask) }
            <p class="quiet">{format!("The check runs your script on this data and on {hidden} data sets that you do not see. Several answers are right.")}</p>
            <Check />
            <Hints />
            <Solution />
            <After />
        </>
    }
}

/// The check: its button, how it stands, what it found.
#[component]
fn Check() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let check = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Check));
    let stop = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Stop));
    let strong = (!open.report.as_ref().is_some_and(|report| report.passed())).then_some("btn-strong");
    html! {
        <div class="lesson-ask">
            if open.checking.is_some() {
                <button class="btn lesson-go" type="button" onclick={stop}><Icon name="stop" />{"Stop the check"}</button>
            } else {
                <button class={classes!("btn", strong, "lesson-go")} type="button" onclick={check}><Icon name="tick" />{"Check"}</button>
            }
            if let Some(report) = &open.report { <Report report={(**report).clone()} /> }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ReportProps {
    report: CheckReport,
}

#[component]
fn Report(props: &ReportProps) -> Html {
    let report = &props.report;
    let there = use_dispatch().reform(|_: MouseEvent| Action::Lesson(LessonAction::GoThere));
    html! {
        <div class="lesson-report" role="status" data-passed={report.passed().then_some("")}>
            <p>if report.passed() { <Icon name="tick" /> }{&report.sentence}
                if report.failure.is_some() { {" "}<button class="lesson-link" type="button" onclick={there}>{"Go there"}</button> }
            </p>
            if !report.over { <p class="quiet">{format!("{} of {} runs", report.tried, report.planned)}</p> }
        </div>
    }
}

/// Three hints, one after the other.
#[component]
fn Hints() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let hints = &open.lesson.form.hints;
    let more = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Hint));
    html! {
        <div class="lesson-hints">
            <ol>{ for hints.iter().take(open.hints).map(|hint| html! { <li>{ prose::inline(hint) }</li> }) }</ol>
            if open.hints < hints.len() {
                <button class="btn btn-quiet" type="button" onclick={more}><Icon name="help" />{format!("Hint {} of {}", open.hints + 1, hints.len())}</button>
            }
        </div>
    }
}

/// One right answer beside the learner's script. It is shown and not run, and the lesson remembers that it was seen.
#[component]
fn Solution() -> Html {
    let (ui, world, dispatch) = (use_ui(), use_world(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let on = !open.solution;
    let show = dispatch.reform(move |_: MouseEvent| Action::Lesson(LessonAction::Solution(on)));
    let lines = if open.solution { diff::lines(&world.draft, &open.lesson.solution) } else { Vec::new() };
    let seen = ui.lesson.mark(&open.lesson).seen;
    html! {
        <div class="lesson-solution">
            <button class="btn btn-quiet" type="button" aria-expanded={open.solution.to_string()} onclick={show}><Icon name="file" />{ if open.solution { "Hide the solution" } else { "Show a solution" } }</button>
            if open.solution {
                <p class="quiet">{"What to take away and what to add. It is not run: write it yourself."}if seen { {" This lesson now says: solution seen."} }</p>
                <ol class="lesson-diff" aria-label="Your script and the solution">{ for lines.into_iter().map(line) }</ol>
            }
        </div>
    }
}

fn line((side, text): (Side, &str)) -> Html {
    let (mark, sign, word) = match side {
        Side::Both => ("both", " ", ""),
        Side::Mine => ("mine", "-", "take away: "),
        Side::Solution => ("new", "+", "add: "),
    };
    html! { <li data-side={mark}><span aria-hidden="true">{sign}</span><code><span class="only-read">{word}</span>{text}</code></li> }
}

/// What comes after the exercise is solved.
#[component]
fn After() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    if !open.report.as_ref().is_some_and(|report| report.passed()) {
        return Html::default();
    }
    let stay = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Stay));
    html! {
        <div class="lesson-ask">
            if let Some(next) = ui.lesson.next() {
                <a class="btn btn-strong" href={format!("#lesson/{}", next.slug)}>{format!("Next: {}", next.form.title)}<Icon name="fwd" /></a>
            }
            <button class="btn" type="button" onclick={stay}>{"Continue in the sandbox"}</button>
        </div>
    }
}
