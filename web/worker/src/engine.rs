//! Commands as calls of the sandbox, and long work in slices.

use tidemark_protocol::{Command, FromWorker, Request};
use tidemark_sandbox::{LessonCheck, Sandbox, SandboxError, Sweep, Work};

use crate::job::Job;
use crate::post;

/// Milliseconds between two looks at the messages: Stop answers within a few of these.
const SLICE_MILLIS: f64 = 25.0;
/// Ticks between two looks at the clock.
const TICKS: usize = 20;
/// Milliseconds between two pictures of a run that goes on.
const PICTURE_MILLIS: f64 = 100.0;

/// The sandbox and what is going on.
#[derive(Default)]
pub(crate) struct Engine {
    sandbox: Sandbox,
    /// The request on which the sandbox works.
    busy: Option<u64>,
    /// The moment that is shown when it rests; the newest if absent.
    moment: Option<usize>,
    /// Work beside it, with the number of its request.
    job: Option<(u64, Job)>,
    posted: f64,
    /// The last request that was answered with a picture, and its moment.
    shown: (u64, usize),
    /// Whether a timer will bring it back to work.
    pub(crate) is_waiting: bool,
}

fn now() -> f64 {
    js_sys::Date::now()
}

impl Engine {
    /// Takes one request.
    // tidy: table
    pub(crate) fn receive(&mut self, Request { number, command }: Request) {
        match command {
            Command::Open { work } => {
                let is_waiting = self.is_waiting;
                *self = Engine { sandbox: Sandbox::opening(&work), is_waiting, ..Engine::default() };
                self.begin(number, work.moment);
            }
            Command::Do { act, at } => {
                let begun = self.sandbox.act_at(&act, at);
                self.begun(number, begun, None);
            }
            Command::Begin { name, acts } => {
                let begun = self.sandbox.begin(&name, &acts);
                self.begun(number, begun, None);
            }
            Command::Switch { branch, moment } => {
                let begun = self.sandbox.switch(branch);
                self.begun(number, begun, moment);
            }
            Command::Rename { branch, name } => {
                let renamed = self.sandbox.rename(branch, &name);
                self.answered(number, renamed);
            }
            Command::Discard { branch } => {
                // A picture of another branch stays where it is.
                let shown = (branch != self.sandbox.branch()).then_some(self.shown.1);
                let begun = self.sandbox.discard(branch);
                self.begun(number, begun, shown);
            }
            Command::Compare { left, right } => match self.sandbox.compare(left, right) {
                Ok(found) => post(&FromWorker::Compared { number, comparison: Box::new(found) }),
                Err(error) => refuse(number, &error),
            },
            Command::Sweep { recovery } => {
                let sweep = Sweep::new(self.sandbox.acts(), recovery);
                self.start(number, Job::Sweep(Box::new(sweep)));
            }
            Command::Check { ask } => {
                self.start(number, Job::Check(Box::new(LessonCheck::new(*ask))));
            }
            Command::Follow { moment, of } => {
                let lineage = Box::new(self.sandbox.follow_at(moment, &of));
                post(&FromWorker::Followed { number, lineage });
            }
            Command::Plane { moment, query } => {
                let plane = Box::new(self.sandbox.plane_at(moment, query));
                post(&FromWorker::Plane { number, plane });
            }
            Command::Modes { moment, query } => {
                let modes = Box::new(self.sandbox.modes_at(moment, query));
                post(&FromWorker::Modes { number, modes });
            }
            Command::State { moment, query, batch } => {
                let state = Box::new(self.sandbox.state_at(moment, query, batch));
                post(&FromWorker::State { number, state });
            }
            Command::Export { moment, form } => match self.sandbox.export(moment, form) {
                Ok(file) => {
                    let base64 = file.base64();
                    post(&FromWorker::File { number, name: file.name, mime: file.mime.to_owned(), base64 });
                }
                Err(error) => refuse(number, &error),
            },
            Command::Changes { path } => {
                post(&FromWorker::Changes { number, moments: self.sandbox.changes_of(&path) });
            }
            Command::Look { moment } => self.show(number, moment),
            Command::Read { moment, path } => {
                let object = Box::new(self.sandbox.object_at(moment, &path));
                post(&FromWorker::Object { number, object });
            }
            Command::Halt => {
                self.sandbox.halt();
                self.busy = None;
                if let Some(last) = self.job.take().and_then(|(number, job)| job.stop(number)) {
                    post(&last);
                }
                self.show(number, usize::MAX - 1);
            }
        }
    }

    /// Works for a slice; says whether there is more to do.
    pub(crate) fn work(&mut self) -> bool {
        let until = now() + SLICE_MILLIS;
        if let Some(number) = self.busy {
            while self.sandbox.work(TICKS) != Work::Rest {
                if now() >= until {
                    if now() >= self.posted + PICTURE_MILLIS {
                        self.show(number, usize::MAX - 1);
                    }
                    return true;
                }
            }
            self.busy = None;
            if let Some(error) = self.sandbox.take_refusal() {
                refuse(number, &error);
            }
            let moment = self.moment.take().unwrap_or(usize::MAX - 1);
            self.show(number, moment);
        }
        let Some((number, mut job)) = self.job.take() else { return self.make_branches(until) };
        let mut goes_on = true;
        while goes_on && now() < until {
            goes_on = job.work(TICKS);
        }
        if !goes_on {
            post(&job.end(number));
            return false;
        }
        if now() >= self.posted + PICTURE_MILLIS {
            self.posted = now();
            post(&job.report(number));
        }
        self.job = Some((number, job));
        true
    }

    /// Nothing else is to be done: branches that are only kept as acts become whole.
    fn make_branches(&mut self, until: f64) -> bool {
        while now() < until {
            match self.sandbox.make_branches(TICKS) {
                None => return false,
                Some(false) => {}
                Some(true) => {
                    let (number, moment) = self.shown;
                    self.show(number, moment);
                }
            }
        }
        true
    }

    /// Starts work beside the sandbox; what is on its way is given up.
    fn start(&mut self, number: u64, job: Job) {
        if let Some((older, job)) = self.job.replace((number, job)) {
            post(&job.end(older));
        }
    }

    fn begun(&mut self, number: u64, begun: Result<(), SandboxError>, moment: Option<usize>) {
        match begun {
            Ok(()) => self.begin(number, moment),
            Err(error) => refuse(number, &error),
        }
    }

    fn begin(&mut self, number: u64, moment: Option<usize>) {
        self.busy = Some(number);
        self.moment = moment;
        self.posted = now();
    }

    fn answered(&mut self, number: u64, answer: Result<(), SandboxError>) {
        match answer {
            Ok(()) => self.show(number, self.shown.1),
            Err(error) => refuse(number, &error),
        }
    }

    fn show(&mut self, number: u64, moment: usize) {
        let update = Box::new(self.sandbox.update(number, moment));
        self.shown = (number, update.view.moment);
        post(&FromWorker::Update { update });
        self.posted = now();
    }
}

fn refuse(number: u64, error: &SandboxError) {
    post(&FromWorker::Refused { number, message: error.to_string() });
}
