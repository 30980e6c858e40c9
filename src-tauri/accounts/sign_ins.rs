//! Sign-ins in the browser: begin with a page for the person, complete when they return, and can be cancelled any time.

use std::collections::BTreeMap;

use adjutant_accounts::{BrowserSignIn, SetUpFault, SignedIn};
use adjutant_domain::ids::{AccountId, render};
use adjutant_domain::operation::RemoteFault;
use secrecy::SecretString;
use tokio_util::sync::CancellationToken;

use super::changes::NotChanged;
use super::{Accounts, NotAsked, made};

/// Maximum number of pending sign-ins; a new one cancels the oldest.
const WAITING_MAX: usize = 4;

/// Pending sign-ins, oldest first.
#[derive(Default)]
pub(super) struct SignIns(Vec<Waiting>);

struct Waiting {
    id: String,
    /// `None` while somebody awaits it.
    sign_in: Option<BrowserSignIn>,
    stop: CancellationToken,
}

/// The account to sign in.
pub(crate) enum Whose {
    /// A new account of this kind.
    New(String),
    /// An existing account.
    Known(AccountId),
}

/// A sign-in that has begun.
pub(crate) struct Begun {
    pub(crate) id: String,
    /// The page for the person to open.
    pub(crate) address: String,
}

impl Accounts {
    /// Begins a sign-in. Stores nothing before it is complete.
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

    /// Waits for the person. Dropping the future cancels the sign-in.
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

    /// Cancels a sign-in; has no effect on one that has ended.
    pub(crate) fn cancel_sign_in(&self, id: &str) {
        let waiting = &mut self.state().sign_ins.0;
        if let Some(at) = waiting.iter().position(|one| one.id == id) {
            waiting.remove(at).stop.cancel();
        }
    }
}

/// Removes a sign-in when its wait ends, for any reason.
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
        what: "The sign-in was cancelled.".to_owned(),
        hint: "Nothing was connected. Start again if you still want to connect it.".to_owned(),
    }
}
