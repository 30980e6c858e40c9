//! The tokens of one account. Keeps the access token in memory and renews it when it expires or a server refuses it.

use std::sync::Arc;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;
use adjutant_net::{Follow, HeaderValue, Incoming, Method, NetClient, Outgoing};
use jiff::{SignedDuration, Timestamp};
use oauth2::{RefreshToken, TokenResponse as _};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::Mutex;

use super::exchange::{self, Sender};
use super::{Client, Endpoints, Given};
use crate::http;
use crate::net;
use crate::provider::Keeper;

/// A token is renewed this long before it expires, so that it outlasts a request in progress.
const EARLY: SignedDuration = SignedDuration::from_secs(60);
/// Assumed lifetime of a token if the server does not say.
const USUAL_LIFE: SignedDuration = SignedDuration::from_mins(30);

/// An access token with its expiry.
#[derive(Clone)]
pub(crate) struct Bearer {
    token: SecretString,
    /// Number of the renewal that produced it.
    number: u64,
    /// Expiry by this computer's clock, counted from the request. If the clock changes, the server refuses the token,
    /// which is then renewed.
    until: Timestamp,
}

impl Bearer {
    /// Returns the token itself.
    pub(crate) fn expose(&self) -> &str {
        self.token.expose_secret()
    }
}

/// The refresh token of an account.
pub(crate) struct Lasting {
    pub(crate) account: AccountId,
    /// Name of the field under which the token is stored.
    pub(crate) field: &'static str,
    pub(crate) token: SecretString,
    pub(crate) keeper: Option<Arc<dyn Keeper>>,
}

/// The tokens of one account.
pub(crate) struct Tokens {
    account: AccountId,
    client: Client,
    field: &'static str,
    keeper: Option<Arc<dyn Keeper>>,
    /// Held during a renewal, so that only one runs at a time and other requests wait for it.
    held: Mutex<Held>,
}

struct Held {
    /// The newest refresh token.
    refresh: SecretString,
    /// The refresh token in the credential store, if it is not the newest yet.
    kept: Option<SecretString>,
    bearer: Option<Bearer>,
    renewals: u64,
}

impl Tokens {
    /// Creates the tokens from a refresh token. Sends nothing yet.
    pub(crate) fn new(client: Client, lasting: Lasting) -> Self {
        Self {
            account: lasting.account,
            client,
            field: lasting.field,
            keeper: lasting.keeper,
            held: Mutex::new(Held {
                refresh: lasting.token,
                kept: None,
                bearer: None,
                renewals: 0,
            }),
        }
    }

    /// Returns a token to send. If the server refused one, pass it as `refused`: it is then renewed unless another
    /// request already did so.
    ///
    /// # Errors
    /// Returns [`RemoteFault::NotSignedIn`] if the person has to sign in again, and other faults if the renewal fails.
    pub(crate) async fn bearer(
        &self,
        endpoints: &Endpoints,
        net: &NetClient,
        now: Timestamp,
        refused: Option<&Bearer>,
    ) -> Result<Bearer, RemoteFault> {
        let mut held = self.held.lock().await;
        let is_refused = |one: &Bearer| refused.is_some_and(|other| other.number == one.number);
        if let Some(bearer) = held.bearer.as_ref()
            && !is_refused(bearer)
            && bearer.until.duration_since(now) > EARLY
        {
            return Ok(bearer.clone());
        }
        held.bearer = None;
        let bearer = self.renewed(&mut held, endpoints, net, now).await?;
        held.bearer = Some(bearer.clone());
        self.keep(&mut held).await;
        Ok(bearer)
    }

