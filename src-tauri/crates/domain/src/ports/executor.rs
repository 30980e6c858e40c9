//! Carries out operations outside storage: at an account's provider, or in a folder.

use std::sync::Arc;

use async_trait::async_trait;

use super::Cx;
use crate::ids::AccountId;
use crate::operation::{Attempt, Ended, Key, Reconciled, RemoteFault, RemoteOp, SaveFile};

/// Carries out operations at the provider of one account.
///
/// The caller records an attempt before it calls [`Self::apply`] and stores the outcome afterwards. The implementation
/// checks preconditions (ETag, SEQUENCE, UIDVALIDITY, schema digest), with a conditional request where the provider
/// supports one.
#[async_trait]
pub trait RemoteExecutor: Send + Sync {
    /// Carries out one operation. A second call with the same key does nothing again and confirms the first.
    async fn apply(&self, op: &RemoteOp, key: &Key) -> Ended;

    /// Checks the preconditions of an operation (ETag, SEQUENCE, UID with UIDVALIDITY, schema digest) without changing
    /// anything.
    ///
    /// # Errors
    /// Returns [`RemoteFault::Conflict`] or [`RemoteFault::Gone`] if one does not hold, another fault if that cannot be
    /// determined now.
    async fn check(&self, op: &RemoteOp) -> Result<(), RemoteFault>;

    /// Finds out whether an attempt with an unknown outcome was carried out: searches Sent for the Message-ID, looks up
    /// event identifier and SEQUENCE, reads after a deletion. Changes nothing.
    async fn reconcile(&self, op: &RemoteOp, attempt: &Attempt) -> Reconciled;
}

/// Finds the executor of each account.
#[async_trait]
pub trait Executors: Send + Sync {
    /// Returns the executor of an account, or `None` if the account is unknown or no longer connected.
    fn of(&self, account: &AccountId) -> Option<Arc<dyn RemoteExecutor>>;

    /// Reads an account again because its contents differ from what is stored here.
    ///
    /// # Errors
    /// Returns a [`RemoteFault`] if the account cannot be read now; stored rows then stay as they are.
    async fn refresh(&self, account: &AccountId) -> Result<(), RemoteFault>;
}

/// Executors for when no account is connected.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoAccounts;

#[async_trait]
impl Executors for NoAccounts {
    fn of(&self, _: &AccountId) -> Option<Arc<dyn RemoteExecutor>> {
        None
    }

    async fn refresh(&self, account: &AccountId) -> Result<(), RemoteFault> {
        Err(RemoteFault::not_signed_in(account.clone()))
    }
}

/// Saves files. As with [`RemoteExecutor`], the caller records an attempt before [`Self::save`] and stores the outcome
/// afterwards.
#[async_trait]
pub trait Files: Send + Sync {
    /// Writes a new file and reads it back. Never overwrites a file; an existing one with exactly these bytes counts as
    /// written.
    async fn save(&self, file: &SaveFile, cx: &Cx) -> Ended;

    /// Checks whether the file exists at its path with the bytes that were shown. Changes nothing.
    async fn reconcile(&self, file: &SaveFile) -> Reconciled;
}
