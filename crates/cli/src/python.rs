//! `tidemark python`: one program on the Python machine.

use std::io::Write as _;

use crate::Usage;

/// Runs the command.
pub(crate) fn python(args: &[String]) -> Result<u8, Usage> {
    let [file] = args else { return Err(Usage("python wants one file".to_owned())) };
    let text = std::fs::read_to_string(file).map_err(|error| Usage(format!("{file}: {error}")))?;
    let (printed, outcome) = tidemark_python::run_program(&text, file);
    // A closed pipe ends the printing.
    let _ = std::io::stdout().write_all(printed.as_bytes());
    match outcome {
        Ok(()) => Ok(0),
        Err(failure) => {
            eprint!("{}", failure.text());
            Ok(1)
        }
    }
}
