//! HTTP requests to a WebDAV server.

use std::time::Duration;

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{Etag, RemoteFault};
use adjutant_net::{
    Bytes, Fingerprint, Follow, HeaderMap, HeaderName, HeaderValue, Method, NetFault, Outgoing,
    StatusCode, Url,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret as _, SecretString};

use super::xml::{DAV, Node};
use super::{PASSWORD, USER, discover, field};
use crate::provider::{Access, SetUpFault};
use crate::{certificate, http};

/// Time allowed until the reply to a query begins; the server may have to search everything it stores.
const READS_WITHIN: Duration = Duration::from_secs(120);

/// Connection settings and credentials of one account.
pub(super) struct Client {
    pub(super) access: Access,
    authorization: HeaderValue,
    /// The server that the person named.
    server: Url,
    /// Certificates of that server, at this host and port, that the person trusts.
    trusted: Vec<Fingerprint>,
}

/// A reply whose body was read completely.
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    body: Bytes,
}

impl Reply {
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the body as text, or `None` if it is not valid UTF-8.
    pub(super) fn exact_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.body).ok()
    }

    /// Parses the body as XML.
    pub(super) fn tree(&self) -> Result<Node, RemoteFault> {
        Node::read(&self.text()).ok_or_else(|| RemoteFault::Refused {
            what: "the server's answer cannot be read".to_owned(),
        })
    }

    /// Parses the body as a multistatus with at least one response, which describes the requested resource itself. Any
    /// other readable body would look like an empty collection.
    pub(super) fn multistatus(&self) -> Result<Node, RemoteFault> {
        let root = self.tree()?;
        match root.is(DAV, "multistatus") && root.get(DAV, "response").is_some() {
            true => Ok(root),
            false => Err(RemoteFault::Refused {
                what: "the server's answer does not contain what was asked for".to_owned(),
            }),
        }
    }

    pub(super) fn etag(&self) -> Option<Etag> {
        http::etag(&self.headers)
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(super) fn code(&self) -> u16 {
        self.status.as_u16()
    }

    /// Tells whether the body is an HTML page. No valid reply has one, so something other than the intended server
    /// answered.
    pub(super) fn is_page(&self) -> bool {
        let kind = self.header("content-type").unwrap_or_default();
        !self.body.is_empty() && kind.to_ascii_lowercase().starts_with("text/html")
    }
}

/// Value of the `Depth` header.
#[derive(Clone, Copy)]
pub(super) enum Depth {
    Itself,
    Children,
}

impl Client {
    pub(super) fn new(access: Access) -> Result<Self, SetUpFault> {
        let hint = "Enter what you use to sign in to the server.";
        let user = access.setting(USER);
        let user = user.ok_or_else(|| field(USER, "The user name is missing.", hint))?;
        let password = access.secrets.get(PASSWORD);
        let password = password.filter(|one| !one.expose_secret().is_empty());
        let password = password.ok_or_else(|| field(PASSWORD, "The password is missing.", hint))?;
        let unsendable = || field(USER, "The user name cannot be sent.", hint);
        let authorization = basic(user, password).ok_or_else(unsendable)?;
        Ok(Self {
            server: discover::server(&access)?,
            trusted: certificate::trusted(&access, 1)?,
            access,
            authorization,
        })
    }

    pub(super) fn account(&self) -> &AccountId {
        &self.access.account
    }

    /// Tells whether an address is at the server that the person named.
    pub(super) fn is_at_server(&self, url: &Url) -> bool {
        url.origin() == self.server.origin()
    }

    pub(super) fn now(&self) -> jiff::Timestamp {
        self.access.clock.now().timestamp()
    }

    /// Sends a request. Every status counts as a reply. Does not follow redirects, since the request carries the
    /// password.
    pub(super) async fn send(
        &self,
        method: &str,
        url: &Url,
        headers: &[(&'static str, &str)],
        body: Option<String>,
    ) -> Result<Reply, NetFault> {
        let malformed = |why: &str| NetFault::Malformed {
            why: why.to_owned(),
        };
        let method = Method::from_bytes(method.as_bytes());
        let method = method.map_err(|_| malformed("its method cannot be sent"))?;
        let mut request = Outgoing::new(method, url.clone(), "calendars and contacts");
        request.follow = Follow::Nowhere;
        if self.is_at_server(url) {
            request.trusted.clone_from(&self.trusted);
        }
        let authorization = HeaderName::from_static("authorization");
        request
            .headers
            .insert(authorization, self.authorization.clone());
        for (name, value) in headers {
            let value = HeaderValue::from_str(value);
            let value = value.map_err(|_| malformed("one of its headers cannot be sent"))?;
            request.headers.insert(HeaderName::from_static(name), value);
        }
        request.body = body.map(Bytes::from);
        if matches!(request.method.as_str(), "PROPFIND" | "REPORT") {
            request.within = READS_WITHIN;
        }
        let reply = self.access.net.send(request).await?;
        let (status, headers) = (reply.status(), reply.headers().clone());
        let body = reply.bytes(http::BODY_WITHIN).await?;
        Ok(Reply {
            status,
            headers,
            body,
        })
    }

    /// Sends a read-only request with an XML body.
    pub(super) async fn ask(
        &self,
        method: &str,
        url: &Url,
        depth: Depth,
        body: String,
    ) -> Result<Reply, NetFault> {
        let depth = match depth {
            Depth::Itself => "0",
            Depth::Children => "1",
        };
        let headers = [
            ("depth", depth),
            ("content-type", "application/xml; charset=utf-8"),
        ];
        self.send(method, url, &headers, Some(body)).await
    }

    /// Maps an unsuccessful reply to a fault.
    pub(super) fn refused(&self, reply: &Reply) -> RemoteFault {
        http::refused(reply.status, &reply.headers, self.account(), self.now())
    }
}

/// Builds an XML body that declares the namespace prefixes all requests use.
pub(super) fn body(element: &str, content: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?><{element} xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:R="urn:ietf:params:xml:ns:carddav" xmlns:A="http://apple.com/ns/ical/">{content}</{element}>"#
    )
}

fn basic(user: &str, password: &SecretString) -> Option<HeaderValue> {
    let pair = STANDARD.encode(format!("{user}:{}", password.expose_secret()));
    let mut value = HeaderValue::from_str(&format!("Basic {pair}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}
