//! From an address to servers: what is known of its provider, what its domain says, and what such servers are usually
//! called. Nothing of the person but the domain and, where the domain itself is asked, the address leaves this computer
//! before a password is tried.

mod autoconfig;
mod known;

use adjutant_net::{AddressFrom, NetClient, Security};

use super::server::{Protocol, Server};

pub(super) use known::advice;

/// Servers that may be those of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    pub(super) reading: Server,
    pub(super) sending: Server,
    /// Whom the servers know the person as.
    pub(super) user: String,
    /// Who named the servers.
    pub(super) from: AddressFrom,
    /// Whether the server itself keeps a copy of what is sent.
    pub(super) server_files: bool,
}

/// Servers that may be those of an address, the likeliest first: at most five.
pub(super) async fn propose(net: &NetClient, address: &str) -> Vec<Proposal> {
    let Some((_, domain)) = address.rsplit_once('@') else {
        return Vec::new();
    };
    let domain = domain.to_lowercase();
    if let Some(known) = known::of(&domain, address) {
        return vec![known];
    }
    let mut all: Vec<Proposal> = autoconfig::ask(net, &domain, address)
        .await
        .into_iter()
        .collect();
    all.extend(usual(&domain, address));
    all
}

/// What servers of a domain are usually called.
fn usual(domain: &str, address: &str) -> impl Iterator<Item = Proposal> {
    let names = [("imap", "smtp"), ("mail", "mail")];
    let both = [
        (Security::Tls, Security::Tls),
        (Security::StartTls, Security::StartTls),
    ];
    names.into_iter().flat_map(move |(reading, sending)| {
        both.map(|(read, send)| Proposal {
            reading: Server::new(Protocol::Imap, &format!("{reading}.{domain}"), read),
            sending: Server::new(Protocol::Smtp, &format!("{sending}.{domain}"), send),
            user: address.to_owned(),
            from: AddressFrom::Outside,
            server_files: false,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_nobody_knows_is_asked_at_the_usual_names() {
        let written: Vec<String> = usual("example.org", "kim@example.org")
            .map(|one| {
                let reading = one.reading.written(Protocol::Imap);
                format!("{reading} {}", one.sending.written(Protocol::Smtp))
            })
            .collect();
        assert_eq!(
            written,
            [
                "imaps://imap.example.org:993 smtps://smtp.example.org:465",
                "imap://imap.example.org:143 smtp://smtp.example.org:587",
                "imaps://mail.example.org:993 smtps://mail.example.org:465",
                "imap://mail.example.org:143 smtp://mail.example.org:587",
            ]
        );
    }
}
