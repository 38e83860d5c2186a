//! Writes a table of all types by twelve micro-batches into a folder, for readers of others to read:
//! `cargo run -p tidemark-delta --example write_table -- FOLDER`.

use std::path::Path;

#[path = "../tests/every_type/mod.rs"]
mod every_type;

fn main() {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: write_table FOLDER");
        std::process::exit(2);
    };
    let world = every_type::write("/out", 12);
    every_type::export(&world, "/out", Path::new(&folder));
}
