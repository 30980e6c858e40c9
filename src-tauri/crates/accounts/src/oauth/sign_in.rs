//! The question to the person, and what follows from their answer.

use std::time::Duration;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;
use adjutant_net::{NetClient, Url};
use jiff::Timestamp;
use oauth2::{
    AuthorizationCode, CsrfToken, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
    TokenResponse as _,
};
use secrecy::SecretString;

use super::exchange::{Sender, refused};
use super::listener::{Answer, Listener};
use super::{Client, Endpoints};
use crate::provider::SetUpFault;

/// How long a person may take.
const WITHIN: Duration = Duration::from_secs(10 * 60);
/// The name under which the faults of a sign-in are told.
const SIGN_IN: &str = "sign_in";

/// What a person is asked for.
pub(crate) struct Question {
    pub(crate) client: Client,
    pub(crate) endpoints: Endpoints,
    /// What the person is asked to allow.
    pub(crate) scopes: Vec<String>,
    /// What else this provider wants to know.
    pub(crate) extra: Vec<(&'static str, String)>,
    /// What people call the provider.
    pub(crate) provider: &'static str,
    pub(crate) account: AccountId,
    pub(crate) net: NetClient,
    pub(crate) now: Timestamp,
}

/// What the person allowed.
#[derive(Debug)]
pub(crate) struct Allowed {
    /// Renews access for as long as the person does not take it back.
    pub(crate) refresh: SecretString,
    /// What they allowed, which may be less than was asked for; none where the provider does not say.
    pub(crate) scopes: Option<Vec<String>>,
}

/// Opens the door for the answer. Gives the page that asks the person, and what waits for them.
///
/// # Errors
/// When no port of this computer can be opened.
pub(crate) async fn begin(
    question: Question,
) -> Result<
    (
        Url,
        impl Future<Output = Result<Allowed, SetUpFault>> + Send,
    ),
    SetUpFault,
> {
    let no_port = |_| {
        fault(
            "No port of this computer could be opened for the answer of the browser.",
            "Allow Adjutant to listen on 127.0.0.1, and try again.",
        )
    };
    let listener = Listener::open().await.map_err(no_port)?;
    let redirect = RedirectUrl::new(listener.address())
        .map_err(|_| fault("The address for the browser cannot be made.", "Try again."))?;
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
    let (address, state) = asking.url();
    let done = async move {
        let answer = listener.answer(state.secret(), question.provider);
        let answer = tokio::time::timeout(WITHIN, answer).await.map_err(|_| {
            fault(
                "Nobody finished the sign-in in the browser within 10 minutes.",
                "Begin again.",
            )
        })?;
        match answer.map_err(no_port)? {
            Answer::Code(code) => exchange(question, redirect, code, verifier).await,
            Answer::Refused(why) => Err(not_allowed(&why, question.provider)),
        }
    };
    Ok((address, done))
}

/// Exchanges the code of the browser for tokens.
async fn exchange(
    question: Question,
    redirect: RedirectUrl,
    code: String,
    verifier: PkceCodeVerifier,
) -> Result<Allowed, SetUpFault> {
    let sender = Sender {
        net: &question.net,
        why: "signing in",
        now: question.now,
    };
    let client = question.client.at(&question.endpoints);
    let client = client.set_redirect_uri(redirect);
    let given = client
        .exchange_code(AuthorizationCode::new(code))
        .set_pkce_verifier(verifier)
        .request_async(&sender)
        .await;
    let given = given.map_err(|error| match refused(error, &question.account) {
        RemoteFault::NotSignedIn { .. } => fault(
            "The answer of the browser was too old, or was used before.",
            "Begin again.",
        ),
        other => other.into(),
    })?;
    let refresh = given.refresh_token().ok_or_else(|| {
        fault(
            "The sign-in holds for an hour only: no lasting one was given.",
            "Remove Adjutant from the connections of your account there, and sign in again.",
        )
    })?;
    let scopes = given.scopes();
    let scopes = scopes.map(|all| all.iter().map(|scope| scope.to_string()).collect());
    Ok(Allowed {
        refresh: refresh.secret().clone().into(),
        scopes,
    })
}

fn not_allowed(why: &str, provider: &str) -> SetUpFault {
    match why {
        "access_denied" => fault(
            "You did not allow it in the browser.",
            "Nothing was connected. Begin again if that was not meant.",
        ),
        _ => fault(
            &format!("{provider} did not let you sign in ({why})."),
            "Begin again; where that does not help, check the client id.",
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
