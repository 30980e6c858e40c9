//! Tests of calendars by URL, against a server on this machine that simulates real servers.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use adjutant_accounts::{Access, Attempted, SetUpFault, connect, set_up};
use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::operation::{RemoteFault, RemoteId};
use adjutant_domain::ports::{
    Backends, Clock, EgressLog, Entropy, Exchange, PullFault, Pulled, PulledWhat, Sink,
};
use adjutant_net::{NetClient, NetFault, NetSettings};
use adjutant_testkit::{FixedClock, SeededEntropy};
use async_trait::async_trait;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

#[expect(dead_code, reason = "the files of the certificate are for Dovecot")]
#[path = "imap/certificate.rs"]
mod certificate;

struct Uncounted;

fn problem(fault: &SetUpFault) -> adjutant_accounts::Problem {
    adjutant_accounts::problem(fault, Attempted::Connecting)
}

impl EgressLog for Uncounted {
    fn note(&self, _: Exchange) {}
}

fn access(address: &str) -> Access {
    access_of(address, NetSettings::default())
}

fn access_of(address: &str, settings: NetSettings) -> Access {
    let clock: Arc<dyn Clock> = Arc::new(FixedClock(
        "2026-01-12T12:00:00+01:00[Europe/Paris]".parse().unwrap(),
    ));
    let entropy: Arc<dyn Entropy> = Arc::new(SeededEntropy::new(7));
    Access {
        account: "acc_1".into(),
        settings: BTreeMap::new(),
        secrets: BTreeMap::from([("private_address".into(), address.to_owned().into())]),
        keeper: None,
        net: NetClient::new(settings, Arc::new(Uncounted)),
        clock,
        entropy,
    }
}

fn backends(address: &str) -> Backends {
    connect("ics", access(address)).unwrap().unwrap()
}

/// Builds a calendar with these titles, which also serve as UIDs.
fn calendar(titles: &[&str]) -> String {
    let events = titles.iter().map(|title| {
        format!(
            "BEGIN:VEVENT\r\nUID:{title}\r\nDTSTART:20260115T090000Z\r\nDTEND:20260115T100000Z\r\nSUMMARY:{title}\r\nEND:VEVENT\r\n"
        )
    });
    let events: String = events.collect();
    format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Town\\, events\r\n{events}END:VCALENDAR\r\n"
    )
}

async fn serves(server: &MockServer, reply: ResponseTemplate) {
    server.reset().await;
    Mock::given(method("GET"))
        .and(path("/town.ics"))
        .respond_with(reply)
        .mount(server)
        .await;
}

fn at(server: &MockServer) -> String {
    format!("{}/town.ics", server.uri())
}

/// Collects the names of what was read.
#[derive(Default)]
struct Names(Mutex<Vec<String>>);

#[async_trait]
impl Sink for Names {
    async fn take(&mut self, page: Vec<Pulled>) -> Result<(), StoreFault> {
        for pulled in page {
            assert!(matches!(pulled.what, PulledWhat::There { .. }));
            self.0.lock().unwrap().push(pulled.remote_id.0);
        }
        Ok(())
    }
}

async fn pull(
    backends: &Backends,
    cursor: Option<Cursor>,
) -> (Result<Cursor, PullFault>, Vec<String>) {
    let collection = Collection {
        id: "col_1".into(),
        account: "acc_1".into(),
        kind: CollectionKind::Calendar,
        remote_id: Some(RemoteId("calendar".into())),
        name: "Town".into(),
        colour: None,
        writable: false,
        preferred: false,
        cursor,
    };
    let mut names = Names::default();
    let read = backends.pull(&collection, &mut names).await;
    (read, names.0.into_inner().unwrap())
}

