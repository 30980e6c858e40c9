//! The machine's clock and random source, behind their ports.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use adjutant_domain::ports::{Clock, Entropy, Ringing};
use jiff::{Timestamp, Zoned, tz::TimeZone};

/// The system clock in the person's time zone, which may change at run time. Clones share the zone.
#[derive(Clone, Debug)]
pub struct SystemClock {
    zone: Arc<RwLock<TimeZone>>,
}

impl SystemClock {
    /// Creates a clock that reports the time in `zone`.
    #[must_use]
    pub fn new(zone: TimeZone) -> Self {
        Self {
            zone: Arc::new(RwLock::new(zone)),
        }
    }

    /// Changes the time zone of this clock and its clones.
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

    fn until(&self, at: Timestamp) -> Ringing {
        let clock = self.clone();
        Box::pin(async move {
            if let Err(error) = alarm(at).await {
                tracing::debug!(%error, "the system has no alarm; the clock is looked at every minute");
                let left = at.duration_since(clock.now().timestamp());
                let left = Duration::try_from(left).unwrap_or_default();
                tokio::time::sleep(left.min(LOOKED_AT_EVERY)).await;
            }
        })
    }
}

/// How often to check the time on a system without an alarm that follows the wall clock. A monotonic timer stops while
/// the machine sleeps and does not notice when the clock is set.
const LOOKED_AT_EVERY: Duration = Duration::from_secs(60);

/// Waits for a wall-clock alarm of the system. It also fires when the clock is set, and on wake-up if the machine slept
/// past `at`.
#[cfg(target_os = "linux")]
#[expect(
    deprecated,
    reason = "its replacement is unsafe; an OwnedFd keeps its one descriptor open as long as it lives"
)]
async fn alarm(at: Timestamp) -> std::io::Result<()> {
    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };
    let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
    let timer = timerfd_create(TimerfdClockId::Realtime, flags)?;
    let once = Itimerspec {
        it_interval: Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        },
        it_value: Timespec {
            // A zero time would disarm the timer.
            tv_sec: at.as_second().max(1),
            tv_nsec: at.subsec_nanosecond().max(0).into(),
        },
    };
    let flags = TimerfdTimerFlags::ABSTIME | TimerfdTimerFlags::CANCEL_ON_SET;
    timerfd_settime(&timer, flags, &once)?;
    // The descriptor becomes readable when the timer fires and when the clock is set.
    let timer = tokio::io::unix::AsyncFd::new(timer)?;
    timer.readable().await?.retain_ready();
    Ok(())
}

#[cfg(not(target_os = "linux"))]
async fn alarm(_at: Timestamp) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// A clock that always shows the same time (`--now`).
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

/// Returns the system's time zone, or UTC if it cannot be determined.
#[must_use]
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that asks the system for its zone"
)]
pub fn system_zone() -> TimeZone {
    TimeZone::system()
}

/// Random bits from the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn bits(&self) -> u64 {
        // Nothing here is safe without a random source: identifiers could collide and digests could be guessed.
        getrandom::u64().unwrap_or_else(|error| {
            eprintln!(
                "The system gives no random numbers ({error}). Adjutant cannot run without them."
            );
            std::process::abort()
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan as _;

    use super::*;

    #[tokio::test]
    async fn it_rings_at_its_time_and_at_once_for_a_time_that_passed() {
        let clock = SystemClock::new(TimeZone::UTC);
        let soon = clock.now().timestamp() + 50.milliseconds();
        clock.until(soon).await;
        assert!(clock.now().timestamp() >= soon);
        clock.until(soon - 24.hours()).await;
        clock.until(Timestamp::MIN).await;
    }
}
