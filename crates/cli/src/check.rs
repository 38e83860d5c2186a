//! `tidemark check`: lessons proved, each from its folder.
//!
//! The lesson itself goes through its acts: the deciding step is there, the right guess is what happens, what is to be
//! pointed at is there, what is to be done by hand can be done. Then its exercise: the start fails, the solution passes,
//! and each wrong answer gets its message.

use std::path::Path;

use tidemark_lessons::folder::Folder;
use tidemark_lessons::form::{Written, read};
use tidemark_protocol::lesson::{Lesson, matches};
use tidemark_protocol::{Act, CheckAsk, CheckReport, View, Watch};
use tidemark_sandbox::{LessonCheck, Sandbox};

use crate::Usage;

/// Runs the command: a line for each lesson, what is wrong below it, and the count at the end.
pub(crate) fn check(args: &[String]) -> Result<u8, Usage> {
    if args.is_empty() {
        return Err(Usage("check wants a folder of lessons, or lessons".to_owned()));
    }
    let mut folders = Vec::new();
    for arg in args {
        folders.extend(Folder::all(Path::new(arg)).map_err(Usage)?);
    }
    let (mut passed, mut failed) = (0, 0);
    for folder in folders {
        let (line, faults) = match read(&folder) {
            Ok(written) => prove(&written),
            Err(faults) => (String::new(), faults),
        };
        if faults.is_empty() {
            println!("pass {} {line}", folder.slug);
            passed += 1;
        } else {
            println!("fail {}", folder.slug);
            for fault in faults {
                println!("    {fault}");
            }
            failed += 1;
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(u8::from(failed > 0))
}

/// What was proved in a few words, and what is wrong.
fn prove(written: &Written) -> (String, Vec<String>) {
    let lesson = &written.lesson;
    let mut faults = story(lesson);
    let ask = |script: &str| CheckAsk {
        script: script.to_owned(),
        solution: lesson.solution.clone(),
        begin: lesson.begin(script),
        files: lesson.files.clone(),
        check: lesson.form.check.clone(),
    };
    let run = |script: &str| LessonCheck::new(ask(script)).finish();
    let start = run(&lesson.start);
    if start.failure.is_none() {
        faults.push(
            "start.py: the check passes already. Take something away that the check asks for.".to_owned(),
        );
    }
    let solution = run(&lesson.solution);
    if let Some(failure) = &solution.failure {
        faults.push(format!("solution.py: {}", failure.message));
    }
    for answer in &written.wrong {
        faults.extend(wrong(&answer.name, &answer.message, &run(&answer.script)));
    }
    let line = format!(
        "the solution on {} data sets, {} wrong answers, the start: {}",
        lesson.form.check.hidden.len() + 1,
        written.wrong.len(),
        start.sentence
    );
    (line, faults)
}

fn wrong(name: &str, wanted: &str, report: &CheckReport) -> Option<String> {
    match &report.failure {
        None => Some(format!(
            "wrong/{name}.py: the check passes. Either it is right, or the check asks too little."
        )),
        Some(failure) if failure.message != wanted => Some(format!(
            "wrong/{name}.py: its first comment should be the message it gets: {}",
            failure.message
        )),
        Some(_) => None,
    }
}

/// The stages before the exercise, act by act.
fn story(lesson: &Lesson) -> Vec<String> {
    let mut faults = Vec::new();
    let mut sandbox = Sandbox::default();
    let form = &lesson.form;
    if let Err(error) = sandbox.replay(&lesson.opening()) {
        return vec![format!("lesson.toml: `acts` of [world]: {error}")];
    }
    let before = sandbox.moments();
    if let Err(error) = sandbox.replay(&lesson.filled(&form.run.acts)) {
        return vec![format!("lesson.toml: `acts` of [run]: {error}")];
    }
    let decides = &form.run.decides;
    let views: Vec<View> = (before..sandbox.moments()).map(|at| sandbox.view_at(at)).collect();
    let is_there = views.iter().any(|view| {
        let tries =
            view.queries.iter().filter(|query| query.run == decides.run).flat_map(|query| &query.batches);
        tries.flat_map(|batch| &batch.steps).any(|step| step.phase == decides.step && !step.note.is_empty())
    });
    if !is_there {
        faults.push(format!("lesson.toml: `decides`: run {} has no step {}.", decides.run, decides.step));
    }
    let Some(end) = views.last() else {
        return vec!["lesson.toml: `acts` of [run]: nothing happens.".to_owned()];
    };
    let boxes = form.guess.shows.boxes(end);
    let right = &form.guess.options[lesson.right_guess()];
    if right.boxes != boxes {
        faults.push(format!("lesson.toml: `boxes` of the right guess: it should be {boxes:?}."));
    }
    for point in form.explain.points.iter().filter(|point| point.right) {
        if !end.store.iter().any(|entry| matches(&point.path, &entry.path)) {
            faults.push(format!("lesson.toml: `path`: there is no {} after the run.", point.path));
        }
    }
    faults.extend(tasks(lesson, &mut sandbox));
    faults
}

/// What is to be done by hand: not done before, done by its acts.
fn tasks(lesson: &Lesson, sandbox: &mut Sandbox) -> Vec<String> {
    let mut faults = Vec::new();
    for task in &lesson.form.tasks {
        let view = sandbox.view_at(sandbox.moments());
        let opened = match &task.until {
            Watch::Open(path) => {
                view.store.iter().find(|entry| matches(path, &entry.path)).map(|entry| entry.path.clone())
            }
            _ => None,
        };
        if task.until.holds(&view, None) {
            faults.push(format!(
                "lesson.toml: `until = \"{}\"`: it is so before anything is done.",
                task.until
            ));
        }
        let acts: Vec<Act> = lesson.filled(&task.acts);
        if let Err(error) = sandbox.replay(&acts) {
            faults.push(format!("lesson.toml: `acts` of [[do]]: {error}"));
        }
        let view = sandbox.view_at(sandbox.moments());
        if !task.until.holds(&view, opened.as_deref()) {
            faults.push(format!("lesson.toml: `until = \"{}\"`: it is not so after the acts.", task.until));
        }
    }
    faults
}
