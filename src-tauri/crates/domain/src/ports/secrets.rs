//! The person's secrets: keys of providers, passwords and tokens of accounts. They are stored only in the system's
//! credential store.

use secrecy::SecretString;

/// Why a secret could not be read or stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretFault {
    /// This computer has no credential store, or the store does not answer.
    #[error("the keyring of this computer could not be reached")]
    NoKeyring,
    /// The person or the system refused access.
    #[error("the keyring of this computer is locked or refused")]
    Refused,
    /// Any other failure.
    #[error("the keyring failed: {why}")]
    Failed {
        /// What failed, without the secret.
        why: String,
    },
}

/// Store of secrets. Calls may block on the system (a locked keyring asks the person), so never make them on a thread
/// that serves others.
pub trait Secrets: Send + Sync {
    /// Returns the secret of that name, if there is one.
    ///
    /// # Errors
    /// Returns a [`SecretFault`] if the store cannot be asked.
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretFault>;

    /// Stores a secret, replacing one of the same name.
    ///
    /// # Errors
    /// Returns a [`SecretFault`] if the secret could not be stored; then no part of it is stored anywhere.
    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretFault>;

    /// Deletes a secret. Deleting one that does not exist succeeds.
    ///
    /// # Errors
    /// Returns a [`SecretFault`] if the secret may still exist.
    fn remove(&self, name: &str) -> Result<(), SecretFault>;
}
