//! How models fared in earlier processes, so that someone who asks one question after another on the command line does
//! not wait for the same silent model each time.

use std::time::Duration;

use adjutant_domain::model::{CallRecord, CallState};
use adjutant_models::tiers::Earlier;
use jiff::Timestamp;

use super::stored::Since;

/// Number of latest calls considered.
pub(super) const CALLS: usize = 100;
/// Minimum duration of a failure that counts. A quick failure keeps nobody waiting, and its cause (a server that was
/// not running) may be fixed by now.
const WAITED: Duration = Duration::from_secs(5);

/// Converts these calls, newest first, to their outcomes, oldest first. Includes successes and failures that took long.
pub(super) fn earlier(
    calls: &[CallRecord],
    since: &Since,
    now: Timestamp,
) -> Vec<(String, Earlier)> {
    let mut told: Vec<(String, Earlier)> = calls
        .iter()
        .filter_map(|call| {
            let spent = call.spent.as_ref()?;
            let begun = call.reserved.at.timestamp();
            let model = &call.reserved.model;
            if begun < since.at(model)? {
                return None;
            }
            let took = Duration::from_millis(spent.ms);
            let failed = match spent.state {
                CallState::Done => false,
                CallState::Failed if spent.first_ms.is_none() && took >= WAITED => true,
                _ => return None,
            };
            // Skip calls that a fast clock dated into the future.
            let since_begun = Duration::try_from(now.duration_since(begun)).ok()?;
            let ago = since_begun.checked_sub(took)?;
            Some((model.clone(), Earlier { ago, took, failed }))
        })
        .collect();
    told.sort_by_key(|(_, one)| std::cmp::Reverse(one.ago));
    told
}

#[cfg(test)]
mod tests {
    use adjutant_domain::model::{Purpose, Reservation, Spent, Stage, Tier, Usage};
    use adjutant_models::Connection;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_000_000 + second).expect("an instant")
    }

    fn call(second: i64, state: CallState, seconds: u64, first_ms: Option<u64>) -> CallRecord {
        CallRecord {
            id: second,
            reserved: Reservation {
                at: at(second).to_zoned(jiff::tz::TimeZone::UTC),
                turn: None,
                stage: Stage::Respond,
                tier: Tier::Standard,
                purpose: Purpose::Foreground,
                model: "quick/m".into(),
                prompt: String::new(),
                input_chars: 1,
                worst_micros: 0,
            },
            spent: Some(Spent {
                state,
                usage: Usage::default(),
                first_ms,
                ms: seconds * 1_000,
                fault: None,
            }),
        }
    }

    #[test]
    fn what_was_waited_for_in_vain_is_recalled() {
        let connection = Connection::quick("http://a.example/v1", "m", None).expect("one");
        let since = Since::default().of(&[connection], at(100));
        let calls = [
            call(900, CallState::Failed, 200, None),
            call(500, CallState::Done, 3, Some(100)),
            call(400, CallState::Failed, 60, Some(100)),
            call(350, CallState::Cancelled, 60, None),
            call(300, CallState::Failed, 1, None),
            call(200, CallState::Failed, 60, None),
            // Before the connection was what it is.
            call(50, CallState::Failed, 60, None),
        ];
        let told = earlier(&calls, &since, at(1_000));
        let seconds = Duration::from_secs;
        let one = |ago, took, failed| {
            let call = Earlier {
                ago: seconds(ago),
                took: seconds(took),
                failed,
            };
            ("quick/m".to_owned(), call)
        };
        // The first of the list ends in the future.
        assert_eq!(told, [one(740, 60, true), one(497, 3, false)]);
        assert!(earlier(&calls, &Since::default(), at(1_000)).is_empty());
    }
}
