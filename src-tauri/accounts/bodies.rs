//! Fetches the rest of mails of which a reading fetched only the beginning, when somebody opens them.

use std::sync::atomic::Ordering;
use std::time::Duration;

use adjutant_accounts::{Problem, SetUpFault};
use adjutant_domain::faults::sentence;
use adjutant_domain::ids::{AccountId, RecordId};
use adjutant_domain::operation::{MailRef, RemoteFault};
use adjutant_domain::ports::{NotWhole, WholeMails};
use adjutant_domain::record::Mail;
use adjutant_interchange::Seed;
use adjutant_interchange::read::parse_mail;
use async_trait::async_trait;

use super::reading::told;
use super::{Accounts, NotAsked};

/// Time allowed for fetching the rest of a mail.
const FETCHED_WITHIN: Duration = Duration::from_secs(60);

#[async_trait]
impl WholeMails for Accounts {
    async fn complete(&self, mail: &RecordId) -> Result<bool, NotWhole> {
        let places = self.store().rest_of_mail(mail.clone()).await;
        let places = places.map_err(|fault| self.not_whole(&fault.into(), &AccountId::local()))?;
        let mut last = None;
        for (account, place) in places {
            match self.fetched(&account, &place).await {
                Ok(source) => {
                    let kept = self.keep_whole(mail, &place, source).await;
                    return kept
                        .map(|()| true)
                        .map_err(|fault| self.not_whole(&fault, &account));
                }
                // Another account may still have it.
                Err(fault) => last = Some((fault, account)),
            }
        }
        match last {
            Some((fault, account)) => Err(self.not_whole(&fault, &account)),
            None => Ok(false),
        }
    }
}

impl Accounts {
    async fn fetched(&self, account: &AccountId, place: &MailRef) -> Result<Vec<u8>, NotAsked> {
        let fetching = async {
            let backend = self.backends(account).await?.mail;
            let backend = backend.ok_or_else(|| refused("this account has no mail"))?;
            Ok(backend.body(place).await?)
        };
        let fetched = tokio::time::timeout(FETCHED_WITHIN, fetching).await;
        fetched.unwrap_or_else(|_| Err(RemoteFault::TimedOut.into()))
    }

    async fn keep_whole(
        &self,
        id: &RecordId,
        place: &MailRef,
        source: Vec<u8>,
    ) -> Result<(), NotAsked> {
        let deps = &self.0.deps;
        let now = deps.clock.now();
        let seed = Seed {
            now: now.clone(),
            entropy: deps.entropy.clone(),
            own: Vec::new(),
        };
        let whole = parse_mail(&source, &seed).filter(|whole| is_same(whole, place));
        let whole = whole
            .ok_or_else(|| refused("the server sent a different mail from the one it listed"))?;
        let bytes_max = self.0.mail_cache_bytes.load(Ordering::Relaxed);
        let kept = deps
            .store
            .keep_fetched(id.clone(), whole, source, now.timestamp(), bytes_max);
        Ok(kept.await?)
    }

    fn not_whole(&self, fault: &NotAsked, account: &AccountId) -> NotWhole {
        let NotAsked::SetUp(SetUpFault::Remote(remote)) = fault else {
            let Problem { what, next } = told(fault, account);
            return NotWhole { what, next };
        };
        let (what, next) = match remote {
            RemoteFault::Unreachable if self.0.deps.network.client().is_offline() => (
                "Adjutant is offline.".to_owned(),
                "Adjutant can fetch the rest of the mail when it may use the network again.",
            ),
            RemoteFault::Gone => (
                "The mail is no longer in its account.".to_owned(),
                "The part that was read stays here until its account is read again.",
            ),
            RemoteFault::Refused { what } => (
                sentence(what),
                "Open the mail at its provider, for example on the provider's web page.",
            ),
            _ => {
                let Problem { what, .. } = told(fault, account);
                (what, "Try again later. The part that was read stays here.")
            }
        };
        NotWhole {
            what,
            next: next.to_owned(),
        }
    }
}

/// Tells whether a mail is the requested one. One without a Message-ID got a made-up one from its beginning, so it
/// matches.
fn is_same(whole: &Mail, place: &MailRef) -> bool {
    let was_named_here = place.message_id.ends_with("@no-message-id.invalid");
    was_named_here || whole.message_id == place.message_id
}

fn refused(what: &str) -> NotAsked {
    RemoteFault::Refused { what: what.into() }.into()
}
