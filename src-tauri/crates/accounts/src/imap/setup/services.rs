//! Asks a domain's name servers for its mail servers (RFC 6186, RFC 8314).

use adjutant_net::{AddressFrom, NetClient, Security, ServiceHost};

use super::{Proposal, known};
use crate::http::is_within;
use crate::imap::server::Server;

const WHY: &str = "finding the servers of a mail address";

/// What the name servers say.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Named {
    /// No servers for both reading and sending.
    Nothing,
    /// Servers of the domain itself or of a known provider.
    Servers(Box<Proposal>),
    /// A server that may be anybody's, because such an answer can be forged.
    Elsewhere(String),
}

/// Asks for the servers of an address in `domain`.
pub(super) async fn ask(net: &NetClient, domain: &str, address: &str) -> Named {
    let (reading, sending, upgrading) = tokio::join!(
        net.servers_of("_imaps._tcp", domain, WHY),
        net.servers_of("_submissions._tcp", domain, WHY),
        net.servers_of("_submission._tcp", domain, WHY),
    );
    let first = |all: Vec<ServiceHost>, security| {
        let ServiceHost { host, port } = all.into_iter().next()?;
        Some(Server {
            host,
            port,
            security,
        })
    };
    let reading = first(reading, Security::Tls);
    let sending = first(sending, Security::Tls).or_else(|| first(upgrading, Security::StartTls));
    let (Some(reading), Some(sending)) = (reading, sending) else {
        return Named::Nothing;
    };
    let is_elsewhere =
        |one: &&Server| !is_within(&one.host, domain) && !known::is_server(&one.host);
    if let Some(server) = [&reading, &sending].into_iter().find(is_elsewhere) {
        return Named::Elsewhere(server.host.clone());
    }
    Named::Servers(Box::new(Proposal {
        reading,
        sending,
        user: address.to_owned(),
        from: AddressFrom::Outside,
        server_files: false,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imap::server::Protocol;
    use std::sync::{Arc, Mutex};

    use adjutant_domain::ports::{EgressLog, Exchange};
    use adjutant_net::NetSettings;
    use adjutant_testkit::name_server::{NameServer, Zone};

    #[derive(Default)]
    struct Ledger(Mutex<Vec<Exchange>>);

    impl EgressLog for Ledger {
        fn note(&self, exchange: Exchange) {
            self.0.lock().unwrap().push(exchange);
        }
    }

    async fn named(servers: &[(&'static str, (&'static str, u16))]) -> Named {
        let zone = Zone {
            servers: servers.iter().copied().collect(),
            ..Zone::default()
        };
        let server = NameServer::start(zone).await;
        let ledger = Arc::new(Ledger::default());
        let net = NetClient::new(NetSettings::default(), ledger.clone());
        let net = net.with_name_servers(vec![server.address]);
        let said = ask(&net, "example.org", "kim@example.org").await;
        let ledger = ledger.0.lock().unwrap();
        assert_eq!(ledger.len(), 3, "every question stands in the ledger");
        let host = server.address.to_string();
        assert!(
            ledger
                .iter()
                .all(|one| one.host == host && one.bytes_in > 0)
        );
        said
    }

    fn written(named: Named) -> Option<[String; 2]> {
        match named {
            Named::Servers(one) => Some([
                one.reading.written(Protocol::Imap),
                one.sending.written(Protocol::Smtp),
            ]),
            Named::Nothing | Named::Elsewhere(_) => None,
        }
    }

    #[tokio::test]
    async fn takes_encrypted_servers_of_the_domain() {
        let reading = ("_imaps._tcp.example.org", ("in.example.org", 993));
        let sending = ("_submissions._tcp.example.org", ("out.example.org", 465));
        let upgrading = ("_submission._tcp.example.org", ("up.example.org", 587));
        assert_eq!(
            written(named(&[reading, sending, upgrading]).await),
            Some(["imaps://in.example.org:993", "smtps://out.example.org:465"].map(str::to_owned))
        );
        assert_eq!(
            written(named(&[reading, upgrading]).await),
            Some(["imaps://in.example.org:993", "smtp://up.example.org:587"].map(str::to_owned))
        );
        assert_eq!(named(&[reading]).await, Named::Nothing);
        assert_eq!(named(&[]).await, Named::Nothing);
    }

    #[tokio::test]
    async fn no_password_goes_to_a_server_that_anybody_could_have_named() {
        let sending = ("_submissions._tcp.example.org", ("out.example.org", 465));
        let stranger = ("_imaps._tcp.example.org", ("imap.evil.example", 993));
        let said = named(&[stranger, sending]).await;
        assert_eq!(said, Named::Elsewhere("imap.evil.example".into()));
        let fastmail = [
            ("_imaps._tcp.example.org", ("imap.fastmail.com", 993)),
            ("_submissions._tcp.example.org", ("smtp.fastmail.com", 465)),
        ];
        assert!(written(named(&fastmail).await).is_some());
    }

    #[tokio::test]
    async fn asks_nobody_while_offline() {
        let server = NameServer::start(Zone::default()).await;
        let settings = NetSettings {
            offline: true,
            ..NetSettings::default()
        };
        let net = NetClient::new(settings, Arc::new(Ledger::default()));
        let net = net.with_name_servers(vec![server.address]);
        assert_eq!(
            ask(&net, "example.org", "a@example.org").await,
            Named::Nothing
        );
        assert_eq!(server.asked(), Vec::<String>::new());
    }
}
