//! Puts the picture together, batch by batch.

use std::collections::BTreeMap;

use tidemark_plan::OutputMode;
use tidemark_protocol::{Fate, PlaneBand, PlaneRow, PlaneView};
use tidemark_types::SimTime;
use tidemark_types::clock::{Clock, length};
use tidemark_world::World;

use crate::batch_log::{self, PlannedBatch};
use crate::moment::{Lane, Lanes};
use crate::plane::read::{self, Asker, ReadRow};
use crate::plane::shape::{self, Gather, Stream};
use crate::plane::windows::{Turn, Windows, holds};
use crate::plane::words::{self, BandFacts};

/// The time plane of a query; of the one with a watermark that started last if none is named.
pub(crate) fn plane(world: &World, lanes: &Lanes, query: Option<usize>) -> PlaneView {
    let timed = |lane: &Lane| shape::streams(&lane.plan).iter().any(|stream| stream.watermark.is_some());
    let Some((at, lane)) = lanes.chosen(query, timed) else {
        let absent = Some(Lanes::NONE.to_owned());
        return PlaneView { absent, ..PlaneView::default() };
    };
    if !timed(lane) {
        let absent = Some("This query does not use event time.".to_owned());
        return PlaneView { query: at, absent, ..PlaneView::default() };
    }
    Picture::new(world, lane).draw(at)
}

struct Picture<'a> {
    world: &'a World,
    lane: &'a Lane,
    streams: Vec<Stream>,
    gather: Gather,
    batches: BTreeMap<i64, PlannedBatch>,
    sessions: bool,
    clock: Clock,
}

impl<'a> Picture<'a> {
    fn new(world: &'a World, lane: &'a Lane) -> Self {
        let gather = shape::gather(&lane.plan);
        let sessions = matches!(&gather, Gather::Windows(plan, _) if shape::window_size(plan).is_none());
        Picture {
            world,
            lane,
            streams: shape::streams(&lane.plan),
            gather,
            batches: batch_log::batches(world, &lane.checkpoint),
            sessions,
            clock: Clock::default(),
        }
    }

    fn draw(mut self, query: usize) -> PlaneView {
        let mut asker = Asker::new(self.world);
        let (read, total) = read::rows(
            self.world,
            &mut asker,
            &self.lane.checkpoint,
            &self.batches,
            &self.streams,
            &self.gather,
        );
        let lines = self.batches.values().flat_map(|batch| [batch.watermark, batch.next]).flatten();
        self.clock = Clock::of(read.iter().filter_map(|row| row.event).chain(lines));
        let Gather::Windows(plan, window) = &self.gather else {
            let (bands, rows, _) = self.bands(&mut asker, &read, None);
            return self.view(query, total, bands, rows, Vec::new());
        };
        let stream = self.streams.iter().find(|s| s.watermark.is_some()).unwrap_or(&self.streams[0]);
        let windows = Windows::new(plan, *window, stream, self.sessions, self.lane.mode);
        let (bands, mut rows, windows) = self.bands(&mut asker, &read, Some(windows));
        let mut windows = windows.map(Windows::finish).unwrap_or_default();
        for (row, read) in rows.iter_mut().zip(&read) {
            row.windows = (0..windows.len())
                .filter(|at| {
                    let window = &windows[*at];
                    holds(&(window.start, window.end, window.key.clone()), read, self.sessions)
                })
                .collect();
        }
        if self.lane.mode == OutputMode::Append {
            let (line, next) = self.last_lines();
            for window in windows.iter_mut().filter(|window| window.left.is_none()) {
                window.why = Some(words::why(self.clock, window.end, self.delay(), line, next));
            }
        }
        self.view(query, total, bands, rows, windows)
    }

