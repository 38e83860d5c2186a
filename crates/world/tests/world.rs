//! What the World promises: writes, listings, faults, time, ids, facts.
#![allow(clippy::tests_outside_test_module, reason = "an integration test")]

use tidemark_trace::{Phase, When};
use tidemark_types::{Millis, SimTime};
use tidemark_world::{Change, Entry, Fault, World, WorldError};

fn world() -> World {
    World::new("/tidemark", 7, SimTime(1_000))
}

fn names(world: &World, folder: &str) -> Vec<String> {
    world.peek_list(folder).into_iter().map(|m| m.path).collect()
}

#[test]
fn a_write_can_be_conditional() {
    let mut world = world();
    world.put_if_absent("/tidemark/a", "one").expect("nothing is there");
    let again = world.put_if_absent("/tidemark/a", "two");
    assert_eq!(again, Err(WorldError::AlreadyExists { path: "/tidemark/a".into() }));
    world.put("/tidemark/a", "three").expect("a plain put replaces");
    assert_eq!(world.get("/tidemark/a").expect("it is there"), "three");
    assert_eq!(world.get("/tidemark/b"), Err(WorldError::NotFound { path: "/tidemark/b".into() }));
    assert_eq!(world.get("/tidemark"), Err(WorldError::IsFolder { path: "/tidemark".into() }));
}

#[test]
fn folders_appear_with_their_first_file_and_stay() {
    let mut world = world();
    world.put("/tidemark/in/p=1/a", "").expect("a put makes its folders");
    world.put("/tidemark/in/b", "").expect("a put");
    let children: Vec<_> = world.children("/tidemark/in").into_iter().map(|e| e.path().to_owned()).collect();
    assert_eq!(children, ["/tidemark/in/b", "/tidemark/in/p=1"]);
    assert!(matches!(world.children("/tidemark/in")[1], Entry::Folder(_)));
    world.delete("/tidemark/in/b").expect("it is there");
    assert!(world.is_folder("/tidemark/in"));
    world.delete_tree("/tidemark/in").expect("it is there");
    assert!(!world.exists("/tidemark/in/p=1"));
}

#[test]
fn a_clone_is_a_snapshot() {
    let mut world = world();
    world.put("/tidemark/a", "one").expect("a put");
    let before = world.clone();
    world.put("/tidemark/a", "two").expect("a put");
    world.put("/tidemark/b", "").expect("a put");
    assert_eq!(before.peek("/tidemark/a").map(|o| o.bytes.clone()), Some("one".into()));
    assert_eq!(names(&before, "/tidemark"), ["/tidemark/a"]);
}

#[test]
fn a_fault_stops_before_during_or_after_a_write() {
    for (when, files) in [
        (When::Before, vec!["/tidemark/log/0"]),
        (When::During, vec!["/tidemark/log/.1.tmp", "/tidemark/log/0"]),
        (When::After, vec!["/tidemark/log/0", "/tidemark/log/1"]),
    ] {
        let mut world = world();
        world.arm(Fault::Write { k: 2, when });
        world
            .put_log("/tidemark/log/0", "/tidemark/log/.0.tmp", "zero")
            .expect("the first write is not armed");
        let crash = world.put_log("/tidemark/log/1", "/tidemark/log/.1.tmp", "one!");
        assert!(matches!(crash, Err(WorldError::Crashed { .. })), "{when:?}");
        assert_eq!(names(&world, "/tidemark"), files, "{when:?}");
        assert!(
            matches!(world.put("/tidemark/x", ""), Err(WorldError::Crashed { .. })),
            "the driver is down"
        );
        world.restart();
        world.put("/tidemark/x", "").expect("the driver is up again");
    }
}

#[test]
fn a_fault_stops_at_a_phase_or_a_folder() {
    let mut at_phase = world();
    at_phase.arm(Fault::Phase { phase: Phase::Commit, when: When::After });
    at_phase.at_phase(Phase::Commit, When::Before).expect("the other side is armed");
    assert!(at_phase.at_phase(Phase::Commit, When::After).is_err());
    let mut at_folder = world();
    at_folder.arm(Fault::Folder { name: "offsets".into(), when: When::Before });
    at_folder.put("/tidemark/ckpt/commits/0", "").expect("another folder");
    assert!(at_folder.put("/tidemark/ckpt/offsets/0", "").is_err());
}

#[test]
fn paths_and_uris_are_each_other() {
    let world = world();
    for (text, path, uri) in [
        ("in/a b.json", "/tidemark/in/a b.json", "file:///tidemark/in/a%20b.json"),
        ("./in/../out/", "/tidemark/out", "file:///tidemark/out"),
        ("file:///tidemark/é", "/tidemark/é", "file:///tidemark/%C3%A9"),
        ("/elsewhere/x", "/elsewhere/x", "file:///elsewhere/x"),
    ] {
        assert_eq!(world.resolve(text), path);
        assert_eq!(world.uri(path), uri);
        assert_eq!(world.from_uri(uri), path);
    }
}

#[test]
fn the_same_seed_gives_the_same_ids() {
    let draw = |seed| {
        let mut world = World::new("/tidemark", seed, SimTime(0));
        [world.uuid(), world.uuid()]
    };
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
    let [first, second] = draw(1);
    assert_ne!(first, second);
    assert!(first.len() == 36 && &first[14..15] == "4" && "89ab".contains(&first[19..20]), "{first}");
}

#[test]
fn every_operation_becomes_a_fact_and_every_change_is_journalled() {
    let mut world = world();
    world.advance(Millis(5));
    world.put("/tidemark/a", "one").expect("a put");
    world.get("/tidemark/a").expect("a get");
    world.list("/tidemark");
    world.delete("/tidemark/a").expect("a delete");
    let facts: Vec<String> = world.take_facts().iter().map(ToString::to_string).collect();
    assert_eq!(
        facts,
        [
            "object   put /tidemark/a 3 B",
            "object   get /tidemark/a 3 B",
            "object   list /tidemark 1",
            "object   delete /tidemark/a",
        ]
    );
    let path = "/tidemark/a".to_owned();
    let put = Change::Put { path: path.clone(), bytes: "one".into(), modified: SimTime(1_005) };
    assert_eq!(world.take_changes(), [put, Change::Delete { path }]);
    assert!(world.take_facts().is_empty() && world.take_changes().is_empty());
}

#[test]
fn a_write_beyond_the_limit_changes_nothing() {
    let mut world = world();
    world.limit_bytes(10);
    world.put("/tidemark/a", "123456").expect("there is room");
    world.put("/tidemark/a", "1234").expect("there is room for one version more");
    assert_eq!((world.bytes(), world.writes()), (10, 2));
    let full = WorldError::Full { path: "/tidemark/b".into(), bytes: 11, most: 10 };
    assert_eq!(world.put("/tidemark/b", "1"), Err(full.clone()));
    assert_eq!(world.put_if_absent("/tidemark/b", "1"), Err(full.clone()));
    assert_eq!(world.put_log("/tidemark/b", "/tidemark/.b.tmp", "1"), Err(full));
    world.put("/tidemark/c", "").expect("nothing needs no room");
    world.delete("/tidemark/a").expect("deleting needs no room");
    assert_eq!(names(&world, "/tidemark"), ["/tidemark/c"]);
    assert_eq!((world.bytes(), world.writes()), (10, 3), "what is deleted is kept by the moments before");
}
