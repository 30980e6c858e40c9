//! Stores secrets that a provider replaces on its own, without overwriting newer ones.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use adjutant_accounts::{Access, Keeper};
use adjutant_domain::account::AccountSetup;
use adjutant_domain::ids::AccountId;
use async_trait::async_trait;
use secrecy::{ExposeSecret as _, SecretString};

use crate::credentials::CredentialStore;

/// Stores replaced secrets in the credential store, for existing accounts.
pub(super) struct InStore {
    pub(super) credentials: Arc<CredentialStore>,
    pub(super) keeping: Arc<tokio::sync::Mutex<()>>,
}

#[async_trait]
impl Keeper for InStore {
    async fn replace(
        &self,
        account: &AccountId,
        field: &str,
        old: &SecretString,
        new: &SecretString,
    ) -> Result<(), String> {
        let _alone = self.keeping.lock().await;
        let entry = AccountSetup::entry(account, field);
        let there = self.credentials.get(&entry).await?;
        // If they differ, the account was removed or the person has signed in again.
        if there.is_some_and(|there| there.expose_secret() == old.expose_secret()) {
            let new = BTreeMap::from([(entry, new.clone())]);
            let kept = self.credentials.keep(new).await;
            kept.map_err(|not_set| not_set.fault.to_string())?;
        }
        Ok(())
    }
}

/// Keeps replaced secrets in memory during setup, before the account's secrets are in the credential store.
#[derive(Default)]
pub(super) struct InMemory(Mutex<BTreeMap<String, SecretString>>);

impl InMemory {
    /// Makes a new instance the keeper of `access` and returns it.
    pub(super) fn of(access: &mut Access) -> Arc<Self> {
        let keeper = Arc::new(Self::default());
        access.keeper = Some(Arc::clone(&keeper) as Arc<dyn Keeper>);
        keeper
    }

    /// Returns the newest secrets, by field name.
    pub(super) fn newest(&self) -> BTreeMap<String, SecretString> {
        let newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        newest.clone()
    }
}

#[async_trait]
impl Keeper for InMemory {
    async fn replace(
        &self,
        _account: &AccountId,
        field: &str,
        _old: &SecretString,
        new: &SecretString,
    ) -> Result<(), String> {
        let mut newest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        newest.insert(field.to_owned(), new.clone());
        Ok(())
    }
}
