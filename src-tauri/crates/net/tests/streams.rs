//! Tests of encrypted streams, against a server on this machine whose certificate comes from an authority made for the
//! test.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![expect(
    clippy::disallowed_methods,
    reason = "the server of a test runs beside it"
)]

use std::io::ErrorKind;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_domain::ports::{EgressLog, Exchange};
use adjutant_net::{
    AddressFrom, CertificateDer, Dial, NetClient, NetFault, NetSettings, NetStream, ProxyChoice,
    Security,
};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

#[derive(Default)]
struct Record(Mutex<Vec<Exchange>>);

impl EgressLog for Record {
    fn note(&self, exchange: Exchange) {
        self.0.lock().unwrap().push(exchange);
    }
}

/// A certificate authority, and a server's certificate for `localhost` and `mail.example`.
struct World {
    root: CertificateDer<'static>,
    acceptor: TlsAcceptor,
}

impl World {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        // Each authority has a name of its own.
        let named = format!("authority {:x?}", key.public_key_raw());
        params
            .distinguished_name
            .push(rcgen::DnType::CommonName, named.as_str());
        let root = params.self_signed(&key).unwrap().der().clone();
        let issuer = Issuer::new(params, key);
        let names = ["localhost", "mail.example"].map(str::to_owned);
        let server_key = KeyPair::generate().unwrap();
        let server = CertificateParams::new(names).unwrap();
        let server = server.signed_by(&server_key, &issuer).unwrap();
        Self {
            root,
            ..Self::of(server.der().clone(), &server_key)
        }
    }

    /// Creates a server with this certificate.
    fn of(certificate: CertificateDer<'static>, key: &KeyPair) -> Self {
        let private = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], private)
            .unwrap();
        Self {
            root: certificate,
            acceptor: TlsAcceptor::from(Arc::new(config)),
        }
    }

    fn client(&self, proxy: ProxyChoice) -> (NetClient, Arc<Record>) {
        let record = Arc::new(Record::default());
        let settings = NetSettings {
            proxy,
            roots: vec![self.root.clone()],
            ..NetSettings::default()
        };
        (NetClient::new(settings, record.clone()), record)
    }

    /// Starts a server that sends a greeting and echoes each line. After `STARTTLS` it continues encrypted.
    async fn server(&self, security: Security) -> (u16, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let acceptor = self.acceptor.clone();
        let task = tokio::spawn(async move {
            // A client may disconnect at any time; the server then serves the next one.
            while let Ok((stream, _)) = listener.accept().await {
                drop(talk(stream, &acceptor, security).await);
            }
        });
        (port, task)
    }
}

async fn talk(
    stream: TcpStream,
    acceptor: &TlsAcceptor,
    security: Security,
) -> std::io::Result<()> {
    let stream = if security == Security::StartTls {
        let mut plain = BufReader::new(stream);
        plain.write_all(b"* OK\r\n").await?;
        let mut line = String::new();
        plain.read_line(&mut line).await?;
        plain.write_all(b"* go on\r\n").await?;
        plain.into_inner()
    } else {
        stream
    };
    let mut encrypted = BufReader::new(acceptor.accept(stream).await?);
    encrypted.write_all(b"* hello\r\n").await?;
    let mut line = String::new();
    while encrypted.read_line(&mut line).await? > 0 {
        encrypted.write_all(line.as_bytes()).await?;
        line.clear();
    }
    Ok(())
}

fn dial(host: &str, port: u16, security: Security) -> Dial {
    Dial::new(host, port, security, "mail of a test")
}

async fn line(stream: &mut NetStream) -> std::io::Result<String> {
    let mut line = Vec::new();
    while !line.ends_with(b"\n") {
        line.push(stream.read_u8().await?);
    }
    Ok(String::from_utf8(line).unwrap())
}

fn fault(opened: Result<NetStream, NetFault>) -> NetFault {
    opened.map(drop).unwrap_err()
}

