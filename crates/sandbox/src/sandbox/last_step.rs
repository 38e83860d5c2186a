//! The step in which a driver died: what it wrote is in the store, so the lane has to show it.

use tidemark_trace::Phase;

use super::Sandbox;
use crate::store;

impl Sandbox {
    /// Notes the step of which the last thing that was written is the whole work, before the crash is recorded.
    pub(super) fn note_last_step(&mut self, place: &str) {
        let Some(path) = self.written() else { return };
        let Some(shown) = store::relative(&self.world, &path).map(str::to_owned) else { return };
        let Some(phase) = phase_of(&shown, place) else { return };
        let run = self.script.run;
        let owns = |lane: &crate::moment::Lane| {
            let is_sink = lane.sink_path.as_deref().is_some_and(|sink| path.starts_with(&format!("{sink}/")));
            path.starts_with(&format!("{}/", lane.checkpoint)) || is_sink
        };
        let whose = self.lanes.iter().filter(|lane| lane.view.run == run && owns(lane));
        let Some(handle) = whose.last().map(|lane| lane.handle) else { return };
        let Some(lane) = self.lanes.get_mut(run, handle) else { return };
        if let Some(batch) = lane.finish(phase, &shown) {
            self.lanes.writers.insert(path, batch);
        }
    }
}

/// The phase that an object is the whole work of; data files are that only if the driver died after all of them.
fn phase_of(path: &str, place: &str) -> Option<Phase> {
    let mut parts = path.rsplit('/');
    let (name, folder, above) = (parts.next()?, parts.next()?, parts.next());
    let is_number = name.parse::<u64>().is_ok();
    match (folder, above) {
        ("offsets", _) if is_number => Some(Phase::Plan),
        ("commits", _) if is_number => Some(Phase::Done),
        (_, Some("sources")) if is_number => Some(Phase::Note),
        ("_delta_log", _) if name.ends_with(".json") => Some(Phase::Commit),
        _ if place == "after write" => Some(Phase::Write),
        _ if place == "after save" => Some(Phase::Save),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidemark_protocol::{Act, StepState};
    use tidemark_trace::CrashPoint;

    #[test]
    fn what_was_written_last_is_kept_on_the_lane() {
        let script = r#"(spark.readStream.schema("id INT").json("in/").writeStream.format("delta")
    .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start("out/").awaitTermination())"#;
        for (arm, phase) in [
            ("arm C02", Phase::Note),
            ("arm C04", Phase::Plan),
            ("arm C09", Phase::Write),
            ("arm C10", Phase::Commit),
        ] {
            let mut sandbox = Sandbox::default();
            let edit = Act::Edit { script: "main.py".to_owned(), text: script.to_owned() };
            let acts = ["seed 7", r#"put in/a.json {"id":1}"#, arm, "run main.py"].map(Act::parse);
            let acts: Vec<Act> = acts.into_iter().collect::<Result<_, _>>().expect("acts");
            for act in acts[..2].iter().chain([&edit]).chain(&acts[2..]) {
                sandbox.apply(act).expect("it can be done");
                sandbox.rest();
            }
            let view = sandbox.view_at(usize::MAX - 1);
            let batch = view.queries[0].batches[0].clone();
            assert!(batch.crashed, "{arm}");
            let step = &batch.steps[phase as usize];
            assert_eq!((step.state, step.file.is_some()), (StepState::Kept, true), "{arm}");
            assert_eq!(
                batch.steps[phase as usize + 1..].iter().filter(|s| s.state == StepState::Kept).count(),
                0,
                "{arm}"
            );
        }
    }

    #[test]
    fn a_crash_within_a_step_has_its_name() {
        let script = r#"(spark.readStream.schema("id INT").json("in/").dropDuplicates(["id"]).writeStream.format("delta")
    .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start("out/").awaitTermination())"#;
        let function = r#"def both(rows, batch):
    rows.write.format("delta").mode("append").save("out")
(spark.readStream.schema("id INT").json("in/").writeStream.foreachBatch(both)
    .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start().awaitTermination())"#;
        for (text, arm, within) in [
            (script, "arm C03", Some(CrashPoint::C03)),
            (script, "arm C06", Some(CrashPoint::C06)),
            (script, "arm C08", Some(CrashPoint::C08)),
            (script, "arm C10", None),
            (script, "arm C11", Some(CrashPoint::C11)),
            (function, "arm C13", Some(CrashPoint::C13)),
        ] {
            let mut sandbox = Sandbox::default();
            let lines = ["seed 7", r#"put in/a.json {"id":1}"#, arm, "run main.py"];
            let mut acts: Vec<Act> =
                lines.map(Act::parse).into_iter().collect::<Result<_, _>>().expect("acts");
            acts.insert(2, Act::Edit { script: "main.py".to_owned(), text: text.to_owned() });
            for act in &acts {
                sandbox.apply(act).expect("it can be done");
                sandbox.rest();
            }
            let view = sandbox.view_at(usize::MAX - 1);
            let batch = &view.queries[0].batches[0];
            assert_eq!((batch.crashed, batch.within), (true, within), "{arm}");
        }
    }

    #[test]
    fn a_second_try_leaves_out_what_is_there() {
        let with = |sink: &str| {
            format!(
                r#"def both(rows, batch):
    rows.write.format("delta").mode("append").save("out")
(spark.readStream.schema("id INT").json("in/").writeStream{sink}
    .option("checkpointLocation", "ckpt/").trigger(availableNow=True).start().awaitTermination())"#
            )
        };
        for (sink, read, write) in [
            (r#".format("delta").option("path", "out")"#, StepState::Skipped, StepState::Skipped),
            (".foreachBatch(both)", StepState::Done, StepState::Unused),
        ] {
            let mut sandbox = Sandbox::default();
            let lines = ["seed 7", r#"put in/a.json {"id":1}"#, "arm C10", "run main.py", "restart"];
            let mut acts: Vec<Act> =
                lines.map(Act::parse).into_iter().collect::<Result<_, _>>().expect("acts");
            acts.insert(2, Act::Edit { script: "main.py".to_owned(), text: with(sink) });
            for act in &acts {
                sandbox.apply(act).expect("it can be done");
                sandbox.rest();
            }
            let view = sandbox.view_at(usize::MAX - 1);
            let batch = view.queries.last().and_then(|query| query.batches.last()).expect("a second try");
            let state = |phase: Phase| batch.steps[phase as usize].state;
            assert!(batch.again, "{sink}");
            let found = (state(Phase::Plan), state(Phase::Read), state(Phase::Write), state(Phase::Done));
            assert_eq!(found, (StepState::Skipped, read, write, StepState::Kept), "{sink}");
        }
    }
}
