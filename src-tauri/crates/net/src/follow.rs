//! Follows redirects to other servers, hop by hop. Each place is checked, resolved and logged anew, and no secret goes
//! along.

use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, LOCATION};
use reqwest::{Method, StatusCode};
use url::{Host, Url};

use crate::client::{NetClient, Reach};
use crate::exchange::{AddressFrom, Follow, Incoming, Outgoing};
use crate::fault::NetFault;
use crate::reach::exact_host;
use crate::reach::{self, REDIRECTS_MAX};

impl NetClient {
    /// Sends a request whose redirects may lead to other servers, or whose address came from outside.
    pub(crate) async fn send_on(&self, mut request: Outgoing) -> Result<Incoming, NetFault> {
        let first = request.url.clone();
        for _ in 0..=REDIRECTS_MAX {
            let client = match request.from {
                AddressFrom::Person => self.client(Reach::World, Follow::Nowhere, &request)?,
                AddressFrom::Outside => {
                    clean(&mut request.url);
                    self.check_literal(&request.url)?;
                    self.client(self.reach_outside(&request.url), Follow::Nowhere, &request)?
                }
            };
            let hop = Hop::of(&request);
            let reply = self.exchange(&client, request).await?;
            let Some(place) = hop.place(&reply) else {
                return Ok(reply);
            };
            request = hop
                .on(place, reply.status(), &first)
                .ok_or_else(|| redirected(&first))?;
        }
        Err(redirected(&first))
    }

    /// Refuses an address from outside that is evidently not on the public internet. Host names are checked when they
    /// are resolved for the connection.
    pub(crate) fn check_literal(&self, url: &Url) -> Result<(), NetFault> {
        let names = self.public_names();
        let public = match url.host() {
            Some(Host::Ipv4(address)) => names.allows(address.into()),
            Some(Host::Ipv6(address)) => names.allows(address.into()),
            Some(Host::Domain(_)) => !reach::is_loopback(url),
            None => false,
        };
        if public {
            Ok(())
        } else {
            Err(NetFault::NotPublic {
                host: exact_host(url),
            })
        }
    }
}

/// The parts of a request needed for the next hop.
struct Hop {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Option<bytes::Bytes>,
    rest: Outgoing,
}

impl Hop {
    fn of(request: &Outgoing) -> Self {
        let rest = Outgoing {
            follow: request.follow,
            from: request.from,
            trusted: request.trusted.clone(),
            within: request.within,
            reply_bytes_max: request.reply_bytes_max,
            ..Outgoing::new(Method::GET, request.url.clone(), request.why.clone())
        };
        Self {
            method: request.method.clone(),
            url: request.url.clone(),
            headers: request.headers.clone(),
            body: request.body.clone(),
            rest,
        }
    }

    /// Returns where a reply redirects to, if redirects are followed at all.
    fn place<'a>(&self, reply: &'a Incoming) -> Option<&'a str> {
        let leads_on = [301, 302, 303, 307, 308].contains(&reply.status().as_u16());
        if !leads_on || self.rest.follow == Follow::Nowhere {
            return None;
        }
        reply.headers().get(LOCATION)?.to_str().ok()
    }

    /// Builds the request for that place, or returns `None` if it must not be followed.
    fn on(self, place: &str, status: StatusCode, first: &Url) -> Option<Outgoing> {
        let url = self.url.join(place).ok()?;
        let web = matches!(url.scheme(), "http" | "https");
        let loses_encryption = self.url.scheme() == "https" && url.scheme() != "https";
        let same = url.origin() == first.origin();
        if !web || loses_encryption || (self.rest.follow == Follow::SameOrigin && !same) {
            return None;
        }
        let mut headers = self.headers;
        let turns_to_get = match status {
            StatusCode::SEE_OTHER => self.method != Method::HEAD,
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => self.method == Method::POST,
            _ => false,
        };
        let (method, body) = if turns_to_get {
            headers.remove(CONTENT_TYPE);
            headers.remove(CONTENT_LENGTH);
            (Method::GET, None)
        } else {
            (self.method, self.body)
        };
        if !same {
            // Keys stay with their host, and a body must not reach anybody but the server it was meant for.
            let secret: Vec<_> = headers
                .iter()
                .filter(|(_, value)| value.is_sensitive())
                .map(|(name, _)| name.clone())
                .collect();
            for name in secret {
                headers.remove(name);
            }
            if body.is_some() {
                return None;
            }
        }
        let (from, trusted) = match same {
            true => (self.rest.from, self.rest.trusted),
            // The person vouched for the certificate of the first server only.
            false => (AddressFrom::Outside, Vec::new()),
        };
        Some(Outgoing {
            method,
            url,
            headers,
            body,
            from,
            trusted,
            ..self.rest
        })
    }
}

/// Removes user name and password from an address from outside, because they belong to somebody else.
fn clean(url: &mut Url) {
    // These calls fail only for addresses without a host, which are never requested.
    let _ = url.set_username("");
    let _ = url.set_password(None);
}

fn redirected(first: &Url) -> NetFault {
    NetFault::Redirected {
        host: exact_host(first),
    }
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;
