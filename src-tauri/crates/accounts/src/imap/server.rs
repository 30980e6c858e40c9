//! Parses and formats server addresses such as `imap.example.org` or `imaps://imap.example.org:993`.

use adjutant_net::{AddressFrom, Dial, Fingerprint, Security};

/// The protocol of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    /// Reads and files mail.
    Imap,
    /// Sends mail.
    Smtp,
}

impl Protocol {
    /// Returns what the person calls the server, as its field does.
    pub(super) const fn part(self) -> &'static str {
        match self {
            Self::Imap => "server for reading",
            Self::Smtp => "server for sending",
        }
    }

    fn scheme(self, security: Security) -> &'static str {
        match (self, security) {
            (Self::Imap, Security::Tls) => "imaps",
            (Self::Imap, Security::StartTls) => "imap",
            (Self::Smtp, Security::Tls) => "smtps",
            (Self::Smtp, Security::StartTls) => "smtp",
        }
    }

    fn port(self, security: Security) -> u16 {
        match (self, security) {
            (Self::Imap, Security::Tls) => 993,
            (Self::Imap, Security::StartTls) => 143,
            (Self::Smtp, Security::Tls) => 465,
            (Self::Smtp, Security::StartTls) => 587,
        }
    }
}

/// A server and how its connection is encrypted. It is always encrypted before any secret is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Server {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) security: Security,
}

impl Server {
    pub(super) fn new(protocol: Protocol, host: &str, security: Security) -> Self {
        Self {
            host: host.to_owned(),
            port: protocol.port(security),
            security,
        }
    }

    /// Parses an address: a host with an optional port and an optional scheme. The schemes are `imaps://` and
    /// `smtps://` (TLS from the start) and `imap://` and `smtp://` (STARTTLS). `None` if the text is not a server.
    pub(super) fn parse(protocol: Protocol, text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches('/');
        let both = [Security::Tls, Security::StartTls];
        let named = both.into_iter().find_map(|security| {
            let rest = text.strip_prefix(protocol.scheme(security))?;
            Some((security, rest.strip_prefix("://")?))
        });
        let (said, rest) = match named {
            Some((security, rest)) => (Some(security), rest),
            None => (None, text),
        };
        let (host, port) = match rest.strip_prefix('[') {
            Some(inside) => {
                let (host, after) = inside.split_once(']')?;
                (host, after.strip_prefix(':'))
            }
            None => match rest.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (rest, None),
            },
        };
        let port: Option<u16> = port.map(str::parse).transpose().ok()?;
        let by_port = || {
            both.into_iter()
                .find(|one| port == Some(protocol.port(*one)))
        };
        let security = said.or_else(by_port).unwrap_or(Security::Tls);
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ':' | '_');
        (!host.is_empty() && host.len() <= 255 && host.chars().all(is_name)).then(|| Self {
            host: host.to_owned(),
            port: port.unwrap_or(protocol.port(security)),
            security,
        })
    }

    /// Formats the server so that [`Self::parse`] can read it.
    pub(super) fn written(&self, protocol: Protocol) -> String {
        let scheme = protocol.scheme(self.security);
        match self.host.contains(':') {
            true => format!("{scheme}://[{}]:{}", self.host, self.port),
            false => format!("{scheme}://{}:{}", self.host, self.port),
        }
    }

    /// Returns the parameters for connecting to the server.
    pub(super) fn dial(&self, why: &str, from: AddressFrom, trusted: &[Fingerprint]) -> Dial {
        let mut dial = Dial::new(self.host.as_str(), self.port, self.security, why);
        dial.from = from;
        dial.trusted = trusted.to_vec();
        dial
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_read_as_people_write_it() {
        for (protocol, text, written) in [
            (
                Protocol::Imap,
                "mail.example.org",
                "imaps://mail.example.org:993",
            ),
            (
                Protocol::Imap,
                " mail.example.org:143/",
                "imap://mail.example.org:143",
            ),
            (
                Protocol::Imap,
                "imap://localhost:10143",
                "imap://localhost:10143",
            ),
            (Protocol::Imap, "localhost:10993", "imaps://localhost:10993"),
            (Protocol::Imap, "imaps://[::1]", "imaps://[::1]:993"),
            (
                Protocol::Smtp,
                "mail.example.org",
                "smtps://mail.example.org:465",
            ),
            (
                Protocol::Smtp,
                "mail.example.org:587",
                "smtp://mail.example.org:587",
            ),
            (
                Protocol::Smtp,
                "smtp://mail.example.org",
                "smtp://mail.example.org:587",
            ),
        ] {
            let read = Server::parse(protocol, text);
            let again = read.as_ref().map(|server| server.written(protocol));
            assert_eq!(again.as_deref(), Some(written), "{text}");
            assert_eq!(Server::parse(protocol, written), read, "{text}");
        }
        for none in [
            "",
            "imaps://",
            "a b",
            "mail:x",
            "mail:70000",
            "smtp://mail",
            "http://mail",
            "[::1",
            "a\r\nb",
        ] {
            assert_eq!(Server::parse(Protocol::Imap, none), None, "{none}");
        }
    }
}
