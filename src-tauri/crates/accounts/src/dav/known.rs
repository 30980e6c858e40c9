//! Widely used providers whose servers cannot be derived from their mail domain.

use crate::http::is_within;

/// A provider's servers.
pub(super) struct DavProvider {
    domains: &'static [&'static str],
    /// Address at which the search for calendars and tasks begins.
    pub(super) calendars: &'static str,
    /// Address at which the search for address books begins.
    pub(super) contacts: &'static str,
    /// Domain that contains all of the provider's servers, which may point to each other.
    pub(super) within: &'static str,
    /// Advice about the password to use if it is not the account's own.
    pub(super) advice: &'static str,
}

const APP_PASSWORD: &str = "This provider wants an app password here. Make one in the security settings of your account there.";

const ALL: &[DavProvider] = &[
    DavProvider {
        domains: &["icloud.com", "me.com", "mac.com"],
        calendars: "https://caldav.icloud.com/",
        contacts: "https://contacts.icloud.com/",
        within: "icloud.com",
        advice: APP_PASSWORD,
    },
    DavProvider {
        domains: &[
            "fastmail.com",
            "fastmail.fm",
            "fastmail.net",
            "messagingengine.com",
        ],
        calendars: "https://caldav.fastmail.com/dav/",
        contacts: "https://carddav.fastmail.com/dav/",
        within: "fastmail.com",
        advice: APP_PASSWORD,
    },
    DavProvider {
        domains: &["mailbox.org"],
        calendars: "https://dav.mailbox.org/",
        contacts: "https://dav.mailbox.org/",
        within: "mailbox.org",
        advice: "",
    },
    DavProvider {
        domains: &["posteo.de", "posteo.net"],
        calendars: "https://posteo.de:8443/",
        contacts: "https://posteo.de:8443/",
        within: "posteo.de",
        advice: "",
    },
    DavProvider {
        domains: &["gmx.de", "gmx.net", "gmx.at", "gmx.ch"],
        calendars: "https://caldav.gmx.net/",
        contacts: "https://carddav.gmx.net/",
        within: "gmx.net",
        advice: "",
    },
    DavProvider {
        domains: &["web.de"],
        calendars: "https://caldav.web.de/",
        contacts: "https://carddav.web.de/",
        within: "web.de",
        advice: "",
    },
    DavProvider {
        domains: &["yahoo.com", "ymail.com"],
        calendars: "https://caldav.calendar.yahoo.com/",
        contacts: "https://carddav.address.yahoo.com/",
        within: "yahoo.com",
        advice: APP_PASSWORD,
    },
];

/// Returns the provider of a domain or of a host within it.
pub(super) fn of(host: &str) -> Option<&'static DavProvider> {
    let is_in = |domain: &str| is_within(host, domain);
    ALL.iter()
        .find(|known| is_in(known.within) || known.domains.iter().copied().any(is_in))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_holds_its_own_names_and_no_other() {
        assert!(is_within("p42-caldav.iCloud.com", "icloud.com"));
        assert!(is_within("icloud.com", "icloud.com"));
        assert!(!is_within("evilicloud.com", "icloud.com"));
        assert!(!is_within("icloud.com.evil.example", "icloud.com"));
        assert!(of("me.com").is_some_and(|known| known.within == "icloud.com"));
        assert!(of("example.org").is_none());
    }

    #[test]
    fn every_address_is_one_and_is_encrypted() {
        for known in ALL {
            for address in [known.calendars, known.contacts] {
                let host = adjutant_net::Url::parse(address)
                    .ok()
                    .filter(|url| url.scheme() == "https")
                    .and_then(|url| url.host_str().map(str::to_owned));
                assert!(
                    host.is_some_and(|host| is_within(&host, known.within)),
                    "{address}"
                );
            }
        }
    }
}
