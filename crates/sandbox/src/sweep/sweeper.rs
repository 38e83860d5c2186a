//! The sweep: a run without a crash, then one replay after another, a slice at a time.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use tidemark_protocol::{Act, SweepCell, SweepTable, Verdict};
use tidemark_trace::{BatchFact, CrashPoint, Event, Fact, Phase, When};
use tidemark_world::World;

use super::replay::{Done, Down, Replay, failure};
use super::report::{Report, half_written_first_plan};
use super::script::{Part, parts, script_name};
use super::site::{self, Site};
use super::tables::{Tables, fingerprint};
use crate::sandbox::{Sandbox, Work};

/// Second crashes, within a recovery, that one sweep tries at most.
pub(super) const RECOVERIES_MAX: usize = 1_000;
/// Ticks after which a script counts as endless.
const CLEAN_TICKS_MAX: usize = 500_000;
/// Ticks of the sandbox between two looks at the facts.
const SLICE: usize = 50;

/// A crash sweep on its way.
#[derive(Debug)]
pub struct Sweep {
    recovery: bool,
    stage: Stage,
    clean: Vec<Done>,
    tables: Tables,
    ticks: usize,
    jobs: VecDeque<Job>,
    seconds: VecDeque<Job>,
    /// The stores whose recovery is planned: two crashes that leave the same store have the same recovery.
    recoveries: BTreeSet<(usize, u64)>,
    report: Report,
}

#[derive(Debug)]
enum Stage {
    Clean(Box<Clean>),
    Next,
    Try(Box<(Job, Replay)>),
    Over,
}

/// The run without a crash.
#[derive(Debug)]
struct Clean {
    sandbox: Sandbox,
    name: String,
    parts: VecDeque<Part>,
    now: Option<(Act, Sandbox)>,
    events: Vec<Event>,
    functions: bool,
}

/// A crash to try.
#[derive(Clone, Debug)]
struct Job {
    /// The act in which it falls.
    at: usize,
    site: Site,
    /// Within the recovery from it: which write, and the driver that is down.
    second: Option<(u64, When, Rc<Down>)>,
}

impl Sweep {
    /// A sweep over a branch: its acts from the beginning. With `recovery` each crash is followed by others within
    /// its recovery.
    pub fn new(acts: &[Act], recovery: bool) -> Sweep {
        Sweep::in_sandbox(Sandbox::default(), acts, recovery)
    }

    /// A sweep over acts in a World that is there already; the World itself is not touched.
    pub fn in_world(world: World, acts: &[Act], recovery: bool) -> Sweep {
        Sweep::in_sandbox(Sandbox::new(world), acts, recovery)
    }

    fn in_sandbox(sandbox: Sandbox, acts: &[Act], recovery: bool) -> Sweep {
        let clean = Clean {
            sandbox,
            name: script_name(acts),
            parts: parts(acts).into(),
            now: None,
            events: Vec::new(),
            functions: false,
        };
        Sweep {
            recovery,
            stage: Stage::Clean(Box::new(clean)),
            clean: Vec::new(),
            tables: Tables::default(),
            ticks: 0,
            jobs: VecDeque::new(),
            seconds: VecDeque::new(),
            recoveries: BTreeSet::new(),
            report: Report::new(recovery),
        }
    }

    /// Works for about so many ticks; says whether there is more to do.
    pub fn work(&mut self, mut ticks: usize) -> bool {
        while ticks > 0 {
            match std::mem::replace(&mut self.stage, Stage::Over) {
                Stage::Over => return false,
                Stage::Clean(clean) => self.stage = self.clean(clean, &mut ticks),
                Stage::Next => self.stage = self.next(),
                Stage::Try(mut trial) => {
                    if trial.1.work(&mut ticks) {
                        self.tried(trial.0, trial.1);
                        self.stage = self.following();
                    } else {
                        self.stage = Stage::Try(trial);
                    }
                }
            }
        }
        !matches!(self.stage, Stage::Over)
    }

    /// Works to the end; gives the whole table.
    pub fn finish(mut self) -> SweepTable {
        while self.work(10_000) {}
        self.table()
    }

