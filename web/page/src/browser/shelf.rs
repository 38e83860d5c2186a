//! The shelf: the work of this tab in the browser's data base, and who else has it.
//!
//! A tab holds a lock on its work. A second tab that finds the lock taken works on a copy of its own, and may take the work
//! over; each write looks first whether the work is still this tab's, so that nothing is overwritten whatever the locks say.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::base::{Base, Trouble};
use super::listener::window;
use super::lock::Lock;
use crate::state::save::keep::Errand;
use crate::state::save::log::{self, Change, Head};
use crate::state::{KeepNews, Kept};

/// So much work is kept; the oldest goes when more comes.
const WORKS_MAX: usize = 4;
/// Where a tab remembers which work is its own, as long as it lives.
const OF_TAB: &str = "work";

/// What is to be done, one after the other.
enum Job {
    Find,
    Save(Kept),
    Errand(Errand),
    Lost(String),
}

/// The shelf of this tab.
#[derive(Clone)]
pub struct Shelf(Rc<Inner>);

struct Inner {
    tell: Callback<KeepNews>,
    jobs: RefCell<VecDeque<Job>>,
    is_busy: Cell<bool>,
    stand: RefCell<Stand>,
}

/// What the tab has and holds.
#[derive(Default)]
struct Stand {
    base: Option<Rc<Base>>,
    owner: String,
    /// The work of this tab, once something was saved.
    id: Option<String>,
    lock: Option<Lock>,
    /// What is stored of it.
    stored: Option<Kept>,
    former: Option<String>,
    /// The work that another tab has, and what was copied of it.
    origin: Option<(String, Kept)>,
    is_behind: bool,
}

impl Shelf {
    /// Looks what there is; `tell` hears of it and of all that follows.
    pub fn open(tell: Callback<KeepNews>) -> Shelf {
        let stand = Stand { owner: draw(), ..Stand::default() };
        let shelf = Shelf(Rc::new(Inner {
            tell,
            jobs: RefCell::default(),
            is_busy: Cell::new(false),
            stand: RefCell::new(stand),
        }));
        shelf.push(Job::Find);
        shelf
    }

    /// Saves the work as it is now.
    pub fn save(&self, kept: Kept) {
        self.push(Job::Save(kept));
    }

    /// Does an errand, after all that was asked for before.
    pub fn run(&self, errand: Errand) {
        self.push(Job::Errand(errand));
    }

    fn push(&self, job: Job) {
        {
            let mut jobs = self.0.jobs.borrow_mut();
            // Of two saves in a row only the last one counts.
            if matches!((jobs.back(), &job), (Some(Job::Save(_)), Job::Save(_))) {
                jobs.pop_back();
            }
            jobs.push_back(job);
        }
        if self.0.is_busy.replace(true) {
            return;
        }
        let shelf = self.clone();
        spawn_local(async move {
            loop {
                let Some(job) = shelf.0.jobs.borrow_mut().pop_front() else { break };
                shelf.perform(job).await;
            }
            shelf.0.is_busy.set(false);
        });
    }

    async fn perform(&self, job: Job) {
        match job {
            Job::Find => self.find().await,
            Job::Save(kept) => self.keep(kept).await,
            Job::Errand(Errand::Begin) => self.begin(),
            Job::Errand(Errand::Back) => self.back().await,
            Job::Errand(Errand::TakeOver) => self.take_over().await,
            Job::Lost(id) => self.lose(&id),
        }
    }

    fn tell(&self, news: KeepNews) {
        self.0.tell.emit(news);
    }

    fn base(&self) -> Option<Rc<Base>> {
        self.0.stand.borrow().base.clone()
    }

    // ---- at the start

    async fn find(&self) {
        let base = match Base::open().await {
            Ok(base) => Rc::new(base),
            Err(trouble) => return self.tell(KeepNews::NoStore(words(trouble))),
        };
        self.0.stand.borrow_mut().base = Some(base.clone());
        let found = match self.look(&base).await {
            Ok(found) => found,
            Err(trouble) => {
                self.0.stand.borrow_mut().base = None;
                return self.tell(KeepNews::NoStore(words(trouble)));
            }
        };
        let has_former = self.0.stand.borrow().former.is_some();
        let is_copy = self.0.stand.borrow().origin.is_some();
        self.tell(KeepNews::Found { kept: found, has_former, is_copy });
    }

