//! Tests with addresses from outside, against a server on this machine that stands in for the public internet.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_domain::ports::{EgressLog, Exchange};
use reqwest::header::HeaderValue;
use wiremock::matchers::path;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;
use crate::client::NetSettings;
use crate::names::PublicNames;
use crate::proxy::ProxyChoice;

/// Stands in for a public address; the servers of these tests have it.
const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// Stands in for an address in the local network.
const PRIVATE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

#[derive(Default)]
struct Record(Mutex<Vec<Exchange>>);

impl EgressLog for Record {
    fn note(&self, exchange: Exchange) {
        self.0.lock().unwrap().push(exchange);
    }
}

impl Record {
    fn hosts(&self) -> Vec<String> {
        let noted = self.0.lock().unwrap();
        noted.iter().map(|one| one.host.clone()).collect()
    }
}

/// Creates a client whose names `lookup` resolves. It gets the name and the number of the query.
fn client(
    proxy: ProxyChoice,
    lookup: fn(&str, usize) -> Vec<IpAddr>,
) -> (NetClient, Arc<Record>, Arc<AtomicUsize>) {
    let (record, asked) = (Arc::new(Record::default()), Arc::new(AtomicUsize::new(0)));
    let counted = asked.clone();
    let names = PublicNames::of(
        Arc::new(move |name| {
            let found = lookup(&name, counted.fetch_add(1, Ordering::SeqCst));
            Box::pin(async move { Ok(found) })
        }),
        |address| address == PUBLIC,
    );
    let settings = NetSettings {
        proxy,
        ..NetSettings::default()
    };
    let net = NetClient::with_names(settings, record.clone(), names, None);
    (net, record, asked)
}

fn outside(url: &str) -> Outgoing {
    Outgoing {
        from: AddressFrom::Outside,
        follow: Follow::Anywhere,
        ..Outgoing::new(Method::GET, Url::parse(url).unwrap(), "a page")
    }
}

async fn page(server: &MockServer, at: &str, reply: ResponseTemplate) {
    Mock::given(path(at))
        .respond_with(reply)
        .mount(server)
        .await;
}

fn to(place: &str, status: u16) -> ResponseTemplate {
    ResponseTemplate::new(status).insert_header("location", place)
}

async fn fault(net: &NetClient, request: Outgoing) -> NetFault {
    let reply = net.send(request).await;
    reply.map(|reply| reply.status()).unwrap_err()
}

