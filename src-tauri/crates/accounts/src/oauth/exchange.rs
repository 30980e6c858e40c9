//! Sends the requests of the crate `oauth2` through the shared network client and interprets failures.

use std::pin::Pin;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{RemoteFault, SignedOut};
use adjutant_net::{AddressFrom, Follow, NetClient, NetFault, Outgoing, Url};
use jiff::Timestamp;
use oauth2::basic::{BasicErrorResponseType, BasicRequestTokenError};
use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};

use crate::http;
use crate::net;

/// Maximum size of a token reply in bytes; typical replies have a few kilobytes.
pub(super) const REPLY_BYTES_MAX: u64 = 256 * 1024;

/// Sends token requests.
pub(super) struct Sender<'a> {
    pub(super) net: &'a NetClient,
    pub(super) why: &'static str,
    /// Current time, for dates in replies.
    pub(super) now: Timestamp,
    /// Where the endpoint's address comes from.
    pub(super) from: AddressFrom,
}

/// Why no token reply arrived.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotSent {
    #[error("{0}")]
    Net(#[from] NetFault),
    /// The server failed or limits the request rate.
    #[error("{0}")]
    Remote(RemoteFault),
    #[error("the address cannot be used")]
    Address,
}

impl<'c> AsyncHttpClient<'c> for Sender<'_> {
    type Error = NotSent;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, NotSent>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}

impl Sender<'_> {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, NotSent> {
        let (head, body) = request.into_parts();
        let url = Url::parse(&head.uri.to_string()).map_err(|_| NotSent::Address)?;
        let mut outgoing = Outgoing::new(head.method, url, self.why);
        outgoing.headers = head.headers;
        outgoing.body = Some(body.into());
        outgoing.follow = Follow::Nowhere;
        outgoing.from = self.from;
        outgoing.reply_bytes_max = REPLY_BYTES_MAX;
        let reply = self.net.send(outgoing).await?;
        let (status, headers) = (reply.status(), reply.headers().clone());
        if status.is_server_error() || status.as_u16() == 429 {
            let fault = http::refused(status, &headers, &AccountId::local(), self.now);
            return Err(NotSent::Remote(fault));
        }
        let bytes = reply.bytes(http::BODY_WITHIN).await?;
        let mut response = HttpResponse::new(bytes.to_vec());
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Ok(response)
    }
}

/// Google's error codes for a client ID that no longer works.
const CLIENT_ENDED: [&str; 2] = ["disabled_client", "deleted_client"];
/// Google's error codes for a program that an organisation does not allow.
const BARRED: [&str; 2] = ["admin_policy_enforced", "org_internal"];

/// Returns what ended a sign-in, by the description of an `invalid_grant`.
fn withdrawn(description: &str) -> SignedOut {
    let said = description.to_ascii_lowercase();
    let is_account = ["disabled", "deleted", "suspended"].iter();
    match said.contains("account") && is_account.clone().any(|word| said.contains(word)) {
        true => SignedOut::Disabled,
        false => SignedOut::Withdrawn,
    }
}

fn signed_out(account: &AccountId, why: SignedOut) -> RemoteFault {
    RemoteFault::NotSignedIn {
        account: account.clone(),
        why,
    }
}

/// Maps a failed token request to a fault of the account.
pub(super) fn refused(error: BasicRequestTokenError<NotSent>, account: &AccountId) -> RemoteFault {
    match error {
        BasicRequestTokenError::ServerResponse(said) => match said.error() {
            BasicErrorResponseType::InvalidGrant => signed_out(
                account,
                withdrawn(said.error_description().map_or("", String::as_str)),
            ),
            BasicErrorResponseType::InvalidClient | BasicErrorResponseType::UnauthorizedClient => {
                refusal("the client ID or its secret is not known there")
            }
            other if CLIENT_ENDED.contains(&other.as_ref()) => {
                refusal("the client ID was disabled or deleted there")
            }
            other if BARRED.contains(&other.as_ref()) => signed_out(account, SignedOut::Barred),
            other => refusal(&format!("no token was issued ({})", word(other.as_ref()))),
        },
        BasicRequestTokenError::Request(NotSent::Net(fault)) => net::unread(&fault),
        BasicRequestTokenError::Request(NotSent::Remote(fault)) => fault,
        BasicRequestTokenError::Request(fault @ NotSent::Address) => refusal(&fault.to_string()),
        // Do not show these texts or the body: they may contain a token.
        BasicRequestTokenError::Parse(..) | BasicRequestTokenError::Other(_) => {
            refusal("the answer to a request for a token cannot be read")
        }
    }
}

fn refusal(what: &str) -> RemoteFault {
    RemoteFault::Refused {
        what: what.to_owned(),
    }
}

/// Returns an OAuth error code if it is a short plain word, otherwise a placeholder.
pub(super) fn word(code: &str) -> &str {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match !code.is_empty() && code.len() <= 40 && code.chars().all(is_plain) {
        true => code,
        false => "no reason given",
    }
}
