//! What a stream cannot do: checked at `start()` and before a batch action, in Spark's order and words.
//!
//! The order: a stream must be there; then the output mode against the aggregations; then node by node from the
//! leaves up; then the pattern in which rows would come late. A new stateful operator adds its own arm to
//! `check_node`, to `is_stateful`, and, where it may emit rows behind the watermark, to `may_emit_late_rows`.

use std::sync::Arc;

use tidemark_types::{ErrorClass, SparkError};

use crate::attribute::Attribute;
use crate::error::analysis;
use crate::literal::Literal;
use crate::logical::{JoinType, Plan};
use crate::resolve::rewrite::children;
use crate::resolve::session_key;
use crate::scalar::{Function, Scalar};
use crate::spec::OutputMode;
use crate::time_bound::time_bound;

/// The name in the setting of this check of rows that come late.
const CHECK_CORRECTNESS: &str = "spark.sql.streaming.statefulOperator.checkCorrectness.enabled";

impl OutputMode {
    /// The mode of a name, without case.
    pub fn parse(name: &str) -> Result<OutputMode, SparkError> {
        match name.to_lowercase().as_str() {
            "append" => Ok(OutputMode::Append),
            "update" => Ok(OutputMode::Update),
            "complete" => Ok(OutputMode::Complete),
            _ => Err(analysis(
                "STREAMING_OUTPUT_MODE.INVALID",
                "42KDE",
                format!("Invalid streaming output mode: {name}. Accepted output modes are 'Append', 'Complete', 'Update'."),
            )
            .with_parameter("outputMode", name)),
        }
    }

    /// `Append`: as messages about joins and limits name it.
    pub fn title(self) -> &'static str {
        match self {
            OutputMode::Append => "Append",
            OutputMode::Update => "Update",
            OutputMode::Complete => "Complete",
        }
    }

    /// `append`: as messages about modes name it.
    pub fn word(self) -> &'static str {
        match self {
            OutputMode::Append => "append",
            OutputMode::Update => "update",
            OutputMode::Complete => "complete",
        }
    }
}

/// Checks a plan before a batch runs it.
pub fn check_batch(plan: &Plan) -> Result<(), SparkError> {
    if plan.is_streaming() {
        return Err(refused(
            "Queries with streaming sources must be executed with writeStream.start(), or from a streaming table or flow definition within a Spark Declarative Pipeline.",
        ));
    }
    walk_up(plan, &mut |node| match node {
        Plan::Deduplicate { within_watermark: true, .. } => {
            Err(refused("dropDuplicatesWithinWatermark is not supported with batch DataFrames/DataSets"))
        }
        _ => Ok(()),
    })
}

/// Checks a plan before a streaming query starts; `settings` are asked by name.
pub fn check_streaming(
    plan: &Plan,
    mode: OutputMode,
    settings: &dyn Fn(&str) -> Option<String>,
) -> Result<(), SparkError> {
    if !plan.is_streaming() {
        return Err(refused("Queries without streaming sources cannot be executed with writeStream.start()"));
    }
    check_output_mode(plan, mode)?;
    walk_up(plan, &mut |node| check_node(node, mode))?;
    let correctness = settings(CHECK_CORRECTNESS).is_none_or(|value| value != "false");
    if correctness { check_late_rows(plan, mode) } else { Ok(()) }
}

/// `df.write` and its kin on a stream.
pub fn call_on_stream(method: &str) -> SparkError {
    analysis(
        "CALL_ON_STREAMING_DATASET_UNSUPPORTED",
        "42KDE",
        format!("The method `{method}` can not be called on streaming Dataset/DataFrame."),
    )
    .with_parameter("methodName", format!("`{method}`"))
}

/// `df.writeStream` on a batch.
pub fn write_stream_not_allowed() -> SparkError {
    analysis(
        "WRITE_STREAM_NOT_ALLOWED",
        "42601",
        "`writeStream` can be called only on streaming Dataset/DataFrame.",
    )
}

