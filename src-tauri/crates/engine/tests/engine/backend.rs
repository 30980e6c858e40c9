//! A provider for operations outside storage. It carries out each idempotency key once, and can give false answers.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    Attempt, Ended, Key, Receipt, Reconciled, RemoteFault, RemoteOp, SaveFile, Why,
};
use adjutant_domain::ports::{Cx, Executors, Files, RemoteExecutor};
use async_trait::async_trait;
use tokio::sync::Semaphore;

/// What the provider does with one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderBehaviour {
    /// Carries it out and says so.
    Honest,
    /// Carries it out, but the reply is lost.
    LosesReply,
    /// Never receives it, without anybody noticing.
    LosesRequest,
    /// Refuses it.
    Conflict,
    /// Is unreachable.
    Offline,
    /// Carries it out, but never answers.
    Hangs,
}

/// What the provider answers when asked about a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Look {
    /// The truth.
    #[default]
    True,
    /// That it cannot tell.
    Blind,
    /// Nothing, because it is unreachable now.
    Away,
}

pub struct Backend {
    state: Mutex<State>,
    /// Gets a permit for every request that arrives.
    pub begun: Semaphore,
}

impl Default for Backend {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            begun: Semaphore::new(0),
        }
    }
}

#[derive(Default)]
struct State {
    /// Number of times each thing was done, by name.
    done: BTreeMap<String, usize>,
    keys: BTreeMap<Key, String>,
    acts: VecDeque<ProviderBehaviour>,
    look: Look,
}

impl Backend {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets what it does with the next requests; after these it is honest.
    pub fn acts(&self, acts: &[ProviderBehaviour]) {
        self.state().acts.extend(acts);
    }

    /// Makes it honest from now on.
    pub fn honest(&self) {
        self.state().acts.clear();
    }

    pub fn look(&self, look: Look) {
        self.state().look = look;
    }

    /// Returns how often something was done.
    pub fn times(&self, what: &str) -> usize {
        self.state().done.get(what).copied().unwrap_or_default()
    }

    async fn take(&self, what: &str, key: Option<&Key>, receipt: Receipt) -> Ended {
        self.begun.add_permits(1);
        let act = {
            let mut state = self.state();
            let act = state.acts.pop_front().unwrap_or(ProviderBehaviour::Honest);
            if matches!(
                act,
                ProviderBehaviour::Honest
                    | ProviderBehaviour::LosesReply
                    | ProviderBehaviour::Hangs
            ) {
                let known = key.is_some_and(|key| state.keys.contains_key(key));
                if !known {
                    *state.done.entry(what.into()).or_default() += 1;
                }
                if let Some(key) = key {
                    state.keys.insert(key.clone(), what.into());
                }
            }
            act
        };
        match act {
            ProviderBehaviour::Honest => Ended::Done { receipt },
            ProviderBehaviour::LosesReply | ProviderBehaviour::LosesRequest => {
                Ended::Unknown { why: Why::NoReply }
            }
            ProviderBehaviour::Conflict => Ended::Refused {
                fault: RemoteFault::Conflict { current: None },
            },
            ProviderBehaviour::Offline => Ended::Refused {
                fault: RemoteFault::Unreachable,
            },
            ProviderBehaviour::Hangs => std::future::pending().await,
        }
    }

    fn found(&self, is_there: impl FnOnce(&State) -> bool, receipt: Receipt) -> Reconciled {
        let state = self.state();
        match state.look {
            Look::True if is_there(&state) => Reconciled::Done { receipt },
            Look::True => Reconciled::NotDone,
            Look::Blind => Reconciled::CannotTell,
            Look::Away => Reconciled::NotNow {
                fault: RemoteFault::Unreachable,
            },
        }
    }
}

fn remote() -> Receipt {
    Receipt::Remote {
        account: "acc_1".into(),
        remote_id: None,
        etag: None,
        accepted: Vec::new(),
        refused: Vec::new(),
        at: jiff::Timestamp::UNIX_EPOCH,
    }
}

fn file_receipt(file: &SaveFile) -> Receipt {
    Receipt::File {
        path: file.path.clone(),
        bytes: file.bytes,
        sha256: file.sha256.clone(),
    }
}

fn name(op: &RemoteOp) -> &str {
    match op {
        RemoteOp::Tool(tool) => &tool.name,
        _ => "?",
    }
}

/// One account of the backend.
struct Account(Arc<Backend>);

#[async_trait]
impl RemoteExecutor for Account {
    async fn apply(&self, op: &RemoteOp, key: &Key) -> Ended {
        self.0.take(name(op), Some(key), remote()).await
    }

    async fn check(&self, _: &RemoteOp) -> Result<(), RemoteFault> {
        Ok(())
    }

    async fn reconcile(&self, _: &RemoteOp, attempt: &Attempt) -> Reconciled {
        self.0
            .found(|state| state.keys.contains_key(&attempt.key), remote())
    }
}

/// The backend behind every account.
pub struct Accounts(pub Arc<Backend>);

#[async_trait]
impl Executors for Accounts {
    fn of(&self, _: &AccountId) -> Option<Arc<dyn RemoteExecutor>> {
        Some(Arc::new(Account(self.0.clone())))
    }

    async fn refresh(&self, _: &AccountId) -> Result<(), RemoteFault> {
        Ok(())
    }
}

#[async_trait]
impl Files for Backend {
    async fn save(&self, file: &SaveFile, _: &Cx) -> Ended {
        self.take(&file.path, None, file_receipt(file)).await
    }

    async fn reconcile(&self, file: &SaveFile) -> Reconciled {
        self.found(
            |state| state.done.contains_key(&file.path),
            file_receipt(file),
        )
    }
}
