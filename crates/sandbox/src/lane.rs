//! The lane of a query that has just started.

use imbl::Vector;
use tidemark_engine::stream::StreamExecution;
use tidemark_plan::Plan;
use tidemark_protocol::{Cost, Earlier, QueryState, QueryView};
use tidemark_pyspark::QueryHandle;
use tidemark_trace::Phase;
use tidemark_world::World;

use crate::lineage::Way;
use crate::moment::Lane;

/// An empty lane with what is known of the query at its start.
pub(crate) fn new_lane(run: u32, handle: QueryHandle, query: &StreamExecution, world: &World) -> Lane {
    let spec = query.spec();
    let target = spec.path.clone().or_else(|| spec.options.get("path").cloned());
    let sink_path = match spec.format.as_str() {
        "memory" => spec.query_name.clone(),
        _ => target.map(|path| world.resolve(&path)).or_else(|| {
            spec.table.as_ref().map(|t| world.resolve(&format!("spark-warehouse/{}", t.to_lowercase())))
        }),
    };
    // A table that is there already says itself what it is.
    let is_delta = sink_path
        .as_ref()
        .is_some_and(|path| spec.table.is_some() && world.is_folder(&format!("{path}/_delta_log")));
    Lane {
        handle,
        sink_path,
        sink_kind: if is_delta { "delta".to_owned() } else { spec.format.clone() },
        batches: Vector::new(),
        heard: None,
        numbers: Vector::new(),
        unused: unused(query.plan()),
        plan: query.plan().clone(),
        checkpoint: query.checkpoint().to_owned(),
        mode: spec.output_mode,
        way: Way::of(query),
        unbilled: Cost::default(),
        view: QueryView {
            id: query.id().0.clone(),
            run_id: query.run_id().0.clone(),
            name: query.name().map(str::to_owned),
            state: QueryState::Active,
            run,
            source: String::new(),
            sink: query.sink_description(),
            trigger: trigger_text(spec.trigger),
            batches: Vec::new(),
            earlier: Earlier::default(),
            start: Cost::default(),
            idle: Cost::default(),
            idle_triggers: 0,
            last_progress: String::new(),
            recent: Vec::new(),
            numbers: Vec::new(),
            exception: None,
        },
    }
}

fn trigger_text(trigger: tidemark_plan::Trigger) -> String {
    match trigger {
        tidemark_plan::Trigger::Default => "default".to_owned(),
        tidemark_plan::Trigger::ProcessingTime(millis) => format!("processingTime {millis} ms"),
        tidemark_plan::Trigger::Once => "once".to_owned(),
        tidemark_plan::Trigger::AvailableNow => "availableNow".to_owned(),
    }
}

/// The phases that a query has no use for: nothing to save without state, nothing to advance without a watermark.
fn unused(plan: &Plan) -> Vec<Phase> {
    let mut phases = Vec::new();
    if !any(plan, &is_stateful) {
        phases.push(Phase::Save);
    }
    if !any(plan, &|plan| matches!(plan, Plan::Watermark { .. })) {
        phases.push(Phase::Advance);
    }
    phases
}

fn any(plan: &Plan, holds: &dyn Fn(&Plan) -> bool) -> bool {
    holds(plan) || plan.children().into_iter().any(|child| any(child, holds))
}

fn is_stateful(plan: &Plan) -> bool {
    match plan {
        Plan::Aggregate { .. } | Plan::Deduplicate { .. } | Plan::Limit { .. } => plan.is_streaming(),
        Plan::Join { left, right, .. } => left.is_streaming() && right.is_streaming(),
        _ => false,
    }
}
