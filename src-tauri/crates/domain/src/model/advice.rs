//! What the person can do when no model answered, the same on every surface. The embedded engine continues in any case.

use super::{Limit, ModelFault, OverLimit};

impl ModelFault {
    /// Returns the next action to suggest, in the window and on the command line alike.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => {
                "Check that it runs and can be reached (Settings, Check or `adjutant doctor` tries), or choose another in Settings, Models."
            }
            Self::Stalled { .. } => {
                "Ask again, or give it more time with the settings `models.begin_seconds` and `models.stall_seconds`."
            }
            Self::Cut { .. } => "Ask again.",
            Self::Busy { .. } | Self::Occupied { .. } => {
                "Ask again in a minute, or connect a second model in Settings, Models (`adjutant models add`)."
            }
            Self::Key { .. } => {
                "Check the key in Settings, Models, or enter it again (`adjutant models add`)."
            }
            Self::NoSuchModel { .. } => {
                "Check address and model in Settings, Models (`adjutant doctor` shows what is there)."
            }
            Self::TooLong { .. } => {
                "Ask for less at once, or choose a model with a larger window in Settings, Models (`adjutant models add --context-tokens`)."
            }
            Self::Broken { .. } => {
                "Ask again, or connect a second model in Settings, Models (`adjutant models add`)."
            }
            Self::Refused { .. } => {
                "Test the connection in Settings, Models (`adjutant models test`): it says what the model can do."
            }
            Self::Unreadable { .. } => {
                "Ask again in other words, or choose a more capable model in Settings, Models (`adjutant models add`)."
            }
            Self::Resting { .. } => {
                "Ask again after that, or connect a second model in Settings, Models (`adjutant models add`)."
            }
            Self::OverLimit(over) => of_limit(over),
            // The last model was the last resort, so its advice applies.
            Self::AllFailed { tried } => tried.last().map_or("Ask again.", Self::hint),
            Self::None => "Connect one in Settings, Models (`adjutant models find`).",
            Self::Internal { .. } => "Settings, Check says what is wrong (`adjutant doctor`).",
        }
    }
}

fn of_limit(over: &OverLimit) -> &'static str {
    match over.limit {
        Limit::Call => {
            "Ask for less at once, or raise the limit in Settings, Models (`adjutant config set models.spend.call`)."
        }
        Limit::Day => {
            "Raise the limit in Settings, Models (`adjutant config set models.spend.day`), connect a model on this computer, or wait until tomorrow."
        }
        Limit::Month => {
            "Raise the limit in Settings, Models (`adjutant config set models.spend.month`), or connect a model on this computer."
        }
        Limit::Background => {
            "Raise the limit in Settings, Models (`adjutant config set models.spend.background_day`), or wait until tomorrow."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_says_what_to_do() {
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
            ModelFault::Occupied {
                model: model(),
                waited: second,
            },
            ModelFault::None,
            ModelFault::Internal { why: why() },
        ];
        for fault in &all {
            let hint = fault.hint();
            assert!(hint.ends_with('.') && hint.len() > 8, "{fault}: {hint}");
        }
        let hint = unreachable.hint();
        let tried = vec![ModelFault::None, unreachable];
        let failed = ModelFault::AllFailed { tried };
        assert_eq!(failed.hint(), hint, "what helps the last one");
    }
}
