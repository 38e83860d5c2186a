//! Exported folders taken in again: the store as it was, or as real Spark left it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value as Json;
use tidemark_types::{Millis, SimTime};
use tidemark_world::World;

use crate::archive::{self, Entry, shown};
use crate::export::{FORMAT, MANIFEST, OURS, SCRIPT, root_uri};

/// A folder from an archive, ready to be placed.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    /// The script, if there is one.
    pub(crate) script: Option<String>,
    /// When the World that it comes from stood still, or its newest file was written.
    clock: SimTime,
    /// The prefix of absolute paths in its logs.
    root: String,
    files: Vec<Entry>,
    folders: Vec<String>,
}

impl Folder {
    /// Reads the archive of an act.
    ///
    /// Errors: what is wrong with it, as a sentence that names it, with the next move.
    pub(crate) fn read(name: &str, archive: &str) -> Result<Folder, String> {
        let refuse = |why: String| {
            format!(
                "{} was not imported: {why}. The store stands as before. Export or pack the folder again.",
                shown(name)
            )
        };
        let bytes = decode(archive).map_err(refuse)?;
        let entries = archive::read(&bytes).map_err(refuse)?;
        Folder::of_entries(entries).map_err(refuse)
    }

    /// How many bytes its files have.
    pub(crate) fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.bytes.len()).sum()
    }

    /// How many files it brings.
    pub(crate) fn files(&self) -> usize {
        self.files.len()
    }

    fn of_entries(entries: Vec<Entry>) -> Result<Folder, String> {
        let manifests = entries.iter().filter(|entry| entry.path.rsplit('/').next() == Some(MANIFEST));
        let manifest = manifests.min_by_key(|entry| entry.path.matches('/').count());
        let manifest =
            manifest.ok_or("it is no folder that was exported here: manifest.json is not in it")?;
        let prefix = manifest.path.strip_suffix(MANIFEST).unwrap_or_default().to_owned();
        let notes: Json = serde_json::from_slice(&manifest.bytes).map_err(|_| "manifest.json is no JSON")?;
        if notes["format"] != FORMAT || notes["version"] != 1 {
            return Err("manifest.json is not that of an exported folder".to_owned());
        }
        let root = notes["root"].as_str().filter(|root| root.starts_with("file://")).unwrap_or_default();
        let mut folder = Folder {
            script: None,
            clock: SimTime(notes["clock"].as_i64().unwrap_or(0)),
            root: root.to_owned(),
            files: Vec::new(),
            folders: Vec::new(),
        };
        for entry in entries {
            let Some(path) = entry.path.strip_prefix(&prefix) else { continue };
            let (path, entry) = (path.to_owned(), entry);
            if path == SCRIPT {
                let text = String::from_utf8(entry.bytes).map_err(|_| "main.py is not UTF-8")?;
                folder.script = Some(text);
            } else if let Some(path) = path.strip_suffix('/') {
                folder.folders.push(path.to_owned());
            } else if !path.is_empty() && !OURS.contains(&path.as_str()) && !is_side_file(&path) {
                let modified = time_of(&entry, &notes["files"][path.as_str()]);
                folder.clock = folder.clock.max(modified);
                folder.files.push(Entry { path, modified, ..entry });
            }
        }
        Ok(folder)
    }

    /// Places it in the store: what lies there under the same names of the first level goes first.
    ///
    /// The clock is behind the newest file then, so that what is dropped next is newer than all.
    pub(crate) fn place(self, world: &mut World) {
        let first_level = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let mut tops: Vec<String> = self.files.iter().map(|f| first_level(&f.path)).collect();
        tops.extend(self.folders.iter().map(|f| first_level(f)));
        tops.sort();
        tops.dedup();
        for top in tops {
            let path = world.resolve(&top);
            if world.exists(&path) {
                // It is there, and the driver is up for the time of an import.
                let _ = world.delete_tree(&path);
            }
        }
        let ours = root_uri(world);
        for folder in self.folders.iter().filter(|path| !path.is_empty()) {
            // Nothing is in the way: a file of this name would have been refused as a second entry.
            let _ = world.make_folders(&world.resolve(folder));
        }
        let behind = Millis((self.clock.0 - world.now().0).max(0) + 1000);
        for file in self.files {
            let bytes =
                if holds_paths(&file.path) { rewrite(file.bytes, &self.root, &ours) } else { file.bytes };
            world.drop_file(&world.resolve(&file.path), bytes, file.modified);
        }
        world.advance(behind);
    }
}

fn decode(archive: &str) -> Result<Vec<u8>, String> {
    if archive.len() / 4 * 3 > archive::ARCHIVE_BYTES_MAX + 3 {
        return Err(format!("it is bigger than {} MB", archive::ARCHIVE_BYTES_MAX >> 20));
    }
    STANDARD.decode(archive).map_err(|_| "it did not come through whole".to_owned())
}

/// A checksum that Hadoop keeps beside a file; here there are none.
fn is_side_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with('.') && name.ends_with(".crc")
}

/// The time of a file: to the millisecond where the manifest knows the file as it is, else as the archive has it.
fn time_of(entry: &Entry, note: &Json) -> SimTime {
    let Some(noted) = note["modified"].as_i64() else { return entry.modified };
    let is_as_noted = if entry.is_utc {
        noted.div_euclid(1000) == entry.modified.0.div_euclid(1000)
    } else {
        note["bytes"].as_u64() == Some(entry.bytes.len() as u64)
    };
    if is_as_noted { SimTime(noted) } else { entry.modified }
}

