//! Searches mail at the providers.

use std::time::Duration;

use adjutant_domain::account::AccountState;
use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Pulled, PulledWhat, Records as _};
use adjutant_domain::record::{Mail, Record};
use adjutant_tools::providers::{AtProvider, MailSearch, Searched};
use async_trait::async_trait;
use futures::future::join_all;

use super::reading::told;
use super::{Accounts, NotAsked};

/// Time allowed for a provider's reply.
const WITHIN: Duration = Duration::from_secs(20);

#[async_trait]
impl MailSearch for Accounts {
    async fn search(&self, words: &str, limit: usize) -> Result<Vec<Searched>, UserFault> {
        let all = self.store().accounts().await;
        let all = all.map_err(|fault| UserFault::from(&fault))?;
        let used = all
            .into_iter()
            .filter(|one| !one.id.is_local() && one.state != AccountState::Off);
        let searched = used.map(|one| async move {
            let found = self.search_one(&one.id, words, limit).await.transpose()?;
            let found = found.map_err(|fault| told(&fault, &one.id).what);
            Some(Searched {
                account: one.label,
                found,
            })
        });
        Ok(join_all(searched).await.into_iter().flatten().collect())
    }
}

impl Accounts {
    /// Returns what the provider of an account finds; `None` if the account has no mail.
    async fn search_one(
        &self,
        id: &AccountId,
        words: &str,
        limit: usize,
    ) -> Result<Option<Vec<AtProvider>>, NotAsked> {
        let Some(backend) = self.backends(id).await?.mail else {
            return Ok(None);
        };
        let searching = tokio::time::timeout(WITHIN, backend.search(words, limit));
        let found = searching.await.unwrap_or(Err(RemoteFault::TimedOut))?;
        let mut mails: Vec<Mail> = found.into_iter().filter_map(mail).collect();
        mails.truncate(limit);
        let names = mails.iter().map(|mail| mail.message_id.clone()).collect();
        let here = self.store().mails_called(names).await?;
        let placed = mails
            .into_iter()
            .map(|mail| match here.get(&mail.message_id) {
                Some(id) => AtProvider::Here(id.clone()),
                None => AtProvider::There(Box::new(mail)),
            });
        Ok(Some(placed.collect()))
    }
}

fn mail(pulled: Pulled) -> Option<Mail> {
    let PulledWhat::There { rows, .. } = pulled.what else {
        return None;
    };
    rows.into_iter().find_map(|row| match row {
        Record::Mail(mail) => Some(mail),
        _ => None,
    })
}
