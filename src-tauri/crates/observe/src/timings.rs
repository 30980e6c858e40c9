//! Durations of the stages of turns, as histograms.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use hdrhistogram::Histogram;
use serde::Serialize;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// Target of events that are measurements. They have the fields `stage` and `micros`.
pub const STAGE_TARGET: &str = "adjutant::stage";
/// Maximum number of stages; further ones are not measured.
pub const STAGES_MAX: usize = 64;
/// Longest duration recorded, in microseconds: ten minutes. Longer ones count as this.
const MICROS_MAX: u64 = 10 * 60 * 1_000_000;
/// Significant digits of a histogram: a precision of 1 %.
const DIGITS: u8 = 2;

/// Measurements, for example those of this process. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Timings(Arc<Mutex<BTreeMap<String, Histogram<u64>>>>);

/// Statistics of one stage. Durations are in microseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageTiming {
    /// Name: `route`, `plan`, `observe`, `run`, `commit`, `close`, `turn`, …
    pub stage: String,
    /// Number of measurements.
    pub count: u64,
    /// Median.
    pub p50_micros: u64,
    /// 95th percentile.
    pub p95_micros: u64,
    /// 99th percentile.
    pub p99_micros: u64,
    /// Maximum.
    pub max_micros: u64,
}

impl Timings {
    /// Adds one measurement.
    pub fn add(&self, stage: &str, micros: u64) {
        let mut stages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !stages.contains_key(stage) {
            if stages.len() >= STAGES_MAX {
                return;
            }
            let Ok(empty) = Histogram::new_with_max(MICROS_MAX, DIGITS) else {
                return;
            };
            stages.insert(stage.to_owned(), empty);
        }
        if let Some(histogram) = stages.get_mut(stage) {
            histogram.saturating_record(micros);
        }
    }

    /// Returns the statistics of all stages, by name.
    #[must_use]
    pub fn read(&self) -> Vec<StageTiming> {
        let stages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stages
            .iter()
            .map(|(stage, histogram)| StageTiming {
                stage: stage.clone(),
                count: histogram.len(),
                p50_micros: histogram.value_at_quantile(0.5),
                p95_micros: histogram.value_at_quantile(0.95),
                p99_micros: histogram.value_at_quantile(0.99),
                max_micros: histogram.max(),
            })
            .collect()
    }
}

impl<S: Subscriber> Layer<S> for Timings {
    fn on_event(&self, event: &Event<'_>, _context: Context<'_, S>) {
        let mut seen = Measurement::default();
        event.record(&mut seen);
        if let (Some(stage), Some(micros)) = (seen.stage, seen.micros) {
            self.add(&stage, micros);
        }
    }
}

#[derive(Default)]
struct Measurement {
    stage: Option<String>,
    micros: Option<u64>,
}

impl Visit for Measurement {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "micros" {
            self.micros = Some(value);
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "stage" {
            self.stage = Some(value.to_owned());
        }
    }

    fn record_debug(&mut self, _field: &Field, _value: &dyn std::fmt::Debug) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_bounded_and_outliers_counted() {
        let timings = Timings::default();
        for number in 0..STAGES_MAX + 10 {
            timings.add(&format!("stage {number:03}"), 1);
        }
        timings.add("stage 000", u64::MAX);
        let stages = timings.read();
        assert_eq!(stages.len(), STAGES_MAX);
        assert_eq!(stages[0].count, 2);
        assert!(stages[0].max_micros >= MICROS_MAX);
    }
}
