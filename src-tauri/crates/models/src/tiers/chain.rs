//! Tries models in order if one is unreachable, busy, silent, cut off, or answers in the wrong shape.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest};
use futures::stream::BoxStream;

use super::attempts::{Rule, attempts};
use crate::govern::worst_case_micros;

/// The models of one tier, first choice first.
///
/// A reply requested as JSON is checked once it is complete. If it is not JSON or does not fit its schema, that is
/// [`ModelFault::Unreadable`], and the next model is asked. If no model is left, the chain returns that fault, so
/// that the caller can ask again and give the reason.
///
/// The models share the time: one that has sent nothing by the end of its share (the time left, divided by the number
/// of models left) has stalled, and the next is asked. A model that exceeds a spending limit is followed by the next
/// one that could cost less.
pub struct Chain {
    first: Arc<dyn ChatModel>,
    others: Vec<Arc<dyn ChatModel>>,
    deadline: Duration,
}

impl Chain {
    /// Creates a chain from a first choice, its alternatives in order, and a time limit for all of them together.
    #[must_use]
    pub fn new(
        first: Arc<dyn ChatModel>,
        others: Vec<Arc<dyn ChatModel>>,
        deadline: Duration,
    ) -> Self {
        Self {
            first,
            others,
            deadline,
        }
    }
}

impl ChatModel for Chain {
    fn profile(&self) -> ModelProfile {
        self.first.profile()
    }

    fn stream(
        &self,
        request: Arc<ModelRequest>,
    ) -> BoxStream<'static, Result<ModelEvent, ModelFault>> {
        let models = std::iter::once(&self.first)
            .chain(&self.others)
            .cloned()
            .collect();
        attempts(models, request, Fallback(self.deadline))
    }
}

struct Fallback(Duration);

impl Rule for Fallback {
    fn goes_on(&self, fault: &ModelFault, next: &dyn ChatModel, request: &ModelRequest) -> bool {
        match fault {
            ModelFault::OverLimit(over) => {
                worst_case_micros(&next.profile(), request) < over.wanted_micros
            }
            ModelFault::None => false,
            _ => true,
        }
    }

    fn why(&self, fault: &ModelFault, next: &dyn ChatModel) -> String {
        match fault {
            ModelFault::OverLimit(_) => instead_of_dear(fault, next),
            _ => fault.to_string(),
        }
    }

    fn last(&self, mut tried: Vec<ModelFault>) -> ModelFault {
        match tried.pop() {
            Some(fault) if tried.is_empty() || says_enough(&fault) => fault,
            Some(fault) => {
                tried.push(fault);
                ModelFault::AllFailed { tried }
            }
            None => ModelFault::None,
        }
    }

    fn checks(&self) -> bool {
        true
    }

    fn deadline(&self) -> Option<Duration> {
        Some(self.0)
    }

    fn shares(&self) -> bool {
        true
    }
}

/// Returns the reason why a cheaper model answers.
pub(super) fn instead_of_dear(fault: &ModelFault, next: &dyn ChatModel) -> String {
    if next.profile().local {
        format!("{fault}, so a model on this computer answers")
    } else {
        format!("{fault}, so a cheaper model answers")
    }
}

/// Whether a fault tells the caller what to do by itself, whatever else was tried.
fn says_enough(fault: &ModelFault) -> bool {
    matches!(
        fault,
        ModelFault::Unreadable { .. } | ModelFault::OverLimit(_) | ModelFault::None
    )
}
