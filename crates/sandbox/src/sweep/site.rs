//! Where a crash can fall: the writes of an act and the named points without a write, each with its named point.

use tidemark_protocol::ArmPlace;
use tidemark_trace::{BatchFact, CrashPoint, Event, Fact, ObjectFact, Phase, QueryFact, When};
use tidemark_types::QueryId;

/// One place for a crash within an act of the run without one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Site {
    /// Where it is armed, just before the act.
    pub(super) arm: ArmPlace,
    /// The named point to which it belongs.
    pub(super) point: CrashPoint,
    /// In words: `after offsets/1`.
    pub(super) place: String,
    /// On which side.
    pub(super) when: When,
    /// The batch.
    pub(super) batch: Option<i64>,
}

/// A write as the facts tell of it.
#[derive(Clone, Debug)]
struct Write {
    path: String,
    kind: Kind,
    /// The query and its batch, and the phase that was under way.
    of: Option<(QueryId, i64, Phase)>,
}

/// What a write is to the protocol, by its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Metadata,
    Sources,
    Offsets,
    Commits,
    State,
    /// A file of rows.
    Data,
    /// The file that makes rows part of a table.
    SinkCommit,
    /// What a sink writes beside them: a checkpoint of its log.
    SinkAside,
}

impl Kind {
    fn of(path: &str) -> Kind {
        let parts: Vec<&str> = path.split('/').collect();
        let name = parts.last().copied().unwrap_or_default();
        let folder = |up: usize| parts.len().checked_sub(up + 1).map_or("", |at| parts[at]);
        let is_number = !name.is_empty() && name.split('.').next().is_some_and(is_digits);
        match (folder(1), name) {
            ("offsets", _) if is_number => Kind::Offsets,
            ("commits", _) if is_number => Kind::Commits,
            ("_spark_metadata", _) if is_number => Kind::SinkCommit,
            ("_delta_log", _) if is_number && name.ends_with(".json") => Kind::SinkCommit,
            ("_delta_log" | "_spark_metadata", _) => Kind::SinkAside,
            (_, "metadata") if folder(2) != "state" && !parts.contains(&"state") => Kind::Metadata,
            _ if folder(2) == "sources" => Kind::Sources,
            _ if parts.contains(&"state") => Kind::State,
            _ => Kind::Data,
        }
    }

