//! Connects, changes and removes accounts. Secrets are stored before anything depends on them and deleted after nothing
//! depends on them any more.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_accounts::{Access, SetUpFault};
use adjutant_domain::account::{Account, AccountSetup, AccountState};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::job::Job;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Records as _, SecretFault};
use futures::future::join_all;
use secrecy::SecretString;

use super::keeper::InMemory;
use super::sign_outs::{access_page, is_for_later};
use super::{Accounts, NotAsked, entries, made};

/// Maximum number of accounts in a profile.
const ACCOUNTS_MAX: usize = 50;
/// Maximum number of characters in a label.
const LABEL_CHARS_MAX: usize = 100;

/// An account as the person filled it in.
pub(crate) struct NewAccount {
    pub(crate) kind: String,
    pub(crate) label: Option<String>,
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) secrets: BTreeMap<String, SecretString>,
}

/// The changes to an account.
#[derive(Default)]
pub(crate) struct Change {
    pub(crate) label: Option<String>,
    /// Non-secret fields; checked with the server together with the secret ones.
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) secrets: BTreeMap<String, SecretString>,
    pub(crate) on: Option<bool>,
}

/// Why an account was not connected or changed. Nothing was modified.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotChanged {
    #[error("{0}")]
    NotAsked(#[from] NotAsked),
    #[error("{0}")]
    Secrets(SecretFault),
    #[error("you already have {ACCOUNTS_MAX} accounts, the maximum")]
    TooMany,
    #[error("{label} is already connected")]
    Twice { label: String, id: AccountId },
}

impl From<StoreFault> for NotChanged {
    fn from(fault: StoreFault) -> Self {
        Self::NotAsked(fault.into())
    }
}

impl Accounts {
    /// Connects an account: checks it with its server, stores it, and starts reading it.
    pub(crate) async fn add(&self, new: NewAccount) -> Result<AccountId, NotChanged> {
        let _one = self.0.changing.lock().await;
        if self.state().known.len() >= ACCOUNTS_MAX {
            return Err(NotChanged::TooMany);
        }
        let id = AccountId::from_bits(self.0.deps.entropy.bits());
        let mut secrets = new.secrets;
        secrets.retain(|_, secret| !secrecy::ExposeSecret::expose_secret(secret).is_empty());
        let mut access = self.access(id.clone(), new.settings, secrets.clone());
        let keeper = InMemory::of(&mut access);
        let found = made(adjutant_accounts::set_up(&new.kind, access).await);
        let found = found.map_err(NotAsked::from)?;
        secrets.extend(keeper.newest());
        let access = self.access(id.clone(), found.settings.clone(), secrets.clone());
        self.is_another(&new.kind, &access).await?;
        let setup = AccountSetup {
            settings: found.settings,
            secrets: secrets.keys().cloned().collect(),
        };
        let account = Account {
            id: id.clone(),
            kind: new.kind,
            label: label(new.label.as_deref().unwrap_or_default(), &found.label),
            addresses: found.addresses,
            state: AccountState::Ready,
        };
        self.keep(&id, secrets).await?;
        let job = Job::sync(&account, self.0.deps.clock.now().timestamp());
        // Must precede storing, since the job may start at once.
        self.state().known.insert(id.clone());
        let added = self.store().add_account(account, setup, job).await;
        if added.is_err() {
            self.state().known.remove(&id);
        }
        self.remove_unneeded_beside().await;
        added?;
        self.reconnect();
        Ok(id)
    }

