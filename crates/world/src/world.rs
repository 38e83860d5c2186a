//! The World: what a program can see of the outside, and the one place through which it changes it.

use std::fmt::Write as _;

use bytes::Bytes;
use tidemark_trace::{Fact, FaultFact, ObjectFact, Phase, When};
use tidemark_types::{Millis, SimTime};

use crate::fault::{Fault, FaultPlan};
use crate::id::IdSource;
use crate::path::normalize;
use crate::store::{Entry, Object, ObjectMeta, Store, meta};

/// Why the World refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorldError {
    /// Nothing is at this path.
    #[error("{path} does not exist")]
    NotFound {
        /// The absolute path.
        path: String,
    },
    /// Something is already at this path.
    #[error("{path} already exists")]
    AlreadyExists {
        /// The absolute path.
        path: String,
    },
    /// A folder is at this path where a file was wanted.
    #[error("{path} is a folder")]
    IsFolder {
        /// The absolute path.
        path: String,
    },
    /// There is no room for this object: see [`World::BYTES_MAX`].
    #[error(
        "Tidemark keeps every version of every object in the memory of the tab, at most {most} bytes; {path} would make it \
         {bytes}. Go on from an earlier moment with smaller files, or begin a new sandbox."
    )]
    Full {
        /// The absolute path.
        path: String,
        /// The bytes that there would be.
        bytes: usize,
        /// The most that there may be.
        most: usize,
    },
    /// The driver has been stopped: drop everything but the World.
    #[error("the driver stopped {place}")]
    Crashed {
        /// Which side of what.
        place: String,
    },
}

/// One change of the store, in the order in which it happened: what a mirror on a real disk repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A file was written.
    Put {
        /// The absolute path.
        path: String,
        /// Its content.
        bytes: Bytes,
        /// Its modification time.
        modified: SimTime,
    },
    /// A file was deleted.
    Delete {
        /// The absolute path.
        path: String,
    },
    /// A folder was made.
    MakeFolder {
        /// The absolute path.
        path: String,
    },
    /// A folder was deleted with all below it.
    DeleteTree {
        /// The absolute path.
        path: String,
    },
}

/// Objects, clock, ids and faults. A clone is a snapshot.
#[derive(Clone, Debug)]
pub struct World {
    root: String,
    store: Store,
    now: SimTime,
    ids: IdSource,
    faults: FaultPlan,
    writes: u64,
    /// The bytes of all that has ever been written: the moments before keep what is replaced or deleted now.
    bytes: usize,
    bytes_max: usize,
    facts: Vec<Fact>,
    changes: Vec<Change>,
}

impl World {
    /// The most bytes that are written to a World in its life, every version of every object counted: a tab has no more
    /// memory to give. Ten million rows of JSON with what a query makes of them fit.
    pub const BYTES_MAX: usize = 1 << 30;

    /// An empty World with this root folder, seed of ids and time.
    pub fn new(root: &str, seed: u64, now: SimTime) -> Self {
        let mut store = Store::default();
        store.make_folders(root);
        World {
            root: root.to_owned(),
            store,
            now,
            ids: IdSource::new(seed),
            faults: FaultPlan::default(),
            writes: 0,
            bytes: 0,
            bytes_max: World::BYTES_MAX,
            facts: Vec::new(),
            changes: Vec::new(),
        }
    }

    // ---- paths

    /// The root folder, against which relative paths resolve.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The absolute path that a script's text names.
    pub fn resolve(&self, text: &str) -> String {
        normalize(&self.root, text)
    }

