//! What a file stream finds in its folder: which files count, and in which order.

use tidemark_types::SimTime;
use tidemark_world::{Entry, World};

use crate::file_source::options::FileStreamOptions;
use crate::glob;
use crate::sink::sink_log::is_log_of_sink;

/// A file that a listing found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The absolute path.
    pub(crate) path: String,
    /// The URI, as the source log writes it.
    pub(crate) uri: String,
    /// The size in bytes.
    pub(crate) size: u64,
    /// The modification time.
    pub(crate) modified: SimTime,
}

/// Lists a folder or a pattern: oldest first, or newest first; files of one time in the order of their names.
pub(crate) fn list(world: &mut World, path: &str, options: &FileStreamOptions) -> Vec<Found> {
    let roots = if glob::is_pattern(path) { glob::expand(world, path) } else { vec![path.to_owned()] };
    let mut out = Vec::new();
    for root in roots.into_iter().filter(|root| !is_log_of_sink(root)) {
        if let Some(meta) = world.head(&root) {
            if !is_hidden(name(&root)) {
                out.push(Found {
                    uri: world.uri(&root),
                    path: root,
                    size: meta.size,
                    modified: meta.modified,
                });
            }
            continue;
        }
        let depth = if options.recursive_file_lookup { Depth::All } else { Depth::Folder };
        let partitioned = depth == Depth::Folder && has_partition(world, &root);
        folder(world, &root, if partitioned { Depth::Partitions } else { depth }, &mut out);
    }
    filtered(out, options)
}

/// Files that the options want, in the order of reading.
pub(crate) fn filtered(mut out: Vec<Found>, options: &FileStreamOptions) -> Vec<Found> {
    if let Some(pattern) = &options.path_glob_filter {
        out.retain(|found| glob::matches(pattern, name(&found.path)));
    }
    if options.latest_first {
        out.sort_by_key(|found| std::cmp::Reverse(found.modified));
    } else {
        out.sort_by_key(|found| found.modified);
    }
    out
}

/// Whether a name is passed over: hidden, or not complete yet.
pub(crate) fn is_hidden(name: &str) -> bool {
    (name.starts_with('_') && !name.contains('=')) || name.starts_with('.') || name.ends_with("._COPYING_")
}

/// The columns that the folders between a base and a file name, outermost first.
pub(crate) fn partition_of(base: &str, path: &str) -> Vec<(String, Option<String>)> {
    let Some(below) = path.strip_prefix(base) else { return Vec::new() };
    let folders = below.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders
        .split('/')
        .filter_map(|folder| folder.split_once('='))
        .map(|(column, value)| {
            let value = (value != "__HIVE_DEFAULT_PARTITION__").then(|| unescape(value));
            (unescape(column), value)
        })
        .collect()
}

/// How far below a folder files count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Only in the folder itself.
    Folder,
    /// Only in partition folders below it.
    Partitions,
    /// At any depth.
    All,
}

fn folder(world: &mut World, path: &str, depth: Depth, out: &mut Vec<Found>) {
    for entry in world.children(path) {
        if is_hidden(name(entry.path())) {
            continue;
        }
        match entry {
            Entry::File(meta) if depth != Depth::Partitions => {
                let uri = world.uri(&meta.path);
                out.push(Found { path: meta.path, uri, size: meta.size, modified: meta.modified });
            }
            Entry::File(_) => {}
            Entry::Folder(below) => match depth {
                Depth::Folder => {}
                Depth::All => folder(world, &below, Depth::All, out),
                Depth::Partitions if name(&below).contains('=') => {
                    let next = if has_partition(world, &below) { Depth::Partitions } else { Depth::Folder };
                    folder(world, &below, next, out);
                }
                Depth::Partitions => {}
            },
        }
    }
}

fn has_partition(world: &mut World, path: &str) -> bool {
    world.children(path).iter().any(
        |entry| matches!(entry, Entry::Folder(below) if name(below).contains('=') && !is_hidden(name(below))),
    )
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A folder's text with `%3A` and the like as the letters they stand for.
fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()))
            .flatten();
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use tidemark_plan::spec::Options;

    use super::*;

    fn listed(files: &[(&str, i64)], path: &str, options: &[(&str, &str)]) -> Vec<String> {
        let mut world = World::new("/w", 0, SimTime(0));
        for (file, modified) in files {
            world.drop_file(&format!("/w/in/{file}"), "x", SimTime(*modified));
        }
        let options: Options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let options = FileStreamOptions::parse(&options).expect("the options are good");
        list(&mut world, path, &options).into_iter().map(|f| f.path["/w/in/".len()..].to_owned()).collect()
    }

    #[test]
    fn which_files_and_in_which_order() {
        let mixed = [("b.json", 1), ("a.json", 2), ("c.json", 2), ("_x", 1), (".y", 1), ("z._COPYING_", 1)];
        let nested = [("top.json", 1), ("d1/b.json", 2), ("d2/c.json", 3), ("d2/e/f.json", 4)];
        let partitions = [("top.json", 1), ("p=1/a.json", 2), ("p=2/b.json", 1), ("plain/c.json", 1)];
        let table: [(&[(&str, i64)], &str, &[(&str, &str)], &[&str]); 9] = [
            (&mixed, "/w/in", &[], &["b.json", "a.json", "c.json"]),
            (&mixed, "/w/in", &[("latestfirst", "true")], &["a.json", "c.json", "b.json"]),
            (&mixed, "/w/in", &[("pathglobfilter", "[ab]*")], &["b.json", "a.json"]),
            (&nested, "/w/in", &[], &["top.json"]),
            (&nested, "/w/in/*", &[], &["top.json", "d1/b.json", "d2/c.json"]),
            (&nested, "/w/in/d*", &[], &["d1/b.json", "d2/c.json"]),
            (
                &nested,
                "/w/in",
                &[("recursivefilelookup", "true")],
                &["top.json", "d1/b.json", "d2/c.json", "d2/e/f.json"],
            ),
            (&partitions, "/w/in", &[], &["p=2/b.json", "p=1/a.json"]),
            (&[], "/w/in", &[], &[]),
        ];
        for (files, path, options, wanted) in table {
            assert_eq!(listed(files, path, options), wanted, "{path} {options:?}");
        }
    }

    #[test]
    fn columns_of_folders() {
        let table: [(&str, &[(&str, Option<&str>)]); 3] = [
            ("/in/a.json", &[]),
            ("/in/p=1/q=a%3Ab/a.json", &[("p", Some("1")), ("q", Some("a:b"))]),
            ("/in/p=__HIVE_DEFAULT_PARTITION__/a.json", &[("p", None)]),
        ];
        for (path, wanted) in table {
            let got = partition_of("/in", path);
            let got: Vec<_> = got.iter().map(|(c, v)| (c.as_str(), v.as_deref())).collect();
            assert_eq!(got, wanted, "{path}");
        }
    }
}