#[tokio::test]
async fn reads_the_whole_calendar_and_again_only_if_it_changed() {
    let server = MockServer::start().await;
    let first = ResponseTemplate::new(200)
        .insert_header("etag", "\"1\"")
        .set_body_string(calendar(&["a", "b"]));
    serves(&server, first).await;
    let backends = backends(&at(&server));
    let (cursor, names) = pull(&backends, None).await;
    let cursor = cursor.unwrap();
    assert_eq!(names, ["a", "b"]);
    // The server reports that it has not changed.
    server.reset().await;
    Mock::given(header("if-none-match", "\"1\""))
        .respond_with(ResponseTemplate::new(304))
        .expect(1)
        .mount(&server)
        .await;
    let (again, names) = pull(&backends, Some(cursor.clone())).await;
    assert_eq!((again.unwrap(), names), (cursor.clone(), vec![]));
    server.verify().await;
    // The server sends it again, unchanged.
    serves(
        &server,
        ResponseTemplate::new(200).set_body_string(calendar(&["a", "b"])),
    )
    .await;
    let (again, _) = pull(&backends, Some(cursor.clone())).await;
    assert_eq!(again.unwrap(), cursor);
    // It has changed, so it is fetched once and read completely.
    serves(
        &server,
        ResponseTemplate::new(200).set_body_string(calendar(&["b", "c"])),
    )
    .await;
    let (again, names) = pull(&backends, Some(cursor)).await;
    assert_eq!((again, names), (Err(PullFault::CursorRefused), vec![]));
    let (again, names) = pull(&backends, None).await;
    assert!(again.is_ok());
    assert_eq!(names, ["b", "c"]);
    assert_eq!(server.received_requests().await.unwrap().len(), 1);
}

#[tokio::test]
async fn reports_what_is_not_a_calendar_and_delivers_nothing() {
    let server = MockServer::start().await;
    let whole = calendar(&["a", "b"]);
    for (body, says) in [
        (
            "<!doctype html><title>Sign in</title>".to_owned(),
            "web page",
        ),
        ("\u{0}\u{1}garbage".to_owned(), "not a calendar"),
        (String::new(), "not a calendar"),
        (whole[..whole.len() - 30].to_owned(), "cut off"),
    ] {
        serves(&server, ResponseTemplate::new(200).set_body_string(body)).await;
        let (read, names) = pull(&backends(&at(&server)), None).await;
        let Err(PullFault::Remote(RemoteFault::Refused { what })) = &read else {
            panic!("{says}: {read:?}");
        };
        assert!(what.contains(says), "{what}");
        assert!(names.is_empty());
        let found = set_up("ics", access(&at(&server))).await.unwrap();
        assert!(problem(&found.unwrap_err()).what.contains(says));
    }
    for (status, expected) in [
        (404, RemoteFault::Gone),
        (410, RemoteFault::Gone),
        (
            429,
            RemoteFault::Limited {
                retry_after_seconds: Some(60),
            },
        ),
    ] {
        let reply = ResponseTemplate::new(status).insert_header("retry-after", "60");
        serves(&server, reply).await;
        let (read, _) = pull(&backends(&at(&server)), None).await;
        assert_eq!(read, Err(PullFault::Remote(expected)), "{status}");
    }
    for status in [401, 403, 500] {
        serves(&server, ResponseTemplate::new(status)).await;
        let (read, _) = pull(&backends(&at(&server)), None).await;
        let told = matches!(&read, Err(PullFault::Remote(RemoteFault::Refused { what })) if what.contains(&status.to_string()));
        assert!(told, "{status}: {read:?}");
    }
    drop(server);
    let (read, _) = pull(&backends("http://127.0.0.1:9/town.ics"), None).await;
    assert_eq!(read, Err(PullFault::Remote(RemoteFault::Unreachable)));
}

#[tokio::test]
async fn gives_up_on_an_endless_reply() {
    let server = MockServer::start().await;
    let huge = format!("BEGIN:VCALENDAR\r\n{}", "X-A:B\r\n".repeat(5 * 1024 * 1024));
    serves(&server, ResponseTemplate::new(200).set_body_string(huge)).await;
    let found = set_up("ics", access(&at(&server))).await.unwrap();
    let told = problem(&found.unwrap_err());
    assert!(told.what.contains("larger than"), "{told:?}");
    // A redirect loop.
    let on = ResponseTemplate::new(302).insert_header("location", at(&server).as_str());
    serves(&server, on).await;
    let found = set_up("ics", access(&at(&server))).await.unwrap();
    let told = problem(&found.unwrap_err());
    assert!(told.what.contains("not followed"), "{told:?}");
    assert!(server.received_requests().await.unwrap().len() <= 6);
}

