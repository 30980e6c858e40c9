//! Decides when a failing model is paused: a state machine without clock, lock or stream.
//!
//! Closed: calls pass. More than [`Figures::failures`] failures within [`Figures::within`] open it for
//! [`Figures::rest`]. After that, one call may try (half open), and its result closes or opens it again. A provider
//! that says when to come back is left alone until then, even while closed.
//!
//! Time that a call spends waiting in vain does not age the earlier failures: a silent model fails only once every
//! minute or three for a caller who waits for it, and would otherwise never fail often enough. That, the provider's
//! own retry time and the calls of earlier processes are the reasons for our own code: the crate `recloser` supports
//! none of the three.

use std::collections::VecDeque;
use std::time::Duration;

/// The limits beyond which a model counts as failing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Highest number of failures that does not open the breaker.
    pub failures: u32,
    /// Time within which failures are counted.
    pub within: Duration,
    /// How long a failing model is paused.
    pub rest: Duration,
}

impl Default for Figures {
    fn default() -> Self {
        Self {
            failures: 3,
            within: Duration::from_secs(5 * 60),
            rest: Duration::from_secs(10 * 60),
        }
    }
}

/// Longest wait a provider can demand; after that it is asked again in any case.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(60 * 60);
/// How long a caller is told to wait while another call tries.
pub const PROBE_WAIT: Duration = Duration::from_secs(1);

/// Permission for one call. Whatever happens, it must be returned with [`CircuitBreaker::end`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    era: u64,
    probe: bool,
    since: Duration,
}

/// Result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallResult {
    /// The reply was complete.
    Well,
    /// It failed, and this counts.
    Badly {
        /// How long the provider wants to be left alone, if it said so.
        retry_after: Option<Duration>,
    },
    /// It says nothing about the model: the person stopped it, or the request was at fault.
    Neither,
}

/// The state of one model.
#[derive(Clone, Debug)]
pub struct CircuitBreaker {
    figures: Figures,
    /// Times of the counted failures of this era, oldest first.
    failures: VecDeque<Duration>,
    phase: Phase,
    /// Time before which no call passes, even while closed.
    wait_until: Duration,
    /// Incremented at every opening and closing, so that earlier calls do not affect the present state.
    era: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Closed,
    Open { until: Duration },
    Probing,
}

impl CircuitBreaker {
    /// Creates a breaker for a model without any record; calls pass.
    #[must_use]
    pub const fn new(figures: Figures) -> Self {
        Self {
            figures,
            failures: VecDeque::new(),
            phase: Phase::Closed,
            wait_until: Duration::ZERO,
            era: 0,
        }
    }

    /// Requests permission for a call.
    ///
    /// # Errors
    /// The time for which the model is still paused.
    pub fn ask(&mut self, now: Duration) -> Result<Pass, Duration> {
        if now < self.wait_until {
            return Err(self.wait_until - now);
        }
        match self.phase {
            Phase::Closed => Ok(self.pass(false, now)),
            Phase::Open { until } if now < until => Err(until - now),
            Phase::Open { .. } => {
                self.phase = Phase::Probing;
                Ok(self.pass(true, now))
            }
            Phase::Probing => Err(PROBE_WAIT),
        }
    }

    /// Records the result of a call.
    pub fn end(&mut self, pass: Pass, ended: CallResult, now: Duration) {
        if let CallResult::Badly {
            retry_after: Some(wait),
        } = ended
        {
            let until = now.saturating_add(wait.min(RETRY_AFTER_MAX));
            self.wait_until = self.wait_until.max(until);
        }
        if pass.era != self.era {
            return;
        }
        match (pass.probe, ended) {
            (true, CallResult::Well) => self.change(Phase::Closed),
            (true, CallResult::Badly { .. }) => self.open(now),
            // Let the next call try.
            (true, CallResult::Neither) => self.phase = Phase::Open { until: now },
            (false, CallResult::Badly { .. }) => {
                self.failed(now, now.saturating_sub(pass.since));
            }
            (false, CallResult::Well | CallResult::Neither) => {}
        }
    }

    /// Takes over a failure seen by an earlier process: when it occurred, and how long the call had waited. Call this
    /// oldest first, before the first call.
    pub fn remember(&mut self, at: Duration, waited: Duration) {
        match self.phase {
            Phase::Open { until } if at < until => {}
            // A call that was let through after the pause has failed.
            Phase::Open { .. } => self.open(at),
            Phase::Closed | Phase::Probing => self.failed(at, waited),
        }
    }

    /// Takes over a successful call of an earlier process.
    pub fn remember_well(&mut self, at: Duration) {
        if matches!(self.phase, Phase::Open { until } if at >= until) {
            self.change(Phase::Closed);
        }
    }

