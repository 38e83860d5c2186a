//! The Delta source: list, plan, read.

use std::sync::Arc;

use tidemark_delta::{Add, Snapshot, commit_files, latest_version, version_from};
use tidemark_engine::connector::Settings;
use tidemark_engine::stream::log::illegal_state;
use tidemark_engine::{Offset, ReadLimit, Result, Source, Task};
use tidemark_plan::ReadSpec;
use tidemark_types::{StructType, Zone};
use tidemark_world::World;

use crate::batch::delta::{engine_error, read_adds};
use crate::batch::files::printed;
use crate::delta_source::condition;
use crate::delta_source::offset::{BASE_INDEX, DeltaOffset};
use crate::delta_source::options::{DeltaStreamOptions, Start};
use crate::delta_source::scan::{END_INDEX, IndexedFile, ScannedTable};
use crate::formats::table_path;
use crate::packing::PackSettings;

/// A Delta table as a stream.
#[derive(Clone, Debug)]
pub struct DeltaSource {
    spec: Arc<ReadSpec>,
    /// The path as the script wrote it, if it is no table of the catalog.
    text: Option<String>,
    path: String,
    schema: Arc<StructType>,
    zone: Zone,
    pack: PackSettings,
    state: Arc<State>,
}

/// What changes from batch to batch; shared by the moments that a clone keeps.
#[derive(Clone, Debug, Default)]
struct State {
    /// The table when the query began.
    began: Option<(Snapshot, ScannedTable)>,
    /// Where a stream without an offset begins, once it is known.
    first: Option<DeltaOffset>,
    /// Whether the version before the first offset of the run has been looked at.
    is_checked: bool,
    latest: Option<DeltaOffset>,
    is_available_now: bool,
    /// The end of this run, once it is known.
    frozen: Option<DeltaOffset>,
    planned: Vec<Add>,
}

/// The schema of the stream over the table at a path, at `load()` time.
///
/// Errors: options of time travel; a declared schema, be it that of the table or not; `DELTA_SCHEMA_NOT_SET`.
pub fn resolve(world: &mut World, spec: &ReadSpec, path: &str) -> Result<StructType> {
    if ["versionasof", "timestampasof"].iter().any(|name| spec.options.contains_key(*name)) {
        return Err(condition::time_travel().into());
    }
    let snapshot = Snapshot::find(world, path).map_err(engine_error)?;
    let Some(snapshot) = snapshot.filter(|snapshot| !snapshot.schema().fields.is_empty()) else {
        return Err(tidemark_delta::condition::schema_not_set().into());
    };
    let schema = snapshot.schema().as_ref().clone();
    match &spec.schema {
        None => Ok(schema),
        Some(declared) if declared.as_nullable() == schema.as_nullable() => {
            Err(condition::schema_declared().into())
        }
        Some(_) => Err(condition::schema_conflict().into()),
    }
}

impl DeltaSource {
    /// A source over the table that `spec` names, by this path or by its name. Does not touch the store.
    pub fn open(
        settings: &dyn Settings,
        spec: &ReadSpec,
        text: Option<String>,
        schema: &Arc<StructType>,
    ) -> DeltaSource {
        let zone = settings.get("spark.sql.session.timeZone").and_then(|name| Zone::parse(&name));
        DeltaSource {
            spec: Arc::new(spec.clone()),
            text,
            path: String::new(),
            schema: schema.clone(),
            zone: zone.unwrap_or(Zone::UTC),
            pack: PackSettings::of(settings),
            state: Arc::default(),
        }
    }

    fn state(&mut self) -> &mut State {
        Arc::make_mut(&mut self.state)
    }

    fn table(&self) -> ScannedTable {
        self.state.began.as_ref().map(|(_, table)| table.clone()).expect("recover comes before anything else")
    }

    /// Where a stream without an offset begins.
    ///
    /// Errors: `DELTA_VERSION_NOT_FOUND`, `DELTA_TIMESTAMP_GREATER_THAN_COMMIT`.
    fn first(&mut self, world: &mut World) -> Result<DeltaOffset> {
        if let Some(first) = &self.state.first {
            return Ok(first.clone());
        }
        let table = self.table();
        let latest = latest_version(world, &self.path).unwrap_or(-1);
        let (version, is_starting_version) = match table.options.start {
            Start::Snapshot => {
                (self.state.began.as_ref().map_or(0, |(snapshot, _)| snapshot.version()), true)
            }
            Start::Latest => (latest + 1, false),
            Start::Version(version) => {
                let earliest = commit_files(world, &self.path).first().map_or(0, |commit| commit.version);
                if version < earliest || version > latest {
                    let error = tidemark_delta::condition::version_not_found(version, earliest, latest);
                    return Err(error.into());
                }
                (version, false)
            }
            Start::Timestamp(time) => (version_from(world, &self.path, time).map_err(engine_error)?, false),
        };
        let first = DeltaOffset { table_id: table.id, version, index: BASE_INDEX, is_starting_version };
        self.state().first = Some(first.clone());
        Ok(first)
    }

    /// The first offset of a run must lie in the table, and the schema before it must still be readable.
    fn check(&mut self, world: &mut World, start: &DeltaOffset) -> Result<()> {
        if std::mem::replace(&mut self.state().is_checked, true) || start.version == 0 {
            return Ok(());
        }
        let before = if start.is_starting_version { start.version } else { start.version - 1 };
        if before > latest_version(world, &self.path).unwrap_or(-1) {
            return Err(illegal_state(format!("Trying to load a non-existent version {before}")).into());
        }
        let table = self.table();
        let snapshot = table.snapshot(world, before)?;
        table.check_schema(snapshot.metadata(), before)
    }

