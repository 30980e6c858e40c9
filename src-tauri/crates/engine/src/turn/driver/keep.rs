//! Stores the text of an answer while it is being written, so that a killed process loses only what came after the last
//! write. Writing runs beside the turn; only later writes wait for it.

use std::pin::Pin;
use std::time::Duration;

use adjutant_domain::faults::StoreFault;
use tokio::task::{JoinError, JoinSet};
use tokio::time::Sleep;

use super::Driver;

/// How long published text may remain unstored.
const KEEP_AFTER: Duration = Duration::from_millis(500);

/// The sequence number up to which the journal was written, and whether that worked.
pub(super) type JournalWrite = (i64, Result<(), StoreFault>);

/// Timer and task for storing published text.
#[derive(Default)]
pub(super) struct Keeping {
    due: Option<Pin<Box<Sleep>>>,
    writing: JoinSet<JournalWrite>,
}

impl Keeping {
    /// Waits until something must be stored; forever if there is nothing.
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
    /// Notes that text was published, so that it is stored soon.
    pub(super) fn told_text(&mut self) {
        if self.keeping.due.is_none() {
            self.keeping.due = Some(Box::pin(tokio::time::sleep(KEEP_AFTER)));
        }
    }

    /// Starts storing what was published so far.
    pub(super) fn keep(&mut self) {
        self.keeping.due = None;
        let Some(last) = self.unsaved.last().map(|entry| entry.seq) else {
            return;
        };
        if !self.keeping.writing.is_empty() {
            // Storage is slow: try again later.
            return self.told_text();
        }
        let (log, entries) = (self.core.parts.log.clone(), self.unsaved.clone());
        let conversation = self.conversation.clone();
        self.keeping
            .writing
            .spawn(async move { (last, log.keep_journal(&conversation, &entries).await) });
    }

    /// Handles the end of a write: entries that were stored need not be stored again.
    pub(super) fn kept(&mut self, done: Result<JournalWrite, JoinError>) {
        match done {
            Ok((last, Ok(()))) => {
                self.unsaved.retain(|entry| entry.seq > last);
                self.feed.saved(last);
            }
            // The entries stay and go along with the next commit.
            Ok((_, Err(fault))) => {
                tracing::warn!(turn = %self.turn, %fault, "a part of an answer could not be kept yet");
            }
            Err(error) => tracing::error!(%error, "keeping a part of an answer broke off"),
        }
    }

    /// Waits for running writes, so that nothing is stored twice.
    pub(super) async fn kept_all(&mut self) {
        self.keeping.due = None;
        while let Some(done) = self.keeping.writing.join_next().await {
            self.kept(done);
        }
    }
}
