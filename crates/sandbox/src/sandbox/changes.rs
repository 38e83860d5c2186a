//! When an object changed: the moments of a branch at which it was written or went.

use tidemark_types::SimTime;
use tidemark_world::World;

use super::Sandbox;

/// What an object, or all below a folder, is known by.
type Print = Vec<(String, SimTime, u64)>;

impl Sandbox {
    /// The moments of the branch on screen at which an object, or anything below a folder, was written, changed or went.
    pub fn changes_of(&self, path: &str) -> Vec<usize> {
        let mut before = Print::new();
        let mut found = Vec::new();
        for (index, moment) in self.moments.iter().enumerate() {
            let now = print(&moment.world, path);
            if now != before {
                found.push(index);
            }
            before = now;
        }
        found
    }
}

fn print(world: &World, path: &str) -> Print {
    let full = world.resolve(path.trim_end_matches('/'));
    if path.ends_with('/') {
        let below = format!("{full}/");
        let all = world.peek_list(&full).into_iter().filter(|meta| meta.path.starts_with(&below));
        return all.map(|meta| (meta.path, meta.modified, meta.size)).collect();
    }
    world
        .peek(&full)
        .map(|object| vec![(full.clone(), object.modified, object.bytes.len() as u64)])
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_protocol::Act;

    #[test]
    fn each_write_and_the_end_of_an_object_is_a_change() {
        let mut sandbox = Sandbox::default();
        for line in
            ["seed 7", "put in/a.json {}", "put in/b.json {}", "put in/a.json {\"id\":1}", "delete in/"]
        {
            let act = Act::parse(line).expect("an act");
            sandbox.apply(&act).expect("it can be done");
            sandbox.rest();
        }
        let last = sandbox.changes_of("in/").last().copied();
        assert_eq!(sandbox.changes_of("in/a.json").len(), 3);
        assert_eq!(sandbox.changes_of("in/b.json").len(), 2);
        assert_eq!(sandbox.changes_of("in/").len(), 4);
        assert_eq!(sandbox.changes_of("in/b.json").last().copied(), last);
        assert!(sandbox.changes_of("ckpt/metadata").is_empty());
    }
}
