//! Running one script that needs no host.

use crate::diagnostic::SyntaxError;
use crate::host::{Host, Traceback};
use crate::machine::{Machine, Program};

/// Why a script did not come to its end.
#[derive(Clone, Debug)]
pub enum Failure {
    /// It is no Python that the machine has.
    Syntax(Vec<SyntaxError>),
    /// An exception left it.
    Raised(Traceback),
}

impl Failure {
    /// The text that CPython writes to standard error.
    pub fn text(&self) -> String {
        match self {
            Self::Syntax(errors) => errors.first().map(SyntaxError::render).unwrap_or_default(),
            Self::Raised(traceback) => traceback.text.clone(),
        }
    }
}

/// Runs a script without a host to its end and returns what it printed. There are no files, and the clock stands still.
pub fn run_program(source: &str, file: &str) -> (String, Result<(), Failure>) {
    let program = match Program::compile(source, file) {
        Ok(program) => program,
        Err(errors) => return (String::new(), Err(Failure::Syntax(errors))),
    };
    let mut machine = Machine::new(&program, Host::new().finish());
    let (out, result) = machine.drive();
    (out, result.map_err(Failure::Raised))
}
