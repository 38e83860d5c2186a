//! The watermark of a query: how far event time has come.

use tidemark_plan::Plan;

/// The watermark in force, in milliseconds since the epoch; 0 before any event time has been seen.
///
/// It never falls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WatermarkTracker {
    current_ms: i64,
}

impl WatermarkTracker {
    /// The watermark in force.
    pub fn current_ms(self) -> i64 {
        self.current_ms
    }

    /// Takes over what a checkpoint says, if it is later.
    pub fn restore(&mut self, logged_ms: i64) {
        self.current_ms = self.current_ms.max(logged_ms);
    }
}

/// Whether a query declares event time.
pub fn has_watermark(plan: &Plan) -> bool {
    matches!(plan, Plan::Watermark { .. }) || plan.children().into_iter().any(|child| has_watermark(child))
}