    /// Whether it is written through a temporary file that a crash can leave half written, as log files are.
    fn is_log(self) -> bool {
        matches!(self, Kind::Metadata | Kind::Sources | Kind::Offsets | Kind::Commits | Kind::SinkCommit)
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The named points around one write.
#[derive(Clone, Copy, Debug)]
struct Around {
    before: CrashPoint,
    during: CrashPoint,
    after: CrashPoint,
}

/// All places for a crash in an act, from the facts that it made; `root` is cut from paths.
pub(super) fn sites(events: &[Event], root: &str, function: bool) -> Vec<Site> {
    let writes = writes(events);
    let around = around(&writes);
    let mut sites = points(events, function && !writes.iter().any(is_by_function));
    for (at, (write, around)) in writes.iter().zip(around).enumerate() {
        let k = at as u64 + 1;
        let batch = write.of.as_ref().map(|(_, batch, _)| *batch);
        let sides = [
            (When::Before, around.before, true),
            (When::During, around.during, write.kind.is_log()),
            (When::After, around.after, true),
        ];
        for (when, point, _) in sides.into_iter().filter(|(_, _, is_there)| *is_there) {
            let place = place(when, &write.path, root);
            sites.push(Site { arm: ArmPlace::Write { k, when }, point, place, when, batch });
        }
    }
    sites
}

/// The paths of all writes among some facts, in their order.
pub(super) fn written(events: &[Event]) -> Vec<String> {
    let path = |event: &Event| match &event.fact {
        Fact::Object(ObjectFact::Put { path, .. }) => Some(path.clone()),
        _ => None,
    };
    events.iter().filter_map(path).collect()
}

fn is_by_function(write: &Write) -> bool {
    write.kind == Kind::Data && matches!(write.of, Some((_, _, Phase::Commit)))
}

/// Each write with the batch and the phase that were under way: the phase's own fact follows.
fn writes(events: &[Event]) -> Vec<Write> {
    let mut writes: Vec<Write> = Vec::new();
    let mut open = 0;
    for event in events {
        match &event.fact {
            Fact::Object(ObjectFact::Put { path, .. }) => {
                writes.push(Write { path: path.clone(), kind: Kind::of(path), of: None });
            }
            Fact::Batch(BatchFact { query, batch, phase, .. }) => {
                for write in &mut writes[open..] {
                    write.of = Some((query.clone(), batch.0, *phase));
                }
                open = writes.len();
            }
            Fact::Query(
                QueryFact::Started { .. } | QueryFact::Idle { .. } | QueryFact::Terminated { .. },
            )
            | Fact::Script(_) => open = writes.len(),
            _ => {}
        }
    }
    writes
}

/// The points that have no write of their own: before the first listing, in the first reading, after a function that
/// writes nothing. Later batches of the same act leave the same store there as the write before.
fn points(events: &[Event], after_function: bool) -> Vec<Site> {
    let facts = || {
        events.iter().filter_map(|event| match &event.fact {
            Fact::Batch(fact) => Some(fact),
            _ => None,
        })
    };
    let first =
        |phase: Option<Phase>| facts().find(|fact| phase.is_none_or(|p| p == fact.phase)).map(|f| f.batch.0);
    let starts = events.iter().any(|e| matches!(e.fact, Fact::Query(QueryFact::Started { .. })));
    let site = |point, place: &str, when, batch| Site {
        arm: ArmPlace::Point { point },
        point,
        place: place.to_owned(),
        when,
        batch,
    };
    let mut sites = Vec::new();
    // A batch that is planned already is not listed again.
    if starts || first(Some(Phase::List)).is_some() {
        sites.push(site(
            CrashPoint::C01,
            "before the source is listed",
            When::Before,
            first(Some(Phase::List)),
        ));
    }
    if let Some(batch) = first(Some(Phase::Read)) {
        sites.push(site(CrashPoint::C05, "while reading", When::During, Some(batch)));
    }
    if let (true, Some(batch)) = (after_function, first(Some(Phase::Commit))) {
        sites.push(site(CrashPoint::C13, "when the function returns", When::After, Some(batch)));
    }
    sites
}

/// The named points around each write: what stands in the store on either side of it.
fn around(writes: &[Write]) -> Vec<Around> {
    let key = |write: &Write| write.of.as_ref().map(|(query, batch, _)| (query.clone(), *batch));
    let mut stand: Vec<(Option<(QueryId, i64)>, CrashPoint)> = Vec::new();
    let mut found = Vec::with_capacity(writes.len());
    for (at, write) in writes.iter().enumerate() {
        let key_of = key(write);
        let same = |other: &Write| key(other) == key_of;
        let later = || writes[at + 1..].iter().filter(|w| same(w));
        let now = stand.iter().rev().find(|(k, _)| *k == key_of).map_or(CrashPoint::C01, |(_, point)| *point);
        let more = later().any(|w| matches!(w.kind, Kind::Data | Kind::SinkCommit | Kind::SinkAside));
        let function = writes.iter().filter(|w| same(w)).any(is_by_function);
        let committed = writes[..at].iter().any(|w| same(w) && w.kind == Kind::SinkCommit);
        let around = around_one(write, now, function && committed, function && more, || {
            later().any(|w| w.kind == write.kind)
        });
        stand.push((key_of.clone(), around.after));
        found.push(around);
    }
    found
}

// tidy: table
fn around_one(
    write: &Write,
    now: CrashPoint,
    between: bool,
    goes_on: bool,
    same_kind_follows: impl Fn() -> bool,
) -> Around {
    use CrashPoint as C;
    let all = |point| Around { before: point, during: point, after: point };
    let phase = write.of.as_ref().map(|(_, _, phase)| *phase);
    match write.kind {
        Kind::Metadata => all(C::C01),
        Kind::Sources => Around { before: C::C01, during: C::C02, after: C::C02 },
        Kind::Offsets => Around { before: now, during: C::C03, after: C::C04 },
        Kind::State if phase == Some(Phase::Save) => {
            let after = if same_kind_follows() { C::C06 } else { C::C07 };
            Around { before: C::C06, during: C::C06, after }
        }
        // Schemas and metadata of operators while a batch is planned; snapshots between two batches.
        Kind::State if phase.is_none() || phase == Some(Phase::List) => all(C::C12),
        Kind::State => all(now),
        Kind::Data | Kind::SinkAside if between => {
            let after = if goes_on { C::C13 } else { C::C10 };
            Around { before: C::C13, during: C::C13, after }
        }
        Kind::Data => {
            let after = if same_kind_follows() { C::C08 } else { C::C09 };
            Around { before: C::C08, during: C::C08, after }
        }
        Kind::SinkCommit => {
            let before = if between { C::C13 } else { C::C09 };
            Around { before, during: before, after: if goes_on { C::C13 } else { C::C10 } }
        }
        Kind::SinkAside => all(C::C10),
        Kind::Commits => Around { before: C::C10, during: C::C11, after: C::C12 },
    }
}

/// `after offsets/1` of a whole path: files of a checkpoint by their place in it, others from the root on, ids of part
/// files shortened.
pub(super) fn place(when: When, path: &str, root: &str) -> String {
    let side = match when {
        When::Before => "before",
        When::During => "in the middle of",
        When::After => "after",
    };
    let parts: Vec<&str> = path.split('/').collect();
    let from = match Kind::of(path) {
        Kind::Metadata => parts.len().saturating_sub(1),
        Kind::Offsets | Kind::Commits => parts.len().saturating_sub(2),
        Kind::Sources => parts.len().saturating_sub(3),
        Kind::State => parts.iter().position(|p| *p == "state").unwrap_or(0),
        Kind::Data | Kind::SinkCommit | Kind::SinkAside => {
            let inside = path.strip_prefix(root).map_or(path, |p| p.trim_start_matches('/'));
            return format!("{side} {}", short(inside));
        }
    };
    format!("{side} {}", parts[from..].join("/"))
}

/// `out/part-00000-a332….parquet` of a part file, `out/_delta_log/…0001.json` of a commit.
fn short(path: &str) -> String {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let slash = if folder.is_empty() { "" } else { "/" };
    if name.starts_with("part-") && name.len() > 20 {
        let head: String = name.chars().take(15).collect();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        return format!("{folder}{slash}{head}….{ending}");
    }
    match name.strip_suffix(".json") {
        Some(version) if version.len() == 20 && is_digits(version) => {
            format!("{folder}{slash}…{}.json", &version[16..])
        }
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, place};
    use tidemark_trace::When;

    #[test]
    fn a_path_tells_what_a_write_is() {
        for (path, kind, words) in [
            ("/t/ckpt/metadata", Kind::Metadata, "after metadata"),
            ("/t/ckpt/sources/0/3", Kind::Sources, "after sources/0/3"),
            ("/t/ckpt/sources/0/9.compact", Kind::Sources, "after sources/0/9.compact"),
            ("/t/ckpt/offsets/3", Kind::Offsets, "after offsets/3"),
            ("/t/ckpt/commits/3", Kind::Commits, "after commits/3"),
            ("/t/ckpt/state/0/1/4.delta", Kind::State, "after state/0/1/4.delta"),
            ("/t/ckpt/state/0/_metadata/metadata", Kind::State, "after state/0/_metadata/metadata"),
            (
                "/t/out/part-00000-a3326518-7fde-41c5-c000.snappy.parquet",
                Kind::Data,
                "after out/part-00000-a332….parquet",
            ),
            (
                "/t/out/_delta_log/00000000000000000001.json",
                Kind::SinkCommit,
                "after out/_delta_log/…0001.json",
            ),
            (
                "/t/out/_delta_log/00000000000000000010.checkpoint.parquet",
                Kind::SinkAside,
                "after out/_delta_log/00000000000000000010.checkpoint.parquet",
            ),
            ("/t/out/_spark_metadata/0", Kind::SinkCommit, "after out/_spark_metadata/0"),
        ] {
            assert_eq!(Kind::of(path), kind, "{path}");
            assert_eq!(place(When::After, path, "/t"), words);
        }
    }
}
