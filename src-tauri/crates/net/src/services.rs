//! Finds the servers that a domain names for a service (SRV, RFC 2782) by asking the system's name servers. The system's
//! own functions find addresses only.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use rustls::crypto::ring;
use simple_dns::rdata::{RData, SRV};
use simple_dns::{CLASS, Name, Packet, PacketFlag, Question, RCODE, TYPE};
use tokio::net::UdpSocket;
use url::Url;

use crate::client::NetClient;
use crate::exchange::Tally;

/// File that names the system's name servers. Windows has none, so nobody is asked there.
const NAME_SERVERS: &str = "/etc/resolv.conf";
/// Highest number of name servers asked, one after the other.
const NAME_SERVERS_MAX: usize = 2;
/// Time allowed for an answer of one name server.
const WITHIN: Duration = Duration::from_secs(3);
/// Largest answer read, in bytes. A longer one counts as none.
const ANSWER_BYTES_MAX: usize = 4096;
/// Highest number of servers taken from an answer.
const SERVERS_MAX: usize = 8;
/// Highest number of characters of a path.
const PATH_CHARS_MAX: usize = 200;

/// A server that a domain names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceHost {
    /// Its name.
    pub host: String,
    /// Its port.
    pub port: u16,
}

impl NetClient {
    /// Returns the servers that a domain names for a service such as `_imaps._tcp`, in the order to try them. Returns
    /// none if the domain names none, or if nobody may or can be asked: offline, and behind a proxy, which resolves names
    /// itself.
    ///
    /// Anybody on the way could have written the answer. A secret may go to such a server only if the certificate proves
    /// a name in that domain, or if the person agrees.
    pub async fn servers_of(&self, service: &str, domain: &str, why: &str) -> Vec<ServiceHost> {
        let answer = self.look_up(service, domain, TYPE::SRV, why).await;
        answer.map_or_else(Vec::new, |answer| servers(&answer))
    }

    /// Returns the path that a domain names for a service (RFC 6764). Fails like [`Self::servers_of`].
    pub async fn path_of(&self, service: &str, domain: &str, why: &str) -> Option<String> {
        let answer = self.look_up(service, domain, TYPE::TXT, why).await?;
        path(&answer)
    }

    /// Returns the whole answer of the first name server that gives one.
    async fn look_up(&self, service: &str, domain: &str, what: TYPE, why: &str) -> Option<Vec<u8>> {
        let url = Url::parse(&format!("https://{domain}/")).ok()?;
        // As the URL has it: an international name in its ASCII form.
        let domain = url.domain()?;
        if self.is_offline() || self.proxy().of(&url).is_some() {
            return None;
        }
        let name = format!("{service}.{domain}");
        for server in self.name_servers().await {
            let asking = self.ask(server, &name, what, why);
            if let Ok(Some(answer)) = tokio::time::timeout(WITHIN, asking).await {
                return Some(answer);
            }
        }
        None
    }

    async fn ask(&self, server: SocketAddr, name: &str, what: TYPE, why: &str) -> Option<Vec<u8>> {
        let mut id = [0; 2];
        ring::default_provider().secure_random.fill(&mut id).ok()?;
        let question = question(name, what)?;
        let mut query = Packet::new_query(u16::from_be_bytes(id));
        query.set_flags(PacketFlag::RECURSION_DESIRED);
        query.questions.push(question.clone());
        let query = query.build_bytes_vec().ok()?;
        let own = match server {
            SocketAddr::V4(_) => SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
            SocketAddr::V6(_) => SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)),
        };
        let socket = UdpSocket::bind(own).await.ok()?;
        socket.connect(server).await.ok()?;
        let mut tally = Tally::start(
            self.log(),
            server.to_string(),
            why.to_owned(),
            server.ip().is_loopback(),
            query.len() as u64,
        );
        if socket.send(&query).await.is_err() {
            tally.forget();
            return None;
        }
        let mut answer = vec![0; ANSWER_BYTES_MAX];
        loop {
            let length = socket.recv(&mut answer).await.ok()?;
            tally.received(length as u64);
            let bytes = &answer[..length];
            if is_answer(bytes, id, &question) {
                return Some(bytes.to_vec());
            }
        }
    }

    async fn name_servers(&self) -> Vec<SocketAddr> {
        if let Some(servers) = self.asked_name_servers() {
            return servers.to_vec();
        }
        let file = tokio::fs::read_to_string(NAME_SERVERS).await;
        listed(&file.unwrap_or_default())
    }
}

