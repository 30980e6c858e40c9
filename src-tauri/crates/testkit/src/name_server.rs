//! A name server on this machine that knows what a test tells it.

#![expect(
    clippy::expect_used,
    reason = "a test cannot go on without its name server"
)]

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use simple_dns::rdata::{RData, SRV, TXT};
use simple_dns::{CLASS, Name, Packet, QTYPE, ResourceRecord, TYPE};
use tokio::net::UdpSocket;
use tokio::task::JoinSet;

/// What the name server knows.
#[derive(Clone, Debug, Default)]
pub struct Zone {
    /// Host and port of each service, such as `_imaps._tcp.example.org`.
    pub servers: BTreeMap<&'static str, (&'static str, u16)>,
    /// Text beside a service.
    pub texts: BTreeMap<&'static str, &'static str>,
}

/// A name server. It answers as long as it is kept.
#[derive(Debug)]
pub struct NameServer {
    /// Where it listens.
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    _task: JoinSet<()>,
}

impl NameServer {
    /// Starts a name server. Panics if this machine does not let it listen.
    pub async fn start(zone: Zone) -> Self {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let socket = socket.expect("a free port");
        let address = socket.local_addr().expect("an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let mut task = JoinSet::new();
        let log = Arc::clone(&asked);
        task.spawn(async move {
            let mut query = [0; 1024];
            while let Ok((length, from)) = socket.recv_from(&mut query).await {
                if let Some(answer) = answer(&zone, &query[..length], &log) {
                    // The client may have gone.
                    drop(socket.send_to(&answer, from).await);
                }
            }
        });
        Self {
            address,
            asked,
            _task: task,
        }
    }

    /// Returns the names it was asked for, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.clone()
    }
}

fn answer(zone: &Zone, query: &[u8], log: &Mutex<Vec<String>>) -> Option<Vec<u8>> {
    let query = Packet::parse(query).ok()?;
    let question = query.questions.first()?.clone();
    let name = question.qname.to_string();
    log.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(name.clone());
    let data = match question.qtype {
        QTYPE::TYPE(TYPE::SRV) => zone.servers.get(name.as_str()).map(|(host, port)| {
            RData::SRV(SRV {
                priority: 0,
                weight: 0,
                port: *port,
                target: Name::new_unchecked(host),
            })
        }),
        _ => zone
            .texts
            .get(name.as_str())
            .map(|text| RData::TXT(TXT::new().with_string(text).expect("a short text"))),
    };
    let mut reply = Packet::new_reply(query.id());
    let record = |data| ResourceRecord::new(question.qname.clone(), CLASS::IN, 60, data);
    reply.answers = data.map(record).into_iter().collect();
    reply.questions.push(question);
    reply.build_bytes_vec().ok()
}
