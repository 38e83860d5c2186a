//! Reads a Delta table from a folder, as others have written it, and prints its version, applications and rows:
//! `cargo run -p tidemark-delta --example read_table -- FOLDER`.

#![allow(clippy::print_stdout, reason = "printing is what it is for")]

use std::path::{Path, PathBuf};

use tidemark_delta::Snapshot;
use tidemark_types::SimTime;
use tidemark_world::World;

fn main() {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: read_table FOLDER");
        std::process::exit(2);
    };
    if let Err(error) = run(Path::new(&folder)) {
        eprintln!("{error} {:?}", error.as_spark().and_then(|spark| spark.cause.clone()));
        std::process::exit(1);
    }
}

fn run(folder: &Path) -> tidemark_delta::Result<()> {
    let mut world = World::new("/", 1, SimTime(0));
    for file in files_below(folder) {
        let name =
            file.strip_prefix(folder).expect("it lies below the folder").to_string_lossy().into_owned();
        let bytes = std::fs::read(&file).expect("the file is there");
        world.drop_file(&format!("/table/{name}"), bytes, SimTime(0));
    }
    let snapshot = Snapshot::load(&mut world, "/table", None)?;
    println!("version {} with {} files", snapshot.version(), snapshot.files().len());
    for txn in snapshot.transactions() {
        println!("txn {} {}", txn.app_id, txn.version);
    }
    for batch in snapshot.read_all(&mut world, snapshot.schema())? {
        let record = batch.to_record_batch().expect("a batch is a record batch");
        let mut writer = arrow::json::LineDelimitedWriter::new(std::io::stdout());
        writer.write(&record).expect("the rows print");
    }
    Ok(())
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found
}