/// Whether a file is a log with absolute paths: `sources/N/…` of a checkpoint, `_spark_metadata/…` of a file sink.
fn holds_paths(path: &str) -> bool {
    let mut folders = path.rsplit('/').skip(1);
    let parent = folders.next();
    parent == Some("_spark_metadata") || folders.next() == Some("sources")
}

/// Makes the paths of a log ours.
fn rewrite(bytes: Vec<u8>, root: &str, ours: &str) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&bytes) else { return bytes };
    if root.is_empty() || root == ours {
        return bytes;
    }
    let short = root.replacen("file:///", "file:/", 1);
    let with = format!("\"{ours}/");
    text.replace(&format!("\"{root}/"), &with).replace(&format!("\"{short}/"), &with).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::file;
    use tidemark_protocol::ExportForm;

    fn world() -> World {
        let mut world = World::new("/tidemark", 1, SimTime(1_767_268_800_000));
        world.drop_file("/tidemark/in/a b.json", "{\"id\":1}\n", SimTime(1_767_268_801_123));
        let log = "v1\n{\"path\":\"file:///tidemark/in/a%20b.json\",\"timestamp\":1,\"batchId\":0}";
        world.drop_file("/tidemark/ckpt/sources/0/0", log, SimTime(1_767_268_802_000));
        world.make_folders("/tidemark/empty").expect("nothing is in the way");
        world
    }

    fn packed(world: &World) -> Vec<Entry> {
        let exported = file(world, "x = 1\n", ExportForm::Folder).expect("it fits");
        archive::read(&exported.bytes).expect("it is whole")
    }

    fn imported(entries: &[Entry]) -> Result<Folder, String> {
        Folder::read("work.zip", &STANDARD.encode(archive::write(entries)))
    }

    #[test]
    fn a_folder_comes_back_as_it_went() {
        let before = world();
        let folder = imported(&packed(&before)).expect("it is ours");
        assert_eq!((folder.script.as_deref(), folder.files()), (Some("x = 1\n"), 2));
        let mut after = World::new("/tidemark", 2, SimTime(1_767_268_800_000));
        folder.place(&mut after);
        for meta in before.peek_list("/tidemark") {
            assert_eq!(after.peek(&meta.path), before.peek(&meta.path), "{}", meta.path);
        }
        assert!(after.is_folder("/tidemark/empty"));
        assert_eq!(after.now(), SimTime(1_767_268_803_000));
    }

    #[test]
    fn what_another_place_wrote_becomes_ours() {
        let mut entries = packed(&world());
        let log =
            "v1\n{\"path\":\"file:///home/x/w/in/a%20b.json\"}\n{\"path\":\"file:/home/x/w/in/b.json\"}";
        for entry in &mut entries {
            if entry.path.ends_with(MANIFEST) {
                let text =
                    String::from_utf8_lossy(&entry.bytes).replace("file:///tidemark", "file:///home/x/w");
                entry.bytes = text.into_bytes();
            } else if entry.path.ends_with("sources/0/0") {
                entry.bytes = log.into();
            }
            entry.path = entry.path.replace("tidemark-work/", "other/name/");
        }
        entries.push(Entry { path: "other/name/out/.part.crc".to_owned(), ..entries[1].clone() });
        let folder = imported(&entries).expect("it is ours");
        let mut world = World::new("/tidemark", 2, SimTime(0));
        folder.place(&mut world);
        let log = world.peek("/tidemark/ckpt/sources/0/0").map(|object| object.bytes.clone());
        let ours =
            "v1\n{\"path\":\"file:///tidemark/in/a%20b.json\"}\n{\"path\":\"file:///tidemark/in/b.json\"}";
        assert_eq!(log.as_deref(), Some(ours.as_bytes()));
        assert!(!world.exists("/tidemark/out"));
    }

    #[test]
    fn what_is_no_exported_folder_is_refused_by_name() {
        let only = |path: &str, text: &str| {
            vec![Entry { path: path.to_owned(), bytes: text.into(), modified: SimTime(0), is_utc: true }]
        };
        for (entries, why) in [
            (only("a.json", "{}"), "manifest.json is not in it"),
            (only("w/manifest.json", "{"), "manifest.json is no JSON"),
            (only("manifest.json", "{\"format\":\"x\"}"), "not that of an exported folder"),
        ] {
            let error = imported(&entries).expect_err("it is not ours");
            assert!(error.starts_with("work.zip was not imported: ") && error.contains(why), "{error}");
        }
        let error = Folder::read("<b>\n.zip", "no base64").expect_err("it is no archive");
        assert!(error.starts_with("<b>.zip was not imported: it did not come through whole."), "{error}");
    }

    #[test]
    fn a_store_with_our_names_is_not_exported() {
        let mut world = world();
        world.drop_file("/tidemark/run.py", "", SimTime(0));
        let error = file(&world, "", ExportForm::Folder).expect_err("the name is taken");
        assert!(error.starts_with("The store has a run.py of its own"), "{error}");
    }

    #[test]
    fn a_notebook_has_two_cells() {
        let exported = file(&world(), "a = 1\nb = 2\n", ExportForm::Notebook).expect("it fits");
        let notebook: Json = serde_json::from_slice(&exported.bytes).expect("it is JSON");
        assert_eq!((&notebook["nbformat"], &notebook["nbformat_minor"]), (&Json::from(4), &Json::from(5)));
        assert_eq!(notebook["cells"][1]["source"], serde_json::json!(["a = 1\n", "b = 2"]));
    }
}
