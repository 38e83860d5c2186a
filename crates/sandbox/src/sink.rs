//! The tables that queries write, as the page gets them: rows with the batch and version that brought each.

use std::rc::Rc;

use tidemark_protocol::{SinkRow, SinkView};
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::zone::Zone;
use tidemark_types::{Batch, DataType};
use tidemark_world::{Change, World};

use crate::moment::{Lanes, Memories};
use crate::table::{Copies, News, Place, Placed, Reader, Table, places, table_at};

/// The sinks as of a moment. Rows that were there at the moment before are shared with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sinks {
    all: Rc<Vec<Sink>>,
}

/// One of them.
#[derive(Clone, Debug)]
struct Sink {
    /// The absolute path of a Delta table.
    path: Option<String>,
    /// Without its rows.
    view: SinkView,
    rows: Vec<Rc<SinkRow>>,
    /// Rows that are there more than once.
    doubled: usize,
}

impl Sinks {
    /// Reads all sinks of the queries so far, each once: these changes were made since `before` was read.
    pub(crate) fn read(
        reader: &mut Reader,
        world: &World,
        lanes: &Lanes,
        memories: &Memories,
        (before, changes): (&Sinks, &[Change]),
    ) -> Sinks {
        let made = places(lanes).into_iter().filter_map(|place| {
            if let Place::Delta(path) = place
                && let Some(old) = before.all.iter().find(|old| old.path.as_deref() == Some(path))
                && let Some(news) = reader.follow(world, lanes, path, changes)
            {
                return Some(old.after(news, reader.copies(path)?));
            }
            let table = table_at(reader, world, lanes, memories, place)?;
            let old = before.all.iter().find(|old| old.view.name == table.name);
            let before = old.map_or(&[][..], |old| &old.rows);
            Some(match place {
                Place::Delta(path) => Sink::of(table, Some(path), before, reader.copies(path)),
                Place::Memory(_) | Place::Files(..) => Sink::of(table, None, before, None),
            })
        });
        Sinks { all: Rc::new(made.collect()) }
    }

    /// As the page gets them.
    pub(crate) fn to_views(&self) -> Vec<SinkView> {
        let view = |sink: &Sink| SinkView {
            rows: sink.rows.iter().map(|row| row.as_ref().clone()).collect(),
            ..sink.view.clone()
        };
        self.all.iter().map(view).collect()
    }

    /// The rows of all of them.
    pub(crate) fn total(&self) -> u64 {
        self.all.iter().map(|sink| sink.view.total).sum()
    }

    /// The rows that are there more than once.
    pub(crate) fn doubled(&self) -> usize {
        self.all.iter().map(|sink| sink.doubled).sum()
    }
}

impl Sink {
    /// A table as it was read, with its path if it is a Delta table; rows that were there before are shared. How often
    /// each row is there may be known already.
    fn of(table: Table, path: Option<&str>, before: &[Rc<SinkRow>], known: Option<&Copies>) -> Sink {
        let counted = known.is_none().then(|| Copies::of(&table.rows));
        let copies = known.or(counted.as_ref()).expect("what is not known is counted");
        let doubled = copies.doubled();
        let made = table.rows.into_iter().take(SinkView::ROWS_MAX).enumerate().map(|(at, placed)| {
            let row = row(placed, copies);
            match before.get(at) {
                Some(old) if **old == row => old.clone(),
                _ => Rc::new(row),
            }
        });
        let rows = made.collect();
        let view = SinkView {
            name: table.name,
            kind: table.kind.to_owned(),
            version: table.version,
            columns: table.columns,
            rows: Vec::new(),
            total: table.total,
            orphans: table.orphans,
            text: String::new(),
        };
        Sink { path: path.map(str::to_owned), view, rows, doubled }
    }

    /// The same table after this.
    fn after(&self, news: News, copies: &Copies) -> Sink {
        let mut next = self.clone();
        next.view.version = Some(news.version);
        next.view.total = news.total;
        next.view.orphans = news.orphans;
        if news.is_too_large {
            next.rows.clear();
        }
        if copies.doubled() != self.doubled {
            for row in &mut next.rows {
                let count = copies.count(&row.cells);
                if count != row.copies {
                    Rc::make_mut(row).copies = count;
                }
            }
        }
        next.doubled = copies.doubled();
        let room = SinkView::ROWS_MAX.saturating_sub(next.rows.len());
        next.rows.extend(news.rows.into_iter().take(room).map(|placed| Rc::new(row(placed, copies))));
        next
    }
}

/// A row as the page gets it.
fn row(placed: Placed, copies: &Copies) -> SinkRow {
    SinkRow {
        copies: copies.count(&placed.cells),
        cells: placed.cells,
        batch: placed.writer.map(|writer| writer.batch),
        version: placed.version,
        file: placed.file,
    }
}

/// The cells of the first rows of a batch, as Spark shows them.
pub(crate) fn cells(batch: &Batch, most: usize) -> Vec<Vec<String>> {
    let style = TextStyle::show(Zone::UTC);
    (0..batch.rows().min(most))
        .map(|row| {
            batch
                .schema()
                .fields
                .iter()
                .zip(batch.columns())
                .map(|(field, column)| cell(column, &field.data_type, row, style))
                .collect()
        })
        .collect()
}

fn cell(column: &arrow::array::ArrayRef, data_type: &DataType, row: usize, style: TextStyle) -> String {
    value_text(column, data_type, row, style).unwrap_or_else(|| "NULL".to_owned())
}
