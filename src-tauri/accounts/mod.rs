//! The accounts of a profile: connected on first use, read by jobs, changed by the person. Only the crate `accounts`
//! knows the individual providers.

mod bodies;
mod changes;
mod drafts;
mod entries;
mod executor;
mod keeper;
mod lists;
mod news;
mod others;
mod reading;
mod searching;
mod sign_ins;
mod sign_outs;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_accounts::{Access, SetUpFault};
use adjutant_domain::account::{Account, AccountSetup, AccountState, CollectionKind};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::job::Progress;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Backends, Clock, Entropy, Records as _};
use adjutant_store::Store;
use secrecy::SecretString;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

pub(crate) use changes::{Change, Left, NewAccount, NotChanged};
use keeper::InStore;
pub(crate) use reading::Reader;
use sign_ins::SignIns;
pub(crate) use sign_ins::{Begun, Whose};

use crate::credentials::CredentialStore;
use crate::network::Network;

/// What accounts need to work.
pub(crate) struct AccountDeps {
    pub(crate) store: Arc<Store>,
    pub(crate) network: Arc<Network>,
    pub(crate) credentials: Arc<CredentialStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
}

/// The accounts of a profile. Clones share their state.
#[derive(Clone)]
pub(crate) struct Accounts(Arc<Inner>);

struct Inner {
    deps: AccountDeps,
    state: Mutex<State>,
    /// Read-locked while an account is being read; write-locked while everything is erased.
    readers: tokio::sync::RwLock<()>,
    /// Counts the changes to accounts, settings or network for which listeners must reconnect.
    changes: watch::Sender<u64>,
    /// Progress of the accounts being read.
    progress: watch::Sender<BTreeMap<AccountId, Progress>>,
    /// Maximum total size in bytes of the mails fetched whole.
    mail_cache_bytes: AtomicU64,
    /// Allows one change of accounts at a time.
    changing: tokio::sync::Mutex<()>,
    /// Held while secrets are compared and written, so that no other write comes in between.
    keeping: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Default)]
struct State {
    /// The existing accounts.
    known: BTreeSet<AccountId>,
    /// Connected backends; valid as long as settings, secrets and network stay the same.
    connected: BTreeMap<AccountId, Backends>,
    /// Incremented when backends under construction become outdated.
    era: u64,
    /// Allows one reading at a time per account.
    reading: BTreeMap<AccountId, Arc<tokio::sync::Mutex<()>>>,
    /// Cancels all readings.
    stop: CancellationToken,
    /// Sign-ins that wait for the person.
    sign_ins: SignIns,
    /// App settings meant for providers.
    configuration: BTreeMap<String, String>,
    /// The person's addresses, the usual one first.
    own_addresses: Vec<String>,
}

