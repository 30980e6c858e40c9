//! Reading accounts as soon as their servers say that something came.

use adjutant_domain::account::{Account, AccountState};
use adjutant_domain::job::{Job, sync_retry_at};
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{News, Records as _};
use futures::future::join_all;
use jiff::SignedDuration;
use tokio_util::sync::CancellationToken;

use super::executor::remote;
use super::{Accounts, NotAsked};

/// How long a job that ends is waited for before it is planned again.
const ENDING: SignedDuration = SignedDuration::from_secs(2);

impl Accounts {
    /// Listens to the servers of all accounts that are used, one connection each, and has those read that tell of news,
    /// until `stop`. Begins anew whenever accounts or the network change.
    pub(crate) async fn follow_news(&self, stop: CancellationToken) {
        let mut changes = self.0.changes.subscribe();
        loop {
            changes.borrow_and_update();
            let accounts = match self.store().accounts().await {
                Ok(accounts) => accounts,
                Err(fault) => {
                    tracing::warn!(%fault, "accounts are not listened to: they could not be read");
                    Vec::new()
                }
            };
            let used = accounts
                .into_iter()
                .filter(|one| !one.id.is_local() && one.state == AccountState::Ready);
            let following = join_all(used.map(|account| self.follow_account(account)));
            let changed = async {
                following.await;
                std::future::pending::<()>().await;
            };
            tokio::select! {
                () = stop.cancelled() => return,
                () = changed => return,
                told = changes.changed() => if told.is_err() {
                    return;
                },
            }
        }
    }

    /// Ends where the server never tells, and where the person has to sign in first.
    async fn follow_account(&self, account: Account) {
        let deps = &self.0.deps;
        let mut failures = 0;
        loop {
            let fault = match self.news_of(&account).await {
                Ok(News::Came) => match self.read_soon(&account).await {
                    Ok(()) => {
                        failures = 0;
                        continue;
                    }
                    Err(fault) => remote(fault),
                },
                Ok(News::NeverTold) => return,
                Err(fault) => remote(fault),
            };
            if matches!(fault, RemoteFault::NotSignedIn { .. }) {
                return;
            }
            failures += 1;
            let now = deps.clock.now().timestamp();
            let again = sync_retry_at(failures, &fault, now, deps.entropy.bits());
            deps.clock.until(again).await;
        }
    }

    async fn news_of(&self, account: &Account) -> Result<News, NotAsked> {
        match self.backends(&account.id).await?.mail {
            Some(mail) => Ok(mail.until_news().await?),
            None => Ok(News::NeverTold),
        }
    }

    /// Plans to read an account now. What came while it is being read may have come too late for that: it is read again.
    pub(super) async fn read_soon(&self, account: &Account) -> Result<(), NotAsked> {
        let clock = &self.0.deps.clock;
        loop {
            self.until_read(&account.id).await;
            let now = clock.now().timestamp();
            if self.store().plan_job(Job::sync(account, now)).await? {
                return Ok(());
            }
            let soon = now.saturating_add(ENDING).unwrap_or(now);
            clock.until(soon).await;
        }
    }
}