    /// The end of what comes after `from`, within a limit.
    fn end(
        &mut self,
        world: &mut World,
        from: &DeltaOffset,
        limited: bool,
        bound: Option<&DeltaOffset>,
    ) -> Result<Option<DeltaOffset>> {
        let table = self.table();
        let all = |most: Option<i64>| if limited { most.unwrap_or(i64::MAX) } else { i64::MAX };
        let (mut files, mut bytes) = (all(table.options.max_files), all(table.options.max_bytes));
        let mut admit = |file: &IndexedFile| {
            let Some(add) = &file.add else { return true };
            let fits = files > 0 && bytes > 0;
            files -= 1;
            bytes = bytes.saturating_sub(add.size);
            fits
        };
        let last = table.scan(world, from, bound, &mut admit)?;
        Ok(last.map(|(version, index)| DeltaOffset {
            table_id: table.id,
            version: if index == END_INDEX { version + 1 } else { version },
            index: if index == END_INDEX { BASE_INDEX } else { index },
            is_starting_version: index != END_INDEX && from.is_starting_version && version == from.version,
        }))
    }
}

impl Source for DeltaSource {
    fn schema(&self) -> Arc<StructType> {
        self.schema.clone()
    }

    fn description(&self) -> String {
        format!("DeltaSource[{}]", printed(&self.path))
    }

    fn recover(&mut self, world: &mut World) -> Result<()> {
        self.path = match (&self.text, &self.spec.table) {
            (Some(text), _) => world.resolve(text),
            (None, Some(name)) => table_path(world, name),
            (None, None) => String::new(),
        };
        let options = DeltaStreamOptions::parse(&self.spec.options, self.zone, world.now())?;
        let Some(snapshot) = Snapshot::find(world, &self.path).map_err(engine_error)? else {
            return Err(tidemark_delta::condition::schema_not_set().into());
        };
        let id = snapshot.table_id().to_owned();
        let table = ScannedTable { path: self.path.clone(), id, schema: self.schema.clone(), options };
        self.state().began = Some((snapshot, table));
        Ok(())
    }

    fn prepare_available_now(&mut self, _world: &mut World) -> Result<()> {
        self.state().is_available_now = true;
        Ok(())
    }

    fn default_limit(&self) -> ReadLimit {
        ReadLimit::MaxFiles(u64::MAX)
    }

    fn list(
        &mut self,
        world: &mut World,
        start: Option<&Offset>,
        limit: ReadLimit,
    ) -> Result<Option<String>> {
        let table = self.table();
        let from = match start {
            Some(start) => {
                let start = DeltaOffset::parse(start, &table.id)?;
                self.check(world, &start)?;
                start
            }
            None => self.first(world)?,
        };
        if self.state.is_available_now && self.state.frozen.is_none() {
            let end = self.end(world, &from, false, None)?;
            self.state().frozen = Some(end.unwrap_or_else(|| from.clone()));
        }
        let bound = self.state.frozen.clone();
        let end = self.end(world, &from, limit != ReadLimit::All, bound.as_ref())?;
        let words = end.as_ref().map(|end| format!("the table is new up to {}", place(end)));
        let known = start.is_some().then_some(from);
        self.state().latest = end.or(known);
        Ok(words)
    }

    fn note(&mut self, _world: &mut World) -> Result<Option<String>> {
        Ok(None)
    }

    fn latest_offset(&self, start: Option<&Offset>) -> Result<Option<Offset>> {
        Ok(self.state.latest.as_ref().map(DeltaOffset::render).or_else(|| start.cloned()))
    }

    fn plan(&mut self, world: &mut World, start: Option<&Offset>, end: &Offset) -> Result<()> {
        let table = self.table();
        let end = DeltaOffset::parse(end, &table.id)?;
        let from = match start {
            Some(start) => {
                let start = DeltaOffset::parse(start, &table.id)?;
                self.check(world, &start)?;
                start
            }
            None if table.options.start == Start::Snapshot => {
                let version = if end.is_starting_version { end.version } else { end.version - 1 };
                let table_id = table.id.clone();
                DeltaOffset { table_id, version, index: BASE_INDEX, is_starting_version: true }
            }
            None => self.first(world)?,
        };
        let mut adds = Vec::new();
        table.scan(world, &from, Some(&end), &mut |file| {
            adds.extend(file.add.clone());
            true
        })?;
        self.state().planned = adds;
        Ok(())
    }

    fn read(&mut self, world: &mut World) -> Result<Vec<Task>> {
        match &self.state.began {
            Some((snapshot, _)) => {
                let adds: Vec<&Add> = self.state.planned.iter().collect();
                read_adds(world, snapshot, &adds, &self.schema, &self.pack)
            }
            None => Ok(Vec::new()),
        }
    }

    fn commit(&mut self, _world: &mut World, _end: &Offset) -> Result<Option<String>> {
        Ok(None)
    }

    fn words(&self, _start: Option<&Offset>, end: &Offset) -> String {
        let end = self.state.began.as_ref().and_then(|(_, table)| DeltaOffset::parse(end, &table.id).ok());
        let up_to = end.map(|end| format!(" up to {}", place(&end))).unwrap_or_default();
        format!("{}{up_to}", self.description())
    }

    fn boxed_clone(&self) -> Box<dyn Source> {
        Box::new(self.clone())
    }
}

/// Where an offset lies, in words for the learner.
fn place(offset: &DeltaOffset) -> String {
    match (offset.index, offset.is_starting_version) {
        (BASE_INDEX, _) => format!("the end of version {}", offset.version - 1),
        (index, true) => format!("file {index} of the snapshot of version {}", offset.version),
        (index, false) => format!("file {index} of version {}", offset.version),
    }
}
