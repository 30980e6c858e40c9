//! The addresses of Google's services, or of a test server in their place.

use adjutant_net::{AddressFrom, Follow, Method, NetClient, Outgoing, Url};
use serde::Deserialize;
use tokio::sync::OnceCell;

use crate::http;
use crate::oauth::Endpoints;
use crate::provider::{Access, SetUpFault};

/// The app setting whose value replaces every Google host.
pub(super) const ENDPOINT: &str = "google.endpoint";
/// Maximum size in bytes of an OpenID configuration document.
const DOCUMENT_BYTES_MAX: u64 = 256 * 1024;

/// A Google service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Api {
    /// The profile of the person who signed in.
    Person,
    Calendar,
    Tasks,
    Gmail,
    /// Gmail's upload address, for mails too large for JSON.
    GmailUpload,
    People,
}

impl Api {
    fn base(self) -> &'static str {
        match self {
            Self::Person => "https://www.googleapis.com/oauth2/v2",
            Self::Calendar => "https://www.googleapis.com/calendar/v3",
            Self::Tasks => "https://tasks.googleapis.com/tasks/v1",
            Self::Gmail => "https://gmail.googleapis.com/gmail/v1",
            Self::GmailUpload => "https://gmail.googleapis.com/upload/gmail/v1",
            Self::People => "https://people.googleapis.com/v1",
        }
    }
}

/// Google's own hosts, or the stand-in that replaces them.
pub(crate) struct Hosts {
    stand_in: Option<Url>,
    /// The stand-in's OAuth endpoints, cached once known.
    endpoints: OnceCell<Endpoints>,
}

impl Hosts {
    /// Reads the hosts from the app's settings.
    pub(super) fn of(access: &Access) -> Result<Self, SetUpFault> {
        let wrong = || SetUpFault::Field {
            field: ENDPOINT,
            what: "The setting google.endpoint is not the address of a server.".to_owned(),
            hint: "Correct it, or remove it (`adjutant config set google.endpoint ''`).".to_owned(),
        };
        let stand_in = match access.setting(ENDPOINT) {
            None => None,
            Some(text) => {
                let url = Url::parse(text).map_err(|_| wrong())?;
                let is_safe = url.scheme() == "https"
                    || (url.scheme() == "http" && adjutant_net::reach::is_loopback(&url));
                Some(url).filter(|_| is_safe).ok_or_else(wrong).map(Some)?
            }
        };
        Ok(Self {
            stand_in,
            endpoints: OnceCell::new(),
        })
    }

    /// Builds the address of a resource of a service. Escapes the segments.
    ///
    /// # Errors
    /// Returns [`NoAddress`] if a segment is empty, `.` or `..`.
    pub(crate) fn address(&self, api: Api, path: &[&str]) -> Result<Url, NoAddress> {
        let mut url = self.at(api.base()).ok_or(NoAddress)?;
        if path
            .iter()
            .any(|segment| matches!(*segment, "" | "." | ".."))
        {
            return Err(NoAddress);
        }
        let mut segments = url.path_segments_mut().map_err(|()| NoAddress)?;
        segments.extend(path);
        drop(segments);
        Ok(url)
    }

    /// Translates one of Google's addresses to the stand-in, if there is one.
    fn at(&self, address: &str) -> Option<Url> {
        let url = Url::parse(address).ok()?;
        let Some(stand_in) = &self.stand_in else {
            return Some(url);
        };
        let mut there = stand_in.clone();
        let base = stand_in.path().trim_end_matches('/');
        there.set_path(&format!("{base}{}", url.path()));
        there.set_query(None);
        there.set_fragment(None);
        Some(there)
    }