#[tokio::test]
async fn encrypts_a_stream_from_its_first_byte_and_counts_it() {
    let world = World::new();
    let (port, _server) = world.server(Security::Tls).await;
    let (net, record) = world.client(ProxyChoice::None);
    let mut stream = net
        .open(dial("localhost", port, Security::Tls))
        .await
        .unwrap();
    assert!(stream.is_encrypted());
    assert_eq!(line(&mut stream).await.unwrap(), "* hello\r\n");
    stream.write_all(b"a1 NOOP\r\n").await.unwrap();
    stream.flush().await.unwrap();
    assert_eq!(line(&mut stream).await.unwrap(), "a1 NOOP\r\n");
    drop(stream);
    let noted = record.0.lock().unwrap();
    assert_eq!(noted.len(), 1);
    assert_eq!((noted[0].bytes_out, noted[0].bytes_in), (9, 18));
    assert_eq!(noted[0].host, format!("localhost:{port}"));
    assert_eq!(
        (noted[0].why.as_str(), noted[0].loopback),
        ("mail of a test", true)
    );
}

#[tokio::test]
async fn upgrades_a_stream_once_the_protocol_agreed() {
    let world = World::new();
    let (port, _server) = world.server(Security::StartTls).await;
    let (net, record) = world.client(ProxyChoice::None);
    let opened = net.open(dial("localhost", port, Security::StartTls));
    let mut stream = opened.await.unwrap();
    assert!(!stream.is_encrypted());
    assert_eq!(line(&mut stream).await.unwrap(), "* OK\r\n");
    stream.write_all(b"a1 STARTTLS\r\n").await.unwrap();
    assert_eq!(line(&mut stream).await.unwrap(), "* go on\r\n");
    let mut stream = stream.start_tls().await.unwrap();
    assert!(stream.is_encrypted());
    assert_eq!(line(&mut stream).await.unwrap(), "* hello\r\n");
    drop(stream);
    assert_eq!(record.0.lock().unwrap().len(), 1, "one stream, one entry");
}

#[tokio::test]
async fn refuses_untrusted_certificates_and_wrong_names() {
    let world = World::new();
    let (port, _server) = world.server(Security::Tls).await;
    let (net, _) = world.client(ProxyChoice::None);
    let other = fault(net.open(dial("127.0.0.1", port, Security::Tls)).await);
    assert_eq!(
        other.to_string(),
        format!(
            "127.0.0.1:{port} could not prove its identity: its certificate is for localhost, mail.example and not for 127.0.0.1"
        )
    );
    let stranger = World::new();
    let (net, _) = stranger.client(ProxyChoice::None);
    let unknown = fault(net.open(dial("localhost", port, Security::Tls)).await);
    let NetFault::Untrusted {
        why, fingerprint, ..
    } = unknown
    else {
        panic!("{unknown}");
    };
    assert_eq!(
        why,
        "its certificate comes from an authority that this computer does not know"
    );
    // The person trusts exactly this certificate for this server.
    let mut trusting = dial("localhost", port, Security::Tls);
    trusting.trusted = vec![fingerprint.clone()];
    let mut stream = net.open(trusting.clone()).await.unwrap();
    assert_eq!(line(&mut stream).await.unwrap(), "* hello\r\n");
    let (port, _other_server) = World::new().server(Security::Tls).await;
    let again = fault(net.open(Dial { port, ..trusting }).await);
    let NetFault::Untrusted {
        why,
        fingerprint: other,
        ..
    } = again
    else {
        panic!("{again}");
    };
    assert!(
        why.ends_with("and it is not the certificate that you trust"),
        "{why}"
    );
    assert_ne!(other, fingerprint);
}

#[tokio::test]
async fn says_what_is_wrong_with_a_certificate() {
    let (net, _) = World::new().client(ProxyChoice::None);
    let day = |year| rcgen::date_time_ymd(year, 1, 31);
    let key = KeyPair::generate().unwrap();
    let with = |change: &dyn Fn(&mut CertificateParams)| {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        change(&mut params);
        params.self_signed(&key).unwrap().der().clone()
    };
    let itself = "it has signed its certificate itself, and no authority vouches for it";
    let plain = with(&|_| ());
    let as_authority = with(&|params| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained));
    let expired = with(&|params| params.not_after = day(2020));
    let early = with(&|params| params.not_before = day(2990));
    for (certificate, roots, why) in [
        (&plain, vec![], itself),
        (&as_authority, vec![], itself),
        (
            &expired,
            vec![expired.clone()],
            "its certificate expired on 2020-01-31",
        ),
        (
            &early,
            vec![early.clone()],
            "its certificate is valid from 2990-01-31 on, if the clock of this computer is right",
        ),
    ] {
        let world = World::of(certificate.clone(), &key);
        let (port, _server) = world.server(Security::Tls).await;
        let net = match roots.is_empty() {
            true => net.clone(),
            false => {
                let settings = NetSettings {
                    roots,
                    ..NetSettings::default()
                };
                NetClient::new(settings, Arc::new(Record::default()))
            }
        };
        let said = fault(net.open(dial("localhost", port, Security::Tls)).await);
        assert!(
            matches!(&said, NetFault::Untrusted { why: said, .. } if said == why),
            "{said}"
        );
    }
}