/// `offset`, `sample` and `intersect` of a stream.
pub fn not_on_streams(method: &str) -> SparkError {
    refused(match method {
        "offset" => "Offset is not supported on streaming DataFrames/Datasets",
        "sample" => "Sampling is not supported on streaming DataFrames/Datasets",
        _ => "Intersect of streaming DataFrames/Datasets is not supported",
    })
}

/// `pivot` on a stream.
pub fn pivot_on_stream() -> SparkError {
    analysis("_LEGACY_ERROR_TEMP_3063", "", "pivot is not supported on a streaming DataFrames/Datasets")
}

/// The text of a refusal ends with `;`, where Spark goes on with the plan.
fn refused(text: &str) -> SparkError {
    SparkError::new(ErrorClass::Analysis, "_LEGACY_ERROR_TEMP_3102", "", format!("{text};"))
}

fn mode_refused(mode: OutputMode, operation: &str) -> SparkError {
    let mode = mode.word();
    analysis(
        "STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION",
        "42KDE",
        format!(
            "Invalid streaming output mode: {mode}. This output mode is not supported for {operation} on streaming DataFrames/DataSets."
        ),
    )
    .with_parameter("outputMode", mode)
    .with_parameter("operation", operation)
}

/// Visits every node, children first.
fn walk_up(plan: &Plan, check: &mut impl FnMut(&Plan) -> Result<(), SparkError>) -> Result<(), SparkError> {
    for child in plan.children() {
        walk_up(child, check)?;
    }
    check(plan)
}

fn streaming_aggregates(plan: &Plan) -> Vec<&Plan> {
    let mut found = Vec::new();
    if matches!(plan, Plan::Aggregate { child, .. } if child.is_streaming()) {
        found.push(plan);
    }
    for child in plan.children() {
        found.extend(streaming_aggregates(child));
    }
    found
}

fn has_session(node: &Plan) -> bool {
    matches!(node, Plan::Aggregate { grouping, child, .. } if session_key(grouping, child).is_some())
}

fn check_output_mode(plan: &Plan, mode: OutputMode) -> Result<(), SparkError> {
    let aggregates = streaming_aggregates(plan);
    match mode {
        OutputMode::Append => {
            let timeless = aggregates.iter().any(|node| match node {
                Plan::Aggregate { grouping, .. } => {
                    !grouping.iter().any(|key| key.output.watermark_delay.is_some())
                }
                _ => false,
            });
            if timeless {
                Err(mode_refused(mode, "streaming aggregations without watermark"))
            } else {
                Ok(())
            }
        }
        OutputMode::Complete if aggregates.is_empty() => Err(mode_refused(mode, "no streaming aggregations")),
        OutputMode::Update if aggregates.iter().any(|node| has_session(node)) => {
            Err(mode_refused(mode, "session window streaming aggregations"))
        }
        OutputMode::Complete | OutputMode::Update => Ok(()),
    }
}

fn check_node(node: &Plan, mode: OutputMode) -> Result<(), SparkError> {
    if !node.is_streaming() {
        return Ok(());
    }
    check_expressions(node)?;
    match node {
        Plan::Aggregate { aggregates, .. } if aggregates.iter().any(|a| a.call.distinct) => Err(refused(
            "Distinct aggregations are not supported on streaming DataFrames/Datasets. Consider using approx_count_distinct() instead.",
        )),
        Plan::Deduplicate { within_watermark: true, child, .. }
            if !child.output().iter().any(|a| a.watermark_delay.is_some()) =>
        {
            Err(refused(
                "dropDuplicatesWithinWatermark is not supported on streaming DataFrames/DataSets without watermark",
            ))
        }
        Plan::Limit { .. } if mode == OutputMode::Update => {
            Err(refused("Limits are not supported on streaming DataFrames/Datasets in Update output mode"))
        }
        Plan::Sort { child, .. }
            if mode != OutputMode::Complete || streaming_aggregates(child).is_empty() =>
        {
            Err(refused(
                "Sorting is not supported on streaming DataFrames/Datasets, unless it is on aggregated DataFrame/Dataset in Complete output mode",
            ))
        }
        Plan::Union { children, .. } if children.iter().any(|c| !c.is_streaming()) => {
            Err(refused("Union between streaming and batch DataFrames/Datasets is not supported"))
        }
        Plan::Join { left, right, join_type, condition, .. } => {
            check_join(left, right, *join_type, condition.as_ref(), mode)
        }
        _ => Ok(()),
    }
}

