//! Passes operations to the provider of an account, which is connected on first use.

use std::sync::Arc;

use adjutant_accounts::SetUpFault;
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{Attempt, Ended, Key, Reconciled, RemoteFault, RemoteOp};
use adjutant_domain::ports::{Backends, Executors, RemoteExecutor};
use adjutant_engine::Reporter;
use async_trait::async_trait;

use super::lists::Lists;
use super::{Accounts, NotAsked};

#[async_trait]
impl Executors for Accounts {
    fn of(&self, account: &AccountId) -> Option<Arc<dyn RemoteExecutor>> {
        if account.is_local() {
            let (network, clock) = (&self.0.deps.network, &self.0.deps.clock);
            return Some(Arc::new(Lists {
                network: Arc::clone(network),
                clock: Arc::clone(clock),
            }));
        }
        let is_known = self.state().known.contains(account);
        is_known.then(|| {
            Arc::new(OnDemand {
                accounts: self.clone(),
                id: account.clone(),
            }) as Arc<dyn RemoteExecutor>
        })
    }

    async fn refresh(&self, account: &AccountId) -> Result<(), RemoteFault> {
        self.read(account, Reporter::default())
            .await
            .map_err(remote)
    }
}

/// The provider of one account, connected on demand.
struct OnDemand {
    accounts: Accounts,
    id: AccountId,
}

impl OnDemand {
    async fn backends(&self) -> Result<Backends, RemoteFault> {
        self.accounts.backends(&self.id).await.map_err(remote)
    }
}

#[async_trait]
impl RemoteExecutor for OnDemand {
    async fn apply(&self, op: &RemoteOp, key: &Key) -> Ended {
        match self.backends().await {
            Ok(backends) => backends.apply(op, key).await,
            Err(fault) => Ended::Refused { fault },
        }
    }

    async fn check(&self, op: &RemoteOp) -> Result<(), RemoteFault> {
        self.backends().await?.check(op).await
    }

    async fn reconcile(&self, op: &RemoteOp, attempt: &Attempt) -> Reconciled {
        match self.backends().await {
            Ok(backends) => backends.reconcile(op, attempt).await,
            Err(fault) => Reconciled::NotNow { fault },
        }
    }
}

/// Converts the reason why an account cannot be used to a fault of an operation.
pub(super) fn remote(fault: NotAsked) -> RemoteFault {
    let refused = |what: String| RemoteFault::Refused { what };
    match fault {
        NotAsked::SetUp(SetUpFault::Remote(fault)) | NotAsked::Family(_, fault) => fault,
        NotAsked::SetUp(SetUpFault::Net(_)) => RemoteFault::Unreachable,
        NotAsked::SetUp(SetUpFault::Field { what, .. }) => refused(what),
        NotAsked::Store(StoreFault::Missing { .. }) => RemoteFault::Gone,
        NotAsked::Store(fault) => refused(fault.to_string()),
    }
}
