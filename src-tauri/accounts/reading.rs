//! Reads accounts in jobs: after connecting, on schedule, and on request. Each account is read by one job at a time,
//! and the failure of one does not stop others.

use adjutant_accounts::{Attempted, Problem, SetUpFault, problem};
use adjutant_domain::account::{AccountProblem, AccountState, CollectionKind, LastSync};
use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::ids::AccountId;
use adjutant_domain::job::{Ended, Job, Progress, sync_retry_at};
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Backends, NotRead, PullFault};
use adjutant_engine::{Reporter, Worker};
use futures::future::BoxFuture;

use super::executor::remote;
use super::{Accounts, NotAsked};

impl Accounts {
    /// Reads an account completely and records the result. Waits if it is already being read.
    pub(super) async fn read(&self, id: &AccountId, reporter: Reporter) -> Result<(), NotAsked> {
        let (lock, stop) = {
            let mut state = self.state();
            let lock = state.reading.entry(id.clone()).or_default().clone();
            (lock, state.stop.clone())
        };
        let _reader = self.0.readers.read().await;
        let _alone = lock.lock().await;
        let _told = Telling { accounts: self, id };
        tokio::select! {
            read = self.read_alone(id, &reporter) => read,
            () = stop.cancelled() => Err(RemoteFault::Gone.into()),
        }
    }

    /// Waits until no reading of the account is in progress.
    pub(super) async fn until_read(&self, id: &AccountId) {
        let lock = self.state().reading.get(id).cloned();
        if let Some(lock) = lock {
            drop(lock.lock().await);
        }
    }

    async fn read_alone(&self, id: &AccountId, reporter: &Reporter) -> Result<(), NotAsked> {
        let read = self.read_collections(id, reporter).await;
        let now = self.0.deps.clock.now().timestamp();
        let (last, state) = match &read {
            Ok(()) => {
                let read = Some(now);
                (
                    LastSync {
                        read,
                        problem: None,
                    },
                    AccountState::Ready,
                )
            }
            Err(fault) => {
                let told = told(fault, id);
                let problem = Some(AccountProblem {
                    what: told.what,
                    next: told.next,
                    at: now,
                });
                let state = match fault {
                    NotAsked::SetUp(SetUpFault::Remote(RemoteFault::NotSignedIn { .. })) => {
                        AccountState::SignedOut
                    }
                    _ => AccountState::Ready,
                };
                (
                    LastSync {
                        read: None,
                        problem,
                    },
                    state,
                )
            }
        };
        match self.store().note_sync(id.clone(), last, state).await {
            // The account was removed in the meantime.
            Ok(()) | Err(StoreFault::Missing { .. }) => read,
            Err(fault) => read.and(Err(fault.into())),
        }
    }

    async fn read_collections(&self, id: &AccountId, reporter: &Reporter) -> Result<(), NotAsked> {
        let backends = self.backends(id).await?;
        let listing = backends.list().await?;
        let readable = backends.covered_by(&listing);
        let unlisted = listing.unlisted.first().cloned();
        self.store().put_collections(id.clone(), listing).await?;
        let told = |progress: Progress| {
            reporter.at(progress);
            let all = &self.0.progress;
            all.send_modify(|all| {
                all.insert(id.clone(), progress);
            });
        };
        let unread = match self.store().sync(id, &readable, &told).await {
            Ok(()) => None,
            Err(NotRead::Store(fault) | NotRead::Collection(_, PullFault::Store(fault))) => {
                return Err(fault.into());
            }
            Err(NotRead::Collection(kind, PullFault::Remote(fault))) => Some((kind, fault)),
            Err(NotRead::Collection(kind, PullFault::CursorRefused)) => {
                let what = "the server keeps asking for everything to be read again".to_owned();
                Some((kind, RemoteFault::Refused { what }))
            }
        };
        let unread = match unread {
            None if readable.offers(CollectionKind::Mailbox) => {
                self.drafts_fault(id, &readable).await?
            }
            unread => unread,
        };
        let is_signed_out = |fault: &RemoteFault| matches!(fault, RemoteFault::NotSignedIn { .. });
        match (unlisted, unread) {
            (_, Some((_, fault))) if is_signed_out(&fault) => Err(fault.into()),
            (Some((kind, fault)), _) | (None, Some((kind, fault))) => {
                Err(of_family(&backends, kind, fault))
            }
            (None, None) => Ok(()),
        }
    }

