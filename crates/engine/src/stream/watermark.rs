//! The watermark of a query: how far event time has come.

use std::sync::Arc;

use tidemark_plan::Plan;

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
/// It never falls. Each watermark node has a mark of its own, the latest of this run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatermarkTracker {
    current_ms: i64,
    nodes: Arc<Vec<Option<i64>>>,
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
    /// Shape: `seen` has what each node saw of the batch, `delays_ms` its delay; no `seen` at all means that the batch was
    /// not computed. A node that has seen no row in this run counts as 0.
    /// Source: Spark's `WatermarkTracker.updateWatermark`.
    pub fn advance(&mut self, seen: &[EventTimeStats], delays_ms: &[i64], policy: WatermarkPolicy) -> i64 {
        if seen.is_empty() {
            return self.current_ms;
        }
        let nodes = Arc::make_mut(&mut self.nodes);
        nodes.resize(delays_ms.len(), None);
        for ((node, stats), delay) in nodes.iter_mut().zip(seen).zip(delays_ms) {
            if stats.count > 0 {
                let mark = stats.max_ms.saturating_sub(*delay);
                *node = Some(node.map_or(mark, |known| known.max(mark)));
            }
        }
        let marks = nodes.iter().map(|node| node.unwrap_or(0));
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
        for (policy, column) in [(min, 0), (max, 1)] {
            let mut tracker = WatermarkTracker::default();
            for (left, right, low, high) in rounds {
                let wanted = if column == 0 { low } else { high };
                assert_eq!(tracker.advance(&[stats(left), stats(right)], &[10, 20], policy), wanted);
            }
        }
        let mut restored = WatermarkTracker::default();
        restored.restore(500);
        assert_eq!(restored.advance(&[stats(Some(100))], &[10], min), 500);
        assert_eq!(restored.advance(&[stats(Some(-100))], &[10], min), 500);
        assert_eq!(restored.advance(&[], &[10], min), 500);
    }
}