fn question(name: &str, what: TYPE) -> Option<Question<'_>> {
    let name = Name::new(name).ok()?;
    Some(Question::new(name, what.into(), CLASS::IN.into(), false))
}

/// Whether a packet is the complete answer to a question. Ignores all others, which anybody may have sent.
fn is_answer(bytes: &[u8], id: [u8; 2], question: &Question<'_>) -> bool {
    let Ok(packet) = Packet::parse(bytes) else {
        return false;
    };
    packet.id() == u16::from_be_bytes(id)
        && packet.has_flags(PacketFlag::RESPONSE)
        && !packet.has_flags(PacketFlag::TRUNCATION)
        && matches!(packet.rcode(), RCODE::NoError | RCODE::NameError)
        && matches!(packet.questions.as_slice(), [asked] if asked.qname == question.qname && asked.qtype == question.qtype)
}

/// Returns the servers in an answer, most preferred first. The name `.` says that there is no such service.
fn servers(answer: &[u8]) -> Vec<ServiceHost> {
    let Ok(packet) = Packet::parse(answer) else {
        return Vec::new();
    };
    let records = packet.answers.iter().filter_map(|one| match &one.rdata {
        RData::SRV(record) => Some(record),
        _ => None,
    });
    let mut records: Vec<&SRV<'_>> = records.collect();
    records.sort_by_key(|one| (one.priority, std::cmp::Reverse(one.weight)));
    let hosts = records.into_iter().filter_map(|one| {
        let host = one.target.to_string().to_ascii_lowercase();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        let is_host = !host.is_empty() && host != "." && host.chars().all(is_name);
        (is_host && one.port > 0).then_some(ServiceHost {
            host,
            port: one.port,
        })
    });
    hosts.take(SERVERS_MAX).collect()
}

/// Returns the path in an answer: `path=/dav`.
fn path(answer: &[u8]) -> Option<String> {
    let packet = Packet::parse(answer).ok()?;
    packet.answers.iter().find_map(|one| match &one.rdata {
        RData::TXT(text) => {
            let found = text.attributes().remove("path")??;
            let is_path = found.starts_with('/') && found.chars().all(|c| c.is_ascii_graphic());
            (is_path && found.len() <= PATH_CHARS_MAX).then_some(found)
        }
        _ => None,
    })
}

