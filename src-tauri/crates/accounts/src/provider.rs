//! What a kind of account is.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Backends, Clock, Entropy};
use adjutant_net::{NetClient, NetFault, Url};
use async_trait::async_trait;
use secrecy::SecretString;

/// A kind of account, as a person chooses and fills it in.
#[derive(Debug)]
pub struct Kind {
    /// The name in storage and on the command line.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What it brings, one line.
    pub about: &'static str,
    /// How the person signs in.
    pub signs_in: SignsIn,
    /// What a person fills in, in order.
    pub fields: &'static [Field],
}

/// How a person signs in to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignsIn {
    /// With what is filled in here.
    Here,
    /// At the provider, in the system browser ([`Provider::begin_sign_in`]).
    Browser,
}

/// One thing a person fills in.
#[derive(Debug)]
pub struct Field {
    /// The name in [`Access::settings`] or [`Access::secrets`], and of the option on the command line.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// What is meant, where the label does not say it; may be empty.
    pub hint: &'static str,
    /// How it is filled in.
    pub form: Form,
    /// Whether the account cannot be set up without it.
    pub required: bool,
}

/// How a field is filled in, and where its value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A line of text, kept with the account.
    Text,
    /// A yes or no, `yes` where it is set; kept with the account.
    Tick,
    /// One of some values, each with what people call it, kept with the account; the first where nothing is chosen.
    Choice(&'static [(&'static str, &'static str)]),
    /// A line of text that may be shown while it is typed and is kept as a secret: an address that lets in whoever knows it.
    PrivateText,
    /// A password, kept as a secret.
    Password,
}

impl Form {
    /// Whether its value is kept in the credential store and nowhere else.
    #[must_use]
    pub fn is_secret(self) -> bool {
        matches!(self, Self::PrivateText | Self::Password)
    }
}

/// Keeps secrets that a provider replaces by itself.
#[async_trait]
pub trait Keeper: Send + Sync {
    /// Keeps `new` for a field in the place of `old`. Where the account has yet another secret there by now, or is gone, that
    /// is left as it is.
    ///
    /// # Errors
    /// Why it was not kept, in words.
    async fn replace(
        &self,
        account: &AccountId,
        field: &str,
        old: &SecretString,
        new: &SecretString,
    ) -> Result<(), String>;
}

/// What a provider is given: what was filled in or kept of an account, and the world.
#[derive(Clone)]
pub struct Access {
    /// The account.
    pub account: AccountId,
    /// Values of fields that are no secret, and what [`Provider::set_up`] added to them. Settings of the app that are
    /// meant for a provider stand beside them under their full name (`google.endpoint`).
    pub settings: BTreeMap<String, String>,
    /// Values of fields that are secret.
    pub secrets: BTreeMap<String, SecretString>,
    /// Takes secrets that the provider replaces, where somebody keeps them.
    pub keeper: Option<Arc<dyn Keeper>>,
    /// The network.
    pub net: NetClient,
    /// The time, in the person's zone.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub entropy: Arc<dyn Entropy>,
}

impl Access {
    /// A setting, trimmed; none where it is empty.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&str> {
        let value = self.settings.get(name)?.trim();
        (!value.is_empty()).then_some(value)
    }

    /// Whether a [`Form::Tick`] is set.
    #[must_use]
    pub fn is_set(&self, name: &str) -> bool {
        self.setting(name) == Some("yes")
    }
}

/// What an account turned out to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What to call it, unless the person says otherwise.
    pub label: String,
    /// Mail addresses of the person there, preferred first; empty where the server does not tell.
    pub addresses: Vec<String>,
    /// The settings to keep: what was typed, and what was found out from it.
    pub settings: BTreeMap<String, String>,
}

