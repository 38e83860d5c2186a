//! The script and the files that a newcomer starts with.

use tidemark_lessons::THREE_RUNS;

use crate::state::model::World;

/// The name of the script.
pub const NAME: &str = "main.py";

/// The script that stands in the editor at first: three runs of one query.
pub const SCRIPT: &str = THREE_RUNS.script;

/// The sample files: path and text.
pub const FILES: &[(&str, &str)] = THREE_RUNS.files;

/// The next sample: the first that is neither in the store nor on its way.
pub fn next(world: &World) -> Option<(&'static str, &'static str)> {
    FILES.iter().copied().find(|(path, _)| is_missing(world, path))
}

/// Those of the first two samples that are missing.
pub fn first_two(world: &World) -> Vec<(&'static str, &'static str)> {
    FILES.iter().copied().take(2).filter(|(path, _)| is_missing(world, path)).collect()
}

fn is_missing(world: &World, path: &str) -> bool {
    let is_on_its_way = |act: &tidemark_protocol::Act| matches!(act, tidemark_protocol::Act::Put { path: other, .. } if other == path);
    world.entry(path).is_none() && !world.queue.iter().any(is_on_its_way)
}

/// The path at which a dropped file lies: in the source folder, without blanks.
pub fn path_of(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let name: String = name.trim().chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    format!("in/{}", if name.is_empty() { "file.json".to_owned() } else { name })
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn a_dropped_file_lies_in_the_source_folder() {
        for (name, path) in
            [("x.json", "in/x.json"), ("my rows.json", "in/my_rows.json"), ("C:\\a\\b.json", "in/b.json")]
        {
            assert_eq!(path_of(name), path);
        }
    }
}
