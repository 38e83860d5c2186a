//! A World on a real folder: read at the start, written through in the engine's order.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tidemark_sandbox::SimTime;
use tidemark_sandbox::world::{Change, World};

/// The World of a folder: every file with its content and its modification time.
pub(crate) fn read(root: &str, seed: u64, clock: Option<SimTime>) -> io::Result<World> {
    let mut files = Vec::new();
    let mut folders = Vec::new();
    walk(Path::new(root), &mut files, &mut folders)?;
    let newest = files.iter().map(|(_, modified)| *modified).max();
    let now = clock.or(newest.map(|t| SimTime(t.0 + 1000))).unwrap_or_else(|| millis(SystemTime::now()));
    let mut world = World::new(root, seed, now);
    for folder in folders {
        // A fresh World has no armed crash and no file in the way.
        let _ = world.make_folders(&folder);
    }
    for (path, modified) in files {
        let bytes = fs::read(&path)?;
        world.drop_file(&path, bytes, modified);
    }
    world.take_facts();
    world.take_changes();
    Ok(world)
}

fn walk(folder: &Path, files: &mut Vec<(String, SimTime)>, folders: &mut Vec<String>) -> io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let Some(text) = path.to_str().map(str::to_owned) else { continue };
        let meta = fs::metadata(&path)?;
        if meta.is_dir() {
            folders.push(text);
            walk(&path, files, folders)?;
        } else {
            files.push((text, millis(meta.modified()?)));
        }
    }
    Ok(())
}

fn millis(time: SystemTime) -> SimTime {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    SimTime(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Repeats one change on the disk. A file appears whole or not at all; a stale checksum beside it goes.
pub(crate) fn repeat(change: &Change) -> io::Result<()> {
    match change {
        Change::Put { path, bytes, modified } => {
            let target = Path::new(path);
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent)?;
            }
            let temporary = sibling(target, "tidemark-part");
            fs::write(&temporary, bytes)?;
            let time = UNIX_EPOCH + Duration::from_millis(u64::try_from(modified.0).unwrap_or(0));
            fs::File::options().write(true).open(&temporary)?.set_modified(time)?;
            drop_checksum(target)?;
            fs::rename(&temporary, target)
        }
        Change::Delete { path } => {
            drop_checksum(Path::new(path))?;
            gone(fs::remove_file(path))
        }
        Change::MakeFolder { path } => fs::create_dir_all(path),
        Change::DeleteTree { path } => gone(fs::remove_dir_all(path)),
    }
}

fn sibling(target: &Path, suffix: &str) -> std::path::PathBuf {
    let name = target.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    target.with_file_name(format!(".{name}.{suffix}"))
}

fn drop_checksum(target: &Path) -> io::Result<()> {
    gone(fs::remove_file(sibling(target, "crc")))
}

fn gone(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