#[tokio::test]
async fn takes_the_calendars_own_name_and_keeps_its_address_secret() {
    let server = MockServer::start().await;
    serves(
        &server,
        ResponseTemplate::new(200).set_body_string(calendar(&["a"])),
    )
    .await;
    let found = set_up("ics", access(&at(&server))).await.unwrap().unwrap();
    assert_eq!(found.label, "Town, events");
    let kept = format!("{:?}", found.settings);
    assert!(
        kept.contains("127.0.0.1") && !kept.contains("town.ics"),
        "{kept}"
    );
    // A public calendar needs no keyring.
    let mut public = access("");
    public.secrets.clear();
    public.settings.insert("address".into(), at(&server));
    let found = set_up("ics", public.clone()).await.unwrap().unwrap();
    assert_eq!(found.settings.get("address"), Some(&at(&server)));
    assert!(connect("ics", public).unwrap().is_ok());
}

#[tokio::test]
async fn an_unusable_address_is_a_fault_of_its_field() {
    for wrong in [
        "",
        "  ",
        "not an address",
        "ftp://example.org/a.ics",
        "http://example.org/a.ics",
        "file:///etc/passwd",
    ] {
        let fault = connect("ics", access(wrong)).unwrap().unwrap_err();
        let of_field = matches!(
            fault,
            SetUpFault::Field {
                field: "address",
                ..
            }
        );
        assert!(of_field, "{wrong}: {fault:?}");
    }
    for right in [
        "https://example.org/a.ics",
        "webcal://example.org/a.ics",
        "WEBCAL://e.org/",
    ] {
        assert!(connect("ics", access(right)).unwrap().is_ok(), "{right}");
    }
    let offline = NetSettings {
        offline: true,
        ..NetSettings::default()
    };
    let asked = set_up("ics", access_of("webcal://example.org/a.ics", offline)).await;
    assert_eq!(
        problem(&asked.unwrap().unwrap_err()).what,
        "Adjutant was started offline."
    );
}

/// Serves a calendar with a certificate whose authority nobody knows. Returns its address.
async fn serves_encrypted(titles: &[&str], tasks: &mut JoinSet<()>) -> String {
    let acceptor = certificate::Certificate::of("localhost").acceptor;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let text = calendar(titles);
    let length = text.len();
    let reply =
        format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{text}");
    tasks.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Whoever does not trust the certificate ends the connection.
            let Ok(mut stream) = acceptor.accept(stream).await else {
                continue;
            };
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                match stream.read_u8().await {
                    Ok(byte) => head.push(byte),
                    Err(_) => break,
                }
            }
            drop(stream.write_all(reply.as_bytes()).await);
            drop(stream.shutdown().await);
        }
    });
    format!("https://localhost:{port}/town.ics")
}

#[tokio::test]
async fn trusts_the_certificate_that_the_person_names() {
    let mut tasks = JoinSet::new();
    let address = serves_encrypted(&["a"], &mut tasks).await;
    let fault = set_up("ics", access(&address)).await.unwrap().unwrap_err();
    let told = problem(&fault);
    let SetUpFault::Net(NetFault::Untrusted { fingerprint, .. }) = fault else {
        panic!("{fault:?}");
    };
    let fingerprint = fingerprint.to_string();
    assert!(
        told.next.contains(&format!("--trust {fingerprint}")),
        "{told:?}"
    );
    let mut trusting = access(&address);
    let named = ("certificate".to_owned(), fingerprint.clone());
    trusting.settings.extend([named]);
    let found = set_up("ics", trusting.clone()).await.unwrap().unwrap();
    assert_eq!(found.settings["certificate"], fingerprint);
    trusting.settings = found.settings;
    let (read, names) = pull(&connect("ics", trusting).unwrap().unwrap(), None).await;
    assert!(read.is_ok());
    assert_eq!(names, ["a"]);
    // An account without it is not read.
    let (read, _) = pull(&backends(&address), None).await;
    let is_told = matches!(&read, Err(PullFault::Remote(RemoteFault::Untrusted { fingerprint: told, .. })) if *told == fingerprint);
    assert!(is_told, "{read:?}");
}
