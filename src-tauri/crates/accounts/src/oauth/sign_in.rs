//! Runs a sign-in: builds the authorization request and exchanges the answer for tokens.

use std::pin::Pin;
use std::time::Duration;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;
use adjutant_net::{NetClient, Url};
use jiff::Timestamp;
use oauth2::basic::BasicTokenResponse;
use oauth2::{
    AuthorizationCode, CsrfToken, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    TokenResponse as _,
};
use secrecy::SecretString;

use super::exchange::{Sender, refused};
use super::listener::{Answer, Door};
use super::{Client, Endpoints};
use crate::provider::SetUpFault;

/// Time allowed for the person to sign in.
const WITHIN: Duration = Duration::from_secs(10 * 60);
/// Field name under which sign-in faults are reported.
const SIGN_IN: &str = "sign_in";

/// The details of an authorization request.
pub struct Question {
    /// The program as registered with the provider.
    pub client: Client,
    /// The provider's OAuth endpoints.
    pub endpoints: Endpoints,
    /// The scopes to request.
    pub scopes: Vec<String>,
    /// Further parameters for this provider.
    pub extra: Vec<(&'static str, String)>,
    /// The resource that the tokens are for (RFC 8707); `None` if the provider needs none.
    pub resource: Option<String>,
    /// The provider's name for people.
    pub provider: String,
    /// The account to sign in.
    pub account: AccountId,
    /// The network client.
    pub net: NetClient,
    /// The current time.
    pub now: Timestamp,
}

/// The tokens that a sign-in granted.
#[derive(Debug)]
pub struct Given {
    /// The access token.
    pub access: SecretString,
    /// How long the access token is valid, if the provider says so.
    pub life: Option<Duration>,
    /// The refresh token, if the provider issued one.
    pub refresh: Option<SecretString>,
    /// The scopes granted, possibly fewer than requested; `None` if the provider does not say.
    pub scopes: Option<Vec<String>>,
}

impl Given {
    /// Returns the refresh token.
    ///
    /// # Errors
    /// Returns a fault if the provider issued none.
    pub fn lasting(&self) -> Result<SecretString, SetUpFault> {
        self.refresh.clone().ok_or_else(|| {
            fault(
                "This sign-in lasts only an hour: no lasting one was given.",
                "Remove Adjutant from the connected apps of your account there, then sign in again.",
            )
        })
    }

    pub(super) fn of(said: &BasicTokenResponse) -> Self {
        let scopes = said.scopes();
        Self {
            access: said.access_token().secret().clone().into(),
            life: said.expires_in(),
            refresh: said.refresh_token().map(|one| one.secret().clone().into()),
            scopes: scopes.map(|all| all.iter().map(|scope| scope.to_string()).collect()),
        }
    }
}

/// Waits for the person to answer in the browser.
pub type Answering = Pin<Box<dyn Future<Output = Result<Given, SetUpFault>> + Send>>;

/// Returns the address of the sign-in page and a future that waits for the answer at the listener.
///
/// # Errors
/// Returns a fault if the redirect address cannot be built.
pub fn begin(door: Door, question: Question) -> Result<(Url, Answering), SetUpFault> {
    let redirect = RedirectUrl::new(door.address()).map_err(|_| {
        fault(
            "The address of the sign-in page could not be made.",
            "Try again.",
        )
    })?;
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let client = question.client.at(&question.endpoints);
    let client = client.set_redirect_uri(redirect.clone());
    let scopes = question.scopes.iter().cloned().map(Scope::new);
    let mut asking = client
        .authorize_url(CsrfToken::new_random)
        .add_scopes(scopes)
        .set_pkce_challenge(challenge);
    for (name, value) in &question.extra {
        asking = asking.add_extra_param(*name, value.clone());
    }
    if let Some(resource) = &question.resource {
        asking = asking.add_extra_param("resource", resource.clone());
    }
    let (address, state) = asking.url();
    let done = async move {
        let answer = door.answer(state.secret(), &question.provider);
        let answer = tokio::time::timeout(WITHIN, answer).await.map_err(|_| {
            fault(
                "The sign-in in the browser was not finished within 10 minutes.",
                "Begin again.",
            )
        })?;
        match answer.map_err(|_| no_port())? {
            Answer::Code(code) => exchange(question, redirect, code, verifier).await,
            Answer::Refused(why) => Err(not_allowed(&why, &question.provider)),
        }
    };
    Ok((address, Box::pin(done)))
}

/// Returns the fault for when no local port can be opened for the browser.
#[must_use]
pub fn no_port() -> SetUpFault {
    fault(
        "No port of this computer could be opened to receive the answer from the browser.",
        "Allow Adjutant to listen on 127.0.0.1, and try again.",
    )
}

/// Exchanges the authorization code for tokens.
async fn exchange(
    question: Question,
    redirect: RedirectUrl,
    code: String,
    verifier: PkceCodeVerifier,
) -> Result<Given, SetUpFault> {
    let sender = Sender {
        net: &question.net,
        why: "signing in",
        now: question.now,
        from: question.endpoints.from,
    };
    let client = question.client.at(&question.endpoints);
    let client = client.set_redirect_uri(redirect);
    let mut asking = client
        .exchange_code(AuthorizationCode::new(code))
        .set_pkce_verifier(verifier);
    if let Some(resource) = &question.resource {
        asking = asking.add_extra_param("resource", resource.clone());
    }
    let given = asking.request_async(&sender).await;
    let given = given.map_err(|error| match refused(error, &question.account) {
        RemoteFault::NotSignedIn { .. } => fault(
            "The answer from the browser was too old, or had already been used.",
            "Begin again.",
        ),
        other => other.into(),
    })?;
    Ok(Given::of(&given))
}

fn not_allowed(why: &str, provider: &str) -> SetUpFault {
    match why {
        "access_denied" => fault(
            "You did not allow it in the browser.",
            "Nothing was connected. Start again if you did not mean that.",
        ),
        _ => fault(
            &format!("{provider} did not let you sign in ({why})."),
            "Start again; if that does not help, check the client ID.",
        ),
    }
}

fn fault(what: &str, hint: &str) -> SetUpFault {
    SetUpFault::Field {
        field: SIGN_IN,
        what: what.to_owned(),
        hint: hint.to_owned(),
    }
}
