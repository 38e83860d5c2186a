//! Every public name of PySpark 4.2.0 and Delta 4.4.0 either is here or is refused by name.
#![allow(clippy::tests_outside_test_module, reason = "an integration test")]

use std::collections::BTreeMap;

use tidemark_pyspark::{Reply, Session};
use tidemark_python::{Machine, Program, Stop};

const NAMES: &str = include_str!("../names/names.txt");

/// Runs a script that only looks names up, and gives what it printed.
fn run(script: &str) -> String {
    let program = Program::compile(script, "names.py").expect("the script is Python");
    let mut session = Session::default();
    let mut machine = Machine::new(&program, session.host());
    let mut printed = String::new();
    loop {
        let stop = machine.run(1_000_000);
        printed.extend(machine.take_stdout().into_iter().map(|piece| piece.text));
        match stop {
            Stop::Finished => return printed,
            Stop::OutOfFuel => {}
            Stop::Ask(call) => match session.handle(&mut machine, call) {
                Reply::Answer(answer) => machine.answer(answer),
                other => panic!("looking a name up asks nothing: {other:?}"),
            },
            Stop::Raised(traceback) => panic!("{}", traceback.text),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn every_name_works_or_is_refused_by_name() {
    let mut modules: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in NAMES.lines() {
        let mut words = line.split(' ');
        let (Some(module), Some(name)) = (words.next(), words.next()) else { continue };
        if !name.contains('.') {
            modules.entry(module).or_default().push(name);
        }
    }
    let mut script = String::new();
    for (module, names) in &modules {
        script += &format!("import {module} as m\nfor name in {names:?}:\n");
        script += "    try:\n        getattr(m, name)\n";
        script += "    except NotImplementedError as e:\n        print(name, '|', e)\n";
    }
    let refused = run(&script);
    for line in refused.lines() {
        let (name, message) = line.split_once(" | ").expect("a name and a message");
        assert!(message.contains(name) && message.ends_with("exists in Spark but not here yet"), "{line}");
    }
    let all: usize = modules.values().map(Vec::len).sum();
    assert!(refused.lines().count() < all, "some names work");
}

#[test]
fn a_refused_member_says_its_class() {
    let printed = run("from pyspark.sql import DataFrame\n\
                       try:\n    DataFrame.freqItems\nexcept NotImplementedError as e:\n    print(e)\n");
    assert_eq!(printed, "DataFrame.freqItems exists in Spark but not here yet\n");
}
