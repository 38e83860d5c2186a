//! Spark's measures of a batch, as the page plots them.

use serde_json::Value as Json;
use tidemark_engine::stream::StreamingQueryProgress;
use tidemark_protocol::{BatchNumbers, StateMeasure};
use tidemark_types::timestamp::parse_timestamp;
use tidemark_types::zone::Zone;

/// The measures of a progress entry; none for a trigger that ran no batch.
pub(crate) fn numbers(progress: &StreamingQueryProgress) -> Option<BatchNumbers> {
    progress.duration_ms.get("addBatch")?;
    let time = |name: &str| {
        let text = progress.event_time.get(name)?;
        parse_timestamp(text, Zone::UTC, 0).map(|micros| micros.div_euclid(1000))
    };
    Some(BatchNumbers {
        batch: progress.batch_id.0,
        at: progress.timestamp,
        input_rows: progress.num_input_rows() as i64,
        input_rate: Some(progress.input_rows_per_second()).filter(|rate| rate.is_finite()),
        process_rate: Some(progress.processed_rows_per_second()).filter(|rate| rate.is_finite()),
        duration: progress.batch_duration,
        parts: progress.duration_ms.iter().map(|(name, millis)| (name.clone(), *millis)).collect(),
        watermark: time("watermark").filter(|millis| *millis != 0),
        latest_event: time("max"),
        operators: progress.state_operators.iter().map(|json| measure(progress.batch_id.0, json)).collect(),
    })
}

fn measure(batch: i64, operator: &Json) -> StateMeasure {
    let number = |name: &str| operator.get(name).and_then(Json::as_i64).unwrap_or(0);
    StateMeasure {
        batch,
        total: number("numRowsTotal"),
        updated: number("numRowsUpdated"),
        removed: number("numRowsRemoved"),
        dropped: number("numRowsDroppedByWatermark"),
        memory: number("memoryUsedBytes"),
    }
}