/// Returns the name servers of a `resolv.conf`.
fn listed(file: &str) -> Vec<SocketAddr> {
    let servers = file.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let is_server = words.next() == Some("nameserver");
        let address = words.next().filter(|_| is_server)?.parse().ok()?;
        Some(SocketAddr::new(address, 53))
    });
    servers.take(NAME_SERVERS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use simple_dns::ResourceRecord;
    use simple_dns::rdata::TXT;

    const NAME: &str = "_imaps._tcp.example.org";

    fn answer(id: [u8; 2], records: Vec<RData<'_>>) -> Packet<'_> {
        let mut packet = Packet::new_reply(u16::from_be_bytes(id));
        packet.questions.extend(question(NAME, TYPE::SRV));
        packet.answers = records
            .into_iter()
            .map(|data| ResourceRecord::new(Name::new_unchecked(NAME), CLASS::IN, 60, data))
            .collect();
        packet
    }

    fn server(priority: u16, weight: u16, port: u16, target: &'static str) -> RData<'static> {
        RData::SRV(SRV {
            priority,
            weight,
            port,
            target: Name::new_unchecked(target),
        })
    }

    fn named(records: Vec<RData<'_>>) -> Vec<String> {
        let bytes = answer([0, 1], records).build_bytes_vec().unwrap();
        let all = servers(&bytes).into_iter();
        all.map(|one| format!("{}:{}", one.host, one.port))
            .collect()
    }

    #[test]
    fn takes_servers_by_preference_and_nothing_that_is_none() {
        assert_eq!(
            named(vec![
                server(20, 0, 993, "late.example.org"),
                server(10, 1, 993, "second.example.org"),
                server(10, 9, 994, "FIRST.example.org"),
            ]),
            [
                "first.example.org:994",
                "second.example.org:993",
                "late.example.org:993"
            ]
        );
        assert_eq!(named(vec![server(0, 0, 0, "")]), Vec::<String>::new());
        assert_eq!(named(vec![server(0, 0, 0, "a.b")]), Vec::<String>::new());
        assert_eq!(
            named(vec![server(0, 0, 1, "a/b@c.d")]),
            Vec::<String>::new()
        );
        let many = (0..100).map(|_| server(0, 0, 993, "a.example.org"));
        assert_eq!(named(many.collect()).len(), SERVERS_MAX);
    }

    #[test]
    fn takes_a_path_and_nothing_else() {
        let told = |text: &'static str| {
            let text = TXT::new().with_string(text).unwrap();
            path(
                &answer([0, 1], vec![RData::TXT(text)])
                    .build_bytes_vec()
                    .unwrap(),
            )
        };
        assert_eq!(told("path=/dav/").as_deref(), Some("/dav/"));
        for none in ["path", "path=", "path=dav", "path=/a b", "other=/dav"] {
            assert_eq!(told(none), None, "{none}");
        }
    }

    #[test]
    fn only_the_whole_answer_to_the_question_counts() {
        let asked = question(NAME, TYPE::SRV).unwrap();
        let good = answer([7, 8], vec![server(0, 0, 993, "a.example.org")]);
        let bytes = |packet: &Packet<'_>| packet.build_bytes_vec().unwrap();
        assert!(is_answer(&bytes(&good), [7, 8], &asked));
        assert!(!is_answer(&bytes(&good), [7, 9], &asked));
        let other = question("_imaps._tcp.example.net", TYPE::SRV).unwrap();
        assert!(!is_answer(&bytes(&good), [7, 8], &other));
        let mut cut = good.clone();
        cut.set_flags(PacketFlag::TRUNCATION);
        assert!(!is_answer(&bytes(&cut), [7, 8], &asked));
        let mut query = good.clone();
        query.remove_flags(PacketFlag::RESPONSE);
        assert!(!is_answer(&bytes(&query), [7, 8], &asked));
        let mut failed = good;
        *failed.rcode_mut() = RCODE::ServerFailure;
        assert!(!is_answer(&bytes(&failed), [7, 8], &asked));
    }

    #[test]
    fn reads_the_name_servers_of_the_system() {
        let file = "# x\nsearch example.org\nnameserver 10.0.0.1\nnameserver ::1\nnameserver 10.0.0.3\nnameserver x\n";
        let found: Vec<String> = listed(file).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["10.0.0.1:53", "[::1]:53"]);
        assert!(listed("nameserver\n").is_empty());
    }

    proptest! {
        #[test]
        fn no_packet_brings_it_down(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let asked = question(NAME, TYPE::SRV).unwrap();
            let _ = (is_answer(&bytes, [0, 0], &asked), servers(&bytes), path(&bytes));
        }

        #[test]
        fn no_damaged_answer_brings_it_down(at in 0_usize..80, byte in any::<u8>()) {
            let mut bytes = answer([0, 1], vec![server(0, 0, 993, "a.example.org")]).build_bytes_vec().unwrap();
            let at = at % bytes.len();
            bytes[at] = byte;
            let _ = (servers(&bytes), path(&bytes));
        }
    }
}
