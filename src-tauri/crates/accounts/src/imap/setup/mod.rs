//! Derives servers from a mail address: from known providers, the domain's own settings, and common host names. Before
//! a password is tried, only the domain leaves this computer, and the address only to the domain itself.

mod autoconfig;
mod known;

use adjutant_net::{AddressFrom, NetClient, Security};

use super::server::{Protocol, Server};

pub(super) use known::advice;

/// Servers that may belong to an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposal {
    pub(super) reading: Server,
    pub(super) sending: Server,
    /// The user name to sign in with.
    pub(super) user: String,
    /// Where the server addresses come from.
    pub(super) from: AddressFrom,
    /// Whether the server itself stores a copy of sent mail.
    pub(super) server_files: bool,
}

/// Returns up to five proposals for an address, likeliest first.
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

/// Returns proposals with common host names of a domain.
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
