//! Lists conversations and carries out what the person does with them.

use adjutant_domain::conversation::{Conversation, ConversationFilter, Turn};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::ConversationId;
use jiff::{SignedDuration, Timestamp};

use crate::tables::{actions, conversations, turns};
use crate::{Store, cancel};

type Stored<T> = std::result::Result<T, StoreFault>;

/// Minimum time for which a deleted conversation can be restored; tidying removes it afterwards.
pub const DELETED_KEPT: SignedDuration = SignedDuration::from_hours(1);

impl Store {
    /// Returns conversations, pinned ones first, then the most recent.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn conversations(&self, listed: &ConversationFilter) -> Stored<Vec<Conversation>> {
        let listed = listed.clone();
        self.read(move |connection| conversations::list(connection, &listed))
            .await
    }

    /// Counts the conversations, ignoring any limit.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn count_conversations(&self, listed: &ConversationFilter) -> Stored<u64> {
        let listed = listed.clone();
        self.read(move |connection| conversations::count(connection, &listed))
            .await
    }

    /// Returns a conversation, or `None` if there is none with this id or it was deleted.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn conversation(&self, id: &ConversationId) -> Stored<Option<Conversation>> {
        let id = id.clone();
        self.read(move |connection| conversations::get(connection, &id))
            .await
    }

    /// Returns the turns of a conversation in which somebody said something, latest first. Work in the background, such
    /// as sending a held mail, has turns without words.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn turns_with_words(
        &self,
        id: &ConversationId,
        limit: Option<usize>,
    ) -> Stored<Vec<Turn>> {
        let id = id.clone();
        self.read(move |connection| turns::with_words(connection, &id, limit))
            .await
    }

    /// Gives a conversation a permanent title.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if the conversation does not exist; otherwise when storage fails.
    pub async fn rename_conversation(&self, id: &ConversationId, title: &str) -> Stored<()> {
        let (id, title) = (id.clone(), title.to_owned());
        self.write("rename_conversation", move |tx| {
            conversations::rename(tx, &id, &title)
        })
        .await
    }

    /// Pins or archives a conversation, or undoes either; `None` leaves that setting unchanged.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if the conversation does not exist; otherwise when storage fails.
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

    /// Deletes a conversation with its messages, turns and journal; effects and receipts stay. Cancels the actions
    /// that wait in it. The conversation can be restored until [`Self::forget_deleted`] removes it.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if the conversation does not exist; otherwise when storage fails.
    pub async fn delete_conversation(&self, id: &ConversationId, at: Timestamp) -> Stored<()> {
        let id = id.clone();
        self.write("delete_conversation", move |tx| {
            for action in actions::cancel_in(tx, &id)? {
                cancel::ended(tx, &action, cancel::CANCELLED, at)?;
            }
            conversations::delete(tx, &id, at)
        })
        .await
    }

    /// Restores a deleted conversation. Actions that waited in it stay cancelled.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if the conversation was already removed; otherwise when storage fails.
    pub async fn restore_conversation(&self, id: &ConversationId) -> Stored<()> {
        let id = id.clone();
        self.write("restore_conversation", move |tx| {
            conversations::restore(tx, &id)
        })
        .await
    }

    /// Removes conversations that were deleted longer than [`DELETED_KEPT`] ago.
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