/// Functions that mean nothing when a query runs batch after batch.
fn check_expressions(node: &Plan) -> Result<(), SparkError> {
    let scalars: Vec<&Scalar> = match node {
        Plan::Project { columns, .. } => columns.iter().map(|c| &c.scalar).collect(),
        Plan::Filter { predicate, .. } => vec![predicate],
        Plan::Aggregate { grouping, aggregates, .. } => {
            grouping.iter().map(|g| &g.scalar).chain(aggregates.iter().flat_map(|a| &a.call.args)).collect()
        }
        _ => Vec::new(),
    };
    if let Plan::Project { columns, .. } = node
        && let Some((column, window)) = columns.iter().find_map(|c| Some((c, over(&c.scalar)?)))
    {
        return Err(not_over_time(window, &column.output.name));
    }
    if scalars.into_iter().any(|s| calls(s, Function::MonotonicallyIncreasingId)) {
        return Err(refused(
            "Expression(s): monotonically_increasing_id() is not supported with streaming DataFrames/Datasets",
        ));
    }
    Ok(())
}

/// The text of a function over a window of rows, if there is one.
fn over(scalar: &Scalar) -> Option<&str> {
    if let Scalar::Call { function: Function::Over, args, .. } = scalar
        && let Some(Scalar::Literal(Literal::String(text))) = args.first()
    {
        return Some(text);
    }
    children(scalar).into_iter().find_map(over)
}

fn not_over_time(function: &str, column: &str) -> SparkError {
    analysis(
        "NON_TIME_WINDOW_NOT_SUPPORTED_IN_STREAMING",
        "42KDE",
        format!(
            "Window function is not supported in {function} (as column `{column}`) on streaming DataFrames/Datasets.\nStructured Streaming only supports time-window aggregation using the WINDOW function."
        ),
    )
}

fn calls(scalar: &Scalar, wanted: Function) -> bool {
    matches!(scalar, Scalar::Call { function, .. } if *function == wanted)
        || children(scalar).into_iter().any(|child| calls(child, wanted))
}

fn join_name(join_type: JoinType) -> &'static str {
    match join_type {
        JoinType::Inner => "Inner",
        JoinType::LeftOuter => "LeftOuter",
        JoinType::RightOuter => "RightOuter",
        JoinType::FullOuter => "FullOuter",
        JoinType::LeftSemi => "LeftSemi",
        JoinType::LeftAnti => "LeftAnti",
        JoinType::Cross => "Cross",
    }
}

fn check_join(
    left: &Arc<Plan>,
    right: &Arc<Plan>,
    join_type: JoinType,
    condition: Option<&Scalar>,
    mode: OutputMode,
) -> Result<(), SparkError> {
    let name = join_name(join_type);
    let (a, b) = (left.is_streaming(), right.is_streaming());
    if a && b {
        check_join_mode(name, join_type, mode)?;
    }
    match join_type {
        JoinType::Inner | JoinType::Cross => Ok(()),
        JoinType::LeftAnti if b => {
            Err(refused("LeftAnti joins with a streaming DataFrame/Dataset on the right are not supported"))
        }
        JoinType::LeftAnti => Ok(()),
        JoinType::FullOuter if a && !b => Err(refused(
            "FullOuter joins with streaming DataFrames/Datasets on the left and a static DataFrame/Dataset on the right is not supported",
        )),
        JoinType::FullOuter if !a && b => Err(refused(
            "FullOuter joins with streaming DataFrames/Datasets on the right and a static DataFrame/Dataset on the left is not supported",
        )),
        JoinType::LeftOuter | JoinType::LeftSemi if !a && b => Err(refused(&format!(
            "{name} join with a streaming DataFrame/Dataset on the right and a static DataFrame/Dataset on the left is not supported"
        ))),
        JoinType::RightOuter if a && !b => Err(refused(
            "RightOuter join with a streaming DataFrame/Dataset on the left and a static DataFrame/DataSet on the right not supported",
        )),
        JoinType::LeftOuter | JoinType::RightOuter | JoinType::FullOuter | JoinType::LeftSemi => {
            if !(a && b) || has_watermark(left, right, join_type, condition) {
                return Ok(());
            }
            Err(refused(&format!(
                "Stream-stream {name} join between two streaming DataFrame/Datasets is not supported without a watermark in the join keys, or a watermark on the nullable side and an appropriate range condition"
            )))
        }
    }
}

