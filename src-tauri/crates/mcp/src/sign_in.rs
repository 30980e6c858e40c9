//! Discovers how to sign in to a server: its protected resource metadata (RFC 9728), the metadata of its authorization
//! server (RFC 8414), and dynamic client registration (RFC 7591). All of it is foreign: an address in it may lead only
//! to the public internet over TLS, or to this computer if the server itself runs there.

use std::time::Duration;

use adjutant_net::{
    AddressFrom, Follow, HeaderValue, Method, NetClient, Outgoing, StatusCode, Url,
    reach::is_loopback,
};
use secrecy::SecretString;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::clean;
use crate::fault::ServerFault;

/// Maximum size of a document in bytes.
const DOCUMENT_BYTES_MAX: u64 = 256 * 1024;
/// Time allowed for a document.
const DOCUMENT_WITHIN: Duration = Duration::from_secs(20);
/// Maximum number of scopes requested.
const SCOPES_MAX: usize = 40;
/// Maximum number of characters in a scope, a client id or a secret.
const WORD_CHARS_MAX: usize = 2_000;

/// The place where the person signs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInPlace {
    /// The resource that the tokens are for: the server, as it identifies itself.
    pub resource: Url,
    /// The page on which the person signs in.
    pub authorize: Url,
    /// The endpoint that issues tokens.
    pub token: Url,
    /// The endpoint that revokes tokens, if announced.
    pub revoke: Option<Url>,
    /// The scopes to request.
    pub scopes: Vec<String>,
    /// Where these addresses come from.
    pub from: AddressFrom,
    register: Option<Url>,
}

/// The program's registration with an authorization server.
#[derive(Clone)]
pub struct Registered {
    /// Client id.
    pub id: String,
    /// Client secret, if one was issued.
    pub secret: Option<SecretString>,
}

/// Protected resource metadata.
#[derive(Deserialize)]
struct ResourceDocument {
    resource: Url,
    #[serde(default)]
    authorization_servers: Vec<Url>,
    #[serde(default)]
    scopes_supported: Vec<String>,
}

/// Authorization server metadata.
#[derive(Deserialize)]
struct ServerDocument {
    issuer: String,
    authorization_endpoint: Url,
    token_endpoint: Url,
    revocation_endpoint: Option<Url>,
    registration_endpoint: Option<Url>,
    #[serde(default)]
    code_challenge_methods_supported: Vec<String>,
    #[serde(default)]
    scopes_supported: Vec<String>,
}

#[derive(Deserialize)]
struct RegisteredDocument {
    client_id: String,
    client_secret: Option<String>,
}

/// The sign-in parameters of a `WWW-Authenticate` header.
#[derive(Debug, Default, PartialEq, Eq)]
struct Challenge {
    metadata: Option<String>,
    scope: Option<String>,
}

/// The context of one discovery.
struct DiscoveryContext<'a> {
    net: &'a NetClient,
    why: String,
    /// Whether the server runs on this computer, according to the address the person typed.
    here: bool,
}

/// Discovers where the person signs in for the server at `address`.
///
/// # Errors
/// Returns a fault if the server gives no or untrustworthy information.
pub async fn sign_in_place(
    net: &NetClient,
    name: &str,
    address: &str,
) -> Result<SignInPlace, ServerFault> {
    let address = Url::parse(address).map_err(|_| bad("its address cannot be read"))?;
    let asking = DiscoveryContext {
        net,
        why: format!("signing in at the server “{name}”"),
        here: is_loopback(&address),
    };
    let challenge = asking.challenge(&address).await?;
    let document = asking.resource(&address, &challenge).await?;
    let (issuer, resource, offered) = match document {
        Some(document) => {
            if !covers(&document.resource, &address) {
                return Err(bad("it names another server as the one to sign in for"));
            }
            let issuer = document.authorization_servers.into_iter().next();
            let issuer = issuer.ok_or_else(|| bad("it does not say where to sign in"))?;
            (issuer, document.resource, document.scopes_supported)
        }
        // Servers from before 2025-06 are their own authorization servers.
        None => (origin(&address), address.clone(), Vec::new()),
    };
    let server = asking.server(&issuer).await?;
    let wanted: Vec<String> = match challenge.scope {
        Some(scope) => scope.split(' ').map(str::to_owned).collect(),
        None => offered,
    };
    // Some authorization servers issue refresh tokens only for this scope.
    let lasting = "offline_access".to_owned();
    let lasts = server.scopes_supported.contains(&lasting) && !wanted.contains(&lasting);
    let fits = |scope: &String| {
        !scope.is_empty() && scope.len() <= WORD_CHARS_MAX && clean::is_plain(scope)
    };
    let scopes = wanted.into_iter().chain(lasts.then_some(lasting));
    let place = SignInPlace {
        resource,
        authorize: asking.allowed(server.authorization_endpoint)?,
        token: asking.allowed(server.token_endpoint)?,
        revoke: match server.revocation_endpoint {
            Some(url) => Some(asking.allowed(url)?),
            None => None,
        },
        register: match server.registration_endpoint {
            Some(url) => Some(asking.allowed(url)?),
            None => None,
        },
        scopes: scopes.filter(fits).take(SCOPES_MAX).collect(),
        from: asking.from(),
    };
    Ok(place)
}

