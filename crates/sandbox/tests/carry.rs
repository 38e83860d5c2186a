//! A folder that is exported comes back as an act: the store with its times, the script, and a run that reads nothing twice.
#![allow(clippy::tests_outside_test_module, missing_docs, unreachable_pub, reason = "an integration test")]

use tidemark_protocol::{Act, Change, ExportForm};
use tidemark_sandbox::Sandbox;

const SCRIPT: &str = r#"q = (spark.readStream.schema("id INT").json("in/").writeStream.format("delta")
    .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start("out/"))
q.awaitTermination()
print([(p["batchId"], p["numInputRows"]) for p in q.recentProgress])
"#;

fn put(name: &str, id: u32) -> Act {
    Act::Put { path: format!("in/{name}"), text: format!("{{\"id\":{id}}}\n").into() }
}

fn run() -> Act {
    Act::Run { script: "main.py".to_owned() }
}

fn done(acts: &[Act]) -> Sandbox {
    let mut sandbox = Sandbox::default();
    sandbox.replay(acts).expect("the acts make sense");
    sandbox
}

/// Two batches, and the folder that they leave.
fn exported() -> (Sandbox, Act) {
    let edit = Act::Edit { script: "main.py".to_owned(), text: SCRIPT.to_owned() };
    let sandbox = done(&[Act::Seed { seed: 1 }, put("a.json", 1), edit, run(), put("b c.json", 2), run()]);
    let file = sandbox.export(sandbox.moments(), ExportForm::Folder).expect("it is small");
    let import = Act::Import { name: "work.zip".to_owned(), archive: file.base64() };
    (sandbox, import)
}

fn printed(sandbox: &Sandbox) -> Vec<String> {
    sandbox.view_at(sandbox.moments()).script.printed.into_iter().map(|line| line.text).collect()
}

fn store(sandbox: &Sandbox) -> Vec<(String, u64, i64)> {
    let view = sandbox.view_at(sandbox.moments());
    let files = view.store.into_iter().filter(|entry| !entry.folder && entry.change != Change::Deleted);
    files.map(|entry| (entry.path, entry.bytes, entry.modified.0)).collect()
}

#[test]
fn an_imported_folder_goes_on_where_it_stood() {
    let (before, import) = exported();
    let acts = [Act::Seed { seed: 2 }, put("left.json", 9), import];
    let mut after = done(&acts);
    let view = after.view_at(after.moments());
    let files = store(&before);
    assert_eq!(view.sentence, format!("work.zip was imported: {} files.", files.len()));
    assert_eq!(view.script.text, SCRIPT);
    assert_eq!(store(&after), files, "what lay there under the same names is gone");
    after.replay(&[run()]).expect("a run makes sense");
    assert_eq!(printed(&after), ["[(2, 0)]"]);
    after.replay(&[put("d.json", 3), run()]).expect("a run makes sense");
    assert_eq!(printed(&after), ["[(2, 1)]"]);
    let again = done(after.acts());
    assert_eq!(store(&again), store(&after), "the same acts give the same store");
}

#[test]
fn an_import_is_refused_while_a_script_runs_and_when_it_is_no_folder_of_ours() {
    let (_, import) = exported();
    let mut sandbox = done(&[Act::Seed { seed: 2 }]);
    let broken = Act::Import { name: "x.zip".to_owned(), archive: "UEsFBg==".to_owned() };
    let error = sandbox.apply(&broken).expect_err("it is cut off").to_string();
    assert!(error.starts_with("x.zip was not imported: it is no zip archive"), "{error}");
    assert_eq!(sandbox.acts().len(), 1, "nothing changed");
    let text = SCRIPT.replace("availableNow=True", "processingTime=\"5 seconds\"");
    let edit = Act::Edit { script: "main.py".to_owned(), text };
    sandbox.replay(&[put("a.json", 1), edit, run()]).expect("it parks");
    let error = sandbox.apply(&import).expect_err("a query waits").to_string();
    assert_eq!(error, "A script runs on this store. Stop it first, then import work.zip.");
}
