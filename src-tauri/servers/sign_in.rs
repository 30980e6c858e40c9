//! Signs in at servers that require it: in the system browser, stored in the keyring, renewed when a token expires or
//! is rejected, and revoked when the server is removed.

use std::collections::BTreeMap;
use std::time::Duration;

use adjutant_accounts::SetUpFault;
use adjutant_accounts::oauth::{self, Answering, Client, Endpoints, Given, Question};
use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::render;
use adjutant_domain::operation::RemoteFault;
use adjutant_domain::server::{Reach, Server, ServerName};
use adjutant_mcp::{Registered, ServerFault, SignInPlace, sign_in_place};
use adjutant_net::{AddressFrom, Url};
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::changes::NotChanged;
use super::{Servers, sign_ins};

/// Name of the secret that stores a server's sign-in. It is not a valid header name.
pub(crate) const SIGN_IN: &str = "(sign-in)";
/// A token is renewed this long before it expires.
const EARLY: SignedDuration = SignedDuration::from_secs(60);
/// Time allowed for revoking a sign-in.
const SIGNED_OUT_WITHIN: Duration = Duration::from_secs(10);

/// A sign-in as stored in the keyring.
#[derive(Serialize, Deserialize)]
struct StoredSignIn {
    client: String,
    #[serde(default)]
    client_secret: Option<String>,
    authorize: Url,
    token: Url,
    revoke: Option<Url>,
    /// Whether the server is on this computer.
    here: bool,
    resource: String,
    access: String,
    refresh: Option<String>,
    /// When the access token expires, if known.
    until: Option<Timestamp>,
}

