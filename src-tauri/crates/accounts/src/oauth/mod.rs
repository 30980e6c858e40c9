//! OAuth 2.0 for programs on a person's own computer (RFC 8252): the person signs in with the system browser, which is
//! redirected to a port of this computer that listens for this one answer. PKCE and `state` bind the answer to the
//! request. This module knows no particular provider.

mod exchange;
mod listener;
mod sign_in;
mod tokens;

use adjutant_net::{AddressFrom, Url};
use oauth2::basic::BasicClient;
use oauth2::{AuthType, AuthUrl, ClientId, ClientSecret, EndpointNotSet, EndpointSet, TokenUrl};
use secrecy::{ExposeSecret as _, SecretString};

pub use listener::Door;
pub use sign_in::{Answering, Given, Question, begin, no_port};
pub(crate) use tokens::{Bearer, Lasting, Tokens};
pub use tokens::{renew, revoke};

/// The program as registered with a provider.
#[derive(Clone)]
pub struct Client {
    /// Client id, which is public.
    pub id: String,
    /// Client secret, if the provider requires one.
    pub secret: Option<SecretString>,
}

/// The OAuth endpoints of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// The page on which the person signs in.
    pub authorize: Url,
    /// The endpoint that issues tokens.
    pub token: Url,
    /// The endpoint that revokes tokens; `None` if the provider announces none.
    pub revoke: Option<Url>,
    /// Where these addresses come from.
    pub from: AddressFrom,
}

type Ready = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

impl Client {
    fn at(&self, endpoints: &Endpoints) -> Ready {
        let client = BasicClient::new(ClientId::new(self.id.clone()))
            .set_auth_type(AuthType::RequestBody)
            .set_auth_uri(AuthUrl::from_url(endpoints.authorize.clone()))
            .set_token_uri(TokenUrl::from_url(endpoints.token.clone()));
        match &self.secret {
            Some(secret) => {
                client.set_client_secret(ClientSecret::new(secret.expose_secret().to_owned()))
            }
            None => client,
        }
    }
}