impl SignInPlace {
    /// Registers the program with the authorization server. `redirect` is the redirect address for the browser.
    ///
    /// # Errors
    /// Returns a fault if the authorization server does not accept unknown programs.
    pub async fn register(
        &self,
        net: &NetClient,
        redirect: &str,
    ) -> Result<Registered, ServerFault> {
        let Some(register) = self.register.clone() else {
            return Err(ServerFault::Refused {
                what: "it accepts only programs that its maker entered by hand".into(),
            });
        };
        let body = json!({
            "client_name": "Adjutant",
            "redirect_uris": [redirect],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
            "application_type": "native",
        });
        let mut request = Outgoing::new(Method::POST, register, "signing in at a server");
        request.from = self.from;
        request.body = Some(body.to_string().into());
        let json = HeaderValue::from_static("application/json");
        request.headers.insert("content-type", json);
        let (status, bytes) = exchanged(net, request).await?;
        if !status.is_success() {
            return Err(ServerFault::Refused {
                what: format!(
                    "it did not accept Adjutant as a program (HTTP status {})",
                    status.as_u16()
                ),
            });
        }
        let read = serde_json::from_slice::<RegisteredDocument>(&bytes);
        let read = read.map_err(|_| bad("its answer to registering Adjutant cannot be read"))?;
        let fits = |word: &str| !word.is_empty() && word.len() <= WORD_CHARS_MAX;
        if !fits(&read.client_id) || !read.client_secret.as_deref().is_none_or(fits) {
            return Err(bad("its answer to registering Adjutant cannot be used"));
        }
        Ok(Registered {
            id: read.client_id,
            secret: read.client_secret.map(SecretString::from),
        })
    }
}

impl DiscoveryContext<'_> {
    fn from(&self) -> AddressFrom {
        match self.here {
            true => AddressFrom::Person,
            false => AddressFrom::Outside,
        }
    }

    /// Checks that an address found in metadata may be contacted.
    fn allowed(&self, url: Url) -> Result<Url, ServerFault> {
        let plain = url.username().is_empty() && url.password().is_none();
        let reached = match url.scheme() {
            "https" => !is_loopback(&url) || self.here,
            "http" => self.here && is_loopback(&url),
            _ => false,
        };
        match plain && reached {
            true => Ok(url),
            false => Err(bad(
                "it names an address for signing in that is not encrypted or not public",
            )),
        }
    }

    /// Sends an unauthenticated request and returns the server's challenge.
    async fn challenge(&self, address: &Url) -> Result<Challenge, ServerFault> {
        let mut request = Outgoing::new(Method::POST, address.clone(), self.why.clone());
        let json = HeaderValue::from_static("application/json");
        request.headers.insert("content-type", json);
        let both = HeaderValue::from_static("application/json, text/event-stream");
        request.headers.insert("accept", both);
        let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
        request.body = Some(ping.to_string().into());
        request.follow = Follow::SameOrigin;
        let reply = self.net.send(request).await.map_err(ServerFault::Net)?;
        let said = reply.headers().get_all("www-authenticate").iter();
        let said = said.filter_map(|value| value.to_str().ok());
        Ok(said
            .map(challenge)
            .find(|one| *one != Challenge::default())
            .unwrap_or_default())
    }

    /// Fetches the server's protected resource metadata; `None` if it has none.
    async fn resource(
        &self,
        address: &Url,
        challenge: &Challenge,
    ) -> Result<Option<ResourceDocument>, ServerFault> {
        if let Some(named) = &challenge.metadata {
            let url =
                Url::parse(named).map_err(|_| bad("its address for signing in is not valid"))?;
            let read = self.document(self.allowed(url)?).await?;
            return read
                .map(Some)
                .ok_or_else(|| bad("its description of the sign-in is not there"));
        }
        for url in well_known(address, "oauth-protected-resource") {
            if let Some(read) = self.document(self.allowed(url)?).await? {
                return Ok(Some(read));
            }
        }
        Ok(None)
    }

    /// Fetches the authorization server's metadata.
    async fn server(&self, issuer: &Url) -> Result<ServerDocument, ServerFault> {
        let issuer = self.allowed(issuer.clone())?;
        let mut places = well_known(&issuer, "oauth-authorization-server");
        places.truncate(1);
        places.extend(
            well_known(&issuer, "openid-configuration")
                .into_iter()
                .take(1),
        );
        let path = issuer.path().trim_end_matches('/').to_owned();
        if !path.is_empty() {
            let mut behind = issuer.clone();
            behind.set_path(&format!("{path}/.well-known/openid-configuration"));
            places.push(behind);
        }
        for url in places {
            let Some(read) = self.document::<ServerDocument>(url).await? else {
                continue;
            };
            if read.issuer.trim_end_matches('/') != issuer.as_str().trim_end_matches('/') {
                return Err(bad("its sign-in service says it is a different one"));
            }
            if !read
                .code_challenge_methods_supported
                .iter()
                .any(|one| one == "S256")
            {
                return Err(bad("its sign-in service does not protect sign-ins (PKCE)"));
            }
            return Ok(read);
        }
        Err(bad("it wants you to sign in, but does not say where"))
    }

    async fn document<T: DeserializeOwned>(&self, url: Url) -> Result<Option<T>, ServerFault> {
        let mut request = Outgoing::new(Method::GET, url, self.why.clone());
        request.from = self.from();
        request.follow = Follow::SameOrigin;
        let json = HeaderValue::from_static("application/json");
        request.headers.insert("accept", json);
        let (status, bytes) = exchanged(self.net, request).await?;
        Ok(match status.is_success() {
            true => serde_json::from_slice(&bytes).ok(),
            false => None,
        })
    }
}

