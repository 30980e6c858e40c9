//! Runs file work off the async threads and stops it when nobody waits for its result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use adjutant_domain::faults::ToolFault;
use adjutant_domain::outcome::Stop;

/// Tells work on files that nobody waits for it any more.
#[derive(Clone, Debug, Default)]
pub(super) struct Stopped(Arc<AtomicBool>);

impl Stopped {
    /// A flag that is never set.
    #[cfg(test)]
    pub(super) fn never() -> Self {
        Self::default()
    }

    pub(super) fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Stops work that nobody waits for; long work calls this from time to time.
    ///
    /// # Errors
    /// Returns a fault if nobody waits any more.
    pub(super) fn check(&self) -> Result<(), Stop> {
        if self.0.load(Ordering::Relaxed) {
            return Err(failed("Looking at files was stopped.".into()));
        }
        Ok(())
    }
}

/// Stops the work when its future is dropped.
struct Waits(Stopped);

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs work on files off the async threads. The work is told when its future is dropped.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce(&Stopped) -> Result<T, Stop> + Send + 'static,
) -> Result<T, Stop> {
    let stopped = Stopped::default();
    let _waits = Waits(stopped.clone());
    tokio::task::spawn_blocking(move || work(&stopped))
        .await
        .unwrap_or_else(|error| Err(failed(format!("Reading files stopped: {error}."))))
}

fn failed(what: String) -> Stop {
    ToolFault::Failed {
        what,
        hint: "Try again.".into(),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_nobody_waits_for_ends() {
        let (began, begun) = tokio::sync::oneshot::channel();
        let (ended, end) = tokio::sync::oneshot::channel();
        let mut work = tokio::task::JoinSet::new();
        work.spawn(blocking(move |stopped| {
            began.send(()).expect("waited for");
            while stopped.check().is_ok() {
                std::thread::yield_now();
            }
            ended.send(()).expect("waited for");
            Ok(())
        }));
        begun.await.expect("began");
        work.abort_all();
        end.await.expect("ended");
    }
}
