//! The rows of the lane in their order: queries one below the other, a second try below the first.

use tidemark_protocol::{BatchView, QueryState, QueryView, View};
use yew::prelude::*;

/// A row.
pub(super) enum Row<'a> {
    /// The heading of a query, where there are several.
    Head { id: &'a str, name: AttrValue, from: String, joined: Option<AttrValue> },
    /// A batch of a query.
    Batch { key: String, query: &'a QueryView, batch: &'a BatchView, name: AttrValue },
    /// A run whose query had nothing to do.
    Idle { key: String, run: u32 },
}

/// All rows. Runs of one query stand together, so that a second try stands below the first.
pub(super) fn rows(view: &View) -> Vec<Row<'_>> {
    let mut ids: Vec<&str> = Vec::new();
    for query in &view.queries {
        if !ids.contains(&query.id.as_str()) {
            ids.push(&query.id);
        }
    }
    let mut rows = Vec::new();
    for id in &ids {
        let mut own = view.queries.iter().enumerate().filter(|(_, query)| query.id == **id);
        let name = own.clone().next().map(|(_, query)| name(query, ids.len() > 1)).unwrap_or_default();
        if let Some((_, first)) = own.clone().next().filter(|_| ids.len() > 1) {
            rows.push(head(view, first, name.clone()));
        }
        for (place, query) in &mut own {
            for batch in &query.batches {
                let key = format!("{place}-{}-{}-{}", batch.run, batch.batch, batch.again);
                rows.push(Row::Batch { key, query, batch, name: name.clone() });
            }
            if query.batches.is_empty() && query.state == QueryState::Ended && query.exception.is_none() {
                rows.push(Row::Idle { key: format!("{place}-idle"), run: query.run });
            }
        }
    }
    rows
}

fn head<'a>(view: &'a View, query: &'a QueryView, own: AttrValue) -> Row<'a> {
    let source = inside(&query.source);
    let writes =
        |other: &&QueryView| other.id != query.id && !source.is_empty() && inside(&other.sink) == source;
    let joined = view.queries.iter().find(writes).map(|other| name(other, true));
    let from = if query.source.is_empty() {
        query.sink.clone()
    } else {
        format!("{} → {}", query.source, query.sink)
    };
    Row::Head { id: &query.id, name: own, from, joined }
}

/// `out/` of `DeltaSink[out/]`.
fn inside(text: &str) -> &str {
    let from = text.find('[').map_or(0, |at| at + 1);
    let to = text.rfind(']').filter(|to| *to >= from).unwrap_or(text.len());
    let path = &text[from..to];
    path.rsplit_once("://").map_or(path, |(_, path)| path).trim_matches('/')
}

/// The name of a query, or the head of its id where there are several.
fn name(query: &QueryView, has_several: bool) -> AttrValue {
    match &query.name {
        Some(name) => name.clone().into(),
        None if has_several => query.id.chars().take(4).collect::<String>().into(),
        None => AttrValue::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn what_a_sink_writes_is_what_a_source_reads() {
        for (text, path) in
            [("DeltaSink[out/]", "out"), ("FileStreamSource[file:///in]", "in"), ("MemorySink", "MemorySink")]
        {
            assert_eq!(inside(text), path);
        }
    }
}
