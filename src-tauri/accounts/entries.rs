//! Entries of the keyring that no account needs. Their names are written down before they are made, and before an account
//! that has some is taken away: wherever a process is killed, the next one knows them and takes them out.

use std::collections::BTreeSet;

use adjutant_domain::account::AccountSetup;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::ports::{Records as _, SecretFault};
use serde_json::json;

use super::Accounts;

/// Name of the row with the names of entries that may be in the keyring although no account needs them.
const UNNEEDED_ROW: &str = "accounts.left_in_keyring";
/// Names in that row after which no more are added: a keyring that gives nothing back is no reason to remember ever more.
const UNNEEDED_MAX: usize = 400;

/// The names of the entries of an account.
pub(super) fn names<'a>(
    id: &'a AccountId,
    fields: impl IntoIterator<Item = &'a String>,
) -> BTreeSet<String> {
    let fields = fields.into_iter();
    fields.map(|field| AccountSetup::entry(id, field)).collect()
}

impl Accounts {
    /// Writes down that these entries may soon be in the keyring, or still are, without being needed.
    ///
    /// # Errors
    /// When storage fails.
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

    /// Takes out of the keyring what was written down and no account needs. Tells why something may have stayed there.
    ///
    /// # Errors
    /// When storage fails; what was written down stays so.
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

    /// Takes entries out of the keyring. Tells why something may have stayed there.
    pub(super) async fn forget(&self, names: BTreeSet<String>) -> Option<SecretFault> {
        let _alone = self.0.keeping.lock().await;
        let names = names.into_iter().collect();
        self.0.deps.credentials.forget(names).await
    }

    /// The same after something that is done either way.
    pub(super) async fn remove_unneeded_beside(&self) {
        match self.remove_unneeded().await {
            Ok(None) => {}
            Ok(Some(fault)) => {
                tracing::info!(%fault, "something that no account needs may still be in the keyring");
            }
            Err(fault) => {
                tracing::warn!(%fault, "what no account needs was not looked for in the keyring");
            }
        }
    }

    /// Takes out of the keyring what a process that was killed left there, and goes on with what could not be taken back
    /// at a provider.
    pub(crate) async fn recover(&self) {
        let _one = self.0.changing.lock().await;
        self.remove_unneeded_beside().await;
        if let Err(fault) = self.plan_sign_outs().await {
            tracing::warn!(%fault, "sign-ins that are still to be taken back were not looked for");
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
