//! Asks providers when other people are busy.

use std::time::Duration;

use adjutant_domain::account::AccountState;
use adjutant_domain::faults::UserFault;
use adjutant_domain::filter::Window;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{FreeBusy, Records as _};
use adjutant_tools::providers::{AskedTimes, OthersTimes};
use async_trait::async_trait;
use futures::future::join_all;

use super::reading::told;
use super::{Accounts, NotAsked};

/// Time allowed for a provider's reply.
const WITHIN: Duration = Duration::from_secs(20);

#[async_trait]
impl OthersTimes for Accounts {
    async fn busy(&self, who: &[String], window: Window) -> Result<AskedTimes, UserFault> {
        let all = self.store().accounts().await;
        let all = all.map_err(|fault| UserFault::from(&fault))?;
        let used = all
            .into_iter()
            .filter(|one| !one.id.is_local() && one.state != AccountState::Off);
        let asked = used.map(|one| async move {
            let told_times = self.busy_at_one(&one.id, who, window).await;
            told_times.map_err(|fault| {
                format!(
                    "{} was not asked: {}",
                    one.label,
                    told(&fault, &one.id).what
                )
            })
        });
        let mut times = AskedTimes::default();
        for one in join_all(asked).await {
            match one {
                Ok(FreeBusy { known, busy }) => {
                    times.told.known.extend(known);
                    times.told.busy.extend(busy);
                }
                Err(why) => times.faults.push(why),
            }
        }
        Ok(times)
    }
}

impl Accounts {
    /// Returns what the provider of an account tells; nothing if the account has no calendars.
    async fn busy_at_one(
        &self,
        id: &AccountId,
        who: &[String],
        window: Window,
    ) -> Result<FreeBusy, NotAsked> {
        let Some(backend) = self.backends(id).await?.calendar else {
            return Ok(FreeBusy::default());
        };
        let asking = tokio::time::timeout(WITHIN, backend.free_busy(who, window));
        let told = asking.await.unwrap_or(Err(RemoteFault::TimedOut));
        Ok(told?)
    }
}
