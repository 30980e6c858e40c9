//! Implements the port `Secrets` with the system's keyring: Secret Service, Keychain, or Credential Manager.

use std::sync::{Arc, Mutex, PoisonError};

use adjutant_domain::ports::{SecretFault, Secrets};
use keyring_core::{CredentialStore, Entry, Error};
use secrecy::{ExposeSecret, SecretString};

/// Service name of all entries.
const SERVICE: &str = "adjutant";
/// Maximum number of tries when the keyring's service fails.
const TRIES_MAX: usize = 3;

/// Function that connects to the system's keyring.
type Connect = fn() -> Result<Arc<CredentialStore>, Error>;

/// The keyring of one profile. Profiles cannot see each other's secrets.
#[derive(Clone, Debug)]
pub struct Keyring {
    profile: String,
    connect: Connect,
    /// Connection, once established. The keyring's service may start after Adjutant, end, or restart at any time.
    store: Arc<Mutex<Option<Arc<CredentialStore>>>>,
}

impl Keyring {
    /// Creates the keyring of a profile. It connects on first use.
    #[must_use]
    pub fn of(profile: &str) -> Self {
        Self::reached(profile, system)
    }

    fn reached(profile: &str, connect: Connect) -> Self {
        Self {
            profile: profile.to_owned(),
            connect,
            store: Arc::default(),
        }
    }

    /// Sends a request about an entry. If the service fails, retries on a new connection, because the old service may
    /// have ended or lost its session. All requests are safe to repeat.
    fn ask<T>(&self, name: &str, request: impl Fn(&Entry) -> Result<T, Error>) -> Result<T, Error> {
        let user = format!("{}/{name}", self.profile);
        let mut tries = 1;
        loop {
            let answer = self.ask_once(&user, &request);
            if tries >= TRIES_MAX || !matches!(answer, Err(Error::PlatformFailure(_))) {
                return answer;
            }
            tries += 1;
        }
    }

    fn ask_once<T>(
        &self,
        user: &str,
        request: impl Fn(&Entry) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let store = self.store()?;
        let answer = store
            .build(SERVICE, user, None)
            .and_then(|entry| request(&entry));
        if matches!(answer, Err(Error::PlatformFailure(_))) {
            self.leave(&store);
        }
        answer
    }

    fn store(&self) -> Result<Arc<CredentialStore>, Error> {
        let mut kept = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = &*kept {
            return Ok(Arc::clone(store));
        }
        let store = (self.connect)()?;
        *kept = Some(Arc::clone(&store));
        Ok(store)
    }

    /// Drops a failed connection, unless another has replaced it meanwhile.
    fn leave(&self, failed: &Arc<CredentialStore>) {
        let mut kept = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_some_and(|one| Arc::ptr_eq(one, failed)) {
            *kept = None;
        }
    }
}

/// Connects to the system's keyring.
fn system() -> Result<Arc<CredentialStore>, Error> {
    #[cfg(target_os = "macos")]
    let store = apple_native_keyring_store::keychain::Store::new()?;
    #[cfg(target_os = "windows")]
    let store = windows_native_keyring_store::Store::new()?;
    #[cfg(not(any(target_os = "macos", target_os = "windows")))]
    let store = zbus_secret_service_keyring_store::Store::new()?;
    Ok(store)
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

/// Converts an error. Errors of the library may contain the secret, so only their kind is reported.
fn fault(error: &Error) -> SecretFault {
    match error {
        Error::NoDefaultStore | Error::PlatformFailure(_) => SecretFault::NoKeyring,
        Error::NoStorageAccess(_) => SecretFault::Refused,
        Error::BadEncoding(_) => SecretFault::Failed {
            why: "what is stored there is not text".into(),
        },
        Error::TooLong(..) => SecretFault::Failed {
            why: "the secret is too long for it".into(),
        },
        Error::Ambiguous(_) => SecretFault::Failed {
            why: "it holds several entries with that name".into(),
        },
        _ => SecretFault::Failed {
            why: "it gave no reason".into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        static CONNECTIONS: Cell<usize> = const { Cell::new(0) };
        static REFUSED: Cell<usize> = const { Cell::new(0) };
    }

    /// Connects to a keyring in memory; the first times of those that are to fail, to none.
    fn counted() -> Result<Arc<CredentialStore>, Error> {
        CONNECTIONS.set(CONNECTIONS.get() + 1);
        if CONNECTIONS.get() <= REFUSED.get() {
            return Err(failed());
        }
        Ok(keyring_core::mock::Store::new()?)
    }

    fn failed() -> Error {
        Error::PlatformFailure("the connection is closed".into())
    }

    #[test]
    fn a_service_that_was_not_there_at_first_is_found_later() {
        REFUSED.set(TRIES_MAX);
        let keyring = Keyring::reached("p", counted);
        assert_eq!(keyring.get("a").err(), Some(SecretFault::NoKeyring));
        assert_eq!(keyring.get("a").map(|one| one.is_none()), Ok(true));
        assert_eq!(CONNECTIONS.get(), TRIES_MAX + 1);
    }

    #[test]
    fn a_connection_that_failed_is_made_anew_and_one_that_holds_is_kept() {
        let keyring = Keyring::reached("p", counted);
        let asked = Cell::new(0);
        let ask = |failures: usize| {
            asked.set(0);
            keyring.ask("a", |_| {
                asked.set(asked.get() + 1);
                match asked.get() <= failures {
                    true => Err(failed()),
                    false => Ok(()),
                }
            })
        };
        assert!(ask(0).is_ok() && ask(0).is_ok());
        assert_eq!(CONNECTIONS.get(), 1);
        assert!(ask(2).is_ok());
        assert_eq!(CONNECTIONS.get(), 3);
        assert!(ask(usize::MAX).is_err());
        assert_eq!(asked.get(), TRIES_MAX);
    }

    #[test]
    fn what_an_error_holds_is_never_told() {
        let said = fault(&Error::BadEncoding(b"sk-s3cret".to_vec()));
        assert!(!format!("{said} {said:?}").contains("s3cret"));
        assert_eq!(fault(&Error::NoDefaultStore), SecretFault::NoKeyring);
    }
}
