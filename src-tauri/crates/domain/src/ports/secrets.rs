//! Secrets of the person: keys of providers, later tokens of accounts. They are kept where the system keeps secrets, and
//! nowhere else.

use secrecy::SecretString;

/// Why a secret could not be read or kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretFault {
    /// There is no place for secrets on this computer, or it does not answer.
    #[error("the keyring of this computer could not be reached")]
    NoKeyring,
    /// The person or the system said no.
    #[error("the keyring of this computer is locked or refused")]
    Refused,
    /// Anything else.
    #[error("the keyring failed: {why}")]
    Failed {
        /// In words, without the secret.
        why: String,
    },
}

/// Where secrets are kept. Calls may wait for the system (a locked keyring asks the person): never on a thread that
/// serves others.
pub trait Secrets: Send + Sync {
    /// The secret of that name, if there is one.
    ///
    /// # Errors
    /// When the place cannot be asked.
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretFault>;

    /// Keeps a secret; one of the same name is replaced.
    ///
    /// # Errors
    /// When it could not be kept: then nothing of it is stored anywhere.
    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretFault>;

    /// Forgets a secret; one that is not there is forgotten already.
    ///
    /// # Errors
    /// When it may still be there.
    fn remove(&self, name: &str) -> Result<(), SecretFault>;
}