async fn exchanged(
    net: &NetClient,
    mut request: Outgoing,
) -> Result<(StatusCode, Vec<u8>), ServerFault> {
    request.reply_bytes_max = DOCUMENT_BYTES_MAX;
    request.within = DOCUMENT_WITHIN;
    let reply = net.send(request).await.map_err(ServerFault::Net)?;
    let status = reply.status();
    let bytes = reply
        .bytes(DOCUMENT_WITHIN)
        .await
        .map_err(ServerFault::Net)?;
    Ok((status, bytes.to_vec()))
}

fn bad(what: &str) -> ServerFault {
    ServerFault::SetUp { what: what.into() }
}

fn origin(address: &Url) -> Url {
    let mut origin = address.clone();
    origin.set_path("/");
    origin.set_query(None);
    origin.set_fragment(None);
    origin
}

/// Tells whether `address` is at or below the resource that a document describes.
fn covers(resource: &Url, address: &Url) -> bool {
    let path = resource.path().trim_end_matches('/');
    let rest = address.path().strip_prefix(path);
    resource.origin() == address.origin()
        && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the addresses of a well-known document: for the path first, then for the host.
fn well_known(address: &Url, name: &str) -> Vec<Url> {
    let root = origin(address);
    let at = |path: &str| {
        let mut url = root.clone();
        url.set_path(&format!("/.well-known/{name}{path}"));
        url
    };
    match address.path().trim_end_matches('/') {
        "" => vec![at("")],
        path => vec![at(path), at("")],
    }
}

/// Parses the sign-in parameters of a `Bearer` challenge.
fn challenge(header: &str) -> Challenge {
    let Some(rest) = header
        .get(..7)
        .filter(|scheme| scheme.eq_ignore_ascii_case("bearer "))
        .and_then(|_| header.get(7..))
    else {
        return Challenge::default();
    };
    let mut found = Challenge::default();
    for (name, value) in parameters(rest) {
        match name.as_str() {
            "resource_metadata" => found.metadata = Some(value),
            "scope" => found.scope = Some(value),
            _ => {}
        }
    }
    found
}

/// Parses `name=value` and `name="value"` pairs separated by commas.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some((name, behind)) = rest.split_once('=') {
        let name = name.trim_matches([' ', ',', '\t']).to_ascii_lowercase();
        let (value, next) = match behind.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => behind.split_once(',').unwrap_or((behind, "")),
        };
        all.push((name, value.trim().to_owned()));
        rest = next;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("an address")
    }

    #[test]
    fn a_challenge_says_where_and_for_what() {
        let said = |metadata: &str, scope: &str| Challenge {
            metadata: Some(metadata.to_owned()),
            scope: (!scope.is_empty()).then(|| scope.to_owned()),
        };
        for (header, meant) in [
            (
                r#"Bearer error="invalid_token", resource_metadata="https://a.example/m", scope="read write""#,
                said("https://a.example/m", "read write"),
            ),
            (
                r#"bearer resource_metadata=https://a.example/m"#,
                said("https://a.example/m", ""),
            ),
            ("Basic realm=x", Challenge::default()),
            ("Bearer", Challenge::default()),
            (
                "Bearer scope=\"open",
                Challenge {
                    metadata: None,
                    scope: Some("open".into()),
                },
            ),
            ("Béarer scope=x", Challenge::default()),
        ] {
            assert_eq!(challenge(header), meant, "{header}");
        }
    }

    #[test]
    fn a_document_speaks_for_its_own_server_only() {
        let server = url("https://a.example/team/mcp");
        for (resource, speaks) in [
            ("https://a.example/team/mcp", true),
            ("https://a.example/team", true),
            ("https://a.example", true),
            ("https://a.example/tea", false),
            ("https://b.example/team/mcp", false),
            ("http://a.example/team/mcp", false),
            ("https://a.example:444/", false),
        ] {
            assert_eq!(covers(&url(resource), &server), speaks, "{resource}");
        }
        let places = well_known(&server, "x");
        assert_eq!(
            places,
            [
                url("https://a.example/.well-known/x/team/mcp"),
                url("https://a.example/.well-known/x")
            ]
        );
    }
}