    /// Returns why the drafts of an account could not be synchronised.
    async fn drafts_fault(
        &self,
        id: &AccountId,
        backends: &Backends,
    ) -> Result<Option<(CollectionKind, RemoteFault)>, NotAsked> {
        match self.sync_drafts(id, backends).await {
            Ok(()) => Ok(None),
            Err(NotAsked::Store(fault)) => Err(fault.into()),
            Err(fault) => Ok(Some((CollectionKind::Mailbox, remote(fault)))),
        }
    }

    /// Runs the job of an account: reads it or, if it was removed, retries the revocation of its sign-in.
    pub(crate) async fn work(self, job: Job, reporter: Reporter) -> Ended {
        if let Some(ended) = self.sign_out_again(&job).await {
            return ended;
        }
        let id = AccountId(job.subject.clone());
        let is_off = match self.stored(&id).await {
            Ok(stored) => stored.is_none_or(|(account, _)| account.state == AccountState::Off),
            // Ignore the fault here: the reading will report it.
            Err(_) => false,
        };
        if is_off {
            let why = "The account is switched off.".to_owned();
            return Ended::Paused { why };
        }
        let Err(fault) = self.read(&id, reporter).await else {
            return Ended::Done;
        };
        let why = told(&fault, &id).what;
        if let NotAsked::Family(_, RemoteFault::Refused { .. } | RemoteFault::Gone) = &fault {
            // Retrying sooner would not help this family, and the others keep their schedule.
            return Ended::Done;
        }
        let fault = remote(fault);
        if matches!(fault, RemoteFault::NotSignedIn { .. }) {
            return Ended::Paused { why };
        }
        let deps = &self.0.deps;
        let now = deps.clock.now().timestamp();
        let at = sync_retry_at(job.attempts, &fault, now, deps.entropy.bits());
        Ended::Again { at, why }
    }
}

/// Returns the fault of one family, and names the family if the account has others.
fn of_family(backends: &Backends, kind: CollectionKind, fault: RemoteFault) -> NotAsked {
    let has_others = CollectionKind::ALL
        .into_iter()
        .any(|other| other != kind && backends.offers(other));
    match has_others {
        true => NotAsked::Family(kind, fault),
        false => fault.into(),
    }
}

/// Explains a fault of an account in use to the person.
pub(super) fn told(fault: &NotAsked, id: &AccountId) -> Problem {
    let attempted = Attempted::Reading(id);
    match fault {
        NotAsked::SetUp(fault) => problem(fault, attempted),
        NotAsked::Family(kind, fault) => {
            let Problem { what, next } = problem(&fault.clone().into(), attempted);
            let what = format!("Adjutant could not read {}. {what}", kind.family());
            Problem { what, next }
        }
        NotAsked::Store(fault) => {
            let UserFault { what, hint, .. } = UserFault::from(fault);
            Problem { what, next: hint }
        }
    }
}

/// Publishes the progress of a reading and clears it when dropped.
struct Telling<'a> {
    accounts: &'a Accounts,
    id: &'a AccountId,
}

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        let all = &self.accounts.0.progress;
        all.send_if_modified(|all| all.remove(self.id).is_some());
    }
}

/// Reads accounts when their jobs are due.
pub(crate) struct Reader(pub(crate) Accounts);

impl Worker for Reader {
    fn work(&self, job: Job, reporter: Reporter) -> BoxFuture<'static, Ended> {
        Box::pin(self.0.clone().work(job, reporter))
    }
}