    /// `file:///…` of an absolute path, URI-encoded, as source logs write it.
    pub fn uri(&self, path: &str) -> String {
        let mut out = String::from("file://");
        let (root, rest) = match path.strip_prefix(&self.root) {
            Some(rest) => (self.root.as_str(), rest),
            None => ("", path),
        };
        out.push_str(root);
        for byte in rest.bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => out.push(byte as char),
                b'/' | b'-' | b'_' | b'.' | b'~' | b'!' | b'*' | b'\'' | b'(' | b')' => {
                    out.push(byte as char);
                }
                b'=' | b'+' | b',' | b':' | b'@' | b'&' | b'$' | b';' => out.push(byte as char),
                other => write!(out, "%{other:02X}").expect("writing to a String does not fail"),
            }
        }
        out
    }

    /// The absolute path of a `file:` URI, decoded; the reverse of [`World::uri`].
    pub fn from_uri(&self, uri: &str) -> String {
        let text = uri.strip_prefix("file://").or_else(|| uri.strip_prefix("file:")).unwrap_or(uri);
        let bytes = text.as_bytes();
        let mut out = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let code = (bytes[at] == b'%')
                .then(|| text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()))
                .flatten();
            if let Some(byte) = code {
                out.push(byte);
                at += 3;
            } else {
                out.push(bytes[at]);
                at += 1;
            }
        }
        String::from_utf8_lossy(&out).into_owned()
    }

    // ---- reading

    /// The bytes of an object.
    pub fn get(&mut self, path: &str) -> Result<Bytes, WorldError> {
        match self.store.get(path) {
            Some(object) => {
                let bytes = object.bytes.clone();
                self.facts
                    .push(Fact::Object(ObjectFact::Got { path: path.into(), bytes: bytes.len() as u64 }));
                Ok(bytes)
            }
            None if self.store.is_folder(path) => Err(WorldError::IsFolder { path: path.into() }),
            None => Err(WorldError::NotFound { path: path.into() }),
        }
    }

    /// All files below a folder, in the order of their paths.
    pub fn list(&mut self, folder: &str) -> Vec<ObjectMeta> {
        self.list_from(folder, folder)
    }

    /// All files below a folder whose paths do not come before `from`, in the order of their paths.
    pub fn list_from(&mut self, folder: &str, from: &str) -> Vec<ObjectMeta> {
        let found = self.store.list_from(folder, from);
        self.facts
            .push(Fact::Object(ObjectFact::Listed { prefix: folder.into(), found: found.len() as u64 }));
        found
    }

    /// What lies directly in a folder, in the order of the names.
    pub fn children(&mut self, folder: &str) -> Vec<Entry> {
        let found = self.store.children(folder);
        self.facts
            .push(Fact::Object(ObjectFact::Listed { prefix: folder.into(), found: found.len() as u64 }));
        found
    }

    /// Looks at an object without an operation being counted: for the page and for tests.
    pub fn peek(&self, path: &str) -> Option<&Object> {
        self.store.get(path)
    }

    /// Lists without an operation being counted: for the page and for tests.
    pub fn peek_list(&self, folder: &str) -> Vec<ObjectMeta> {
        self.store.list(folder)
    }

    /// All folders without an operation being counted, in the order of their paths.
    pub fn peek_folders(&self) -> Vec<String> {
        self.store.folders().cloned().collect()
    }

    /// Size and time of an object.
    pub fn head(&self, path: &str) -> Option<ObjectMeta> {
        self.store.get(path).map(|object| meta(path, object))
    }

    /// Whether a file or a folder is there.
    pub fn exists(&self, path: &str) -> bool {
        self.store.get(path).is_some() || self.store.is_folder(path)
    }

    /// Whether a folder is there.
    pub fn is_folder(&self, path: &str) -> bool {
        self.store.is_folder(path)
    }

    // ---- writing

    /// Writes an object, over an older one if there is one.
    pub fn put(&mut self, path: &str, bytes: impl Into<Bytes>) -> Result<(), WorldError> {
        self.write(path, &hidden_temporary(path), bytes.into())
    }

    /// Writes an object only if nothing is there.
    pub fn put_if_absent(&mut self, path: &str, bytes: impl Into<Bytes>) -> Result<(), WorldError> {
        if self.exists(path) {
            self.alive()?;
            return Err(WorldError::AlreadyExists { path: path.into() });
        }
        self.write(path, &hidden_temporary(path), bytes.into())
    }

    /// Writes an object only if nothing is there, through a temporary file of this path, as log files are written.
    pub fn put_log(
        &mut self,
        path: &str,
        temporary: &str,
        bytes: impl Into<Bytes>,
    ) -> Result<(), WorldError> {
        if self.exists(path) {
            self.alive()?;
            return Err(WorldError::AlreadyExists { path: path.into() });
        }
        self.write(path, temporary, bytes.into())
    }

    /// Puts an object there with a modification time of its own, as a learner drops a file: no fault and no limit applies.
    pub fn drop_file(&mut self, path: &str, bytes: impl Into<Bytes>, modified: SimTime) {
        self.place(path, bytes.into(), modified);
    }

    /// Deletes an object.
    pub fn delete(&mut self, path: &str) -> Result<(), WorldError> {
        self.alive()?;
        if !self.store.remove(path) {
            return Err(WorldError::NotFound { path: path.into() });
        }
        self.facts.push(Fact::Object(ObjectFact::Deleted { path: path.into() }));
        self.changes.push(Change::Delete { path: path.into() });
        Ok(())
    }

    /// Deletes a folder, or an object, with all below it.
    pub fn delete_tree(&mut self, path: &str) -> Result<(), WorldError> {
        self.alive()?;
        if !self.store.is_folder(path) {
            return self.delete(path);
        }
        self.store.remove_tree(path);
        self.facts.push(Fact::Object(ObjectFact::Deleted { path: path.into() }));
        self.changes.push(Change::DeleteTree { path: path.into() });
        Ok(())
    }

    /// Makes a folder and those above it.
    pub fn make_folders(&mut self, path: &str) -> Result<(), WorldError> {
        self.alive()?;
        if self.store.get(path).is_some() {
            return Err(WorldError::AlreadyExists { path: path.into() });
        }
        if !self.store.is_folder(path) {
            self.store.make_folders(path);
            self.changes.push(Change::MakeFolder { path: path.into() });
        }
        Ok(())
    }

    /// The bytes of all that has been written since the World began.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Lets the World hold so many bytes at most, in place of [`World::BYTES_MAX`].
    pub fn limit_bytes(&mut self, bytes_max: usize) {
        self.bytes_max = bytes_max;
    }

    /// Whether so many bytes more are too many for an object.
    ///
    /// Errors: [`WorldError::Full`].
    pub fn has_room(&self, path: &str, bytes: usize) -> Result<(), WorldError> {
        let (bytes, most) = (self.bytes.saturating_add(bytes), self.bytes_max);
        if bytes > most { Err(WorldError::Full { path: path.into(), bytes, most }) } else { Ok(()) }
    }

    /// How many writes have been asked for since the World began.
    pub fn writes(&self) -> u64 {
        self.writes
    }

    // ---- faults

    /// The fault plan.
    pub fn faults(&mut self) -> &mut FaultPlan {
        &mut self.faults
    }

    /// The armed crashes, in the order in which they were.
    pub fn armed(&self) -> &[Fault] {
        self.faults.armed()
    }

    /// Arms a crash.
    pub fn arm(&mut self, fault: Fault) {
        self.faults.arm(fault);
    }

    /// Says that a phase begins or ends; stops the driver if that is armed.
    pub fn at_phase(&mut self, phase: Phase, when: When) -> Result<(), WorldError> {
        self.alive()?;
        if self.faults.at_phase(phase, when) {
            let side = if when == When::Before { "before" } else { "after" };
            return Err(self.crash(format!("{side} {phase}"), when));
        }
        Ok(())
    }

    /// Stops the driver here and now.
    pub fn crash_now(&mut self, place: &str) -> WorldError {
        self.crash(place.to_owned(), When::After)
    }

    /// Where the driver stopped, if it is down.
    pub fn crashed(&self) -> Option<&str> {
        self.faults.fired()
    }

    /// The driver is up again: writes succeed.
    pub fn restart(&mut self) {
        self.faults.clear_fired();
    }

    // ---- time and ids

    /// The World's time.
    pub fn now(&self) -> SimTime {
        self.now
    }

    /// Moves the clock.
    pub fn advance(&mut self, by: Millis) {
        self.now = self.now + by;
    }

    /// The next id in the form of a UUID.
    pub fn uuid(&mut self) -> String {
        self.ids.uuid()
    }

    /// The next 64 random-looking bits.
    pub fn random(&mut self) -> u64 {
        self.ids.next()
    }

    // ---- facts

    /// Notes a fact.
    pub fn emit(&mut self, fact: Fact) {
        self.facts.push(fact);
    }

    /// Takes the facts noted since the last call.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }

    /// Takes the changes of the store since the last call.
    pub fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    fn write(&mut self, path: &str, temporary: &str, bytes: Bytes) -> Result<(), WorldError> {
        self.alive()?;
        if self.store.is_folder(path) {
            return Err(WorldError::IsFolder { path: path.into() });
        }
        self.has_room(path, bytes.len())?;
        self.writes += 1;
        let stop = self.faults.at_write(path);
        match stop {
            Some(When::Before) => return Err(self.crash(format!("before put {path}"), When::Before)),
            Some(When::During) => {
                let half = bytes.slice(..bytes.len() / 2);
                let now = self.now;
                self.place(temporary, half, now);
                return Err(self.crash(format!("during put {path}"), When::During));
            }
            Some(When::After) | None => {}
        }
        let now = self.now;
        self.place(path, bytes, now);
        match stop {
            Some(_) => Err(self.crash(format!("after put {path}"), When::After)),
            None => Ok(()),
        }
    }

    fn place(&mut self, path: &str, bytes: Bytes, modified: SimTime) {
        let replaced = self.store.get(path).is_some();
        let size = bytes.len() as u64;
        self.bytes = self.bytes.saturating_add(bytes.len());
        self.store.put(path, Object { bytes: bytes.clone(), modified });
        self.facts.push(Fact::Object(ObjectFact::Put { path: path.into(), bytes: size, replaced }));
        self.changes.push(Change::Put { path: path.into(), bytes, modified });
    }

    fn alive(&self) -> Result<(), WorldError> {
        match self.faults.fired() {
            Some(place) => Err(WorldError::Crashed { place: place.to_owned() }),
            None => Ok(()),
        }
    }

    fn crash(&mut self, place: String, when: When) -> WorldError {
        self.faults.fire(place.clone());
        self.facts.push(Fact::Fault(FaultFact::Crashed { place: place.clone(), when }));
        WorldError::Crashed { place }
    }
}

fn hidden_temporary(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, name)) => format!("{folder}/.{name}.tmp"),
        None => format!(".{path}.tmp"),
    }
}
