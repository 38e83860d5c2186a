//! Makes one JSON of all lessons: what the page carries. A `lesson.toml` that is no TOML stops the build, with its line.
#![allow(clippy::disallowed_methods, reason = "a build script reads files")]

#[path = "src/folder.rs"]
#[allow(dead_code, unreachable_pub, reason = "a module of the library, for the command line")]
mod folder;

use std::path::Path;

use folder::Folder;
use serde_json::{Map, Value, json};

fn main() {
    println!("cargo:rerun-if-changed=content");
    println!("cargo:rerun-if-changed=src/folder.rs");
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder of the package");
    let out = std::env::var("OUT_DIR").expect("cargo names a folder for what is made");
    let folders = Folder::all(&Path::new(&root).join("content")).unwrap_or_else(|error| panic!("{error}"));
    let lessons: Vec<Value> = folders.iter().map(lesson).collect();
    let text = serde_json::to_string(&lessons).expect("lessons are plain data");
    std::fs::write(Path::new(&out).join("lessons.json"), text).expect("the folder can be written");
}

fn lesson(folder: &Folder) -> Value {
    let form: toml::Table = folder
        .form
        .parse()
        .unwrap_or_else(|error| panic!("lessons/content/{}/lesson.toml: {error}", folder.slug));
    let files: Vec<Value> =
        folder.files.iter().map(|(path, text)| json!({"path": path, "text": text})).collect();
    json!({
        "slug": folder.slug,
        "form": plain_table(form),
        "text": folder.text,
        "show": folder.show,
        "start": folder.start,
        "solution": folder.solution,
        "files": files,
    })
}

fn plain_table(table: toml::Table) -> Value {
    Value::Object(table.into_iter().map(|(key, value)| (key, plain(value))).collect::<Map<_, _>>())
}

fn plain(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(time) => Value::String(time.to_string()),
        toml::Value::Array(items) => items.into_iter().map(plain).collect(),
        toml::Value::Table(table) => plain_table(table),
    }
}
