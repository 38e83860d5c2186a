//! The tables that queries write, as the page gets them: rows with the batch and version that brought each.

use std::collections::BTreeMap;

use tidemark_protocol::{SinkRow, SinkView};
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::zone::Zone;
use tidemark_types::{Batch, DataType};
use tidemark_world::World;

use crate::moment::{Lanes, Memories};
use crate::table::{Table, tables};

/// All sinks of the queries so far, each once.
pub(crate) fn sinks(world: &World, lanes: &Lanes, memories: &Memories) -> Vec<SinkView> {
    tables(world, lanes, memories).into_iter().map(to_view).collect()
}

fn to_view(table: Table) -> SinkView {
    let mut rows: Vec<SinkRow> = table
        .rows
        .into_iter()
        .map(|row| SinkRow {
            cells: row.cells,
            batch: row.writer.map(|writer| writer.batch),
            version: row.version,
            file: row.file,
            copies: 1,
        })
        .collect();
    count_copies(&mut rows);
    rows.truncate(SinkView::ROWS_MAX);
    SinkView {
        name: table.name,
        kind: table.kind.to_owned(),
        version: table.version,
        columns: table.columns,
        rows,
        total: table.total,
        orphans: table.orphans,
        text: String::new(),
    }
}

fn count_copies(rows: &mut [SinkRow]) {
    let mut counts: BTreeMap<Vec<String>, u32> = BTreeMap::new();
    for row in rows.iter() {
        *counts.entry(row.cells.clone()).or_default() += 1;
    }
    for row in rows {
        row.copies = counts.get(&row.cells).copied().unwrap_or(1);
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