/// Why an account cannot be set up or used as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetUpFault {
    /// A field is missing or wrong.
    #[error("{what}")]
    Field {
        /// Which.
        field: &'static str,
        /// What is wrong, as a sentence.
        what: String,
        /// What to do, as a sentence.
        hint: String,
    },
    /// The server was not reached, or its answer broke off.
    #[error("{0}")]
    Net(#[from] NetFault),
    /// The server did not do what it was asked.
    #[error("{0}")]
    Remote(#[from] RemoteFault),
}

/// A sign-in that waits for the person in the system browser. Dropping it ends the waiting.
pub struct BrowserSignIn {
    /// The page at the provider that the person opens.
    pub address: Url,
    /// Ends when the person has signed in there, has said no, or has let the time run out.
    pub done: Pin<Box<dyn Future<Output = Result<SignedIn, SetUpFault>> + Send>>,
}

/// What a sign-in in the browser gave, to be set up with and kept.
#[derive(Debug, Default)]
pub struct SignedIn {
    /// Settings, beside those that were filled in.
    pub settings: BTreeMap<String, String>,
    /// Secrets, beside those that were filled in.
    pub secrets: BTreeMap<String, SecretString>,
}

/// One kind of account.
#[async_trait]
pub trait Provider: Send + Sync {
    /// What it is, and what it needs.
    fn kind(&self) -> &'static Kind;

    /// Looks whether the account can be used, and finds out what the person did not type: addresses of servers and
    /// collections, names. Changes nothing there.
    ///
    /// # Errors
    /// When it cannot be used, with the field that is wrong where it is one.
    async fn set_up(&self, typed: Access) -> Result<Found, SetUpFault>;

    /// Begins a sign-in in the browser, for kinds whose people sign in there. What it gives is added to `typed`, and
    /// [`Self::set_up`] follows.
    ///
    /// # Errors
    /// When no sign-in can begin.
    async fn begin_sign_in(&self, _typed: Access) -> Result<BrowserSignIn, SetUpFault> {
        let what = format!("{} has no sign-in in the browser", self.kind().label);
        Err(RemoteFault::Refused { what }.into())
    }

    /// Takes back at the provider what a sign-in in the browser gave, before the account is removed.
    ///
    /// # Errors
    /// When the provider may still let in whoever has its secrets.
    async fn sign_out(&self, _access: Access) -> Result<(), SetUpFault> {
        Ok(())
    }

    /// The backends of an account that was set up. Nothing is sent yet; they may be kept as long as settings, secrets and
    /// network stay the same.
    ///
    /// # Errors
    /// When something it needs is missing.
    fn connect(&self, access: Access) -> Result<Backends, SetUpFault>;
}

/// What went wrong with an account, for the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What happened, as a sentence.
    pub what: String,
    /// What to do next, as a sentence.
    pub next: String,
}

/// What a fault of an account means for the person.
#[must_use]
pub fn problem(fault: &SetUpFault) -> Problem {
    let (what, next) = match fault {
        SetUpFault::Field { what, hint, .. } => return said(what, hint),
        SetUpFault::Net(NetFault::Offline { .. }) => (
            "Adjutant is offline.".to_owned(),
            "It is read again once Adjutant may use the network.",
        ),
        SetUpFault::Net(fault @ (NetFault::Redirected { .. } | NetFault::NotPublic { .. })) => (
            adjutant_domain::faults::sentence(&fault.to_string()),
            "Check the address.",
        ),
        SetUpFault::Net(fault @ NetFault::TooLarge { .. }) => (
            adjutant_domain::faults::sentence(&fault.to_string()),
            "Check that the address is the one you mean. What was read before stays.",
        ),
        SetUpFault::Net(fault @ NetFault::Untrusted { fingerprint, .. }) => {
            return said(
                &adjutant_domain::faults::sentence(&fault.to_string()),
                &format!(
                    "Nothing was sent. Check the name of the server. If that is its certificate all the same, trust it: its SHA-256 fingerprint is {fingerprint}."
                ),
            );
        }
        SetUpFault::Net(fault) => (
            adjutant_domain::faults::sentence(&fault.to_string()),
            "Check the address and your connection; it is tried again by itself.",
        ),
        SetUpFault::Remote(fault) => return of_remote(fault),
    };
    said(&what, next)
}

fn of_remote(fault: &RemoteFault) -> Problem {
    let (what, next) = match fault {
        RemoteFault::NotSignedIn { .. } => (
            "The server does not accept what this account signs in with any more.".to_owned(),
            "Sign in again (`adjutant accounts sign-in ID`).",
        ),
        RemoteFault::Gone => (
            "The server has nothing at this address.".to_owned(),
            "Check the address with whoever gave it to you.",
        ),
        RemoteFault::Limited { .. } => (
            "The server takes no more requests for now.".to_owned(),
            "Nothing to do; it is tried again later.",
        ),
        RemoteFault::Refused { what } | RemoteFault::Failed { what } => (
            adjutant_domain::faults::sentence(what),
            "Check the address and what the account may do there.",
        ),
        RemoteFault::Unreachable | RemoteFault::TimedOut | RemoteFault::Conflict { .. } => (
            adjutant_domain::faults::sentence(&fault.to_string()),
            "Check your connection; it is tried again by itself.",
        ),
    };
    said(&what, next)
}

fn said(what: &str, next: &str) -> Problem {
    Problem {
        what: what.to_owned(),
        next: next.to_owned(),
    }
}
