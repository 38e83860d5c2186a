//! Does acts and takes the folder away: `cargo run -p tidemark-sandbox --example carry ACTS OUT.zip`.
//!
//! ACTS is a file with one act a line; what the script printed in its last run goes to stdout. `tests/resume/folder.py` drives it.

use std::io::Write as _;

use tidemark_protocol::{Act, ExportForm};
use tidemark_sandbox::Sandbox;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [acts, out] = arguments.as_slice() else { return fail("usage: carry ACTS OUT.zip") };
    let Ok(text) = std::fs::read_to_string(acts) else { return fail("the acts cannot be read") };
    let mut sandbox = Sandbox::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let done = Act::parse(line).map_err(|error| error.to_string());
        if let Err(error) = done.and_then(|act| sandbox.replay(&[act]).map_err(|error| error.to_string())) {
            return fail(&error);
        }
    }
    let last = sandbox.moments();
    for line in sandbox.view_at(last).script.printed {
        let _ = writeln!(std::io::stdout(), "{}", line.text);
    }
    match sandbox.export(last, ExportForm::Folder) {
        Ok(file) => {
            if std::fs::write(out, file.bytes).is_err() {
                fail("the folder cannot be written");
            }
        }
        Err(error) => fail(&error.to_string()),
    }
}

fn fail(why: &str) {
    let _ = writeln!(std::io::stderr(), "{why}");
    std::process::exit(1);
}
