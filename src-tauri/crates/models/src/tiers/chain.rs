//! The chain that is tried in order when a model is out of reach, busy, silent, cut off, or answers in the wrong shape.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::model::{ChatModel, ModelEvent, ModelFault, ModelProfile, ModelRequest};
use futures::stream::BoxStream;

use super::attempts::{Rule, attempts};
use crate::govern::worst_case_micros;

/// Models of one tier, the first choice first.
///
/// A reply that was asked for as JSON is looked at when it is whole: one that is none, or does not fit its schema, is
/// [`ModelFault::Unreadable`], and the next model is asked. If no model is left, that fault is what comes out, so that
/// whoever asked can ask once more with the reason.
///
/// The time is shared: a model that has sent nothing when its part of it is over (what is left, divided by the models
/// that are left) has stalled, and the next is asked. A model that is over a limit of money is followed by the next that
/// could cost less.
pub struct Chain {
    first: Arc<dyn ChatModel>,
    others: Vec<Arc<dyn ChatModel>>,
    deadline: Duration,
}

impl Chain {
    /// A first choice, what is tried after it, and how long all of it may take together.
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

/// Why one that costs less answers.
pub(super) fn instead_of_dear(fault: &ModelFault, next: &dyn ChatModel) -> String {
    if next.profile().local {
        format!("{fault}, so a model on this computer answers")
    } else {
        format!("{fault}, so a cheaper model answers")
    }
}

/// Faults that tell whoever asked what to do, whatever was tried before.
fn says_enough(fault: &ModelFault) -> bool {
    matches!(
        fault,
        ModelFault::Unreadable { .. } | ModelFault::OverLimit(_) | ModelFault::None
    )
}
