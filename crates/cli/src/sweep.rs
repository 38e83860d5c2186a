//! `tidemark sweep`: a script on a copy of a folder, with a crash at each of its writes.

use tidemark_protocol::{Act, SweepTable, Verdict};
use tidemark_sandbox::Sweep;

use crate::{Usage, mirror};

/// Exit status: every crash came out right.
const WELL: u8 = 0;
/// Exit status: one did not, or the script fails without a crash.
const WRONG: u8 = 1;
/// Ticks between two lines of progress.
const SLICE: usize = 20_000;

/// Runs the command. The folder is read and never written.
pub(crate) fn sweep(args: &[String]) -> Result<u8, Usage> {
    let options = options(args)?;
    let text = std::fs::read_to_string(&options.script)
        .map_err(|error| Usage(format!("{}: {error}", options.script)))?;
    let root =
        std::fs::canonicalize(&options.dir).map_err(|error| Usage(format!("{}: {error}", options.dir)))?;
    let root = root.to_str().ok_or_else(|| Usage("the folder's path is not UTF-8".to_owned()))?;
    let world = mirror::read(root, options.seed, None).map_err(|error| Usage(format!("{root}: {error}")))?;
    let name = options.script.rsplit('/').next().unwrap_or("script.py").to_owned();
    // A query that does not end by itself is stopped when it has nothing left to do.
    let acts =
        [Act::Edit { script: name.clone(), text }, Act::Run { script: name }, Act::Stop { query: None }];
    let mut sweep = Sweep::in_world(world, &acts, options.recovery);
    let mut said = String::new();
    while sweep.work(SLICE) {
        let sentence = sweep.table().sentence;
        if sentence != said {
            eprintln!("{sentence}");
            said = sentence;
        }
    }
    let table = sweep.table();
    print(&table);
    Ok(if table.is_green() { WELL } else { WRONG })
}

/// The table, below it the first message of each point at which the script is stuck or rows wait.
fn print(table: &SweepTable) {
    println!("{table}");
    let wrong = table.rows.iter().filter(|row| row.verdict.is_some_and(|v| v != Verdict::Right));
    for cell in wrong.flat_map(|row| &row.cells).filter(|cell| !cell.message.is_empty()) {
        println!("  {}: {}", cell.place, cell.message);
    }
}

struct Options {
    script: String,
    dir: String,
    seed: u64,
    recovery: bool,
}

fn options(args: &[String]) -> Result<Options, Usage> {
    let (mut script, mut dir, mut seed, mut recovery) = (None, None, 0, false);
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        let mut value =
            |what: &str| rest.next().cloned().ok_or_else(|| Usage(format!("{word} wants {what}")));
        match word.as_str() {
            "--dir" => dir = Some(value("a folder")?),
            "--seed" => {
                let text = value("a number")?;
                seed = text.parse().map_err(|_| Usage(format!("--seed wants a number, not {text}")))?;
            }
            "--recovery" => recovery = true,
            other if other.starts_with("--") => return Err(Usage(format!("there is no option {other}"))),
            other if script.is_none() => script = Some(other.to_owned()),
            other => return Err(Usage(format!("one script at a time, not also {other}"))),
        }
    }
    Ok(Options {
        script: script.ok_or_else(|| Usage("sweep wants a script".to_owned()))?,
        dir: dir.ok_or_else(|| Usage("sweep wants --dir".to_owned()))?,
        seed,
        recovery,
    })
}