    /// Changes an account.
    pub(crate) async fn change(&self, id: &AccountId, change: Change) -> Result<(), NotChanged> {
        let _one = self.0.changing.lock().await;
        let stored = self.stored(id).await?;
        let (mut account, mut setup) = stored.ok_or_else(|| NotAsked::from(RemoteFault::Gone))?;
        if let Some(on) = change.on {
            account.state = match (on, account.state) {
                (false, _) => AccountState::Off,
                (true, AccountState::Off) => AccountState::Ready,
                (true, state) => state,
            };
        }
        if let Some(typed) = &change.label {
            account.label = label(typed, &account.label);
        }
        let signs_in = !change.secrets.is_empty() || !change.settings.is_empty();
        if signs_in {
            // Combine unchanged fields with the new ones for the check.
            let mut secrets = change.secrets;
            let mut access = self.access_of(id, &setup, secrets.clone()).await?;
            access.settings.extend(change.settings);
            let keeper = InMemory::of(&mut access);
            let found = made(adjutant_accounts::set_up(&account.kind, access).await);
            let mut newest = keeper.newest();
            if found.is_err() {
                // The stored secrets are no longer valid, whatever else is wrong.
                newest.retain(|field, _| !secrets.contains_key(field));
                self.keep(id, newest).await?;
            } else {
                secrets.extend(newest);
            }
            let found = found.map_err(NotAsked::from)?;
            setup.settings = found.settings;
            if !found.addresses.is_empty() {
                account.addresses = found.addresses;
            }
            setup.secrets.extend(secrets.keys().cloned());
            setup.secrets.sort();
            setup.secrets.dedup();
            self.keep(id, secrets).await?;
            let set = self.store().set_account_setup(id.clone(), setup).await;
            self.remove_unneeded_beside().await;
            set?;
            account.state = AccountState::Ready;
        }
        let is_used = account.state == AccountState::Ready;
        let job = Job::sync(&account, self.0.deps.clock.now().timestamp());
        self.store().put_account(account).await?;
        self.reconnect();
        if is_used && (signs_in || change.on == Some(true)) {
            self.store().plan_job(job).await?;
        }
        Ok(())
    }

    /// Removes an account and its secrets; with `keep`, keeps the records read from it. First revokes a sign-in in the
    /// browser. Returns what may be left over.
    pub(crate) async fn remove(&self, id: &AccountId, keep: bool) -> Result<Left, StoreFault> {
        let _one = self.0.changing.lock().await;
        let (mut signed_in, mut is_tried_again, mut page) = (None, false, None);
        if let Some((account, setup)) = self.stored(id).await? {
            let granted = self.granted(id, &account.kind, &account.label, &setup);
            signed_in = granted.await?.taken_back().await;
            page = access_page(&account.kind);
            let entries = entries::names(id, &setup.secrets);
            if signed_in.as_ref().is_some_and(is_for_later) {
                is_tried_again = self.note_sign_out(&account, setup).await?;
            }
            if !is_tried_again {
                self.note_unneeded(entries).await?;
            }
        }
        if keep {
            self.store().leave_account(id.clone()).await?;
        } else {
            self.store().remove_account(id.clone()).await?;
        }
        self.state().known.remove(id);
        self.reconnect();
        if is_tried_again {
            self.plan_sign_outs().await?;
        }
        // The account is already gone, so entries that cannot be checked now stay on the list.
        let keyring = self.remove_unneeded().await.unwrap_or_else(|fault| {
            let why = fault.to_string();
            Some(SecretFault::Failed { why })
        });
        Ok(Left {
            keyring,
            signed_in,
            is_tried_again,
            access_page: page,
        })
    }

    /// Checks that this account is not connected yet. Everything in it would be here twice; and at a provider with a
    /// sign-in in the browser, a new one replaces the previous one, so that removing one account would end both.
    async fn is_another(&self, kind: &str, new: &Access) -> Result<(), NotChanged> {
        let identity = |access: &Access| adjutant_accounts::identity(kind, access).ok().flatten();
        let Some(wanted) = identity(new) else {
            return Ok(());
        };
        let all = self.store().accounts().await?;
        for one in all.into_iter().filter(|one| one.kind == kind) {
            let setup = self.store().account_setup(one.id.clone()).await?;
            let setup = setup.unwrap_or_default();
            // An account whose secrets cannot be read now does not prevent another one.
            let known = self.access_of(&one.id, &setup, BTreeMap::new()).await;
            if known.is_ok_and(|access| identity(&access).as_ref() == Some(&wanted)) {
                let (label, id) = (one.label, one.id);
                return Err(NotChanged::Twice { label, id });
            }
        }
        Ok(())
    }