/// Why an account cannot be used now.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotAsked {
    #[error("{0}")]
    SetUp(#[from] SetUpFault),
    /// The fault of one family; the others work.
    #[error("{1}")]
    Family(CollectionKind, RemoteFault),
    #[error("{0}")]
    Store(#[from] StoreFault),
}

impl From<RemoteFault> for NotAsked {
    fn from(fault: RemoteFault) -> Self {
        Self::SetUp(fault.into())
    }
}

impl Accounts {
    /// Loads the accounts from storage. Sends nothing.
    ///
    /// # Errors
    /// Returns a fault if storage cannot be read.
    pub(crate) async fn open(
        deps: AccountDeps,
        settings: adjutant_settings::Accounts,
        configuration: BTreeMap<String, String>,
        own_addresses: Vec<String>,
    ) -> Result<Self, StoreFault> {
        let known = deps.store.accounts().await?;
        let known = known.into_iter().map(|account| account.id);
        let state = State {
            known: known.filter(|id| !id.is_local()).collect(),
            configuration,
            own_addresses,
            ..State::default()
        };
        Ok(Self(Arc::new(Inner {
            mail_cache_bytes: AtomicU64::new(cache_bytes(settings)),
            deps,
            state: Mutex::new(state),
            changes: watch::Sender::default(),
            progress: watch::Sender::default(),
            readers: tokio::sync::RwLock::default(),
            changing: tokio::sync::Mutex::default(),
            keeping: Arc::default(),
        })))
    }

    /// Drops all backends, so that accounts are connected again when needed.
    fn reconnect(&self) {
        let mut state = self.state();
        state.connected.clear();
        state.era += 1;
        drop(state);
        self.0.changes.send_modify(|count| *count += 1);
    }

    /// Drops all connections, including their egress counters.
    pub(crate) fn disconnect(&self) {
        self.reconnect();
    }

    /// Applies changed settings at once. Accounts reconnect when needed.
    pub(crate) fn set_settings(
        &self,
        settings: adjutant_settings::Accounts,
        configuration: BTreeMap<String, String>,
        own_addresses: Vec<String>,
    ) {
        let bytes = cache_bytes(settings);
        self.0.mail_cache_bytes.store(bytes, Ordering::Relaxed);
        let mut state = self.state();
        state.configuration = configuration;
        state.own_addresses = own_addresses;
        drop(state);
        self.reconnect();
    }

    /// Returns a receiver for the progress of accounts being read.
    pub(crate) fn progress(&self) -> watch::Receiver<BTreeMap<AccountId, Progress>> {
        self.0.progress.subscribe()
    }

    /// Tells whether an account is being read.
    pub(crate) fn is_reading(&self, id: &AccountId) -> bool {
        let state = self.state();
        let lock = state.reading.get(id);
        lock.is_some_and(|lock| lock.try_lock().is_err())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store(&self) -> &Arc<Store> {
        &self.0.deps.store
    }

    /// Returns an account and its setup from storage.
    async fn stored(&self, id: &AccountId) -> Result<Option<(Account, AccountSetup)>, StoreFault> {
        let all = self.store().accounts().await?;
        let account = all.into_iter().find(|one| one.id == *id && !id.is_local());
        let setup = self.store().account_setup(id.clone()).await?;
        Ok(account.zip(setup))
    }

    /// Returns the backends of an account and connects them if necessary.
    async fn backends(&self, id: &AccountId) -> Result<Backends, NotAsked> {
        let era = {
            let state = self.state();
            if let Some(backends) = state.connected.get(id) {
                return Ok(backends.clone());
            }
            state.era
        };
        let stored = self.stored(id).await?;
        let (account, setup) = stored.ok_or(RemoteFault::Gone)?;
        if account.state == AccountState::Off {
            let what = "the account is switched off".to_owned();
            return Err(RemoteFault::Refused { what }.into());
        }
        let secrets = self.secrets(id, &setup).await?;
        let access = self.access(id.clone(), setup.settings, secrets);
        let backends = made(adjutant_accounts::connect(&account.kind, access))?;
        let mut state = self.state();
        if state.era == era && state.known.contains(id) {
            state.connected.insert(id.clone(), backends.clone());
        }
        Ok(backends)
    }

    fn access(
        &self,
        account: AccountId,
        mut settings: BTreeMap<String, String>,
        secrets: BTreeMap<String, SecretString>,
    ) -> Access {
        let deps = &self.0.deps;
        settings.extend(self.state().configuration.clone());
        Access {
            account,
            settings,
            secrets,
            keeper: Some(Arc::new(InStore {
                credentials: Arc::clone(&deps.credentials),
                keeping: Arc::clone(&self.0.keeping),
            })),
            net: deps.network.client(),
            clock: deps.clock.clone(),
            entropy: deps.entropy.clone(),
        }
    }

    /// Returns an account's access with `typed` secrets replacing stored ones. Leaves out missing secrets.
    async fn access_of(
        &self,
        id: &AccountId,
        setup: &AccountSetup,
        typed: BTreeMap<String, SecretString>,
    ) -> Result<Access, NotAsked> {
        let mut secrets = typed;
        for field in &setup.secrets {
            if !secrets.contains_key(field)
                && let Some(secret) = self.secret(id, field).await?
            {
                secrets.insert(field.clone(), secret);
            }
        }
        Ok(self.access(id.clone(), setup.settings.clone(), secrets))
    }

    /// Returns one secret of an account; `None` if it is not stored.
    async fn secret(&self, id: &AccountId, field: &str) -> Result<Option<SecretString>, NotAsked> {
        let entry = AccountSetup::entry(id, field);
        let kept = self.0.deps.credentials.get(&entry).await;
        kept.map_err(|why| {
            let locked = SetUpFault::Field {
                field: "secrets",
                what: adjutant_domain::faults::sentence(&why),
                hint: "Unlock the keyring. Adjutant then tries again by itself.".into(),
            };
            locked.into()
        })
    }

    /// Returns all stored secrets of an account.
    async fn secrets(
        &self,
        id: &AccountId,
        setup: &AccountSetup,
    ) -> Result<BTreeMap<String, SecretString>, NotAsked> {
        let mut secrets = BTreeMap::new();
        for field in &setup.secrets {
            let kept = self.secret(id, field).await?;
            secrets.insert(field.clone(), kept.ok_or_else(|| signed_out(id))?);
        }
        Ok(secrets)
    }
}

fn cache_bytes(settings: adjutant_settings::Accounts) -> u64 {
    u64::from(settings.mail_cache_mib) * 1024 * 1024
}

/// Returns the app settings meant for providers, by their full names.
pub(crate) fn configuration(google: &adjutant_settings::Google) -> BTreeMap<String, String> {
    let all = [
        ("google.endpoint", &google.endpoint),
        ("google.client_id", &google.client_id),
    ];
    let given = all.into_iter().filter(|(_, value)| !value.is_empty());
    given
        .map(|(name, value)| (name.to_owned(), value.clone()))
        .collect()
}

fn signed_out(id: &AccountId) -> NotAsked {
    let account = id.clone();
    RemoteFault::not_signed_in(account).into()
}

/// Unwraps a provider's result; an unknown kind becomes a refusal.
fn made<T>(
    given: Result<Result<T, SetUpFault>, adjutant_accounts::Unknown>,
) -> Result<T, SetUpFault> {
    given.unwrap_or_else(|unknown| {
        let what = unknown.to_string();
        Err(RemoteFault::Refused { what }.into())
    })
}
