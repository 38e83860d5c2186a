//! The first story whole: a folder of JSON into a Delta table, run again and again, interrupted everywhere.

mod setting;

use setting::{Setting, Stopped};
use tidemark_trace::{Phase, When};
use tidemark_world::Fault;

const TWO_ROWS: &str = "{\"id\":1,\"user\":\"a\",\"amt\":5.0,\"ts\":\"2026-01-01T10:02:00Z\"}\n\
                        {\"id\":2,\"user\":\"b\",\"amt\":7.0,\"ts\":\"2026-01-01T10:04:00Z\"}\n";
const ONE_ROW: &str = "{\"id\":3,\"user\":\"a\",\"amt\":1.0,\"ts\":\"2026-01-01T10:09:00Z\"}\n";

/// The state after run 3: two batches, three rows.
fn after_run_three() -> Setting {
    let mut setting = Setting::new();
    setting.put("in/a.json", TWO_ROWS);
    assert_eq!(setting.run(), [(0, 2)]);
    setting.put("in/b.json", ONE_ROW);
    assert_eq!(setting.run(), [(1, 1)]);
    setting
}

#[test]
fn three_runs() {
    let mut setting = Setting::new();
    setting.put("in/a.json", TWO_ROWS);
    assert_eq!(setting.run(), [(0, 2)]);
    assert_eq!(setting.ids(), [1, 2]);
    let before = setting.files("");
    assert_eq!(setting.run(), [(1, 0)], "one idle entry for a batch that does not exist");
    assert_eq!(setting.ids(), [1, 2]);
    assert_eq!(setting.files(""), before, "no batch, no offsets/1, no version");
    setting.put("in/b.json", ONE_ROW);
    assert_eq!(setting.run(), [(1, 1)]);
    assert_eq!(setting.ids(), [1, 2, 3]);
    assert_eq!(
        setting.files("ckpt"),
        ["commits/0", "commits/1", "metadata", "offsets/0", "offsets/1", "sources/0/0", "sources/0/1"]
    );
    assert_eq!(setting.version(), 1);
}

#[test]
fn without_a_checkpoint_all_is_written_again() {
    let mut setting = after_run_three();
    let first = setting.query_id();
    setting.world.delete_tree("/tidemark/ckpt").expect("it is there");
    assert_eq!(setting.run(), [(0, 3)]);
    assert_ne!(setting.query_id(), first);
    assert_eq!(setting.ids(), [1, 1, 2, 2, 3, 3]);
}

#[test]
fn a_lost_commit_entry_is_a_replay_that_delta_skips() {
    let mut setting = after_run_three();
    setting.world.delete("/tidemark/ckpt/commits/1").expect("it is there");
    assert_eq!(setting.run(), [(1, 0)]);
    assert_eq!((setting.ids(), setting.version()), (vec![1, 2, 3], 1));
    assert!(setting.files("ckpt").contains(&"commits/1".to_owned()));
}

#[test]
fn a_crash_between_the_two_commits_doubles_nothing() {
    let mut setting = Setting::new();
    setting.put("in/a.json", TWO_ROWS);
    setting.run();
    setting.put("in/b.json", ONE_ROW);
    setting.world.arm(Fault::Phase { phase: Phase::Commit, when: When::After });
    assert_eq!(setting.try_run(), Err(Stopped::Crashed("after commit".into())));
    assert_eq!(
        (setting.ids(), setting.version()),
        (vec![1, 2, 3], 1),
        "Delta has said that the batch is done"
    );
    assert!(!setting.files("ckpt").contains(&"commits/1".to_owned()), "the checkpoint has not");
    setting.world.restart();
    assert_eq!(setting.run(), [(1, 0)]);
    assert_eq!((setting.ids(), setting.version()), (vec![1, 2, 3], 1));
}

#[test]
fn a_replay_comes_before_new_data() {
    let mut setting = after_run_three();
    setting.world.delete("/tidemark/ckpt/commits/1").expect("it is there");
    setting.put("in/c.json", "{\"id\":4}\n");
    assert_eq!(setting.run(), [(1, 0), (2, 1)]);
    assert_eq!(setting.ids(), [1, 2, 3, 4]);
}

/// The acts of the story, in an order that ends the same wherever the driver stops.
fn whole_story(setting: &mut Setting) {
    setting.put("in/a.json", TWO_ROWS);
    setting.run_to_the_end();
    setting.put("in/b.json", ONE_ROW);
    setting.run_to_the_end();
    setting.run_to_the_end();
}

#[test]
fn a_batch_with_data_makes_at_least_five_writes() {
    let mut setting = after_run_three();
    setting.put("in/c.json", "{\"id\":4}\n");
    let before = setting.world.writes();
    setting.run();
    let writes = setting.world.writes() - before;
    assert!(writes >= 5, "source log, offsets, part, Delta log, commits: {writes}");
}

