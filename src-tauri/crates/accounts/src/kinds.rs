//! The available kinds of account.

use adjutant_domain::ports::Backends;

use crate::dav::CalDav;
use crate::google::Google;
use crate::ics::Ics;
use crate::imap::Imap;
use crate::provider::{Access, AccountDetails, BrowserSignIn, Kind, Provider, SetUpFault};

/// Every provider, in the order in which the app offers them.
const ALL: &[&dyn Provider] = &[&Google, &Ics, &Imap::USUAL, &CalDav];

/// The error for an unknown kind of account.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no kind of account called “{0}”")]
pub struct Unknown(pub String);

/// Returns every kind of account that can be connected.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    ALL.iter().map(|provider| provider.kind())
}

/// Returns what an account of this kind is called in a sentence.
#[must_use]
pub fn noun(kind: &str) -> &'static str {
    provider(kind).map_or("account", |provider| provider.kind().noun)
}

/// Checks with the server that an account with new or changed settings or secrets can be used.
///
/// # Errors
/// Returns [`Unknown`] if there is no such kind. The inner error says why the account cannot be used.
pub async fn set_up(
    kind: &str,
    typed: Access,
) -> Result<Result<AccountDetails, SetUpFault>, Unknown> {
    Ok(provider(kind)?.set_up(typed).await)
}

/// Returns what tells an account that was set up apart from others of its kind.
///
/// # Errors
/// Returns [`Unknown`] if there is no such kind.
pub fn identity(kind: &str, access: &Access) -> Result<Option<String>, Unknown> {
    Ok(provider(kind)?.identity(access))
}

/// Begins a sign-in in the browser.
///
/// # Errors
/// Returns [`Unknown`] if there is no such kind. The inner error says why no sign-in can begin.
pub async fn begin_sign_in(
    kind: &str,
    typed: Access,
) -> Result<Result<BrowserSignIn, SetUpFault>, Unknown> {
    Ok(provider(kind)?.begin_sign_in(typed).await)
}

/// Revokes at the provider what a sign-in in the browser granted.
///
/// # Errors
/// Returns [`Unknown`] if there is no such kind. The inner error says why the sign-in may not have been revoked.
pub async fn sign_out(kind: &str, access: Access) -> Result<Result<(), SetUpFault>, Unknown> {
    Ok(provider(kind)?.sign_out(access).await)
}

/// Returns the backends of an account that was set up. Sends nothing.
///
/// # Errors
/// Returns [`Unknown`] if there is no such kind. The inner error says what is missing.
pub fn connect(kind: &str, access: Access) -> Result<Result<Backends, SetUpFault>, Unknown> {
    Ok(provider(kind)?.connect(access))
}

fn provider(kind: &str) -> Result<&'static dyn Provider, Unknown> {
    let found = ALL.iter().find(|provider| provider.kind().name == kind);
    found.copied().ok_or_else(|| Unknown(kind.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn kinds_and_their_fields_have_names_of_their_own() {
        let names: BTreeSet<_> = kinds().map(|kind| kind.name).collect();
        assert_eq!(names.len(), ALL.len());
        let nouns: BTreeSet<_> = names.iter().copied().map(noun).collect();
        assert_eq!(nouns.len(), ALL.len());
        assert_eq!(noun("nowhere"), "account");
        for kind in kinds() {
            let fields: BTreeSet<_> = kind.fields.iter().map(|field| field.name).collect();
            assert_eq!(fields.len(), kind.fields.len(), "{}", kind.name);
        }
        assert!(!names.contains("local"), "this computer is no provider");
        assert_eq!(provider("nowhere").err(), Some(Unknown("nowhere".into())));
    }
}
