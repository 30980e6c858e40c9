//! What was told of an answer is kept while it is written: a process that is killed loses what was told since the last
//! time, and nothing else. Keeping runs beside the turn; nothing waits for it but what is stored after it.

use std::pin::Pin;
use std::time::Duration;

use adjutant_domain::faults::StoreFault;
use tokio::task::{JoinError, JoinSet};
use tokio::time::Sleep;

use super::Driver;

/// How long text may be told without being kept.
const KEEP_AFTER: Duration = Duration::from_millis(500);

/// Until when the journal is kept, and whether it was.
pub(super) type JournalWrite = (i64, Result<(), StoreFault>);

/// What is told and not kept yet.
#[derive(Default)]
pub(super) struct Keeping {
    due: Option<Pin<Box<Sleep>>>,
    writing: JoinSet<JournalWrite>,
}

impl Keeping {
    /// Ends when something has to be kept; never, while there is nothing.
    pub(super) async fn due(due: &mut Option<Pin<Box<Sleep>>>) {
        match due {
            Some(due) => due.await,
            None => std::future::pending().await,
        }
    }

    pub(super) fn parts(&mut self) -> (&mut Option<Pin<Box<Sleep>>>, &mut JoinSet<JournalWrite>) {
        (&mut self.due, &mut self.writing)
    }
}

impl Driver {
    /// Text was told: it is kept before long.
    pub(super) fn told_text(&mut self) {
        if self.keeping.due.is_none() {
            self.keeping.due = Some(Box::pin(tokio::time::sleep(KEEP_AFTER)));
        }
    }

    /// Keeps what was told so far.
    pub(super) fn keep(&mut self) {
        self.keeping.due = None;
        let Some(last) = self.unsaved.last().map(|entry| entry.seq) else {
            return;
        };
        if !self.keeping.writing.is_empty() {
            // Storage is slow: once more after it.
            return self.told_text();
        }
        let (log, entries) = (self.core.parts.log.clone(), self.unsaved.clone());
        let conversation = self.conversation.clone();
        self.keeping
            .writing
            .spawn(async move { (last, log.keep_journal(&conversation, &entries).await) });
    }

    /// What was kept need not be stored again.
    pub(super) fn kept(&mut self, done: Result<JournalWrite, JoinError>) {
        match done {
            Ok((last, Ok(()))) => {
                self.unsaved.retain(|entry| entry.seq > last);
                self.feed.saved(last);
            }
            // It stays among what the next commit takes along.
            Ok((_, Err(fault))) => {
                tracing::warn!(turn = %self.turn, %fault, "a part of an answer could not be kept yet");
            }
            Err(error) => tracing::error!(%error, "keeping a part of an answer broke off"),
        }
    }

    /// Waits for what is being kept, so that nothing is stored twice.
    pub(super) async fn kept_all(&mut self) {
        self.keeping.due = None;
        while let Some(done) = self.keeping.writing.join_next().await {
            self.kept(done);
        }
    }
}
