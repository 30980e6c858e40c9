//! Sign-ins in the browser that could not be taken back when their account was taken away: their provider was out of
//! reach. They are written down, their secrets stay in the keyring, and a job tries again until it is done.

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

/// How long somebody who takes an account away waits for its provider.
const SIGNED_OUT_WITHIN: Duration = Duration::from_secs(15);
/// Name of the row with the sign-ins that are still to be taken back.
const ROW: &str = "accounts.to_sign_out";
/// Sign-ins that wait at once; of more than these the person is told to take them back.
const WAITING_MAX: usize = 20;
/// After this time a sign-in is not tried to be taken back any more, and its secrets are forgotten.
const TRIED_FOR: SignedDuration = SignedDuration::from_hours(24 * 30);

/// A sign-in that is still to be taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SignOut {
    id: AccountId,
    kind: String,
    /// What the account was called.
    pub(crate) label: String,
    addresses: Vec<String>,
    setup: AccountSetup,
    since: Timestamp,
}

impl SignOut {
    fn entries(&self) -> BTreeSet<String> {
        entries::names(&self.id, &self.setup.secrets)
    }

    /// The job that tries it, from `now` on.
    pub(crate) fn job(&self, now: Timestamp) -> Job {
        let account = Account {
            id: self.id.clone(),
            kind: self.kind.clone(),
            label: self.label.clone(),
            addresses: self.addresses.clone(),
            state: AccountState::Off,
        };
        Job {
            title: format!("Take back the sign-in of {}", self.label),
            schedule: None,
            ..Job::sync(&account, now)
        }
    }
}

/// Whether taking a sign-in back may succeed later.
pub(super) fn is_for_later(fault: &SetUpFault) -> bool {
    match fault {
        SetUpFault::Net(_) => true,
        SetUpFault::Remote(fault) => matches!(
            fault,
            RemoteFault::Unreachable | RemoteFault::TimedOut | RemoteFault::Limited { .. }
        ),
        // The keyring gives nothing now.
        SetUpFault::Field { field, .. } => *field == "secrets",
    }
}

impl Accounts {
    /// What a sign-in in the browser gave to an account, to be taken back.
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

    /// Writes down that a sign-in is still to be taken back; `false` where too many are.
    ///
    /// # Errors
    /// When storage fails.
    pub(super) async fn note_sign_out(
        &self,
        account: &Account,
        setup: AccountSetup,
    ) -> Result<bool, StoreFault> {
        let mut all = self.noted().await?;
        if all.len() >= WAITING_MAX {
            return Ok(false);
        }
        all.retain(|one| one.id != account.id);
        all.push(SignOut {
            id: account.id.clone(),
            kind: account.kind.clone(),
            label: account.label.clone(),
            addresses: account.addresses.clone(),
            setup,
            since: self.0.deps.clock.now().timestamp(),
        });
        self.store().set_setting(ROW, &json!(all)).await?;
        Ok(true)
    }

    /// Sign-ins of accounts that are gone, still to be taken back.
    ///
    /// # Errors
    /// When storage fails.
    pub(crate) async fn sign_outs(&self) -> Result<Vec<SignOut>, StoreFault> {
        let known = self.known();
        let mut all = self.noted().await?;
        // A process was killed before it took the account away.
        all.retain(|one| !known.contains(&one.id));
        Ok(all)
    }

    /// Has all that is written down tried at its time; what belongs to an account that is there is forgotten.
    ///
    /// # Errors
    /// When storage fails.
    pub(super) async fn plan_sign_outs(&self) -> Result<(), StoreFault> {
        let (noted, all) = (self.noted().await?, self.sign_outs().await?);
        let now = self.0.deps.clock.now().timestamp();
        for one in &all {
            let job = one.job(now);
            let planned = self.store().job(&job.id).await?;
            if planned.is_none_or(|planned| planned.state.is_over()) {
                self.store().plan_job(job).await?;
            }
        }
        if noted != all {
            self.keep_noted(&all).await?;
        }
        Ok(())
    }

    /// Tries to take a sign-in back, for its job; none where this is no such job. What its provider refuses, and what was
    /// tried for long, is given up.
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
        let why = super::reading::told(&fault).what;
        let fault = super::executor::remote(fault);
        let at = sync_retry_at(job.attempts, &fault, now, deps.entropy.bits());
        Some(Ended::Again { at, why })
    }

    async fn try_sign_out(&self, one: &SignOut) -> Result<Option<SetUpFault>, StoreFault> {
        // Nobody connects the same account meanwhile: taking back one sign-in would end the other.
        let _one = self.0.changing.lock().await;
        let all = self.store().accounts().await?;
        let is_replaced = all
            .iter()
            .any(|account| account.kind == one.kind && account.addresses == one.addresses);
        let fault = match is_replaced {
            true => None,
            false => {
                let granted = self.granted(&one.id, &one.kind, &one.label, &one.setup);
                granted.await?.taken_back().await
            }
        };
        // Without its secrets there is nothing to take back with.
        let fault = fault
            .filter(|fault| !matches!(fault, SetUpFault::Remote(RemoteFault::NotSignedIn { .. })));
        let now = self.0.deps.clock.now().timestamp();
        let is_over = fault
            .as_ref()
            .is_none_or(|fault| !is_for_later(fault) || now.duration_since(one.since) > TRIED_FOR);
        if is_over {
            if let Some(fault) = &fault {
                tracing::warn!(%fault, "a sign-in was not taken back at its provider");
            }
            self.forget_sign_out(one).await?;
            return Ok(None);
        }
        Ok(fault)
    }

    /// Forgets a sign-in, and takes its secrets out of the keyring.
    async fn forget_sign_out(&self, one: &SignOut) -> Result<(), StoreFault> {
        self.note_unneeded(one.entries()).await?;
        let mut all = self.noted().await?;
        all.retain(|other| other.id != one.id);
        self.keep_noted(&all).await?;
        self.remove_unneeded_beside().await;
        Ok(())
    }

    /// What an erased profile still has to take back, with the names of its secrets.
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

/// What a sign-in in the browser gave to an account.
pub(super) struct Granted {
    kind: String,
    pub(super) label: String,
    /// None where nobody signed in in the browser; inside, why its secrets are not there.
    access: Option<Result<Access, SetUpFault>>,
}

impl Granted {
    /// Takes it back at the provider; why it may still hold, where it may.
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

pub(super) fn signs_in_by_browser(kind: &str) -> bool {
    kinds().any(|one| one.name == kind && one.signs_in == SignsIn::Browser)
}