#[tokio::test]
async fn never_contacts_an_address_that_is_not_public() {
    let server = MockServer::start().await;
    let port = server.address().port();
    let record = Arc::new(Record::default());
    let net = NetClient::new(NetSettings::default(), record.clone());
    for host in [
        "127.0.0.1",
        "localhost",
        "models.localhost",
        "0.0.0.0",
        "2130706433",
        "0x7f.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "255.255.255.255",
        "[::]",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[fe80::1]",
        "[fd00::1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
    ] {
        let refused = fault(&net, outside(&format!("http://{host}:{port}/"))).await;
        assert!(
            matches!(refused, NetFault::NotPublic { .. }),
            "{host}: {refused}"
        );
    }
    assert!(record.hosts().is_empty());
    assert!(server.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn uses_only_the_public_addresses_of_a_name() {
    let server = MockServer::start().await;
    page(&server, "/", ResponseTemplate::new(200)).await;
    let port = server.address().port();
    let (net, record, _) = client(ProxyChoice::None, |name, _| match name {
        "inside.example" => vec![PRIVATE],
        "both.example" => vec![PRIVATE, PUBLIC],
        _ => vec![PUBLIC],
    });
    let refused = fault(&net, outside(&format!("http://inside.example:{port}/"))).await;
    assert!(matches!(refused, NetFault::NotPublic { .. }), "{refused}");
    assert!(record.hosts().is_empty());
    for name in ["both.example", "page.example"] {
        let reply = net.send(outside(&format!("http://{name}:{port}/"))).await;
        assert_eq!(reply.unwrap().status(), 200, "{name}");
    }
}

#[tokio::test]
async fn resolves_a_name_once_per_exchange_and_again_per_redirect() {
    let server = MockServer::start().await;
    let port = server.address().port();
    page(&server, "/", ResponseTemplate::new(200)).await;
    // The answer changes after the first query, as in DNS rebinding.
    let (net, _, asked) = client(ProxyChoice::None, |_, question| {
        vec![if question == 0 { PUBLIC } else { PRIVATE }]
    });
    let reply = net
        .send(outside(&format!("http://page.example:{port}/")))
        .await;
    assert_eq!(reply.unwrap().status(), 200);
    assert_eq!(asked.load(Ordering::SeqCst), 1);

    let away = to(&format!("http://other.example:{port}/"), 302);
    page(&server, "/away", away).await;
    let (net, record, asked) = client(ProxyChoice::None, |_, question| {
        vec![if question == 0 { PUBLIC } else { PRIVATE }]
    });
    let refused = fault(&net, outside(&format!("http://page.example:{port}/away"))).await;
    assert!(matches!(refused, NetFault::NotPublic { .. }), "{refused}");
    assert_eq!(asked.load(Ordering::SeqCst), 2);
    assert_eq!(record.hosts(), [format!("page.example:{port}")]);
}

#[tokio::test]
async fn a_redirect_never_leads_into_the_local_network() {
    // The proxy stands in for the internet: every host reached through it answers with a redirect.
    let proxy = MockServer::start().await;
    let choice = ProxyChoice::parse(&proxy.uri(), "").unwrap();
    for (at, place) in [
        ("/a", "http://192.168.1.1/admin"),
        ("/b", "http://127.0.0.1:11434/"),
        ("/c", "http://localhost:11434/"),
        ("/d", "http://[::ffff:10.0.0.1]/"),
        ("/e", "http://169.254.169.254/latest/meta-data"),
    ] {
        page(&proxy, at, to(place, 302)).await;
        let settings = NetSettings {
            proxy: choice.clone(),
            ..NetSettings::default()
        };
        let net = NetClient::new(settings, Arc::new(Record::default()));
        for from in [AddressFrom::Person, AddressFrom::Outside] {
            let mut request = outside(&format!("http://page.example{at}"));
            request.from = from;
            let refused = fault(&net, request).await;
            assert!(
                matches!(refused, NetFault::NotPublic { .. }),
                "{place}: {refused}"
            );
        }
    }
}

#[tokio::test]
async fn sends_no_secret_to_another_server() {
    let proxy = MockServer::start().await;
    page(&proxy, "/away", to("http://other.example/here", 302)).await;
    page(&proxy, "/post", to("http://other.example/here", 307)).await;
    page(&proxy, "/here", ResponseTemplate::new(200)).await;
    let choice = ProxyChoice::parse(&proxy.uri(), "").unwrap();
    let (net, record, _) = client(choice, |_, _| Vec::new());
    let mut request = outside("http://me:s3cret@page.example/away");
    let mut key = HeaderValue::from_static("Bearer key");
    key.set_sensitive(true);
    request.headers.insert("authorization", key);
    request
        .headers
        .insert("accept", HeaderValue::from_static("text/html"));
    assert_eq!(net.send(request).await.unwrap().status(), 200);
    let asked = proxy.received_requests().await.unwrap();
    assert_eq!(asked[0].headers["authorization"], "Bearer key");
    assert_eq!(asked[1].headers.get("authorization"), None);
    assert_eq!(asked[1].headers["accept"], "text/html");
    assert_eq!(record.hosts(), ["page.example", "other.example"]);

    let mut request = outside("http://page.example/post");
    request.method = Method::POST;
    request.body = Some("a letter".into());
    let refused = fault(&net, request).await;
    assert!(matches!(refused, NetFault::Redirected { .. }), "{refused}");
    let mut request = outside("http://page.example/away");
    request.follow = Follow::SameOrigin;
    let refused = fault(&net, request).await;
    assert!(matches!(refused, NetFault::Redirected { .. }), "{refused}");
}

#[tokio::test]
async fn limits_redirects_and_keeps_encryption() {
    let proxy = MockServer::start().await;
    page(&proxy, "/round", to("/round", 302)).await;
    let choice = ProxyChoice::parse(&proxy.uri(), "").unwrap();
    let (net, record, _) = client(choice, |_, _| Vec::new());
    let whole = tokio::time::timeout(
        Duration::from_secs(20),
        fault(&net, outside("http://page.example/round")),
    );
    let refused = whole.await.unwrap();
    assert!(matches!(refused, NetFault::Redirected { .. }), "{refused}");
    assert_eq!(record.hosts().len(), REDIRECTS_MAX + 1);
    let hop = |place: &str| {
        let request = outside("https://page.example/");
        let first = request.url.clone();
        Hop::of(&request).on(place, StatusCode::FOUND, &first)
    };
    assert!(hop("http://page.example/").is_none());
    assert!(hop("ftp://page.example/").is_none());
    assert!(hop("https://other.example/").is_some());
}
