//! Sign-ins in the browser: begun with a page that the person opens, finished when they come back, given up at any time.

use std::collections::BTreeMap;

use adjutant_accounts::{BrowserSignIn, SetUpFault, SignedIn};
use adjutant_domain::ids::{AccountId, render};
use adjutant_domain::operation::RemoteFault;
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::changes::NotChanged;
use super::{Accounts, NotAsked, made};

/// Sign-ins that wait at once; the oldest one is given up for another.
const WAITING_MAX: usize = 4;

/// Sign-ins that wait for the person, the oldest first.
#[derive(Default)]
pub(super) struct SignIns(Vec<Waiting>);

struct Waiting {
    id: String,
    /// None while somebody waits for it.
    sign_in: Option<BrowserSignIn>,
    stop: CancellationToken,
}

/// Who signs in.
pub(crate) enum Whose {
    /// A new account of this kind.
    New(String),
    /// An account that is there.
    Known(AccountId),
}

/// A sign-in has begun.
pub(crate) struct Begun {
    pub(crate) id: String,
    /// The page that the person opens.
    pub(crate) address: String,
}

impl Accounts {
    /// Begins a sign-in. Nothing is kept before it is finished.
    pub(crate) async fn begin_sign_in(
        &self,
        whose: Whose,
        settings: BTreeMap<String, String>,
        secrets: BTreeMap<String, SecretString>,
    ) -> Result<Begun, NotChanged> {
        let (kind, mut access) = match whose {
            Whose::New(kind) => {
                let id = AccountId::from_bits(self.0.deps.entropy.bits());
                (kind, self.access(id, BTreeMap::new(), secrets))
            }
            Whose::Known(id) => {
                let stored = self.stored(&id).await?;
                let (account, setup) = stored.ok_or_else(|| NotAsked::from(RemoteFault::Gone))?;
                let access = self.access_of(&id, &setup, secrets).await?;
                (account.kind, access)
            }
        };
        access.settings.extend(settings);
        let begun = made(adjutant_accounts::begin_sign_in(&kind, access).await);
        let sign_in = begun.map_err(NotAsked::from)?;
        let id = render("sign", self.0.deps.entropy.bits());
        let begun = Begun {
            id: id.clone(),
            address: sign_in.address.to_string(),
        };
        let waiting = &mut self.state().sign_ins.0;
        if waiting.len() >= WAITING_MAX {
            waiting.remove(0).stop.cancel();
        }
        waiting.push(Waiting {
            id,
            sign_in: Some(sign_in),
            stop: CancellationToken::new(),
        });
        Ok(begun)
    }

    /// Waits for the person. Whoever stops waiting gives the sign-in up.
    pub(crate) async fn until_signed_in(&self, id: &str) -> Result<SignedIn, NotChanged> {
        let over = || NotChanged::from(NotAsked::from(given_up()));
        let (sign_in, stop) = {
            let mut state = self.state();
            let found = state.sign_ins.0.iter_mut().find(|one| one.id == id);
            let waiting = found.ok_or_else(over)?;
            let sign_in = waiting.sign_in.take().ok_or_else(over)?;
            (sign_in, waiting.stop.clone())
        };
        let _leave = Leave { accounts: self, id };
        tokio::select! {
            done = sign_in.done => Ok(done.map_err(NotAsked::from)?),
            () = stop.cancelled() => Err(over()),
        }
    }

    /// Gives a sign-in up; one that is over stays as it ended.
    pub(crate) fn cancel_sign_in(&self, id: &str) {
        let waiting = &mut self.state().sign_ins.0;
        if let Some(at) = waiting.iter().position(|one| one.id == id) {
            waiting.remove(at).stop.cancel();
        }
    }
}

/// Forgets a sign-in that nobody waits for any more, however the waiting ended.
struct Leave<'a> {
    accounts: &'a Accounts,
    id: &'a str,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.accounts.cancel_sign_in(self.id);
    }
}

fn given_up() -> SetUpFault {
    SetUpFault::Field {
        field: "sign_in",
        what: "The sign-in was given up.".to_owned(),
        hint: "Nothing was connected. Begin again if that was not meant.".to_owned(),
    }
}
