//! How models fared when they were last asked in this process.

use adjutant_domain::faults::{StoreFault, sentence};
use adjutant_domain::model::{CallRecord, CallState, Ledger as _};
use jiff::{Timestamp, Zoned};

use super::Models;

/// Number of latest calls considered.
const CALLS: usize = 200;

/// How a model fared when it was asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// Connection and model, such as `Ollama/qwen3:8b`.
    pub(crate) model: String,
    /// When it was asked.
    pub(crate) at: Zoned,
    /// What went wrong, as a sentence; `None` if it answered.
    pub(crate) fault: Option<String>,
}

impl Models {
    /// Returns how each model fared when it was last asked in this process.
    ///
    /// # Errors
    /// Returns a fault if the calls cannot be read.
    pub(crate) async fn outcomes(&self) -> Result<Vec<Outcome>, StoreFault> {
        self.written().await;
        let calls = self.0.store.calls(None, CALLS).await?;
        Ok(latest(calls, self.0.opened))
    }
}

/// Returns the latest outcome of each model from calls, newest first. A call that was cancelled says nothing of its
/// model.
fn latest(calls: Vec<CallRecord>, opened: Timestamp) -> Vec<Outcome> {
    let mut found: Vec<Outcome> = Vec::new();
    for call in calls {
        let (asked, Some(spent)) = (call.reserved, call.spent) else {
            continue;
        };
        if asked.at.timestamp() < opened || found.iter().any(|one| one.model == asked.model) {
            continue;
        }
        let fault = match spent.state {
            CallState::Done => None,
            CallState::Failed => Some(
                spent
                    .fault
                    .map_or_else(|| "It did not answer.".to_owned(), |fault| sentence(&fault)),
            ),
            CallState::Running | CallState::Cancelled | CallState::Lost => continue,
        };
        found.push(Outcome {
            model: asked.model,
            at: asked.at,
            fault,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use adjutant_domain::model::{Purpose, Reservation, Spent, Stage, Tier, Usage};

    use super::*;

    fn call(second: i64, model: &str, state: CallState, fault: Option<&str>) -> CallRecord {
        CallRecord {
            id: second,
            reserved: Reservation {
                at: Timestamp::from_second(second)
                    .expect("an instant")
                    .to_zoned(jiff::tz::TimeZone::UTC),
                turn: None,
                stage: Stage::Respond,
                tier: Tier::Standard,
                purpose: Purpose::Foreground,
                model: model.into(),
                prompt: String::new(),
                input_chars: 1,
                worst_micros: 0,
            },
            spent: Some(Spent {
                state,
                usage: Usage::default(),
                first_ms: None,
                ms: 1,
                fault: fault.map(str::to_owned),
            }),
        }
    }

    #[test]
    fn each_model_has_the_outcome_of_its_latest_call_of_the_session() {
        let calls = vec![
            call(60, "lab/b", CallState::Cancelled, None),
            call(
                50,
                "lab/a",
                CallState::Failed,
                Some("lab/a could not be reached"),
            ),
            call(40, "lab/b", CallState::Done, None),
            call(30, "lab/a", CallState::Done, None),
            call(10, "old/c", CallState::Done, None),
        ];
        let told: Vec<_> = latest(calls, Timestamp::from_second(20).expect("an instant"))
            .into_iter()
            .map(|one| (one.model, one.at.timestamp().as_second(), one.fault))
            .collect();
        let reached = "Lab/a could not be reached.".to_owned();
        assert_eq!(
            told,
            [
                ("lab/a".to_owned(), 50, Some(reached)),
                ("lab/b".to_owned(), 40, None)
            ]
        );
    }
}
