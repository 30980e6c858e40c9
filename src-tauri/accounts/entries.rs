//! Tracks keyring entries that no account needs. Their names are recorded before the entries are created and before an
//! account with entries is removed. If the process is killed at any point, the next one can delete them.

use std::collections::BTreeSet;

use adjutant_domain::account::AccountSetup;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::ports::{Records as _, SecretFault};
use serde_json::json;

use super::Accounts;

/// Name of the settings row with entries that may be in the keyring although no account needs them.
const UNNEEDED_ROW: &str = "accounts.left_in_keyring";
/// Maximum number of names in that row, so that a broken keyring does not make it grow without end.
const UNNEEDED_MAX: usize = 400;

/// Returns the names of an account's entries.
pub(super) fn names<'a>(
    id: &'a AccountId,
    fields: impl IntoIterator<Item = &'a String>,
) -> BTreeSet<String> {
    let fields = fields.into_iter();
    fields.map(|field| AccountSetup::entry(id, field)).collect()
}

impl Accounts {
    /// Records that these entries may be or remain in the keyring without being needed.
    ///
    /// # Errors
    /// Returns a fault if storage fails.
    pub(super) async fn note_unneeded(&self, names: BTreeSet<String>) -> Result<(), StoreFault> {
        let before = self.unneeded().await?;
        let mut unneeded = before.clone();
        if before.len() < UNNEEDED_MAX {
            unneeded.extend(names);
        }
        if unneeded == before {
            return Ok(());
        }
        self.store()
            .set_setting(UNNEEDED_ROW, &json!(unneeded))
            .await
    }

    /// Deletes the recorded entries that no account needs. Returns why some may remain.
    ///
    /// # Errors
    /// Returns a fault if storage fails; the record then stays unchanged.
    pub(super) async fn remove_unneeded(&self) -> Result<Option<SecretFault>, StoreFault> {
        let noted = self.unneeded().await?;
        if noted.is_empty() {
            return Ok(None);
        }
        let mut unneeded = noted.clone();
        for account in self.store().accounts().await? {
            let setup = self.store().account_setup(account.id.clone()).await?;
            for name in names(&account.id, &setup.unwrap_or_default().secrets) {
                unneeded.remove(&name);
            }
        }
        let fault = self.forget(unneeded.clone()).await;
        let left = if fault.is_some() {
            unneeded
        } else {
            BTreeSet::new()
        };
        if left.is_empty() {
            self.store().remove_setting(UNNEEDED_ROW).await?;
        } else if left != noted {
            self.store().set_setting(UNNEEDED_ROW, &json!(left)).await?;
        }
        Ok(fault)
    }

    /// Deletes entries from the keyring. Returns why some may remain.
    pub(super) async fn forget(&self, names: BTreeSet<String>) -> Option<SecretFault> {
        let _alone = self.0.keeping.lock().await;
        let names = names.into_iter().collect();
        self.0.deps.credentials.forget(names).await
    }

    /// Like [`Self::remove_unneeded`], but only logs problems.
    pub(super) async fn remove_unneeded_beside(&self) {
        match self.remove_unneeded().await {
            Ok(None) => {}
            Ok(Some(fault)) => {
                tracing::info!(%fault, "a keyring entry that no account needs may still exist");
            }
            Err(fault) => {
                tracing::warn!(%fault, "the keyring was not searched for entries that no account needs");
            }
        }
    }

    /// Deletes what a killed process left in the keyring, and schedules the revocations that are still pending.
    pub(crate) async fn recover(&self) {
        let _one = self.0.changing.lock().await;
        self.remove_unneeded_beside().await;
        if let Err(fault) = self.plan_sign_outs().await {
            tracing::warn!(%fault, "sign-ins that still need to be revoked were not looked up");
        }
    }

    async fn unneeded(&self) -> Result<BTreeSet<String>, StoreFault> {
        let stored = self.store().settings().await?;
        let row = stored.into_iter().find(|(key, _)| key == UNNEEDED_ROW);
        Ok(row
            .and_then(|(_, value)| serde_json::from_value(value).ok())
            .unwrap_or_default())
    }
}