/// Why a sign-in failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotSignedIn {
    #[error("{0}")]
    Server(#[from] ServerFault),
    #[error("{0}")]
    Browser(#[from] SetUpFault),
    #[error("{0}")]
    Changed(#[from] NotChanged),
}

impl NotSignedIn {
    /// Returns the fault for the person.
    pub(crate) fn told(&self, server: &str) -> UserFault {
        match self {
            Self::Server(fault) => fault.told(server),
            Self::Changed(fault) => fault.told(),
            Self::Browser(SetUpFault::Field { field, what, hint }) => {
                UserFault::new(field, what.clone(), hint.clone())
            }
            Self::Browser(SetUpFault::Net(fault)) => ServerFault::Net(fault.clone()).told(server),
            Self::Browser(SetUpFault::Remote(fault)) => remote(fault).told(server),
        }
    }
}

/// A sign-in that has begun.
pub(crate) struct Begun {
    pub(crate) id: String,
    /// The page for the person to open.
    pub(crate) address: String,
}

impl StoredSignIn {
    fn of(place: &SignInPlace, client: &Registered, given: &Given, now: Timestamp) -> Self {
        let mut kept = Self {
            client: client.id.clone(),
            client_secret: client.secret.as_ref().map(exposed),
            authorize: place.authorize.clone(),
            token: place.token.clone(),
            revoke: place.revoke.clone(),
            here: place.from == AddressFrom::Person,
            resource: place.resource.to_string(),
            access: String::new(),
            refresh: None,
            until: None,
        };
        kept.take(given, now);
        kept
    }

    /// Takes over newer tokens. Keeps the refresh token if no new one was issued.
    fn take(&mut self, given: &Given, now: Timestamp) {
        self.access = exposed(&given.access);
        if let Some(refresh) = &given.refresh {
            self.refresh = Some(exposed(refresh));
        }
        let life = given.life.map(SignedDuration::try_from);
        self.until = life
            .and_then(Result::ok)
            .and_then(|life| now.checked_add(life).ok());
    }

    fn client(&self) -> Client {
        Client {
            id: self.client.clone(),
            secret: self.client_secret.clone().map(SecretString::from),
        }
    }

    fn endpoints(&self) -> Endpoints {
        Endpoints {
            authorize: self.authorize.clone(),
            token: self.token.clone(),
            revoke: self.revoke.clone(),
            from: match self.here {
                true => AddressFrom::Person,
                false => AddressFrom::Outside,
            },
        }
    }

    fn is_over(&self, now: Timestamp) -> bool {
        self.until
            .is_some_and(|until| until.duration_since(now) < EARLY)
    }
}

fn exposed(secret: &SecretString) -> String {
    secret.expose_secret().to_owned()
}

/// Tells whether the person signed in at a server.
pub(crate) fn is_signed_in(server: &Server) -> bool {
    server.reach.secrets().iter().any(|field| field == SIGN_IN)
}

fn remote(fault: &RemoteFault) -> ServerFault {
    match fault {
        RemoteFault::NotSignedIn { .. } => ServerFault::WantsSignIn,
        RemoteFault::Limited {
            retry_after_seconds,
        } => ServerFault::Limited {
            retry_after_seconds: *retry_after_seconds,
        },
        other => ServerFault::Refused {
            what: other.to_string(),
        },
    }
}

impl Servers {
    /// Discovers where the person signs in and opens a local listener for the browser's answer. Stores nothing before
    /// it arrives.
    pub(crate) async fn begin_sign_in(&self, name: &ServerName) -> Result<Begun, NotSignedIn> {
        let deps = &self.0.deps;
        let Reach::Address { url, .. } = self.reach(name)? else {
            return Err(ServerFault::SetUp {
                what: "it is a program, and a program signs in by itself".into(),
            }
            .into());
        };
        let net = deps.network.client();
        let place = sign_in_place(&net, name.as_str(), &url).await?;
        let door = oauth::Door::open().await.map_err(|_| oauth::no_port())?;
        let client = place.register(&net, &door.address()).await?;
        let now = deps.clock.now().timestamp();
        let question = Question {
            client: Client {
                id: client.id.clone(),
                secret: client.secret.clone(),
            },
            endpoints: StoredSignIn::of(&place, &client, &nothing(), now).endpoints(),
            scopes: place.scopes.clone(),
            extra: Vec::new(),
            resource: Some(place.resource.to_string()),
            provider: format!("The server “{name}”"),
            account: name.account(),
            net,
            now,
        };
        let (address, answering) = oauth::begin(door, question)?;
        let id = render("sign", deps.entropy.bits());
        self.sign_ins().begin(sign_ins::Waiting {
            id: id.clone(),
            server: name.clone(),
            place,
            client,
            answering: Some(answering),
            stop: CancellationToken::new(),
        });
        Ok(Begun {
            id,
            address: address.to_string(),
        })
    }

    /// Waits for the person and stores the tokens. Dropping the future cancels the sign-in.
    pub(crate) async fn until_signed_in(
        &self,
        name: &ServerName,
        id: &str,
    ) -> Result<(), NotSignedIn> {
        let taken = self.sign_ins().take(name, id).ok_or_else(given_up)?;
        let (answering, stop): (Answering, CancellationToken) = (taken.answering, taken.stop);
        let _leave = Leave { servers: self, id };
        let given = tokio::select! {
            given = answering => given?,
            () = stop.cancelled() => return Err(given_up().into()),
        };
        let now = self.0.deps.clock.now().timestamp();
        let kept = StoredSignIn::of(&taken.place, &taken.client, &given, now);
        let value = serde_json::to_string(&kept).unwrap_or_default();
        Ok(self
            .put_secret(name, SIGN_IN, SecretString::from(value))
            .await?)
    }

    /// Cancels a sign-in; has no effect on one that has ended.
    pub(crate) fn cancel_sign_in(&self, id: &str) {
        self.sign_ins().cancel(id);
    }

    /// Returns the authorization header, renewing the token if it has expired or was `refused`.
    pub(super) async fn bearer(
        &self,
        name: &ServerName,
        refused: bool,
    ) -> Result<String, ServerFault> {
        let deps = &self.0.deps;
        let _one = self.0.renewing.lock().await;
        let mut kept = self.kept(name).await?;
        let now = deps.clock.now().timestamp();
        if refused || kept.is_over(now) {
            let refresh = kept.refresh.clone().ok_or(ServerFault::WantsSignIn)?;
            let (client, endpoints) = (kept.client(), kept.endpoints());
            let given = oauth::renew(
                (&client, &endpoints),
                &SecretString::from(refresh),
                Some(&kept.resource),
                (&name.account(), &deps.network.client(), now),
            )
            .await;
            kept.take(&given.map_err(|fault| remote(&fault))?, now);
            let value = serde_json::to_string(&kept).unwrap_or_default();
            let entry = Server::entry(name, SIGN_IN);
            let renewed = BTreeMap::from([(entry, SecretString::from(value))]);
            if deps.credentials.keep(renewed).await.is_err() {
                tracing::warn!(server = %name, "a renewed sign-in could not be stored");
            }
        }
        Ok(format!("Bearer {}", kept.access))
    }

    /// Revokes a sign-in at its authorization server. Returns whether it may still be valid.
    pub(super) async fn sign_out(&self, server: &Server) -> bool {
        if !is_signed_in(server) {
            return false;
        }
        let Ok(kept) = self.kept(&server.name).await else {
            return true;
        };
        let deps = &self.0.deps;
        let (client, endpoints, net) = (kept.client(), kept.endpoints(), deps.network.client());
        let token = SecretString::from(kept.refresh.unwrap_or(kept.access));
        let now = deps.clock.now().timestamp();
        let revoking = oauth::revoke((Some(&client), &endpoints), &net, &token, now);
        let done = tokio::time::timeout(SIGNED_OUT_WITHIN, revoking).await;
        !matches!(done, Ok(Ok(())))
    }

    async fn kept(&self, name: &ServerName) -> Result<StoredSignIn, ServerFault> {
        let entry = Server::entry(name, SIGN_IN);
        let kept = self.0.deps.credentials.get(&entry).await;
        let kept = kept.map_err(|what| ServerFault::SetUp { what })?;
        let kept = kept.ok_or(ServerFault::WantsSignIn)?;
        serde_json::from_str(kept.expose_secret()).map_err(|_| ServerFault::WantsSignIn)
    }
}

/// Returns empty tokens, to be replaced by issued ones.
fn nothing() -> Given {
    Given {
        access: SecretString::from(String::new()),
        life: None,
        refresh: None,
        scopes: None,
    }
}

/// Removes a sign-in when its wait ends, for any reason.
struct Leave<'a> {
    servers: &'a Servers,
    id: &'a str,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.servers.cancel_sign_in(self.id);
    }
}

fn given_up() -> SetUpFault {
    SetUpFault::Field {
        field: "sign_in",
        what: "The sign-in was cancelled.".to_owned(),
        hint: "Nothing was stored. Start again if you still want to sign in.".to_owned(),
    }
}