    /// Gives up: the table of what has been tried, with nothing more planned. One that is over stays as it is.
    pub fn stop(mut self) -> SweepTable {
        if !matches!(self.stage, Stage::Over) {
            self.report.stop();
            self.stage = Stage::Over;
        }
        self.table()
    }

    /// The table so far; the acts that lead to its cells are there when it is whole.
    pub fn table(&self) -> SweepTable {
        self.report.table(matches!(self.stage, Stage::Over))
    }

    // ---- the run without a crash

    fn clean(&mut self, mut clean: Box<Clean>, ticks: &mut usize) -> Stage {
        if clean.now.is_none() {
            let Some(part) = clean.parts.pop_front() else { return self.cleaned(*clean) };
            let before = clean.sandbox.clone();
            let act = clean.act(part);
            // An act that makes no sense without the crashes is left out.
            if clean.sandbox.apply(&act).is_ok() {
                clean.now = Some((act, before));
            }
            return Stage::Clean(clean);
        }
        let slice = SLICE.min(*ticks);
        *ticks -= slice;
        self.ticks += slice;
        let work = clean.sandbox.work(slice);
        let events = clean.sandbox.take_events();
        clean.events.extend(events);
        clean.sandbox.take_changes();
        if work == Work::Rest {
            self.act_is_done(&mut clean);
        } else if self.ticks > CLEAN_TICKS_MAX {
            self.report.refuse("The script does not come to an end without a crash. Give its query a trigger that ends, then sweep.");
            return Stage::Over;
        }
        Stage::Clean(clean)
    }

    fn act_is_done(&mut self, clean: &mut Clean) {
        let Some((act, before)) = clean.now.take() else { return };
        let events = std::mem::take(&mut clean.events);
        let failed = failure(&clean.sandbox);
        if let Some(message) = &failed {
            self.report.failed(message);
        }
        let is_run = matches!(act, Act::Run { .. } | Act::Trigger { .. });
        let function = clean.sandbox.driver().is_some_and(|driver| {
            driver.queries.all().any(|(_, query)| query.execution.spec().format == "foreachbatch")
        });
        clean.functions |= function;
        let root = clean.sandbox.world().root().to_owned();
        let sites = if is_run { site::sites(&events, &root, function) } else { Vec::new() };
        let is_batch =
            |event: &Event| matches!(event.fact, Fact::Batch(BatchFact { phase: Phase::Plan, .. }));
        self.report.batches += events.iter().filter(|event| is_batch(event)).count() as u64;
        let at = self.clean.len();
        let has_sites = !sites.is_empty();
        self.jobs.extend(sites.into_iter().map(|site| Job { at, site, second: None }));
        self.clean.push(Done { act, failed: failed.is_some(), before: has_sites.then(|| Rc::new(before)) });
    }

    fn cleaned(&mut self, clean: Clean) -> Stage {
        if self.clean.last().is_some_and(|last| last.failed) {
            self.report.refuse_failed();
            return Stage::Over;
        }
        self.tables = Tables::of(&clean.sandbox);
        let mut jobs: Vec<Job> = self.jobs.drain(..).collect();
        jobs.sort_by_key(|job| job.site.point);
        for job in &jobs {
            self.report.plan(job.site.point);
            if !self.recovery && is_for_recovery(job) {
                self.report.plan(CrashPoint::C14);
            }
        }
        self.report.name_absent(clean.functions);
        self.jobs = jobs.into();
        self.following()
    }

    /// The next crash, or the end: a table with as many tried as planned is the last one.
    fn following(&self) -> Stage {
        if self.jobs.is_empty() && self.seconds.is_empty() { Stage::Over } else { Stage::Next }
    }

    // ---- the crashes

