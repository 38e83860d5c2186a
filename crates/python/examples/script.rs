//! Runs a Python file without a host: `cargo run -p tidemark-python --example script FILE`.

use std::io::Write as _;

fn main() {
    let Some(path) = std::env::args().nth(1) else { return };
    let Ok(source) = std::fs::read_to_string(&path) else { return };
    let (out, result) = tidemark_python::run_program(&source, &path);
    let mut stdout = std::io::stdout();
    let _ = stdout.write_all(out.as_bytes());
    if let Err(failure) = result {
        let _ = std::io::stderr().write_all(failure.text().as_bytes());
        std::process::exit(1);
    }
}
