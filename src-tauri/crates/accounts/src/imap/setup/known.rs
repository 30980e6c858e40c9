//! Widely used providers, by mail domain.

use adjutant_net::{AddressFrom, Security};

use super::Proposal;
use crate::imap::server::{Protocol, Server};

/// A provider's servers and requirements.
struct MailProvider {
    domains: &'static [&'static str],
    reading: &'static str,
    sending: &'static str,
    /// Whether sending uses STARTTLS.
    upgrades: bool,
    server_files: bool,
    /// Whether the user name is the part of the address before the `@`.
    local_user: bool,
    /// What to use instead if the provider does not accept the account's password.
    advice: &'static str,
}

const APP_PASSWORD: &str = "This provider wants an app password here, not the one you sign in with on the web. Make one in the security settings of your account there.";

const PLAIN: MailProvider = MailProvider {
    domains: &[],
    reading: "",
    sending: "",
    upgrades: false,
    server_files: false,
    local_user: false,
    advice: "",
};

const ALL: &[MailProvider] = &[
    MailProvider {
        domains: &["gmail.com", "googlemail.com"],
        reading: "imap.gmail.com",
        sending: "smtp.gmail.com",
        server_files: true,
        advice: APP_PASSWORD,
        ..PLAIN
    },
    MailProvider {
        domains: &["icloud.com", "me.com", "mac.com"],
        reading: "imap.mail.me.com",
        sending: "smtp.mail.me.com",
        upgrades: true,
        local_user: true,
        advice: APP_PASSWORD,
        ..PLAIN
    },
    MailProvider {
        domains: &[
            "yahoo.com",
            "yahoo.co.uk",
            "yahoo.de",
            "yahoo.fr",
            "ymail.com",
            "rocketmail.com",
        ],
        reading: "imap.mail.yahoo.com",
        sending: "smtp.mail.yahoo.com",
        advice: APP_PASSWORD,
        ..PLAIN
    },
    MailProvider {
        domains: &["aol.com"],
        reading: "imap.aol.com",
        sending: "smtp.aol.com",
        advice: APP_PASSWORD,
        ..PLAIN
    },
    MailProvider {
        domains: &[
            "outlook.com",
            "hotmail.com",
            "live.com",
            "msn.com",
            "outlook.de",
            "hotmail.co.uk",
        ],
        reading: "outlook.office365.com",
        sending: "smtp-mail.outlook.com",
        upgrades: true,
        server_files: true,
        advice: "This provider no longer accepts passwords from mail programs, and signing in to it in the browser is not possible here yet.",
        ..PLAIN
    },
    MailProvider {
        domains: &["fastmail.com", "fastmail.fm"],
        reading: "imap.fastmail.com",
        sending: "smtp.fastmail.com",
        advice: APP_PASSWORD,
        ..PLAIN
    },
    MailProvider {
        domains: &["gmx.net", "gmx.de", "gmx.at", "gmx.ch"],
        reading: "imap.gmx.net",
        sending: "mail.gmx.net",
        advice: "Allow POP3 and IMAP in the settings of your account there.",
        ..PLAIN
    },
    MailProvider {
        domains: &["gmx.com"],
        reading: "imap.gmx.com",
        sending: "mail.gmx.com",
        advice: "Allow POP3 and IMAP in the settings of your account there.",
        ..PLAIN
    },
    MailProvider {
        domains: &["web.de"],
        reading: "imap.web.de",
        sending: "smtp.web.de",
        upgrades: true,
        advice: "Allow POP3 and IMAP in the settings of your account there.",
        ..PLAIN
    },
    MailProvider {
        domains: &["mailbox.org"],
        reading: "imap.mailbox.org",
        sending: "smtp.mailbox.org",
        ..PLAIN
    },
    MailProvider {
        domains: &["posteo.de", "posteo.net", "posteo.org"],
        reading: "posteo.de",
        sending: "posteo.de",
        ..PLAIN
    },
    MailProvider {
        domains: &["zoho.com", "zohomail.com"],
        reading: "imap.zoho.com",
        sending: "smtp.zoho.com",
        advice: APP_PASSWORD,
        ..PLAIN
    },
    MailProvider {
        domains: &["yandex.com", "yandex.ru", "ya.ru"],
        reading: "imap.yandex.com",
        sending: "smtp.yandex.com",
        local_user: true,
        advice: APP_PASSWORD,
        ..PLAIN
    },
];

fn find(domain: &str) -> Option<&'static MailProvider> {
    ALL.iter().find(|known| known.domains.contains(&domain))
}

/// Returns the servers of an address if its provider is known.
pub(super) fn of(domain: &str, address: &str) -> Option<Proposal> {
    let known = find(domain)?;
    let sending = if known.upgrades {
        Security::StartTls
    } else {
        Security::Tls
    };
    let local = address.rsplit_once('@').map_or(address, |(local, _)| local);
    Some(Proposal {
        reading: Server::new(Protocol::Imap, known.reading, Security::Tls),
        sending: Server::new(Protocol::Smtp, known.sending, sending),
        user: if known.local_user { local } else { address }.to_owned(),
        from: AddressFrom::Person,
        server_files: known.server_files,
    })
}

/// Returns whether a host is a server of a known provider.
pub(super) fn is_server(host: &str) -> bool {
    ALL.iter()
        .any(|known| [known.reading, known.sending].contains(&host))
}

/// Returns advice if the address's provider is known not to accept the account's password.
pub(in crate::imap) fn advice(address: &str) -> Option<&'static str> {
    let (_, domain) = address.rsplit_once('@')?;
    let advice = find(&domain.to_lowercase())?.advice;
    (!advice.is_empty()).then_some(advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_domain_stands_once_and_leads_to_servers() {
        let domains: Vec<&str> = ALL
            .iter()
            .flat_map(|known| known.domains)
            .copied()
            .collect();
        let different: BTreeSet<&str> = domains.iter().copied().collect();
        assert_eq!(different.len(), domains.len());
        for domain in domains {
            let found = of(domain, &format!("kim@{domain}"));
            let server = found.map(|one| one.reading.written(Protocol::Imap));
            let read_back = server.and_then(|written| Server::parse(Protocol::Imap, &written));
            assert!(read_back.is_some(), "{domain}");
        }
        assert_eq!(
            of("icloud.com", "kim@icloud.com").map(|one| one.user),
            Some("kim".into())
        );
        assert_eq!(of("example.org", "kim@example.org"), None);
        assert!(advice("kim@GMAIL.com").is_some_and(|text| text.contains("app password")));
        assert_eq!(advice("kim@example.org"), None);
    }
}