    fn next(&mut self) -> Stage {
        let Some(job) = self.jobs.pop_front().or_else(|| self.seconds.pop_front()) else {
            return Stage::Over;
        };
        let rest = &self.clean[job.at..];
        let ticks_max = self.ticks * 3 + 5_000;
        let replay = match &job.second {
            Some((k, when, down)) => Replay::second(down, *k, *when, rest, ticks_max),
            None => {
                let Some(before) = &self.clean[job.at].before else { return Stage::Next };
                let shared = self.clean[..job.at].iter().map(|done| done.act.clone()).collect();
                let keeps_down = self.recovery || is_for_recovery(&job);
                Replay::first(before, shared, job.site.arm.clone(), rest, ticks_max, keeps_down)
            }
        };
        Stage::Try(Box::new((job, replay)))
    }

    fn tried(&mut self, job: Job, mut replay: Replay) {
        let point = if job.second.is_some() { CrashPoint::C14 } else { job.site.point };
        let wanted = 1 + usize::from(job.second.is_some());
        if replay.crashes < wanted {
            // What the run without a crash wrote was not written here: there is no such crash.
            self.report.unplan(point);
        } else {
            self.report.add(point, self.cell(&job, &replay));
        }
        if job.second.is_none() && (self.recovery || is_for_recovery(&job)) {
            let down = replay.down.take();
            self.plan_seconds(&job, down, &replay.recovery);
        }
    }

    fn cell(&self, job: &Job, replay: &Replay) -> SweepCell {
        let Site { place, when, batch, .. } = job.site.clone();
        let difference = self.tables.difference(&Tables::of(replay.sandbox()));
        let (doubled, lost) =
            if replay.stuck.is_some() { (0, 0) } else { (difference.doubled, difference.lost) };
        let verdict = match (&replay.stuck, lost, doubled) {
            (Some(_), ..) => Verdict::Stuck,
            (None, 0, 0) => Verdict::Right,
            (None, 0, _) => Verdict::Doubled,
            _ => Verdict::Lost,
        };
        let message = match &replay.stuck {
            Some(message) => half_written_first_plan(&job.site, message).unwrap_or_else(|| message.clone()),
            None if difference.waits => {
                "They still wait in the state: no batch after this restart lets them out. They come with the next data, \
                 as on Spark."
                    .to_owned()
            }
            None => String::new(),
        };
        SweepCell {
            place,
            when,
            batch,
            verdict,
            doubled,
            lost,
            again: replay.again,
            message,
            acts: replay.acts().to_vec(),
        }
    }

    /// Plans crashes within a recovery: at each of its writes, or at the first one if recovery is not swept.
    fn plan_seconds(&mut self, job: &Job, down: Option<Rc<Down>>, writes: &[String]) {
        let mut planned = 0;
        if let Some(down) = down
            && self.recoveries.insert((job.at, fingerprint(down.sandbox.world())))
        {
            let root = down.sandbox.world().root().to_owned();
            for (at, path) in writes.iter().enumerate() {
                for when in [When::Before, When::After] {
                    let is_last = !self.recovery && planned == 1;
                    if is_last {
                        continue;
                    }
                    if self.seconds.len() >= RECOVERIES_MAX {
                        self.report.cut = true;
                        return;
                    }
                    let place = format!("{}, then {}", job.site.place, site::place(when, path, &root));
                    let site = Site { place, when, ..job.site.clone() };
                    let second = Some((at as u64 + 1, when, Rc::clone(&down)));
                    self.seconds.push_back(Job { at: job.at, site, second });
                    planned += 1;
                    if self.recovery {
                        self.report.plan(CrashPoint::C14);
                    }
                }
            }
        }
        if !self.recovery && planned == 0 {
            self.report.unplan(CrashPoint::C14);
        }
    }
}

/// Without a sweep of the recovery, one crash of a batch stands for it: after the commit of the sink, and again.
fn is_for_recovery(job: &Job) -> bool {
    job.site.point == CrashPoint::C10 && job.site.place.starts_with("before commits/")
}

impl Clean {
    fn act(&self, part: Part) -> Act {
        match part {
            Part::Act(act) => act,
            Part::Steps => {
                let waits = self.sandbox.driver().is_some_and(|driver| !driver.active_queries().is_empty());
                if waits { Act::Trigger { query: None } } else { Act::Run { script: self.name.clone() } }
            }
        }
    }
}
