//! The clock and the randomness of the machine, behind the ports.

use std::sync::{Arc, PoisonError, RwLock};

use adjutant_domain::ports::{Clock, Entropy};
use jiff::{Timestamp, Zoned, tz::TimeZone};

/// The system's clock, in the person's zone, which may change while the program runs. Clones are the same clock.
#[derive(Clone, Debug)]
pub struct SystemClock {
    zone: Arc<RwLock<TimeZone>>,
}

impl SystemClock {
    /// A clock that shows the time of `zone`.
    #[must_use]
    pub fn new(zone: TimeZone) -> Self {
        Self {
            zone: Arc::new(RwLock::new(zone)),
        }
    }

    /// Shows the time of another zone from now on.
    pub fn set_zone(&self, zone: TimeZone) {
        *self.zone.write().unwrap_or_else(PoisonError::into_inner) = zone;
    }
}

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the system clock behind the port Clock"
    )]
    fn now(&self) -> Zoned {
        let zone = self.zone.read().unwrap_or_else(PoisonError::into_inner);
        Timestamp::now().to_zoned(zone.clone())
    }
}

/// A clock that stands still (`--now`).
#[derive(Clone, Debug)]
pub struct FixedClock(pub Zoned);

impl Clock for FixedClock {
    fn now(&self) -> Zoned {
        self.0.clone()
    }

    fn is_fixed(&self) -> bool {
        true
    }
}

/// The zone of the system, or UTC where it cannot be told.
#[must_use]
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that asks the system for its zone"
)]
pub fn system_zone() -> TimeZone {
    TimeZone::system()
}

/// Random bits of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn bits(&self) -> u64 {
        // Without randomness of the system nothing here is safe: identifiers could collide, digests be guessed.
        getrandom::u64().unwrap_or_else(|error| {
            eprintln!(
                "The system gives no random numbers ({error}). Adjutant cannot run without them."
            );
            std::process::abort()
        })
    }
}
