//! Stores search engine keys in the keyring. An entry belongs to an engine and the address its key was entered for.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use adjutant_domain::ports::SecretFault;
use adjutant_web::{EngineKind, Keys};
use async_trait::async_trait;
use secrecy::SecretString;

use crate::credentials::CredentialStore;

/// Keys of search engines.
pub(crate) struct EngineKeys {
    credentials: Arc<CredentialStore>,
    /// The engine's address if it differs from the default.
    endpoint: RwLock<String>,
}

impl EngineKeys {
    pub(super) fn new(credentials: Arc<CredentialStore>) -> Self {
        Self {
            credentials,
            endpoint: RwLock::default(),
        }
    }

    pub(super) fn set_endpoint(&self, endpoint: &str) {
        let mut held = self
            .endpoint
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        endpoint.trim().clone_into(&mut held);
    }

    /// Returns the keyring entry of an engine for its current address.
    pub(crate) fn entry(&self, of: EngineKind) -> String {
        let endpoint = self.endpoint.read().unwrap_or_else(PoisonError::into_inner);
        format!("web/{}@{endpoint}", of.word())
    }

    /// Stores a key, or deletes it if `key` is `None`.
    ///
    /// # Errors
    /// Returns a fault if the keyring fails.
    pub(crate) async fn set(
        &self,
        of: EngineKind,
        key: Option<SecretString>,
    ) -> Result<(), SecretFault> {
        let entry = self.entry(of);
        match key {
            Some(key) => {
                let given = BTreeMap::from([(entry, key)]);
                let kept = self.credentials.keep(given).await;
                kept.map_err(|not_set| not_set.fault)
            }
            None => match self.credentials.forget(vec![entry]).await {
                Some(fault) => Err(fault),
                None => Ok(()),
            },
        }
    }
}

#[async_trait]
impl Keys for EngineKeys {
    async fn key(&self, of: EngineKind) -> Result<Option<SecretString>, String> {
        self.credentials.get(&self.entry(of)).await
    }
}
