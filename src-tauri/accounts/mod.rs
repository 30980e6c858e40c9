//! The accounts of a profile as the app holds them: connected when they are first needed, read as jobs, changed by the
//! person. What a provider is like is known in the crate `accounts` alone.

mod bodies;
mod changes;
mod drafts;
mod entries;
mod executor;
mod keeper;
mod lists;
mod news;
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

/// What accounts work with.
pub(crate) struct AccountDeps {
    pub(crate) store: Arc<Store>,
    pub(crate) network: Arc<Network>,
    pub(crate) credentials: Arc<CredentialStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
}

/// The accounts of a profile. Clones are the same accounts.
#[derive(Clone)]
pub(crate) struct Accounts(Arc<Inner>);

struct Inner {
    deps: AccountDeps,
    state: Mutex<State>,
    /// Whoever reads an account shares it; erasing has it alone.
    readers: tokio::sync::RwLock<()>,
    /// Counts what listeners have to begin anew for: other accounts, settings, another network.
    changes: watch::Sender<u64>,
    /// How far accounts are that are being read.
    progress: watch::Sender<BTreeMap<AccountId, Progress>>,
    /// Bytes of mails that were fetched whole, at most.
    mail_cache_bytes: AtomicU64,
    /// One change of accounts at a time.
    changing: tokio::sync::Mutex<()>,
    /// Held while secrets are looked at and written: nobody writes between the two.
    keeping: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Default)]
struct State {
    /// Accounts that exist.
    known: BTreeSet<AccountId>,
    /// Backends that were made, as long as settings, secrets and network stay the same.
    connected: BTreeMap<AccountId, Backends>,
    /// Counts up when backends that are being made are old already.
    era: u64,
    /// One reading at a time for each account.
    reading: BTreeMap<AccountId, Arc<tokio::sync::Mutex<()>>>,
    /// Ends all readings.
    stop: CancellationToken,
    /// Sign-ins that wait for the person.
    sign_ins: SignIns,
    /// Settings of the app that are meant for providers.
    configuration: BTreeMap<String, String>,
    /// The person's addresses, the usual one first.
    own_addresses: Vec<String>,
}

/// Why an account cannot be asked now.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotAsked {
    #[error("{0}")]
    SetUp(#[from] SetUpFault),
    /// One of its families; the others can be.
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
    /// The accounts in storage. Nothing is sent.
    ///
    /// # Errors
    /// When storage cannot be read.
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

    /// Accounts are connected anew when they are needed.
    fn reconnect(&self) {
        let mut state = self.state();
        state.connected.clear();
        state.era += 1;
        drop(state);
        self.0.changes.send_modify(|count| *count += 1);
    }

    /// Ends the connections that were kept, and with them their counts of what left.
    pub(crate) fn disconnect(&self) {
        self.reconnect();
    }

    /// Other settings, in force at once; with those of the network, accounts are connected anew when they are needed.
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

    /// How far accounts are that are being read and have said it, and whoever waits hears of it.
    pub(crate) fn progress(&self) -> watch::Receiver<BTreeMap<AccountId, Progress>> {
        self.0.progress.subscribe()
    }

    /// Whether an account is being read.
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

    /// The account as it is stored, with how it is reached.
    async fn stored(&self, id: &AccountId) -> Result<Option<(Account, AccountSetup)>, StoreFault> {
        let all = self.store().accounts().await?;
        let account = all.into_iter().find(|one| one.id == *id && !id.is_local());
        let setup = self.store().account_setup(id.clone()).await?;
        Ok(account.zip(setup))
    }

    /// The backends of an account, made where they are not there.
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

    /// What there is of an account, with secrets that are typed anew: others that are missing are left out.
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

    /// One secret of an account; none where it is not kept.
    async fn secret(&self, id: &AccountId, field: &str) -> Result<Option<SecretString>, NotAsked> {
        let entry = AccountSetup::entry(id, field);
        let kept = self.0.deps.credentials.get(&entry).await;
        kept.map_err(|why| {
            let locked = SetUpFault::Field {
                field: "secrets",
                what: adjutant_domain::faults::sentence(&why),
                hint: "Unlock the keyring; it is tried again by itself.".into(),
            };
            locked.into()
        })
    }

    /// What the credential store keeps of an account.
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

/// The settings of the app that are meant for providers, by their full names.
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
    RemoteFault::NotSignedIn { account }.into()
}

/// What a provider gave; a kind that this program does not have cannot be used with it.
fn made<T>(
    given: Result<Result<T, SetUpFault>, adjutant_accounts::Unknown>,
) -> Result<T, SetUpFault> {
    given.unwrap_or_else(|unknown| {
        let what = unknown.to_string();
        Err(RemoteFault::Refused { what }.into())
    })
}
