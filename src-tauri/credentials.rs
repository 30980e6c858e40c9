//! The credentials of a profile, in the system's keyring. It may be locked, slow or not there, and is asked beside everything
//! else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::time::Duration;

use adjutant_domain::ports::{SecretFault, Secrets};
use secrecy::SecretString;
use tokio::sync::oneshot;

/// How long whoever needs a credential waits for the keyring. A locked one asks the person, which may take any time.
const KEYRING_WAIT: Duration = if cfg!(test) {
    Duration::from_millis(200)
} else {
    Duration::from_secs(3)
};
/// Name under which nothing is ever kept: asking for it shows whether the keyring answers.
const PROBE: &str = "doctor";

/// The credentials of a profile, each under the name of its entry.
pub(crate) struct CredentialStore {
    secrets: Arc<dyn Secrets>,
    /// Questions to the keyring for whose answer nobody waits any more. While there are some it is not asked again: each
    /// would keep a thread, and its person.
    unanswered: Arc<AtomicIsize>,
}

impl CredentialStore {
    pub(crate) fn new(secrets: Arc<dyn Secrets>) -> Self {
        Self {
            secrets,
            unanswered: Arc::default(),
        }
    }

    /// Keeps secrets, each as a new entry.
    ///
    /// # Errors
    /// When the keyring takes one not, with the names of those it took before.
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

    /// Takes secrets out of the keyring; tells why something may have stayed there.
    pub(crate) async fn forget(&self, names: Vec<String>) -> Option<SecretFault> {
        if names.is_empty() {
            return None;
        }
        let secrets = self.secrets.clone();
        let work = in_the_background(move || {
            // All are tried: one that cannot be removed does not keep the others.
            let ended = names.iter().map(|name| secrets.remove(name));
            ended.fold(Ok(()), Result::and)
        });
        match tokio::time::timeout(KEYRING_WAIT, work).await {
            Ok(ended) => ended.err(),
            Err(_) => Some(SecretFault::NoKeyring),
        }
    }

    /// Whether the keyring answers.
    ///
    /// # Errors
    /// Why not, in words.
    pub(crate) async fn answers(&self) -> Result<(), String> {
        self.get(PROBE).await.map(drop)
    }

    /// A credential; none where there is no entry of that name.
    ///
    /// # Errors
    /// Why it cannot be read, in words.
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
                // It answers again.
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
            None => Err("reading the keyring broke off".to_owned()),
        }
    }
}

/// A question to the keyring that is waited for. Where nobody waits any more (it took too long, or whoever asked was stopped)
/// and there is no answer, it counts as unanswered until one comes.
struct Awaited<'a, T> {
    told: Option<oneshot::Receiver<T>>,
    unanswered: &'a AtomicIsize,
}

impl<T> Awaited<'_, T> {
    /// The answer, none in it where the question broke off; none at all where it took too long.
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

    /// Waits no longer; gives what came at the last moment.
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

/// A secret could not be kept.
pub(crate) struct NotSet {
    pub(crate) fault: SecretFault,
    /// The entries that were made before.
    pub(crate) set: BTreeSet<String>,
}

async fn in_the_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SecretFault> + Send + 'static,
) -> Result<T, SecretFault> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(SecretFault::Failed {
            why: "it broke off".into(),
        })
    })
}