    /// The work that this tab had, or else the newest; with its lock, or as a copy.
    async fn look(&self, base: &Rc<Base>) -> Result<Option<Kept>, Trouble> {
        let heads = heads(base).await?;
        let own = of_tab().filter(|own| heads.iter().any(|(id, _)| id == own));
        let newest = heads.iter().max_by(|(_, one), (_, other)| one.at.total_cmp(&other.at));
        let Some(id) = own.or_else(|| newest.map(|(id, _)| id.clone())) else { return Ok(None) };
        match self.lock(&id, false).await {
            Some(lock) => {
                let kept = self.claim(base, &id).await?;
                let mut stand = self.0.stand.borrow_mut();
                stand.lock = Some(lock);
                let former = |(_, head): &(String, Head)| head.former.clone();
                let former = heads.iter().find(|(other, _)| *other == id).and_then(former);
                stand.former = former.filter(|former| heads.iter().any(|(other, _)| other == former));
                stand.stored = kept.clone();
                remember(Some(&id));
                stand.id = Some(id);
                Ok(kept)
            }
            None => {
                let kept = read(base, &id).await?;
                remember(None);
                self.0.stand.borrow_mut().origin = kept.clone().map(|kept| (id, kept));
                Ok(kept)
            }
        }
    }

    /// Makes work this tab's and reads it, with nothing in between.
    async fn claim(&self, base: &Rc<Base>, id: &str) -> Result<Option<Kept>, Trouble> {
        let key = log::head_key(id);
        let end = format!("{key}\u{0}");
        let Some((_, text)) = base.read(&(key.clone()..end)).await?.pop() else { return Ok(None) };
        let Ok(mut head) = serde_json::from_str::<Head>(&text) else { return Ok(None) };
        head.owner.clone_from(&self.0.stand.borrow().owner);
        let put = (key.clone(), serde_json::to_string(&head).expect("a head is plain data"));
        let change = Change { cuts: vec![], puts: vec![put] };
        base.write(&key, |_| true, &change).await?;
        // From here on no other tab writes.
        read(base, id).await
    }

    async fn lock(&self, id: &str, steal: bool) -> Option<Lock> {
        let (shelf, of) = (self.clone(), id.to_owned());
        Lock::take(&format!("tidemark-{id}"), steal, move || shelf.push(Job::Lost(of))).await
    }

    // ---- saving

    async fn keep(&self, kept: Kept) {
        let Some(base) = self.base() else { return };
        let is_known = {
            let stand = self.0.stand.borrow();
            let is_copy = stand.origin.as_ref().is_some_and(|(_, copied)| *copied == kept);
            stand.stored.as_ref() == Some(&kept) || (stand.id.is_none() && (kept.is_empty() || is_copy))
        };
        if is_known && !self.0.stand.borrow().is_behind {
            return;
        }
        // Once more if the work was lost meanwhile: then it is written whole, under a name of its own.
        for _ in 0..2 {
            match self.write(&base, &kept).await {
                Ok(()) => {
                    let was_behind = std::mem::replace(&mut self.0.stand.borrow_mut().is_behind, false);
                    if was_behind {
                        self.tell(KeepNews::Saved);
                    }
                    return;
                }
                Err(Trouble::Changed) => {
                    let id = self.0.stand.borrow().id.clone().unwrap_or_default();
                    self.lose(&id);
                }
                Err(Trouble::Full) => {
                    self.0.stand.borrow_mut().is_behind = true;
                    let whole = log::acts_change("", None, &kept.work);
                    return self
                        .tell(KeepNews::Full(whole.bytes() + kept.draft.map_or(0, |draft| draft.len())));
                }
                Err(Trouble::Broken(why)) => {
                    self.0.stand.borrow_mut().base = None;
                    return self.tell(KeepNews::NoStore(why));
                }
            }
        }
    }

    async fn write(&self, base: &Rc<Base>, kept: &Kept) -> Result<(), Trouble> {
        let known = self.0.stand.borrow().id.clone();
        let is_new = known.is_none();
        let id = known.unwrap_or_else(draw);
        if is_new {
            let lock = self.lock(&id, false).await;
            let mut stand = self.0.stand.borrow_mut();
            stand.lock = lock;
            stand.stored = None;
            stand.id = Some(id.clone());
        }
        let (change, owner, is_first) = {
            let stand = self.0.stand.borrow();
            let mut change = log::acts_change(&id, stand.stored.as_ref().map(|kept| &kept.work), &kept.work);
            let head = log::head(kept, &stand.owner, js_sys::Date::now(), stand.former.as_deref());
            change
                .puts
                .push((log::head_key(&id), serde_json::to_string(&head).expect("a head is plain data")));
            (change, stand.owner.clone(), stand.stored.is_none())
        };
        let is_ours = move |text: Option<String>| match text.map(|text| serde_json::from_str::<Head>(&text)) {
            Some(Ok(head)) => head.owner == owner,
            Some(Err(_)) => false,
            None => is_first,
        };
        base.write(&log::head_key(&id), is_ours, &change).await?;
        self.0.stand.borrow_mut().stored = Some(kept.clone());
        if is_new {
            remember(Some(&id));
            // What is too old goes; if that fails, it goes the next time.
            let _ = self.prune(base, &id).await;
        }
        Ok(())
    }

