//! Sign-ins in the browser that could not be revoked when their account was removed because the provider was
//! unreachable. They are recorded, their secrets stay in the keyring, and a job retries until it succeeds.

use std::collections::BTreeSet;
use std::time::Duration;

use adjutant_accounts::{Access, SetUpFault, SignsIn, kinds};
use adjutant_domain::account::{Account, AccountSetup, AccountState};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::job::{Ended, Job, sync_retry_at};
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::Records as _;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Accounts, NotAsked, entries, made};

/// Time allowed for the provider while the person waits for an account's removal.
const SIGNED_OUT_WITHIN: Duration = Duration::from_secs(15);
/// Name of the settings row with pending revocations.
const ROW: &str = "accounts.to_sign_out";
/// Maximum number of pending revocations; the person is asked to revoke further ones themselves.
const WAITING_MAX: usize = 20;
/// How long a revocation is retried before its secrets are deleted.
const TRIED_FOR: SignedDuration = SignedDuration::from_hours(24 * 30);

/// A sign-in that still has to be revoked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SignOut {
    id: AccountId,
    kind: String,
    /// Former label of the account.
    pub(crate) label: String,
    addresses: Vec<String>,
    setup: AccountSetup,
    since: Timestamp,
    /// Whether it was given up, so that the person has to withdraw the access.
    #[serde(default)]
    is_given_up: bool,
}

impl SignOut {
    /// Whether the same person's account at the same provider is connected again.
    fn is_replaced(&self, accounts: &[Account]) -> bool {
        accounts
            .iter()
            .any(|account| account.kind == self.kind && account.addresses == self.addresses)
    }

    fn entries(&self) -> BTreeSet<String> {
        entries::names(&self.id, &self.setup.secrets)
    }

    /// Returns the page on which the person can withdraw the access.
    pub(crate) fn access_page(&self) -> Option<&'static str> {
        access_page(&self.kind)
    }

    /// Returns the job that retries it from `now` on.
    pub(crate) fn job(&self, now: Timestamp) -> Job {
        let account = Account {
            id: self.id.clone(),
            kind: self.kind.clone(),
            label: self.label.clone(),
            addresses: self.addresses.clone(),
            state: AccountState::Off,
        };
        Job {
            title: format!("Revoke the sign-in of {}", self.label),
            schedule: None,
            ..Job::sync(&account, now)
        }
    }
}

/// Tells whether revoking a sign-in may succeed later.
pub(super) fn is_for_later(fault: &SetUpFault) -> bool {
    match fault {
        SetUpFault::Net(_) => true,
        SetUpFault::Remote(fault) => matches!(
            fault,
            RemoteFault::Unreachable | RemoteFault::TimedOut | RemoteFault::Limited { .. }
        ),
        // The keyring is not accessible now.
        SetUpFault::Field { field, .. } => *field == "secrets",
    }
}

impl Accounts {
    /// Returns what a sign-in in the browser granted to an account, for revocation.
    pub(super) async fn granted(
        &self,
        id: &AccountId,
        kind: &str,
        label: &str,
        setup: &AccountSetup,
    ) -> Result<Granted, StoreFault> {
        let access = match signs_in_by_browser(kind) {
            false => None,
            true => Some(match self.secrets(id, setup).await {
                Ok(secrets) => {
                    let settings = setup.settings.clone();
                    Ok(self.access(id.clone(), settings, secrets))
                }
                Err(NotAsked::SetUp(fault)) => Err(fault),
                Err(NotAsked::Family(_, fault)) => Err(fault.into()),
                Err(NotAsked::Store(fault)) => return Err(fault),
            }),
        };
        Ok(Granted {
            kind: kind.to_owned(),
            label: label.to_owned(),
            access,
        })
    }

    /// Records a pending revocation; returns `false` if there are too many.
    ///
    /// # Errors
    /// Returns a fault if storage fails.
    pub(super) async fn note_sign_out(
        &self,
        account: &Account,
        setup: AccountSetup,
    ) -> Result<bool, StoreFault> {
        let mut all = self.noted().await?;
        if all.len() >= WAITING_MAX {
            let Some(oldest) = all.iter().position(|one| one.is_given_up) else {
                return Ok(false);
            };
            all.remove(oldest);
        }
        all.retain(|one| one.id != account.id);
        all.push(SignOut {
            id: account.id.clone(),
            kind: account.kind.clone(),
            label: account.label.clone(),
            addresses: account.addresses.clone(),
            setup,
            since: self.0.deps.clock.now().timestamp(),
            is_given_up: false,
        });
        self.store().set_setting(ROW, &json!(all)).await?;
        Ok(true)
    }

    /// Returns the pending revocations of removed accounts.
    ///
    /// # Errors
    /// Returns a fault if storage fails.
    pub(crate) async fn sign_outs(&self) -> Result<Vec<SignOut>, StoreFault> {
        let known = self.known();
        let mut all = self.noted().await?;
        // Skip entries whose account still exists: a process was killed before removing it.
        all.retain(|one| !known.contains(&one.id) && !one.is_given_up);
        Ok(all)
    }

    /// Returns the revocations of removed accounts that were given up, unless the account was connected again.
    ///
    /// # Errors
    /// Returns a fault if storage fails.
    pub(crate) async fn given_up_sign_outs(&self) -> Result<Vec<SignOut>, StoreFault> {
        let accounts = self.store().accounts().await?;
        let mut all = self.noted().await?;
        all.retain(|one| one.is_given_up && !one.is_replaced(&accounts));
        Ok(all)
    }