#[tokio::test]
async fn limits_size_and_time_of_a_stream() {
    let world = World::new();
    let (port, _server) = world.server(Security::Tls).await;
    let (net, _) = world.client(ProxyChoice::None);
    let mut small = dial("localhost", port, Security::Tls);
    small.received_bytes_max = 4;
    let mut stream = net.open(small).await.unwrap();
    let error = stream.read(&mut [0; 64]).await.unwrap_err();
    let large = error.into_inner().unwrap().downcast::<NetFault>().unwrap();
    assert!(
        matches!(*large, NetFault::TooLarge { limit_bytes: 4, .. }),
        "{large}"
    );
    drop(stream);

    let mut short = dial("localhost", port, Security::Tls);
    short.idle = Duration::from_millis(100);
    let mut stream = net.open(short).await.unwrap();
    line(&mut stream).await.unwrap();
    let error = stream.read(&mut [0; 64]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TimedOut);

    // This server accepts the connection and sends nothing, so the handshake must time out.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let mut waiting = dial("localhost", port, Security::Tls);
    waiting.within = Duration::from_millis(100);
    let late = fault(net.open(waiting).await);
    assert!(matches!(late, NetFault::TimedOut { .. }), "{late}");
}

#[tokio::test]
async fn offline_and_outside_addresses_apply_to_streams_too() {
    let world = World::new();
    let (port, _server) = world.server(Security::Tls).await;
    let record = Arc::new(Record::default());
    let settings = NetSettings {
        offline: true,
        roots: vec![world.root.clone()],
        ..NetSettings::default()
    };
    let offline = NetClient::new(settings, record.clone());
    let refused = fault(offline.open(dial("mail.example", 993, Security::Tls)).await);
    assert!(matches!(refused, NetFault::Offline { .. }), "{refused}");
    let (net, record) = world.client(ProxyChoice::None);
    for host in [
        "localhost",
        "127.0.0.1",
        "::1",
        "192.168.1.1",
        "::ffff:127.0.0.1",
    ] {
        let mut found = dial(host, port, Security::Tls);
        found.from = AddressFrom::Outside;
        let refused = fault(net.open(found).await);
        assert!(
            matches!(refused, NetFault::NotPublic { .. }),
            "{host}: {refused}"
        );
    }
    for wrong in ["", "mail example", "mail.example/path"] {
        let refused = fault(net.open(dial(wrong, port, Security::Tls)).await);
        assert!(
            matches!(refused, NetFault::Malformed { .. }),
            "{wrong}: {refused}"
        );
    }
    assert!(record.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_remote_stream_uses_the_proxy() {
    let world = World::new();
    let (port, _server) = world.server(Security::Tls).await;
    let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = proxy.local_addr().unwrap();
    // Connects every client to the server of this test, and reports the requested address.
    let proxying = tokio::spawn(async move {
        let (stream, _) = proxy.accept().await.unwrap();
        let mut client = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(client.read_line(&mut head).await.unwrap() > 0);
        }
        client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        let mut server = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        drop(tokio::io::copy_bidirectional(&mut client, &mut server).await);
        head
    });
    let choice = ProxyChoice::parse(&format!("http://me:s3cret@{address}"), "").unwrap();
    let (net, record) = world.client(choice);
    let mut stream = net
        .open(dial("mail.example", 993, Security::Tls))
        .await
        .unwrap();
    assert_eq!(line(&mut stream).await.unwrap(), "* hello\r\n");
    drop(stream);
    let head = proxying.await.unwrap();
    assert!(
        head.starts_with("CONNECT mail.example:993 HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(
        head.to_lowercase().contains("proxy-authorization: basic"),
        "{head}"
    );
    assert!(!record.0.lock().unwrap()[0].loopback);
}
