//! OAuth 2.0 for programs on a person's own computer (RFC 8252): the person signs in with the system browser, which is
//! sent back to a port of this computer that listens for this one answer. PKCE and `state` bind the answer to the
//! question. Nothing here knows a provider.

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

/// A program as a provider knows it.
#[derive(Clone)]
pub struct Client {
    /// Its public name.
    pub id: String,
    /// What proves the name, where the provider wants that of programs too.
    pub secret: Option<SecretString>,
}

/// Where a provider speaks OAuth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// The page on which the person signs in.
    pub authorize: Url,
    /// Where tokens are handed out.
    pub token: Url,
    /// Where they are taken back; none where the provider does not say.
    pub revoke: Option<Url>,
    /// Who named these addresses.
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