    /// Lets the oldest work go, never that of this tab and its former.
    async fn prune(&self, base: &Rc<Base>, id: &str) -> Result<(), Trouble> {
        let mut heads = heads(base).await?;
        let former = self.0.stand.borrow().former.clone();
        heads.sort_by(|(_, one), (_, other)| other.at.total_cmp(&one.at));
        for (old, _) in heads.iter().skip(WORKS_MAX) {
            if old == id || Some(old) == former.as_ref() {
                continue;
            }
            // Work with a lock is on another screen.
            if self.lock(old, false).await.is_some() {
                base.write(&log::head_key(old), |_| true, &log::forget(old)).await?;
            }
        }
        Ok(())
    }

    // ---- errands

    /// What comes next is new work; what was there is the former.
    fn begin(&self) {
        let mut stand = self.0.stand.borrow_mut();
        if let Some(id) = stand.id.take() {
            stand.former = Some(id);
        }
        (stand.stored, stand.lock, stand.origin) = (None, None, None);
        remember(None);
    }

    async fn back(&self) {
        let former = self.0.stand.borrow().former.clone();
        let (Some(base), Some(former)) = (self.base(), former) else { return self.tell(KeepNews::NoFormer) };
        let lock = self.lock(&former, false).await;
        self.go_on(&base, &former, lock).await;
    }

    async fn take_over(&self) {
        let origin = self.0.stand.borrow().origin.clone();
        let (Some(base), Some((id, _))) = (self.base(), origin) else { return self.tell(KeepNews::NoFormer) };
        let lock = self.lock(&id, true).await;
        self.go_on(&base, &id, lock).await;
    }

    /// Work that is stored comes on this screen; what was there becomes the former.
    async fn go_on(&self, base: &Rc<Base>, id: &str, lock: Option<Lock>) {
        let kept = match lock {
            Some(_) => self.claim(base, id).await.ok().flatten(),
            None => None,
        };
        let Some(kept) = kept else { return self.tell(KeepNews::NoFormer) };
        let has_former = {
            let mut stand = self.0.stand.borrow_mut();
            let before = stand.id.replace(id.to_owned());
            stand.former = before.or(stand.former.take()).filter(|former| former != id);
            (stand.stored, stand.lock, stand.origin) = (Some(kept.clone()), lock, None);
            stand.former.is_some()
        };
        remember(Some(id));
        // The head is to name its new former.
        if let Err(Trouble::Full) = self.write(base, &kept).await {
            self.0.stand.borrow_mut().is_behind = true;
        }
        self.tell(KeepNews::Opened { kept: Box::new(kept), has_former });
    }

    /// Another tab has taken the work: what is on screen is a copy from now on.
    fn lose(&self, id: &str) {
        let mut stand = self.0.stand.borrow_mut();
        if stand.id.as_deref() != Some(id) {
            return;
        }
        let copied = stand.stored.take().unwrap_or_default();
        stand.origin = stand.id.take().map(|id| (id, copied));
        (stand.lock, stand.former) = (None, None);
        drop(stand);
        remember(None);
        self.tell(KeepNews::Taken);
    }
}

async fn heads(base: &Rc<Base>) -> Result<Vec<(String, Head)>, Trouble> {
    let all = base.read(&log::heads()).await?;
    let head = |(key, text): (String, String)| {
        let id = key.rsplit('/').next().unwrap_or_default().to_owned();
        // A head of another form is left alone.
        serde_json::from_str(&text).ok().map(|head| (id, head))
    };
    Ok(all.into_iter().filter_map(head).collect())
}

async fn read(base: &Rc<Base>, id: &str) -> Result<Option<Kept>, Trouble> {
    let head = heads(base).await?.into_iter().find(|(other, _)| other == id);
    let Some((_, head)) = head else { return Ok(None) };
    let acts = base.read(&log::acts_keys(id)).await?;
    Ok(Some(log::restore(&head, &acts, id)))
}

fn words(trouble: Trouble) -> String {
    match trouble {
        Trouble::Changed => "it changes under our hands".to_owned(),
        Trouble::Full => "its storage is full".to_owned(),
        Trouble::Broken(why) => why,
    }
}

/// Sixteen random digits: the name of some work, or of a tab.
fn draw() -> String {
    let part = || (js_sys::Math::random() * f64::from(u32::MAX)) as u32;
    format!("{:08x}{:08x}", part(), part())
}

fn of_tab() -> Option<String> {
    window().session_storage().ok()??.get_item(OF_TAB).ok()?
}

fn remember(id: Option<&str>) {
    let Ok(Some(storage)) = window().session_storage() else { return };
    // A tab that cannot remember its own work takes the newest.
    let _ = match id {
        Some(id) => storage.set_item(OF_TAB, id),
        None => storage.remove_item(OF_TAB),
    };
}
