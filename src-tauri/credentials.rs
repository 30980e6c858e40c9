//! Access to a profile's credentials in the system keyring. The keyring may be locked, slow or missing, so every
//! operation runs on a blocking thread and must not hold up other work.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::time::Duration;

use adjutant_domain::ports::{SecretFault, Secrets};
use secrecy::SecretString;
use tokio::sync::oneshot;

/// How long a caller waits for the keyring. A locked keyring asks the person to unlock it, which can take any time.
const KEYRING_WAIT: Duration = if cfg!(test) {
    Duration::from_millis(200)
} else {
    Duration::from_secs(3)
};
/// An entry name that is never stored: reading it shows whether the keyring answers.
const PROBE: &str = "doctor";

/// The credentials of a profile, stored in the keyring by entry name.
pub(crate) struct CredentialStore {
    secrets: Arc<dyn Secrets>,
    /// Number of keyring reads that no caller waits for any more. While it is above zero, the keyring is not asked
    /// again: each further read would block another thread and might prompt the person once more.
    unanswered: Arc<AtomicIsize>,
}

impl CredentialStore {
    pub(crate) fn new(secrets: Arc<dyn Secrets>) -> Self {
        Self {
            secrets,
            unanswered: Arc::default(),
        }
    }

    /// Stores the secrets, each as a new entry.
    ///
    /// # Errors
    /// Returns [`NotSet`] for the first secret that the keyring does not accept, with the names stored before it.
    pub(crate) async fn keep(&self, given: BTreeMap<String, SecretString>) -> Result<(), NotSet> {
        let mut set = BTreeSet::new();
        for (name, secret) in given {
            let (secrets, entry) = (self.secrets.clone(), name.clone());
            if let Err(fault) = in_the_background(move || secrets.set(&entry, &secret)).await {
                return Err(NotSet { fault, set });
            }
            set.insert(name);
        }
        Ok(())
    }

    /// Removes secrets from the keyring. Returns the fault if any of them may still be there.
    pub(crate) async fn forget(&self, names: Vec<String>) -> Option<SecretFault> {
        if names.is_empty() {
            return None;
        }
        let secrets = self.secrets.clone();
        let work = in_the_background(move || {
            // Try every name, even after one fails.
            let ended = names.iter().map(|name| secrets.remove(name));
            ended.fold(Ok(()), Result::and)
        });
        match tokio::time::timeout(KEYRING_WAIT, work).await {
            Ok(ended) => ended.err(),
            Err(_) => Some(SecretFault::NoKeyring),
        }
    }

    /// Checks that the keyring answers.
    ///
    /// # Errors
    /// Returns the reason, in words, if it does not.
    pub(crate) async fn answers(&self) -> Result<(), String> {
        self.get(PROBE).await.map(drop)
    }

    /// Reads a credential. Returns `None` if there is no entry of that name.
    ///
    /// # Errors
    /// Returns the reason, in words, if the keyring cannot be read or does not answer within [`KEYRING_WAIT`].
    pub(crate) async fn get(&self, name: &str) -> Result<Option<SecretString>, String> {
        let silent = || Err("the keyring of this computer does not answer".to_owned());
        if self.unanswered.load(Ordering::SeqCst) > 0 {
            return silent();
        }
        let (name, secrets) = (name.to_owned(), self.secrets.clone());
        let (tell, told) = oneshot::channel();
        let unanswered = self.unanswered.clone();
        tokio::task::spawn_blocking(move || {
            if tell.send(secrets.get(&name)).is_err() {
                // The keyring answered after its caller had given up, so it works again.
                unanswered.fetch_sub(1, Ordering::SeqCst);
            }
        });
        let mut awaited = Awaited {
            told: Some(told),
            unanswered: &self.unanswered,
        };
        let Some(answer) = awaited.answer().await else {
            return silent();
        };
        match answer {
            Some(Ok(secret)) => Ok(secret),
            Some(Err(fault)) => Err(fault.to_string()),
            None => Err("reading the keyring failed".to_owned()),
        }
    }
}

/// A keyring read that a caller waits for. If the caller gives up before the answer arrives (it timed out or was
/// cancelled), the read counts as unanswered until the answer comes.
struct Awaited<'a, T> {
    told: Option<oneshot::Receiver<T>>,
    unanswered: &'a AtomicIsize,
}

impl<T> Awaited<'_, T> {
    /// Waits for the answer: `None` on timeout, `Some(None)` if the reading thread ended without an answer.
    async fn answer(&mut self) -> Option<Option<T>> {
        let waited = tokio::time::timeout(KEYRING_WAIT, self.told.as_mut()?).await;
        match waited {
            Ok(answer) => {
                self.told = None;
                Some(answer.ok())
            }
            Err(_) => self.leave().map(Some),
        }
    }

    /// Stops waiting. Returns the answer if it arrived at the last moment.
    fn leave(&mut self) -> Option<T> {
        let mut told = self.told.take()?;
        told.close();
        let answer = told.try_recv().ok();
        if answer.is_none() {
            self.unanswered.fetch_add(1, Ordering::SeqCst);
        }
        answer
    }
}

impl<T> Drop for Awaited<'_, T> {
    fn drop(&mut self) {
        self.leave();
    }
}

/// The fault that stopped [`CredentialStore::keep`].
pub(crate) struct NotSet {
    pub(crate) fault: SecretFault,
    /// Names of the entries stored before the fault.
    pub(crate) set: BTreeSet<String>,
}

async fn in_the_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SecretFault> + Send + 'static,
) -> Result<T, SecretFault> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(SecretFault::Failed {
            why: "it failed".into(),
        })
    })
}
