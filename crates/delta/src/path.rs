//! Every object path of a table, built in one place.

use std::fmt::Write as _;

/// The folder of the log.
pub fn log_folder(table_path: &str) -> String {
    format!("{table_path}/_delta_log")
}

/// Where the objects of a version begin in the order of a listing.
pub(crate) fn version(table_path: &str, version: i64) -> String {
    format!("{table_path}/_delta_log/{version:020}")
}

/// The commit of a version.
pub fn commit(table_path: &str, version: i64) -> String {
    format!("{table_path}/_delta_log/{version:020}.json")
}

/// The temporary file through which a commit is written, as Spark's log store on a file system names it.
pub fn commit_temporary(table_path: &str, version: i64, uuid: &str) -> String {
    format!("{table_path}/_delta_log/.{version:020}.json.{uuid}.tmp")
}

/// The classic checkpoint of a version, in one file.
pub fn checkpoint(table_path: &str, version: i64) -> String {
    format!("{table_path}/_delta_log/{version:020}.checkpoint.parquet")
}

/// The pointer to the newest checkpoint.
pub fn last_checkpoint(table_path: &str) -> String {
    format!("{table_path}/_delta_log/_last_checkpoint")
}

/// A sidecar of a v2 checkpoint, from the path that the checkpoint names.
pub fn sidecar(table_path: &str, path: &str) -> String {
    if path.contains('/') {
        decode(path)
    } else {
        format!("{table_path}/_delta_log/_sidecars/{}", decode(path))
    }
}

/// The relative name of a data file: `part-00000-<uuid>-c000.snappy.parquet`, below its partition's folder if it has one.
///
/// The suffix begins with a dash in a table without partitions and with a dot in one with them, as Spark's writers do.
pub fn data_file(partition_folder: &str, task_index: usize, uuid: &str) -> String {
    if partition_folder.is_empty() {
        format!("part-{task_index:05}-{uuid}-c000.snappy.parquet")
    } else {
        format!("{partition_folder}/part-{task_index:05}-{uuid}.c000.snappy.parquet")
    }
}

/// The relative name of a rewritten data file of a table with change feed, or of a change file below `_change_data`.
pub fn change_file(partition_folder: &str, index: usize, uuid: &str) -> String {
    let folder = if partition_folder.is_empty() { String::new() } else { format!("{partition_folder}/") };
    format!("_change_data/{folder}cdc-{index:05}-{uuid}.c000.snappy.parquet")
}

/// The absolute path that `add.path` names: decoded once, relative ones below the table.
pub fn resolve(table_path: &str, add_path: &str) -> String {
    let decoded = decode(add_path);
    if let Some(rest) = decoded.strip_prefix("file:") {
        return rest.strip_prefix("//").unwrap_or(rest).to_owned();
    }
    if decoded.starts_with('/') { decoded } else { format!("{table_path}/{decoded}") }
}

/// The text of `add.path` for a relative name: URI-encoded, with all beyond ASCII left as it is.
///
/// ```
/// assert_eq!(tidemark_delta::path::encode("p=a b%2Fc%25é/part-0"), "p=a%20b%252Fc%2525é/part-0");
/// ```
pub fn encode(relative: &str) -> String {
    let mut out = String::with_capacity(relative.len());
    for c in relative.chars() {
        let kept = !c.is_ascii() || c.is_ascii_alphanumeric() || "/-_.!~*'()=+,:@&$;".contains(c);
        if kept {
            out.push(c);
        } else {
            write!(out, "%{:02X}", u32::from(c)).expect("writing to a String does not fail");
        }
    }
    out
}

/// A URI-encoded text, decoded once.
pub fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()))
            .flatten();
        match code {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The folder of a partition, escaped as Hive does: `day=2026-01-01/city=a%2Fb`; null is `__HIVE_DEFAULT_PARTITION__`.
pub fn partition_folder(values: &[(String, Option<String>)]) -> String {
    let parts: Vec<String> = values
        .iter()
        .map(|(name, value)| {
            let value = value.as_deref().map_or_else(|| "__HIVE_DEFAULT_PARTITION__".to_owned(), hive_escape);
            format!("{}={value}", hive_escape(name))
        })
        .collect();
    parts.join("/")
}

fn hive_escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let special = "\"#%'*/:=?\\{[]^".contains(c) || matches!(c, '\u{1}'..='\u{1f}' | '\u{7f}');
        if special {
            write!(out, "%{:02X}", u32::from(c)).expect("writing to a String does not fail");
        } else {
            out.push(c);
        }
    }
    out
}
