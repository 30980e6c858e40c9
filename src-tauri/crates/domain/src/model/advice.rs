//! What a person is told, and can do, when no model answered. The embedded engine carries on in every case.

use super::{Limit, ModelFault, OverLimit};
use crate::faults::{UserFault, sentence};

impl From<&ModelFault> for UserFault {
    fn from(fault: &ModelFault) -> Self {
        let (code, hint) = advice(fault);
        Self::new(code, sentence(&fault.to_string()), hint)
    }
}

/// A stable code and the next action.
fn advice(fault: &ModelFault) -> (&'static str, &'static str) {
    match fault {
        ModelFault::Unreachable { .. } => (
            "model_unreachable",
            "Start the model's server or check the connection, then ask again.",
        ),
        ModelFault::Stalled { .. } => (
            "model_stalled",
            "Ask again, or give it more time with `models.stall_seconds`.",
        ),
        ModelFault::Cut { .. } => ("model_cut", "Ask again."),
        ModelFault::Busy { .. } => (
            "model_busy",
            "Ask again in a minute, or connect a second model in Settings, Models.",
        ),
        ModelFault::Key { .. } => ("model_key", "Enter the key again in Settings, Models."),
        ModelFault::NoSuchModel { .. } => (
            "no_such_model",
            "Check the address and the model's name in Settings, Models.",
        ),
        ModelFault::TooLong { .. } => (
            "too_long",
            "Ask for less at once, or choose a model with a larger window in Settings, Models.",
        ),
        ModelFault::Broken { .. } => (
            "model_failed",
            "Ask again, or connect a second model in Settings, Models.",
        ),
        ModelFault::Refused { .. } => (
            "model_refused",
            "Test the connection in Settings, Models; it says what the model can do.",
        ),
        ModelFault::Unreadable { .. } => (
            "model_unreadable",
            "Ask again in other words, or choose a more capable model in Settings, Models.",
        ),
        ModelFault::Resting { .. } => (
            "model_resting",
            "Ask again after that, or connect a second model in Settings, Models.",
        ),
        ModelFault::OverLimit(over) => ("over_limit", of_limit(over)),
        ModelFault::AllFailed { tried } => {
            // The last one was the last resort, so what helps it helps.
            let hint = tried.last().map_or("Ask again.", |last| advice(last).1);
            ("no_model_answered", hint)
        }
        ModelFault::None => ("no_model", "Connect one in Settings, Models."),
        ModelFault::Internal { .. } => (
            "internal",
            "Ask again; if it stays so, run `adjutant doctor`.",
        ),
    }
}

fn of_limit(over: &OverLimit) -> &'static str {
    match over.limit {
        Limit::Call => "Ask for less at once, or raise `models.spend.call` in Settings, Models.",
        Limit::Day => {
            "Raise `models.spend.day` in Settings, Models, connect a model on this computer, or wait until tomorrow."
        }
        Limit::Month => {
            "Raise `models.spend.month` in Settings, Models, or connect a model on this computer."
        }
        Limit::Background => {
            "Raise `models.spend.background_day` in Settings, Models, or wait until tomorrow."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_says_what_happened_and_what_to_do() {
        let model = || "lab/one".to_owned();
        let why = || "no route".to_owned();
        let second = std::time::Duration::from_secs(1);
        let over = |limit| {
            ModelFault::OverLimit(OverLimit {
                limit,
                limit_micros: 1,
                used_micros: 1,
                wanted_micros: 1,
            })
        };
        let unreachable = ModelFault::Unreachable {
            model: model(),
            why: why(),
        };
        let all = [
            unreachable.clone(),
            ModelFault::Stalled {
                model: model(),
                waited: second,
            },
            ModelFault::Cut { model: model() },
            ModelFault::Busy {
                model: model(),
                retry_after: None,
            },
            ModelFault::Key { model: model() },
            ModelFault::NoSuchModel { model: model() },
            ModelFault::TooLong { model: model() },
            ModelFault::Broken {
                model: model(),
                why: why(),
            },
            ModelFault::Refused {
                model: model(),
                why: why(),
            },
            ModelFault::Unreadable {
                model: model(),
                why: why(),
            },
            ModelFault::Resting {
                model: model(),
                rest: second,
            },
            over(Limit::Call),
            over(Limit::Day),
            over(Limit::Month),
            over(Limit::Background),
            ModelFault::AllFailed {
                tried: vec![unreachable.clone(), unreachable],
            },
            ModelFault::None,
            ModelFault::Internal { why: why() },
        ];
        let mut codes = std::collections::BTreeSet::new();
        for fault in &all {
            let shown = UserFault::from(fault);
            assert!(
                shown.what.ends_with('.') && shown.hint.ends_with('.'),
                "{shown}"
            );
            codes.insert(shown.code);
        }
        assert_eq!(codes.len(), 15, "one code a kind of fault: {codes:?}");
        assert_eq!(
            UserFault::from(&all[15]).what,
            "No model answered: lab/one could not be reached."
        );
    }
}
