//! Files and clock of the script: system calls of Python, answered by the World.

use tidemark_python::{SystemCall, SystemError, SystemReply};
use tidemark_types::Millis;
use tidemark_world::{World, WorldError};

/// Why a system call is not answered with a reply or an `OSError`.
pub(crate) enum Refused {
    /// The outside refuses.
    System(SystemError),
    /// The driver has been stopped.
    Crashed(String),
}

impl From<WorldError> for Refused {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::NotFound { .. } => Refused::System(SystemError::NotFound),
            WorldError::AlreadyExists { .. } => Refused::System(SystemError::Exists),
            WorldError::IsFolder { .. } => Refused::System(SystemError::IsFolder),
            WorldError::Full { .. } => Refused::System(SystemError::NoSpace),
            WorldError::Crashed { place } => Refused::Crashed(place),
        }
    }
}

/// Answers a call. `Sleep` only moves the clock: the driver lets the queries run first.
// tidy: table
pub(crate) fn answer(world: &mut World, call: &SystemCall) -> Result<SystemReply, Refused> {
    let refuse = |error| Err(Refused::System(error));
    match call {
        SystemCall::Read { path } => Ok(SystemReply::Bytes(world.get(&world.resolve(path))?.to_vec())),
        SystemCall::Write { path, bytes } => {
            let path = world.resolve(path);
            let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
            if !world.is_folder(parent) {
                return refuse(SystemError::NotFound);
            }
            world.advance(Millis(1));
            world.put(&path, bytes.clone())?;
            Ok(SystemReply::Done)
        }
        SystemCall::List { path } => {
            let path = folder(world, path)?;
            let names = world.children(&path);
            let names = names.iter().filter_map(|e| e.path().rsplit('/').next().map(str::to_owned)).collect();
            Ok(SystemReply::Names(names))
        }
        SystemCall::Remove { path } => {
            let path = world.resolve(path);
            if world.is_folder(&path) {
                return refuse(SystemError::IsFolder);
            }
            world.delete(&path)?;
            Ok(SystemReply::Done)
        }
        SystemCall::RemoveFolder { path } => {
            let path = folder(world, path)?;
            if !world.children(&path).is_empty() {
                return refuse(SystemError::NotEmpty);
            }
            world.delete_tree(&path)?;
            Ok(SystemReply::Done)
        }
        SystemCall::RemoveTree { path } => {
            let path = folder(world, path)?;
            world.delete_tree(&path)?;
            Ok(SystemReply::Done)
        }
        SystemCall::MakeFolder { path, parents } => {
            let path = world.resolve(path);
            if world.exists(&path) {
                return refuse(SystemError::Exists);
            }
            let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
            if !parents && !world.is_folder(&parent) {
                return refuse(SystemError::NotFound);
            }
            world.make_folders(&path)?;
            Ok(SystemReply::Done)
        }
        SystemCall::Rename { from, to } => {
            let (from, to) = (world.resolve(from), world.resolve(to));
            rename(world, &from, &to)?;
            Ok(SystemReply::Done)
        }
        SystemCall::Stat { path } => {
            let path = world.resolve(path);
            if world.is_folder(&path) {
                let modified_micros = world.now().to_event_time().0;
                return Ok(SystemReply::Stat { folder: true, size: 4096, modified_micros });
            }
            Ok(match world.head(&path) {
                Some(meta) => SystemReply::Stat {
                    folder: false,
                    size: meta.size,
                    modified_micros: meta.modified.to_event_time().0,
                },
                None => SystemReply::Absent,
            })
        }
        SystemCall::Sleep { micros } => {
            world.advance(Millis(i64::try_from(*micros / 1000).unwrap_or(i64::MAX)));
            Ok(SystemReply::Done)
        }
        SystemCall::Now => Ok(SystemReply::Now(world.now().to_event_time().0)),
    }
}

/// The absolute path of a folder that is there.
fn folder(world: &World, path: &str) -> Result<String, Refused> {
    let path = world.resolve(path);
    match (world.is_folder(&path), world.exists(&path)) {
        (true, _) => Ok(path),
        (false, true) => Err(Refused::System(SystemError::NotFolder)),
        (false, false) => Err(Refused::System(SystemError::NotFound)),
    }
}

fn rename(world: &mut World, from: &str, to: &str) -> Result<(), Refused> {
    if world.is_folder(from) {
        for meta in world.list(from) {
            let target = format!("{to}{}", &meta.path[from.len()..]);
            let bytes = world.get(&meta.path)?;
            world.put(&target, bytes)?;
        }
        world.delete_tree(from)?;
        return Ok(());
    }
    let bytes = world.get(from)?;
    world.put(to, bytes)?;
    world.delete(from)?;
    Ok(())
}
