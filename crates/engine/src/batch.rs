//! Batch queries: a plan over what its sources hold now.

use std::sync::Arc;

use tidemark_plan::{Attribute, Plan};
use tidemark_types::Batch;
use tidemark_world::World;

use crate::connector::{Connectors, Settings};
use crate::error::Result;
use crate::operator::{Inputs, Partitions, RunContext, narrowed, pushed, run};

/// What a batch query needs of the outside.
pub struct ExecContext<'a> {
    /// Objects and clock.
    pub world: &'a mut World,
    /// The session's settings.
    pub settings: &'a dyn Settings,
    /// The formats.
    pub connectors: &'a dyn Connectors,
}

/// Runs a batch plan: reads of every relation the columns that it needs, then computes the result, partition by partition.
///
/// Shape: one element for each Spark partition, empty ones too; a batch has the schema of `plan.output()`.
/// Errors: those of opening and reading the sources, in the order of the plan's leaves, then the first row that Spark
/// refuses.
pub fn execute(plan: &Plan, context: &mut ExecContext<'_>) -> Result<Partitions> {
    let plan = narrowed(&pushed(plan));
    let inputs = read_inputs(&plan, context)?;
    let run_context = RunContext::of_session(context.settings, context.world.now(), true);
    run(&plan, &inputs, &run_context)
}

/// Reads every batch relation of a plan, once for each source; streaming ones are left out. The micro-batch engine
/// reads the static side of a join through this.
pub fn read_inputs(plan: &Plan, context: &mut ExecContext<'_>) -> Result<Inputs> {
    let mut inputs = Inputs::new();
    read_into(plan, context, &mut inputs)?;
    Ok(inputs)
}

fn read_into(plan: &Plan, context: &mut ExecContext<'_>, inputs: &mut Inputs) -> Result<()> {
    if let Plan::Relation { spec, source, output } = plan {
        if !spec.streaming && !inputs.contains_key(source) {
            let schema = Arc::new(Attribute::schema(output));
            let reader = context.connectors.reader(context.world, context.settings, spec, &schema)?;
            inputs.insert(*source, reader.read(context.world)?);
        }
        return Ok(());
    }
    for child in plan.children() {
        read_into(child, context, inputs)?;
    }
    Ok(())
}

/// How often the rows that a script holds are computed when a plan runs: once for each place where they stand, and
/// once more below a sort, which looks at them before it spreads them. A shuffle keeps what it has computed.
///
/// Source: Spark's `RangePartitioner`, which samples the rows in a job of its own.
///
/// What a script has cached is computed by the first action that looks at it: `cached` says which plans those are, and
/// whether one has been computed.
pub fn local_runs(plan: &Plan, cached: &mut [(Arc<Plan>, bool)]) -> u64 {
    fn below(plan: &Plan, times: u64, cached: &mut [(Arc<Plan>, bool)]) -> u64 {
        let kept = cached.iter_mut().find(|(kept, _)| std::ptr::eq(Arc::as_ptr(kept), plan));
        let times = match kept {
            Some((_, true)) => return 0,
            Some((_, computed)) => {
                *computed = true;
                1
            }
            None => times,
        };
        let times = match plan {
            Plan::Local { .. } => return times,
            Plan::Sort { global: true, .. } => 2,
            Plan::Aggregate { .. } | Plan::Deduplicate { .. } | Plan::Repartition { shuffle: true, .. } => 1,
            _ => times,
        };
        plan.children().into_iter().map(|child| below(child, times, cached)).sum()
    }
    below(plan, 1, cached)
}

/// How many of the partitions that a script holds a plan computes, from the first on: all of them, unless it asks for
/// the first rows only.
///
/// Errors: those of computing the rows below the limit.
/// Source: Spark's `SparkPlan.executeTake`, which looks at one partition first and then at more and more.
pub fn computed_partitions(plan: &Plan, context: &mut ExecContext<'_>) -> Result<usize> {
    let Plan::Limit { rows: wanted, child } = plan else { return Ok(usize::MAX) };
    if !is_narrow(child) {
        return Ok(usize::MAX);
    }
    let sizes: Vec<usize> =
        execute(child, context)?.iter().map(|batches| batches.iter().map(Batch::rows).sum()).collect();
    let (mut looked, mut found) = (0, 0);
    while looked < sizes.len() && (found < *wanted || looked == 0) {
        let more = match (looked, found) {
            (0, _) => 1,
            (_, 0) => looked * SCALE_UP,
            _ => (3 * (wanted - found) * looked).div_ceil(2 * found).clamp(1, looked * SCALE_UP),
        };
        let end = (looked + more).min(sizes.len());
        found += sizes[looked..end].iter().sum::<usize>();
        looked = end;
    }
    Ok(if looked == sizes.len() { usize::MAX } else { looked })
}

/// By how much Spark widens its look: `spark.sql.limit.scaleUpFactor`.
const SCALE_UP: usize = 4;

/// Whether the partitions of a plan are those of the rows that a script holds. A plan without columns only counts.
fn is_narrow(plan: &Plan) -> bool {
    match plan {
        Plan::Local { .. } => true,
        Plan::Project { columns, child } => !columns.is_empty() && is_narrow(child),
        Plan::Filter { child, .. } | Plan::Alias { child, .. } | Plan::Generate { child, .. } => {
            is_narrow(child)
        }
        _ => false,
    }
}