    /// Schedules all pending revocations. Drops entries whose account still exists, and those given up long ago.
    ///
    /// # Errors
    /// Returns a fault if storage fails.
    pub(super) async fn plan_sign_outs(&self) -> Result<(), StoreFault> {
        let now = self.0.deps.clock.now().timestamp();
        for one in self.sign_outs().await? {
            let job = one.job(now);
            let planned = self.store().job(&job.id).await?;
            if planned.is_none_or(|planned| planned.state.is_over()) {
                self.store().plan_job(job).await?;
            }
        }
        let (known, noted) = (self.known(), self.noted().await?);
        let mut kept = noted.clone();
        kept.retain(|one| {
            let is_old = one.is_given_up && now.duration_since(one.since) > TRIED_FOR;
            !is_old && !known.contains(&one.id)
        });
        if noted != kept {
            self.keep_noted(&kept).await?;
        }
        Ok(())
    }

    /// Retries a revocation for its job; `None` if the job is a different one. Gives up if the provider refuses or the
    /// time is over.
    pub(super) async fn sign_out_again(&self, job: &Job) -> Option<Ended> {
        let all = self.sign_outs().await.ok()?;
        let one = all.into_iter().find(|one| one.id.as_str() == job.subject)?;
        let tried = self.try_sign_out(&one).await;
        let deps = &self.0.deps;
        let now = deps.clock.now().timestamp();
        let fault = match tried {
            Ok(None) => return Some(Ended::Done),
            Ok(Some(fault)) => NotAsked::from(fault),
            Err(fault) => fault.into(),
        };
        let why = super::reading::told(&fault, &one.id).what;
        let fault = super::executor::remote(fault);
        let at = sync_retry_at(job.attempts, &fault, now, deps.entropy.bits());
        Some(Ended::Again { at, why })
    }

    async fn try_sign_out(&self, one: &SignOut) -> Result<Option<SetUpFault>, StoreFault> {
        // Prevent the same account from being connected meanwhile: revoking the old sign-in would end the new one.
        let _one = self.0.changing.lock().await;
        let all = self.store().accounts().await?;
        let fault = match one.is_replaced(&all) {
            true => None,
            false => {
                let granted = self.granted(&one.id, &one.kind, &one.label, &one.setup);
                granted.await?.taken_back().await
            }
        };
        // Without its secrets a sign-in cannot be revoked.
        let fault = fault
            .filter(|fault| !matches!(fault, SetUpFault::Remote(RemoteFault::NotSignedIn { .. })));
        let now = self.0.deps.clock.now().timestamp();
        let is_over = fault
            .as_ref()
            .is_none_or(|fault| !is_for_later(fault) || now.duration_since(one.since) > TRIED_FOR);
        if is_over {
            if let Some(fault) = &fault {
                tracing::warn!(%fault, "a sign-in was not revoked at its provider");
            }
            self.end_sign_out(one, fault.is_some()).await?;
            return Ok(None);
        }
        Ok(fault)
    }

    /// Removes a pending revocation and deletes its secrets. Keeps a note for the person if it was given up.
    async fn end_sign_out(&self, one: &SignOut, is_given_up: bool) -> Result<(), StoreFault> {
        self.note_unneeded(one.entries()).await?;
        let mut all = self.noted().await?;
        all.retain(|other| other.id != one.id);
        if is_given_up {
            all.push(SignOut {
                setup: AccountSetup::default(),
                since: self.0.deps.clock.now().timestamp(),
                is_given_up,
                ..one.clone()
            });
        }
        self.keep_noted(&all).await?;
        self.remove_unneeded_beside().await;
        Ok(())
    }

    /// Returns the pending revocations of a profile to erase, with the names of their secrets.
    pub(super) async fn sign_outs_to_erase(
        &self,
    ) -> Result<Vec<(Granted, BTreeSet<String>)>, StoreFault> {
        let mut all = Vec::new();
        for one in self.sign_outs().await? {
            let granted = self.granted(&one.id, &one.kind, &one.label, &one.setup);
            all.push((granted.await?, one.entries()));
        }
        Ok(all)
    }

    async fn keep_noted(&self, all: &[SignOut]) -> Result<(), StoreFault> {
        match all {
            [] => self.store().remove_setting(ROW).await.map(drop),
            all => self.store().set_setting(ROW, &json!(all)).await,
        }
    }

    async fn noted(&self) -> Result<Vec<SignOut>, StoreFault> {
        let stored = self.store().settings().await?;
        let row = stored.into_iter().find(|(key, _)| key == ROW);
        Ok(row
            .and_then(|(_, value)| serde_json::from_value(value).ok())
            .unwrap_or_default())
    }
}

/// What a sign-in in the browser granted to an account.
pub(super) struct Granted {
    kind: String,
    pub(super) label: String,
    /// `None` if the kind has no sign-in in the browser; an error says why the secrets are unavailable.
    access: Option<Result<Access, SetUpFault>>,
}

impl Granted {
    /// Revokes the sign-in at the provider. Returns the reason if it may still be valid.
    pub(super) async fn taken_back(&self) -> Option<SetUpFault> {
        let access = match self.access.clone()? {
            Ok(access) => access,
            Err(fault) => return Some(fault),
        };
        let signing_out = adjutant_accounts::sign_out(&self.kind, access);
        match tokio::time::timeout(SIGNED_OUT_WITHIN, signing_out).await {
            Ok(ended) => made(ended).err(),
            Err(_) => Some(RemoteFault::TimedOut.into()),
        }
    }
}

/// Returns the page of a provider on which the person can withdraw Adjutant's access.
pub(crate) fn access_page(kind: &str) -> Option<&'static str> {
    kinds().find(|one| one.name == kind)?.access_page
}

fn signs_in_by_browser(kind: &str) -> bool {
    kinds().any(|one| one.name == kind && one.signs_in == SignsIn::Browser)
}
