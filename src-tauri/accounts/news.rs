//! Reads accounts as soon as their servers announce changes.

use adjutant_domain::account::{Account, AccountState};
use adjutant_domain::job::{Job, sync_retry_at};
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{News, Records as _};
use futures::future::join_all;
use jiff::SignedDuration;
use tokio_util::sync::CancellationToken;

use super::executor::remote;
use super::{Accounts, NotAsked};

/// Delay before scheduling is retried while a job is still ending.
const ENDING: SignedDuration = SignedDuration::from_secs(2);

impl Accounts {
    /// Until `stop`, listens to the servers of all accounts in use, with one connection each, and schedules a reading
    /// when one announces changes. Reconnects whenever accounts or the network change.
    pub(crate) async fn follow_news(&self, stop: CancellationToken) {
        let mut changes = self.0.changes.subscribe();
        loop {
            changes.borrow_and_update();
            let accounts = match self.store().accounts().await {
                Ok(accounts) => accounts,
                Err(fault) => {
                    tracing::warn!(%fault, "the accounts could not be read, so new mail is not announced");
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

    /// Listens to one account. Ends if its server cannot announce changes or the person must sign in first.
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

    /// Schedules a reading now. Waits for a reading in progress first, since it may have missed the change.
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
