//! Which room may depend on which: the table in `crates/README.md` against the manifests.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::{File, Finding};

const MAP: &str = "crates/README.md";
/// The name of a room's package is this and the name of its folder.
const PREFIX: &str = "tidemark-";
/// A room of the table that has no dependencies among ours, and rooms that none but tests may use.
const DEV_ONLY: &str = "testkit";

/// A row of the table.
#[derive(Debug, PartialEq)]
struct Room {
    folder: String,
    line: usize,
    allowed: BTreeSet<String>,
}

/// Every arrow of a manifest that the table does not have, and every room that only one of both knows.
pub(crate) fn check(files: &[File]) -> Vec<Finding> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else {
        return vec![Finding {
            path: MAP.into(),
            line: 1,
            message: "the map of the rooms is missing".into(),
        }];
    };
    let rooms: BTreeMap<String, Room> =
        parse_table(&map.text).into_iter().map(|room| (room.folder.clone(), room)).collect();
    let mut findings = Vec::new();
    let mut folders = BTreeSet::new();
    for manifest in files.iter().filter(|file| file.path.ends_with("/Cargo.toml")) {
        let folder = manifest.path.trim_end_matches("/Cargo.toml");
        folders.insert(folder);
        match rooms.get(folder) {
            Some(room) => findings.extend(check_manifest(manifest, room)),
            None => findings.push(manifest.finding(1, format!("{MAP} has no row for this room"))),
        }
    }
    let gone = rooms.values().filter(|room| !folders.contains(room.folder.as_str()));
    findings.extend(gone.map(|room| map.finding(room.line, format!("there is no room {}", room.folder))));
    findings
}

fn check_manifest(manifest: &File, room: &Room) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut section = "";
    for (index, line) in manifest.text.lines().enumerate() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        }
        let Some(name) = line.strip_prefix(PREFIX) else { continue };
        let name: String =
            name.chars().take_while(|character| character.is_alphanumeric() || *character == '-').collect();
        let is_dev = section.contains("dev-dependencies");
        if section.ends_with("dependencies") && !room.allowed.contains(&name) && !(is_dev && name == DEV_ONLY)
        {
            findings.push(
                manifest.finding(index + 1, format!("{} may not depend on {name}: see {MAP}", room.folder)),
            );
        }
    }
    findings
}

/// The rows ``| `FOLDER` | … | ROOM, ROOM |`` of the table.
fn parse_table(text: &str) -> Vec<Room> {
    let rows = text.lines().enumerate().filter_map(|(index, line)| {
        let cells: Vec<&str> =
            line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
        let [folder, _, allowed] = cells[..] else { return None };
        let folder = folder.strip_prefix('`')?.strip_suffix('`')?;
        let allowed = allowed.split(',').map(|name| name.trim().to_owned()).collect();
        Some(Room { folder: folder.to_owned(), line: index + 1, allowed })
    });
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.into(), text: text.into() }
    }

    const TABLE: &str = "| room | one line | may depend on |\n|---|---|---|\n| `crates/a` | A. | nothing of ours |\n| `crates/b` | B. | a |\n";

    #[test]
    fn the_table_is_read() {
        let rooms = parse_table(TABLE);
        let found: Vec<_> =
            rooms.iter().map(|room| (room.folder.as_str(), room.line, room.allowed.contains("a"))).collect();
        assert_eq!(found, [("crates/a", 3, false), ("crates/b", 4, true)]);
    }

    #[test]
    fn arrows_that_the_table_lacks_are_found() {
        let files = [
            file(MAP, TABLE),
            file(
                "crates/a/Cargo.toml",
                "[dependencies]\ntidemark-b.workspace = true\n[dev-dependencies]\ntidemark-testkit.workspace = true\n",
            ),
            file(
                "crates/b/Cargo.toml",
                "[package]\nname = \"tidemark-b\"\n[dependencies]\ntidemark-a.workspace = true\n",
            ),
        ];
        let findings: Vec<_> = check(&files).iter().map(ToString::to_string).collect();
        assert_eq!(findings, ["crates/a/Cargo.toml:2: crates/a may not depend on b: see crates/README.md"]);
    }

    #[test]
    fn rooms_of_the_table_and_of_the_tree_agree() {
        let files = [file(MAP, TABLE), file("crates/a/Cargo.toml", ""), file("crates/c/Cargo.toml", "")];
        let findings: Vec<_> =
            check(&files).iter().map(|finding| (finding.path.clone(), finding.line)).collect();
        assert_eq!(findings, [("crates/c/Cargo.toml".to_owned(), 1), (MAP.to_owned(), 4)]);
    }
}
