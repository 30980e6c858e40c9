//! The interface of a kind of account.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::ports::{Backends, Clock, Entropy};
use adjutant_net::{NetClient, NetFault, Url};
use async_trait::async_trait;
use secrecy::SecretString;

/// A kind of account, as a person chooses it and fills it in.
#[derive(Debug)]
pub struct Kind {
    /// Identifier in storage and on the command line.
    pub name: &'static str,
    /// Name shown to people.
    pub label: &'static str,
    /// What an account of this kind is called in a sentence. Accounts of two kinds often have the same label, the
    /// person's mail address.
    pub noun: &'static str,
    /// One line that describes what the account provides.
    pub about: &'static str,
    /// How the person signs in.
    pub signs_in: SignsIn,
    /// Address of the provider's page that lists the programs with access and lets the person remove them.
    pub access_page: Option<&'static str>,
    /// The fields that a person fills in, in order.
    pub fields: &'static [Field],
}

/// How a person signs in to an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignsIn {
    /// With the fields filled in here.
    Here,
    /// At the provider, in the system browser ([`Provider::begin_sign_in`]).
    Browser,
}

/// One field that a person fills in.
#[derive(Debug)]
pub struct Field {
    /// Key in [`Access::settings`] or [`Access::secrets`], and name of the command-line option.
    pub name: &'static str,
    /// Label shown to people.
    pub label: &'static str,
    /// Explanation of the label; may be empty.
    pub hint: &'static str,
    /// How the field is filled in.
    pub form: Form,
    /// Whether the account cannot be set up without it.
    pub required: bool,
}

/// How a field is filled in and where its value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A line of text, stored with the account.
    Text,
    /// A yes-or-no choice, `yes` if set, stored with the account.
    Tick,
    /// One of several values, each with its label, stored with the account. The first is the default.
    Choice(&'static [(&'static str, &'static str)]),
    /// A line of text that is visible while typed but stored as a secret, such as an address that gives access to
    /// anyone who knows it.
    PrivateText,
    /// A password, stored as a secret.
    Password,
}

impl Form {
    /// Tells whether the value is stored only in the credential store.
    #[must_use]
    pub fn is_secret(self) -> bool {
        matches!(self, Self::PrivateText | Self::Password)
    }
}

/// Stores secrets that a provider replaces on its own.
#[async_trait]
pub trait Keeper: Send + Sync {
    /// Replaces the secret `old` of a field with `new`. Changes nothing if the account holds a different secret by now
    /// or no longer exists.
    ///
    /// # Errors
    /// Returns the reason, in words, if the secret was not stored.
    async fn replace(
        &self,
        account: &AccountId,
        field: &str,
        old: &SecretString,
        new: &SecretString,
    ) -> Result<(), String>;
}

/// The input of a provider: an account's settings and secrets, and its access to the outside world.
#[derive(Clone)]
pub struct Access {
    /// Id of the account.
    pub account: AccountId,
    /// Non-secret field values and what [`Provider::set_up`] added. Also contains app settings meant for a provider
    /// under their full name (`google.endpoint`).
    pub settings: BTreeMap<String, String>,
    /// Secret field values.
    pub secrets: BTreeMap<String, SecretString>,
    /// Stores replaced secrets; `None` if nobody stores them.
    pub keeper: Option<Arc<dyn Keeper>>,
    /// The network client.
    pub net: NetClient,
    /// The clock, in the person's time zone.
    pub clock: Arc<dyn Clock>,
    /// The source of randomness.
    pub entropy: Arc<dyn Entropy>,
}

impl Access {
    /// Returns a setting, trimmed; `None` if it is missing or empty.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<&str> {
        let value = self.settings.get(name)?.trim();
        (!value.is_empty()).then_some(value)
    }

    /// Tells whether a [`Form::Tick`] is set.
    #[must_use]
    pub fn is_set(&self, name: &str) -> bool {
        self.setting(name) == Some("yes")
    }
}

/// The result of setting up an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountDetails {
    /// Suggested label, unless the person chooses another.
    pub label: String,
    /// The person's mail addresses in the account, preferred first; empty if the server reports none.
    pub addresses: Vec<String>,
    /// The settings to keep: what was typed and what was derived from it.
    pub settings: BTreeMap<String, String>,
}

/// Why an account cannot be set up or used as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetUpFault {
    /// A field is missing or wrong.
    #[error("{what}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// What is wrong, as a sentence.
        what: String,
        /// What to do, as a sentence.
        hint: String,
    },
    /// The server was unreachable, or the connection broke.
    #[error("{0}")]
    Net(#[from] NetFault),
    /// The server refused or failed a request.
    #[error("{0}")]
    Remote(#[from] RemoteFault),
}

/// A pending sign-in in the system browser. Dropping it cancels the wait.
pub struct BrowserSignIn {
    /// The provider's page for the person to open.
    pub address: Url,
    /// Resolves when the person has signed in or refused, or when the time has run out.
    pub done: Pin<Box<dyn Future<Output = Result<SignedIn, SetUpFault>> + Send>>,
}

/// The result of a sign-in in the browser, to be used for setup and stored.
#[derive(Debug, Default)]
pub struct SignedIn {
    /// Settings to add to those that were filled in.
    pub settings: BTreeMap<String, String>,
    /// Secrets to add to those that were filled in.
    pub secrets: BTreeMap<String, SecretString>,
}

/// A kind of account.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Returns the description of the kind and its fields.
    fn kind(&self) -> &'static Kind;

    /// Checks that the account can be used and discovers what the person did not type: server addresses, collections,
    /// names. Changes nothing at the provider.
    ///
    /// # Errors
    /// Returns a fault if the account cannot be used, with the field at fault where there is one.
    async fn set_up(&self, typed: Access) -> Result<AccountDetails, SetUpFault>;

    /// Returns what tells an account that was set up apart from others of its kind, from its settings and secrets. Two
    /// accounts with the same identity are one account that was connected twice. `None` if something is missing.
    fn identity(&self, access: &Access) -> Option<String>;

    /// Begins a sign-in in the browser, for kinds that use one. The caller adds the result to `typed` and then calls
    /// [`Self::set_up`].
    ///
    /// # Errors
    /// Returns a fault if no sign-in can begin.
    async fn begin_sign_in(&self, _typed: Access) -> Result<BrowserSignIn, SetUpFault> {
        let what = format!("{} has no sign-in in the browser", self.kind().label);
        Err(RemoteFault::Refused { what }.into())
    }

    /// Revokes at the provider what a sign-in in the browser granted, before the account is removed.
    ///
    /// # Errors
    /// Returns a fault if the provider may still accept the account's secrets.
    async fn sign_out(&self, _access: Access) -> Result<(), SetUpFault> {
        Ok(())
    }

    /// Returns the backends of an account that was set up. Sends nothing. The backends stay valid as long as settings,
    /// secrets and network stay the same.
    ///
    /// # Errors
    /// Returns a fault if something the provider needs is missing.
    fn connect(&self, access: Access) -> Result<Backends, SetUpFault>;
}