#[test]
fn stopped_at_every_write_the_story_ends_the_same() {
    let mut plain = Setting::new();
    whole_story(&mut plain);
    let (writes, wanted) = (plain.world.writes(), plain.ids());
    assert_eq!(wanted, [1, 2, 3]);
    assert!(writes >= 11, "metadata, and five writes for each of two batches: {writes}");
    for k in 1..=writes {
        for when in [When::Before, When::During, When::After] {
            if k == FIRST_OFFSETS && when == When::During {
                continue;
            }
            let mut setting = Setting::new();
            setting.world.arm(Fault::Write { k, when });
            whole_story(&mut setting);
            assert_eq!(setting.ids(), wanted, "{when:?} write {k}");
            assert_eq!(setting.crashes, 1, "{when:?} write {k}");
        }
    }
}

#[test]
fn stopped_again_during_recovery_the_story_ends_the_same() {
    let mut plain = Setting::new();
    whole_story(&mut plain);
    for first in 1..=plain.world.writes() {
        for second in 1..=5 {
            let mut setting = Setting::new();
            setting.world.arm(Fault::Write { k: first, when: When::After });
            setting.world.arm(Fault::Write { k: first + second, when: When::Before });
            whole_story(&mut setting);
            assert_eq!(setting.ids(), [1, 2, 3], "after write {first}, then before write {}", first + second);
        }
    }
}

#[test]
fn a_step_makes_at_most_one_write() {
    let mut setting = Setting::new();
    setting.put("in/a.json", TWO_ROWS);
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    while query.is_active() {
        let before = setting.world.writes();
        let step = setting::step(&mut query, &mut setting, &mut seen);
        let writes = setting.world.writes() - before;
        assert!(writes <= 1, "{step:?} made {writes} writes");
    }
}

/// The write of `offsets/0`, after those of `metadata` and `sources/0/0`.
const FIRST_OFFSETS: u64 = 3;

/// Spark finds the temporary file of the first run and takes it for an older query's: nothing is doubled or lost, but
/// somebody has to tidy up.
#[test]
fn half_of_the_first_offsets_is_in_the_way() {
    let mut setting = Setting::new();
    setting.put("in/a.json", TWO_ROWS);
    setting.world.arm(Fault::Write { k: FIRST_OFFSETS, when: When::During });
    assert_eq!(setting.try_run(), Err(Stopped::Crashed("during put /tidemark/ckpt/offsets/0".into())));
    setting.world.restart();
    let Err(Stopped::Failed(error)) = setting.try_run() else { panic!("Spark refuses") };
    let cause = error.cause.expect("the query says why");
    assert_eq!(cause.condition.0, "STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY");
    assert!(setting.ids().is_empty());
    let half = setting.files("ckpt/offsets").pop().expect("half of the file is there");
    assert!(half.starts_with(".0."), "a temporary file as Spark names it: {half}");
    setting.world.delete(&format!("/tidemark/ckpt/offsets/{half}")).expect("it is there");
    assert_eq!(setting.run(), [(0, 2)]);
}

#[test]
fn stopped_at_every_phase_the_story_ends_the_same() {
    for phase in [
        Phase::List,
        Phase::Note,
        Phase::Plan,
        Phase::Read,
        Phase::Work,
        Phase::Write,
        Phase::Commit,
        Phase::Done,
    ] {
        for when in [When::Before, When::After] {
            let mut setting = Setting::new();
            setting.world.arm(Fault::Phase { phase, when });
            whole_story(&mut setting);
            assert_eq!((setting.ids(), setting.crashes), (vec![1, 2, 3], 1), "{when:?} {phase}");
        }
    }
}

#[test]
fn the_same_acts_give_the_same_bytes() {
    let mut one = Setting::new();
    let mut two = Setting::new();
    whole_story(&mut one);
    whole_story(&mut two);
    assert_eq!(one.bytes(), two.bytes());
}

#[test]
fn a_clone_of_a_running_query_goes_on_by_itself() {
    let mut setting = Setting::new();
    setting.put("in/a.json", TWO_ROWS);
    let wanted = {
        let mut whole = setting.clone();
        whole.run();
        whole.bytes()
    };
    let steps = setting.clone().count_steps();
    assert!(steps >= 8, "start, list, note, plan, read, work, write, commit, done: {steps}");
    for at in 0..steps {
        let mut moment = setting.clone();
        moment.run_with_a_copy_after(at);
        assert_eq!(moment.bytes(), wanted, "copied after step {at}");
    }
}
