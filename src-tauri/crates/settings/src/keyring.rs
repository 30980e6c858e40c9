//! The keyring of the system behind the port `Secrets`: Secret Service, Keychain, or Credential Manager.

use adjutant_domain::ports::{SecretFault, Secrets};
use keyring::v1::{Entry, Error};
use secrecy::{ExposeSecret, SecretString};

/// Under which all entries are filed.
const SERVICE: &str = "adjutant";

/// The keyring, as one profile sees it: profiles never see each other's secrets.
#[derive(Clone, Debug)]
pub struct Keyring {
    profile: String,
}

impl Keyring {
    /// The entries of a profile. Nothing is opened before the first use.
    #[must_use]
    pub fn of(profile: &str) -> Self {
        Self {
            profile: profile.to_owned(),
        }
    }

    /// Asks the keyring about an entry, and once more where its service failed: it drops a request now and then when
    /// another program has just left in the middle of one. All requests may be repeated.
    fn ask<T>(&self, name: &str, request: impl Fn(&Entry) -> Result<T, Error>) -> Result<T, Error> {
        let user = format!("{}/{name}", self.profile);
        let ask = || Entry::new(SERVICE, &user).and_then(|entry| request(&entry));
        match ask() {
            Err(Error::PlatformFailure(_)) => ask(),
            answer => answer,
        }
    }
}

impl Secrets for Keyring {
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretFault> {
        match self.ask(name, Entry::get_password) {
            Ok(secret) => Ok(Some(SecretString::from(secret))),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(fault(&error)),
        }
    }

    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretFault> {
        self.ask(name, |entry| entry.set_password(secret.expose_secret()))
            .map_err(|error| fault(&error))
    }

    fn remove(&self, name: &str) -> Result<(), SecretFault> {
        match self.ask(name, Entry::delete_credential) {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(fault(&error)),
        }
    }
}

/// Errors of the library can hold what was stored, so only their kind is told.
fn fault(error: &Error) -> SecretFault {
    match error {
        Error::NoDefaultStore | Error::PlatformFailure(_) => SecretFault::NoKeyring,
        Error::NoStorageAccess(_) => SecretFault::Refused,
        Error::BadEncoding(_) => SecretFault::Failed {
            why: "what is stored there is no text".into(),
        },
        Error::TooLong(..) => SecretFault::Failed {
            why: "the secret is too long for it".into(),
        },
        Error::Ambiguous(_) => SecretFault::Failed {
            why: "it holds several entries of that name".into(),
        },
        _ => SecretFault::Failed {
            why: "it gave no reason".into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_error_holds_is_never_told() {
        let said = fault(&Error::BadEncoding(b"sk-s3cret".to_vec()));
        assert!(!format!("{said} {said:?}").contains("s3cret"));
        assert_eq!(fault(&Error::NoDefaultStore), SecretFault::NoKeyring);
    }
}
