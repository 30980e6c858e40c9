//! Tests of certificates in requests, against encrypted servers on this machine.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ports::{EgressLog, Exchange};
use rcgen::{CertificateParams, KeyPair};
use reqwest::Method;
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use super::*;

const SOON: Duration = Duration::from_secs(10);

struct Uncounted;

impl EgressLog for Uncounted {
    fn note(&self, _: Exchange) {}
}

/// Servers with one self-signed certificate, for `localhost` and `nas.example`.
struct Own {
    acceptor: TlsAcceptor,
    fingerprint: Fingerprint,
    tasks: JoinSet<()>,
}

impl Own {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let names = ["localhost", "nas.example"].map(str::to_owned);
        let certificate = CertificateParams::new(names).unwrap();
        let certificate = certificate.self_signed(&key).unwrap().der().clone();
        let private = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], private)
            .unwrap();
        Self {
            acceptor: TlsAcceptor::from(Arc::new(config)),
            fingerprint: Fingerprint::of(&certificate),
            tasks: JoinSet::new(),
        }
    }

    /// Starts a server that redirects `/on` to a place and says `here` at all others. Returns its port.
    async fn serves(&mut self, place: String) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let acceptor = self.acceptor.clone();
        self.tasks.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A client that does not trust the certificate ends the connection.
                drop(answer(stream, &acceptor, &place).await);
            }
        });
        port
    }
}

async fn answer(stream: TcpStream, acceptor: &TlsAcceptor, place: &str) -> std::io::Result<()> {
    let mut stream = BufReader::new(acceptor.accept(stream).await?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await? == 0 {
            return Ok(());
        }
    }
    let reply = match head.starts_with("GET /on ") {
        true => format!("302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n"),
        false => "200 OK\r\nContent-Length: 4\r\n\r\nhere".to_owned(),
    };
    let reply = format!(
        "HTTP/1.1 {}",
        reply.replacen("\r\n", "\r\nConnection: close\r\n", 1)
    );
    stream.write_all(reply.as_bytes()).await?;
    stream.shutdown().await
}

/// A client for which the name `nas.example` is on the public internet, at this machine.
fn client() -> NetClient {
    let names = PublicNames::of(
        Arc::new(|_| Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) })),
        |_| true,
    );
    let settings = NetSettings {
        proxy: ProxyChoice::None,
        ..NetSettings::default()
    };
    NetClient::with_names(settings, Arc::new(Uncounted), names, None)
}

fn get(url: &str, trusted: &[Fingerprint]) -> Outgoing {
    Outgoing {
        trusted: trusted.to_vec(),
        ..Outgoing::new(Method::GET, Url::parse(url).unwrap(), "a test")
    }
}

async fn fault(net: &NetClient, request: Outgoing) -> NetFault {
    let reply = net.send(request).await;
    reply.map(|reply| reply.status()).unwrap_err()
}

#[tokio::test]
async fn a_request_trusts_exactly_the_certificate_it_names() {
    let mut own = Own::new();
    let port = own.serves("/there".to_owned()).await;
    let net = client();
    let url = format!("https://localhost:{port}/");
    let NetFault::Untrusted {
        host,
        why,
        fingerprint,
    } = fault(&net, get(&url, &[])).await
    else {
        panic!("its certificate is not trusted");
    };
    assert_eq!(
        (host, &fingerprint),
        (format!("localhost:{port}"), &own.fingerprint)
    );
    assert!(why.contains("signed its certificate itself"), "{why}");
    let trusted = [fingerprint];
    for path in ["", "on"] {
        let reply = net
            .send(get(&format!("{url}{path}"), &trusted))
            .await
            .unwrap();
        assert_eq!(reply.bytes(SOON).await.unwrap(), "here", "{path}");
    }
    // Whoever does not name it does not trust it, even while such a connection is open.
    let again = fault(&net, get(&url, &[])).await;
    assert!(matches!(again, NetFault::Untrusted { .. }), "{again}");
    let other = Own::new().fingerprint;
    let NetFault::Untrusted { why, .. } = fault(&net, get(&url, &[other])).await else {
        panic!("it is another certificate");
    };
    assert!(why.ends_with("not the certificate that you trust"), "{why}");
}

#[tokio::test]
async fn trust_ends_at_the_port_and_host_of_the_request() {
    let mut own = Own::new();
    let other = own.serves(String::new()).await;
    for host in ["localhost", "nas.example"] {
        let first = own.serves(format!("https://{host}:{other}/")).await;
        let trusted = [own.fingerprint.clone()];
        let on = get(&format!("https://{host}:{first}/on"), &trusted);
        let net = client();
        let from = match host {
            "localhost" => AddressFrom::Person,
            _ => AddressFrom::Outside,
        };
        let stays = fault(&net, Outgoing { from, ..on }).await;
        assert!(matches!(stays, NetFault::Redirected { .. }), "{stays}");
    }
    let first = own.serves(format!("https://nas.example:{other}/")).await;
    let leaves = Outgoing {
        follow: Follow::Anywhere,
        from: AddressFrom::Outside,
        ..get(
            &format!("https://nas.example:{first}/on"),
            &[own.fingerprint.clone()],
        )
    };
    let NetFault::Untrusted { host, why, .. } = fault(&client(), leaves).await else {
        panic!("the other server is not trusted");
    };
    assert_eq!(host, format!("nas.example:{other}"));
    assert!(!why.contains("that you trust"), "{why}");
}

#[tokio::test]
async fn says_when_what_answers_does_not_encrypt() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            // The client may already have left.
            drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await);
        }
    });
    let plain = fault(&client(), get(&format!("https://localhost:{port}/"), &[])).await;
    let NetFault::Unreachable { why, .. } = &plain else {
        panic!("{plain}");
    };
    assert!(why.contains("does not encrypt"), "{why}");
}

#[test]
fn says_that_there_is_no_server_with_a_name() {
    let unknown = "failed to lookup address information: Name or service not known";
    let told = root_cause(&std::io::Error::other(unknown));
    assert_eq!(told, "there is no server with this name");
}