    async fn renewed(
        &self,
        held: &mut Held,
        endpoints: &Endpoints,
        net: &NetClient,
        now: Timestamp,
    ) -> Result<Bearer, RemoteFault> {
        let sender = Sender {
            net,
            why: "renewing a sign-in",
            now,
            from: endpoints.from,
        };
        let refresh = RefreshToken::new(held.refresh.expose_secret().to_owned());
        let given = self
            .client
            .at(endpoints)
            .exchange_refresh_token(&refresh)
            .request_async(&sender)
            .await
            .map_err(|error| exchange::refused(error, &self.account))?;
        // A server may issue a new refresh token and invalidate the old one.
        let new = given
            .refresh_token()
            .filter(|new| new.secret() != refresh.secret());
        if let Some(new) = new {
            let former = std::mem::replace(&mut held.refresh, new.secret().clone().into());
            held.kept.get_or_insert(former);
        }
        held.renewals += 1;
        let life = given.expires_in().map(SignedDuration::try_from);
        let life = life.and_then(Result::ok).unwrap_or(USUAL_LIFE);
        Ok(Bearer {
            token: given.access_token().secret().clone().into(),
            number: held.renewals,
            until: now.checked_add(life).unwrap_or(now),
        })
    }

    /// Stores the newest refresh token. If that fails, the next renewal tries again.
    async fn keep(&self, held: &mut Held) {
        let (Some(keeper), Some(kept)) = (&self.keeper, &held.kept) else {
            return;
        };
        let replaced = keeper.replace(&self.account, self.field, kept, &held.refresh);
        match replaced.await {
            Ok(()) => held.kept = None,
            Err(why) => tracing::warn!(%why, "the newest token of an account could not be kept"),
        }
    }
}

/// Renews a sign-in whose tokens the caller keeps.
///
/// # Errors
/// Returns [`RemoteFault::NotSignedIn`] if the person has to sign in again, and other faults if the renewal fails.
pub async fn renew(
    (client, endpoints): (&Client, &Endpoints),
    refresh: &SecretString,
    resource: Option<&str>,
    (account, net, now): (&AccountId, &NetClient, Timestamp),
) -> Result<Given, RemoteFault> {
    let sender = Sender {
        net,
        why: "renewing a sign-in",
        now,
        from: endpoints.from,
    };
    let refresh = RefreshToken::new(refresh.expose_secret().to_owned());
    let ready = client.at(endpoints);
    let mut asking = ready.exchange_refresh_token(&refresh);
    if let Some(resource) = resource {
        asking = asking.add_extra_param("resource", resource.to_owned());
    }
    let given = asking.request_async(&sender).await;
    let given = given.map_err(|error| exchange::refused(error, account))?;
    Ok(Given::of(&given))
}

/// Revokes a sign-in, so that neither this token nor those issued with it are accepted any more. A token that is
/// already invalid counts as revoked.
///
/// # Errors
/// Returns a fault if the token may still be accepted.
pub async fn revoke(
    (client, endpoints): (Option<&Client>, &Endpoints),
    net: &NetClient,
    token: &SecretString,
    now: Timestamp,
) -> Result<(), RemoteFault> {
    let Some(address) = endpoints.revoke.clone() else {
        return Err(RemoteFault::Refused {
            what: "it does not say where to withdraw a sign-in".into(),
        });
    };
    let body = {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("token", token.expose_secret());
        if let Some(client) = client {
            form.append_pair("client_id", &client.id);
            if let Some(secret) = &client.secret {
                form.append_pair("client_secret", secret.expose_secret());
            }
        }
        form.finish()
    };
    let mut request = Outgoing::new(Method::POST, address, "signing out");
    request.from = endpoints.from;
    request.headers.insert(
        "content-type",
        HeaderValue::from_static("application/x-www-form-urlencoded"),
    );
    request.body = Some(body.into());
    request.follow = Follow::Nowhere;
    request.reply_bytes_max = exchange::REPLY_BYTES_MAX;
    let reply = net
        .send(request)
        .await
        .map_err(|fault| net::unread(&fault))?;
    let (status, headers) = (reply.status(), reply.headers().clone());
    match status.as_u16() {
        200..=299 => Ok(()),
        400 if is_revoked_already(reply).await => Ok(()),
        _ => Err(http::refused(status, &headers, &AccountId::local(), now)),
    }
}

/// Whether the refusal of a revocation says that the token is invalid, as Google does for one that has expired or was
/// already revoked.
async fn is_revoked_already(reply: Incoming) -> bool {
    let Ok(body) = reply.bytes(http::BODY_WITHIN).await else {
        return false;
    };
    let said = serde_json::from_slice::<serde_json::Value>(&body).unwrap_or_default();
    said["error"] == "invalid_token"
}
