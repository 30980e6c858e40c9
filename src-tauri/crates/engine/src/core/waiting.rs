//! Approved actions that wait for their account: why they wait, and trying them again at once.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::{ActionState, PendingAction};
use adjutant_domain::ids::AccountId;
use adjutant_domain::job::{JobKind, planned_for_action};
use adjutant_domain::operation::{Attempts, Ended, RemoteFault};

use super::Core;

/// Why approved actions that wait may be tried again at once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hurry<'a> {
    /// Somebody asked for it, or there may be a connection again.
    Connection,
    /// The account was read. Its mail may be sent by another server, which may still refuse the sign-in.
    Read(&'a AccountId),
    /// The person signed in to the account.
    SignedIn(&'a AccountId),
}

impl Core {
    /// Lets approved actions that wait be tried again at once. What was refused because nobody is signed in waits until
    /// somebody is: more attempts with the same password could lock the account. If this cannot be stored, they are tried
    /// at their usual times.
    pub(crate) async fn hurry_waiting(&self, why: Hurry<'_>) {
        match self.hurry(why).await {
            Ok(true) => self.changed.notify_one(),
            Ok(false) => {}
            Err(fault) => {
                tracing::warn!(%fault, "approved actions that wait could not be brought forward");
            }
        }
    }

    async fn hurry(&self, why: Hurry<'_>) -> Result<bool, StoreFault> {
        let approved = Some(ActionState::Approved);
        let mut waiting = Vec::new();
        for action in self.parts.log.actions(approved, None).await? {
            let is_meant = match why {
                Hurry::Connection => true,
                Hurry::Read(account) | Hurry::SignedIn(account) => action.account() == account,
            };
            if !action.waits() || !is_meant {
                continue;
            }
            let signed_in = matches!(why, Hurry::SignedIn(_));
            let refusal = self.refusal(&action).await?;
            if signed_in || !matches!(refusal, Some(RemoteFault::NotSignedIn { .. })) {
                waiting.push(action);
            }
        }
        let jobs = waiting.iter().flat_map(planned_for_action);
        let jobs = jobs.filter_map(|planned| planned.job);
        let jobs = jobs.filter(|job| job.kind == JobKind::Send);
        let ids: Vec<_> = jobs.map(|job| job.id).collect();
        if ids.is_empty() {
            return Ok(false);
        }
        let now = self.parts.clock.now().timestamp();
        self.parts.jobs.hurry(&ids, now).await
    }

    /// Returns why the last attempt at an action was refused. `None` if it was not.
    pub(crate) async fn refusal(
        &self,
        action: &PendingAction,
    ) -> Result<Option<RemoteFault>, StoreFault> {
        let tried = Attempts::Action(action.id.clone());
        let tried = self.parts.log.attempts(&tried).await?;
        let last = tried.into_iter().next_back();
        Ok(match last.and_then(|one| one.attempt.outcome) {
            Some(Ended::Refused { fault }) => Some(fault),
            _ => None,
        })
    }

    /// Returns the name of an account as the person knows it.
    pub(crate) async fn account_name(&self, id: &AccountId) -> String {
        let all = self.parts.records.accounts().await.unwrap_or_default();
        let named = all.into_iter().find(|account| account.id == *id);
        named.map_or_else(
            || id.0.trim_start_matches("mcp:").to_owned(),
            |account| account.label,
        )
    }

    /// Returns why something was refused, with the account by its name.
    pub(crate) async fn told(&self, fault: &RemoteFault) -> String {
        match fault {
            RemoteFault::NotSignedIn { account, .. } => {
                format!("not signed in to {}", self.account_name(account).await)
            }
            fault => fault.to_string(),
        }
    }
}
