//! A table and its rows, each with its place.

/// One table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// `out/`, or the name of a memory table.
    pub(crate) name: String,
    /// `delta`, `memory` or `files`.
    pub(crate) kind: &'static str,
    /// The version of a Delta table.
    pub(crate) version: Option<i64>,
    /// The column names.
    pub(crate) columns: Vec<String>,
    /// The rows, in the order in which they came; none if there are too many.
    pub(crate) rows: Vec<Placed>,
    /// The number of all rows.
    pub(crate) total: u64,
    /// Data files that no commit names, relative to the root.
    pub(crate) orphans: Vec<String>,
}

/// A row and its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// The cells as Spark shows them.
    pub(crate) cells: Vec<String>,
    /// Who brought it, if a query did.
    pub(crate) writer: Option<Writer>,
    /// The version that brought it.
    pub(crate) version: Option<i64>,
    /// The note by which a second try of the batch would find it, `7f3ac1d2, 1`, if the commit has one.
    pub(crate) txn: Option<String>,
    /// The version that rewrote the file in which it came, if one did.
    pub(crate) moved: Option<i64>,
    /// The data file, relative to the root.
    pub(crate) file: Option<String>,
    /// Its place in the file, from 0.
    pub(crate) position: usize,
}

/// A batch of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Writer {
    /// The id of the query.
    pub(crate) query: String,
    /// The batch.
    pub(crate) batch: i64,
}