    /// Stops all readings and prevents new ones while `work` erases everything. Then revokes sign-ins in the browser
    /// and deletes the secrets. Returns what may be left over.
    pub(crate) async fn erased<T>(
        &self,
        work: impl Future<Output = Result<T, StoreFault>>,
    ) -> Result<(T, Erased), StoreFault> {
        let _one = self.0.changing.lock().await;
        self.state().stop.cancel();
        let _nobody_reads = self.0.readers.write().await;
        self.state().stop = tokio_util::sync::CancellationToken::new();
        let (mut names, mut granted) = (BTreeSet::new(), Vec::new());
        for id in self.known() {
            if let Some((account, setup)) = self.stored(&id).await? {
                names.extend(entries::names(&id, &setup.secrets));
                let one = self.granted(&id, &account.kind, &account.label, &setup);
                granted.push(one.await?);
            }
        }
        for (one, entries) in self.sign_outs_to_erase().await? {
            granted.push(one);
            names.extend(entries);
        }
        let done = work.await?;
        self.state().known.clear();
        self.reconnect();
        let taken_back = granted.iter().map(|one| async {
            let fault = one.taken_back().await?;
            Some((one.label.clone(), fault))
        });
        let left = Erased {
            signed_in: join_all(taken_back).await.into_iter().flatten().collect(),
            keyring: self.forget(names).await,
        };
        Ok((done, left))
    }

    /// Returns the existing accounts.
    pub(crate) fn known(&self) -> Vec<AccountId> {
        self.state().known.iter().cloned().collect()
    }

    /// Stores secrets of an account. They stay on the list of unneeded entries until the account refers to them.
    async fn keep(
        &self,
        id: &AccountId,
        secrets: BTreeMap<String, SecretString>,
    ) -> Result<(), NotChanged> {
        self.note_unneeded(entries::names(id, secrets.keys()))
            .await?;
        let secrets = secrets
            .into_iter()
            .map(|(field, secret)| (AccountSetup::entry(id, &field), secret));
        let alone = self.0.keeping.lock().await;
        let kept = self.0.deps.credentials.keep(secrets.collect()).await;
        drop(alone);
        if kept.is_err() {
            self.remove_unneeded_beside().await;
        }
        kept.map_err(|not_set| NotChanged::Secrets(not_set.fault))
    }
}

/// What may be left over from a removed account.
pub(crate) struct Left {
    /// Why a secret may still be in the keyring.
    pub(crate) keyring: Option<SecretFault>,
    /// Why the provider may still accept the account's secrets.
    pub(crate) signed_in: Option<SetUpFault>,
    /// Whether a job retries the revocation; the secrets stay in the keyring until then.
    pub(crate) is_tried_again: bool,
    /// Where the person can withdraw the access at the provider.
    pub(crate) access_page: Option<&'static str>,
}

/// What may be left over from the accounts of an erased profile.
pub(crate) struct Erased {
    /// Why a secret may still be in the keyring.
    pub(crate) keyring: Option<SecretFault>,
    /// Labels of accounts whose provider may still accept their secrets, each with the reason.
    pub(crate) signed_in: Vec<(String, SetUpFault)>,
}

/// Returns the label of an account: the one typed, otherwise the one the server suggests.
fn label(typed: &str, found: &str) -> String {
    let clean = |text: &str| -> String {
        let printable = text.chars().map(|c| if c.is_control() { ' ' } else { c });
        let short: String = printable.take(LABEL_CHARS_MAX).collect();
        short.trim().to_owned()
    };
    let names = [clean(typed), clean(found), "Account".to_owned()];
    names
        .into_iter()
        .find(|name| !name.is_empty())
        .unwrap_or_default()
}