fn check_join_mode(name: &str, join_type: JoinType, mode: OutputMode) -> Result<(), SparkError> {
    let matching = matches!(join_type, JoinType::Inner | JoinType::Cross | JoinType::LeftSemi);
    let (good, only) = if matching {
        (mode != OutputMode::Complete, "only in Append and Update output modes")
    } else {
        (mode == OutputMode::Append || join_type == JoinType::LeftAnti, "only in Append output mode")
    };
    if good {
        return Ok(());
    }
    Err(refused(&format!(
        "{name} join between two streaming DataFrames/Datasets is not supported in {} output mode, {only}",
        mode.title()
    )))
}

/// Whether rows of the side that may stay without a match have an end in time.
fn has_watermark(left: &Plan, right: &Plan, join_type: JoinType, condition: Option<&Scalar>) -> bool {
    let mut parts = Vec::new();
    conjuncts(condition, &mut parts);
    let (a, b) = (left.output(), right.output());
    let in_keys = parts.iter().any(|part| match part {
        Scalar::Call { function: Function::Equal, args, .. } => {
            args.iter().any(|arg| matches!(arg, Scalar::Column(c) if c.watermark_delay.is_some()))
        }
        _ => false,
    });
    let range = |kept: &[Attribute], other: &[Attribute]| {
        other.iter().any(|column| column.watermark_delay.is_some())
            && parts.iter().any(|part| time_bound(part, kept, None, other).is_some())
    };
    in_keys
        || match join_type {
            JoinType::LeftOuter | JoinType::LeftSemi => range(&a, &b),
            JoinType::RightOuter => range(&b, &a),
            _ => range(&a, &b) || range(&b, &a),
        }
}

fn conjuncts<'a>(condition: Option<&'a Scalar>, parts: &mut Vec<&'a Scalar>) {
    match condition {
        Some(Scalar::Call { function: Function::And, args, .. }) => {
            for arg in args {
                conjuncts(Some(arg), parts);
            }
        }
        Some(other) => parts.push(other),
        None => {}
    }
}

fn is_stateful(node: &Plan) -> bool {
    match node {
        Plan::Aggregate { child, .. } | Plan::Deduplicate { within_watermark: true, child, .. } => {
            child.is_streaming()
        }
        Plan::Deduplicate { keys, child, .. } => {
            child.is_streaming() && keys.iter().any(|key| key.watermark_delay.is_some())
        }
        Plan::Join { left, right, .. } => left.is_streaming() && right.is_streaming(),
        _ => false,
    }
}

fn may_emit_late_rows(node: &Plan, mode: OutputMode) -> bool {
    matches!(node, Plan::Aggregate { child, .. } if child.is_streaming()) && mode != OutputMode::Append
}

/// A stateful operator above one that may emit rows behind the watermark.
fn check_late_rows(plan: &Plan, mode: OutputMode) -> Result<(), SparkError> {
    fn contains(plan: &Plan, mode: OutputMode) -> bool {
        may_emit_late_rows(plan, mode) || plan.children().into_iter().any(|child| contains(child, mode))
    }
    walk_up(plan, &mut |node| {
        if is_stateful(node) && node.children().into_iter().any(|child| contains(child, mode)) {
            return Err(refused(
                "Detected pattern of possible 'correctness' issue due to global watermark. The query contains stateful operation which can emit rows older than the current watermark plus allowed late record delay, which are \"late rows\" in downstream stateful operations and these rows can be discarded. Please refer the programming guide doc for more details. If you understand the possible risk of correctness issue and still need to run the query, you can disable this check by setting the config `spark.sql.streaming.statefulOperator.checkCorrectness.enabled` to false.",
            ));
        }
        Ok(())
    })
}
