//! Running other programs: each is printed before it starts, and its failure is an error that names it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).expect("xtask lies two folders below the root").to_owned()
}

/// A program to run in the root of the project, without input.
pub(crate) struct Program {
    command: Command,
    text: String,
}

impl Program {
    /// The program `name`, found on the path or among Cargo's own.
    pub(crate) fn new(name: &str) -> Self {
        let mut command = Command::new(name);
        command.current_dir(root()).stdin(Stdio::null());
        if let Some(path) = path_with_cargo() {
            command.env("PATH", path);
        }
        if std::env::var_os("CI").is_some() {
            // From clean, keeping what a second build could reuse only costs time and disk.
            command.env("CARGO_INCREMENTAL", "0");
        }
        // What this process got from `cargo run` describes xtask, not the program.
        for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
            command.env_remove(name);
        }
        Self { command, text: name.to_owned() }
    }

    /// With one more argument.
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.text = format!("{} {}", self.text, argument.as_ref().to_string_lossy());
        self.command.arg(argument);
        self
    }

    /// With the words of `text` as further arguments.
    pub(crate) fn args(self, text: &str) -> Self {
        text.split_whitespace().fold(self, Self::arg)
    }

    /// With a variable of the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.text = format!("{name}={value} {}", self.text);
        self.command.env(name, value);
        self
    }

    /// Without a variable of the environment.
    pub(crate) fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// In another folder.
    pub(crate) fn current_dir(mut self, dir: &Path) -> Self {
        self.text = format!("(cd {} && {})", dir.display(), self.text);
        self.command.current_dir(dir);
        self
    }

    /// Runs with its output shown.
    ///
    /// Errors: it cannot start, or does not end with 0.
    pub(crate) fn run(mut self) -> Result<()> {
        println!("$ {}", self.text);
        let status = self.command.status().with_context(|| format!("cannot start `{}`", self.text))?;
        if !status.success() {
            bail!("`{}` failed: {status}", self.text);
        }
        Ok(())
    }

    /// Runs and returns what it wrote to stdout, whether it ended with 0 or not; stderr is shown.
    pub(crate) fn capture(mut self) -> Result<(bool, String)> {
        println!("$ {}", self.text);
        let output = self
            .command
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("cannot start `{}`", self.text))?;
        Ok((output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// How many bytes it writes to stdout.
    pub(crate) fn capture_len(mut self) -> Result<usize> {
        let output = self.command.output().with_context(|| format!("cannot start `{}`", self.text))?;
        if !output.status.success() {
            bail!("`{}` failed: {}", self.text, output.status);
        }
        Ok(output.stdout.len())
    }

    /// What it writes to stdout, or nothing if it is not there or fails; prints nothing itself.
    pub(crate) fn probe(mut self) -> Option<String> {
        let output = self.command.stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The path with the folder of tools that `cargo install` fills in front.
fn path_with_cargo() -> Option<std::ffi::OsString> {
    let path = std::env::var_os("PATH")?;
    let cargo = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")))?;
    std::env::join_paths(std::iter::once(cargo.join("bin")).chain(std::env::split_paths(&path))).ok()
}
