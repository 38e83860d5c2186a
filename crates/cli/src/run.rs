//! `tidemark run`: a script on a folder, to its end.

use std::collections::VecDeque;
use std::io::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use tidemark_protocol::{Act, ArmPlace};
use tidemark_sandbox::world::World;
use tidemark_sandbox::{Driver, DriverError, Rest, SimTime, Tick, fault_of_place, parse_time};

use crate::{Usage, mirror};

/// Exit status: the script ended well.
const WELL: u8 = 0;
/// Exit status: the script ended with an error.
const SCRIPT_ERROR: u8 = 1;
/// Exit status: the driver stopped as asked.
const CRASHED: u8 = 3;

struct Options {
    script: String,
    dir: String,
    seed: u64,
    clock: Option<SimTime>,
    crash: Option<ArmPlace>,
}

/// Runs the command.
pub(crate) fn run(args: &[String]) -> Result<u8, Usage> {
    let options = options(args)?;
    let text = std::fs::read_to_string(&options.script)
        .map_err(|error| Usage(format!("{}: {error}", options.script)))?;
    let root = std::fs::create_dir_all(&options.dir)
        .and_then(|()| std::fs::canonicalize(&options.dir))
        .map_err(|error| Usage(format!("{}: {error}", options.dir)))?;
    let root = root.to_str().ok_or_else(|| Usage("the folder's path is not UTF-8".to_owned()))?;
    let mut world =
        mirror::read(root, options.seed, options.clock).map_err(|error| Usage(format!("{root}: {error}")))?;
    if let Some(place) = &options.crash {
        world.arm(fault_of_place(place));
    }
    let name = options.script.rsplit('/').next().unwrap_or("script.py");
    match Driver::new(&mut world, name, &text, tidemark_sandbox::Conf::default()) {
        Ok(driver) => Ok(drive(driver, world)),
        Err(errors) => {
            for error in errors {
                eprint!("{}", error.render());
            }
            Ok(SCRIPT_ERROR)
        }
    }
}

fn drive(mut driver: Driver, mut world: World) -> u8 {
    let mut printed = 0;
    loop {
        let tick = driver.tick(&mut world);
        for change in world.take_changes() {
            if let Err(error) = mirror::repeat(&change) {
                eprintln!("tidemark: {change:?}: {error}");
                return SCRIPT_ERROR;
            }
        }
        world.take_facts();
        print_new(&driver, &mut printed);
        match tick {
            Ok(Tick::Did { sentence, .. } | Tick::QueryEnded { sentence, .. }) => eprintln!("{sentence}"),
            Ok(Tick::Quiet | Tick::Idle { .. }) => {}
            Ok(Tick::Rest(Rest::Ended)) => {
                if !world.armed().is_empty() {
                    eprintln!("The run did not come to the crash that was asked for.");
                }
                return WELL;
            }
            Ok(Tick::Rest(Rest::Failed)) => {
                if let Some(error) = driver.error() {
                    eprint!("{}", error.text);
                    if let Some(status) = error.exit_status {
                        return u8::try_from(status).unwrap_or(SCRIPT_ERROR);
                    }
                }
                return SCRIPT_ERROR;
            }
            Ok(Tick::Rest(Rest::Parked)) => {
                for query in driver.active_queries() {
                    eprintln!("A query has nothing left to do and does not end by itself: it is stopped.");
                    if let Err(error) = driver.stop_query(&mut world, query) {
                        eprintln!("{error}");
                    }
                }
            }
            Err(DriverError::Crashed(place)) => {
                eprintln!("The driver stopped {place}.");
                return CRASHED;
            }
            Err(error) => {
                eprintln!("{error}");
                return SCRIPT_ERROR;
            }
        }
    }
}

/// Prints what the script printed since the last time.
fn print_new(driver: &Driver, printed: &mut usize) {
    let all = driver.printed();
    let (mut out, mut err) = (std::io::stdout().lock(), std::io::stderr().lock());
    for piece in &all[(*printed).min(all.len())..] {
        // A closed pipe ends the printing, not the run.
        let _ = if piece.error {
            err.write_all(piece.text.as_bytes())
        } else {
            out.write_all(piece.text.as_bytes())
        };
    }
    *printed = all.len();
    let _ = out.flush();
}

fn options(args: &[String]) -> Result<Options, Usage> {
    let mut rest: VecDeque<&str> = args.iter().map(String::as_str).collect();
    let (mut script, mut dir, mut seed, mut clock, mut crash) = (None, None, None, None, None);
    while let Some(word) = rest.pop_front() {
        let mut value = |what: &str| {
            rest.pop_front().map(str::to_owned).ok_or_else(|| Usage(format!("{word} wants {what}")))
        };
        match word {
            "--dir" => dir = Some(value("a folder")?),
            "--seed" => {
                let text = value("a number")?;
                seed = Some(text.parse().map_err(|_| Usage(format!("--seed wants a number, not {text}")))?);
            }
            "--clock" => {
                let text = value("a time")?;
                clock = Some(
                    parse_time(&text).ok_or_else(|| Usage(format!("--clock wants a time, not {text}")))?,
                );
            }
            "--crash" => {
                let text = value("a place")?;
                let line = format!("arm {}", text.replace(':', " "));
                match Act::parse(&line) {
                    Ok(Act::Arm { place }) => crash = Some(place),
                    _ => return Err(Usage(format!("--crash wants a place, not {text}"))),
                }
            }
            other if other.starts_with("--") => return Err(Usage(format!("there is no option {other}"))),
            other if script.is_none() => script = Some(other.to_owned()),
            other => return Err(Usage(format!("one script at a time, not also {other}"))),
        }
    }
    Ok(Options {
        script: script.ok_or_else(|| Usage("run wants a script".to_owned()))?,
        dir: dir.ok_or_else(|| Usage("run wants --dir".to_owned()))?,
        seed: seed.unwrap_or_else(drawn_seed),
        clock,
        crash,
    })
}

/// A seed from outside, drawn once.
fn drawn_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as u64 ^ (u64::from(std::process::id()) << 32)
}