    /// Forgets everything seen so far.
    pub fn renew(&mut self) {
        self.wait_until = Duration::ZERO;
        self.change(Phase::Closed);
    }

    /// Sets other figures, which apply from the next failure on.
    pub fn set_figures(&mut self, figures: Figures) {
        self.figures = figures;
    }

    fn failed(&mut self, now: Duration, waited: Duration) {
        for then in &mut self.failures {
            *then = then.saturating_add(waited).min(now);
        }
        let within = self.figures.within;
        self.failures
            .retain(|then| now.saturating_sub(*then) < within);
        self.failures.push_back(now);
        if self.failures.len() > self.figures.failures as usize {
            self.open(now);
        }
    }

    fn pass(&self, probe: bool, since: Duration) -> Pass {
        Pass {
            era: self.era,
            probe,
            since,
        }
    }

    fn open(&mut self, now: Duration) {
        let until = now.saturating_add(self.figures.rest);
        self.change(Phase::Open { until });
    }

    fn change(&mut self, phase: Phase) {
        self.phase = phase;
        self.failures.clear();
        self.era += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BAD: CallResult = CallResult::Badly { retry_after: None };

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn fail(rest: &mut CircuitBreaker, at: u64) {
        let pass = rest.ask(seconds(at)).expect("it is closed");
        rest.end(pass, BAD, seconds(at));
    }

    #[test]
    fn the_fourth_failure_in_five_minutes_opens_for_ten_and_one_call_tries() {
        let mut rest = CircuitBreaker::new(Figures::default());
        for at in [0, 100, 200] {
            fail(&mut rest, at);
        }
        // The first is five minutes old by now, so this is the third.
        fail(&mut rest, 300);
        fail(&mut rest, 301);
        assert_eq!(rest.ask(seconds(302)), Err(seconds(599)));
        assert_eq!(rest.ask(seconds(900)), Err(seconds(1)));
        let probe = rest.ask(seconds(901)).expect("one may try");
        assert_eq!(rest.ask(seconds(901)), Err(PROBE_WAIT));
        rest.end(probe, BAD, seconds(910));
        assert_eq!(rest.ask(seconds(910)), Err(seconds(600)));
        let probe = rest.ask(seconds(1510)).expect("one may try");
        rest.end(probe, CallResult::Neither, seconds(1511));
        let probe = rest.ask(seconds(1511)).expect("the next one tries");
        rest.end(probe, CallResult::Well, seconds(1512));
        // Closed, and nothing of before counts.
        for at in 1513..1516 {
            fail(&mut rest, at);
        }
        assert!(rest.ask(seconds(1516)).is_ok());
    }

    #[test]
    fn a_model_that_is_waited_for_in_vain_again_and_again_is_left_alone() {
        let mut rest = CircuitBreaker::new(Figures::default());
        for call in 0..4 {
            let pass = rest.ask(seconds(call * 190)).expect("it is closed");
            rest.end(pass, BAD, seconds(call * 190 + 180));
        }
        assert_eq!(rest.ask(seconds(751)), Err(seconds(599)));
        // With half an hour in between it is another matter each time.
        let mut rest = CircuitBreaker::new(Figures::default());
        for call in 0..9 {
            let pass = rest.ask(seconds(call * 1800)).expect("it is closed");
            rest.end(pass, BAD, seconds(call * 1800 + 180));
        }
    }

    #[test]
    fn what_an_earlier_process_saw_counts_until_it_is_past() {
        let mut rest = CircuitBreaker::new(Figures::default());
        for at in [100, 170, 240, 310] {
            rest.remember(seconds(at), seconds(60));
        }
        assert_eq!(rest.ask(seconds(400)), Err(seconds(510)));
        rest.remember_well(seconds(800));
        assert!(rest.ask(seconds(900)).is_err(), "it was not let through");
        rest.remember(seconds(920), seconds(1));
        assert_eq!(rest.ask(seconds(920)), Err(seconds(600)));
        rest.remember_well(seconds(1_600));
        assert!(rest.ask(seconds(1_600)).is_ok());
    }

    #[test]
    fn a_provider_that_says_when_is_left_alone_until_then_and_no_longer() {
        let mut rest = CircuitBreaker::new(Figures::default());
        let busy = |wait| CallResult::Badly {
            retry_after: Some(wait),
        };
        let pass = rest.ask(seconds(0)).expect("it is closed");
        rest.end(pass, busy(seconds(20)), seconds(0));
        assert_eq!(rest.ask(seconds(5)), Err(seconds(15)));
        // One failure is no reason to let only one try.
        let two = (rest.ask(seconds(20)), rest.ask(seconds(20)));
        assert!(two.0.is_ok() && two.1.is_ok());
        rest.end(two.0.expect("a pass"), busy(Duration::MAX), seconds(21));
        assert_eq!(rest.ask(seconds(21)), Err(RETRY_AFTER_MAX));
    }

    #[test]
    fn what_began_before_decides_nothing_after() {
        let mut rest = CircuitBreaker::new(Figures::default());
        let early = rest.ask(seconds(0)).expect("it is closed");
        for at in 1..5 {
            fail(&mut rest, at);
        }
        rest.end(early, CallResult::Well, seconds(6));
        assert!(
            rest.ask(seconds(7)).is_err(),
            "a late success does not close"
        );
        let probe = rest.ask(seconds(604)).expect("one may try");
        rest.end(early, BAD, seconds(605));
        rest.end(probe, CallResult::Well, seconds(606));
        assert!(rest.ask(seconds(606)).is_ok());
    }

    #[derive(Clone, Copy, Debug)]
    enum Op {
        Wait(u64),
        Ask,
        End(usize, CallResult),
    }

    fn ops() -> impl Strategy<Value = Vec<Op>> {
        let ended = prop_oneof![
            3 => Just(CallResult::Well),
            5 => Just(BAD),
            1 => (0_u64..900).prop_map(|wait| CallResult::Badly { retry_after: Some(seconds(wait)) }),
            2 => Just(CallResult::Neither),
        ];
        let op = prop_oneof![
            3 => (0_u64..200).prop_map(Op::Wait),
            1 => (300_u64..1200).prop_map(Op::Wait),
            6 => Just(Op::Ask),
            6 => (any::<prop::sample::Index>(), ended).prop_map(|(at, ended)| Op::End(at.index(8), ended)),
        ];
        prop::collection::vec(op, 0..120)
    }

    /// What the rules say, kept as a full history without eras or phases.
    #[derive(Default)]
    struct History {
        /// Failures since it last opened or closed.
        failures: Vec<Duration>,
        open_until: Option<Duration>,
        probe_out: bool,
        wait_until: Duration,
        turns: u64,
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn it_does_what_the_rules_say(ops in ops()) {
            let figures = Figures::default();
            let mut rest = CircuitBreaker::new(figures);
            let mut seen = History::default();
            let mut now = Duration::ZERO;
            // Passes that are out, with the turn of the history they were given in and whether they try.
            let mut out: Vec<(Pass, u64, bool)> = Vec::new();
            for op in ops {
                match op {
                    Op::Wait(by) => now += seconds(by),
                    Op::Ask => {
                        let resting = now < seen.wait_until
                            || seen.open_until.is_some_and(|until| now < until || seen.probe_out);
                        let asked = rest.ask(now);
                        prop_assert_eq!(asked.is_err(), resting, "at {:?}", now);
                        match asked {
                            Ok(pass) => {
                                let probe = seen.open_until.is_some();
                                seen.probe_out |= probe;
                                out.push((pass, seen.turns, probe));
                            }
                            Err(wait) => {
                                prop_assert!(wait > Duration::ZERO);
                                prop_assert!(wait <= figures.rest.max(RETRY_AFTER_MAX));
                            }
                        }
                    }
                    Op::End(at, ended) => {
                        if out.is_empty() {
                            continue;
                        }
                        let (pass, turn, probe) = out.swap_remove(at % out.len());
                        rest.end(pass, ended, now);
                        if let CallResult::Badly { retry_after: Some(wait) } = ended {
                            seen.wait_until = seen.wait_until.max(now + wait);
                        }
                        if turn != seen.turns {
                            continue;
                        }
                        let waited = now - pass.since;
                        for then in &mut seen.failures {
                            if matches!(ended, CallResult::Badly { .. }) && !probe {
                                *then = (*then + waited).min(now);
                            }
                        }
                        let bad = matches!(ended, CallResult::Badly { .. });
                        let opens = if probe {
                            seen.probe_out = false;
                            bad
                        } else {
                            if bad {
                                seen.failures.retain(|then| now - *then < figures.within);
                                seen.failures.push(now);
                            }
                            bad && seen.failures.len() > 3
                        };
                        if opens {
                            seen.open_until = Some(now + figures.rest);
                        } else if probe && ended == CallResult::Well {
                            seen.open_until = None;
                        }
                        if opens || probe && ended == CallResult::Well {
                            seen.failures.clear();
                            seen.turns += 1;
                        }
                    }
                }
                let tries = out.iter().filter(|(_, turn, probe)| *probe && *turn == seen.turns);
                prop_assert!(tries.count() <= 1, "only one tries");
                prop_assert!(rest.failures.len() <= 3, "nothing grows");
            }
            // Whatever happened: when all calls are over and time has passed, one may call again.
            for (pass, ..) in out {
                rest.end(pass, CallResult::Neither, now);
            }
            prop_assert!(rest.ask(now + figures.rest + RETRY_AFTER_MAX).is_ok());
        }
    }
}
