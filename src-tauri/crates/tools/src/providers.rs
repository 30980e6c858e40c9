//! What tools ask of the providers of accounts themselves, beside what is stored here.

use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::RecordId;
use adjutant_domain::record::Mail;
use async_trait::async_trait;

/// Mail accounts whose providers search their mail themselves: all of it and in full, while here may be no more than the
/// beginning of an old mail.
#[async_trait]
pub trait MailSearch: Send + Sync {
    /// Searches the mail of every account that is switched on, each for itself. Empty where there is none.
    ///
    /// # Errors
    /// When it is not known which accounts there are.
    async fn search(&self, words: &str, limit: usize) -> Result<Vec<Searched>, UserFault>;
}

/// What the provider of one account found.
#[derive(Clone, Debug)]
pub struct Searched {
    /// What the account is called.
    pub account: String,
    /// What was found there, newest first; or why it was not searched, as a sentence.
    pub found: Result<Vec<AtProvider>, String>,
}

/// A mail that a provider found.
#[derive(Clone, Debug)]
pub enum AtProvider {
    /// It is here too.
    Here(RecordId),
    /// It was not read yet: its head as the provider gives it.
    There(Box<Mail>),
}

/// No account is connected.
pub struct NoAccounts;

#[async_trait]
impl MailSearch for NoAccounts {
    async fn search(&self, _: &str, _: usize) -> Result<Vec<Searched>, UserFault> {
        Ok(Vec::new())
    }
}