    /// The bands with their rows, oldest first, and the windows after the last one.
    fn bands<'w>(
        &self,
        asker: &mut Asker,
        read: &[ReadRow],
        mut windows: Option<Windows<'w>>,
    ) -> (Vec<PlaneBand>, Vec<PlaneRow>, Option<Windows<'w>>) {
        let mut bands: Vec<PlaneBand> = Vec::new();
        let mut rows: Vec<PlaneRow> = Vec::new();
        let mut known: BTreeMap<String, Option<i64>> = BTreeMap::new();
        let mut filter = None;
        for (number, batch) in &self.batches {
            let evict = batch.watermark;
            let sets = batch.next.filter(|next| Some(*next) != evict);
            let of_batch: Vec<&ReadRow> = read.iter().filter(|row| row.batch == *number).collect();
            let first = rows.len();
            let mut counted = Vec::new();
            for row in &of_batch {
                let drawn = self.row(row, filter, evict, &mut known);
                if !matches!(drawn.fate, Fate::Dropped | Fate::Repeated) {
                    counted.push((*row).clone());
                }
                rows.push(drawn);
            }
            self.mark_setter(&mut rows[first..], &of_batch, sets);
            let turn = windows.as_mut().map(|w| w.batch(asker, *number, &counted, evict)).unwrap_or_default();
            if let Some(line) = evict {
                known.retain(|_, leaves| leaves.is_none_or(|at| at > line));
            }
            bands.push(self.band(*number, batch, filter, sets, &rows[first..], &of_batch, &turn));
            filter = evict;
        }
        bands.extend(self.next_band());
        (bands, rows, windows)
    }

    /// One row, and what became of it. `known` holds the keys of a deduplication and when each leaves.
    fn row(
        &self,
        row: &ReadRow,
        filter: Option<i64>,
        evict: Option<i64>,
        known: &mut BTreeMap<String, Option<i64>>,
    ) -> PlaneRow {
        let clock = self.clock;
        let (fate, reason) = self.fate(row, filter, evict, known);
        let fate_reason = match (fate, row.event) {
            (Fate::Ontime, Some(_)) if evict.is_none() => "no line yet".to_owned(),
            (Fate::Ontime, Some(at)) => {
                format!("{} is not behind {}", clock.text(at), clock.text(evict.unwrap_or(at)))
            }
            _ => reason,
        };
        PlaneRow {
            batch: row.batch,
            file: row.file.clone(),
            line: row.line,
            event: row.event,
            key: row.key.clone(),
            value: row.value.clone(),
            cells: self.cells(row),
            fate,
            reason: fate_reason,
            windows: Vec::new(),
            sets: None,
        }
    }

    /// The columns of all streams, each name once.
    fn columns(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for column in self.streams.iter().flat_map(|stream| &stream.output) {
            if !names.contains(&column.name) {
                names.push(column.name.clone());
            }
        }
        names
    }

    /// What a row has in those columns.
    fn cells(&self, row: &ReadRow) -> Vec<String> {
        let own = self.streams.get(row.stream).map(|stream| stream.output.as_slice()).unwrap_or_default();
        let cell = |name: &String| {
            let at = own.iter().position(|column| column.name == *name)?;
            row.cells.get(at).cloned()
        };
        self.columns().iter().map(|name| cell(name).unwrap_or_default()).collect()
    }

    fn fate(
        &self,
        row: &ReadRow,
        filter: Option<i64>,
        evict: Option<i64>,
        known: &mut BTreeMap<String, Option<i64>>,
    ) -> (Fate, String) {
        let clock = self.clock;
        let Some(event) = row.event else {
            return (Fate::Untimed, "it has no event time: never late, and it moves no line".to_owned());
        };
        let is_behind = evict.is_some_and(|line| event < line);
        let late =
            |reason: String| if is_behind { (Fate::Late, reason) } else { (Fate::Ontime, String::new()) };
        let past = |line: Option<i64>| line.filter(|line| event <= *line);
        let too_late = |line: i64| {
            (Fate::Dropped, format!("{} is not after the filter at {}", clock.text(event), clock.text(line)))
        };
        match &self.gather {
            Gather::Windows(..) if self.lane.mode == OutputMode::Complete => {
                late("complete mode keeps every window, so nothing is too late".to_owned())
            }
            Gather::Windows(..) => {
                let end = row.windows.iter().map(|(_, end)| *end).max().unwrap_or(event);
                match filter {
                    Some(line) if end <= line => {
                        let reason = format!(
                            "its window ended at {}, the filter is at {}",
                            clock.text(end),
                            clock.text(line)
                        );
                        (Fate::Dropped, reason)
                    }
                    _ => late(format!(
                        "{} is behind {}, but the window ends at {}",
                        clock.text(event),
                        clock.text(evict.unwrap_or(event)),
                        clock.text(end)
                    )),
                }
            }
            Gather::Keys(_, keys, within) => {
                if let Some(line) = past(filter) {
                    return too_late(line);
                }
                let timed = keys.iter().any(|key| key.watermark_delay.is_some());
                let leaves = match (within, timed) {
                    (true, _) => Some(event + self.delay()),
                    (false, true) => Some(event),
                    (false, false) => None,
                };
                if known.contains_key(&row.key) {
                    return (Fate::Repeated, format!("{} is in the state already", row.key));
                }
                known.insert(row.key.clone(), leaves);
                late(format!(
                    "{} is behind {}, but after the filter",
                    clock.text(event),
                    clock.text(evict.unwrap_or(event))
                ))
            }
            Gather::Times | Gather::Join(..) => match past(filter) {
                Some(line) => too_late(line),
                None => late("it is behind the line, but after the filter".to_owned()),
            },
            Gather::Nothing => late("no operator of this query forgets, so nothing is too late".to_owned()),
        }
    }

    /// Marks the newest row of a batch if it moved the line.
    fn mark_setter(&self, rows: &mut [PlaneRow], read: &[&ReadRow], sets: Option<i64>) {
        let Some(line) = sets else { return };
        let delay = |row: &ReadRow| self.streams.get(row.stream)?.watermark.as_ref().map(|(_, delay)| *delay);
        let setter = read
            .iter()
            .position(|row| row.event.zip(delay(row)).is_some_and(|(event, delay)| event - delay == line));
        if let Some(row) = setter.and_then(|at| rows.get_mut(at)) {
            row.sets = sets;
            row.reason = format!("{}; the newest, sets {}", row.reason, self.clock.text(line));
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one call, and a struct for it would only be unpacked here"
    )]
    fn band(
        &self,
        number: i64,
        batch: &PlannedBatch,
        filter: Option<i64>,
        sets: Option<i64>,
        rows: &[PlaneRow],
        read: &[&ReadRow],
        turn: &Turn,
    ) -> PlaneBand {
        let mut files: Vec<String> = Vec::new();
        for row in read {
            let name = row.file.rsplit('/').next().unwrap_or(&row.file).to_owned();
            if !files.contains(&name) {
                files.push(name);
            }
        }
        let facts = BandFacts {
            rows: rows.iter().collect(),
            turn,
            sets,
            has_line: batch.watermark.is_some(),
            says_on_leaving: self.lane.mode == OutputMode::Append,
        };
        let ends = |row: &PlaneRow| {
            let read = read.iter().find(|read| read.line == row.line && read.file == row.file)?;
            read.windows.iter().map(|(_, end)| *end).max()
        };
        let sentence = words::band(self.clock, &facts, &ends);
        PlaneBand {
            batch: number,
            next: false,
            at: batch.at,
            files,
            filter,
            evict: batch.watermark,
            sets,
            sentence,
        }
    }

    /// The batch that would run next without input, because the line has moved.
    fn next_band(&self) -> Option<PlaneBand> {
        let (number, last) = self.batches.last_key_value()?;
        let next = last.next.filter(|next| Some(*next) != last.watermark)?;
        Some(PlaneBand {
            batch: number + 1,
            next: true,
            at: SimTime(0),
            files: Vec::new(),
            filter: last.watermark,
            evict: Some(next),
            sets: None,
            sentence: format!("The line will stand at {}.", self.clock.text(next)),
        })
    }

    fn last_lines(&self) -> (Option<i64>, Option<i64>) {
        let Some((_, last)) = self.batches.last_key_value() else { return (None, None) };
        (last.watermark, last.next.or(last.watermark))
    }

    fn delay(&self) -> i64 {
        self.streams.iter().filter_map(|s| s.watermark.as_ref()).map(|(_, delay)| *delay).max().unwrap_or(0)
    }

    fn view(
        &self,
        query: usize,
        total: u64,
        bands: Vec<PlaneBand>,
        rows: Vec<PlaneRow>,
        windows: Vec<tidemark_protocol::PlaneWindow>,
    ) -> PlaneView {
        PlaneView {
            query,
            absent: None,
            setup: self.setup(),
            sentence: sentence(&bands, &rows, &windows),
            columns: self.columns(),
            bands,
            rows,
            total,
            windows,
        }
    }

    fn setup(&self) -> String {
        let mut parts = Vec::new();
        match &self.gather {
            Gather::Windows(plan, _) => parts.push(match shape::window_size(plan) {
                Some((size, slide)) if size == slide => format!("window {}", length(size)),
                Some((size, slide)) => {
                    format!("window {}, every {}", length(size), length(slide))
                }
                None => "session windows".to_owned(),
            }),
            Gather::Keys(_, _, true) => parts.push("dropDuplicatesWithinWatermark".to_owned()),
            Gather::Keys(_, _, false) => parts.push("dropDuplicates".to_owned()),
            Gather::Join(..) => parts.push("join".to_owned()),
            Gather::Times | Gather::Nothing => {}
        }
        let mut delays: Vec<i64> =
            self.streams.iter().filter_map(|s| s.watermark.as_ref()).map(|(_, delay)| *delay).collect();
        delays.dedup();
        let delays: Vec<String> = delays.into_iter().map(length).collect();
        parts.push(format!("watermark {}", delays.join(" and ")));
        parts.push(self.lane.mode.word().to_owned());
        parts.join(", ")
    }
}

/// The picture in one sentence.
fn sentence(bands: &[PlaneBand], rows: &[PlaneRow], windows: &[tidemark_protocol::PlaneWindow]) -> String {
    let Some(last) = bands.iter().rev().find(|band| !band.next) else {
        return "No batch has run yet.".to_owned();
    };
    let count = |n: usize, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("one {one}")),
        n => Some(format!("{n} {many}")),
    };
    let of = |fate: Fate| rows.iter().filter(|row| row.fate == fate).count();
    let open = windows.iter().filter(|window| window.left.is_none()).count();
    let parts: Vec<String> = [
        count(of(Fate::Dropped), "row came too late", "rows came too late"),
        count(of(Fate::Repeated), "row was a repeat and is left out", "rows were repeats and are left out"),
        count(open, "window is open", "windows are open"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        return format!("Batch {} is the last one: every row was in time.", last.batch);
    }
    format!("Batch {} is the last one: {}.", last.batch, parts.join(", and "))
}
