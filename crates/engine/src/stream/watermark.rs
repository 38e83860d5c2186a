//! The watermark of a query: how far event time has come.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_plan::{ExprId, Plan};

use crate::connector::Settings as _;
use crate::state::EventTimeStats;
use crate::stream::conf::QueryConf;

/// How the watermarks of several nodes become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WatermarkPolicy {
    /// The slowest decides.
    #[default]
    Min,
    /// The fastest decides.
    Max,
}

impl WatermarkPolicy {
    /// The policy that a query's settings name.
    pub fn of(conf: &QueryConf) -> Self {
        match conf.get("spark.sql.streaming.multipleWatermarkPolicy") {
            Some(name) if name.trim().eq_ignore_ascii_case("max") => WatermarkPolicy::Max,
            _ => WatermarkPolicy::Min,
        }
    }
}

/// The watermark in force, in milliseconds since the epoch; 0 before any event time has been seen.
///
/// It never falls. Each declaration of a watermark has a mark of its own, the latest of this run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatermarkTracker {
    current_ms: i64,
    marks: Arc<BTreeMap<ExprId, i64>>,
}

impl WatermarkTracker {
    /// The watermark in force.
    pub fn current_ms(&self) -> i64 {
        self.current_ms
    }

    /// Takes over what a checkpoint says, if it is later.
    pub fn restore(&mut self, logged_ms: i64) {
        self.current_ms = self.current_ms.max(logged_ms);
    }

    /// Advances after one batch, and says how far the watermark is then.
    ///
    /// Shape: `seen` has what each node saw of the batch, `nodes` the declaration that it is of and its delay in
    /// milliseconds; no `seen` at all means that the batch was not computed. A declaration that has seen no row in this run
    /// counts as 0.
    /// Source: Spark's `WatermarkTracker.updateWatermark`.
    pub fn advance(
        &mut self,
        seen: &[EventTimeStats],
        nodes: &[(ExprId, i64)],
        policy: WatermarkPolicy,
    ) -> i64 {
        if seen.is_empty() {
            return self.current_ms;
        }
        let marks = Arc::make_mut(&mut self.marks);
        for (stats, (id, delay)) in seen.iter().zip(nodes).filter(|(stats, _)| stats.count > 0) {
            let mark = stats.max_ms.saturating_sub(*delay);
            marks.entry(*id).and_modify(|known| *known = mark.max(*known)).or_insert(mark);
        }
        let marks = nodes.iter().map(|(id, _)| marks.get(id).copied().unwrap_or(0));
        let chosen = match policy {
            WatermarkPolicy::Min => marks.min(),
            WatermarkPolicy::Max => marks.max(),
        };
        self.current_ms = self.current_ms.max(chosen.unwrap_or(0));
        self.current_ms
    }
}

/// Whether a query declares event time.
pub fn has_watermark(plan: &Plan) -> bool {
    matches!(plan, Plan::Watermark { .. }) || plan.children().into_iter().any(|child| has_watermark(child))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(max_ms: Option<i64>) -> EventTimeStats {
        EventTimeStats {
            count: u64::from(max_ms.is_some()),
            max_ms: max_ms.unwrap_or(0),
            ..EventTimeStats::default()
        }
    }

    #[test]
    fn it_never_falls_and_waits_for_all() {
        let (min, max) = (WatermarkPolicy::Min, WatermarkPolicy::Max);
        // The latest time at each of two nodes, and the watermark after it; the delays are 10 and 20.
        let rounds = [
            (Some(100), None, 0, 90),
            (Some(50), Some(200), 90, 180),
            (None, None, 90, 180),
            (Some(400), None, 180, 390),
            (Some(-5), Some(-5), 180, 390),
        ];
        let (two, one) = ([(ExprId(1), 10), (ExprId(2), 20)], [(ExprId(1), 10)]);
        for (policy, column) in [(min, 0), (max, 1)] {
            let mut tracker = WatermarkTracker::default();
            for (left, right, low, high) in rounds {
                let wanted = if column == 0 { low } else { high };
                assert_eq!(tracker.advance(&[stats(left), stats(right)], &two, policy), wanted);
            }
        }
        let mut twice = WatermarkTracker::default();
        assert_eq!(twice.advance(&[stats(Some(100)), stats(None)], &[one[0], one[0]], min), 90);
        let mut restored = WatermarkTracker::default();
        restored.restore(500);
        assert_eq!(restored.advance(&[stats(Some(100))], &one, min), 500);
        assert_eq!(restored.advance(&[stats(Some(-100))], &one, min), 500);
        assert_eq!(restored.advance(&[], &one, min), 500);
    }
}
