//! What tools ask of the providers of accounts directly, beyond what is stored here.

use adjutant_domain::faults::UserFault;
use adjutant_domain::filter::Window;
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::FreeBusy;
use adjutant_domain::record::Mail;
use async_trait::async_trait;

/// Searches mail at the providers of mail accounts. They search all of it in full, while only the beginning of an old
/// mail may be stored here.
#[async_trait]
pub trait MailSearch: Send + Sync {
    /// Searches the mail of every active account and returns one result for each. Empty without an account. `limit` is
    /// the maximum number of mails for each account.
    ///
    /// # Errors
    /// Returns a fault if the accounts cannot be determined.
    async fn search(&self, words: &str, limit: usize) -> Result<Vec<Searched>, UserFault>;
}

/// Result from the provider of one account.
#[derive(Clone, Debug)]
pub struct Searched {
    /// Label of the account.
    pub account: String,
    /// The mails found, newest first, or the reason why the account was not searched, as a sentence.
    pub found: Result<Vec<AtProvider>, String>,
}

/// A mail that a provider found.
#[derive(Clone, Debug)]
pub enum AtProvider {
    /// Stored here too.
    Here(RecordId),
    /// Not read yet: the headers as the provider gives them.
    There(Box<Mail>),
}

/// Asks the providers of calendar accounts when other people are busy.
#[async_trait]
pub trait OthersTimes: Send + Sync {
    /// Asks every active account about people by mail address.
    ///
    /// # Errors
    /// Returns a fault if the accounts cannot be determined.
    async fn busy(&self, who: &[String], window: Window) -> Result<AskedTimes, UserFault>;
}

/// What the providers told about people.
#[derive(Clone, Debug, Default)]
pub struct AskedTimes {
    /// Whose times they told, and when these people are busy.
    pub told: FreeBusy,
    /// Accounts that could not be asked, each with the reason as a sentence.
    pub faults: Vec<String>,
}

/// Everything that tools ask of the providers.
pub trait Providers: MailSearch + OthersTimes {}

impl<T: MailSearch + OthersTimes> Providers for T {}

/// The implementation without any account: finds nothing.
pub struct NoAccounts;

#[async_trait]
impl MailSearch for NoAccounts {
    async fn search(&self, _: &str, _: usize) -> Result<Vec<Searched>, UserFault> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl OthersTimes for NoAccounts {
    async fn busy(&self, _: &[String], _: Window) -> Result<AskedTimes, UserFault> {
        Ok(AskedTimes::default())
    }
}
