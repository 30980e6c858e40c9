//! Allows one request at a time to a host, with a pause between requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adjutant_domain::ports::Clock;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::OwnedMutexGuard;

/// Maximum number of hosts remembered.
const HOSTS_MAX: usize = 1_000;

/// When each host may next receive a request.
#[derive(Default)]
pub(super) struct Hosts(Mutex<HashMap<String, Arc<tokio::sync::Mutex<Timestamp>>>>);

/// The permission to send requests to a host, held until dropped.
pub(super) struct Turn {
    next: OwnedMutexGuard<Timestamp>,
    asked: Timestamp,
}

impl Hosts {
    /// Waits until the host may receive a request.
    pub(super) async fn turn(&self, host: &str, clock: &dyn Clock) -> Turn {
        let place = self.place(host);
        let next = place.lock_owned().await;
        let now = clock.now().timestamp();
        let wait = Duration::try_from(next.duration_since(now)).unwrap_or_default();
        tokio::time::sleep(wait.min(PAUSE_MAX)).await;
        let asked = clock.now().timestamp();
        Turn { next, asked }
    }

    fn place(&self, host: &str) -> Arc<tokio::sync::Mutex<Timestamp>> {
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= HOSTS_MAX && !hosts.contains_key(host) {
            // Hosts without a waiting request have had a long enough pause by now.
            hosts.retain(|_, place| Arc::strong_count(place) > 1);
        }
        let new = || Arc::new(tokio::sync::Mutex::new(Timestamp::MIN));
        Arc::clone(hosts.entry(host.to_owned()).or_insert_with(new))
    }
}

/// Maximum pause between requests; hosts that ask for more are read at this pace.
pub(super) const PAUSE_MAX: Duration = Duration::from_secs(10);

impl Turn {
    /// Ends the turn and sets the pause before the next request.
    pub(super) fn done(mut self, pause: Duration) {
        let pause = SignedDuration::try_from(pause.min(PAUSE_MAX)).unwrap_or_default();
        *self.next = self.asked.saturating_add(pause).unwrap_or(Timestamp::MAX);
    }
}
