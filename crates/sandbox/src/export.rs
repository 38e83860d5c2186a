//! Moments as files to go on elsewhere: the script, a notebook, a folder that real Spark resumes.
//!
//! The folder is the store as it is. Its logs of file sources and file sinks hold paths of this World; `relocate.py`, which
//! lies in it, makes them those of the place where the folder is unpacked, and the import makes them ours again.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};
use tidemark_protocol::ExportForm;
use tidemark_types::SimTime;
use tidemark_world::World;

use crate::archive::{self, Entry};
use crate::store;

const README: &str = include_str!("export/README.txt");
const RELOCATE: &str = include_str!("export/relocate.py");
/// Makes `spark` with Delta, as every script here gets it.
const SESSION: &str = include_str!("export/session.py");
const RUN: &str = include_str!("export/run.py");

/// The word by which a manifest is known.
pub(crate) const FORMAT: &str = "tidemark-folder";
pub(crate) const MANIFEST: &str = "manifest.json";
/// The script in the folder.
pub(crate) const SCRIPT: &str = "main.py";
/// The files that an export adds to those of the store.
pub(crate) const OURS: [&str; 5] = ["README.txt", SCRIPT, MANIFEST, "relocate.py", "run.py"];
/// The folder in the archive.
const FOLDER: &str = "tidemark-work";

/// A file to be taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub mime: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl ExportedFile {
    /// Its content as text.
    pub fn base64(&self) -> String {
        STANDARD.encode(&self.bytes)
    }
}

/// A file of a World and a script.
///
/// Errors: the store has a file of its own where the folder needs one of ours, or is too big; the text names it.
pub(crate) fn file(world: &World, script: &str, form: ExportForm) -> Result<ExportedFile, String> {
    let (name, mime, bytes) = match form {
        ExportForm::Script => (SCRIPT.to_owned(), "text/x-python", script.as_bytes().to_vec()),
        ExportForm::Notebook => ("main.ipynb".to_owned(), "application/x-ipynb+json", notebook(script)),
        ExportForm::Folder => (format!("{FOLDER}.zip"), "application/zip", folder(world, script)?),
    };
    Ok(ExportedFile { name, mime, bytes })
}

/// The prefix of absolute paths in the logs of a World.
pub(crate) fn root_uri(world: &World) -> String {
    world.uri(world.root())
}

fn folder(world: &World, script: &str) -> Result<Vec<u8>, String> {
    if let Some(taken) = OURS.iter().find(|name| world.exists(&world.resolve(name))) {
        return Err(format!(
            "The store has a {taken} of its own, and the exported folder needs that name. Delete it or write it elsewhere."
        ));
    }
    let run = format!(
        "\"\"\"Runs main.py on real Spark with Delta, in this folder: python3 run.py\"\"\"\n{SESSION}\
         os.chdir(os.path.dirname(os.path.realpath(__file__)))\n{RUN}"
    );
    let manifest = manifest(world);
    let now = world.now();
    let mut entries = vec![entry("", &[], now)];
    for (name, text) in [
        (README_NAME, README),
        (SCRIPT, script),
        (MANIFEST, &manifest),
        ("relocate.py", RELOCATE),
        ("run.py", &run),
    ] {
        entries.push(entry(name, text.as_bytes(), now));
    }
    for folder in world.peek_folders() {
        if let Some(path) = store::relative(world, &folder) {
            entries.push(entry(&format!("{path}/"), &[], now));
        }
    }
    for meta in world.peek_list(world.root()) {
        if let (Some(path), Some(object)) = (store::relative(world, &meta.path), world.peek(&meta.path)) {
            entries.push(entry(path, &object.bytes, meta.modified));
        }
    }
    let bytes = archive::write(&entries);
    if bytes.len() > archive::ARCHIVE_BYTES_MAX {
        return Err(format!(
            "The store has {} MB, and an exported folder may have {}. Delete what is not needed and export again.",
            bytes.len() >> 20,
            archive::ARCHIVE_BYTES_MAX >> 20
        ));
    }
    Ok(bytes)
}

const README_NAME: &str = OURS[0];

fn entry(path: &str, bytes: &[u8], modified: SimTime) -> Entry {
    Entry { path: format!("{FOLDER}/{path}"), bytes: bytes.to_vec(), modified, is_utc: true }
}

/// When each file was written, and where the folder is at home.
fn manifest(world: &World) -> String {
    let mut files = Map::new();
    for meta in world.peek_list(world.root()) {
        if let Some(path) = store::relative(world, &meta.path) {
            files.insert(path.to_owned(), json!({"modified": meta.modified.0, "bytes": meta.size}));
        }
    }
    let folders: Vec<Json> = world
        .peek_folders()
        .iter()
        .filter_map(|folder| store::relative(world, folder).map(Json::from))
        .collect();
    let manifest = json!({
        "format": FORMAT,
        "version": 1,
        "root": root_uri(world),
        "clock": world.now().0,
        "files": files,
        "folders": folders,
    });
    format!("{manifest:#}\n")
}

/// A notebook of two cells. Source: nbformat 4.5.
fn notebook(script: &str) -> Vec<u8> {
    let cell = |id: &str, text: &str| {
        let lines: Vec<&str> = text.trim_end().split_inclusive('\n').collect();
        json!({"cell_type": "code", "execution_count": null, "id": id, "metadata": {}, "outputs": [], "source": lines})
    };
    let notebook = json!({
        "cells": [cell("spark", SESSION), cell("script", script)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    });
    format!("{notebook:#}\n").into_bytes()
}