    /// Returns the OAuth endpoints. A stand-in may announce its own with an OpenID configuration; otherwise Google's
    /// paths apply.
    pub(super) async fn endpoints(&self, net: &NetClient) -> Result<&Endpoints, SetUpFault> {
        let found = self.endpoints.get_or_try_init(|| async {
            let said = match &self.stand_in {
                Some(stand_in) => said(stand_in, net).await?,
                None => None,
            };
            match said {
                Some(said) => Ok(said),
                None => self.usual().ok_or_else(|| {
                    let what = "the address of the sign-in cannot be made".to_owned();
                    adjutant_domain::operation::RemoteFault::Refused { what }.into()
                }),
            }
        });
        found.await
    }

    fn usual(&self) -> Option<Endpoints> {
        Some(Endpoints {
            authorize: self.at("https://accounts.google.com/o/oauth2/v2/auth")?,
            token: self.at("https://oauth2.googleapis.com/token")?,
            revoke: Some(self.at("https://oauth2.googleapis.com/revoke")?),
            from: AddressFrom::Person,
        })
    }
}

/// The address cannot be built, because a name is not usable as a path segment.
#[derive(Debug)]
pub(crate) struct NoAddress;

/// An OpenID configuration document.
#[derive(Deserialize)]
struct Document {
    authorization_endpoint: Url,
    token_endpoint: Url,
    revocation_endpoint: Url,
}

/// Fetches the stand-in's configuration; `None` if it has none or the document names another server.
async fn said(stand_in: &Url, net: &NetClient) -> Result<Option<Endpoints>, SetUpFault> {
    let mut url = stand_in.clone();
    let base = stand_in.path().trim_end_matches('/');
    url.set_path(&format!("{base}/.well-known/openid-configuration"));
    let mut request = Outgoing::new(Method::GET, url, "looking where Google signs in");
    request.follow = Follow::Nowhere;
    request.reply_bytes_max = DOCUMENT_BYTES_MAX;
    let reply = net.send(request).await?;
    if !reply.status().is_success() {
        return Ok(None);
    }
    let bytes = reply.bytes(http::BODY_WITHIN).await?;
    let document = serde_json::from_slice::<Document>(&bytes).ok();
    let endpoints = document.map(|document| Endpoints {
        authorize: document.authorization_endpoint,
        token: document.token_endpoint,
        revoke: Some(document.revocation_endpoint),
        from: AddressFrom::Person,
    });
    Ok(endpoints.filter(|found| {
        let mut all = [&found.authorize, &found.token]
            .into_iter()
            .chain(&found.revoke);
        all.all(|url| url.origin() == stand_in.origin())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(stand_in: Option<&str>) -> Hosts {
        Hosts {
            stand_in: stand_in.map(|url| Url::parse(url).unwrap()),
            endpoints: OnceCell::new(),
        }
    }

    #[test]
    fn names_are_escaped_and_never_lead_elsewhere() {
        let google = hosts(None);
        let at = |path: &[&str]| {
            google
                .address(Api::Calendar, path)
                .map(|url| url.to_string())
        };
        assert_eq!(
            at(&["calendars", "kim@example.org/../x?y#z", "events"]).unwrap(),
            "https://www.googleapis.com/calendar/v3/calendars/kim@example.org%2F..%2Fx%3Fy%23z/events"
        );
        for wrong in ["..", ".", ""] {
            assert!(at(&["calendars", wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn one_address_stands_in_for_all_hosts() {
        let hosts = hosts(Some("http://127.0.0.1:4000/google/"));
        for (api, there) in [
            (Api::Person, "/google/oauth2/v2/x"),
            (Api::Calendar, "/google/calendar/v3/x"),
            (Api::Tasks, "/google/tasks/v1/x"),
            (Api::Gmail, "/google/gmail/v1/x"),
            (Api::GmailUpload, "/google/upload/gmail/v1/x"),
            (Api::People, "/google/v1/x"),
        ] {
            let url = hosts.address(api, &["x"]).unwrap();
            assert_eq!(url.as_str(), format!("http://127.0.0.1:4000{there}"));
        }
        let endpoints = hosts.usual().unwrap();
        assert_eq!(
            endpoints.token.as_str(),
            "http://127.0.0.1:4000/google/token"
        );
    }
}
