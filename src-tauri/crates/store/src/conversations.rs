//! The list of conversations, and what the person does with them.

use adjutant_domain::conversation::{Conversation, Listed};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::ConversationId;
use jiff::{SignedDuration, Timestamp};

use crate::tables::{actions, conversations};
use crate::{Store, cancel};

type Stored<T> = std::result::Result<T, StoreFault>;

/// How long a deleted conversation can be brought back at least; tidying removes it afterwards.
pub const DELETED_KEPT: SignedDuration = SignedDuration::from_hours(1);

impl Store {
    /// Conversations, pinned ones first, then the latest.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn conversations(&self, listed: &Listed) -> Stored<Vec<Conversation>> {
        let listed = listed.clone();
        self.read(move |connection| conversations::list(connection, &listed))
            .await
    }

    /// How many conversations there are without a limit.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn count_conversations(&self, listed: &Listed) -> Stored<u64> {
        let listed = listed.clone();
        self.read(move |connection| conversations::count(connection, &listed))
            .await
    }

    /// One conversation that was not deleted.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn conversation(&self, id: &ConversationId) -> Stored<Option<Conversation>> {
        let id = id.clone();
        self.read(move |connection| conversations::get(connection, &id))
            .await
    }

    /// Gives a conversation a title that stays.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] where there is none; otherwise when storage fails.
    pub async fn rename_conversation(&self, id: &ConversationId, title: &str) -> Stored<()> {
        let (id, title) = (id.clone(), title.to_owned());
        self.write("rename_conversation", move |tx| {
            conversations::rename(tx, &id, &title)
        })
        .await
    }

    /// Pins a conversation or puts it away, or takes that back; `None` leaves it as it is.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] where there is none; otherwise when storage fails.
    pub async fn place_conversation(
        &self,
        id: &ConversationId,
        pinned: Option<bool>,
        archived: Option<bool>,
    ) -> Stored<()> {
        let id = id.clone();
        self.write("place_conversation", move |tx| {
            conversations::place(tx, &id, pinned, archived)
        })
        .await
    }

    /// Deletes a conversation with its messages, turns and journal; effects and receipts stay. What waits in it is
    /// cancelled. It can be restored until [`Self::forget_deleted`] removes it.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] where there is none; otherwise when storage fails.
    pub async fn delete_conversation(&self, id: &ConversationId, at: Timestamp) -> Stored<()> {
        let id = id.clone();
        self.write("delete_conversation", move |tx| {
            for action in actions::cancel_in(tx, &id)? {
                cancel::keep_drafts(tx, &action)?;
            }
            conversations::delete(tx, &id, at)
        })
        .await
    }

    /// Brings a deleted conversation back. What waited in it stays cancelled.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] where it is gone for good; otherwise when storage fails.
    pub async fn restore_conversation(&self, id: &ConversationId) -> Stored<()> {
        let id = id.clone();
        self.write("restore_conversation", move |tx| {
            conversations::restore(tx, &id)
        })
        .await
    }

    /// Removes conversations that were deleted longer ago than [`DELETED_KEPT`].
    ///
    /// # Errors
    /// When storage fails.
    pub async fn forget_deleted(&self, now: Timestamp) -> Stored<()> {
        let before = now.saturating_sub(DELETED_KEPT).unwrap_or(Timestamp::MIN);
        self.write("forget_deleted", move |tx| {
            conversations::forget_deleted(tx, before)
        })
        .await
    }
}
