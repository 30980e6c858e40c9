//! Background work that nobody waits for, such as summaries, comparisons, and preparing for the first model request. It
//! ends with the engine.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures::FutureExt as _;
use tokio::task::JoinSet;

use crate::panics;

/// The set of running background tasks.
#[derive(Debug, Default)]
pub(crate) struct Background {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    tasks: JoinSet<()>,
    /// Number of callers that keep new work from starting.
    refusing: usize,
}

impl Background {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a task. While work is refused, drops it instead: nobody depends on it.
    pub(crate) fn start(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut inner = self.lock();
        if inner.refusing > 0 {
            return;
        }
        while inner.tasks.try_join_next().is_some() {}
        inner.tasks.spawn(async move {
            if let Err(panic) = AssertUnwindSafe(work).catch_unwind().await {
                tracing::error!(
                    panic = panics::text(&*panic),
                    "work in the background panicked"
                );
            }
        });
    }

    /// Refuses new work until [`Self::admit`] has been called as often as this.
    pub(crate) fn refuse(&self) {
        self.lock().refusing += 1;
    }

    pub(crate) fn admit(&self) {
        let mut inner = self.lock();
        inner.refusing = inner.refusing.saturating_sub(1);
    }

    /// Aborts all tasks and waits until they have ended.
    pub(crate) async fn end(&self) {
        let mut tasks = std::mem::take(&mut self.lock().tasks);
        tasks.shutdown().await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::Semaphore;

    use super::Background;

    #[tokio::test]
    async fn what_ends_is_over_and_nothing_begins_until_it_may() {
        let background = Background::default();
        let held = Arc::new(());
        let begun = Arc::new(Semaphore::new(0));
        let work = |held: &Arc<()>| {
            let (held, begun) = (held.clone(), begun.clone());
            async move {
                begun.add_permits(1);
                std::future::pending::<()>().await;
                drop(held);
            }
        };
        background.start(work(&held));
        begun.acquire().await.expect("open").forget();
        background.refuse();
        background.end().await;
        assert_eq!(Arc::strong_count(&held), 1, "it has let go of everything");
        background.start(work(&held));
        assert_eq!(Arc::strong_count(&held), 1, "it was not taken in");
        background.admit();
        background.start(work(&held));
        begun.acquire().await.expect("open").forget();
    }

    #[tokio::test]
    async fn a_panic_ends_its_own_work_only() {
        let background = Background::default();
        background.start(async { panic!("as told") });
        let (sender, receiver) = tokio::sync::oneshot::channel();
        background.start(async { assert!(sender.send(()).is_ok(), "it is waited for") });
        receiver.await.expect("the other is done");
    }
}
