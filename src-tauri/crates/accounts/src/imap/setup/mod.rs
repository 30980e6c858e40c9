//! Derives servers from a mail address: from known providers, the domain's own settings, its name servers, and common
//! host names. Before a password is tried, only the domain leaves this computer, and the address only to the domain
//! itself.

mod autoconfig;
mod known;
mod services;

use adjutant_net::{AddressFrom, NetClient, Security};

use super::server::{Protocol, Server};

pub(super) use known::advice;
use services::Named;

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

/// What was found for an address.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Up to five proposals, likeliest first.
    pub(super) proposals: Vec<Proposal>,
    /// A server that is not tried because nothing proves that it is the domain's.
    pub(super) elsewhere: Option<String>,
}

impl Found {
    pub(super) fn of(proposal: Proposal) -> Self {
        Self {
            proposals: vec![proposal],
            elsewhere: None,
        }
    }
}

/// Finds the servers of an address.
pub(super) async fn find(net: &NetClient, address: &str) -> Found {
    let mut found = Found::default();
    let Some((_, domain)) = address.rsplit_once('@') else {
        return found;
    };
    let domain = domain.to_lowercase();
    if let Some(known) = known::of(&domain, address) {
        return Found::of(known);
    }
    match autoconfig::ask(net, &domain, address).await {
        Some(own) => found.proposals.push(own),
        None => match services::ask(net, &domain, address).await {
            Named::Nothing => {}
            Named::Servers(own) => found.proposals.push(*own),
            Named::Elsewhere(host) => found.elsewhere = Some(host),
        },
    }
    found.proposals.extend(usual(&domain, address));
    found
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
    use std::sync::Arc;

    use adjutant_domain::ports::{EgressLog, Exchange};
    use adjutant_net::NetSettings;
    use adjutant_testkit::name_server::{NameServer, Zone};

    struct Forgets;

    impl EgressLog for Forgets {
        fn note(&self, _: Exchange) {}
    }

    /// The names of this machine have no settings of their own, because an address from outside must not lead here.
    #[tokio::test]
    async fn asks_the_name_servers_if_the_domain_has_no_settings() {
        for (host, first) in [
            ("in.home.localhost", "imaps://in.home.localhost:1993"),
            ("in.evil.example", "imaps://imap.home.localhost:993"),
        ] {
            let sending = (
                "_submissions._tcp.home.localhost",
                ("out.home.localhost", 465),
            );
            let zone = Zone {
                servers: [("_imaps._tcp.home.localhost", (host, 1993)), sending].into(),
                ..Zone::default()
            };
            let server = NameServer::start(zone).await;
            let net = NetClient::new(NetSettings::default(), Arc::new(Forgets));
            let net = net.with_name_servers(vec![server.address]);
            let found = find(&net, "kim@home.localhost").await;
            let reading = found.proposals[0].reading.written(Protocol::Imap);
            assert_eq!(reading, first);
            let is_elsewhere = host.contains("evil");
            assert_eq!(found.elsewhere.is_some(), is_elsewhere);
        }
    }

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
