//! Limits how often programs may call and how much they may propose.

use std::collections::{BTreeMap, VecDeque};

use adjutant_api::Fault;
use adjutant_domain::program::ProgramName;
use jiff::{SignedDuration, Timestamp};

use super::words;

/// Maximum number of calls per program and minute.
const CALLS_MAX: usize = 240;
/// Maximum number of calls per minute by all programs, whatever names they use.
const CALLS_ALL_MAX: usize = 600;
/// Maximum number of new proposals per hour by all programs.
const PROPOSALS_MAX: usize = 120;
const MINUTE: SignedDuration = SignedDuration::from_mins(1);
const HOUR: SignedDuration = SignedDuration::from_hours(1);

/// Recent calls and proposals.
#[derive(Debug, Default)]
pub(in crate::service) struct Rates {
    calls: BTreeMap<ProgramName, VecDeque<Timestamp>>,
    proposals: VecDeque<Timestamp>,
}

impl Rates {
    /// Counts a call, or refuses it if there were too many.
    pub(super) fn called(&mut self, program: &ProgramName, now: Timestamp) -> Result<(), Fault> {
        for calls in self.calls.values_mut() {
            forget(calls, now, MINUTE);
        }
        // This bounds the number of remembered programs by the number of allowed calls.
        self.calls.retain(|_, calls| !calls.is_empty());
        let all: usize = self.calls.values().map(VecDeque::len).sum();
        let own = self.calls.get(program).map_or(0, VecDeque::len);
        if own >= CALLS_MAX || all >= CALLS_ALL_MAX {
            return Err(words::too_fast("calls"));
        }
        self.calls
            .entry(program.clone())
            .or_default()
            .push_back(now);
        Ok(())
    }

    /// Counts a proposal, or refuses it if there were too many.
    pub(super) fn proposed(&mut self, now: Timestamp) -> Result<(), Fault> {
        forget(&mut self.proposals, now, HOUR);
        if self.proposals.len() >= PROPOSALS_MAX {
            return Err(words::too_fast("proposals"));
        }
        self.proposals.push_back(now);
        Ok(())
    }
}

/// Removes old times and also future ones, so that setting the clock back locks nobody out.
fn forget(times: &mut VecDeque<Timestamp>, now: Timestamp, within: SignedDuration) {
    times.retain(|at| *at <= now && now.duration_since(*at) < within);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_refused_and_a_while_later_it_goes_on() {
        let mut rates = Rates::default();
        let at = |seconds: i64| Timestamp::from_second(1_000_000 + seconds).expect("a time");
        let one = ProgramName::of("one");
        for _ in 0..CALLS_MAX {
            rates.called(&one, at(0)).expect("taken");
        }
        assert!(rates.called(&one, at(59)).is_err());
        rates
            .called(&ProgramName::of("two"), at(59))
            .expect("taken");
        rates.called(&one, at(60)).expect("taken");
        // Another name each time does not help.
        let mut taken = 0;
        for n in 0..2 * CALLS_ALL_MAX {
            let name = ProgramName::of(&format!("program {n}"));
            taken += usize::from(rates.called(&name, at(61)).is_ok());
        }
        assert!(taken < CALLS_ALL_MAX, "{taken}");
        assert!(rates.calls.len() <= CALLS_ALL_MAX);
        for _ in 0..PROPOSALS_MAX {
            rates.proposed(at(0)).expect("taken");
        }
        assert!(rates.proposed(at(3_599)).is_err());
        rates.proposed(at(3_600)).expect("taken");
        rates.proposed(at(0)).expect("a clock that went back");
    }
}
