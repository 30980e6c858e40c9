//! Tests of what the door lets through, against servers on this machine.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_domain::ports::{EgressLog, Exchange};
use adjutant_net::{
    Bytes, Follow, HeaderValue, Incoming, Method, NetClient, NetFault, NetSettings, Outgoing,
    ProxyChoice, Url,
};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

#[derive(Default)]
struct Record(Mutex<Vec<Exchange>>);

impl EgressLog for Record {
    fn note(&self, exchange: Exchange) {
        self.0.lock().unwrap().push(exchange);
    }
}

fn client(offline: bool, proxy: ProxyChoice) -> (NetClient, Arc<Record>) {
    let record = Arc::new(Record::default());
    let log = Arc::clone(&record) as Arc<dyn EgressLog>;
    let settings = NetSettings {
        offline,
        proxy,
        ..NetSettings::default()
    };
    (NetClient::new(settings, log), record)
}

fn get(url: &str) -> Outgoing {
    Outgoing::new(Method::GET, Url::parse(url).unwrap(), "a test")
}

fn fault(reply: Result<Incoming, NetFault>) -> NetFault {
    reply.map(|reply| reply.status()).unwrap_err()
}

const SOON: Duration = Duration::from_secs(10);

async fn page(server: &MockServer, at: &str, reply: ResponseTemplate) {
    Mock::given(path(at))
        .respond_with(reply)
        .mount(server)
        .await;
}

#[tokio::test]
async fn offline_contacts_only_this_machine() {
    let server = MockServer::start().await;
    page(
        &server,
        "/here",
        ResponseTemplate::new(200).set_body_string("here"),
    )
    .await;
    let (net, record) = client(true, ProxyChoice::System);
    let port = server.address().port();
    for host in ["127.0.0.1", "localhost", "models.localhost"] {
        let reply = net
            .send(get(&format!("http://{host}:{port}/here")))
            .await
            .unwrap();
        assert_eq!(reply.bytes(SOON).await.unwrap(), "here");
    }
    record.0.lock().unwrap().clear();
    for url in [
        "https://api.openai.com/v1/models",
        "http://192.0.2.1/",
        "http://localhost.example.com/",
        "http://[2001:db8::1]/",
    ] {
        let fault = fault(net.send(get(url)).await);
        assert!(matches!(fault, NetFault::Offline { .. }), "{url}: {fault}");
    }
    assert!(record.0.lock().unwrap().is_empty(), "nothing left");
}

#[tokio::test]
async fn a_redirect_leads_neither_away_from_this_machine_nor_to_another_port() {
    let server = MockServer::start().await;
    let other = MockServer::start().await;
    let away = |to: &str| ResponseTemplate::new(307).insert_header("location", to);
    page(&server, "/world", away("https://example.com/")).await;
    page(&server, "/other", away(&format!("{}/stolen", other.uri()))).await;
    page(&server, "/same", away("/end")).await;
    page(&server, "/end", ResponseTemplate::new(200)).await;
    page(&server, "/loop", away("/loop")).await;
    for offline in [true, false] {
        let (net, _) = client(offline, ProxyChoice::None);
        for follow in [Follow::SameOrigin, Follow::Anywhere] {
            for to in ["/world", "/other", "/loop"] {
                let mut request = get(&format!("{}{to}", server.uri()));
                request.follow = follow;
                request
                    .headers
                    .insert("x-api-key", HeaderValue::from_static("secret"));
                let fault = fault(net.send(request).await);
                assert!(
                    matches!(fault, NetFault::Redirected { .. }),
                    "{to}: {fault}"
                );
            }
        }
        let reply = net
            .send(get(&format!("{}/same", server.uri())))
            .await
            .unwrap();
        assert_eq!(reply.status(), 200);
    }
    assert!(other.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_redirect_itself_can_be_read() {
    let server = MockServer::start().await;
    let away = ResponseTemplate::new(302)
        .insert_header("location", "https://example.com/")
        .insert_header("x-linked-size", "5");
    page(&server, "/away", away).await;
    let (net, _) = client(true, ProxyChoice::None);
    let mut request = get(&format!("{}/away", server.uri()));
    request.follow = Follow::Nowhere;
    let reply = net.send(request).await.unwrap();
    assert_eq!(reply.status(), 302);
    assert_eq!(reply.headers()["x-linked-size"], "5");
}

#[tokio::test]
async fn counts_an_exchange_once_however_it_ends() {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .respond_with(ResponseTemplate::new(500).set_body_bytes(vec![7; 1000]))
        .mount(&server)
        .await;
    let (net, record) = client(false, ProxyChoice::System);
    let ask = || Outgoing {
        body: Some(Bytes::from(vec![1; 300])),
        ..Outgoing::new(Method::POST, Url::parse(&server.uri()).unwrap(), "a model")
    };
    net.send(ask()).await.unwrap().bytes(SOON).await.unwrap();
    drop(net.send(ask()).await.unwrap());
    let noted = std::mem::take(&mut *record.0.lock().unwrap());
    assert_eq!(noted.len(), 2);
    let host = format!("127.0.0.1:{}", server.address().port());
    assert_eq!(
        (noted[0].host.as_str(), noted[0].why.as_str()),
        (host.as_str(), "a model")
    );
    assert!((300..400).contains(&noted[0].bytes_out), "{noted:?}");
    assert_eq!((noted[0].bytes_in, noted[1].bytes_in), (1000, 0));
    assert!(noted[0].loopback);
    // Nothing listens on this port, so nothing was sent.
    let refused = fault(net.send(get("http://127.0.0.1:1/")).await);
    assert_eq!(
        refused.to_string(),
        "127.0.0.1 does not accept connections on port 1"
    );
    assert!(record.0.lock().unwrap().is_empty());
}

#[tokio::test]
async fn limits_size_and_time_of_a_reply() {
    let server = MockServer::start().await;
    page(
        &server,
        "/big",
        ResponseTemplate::new(200).set_body_bytes(vec![0; 5000]),
    )
    .await;
    page(&server, "/late", ResponseTemplate::new(200).set_delay(SOON)).await;
    let (net, _) = client(false, ProxyChoice::System);
    let mut big = get(&format!("{}/big", server.uri()));
    big.reply_bytes_max = 4999;
    let fault_of_big = net.send(big).await.unwrap().bytes(SOON).await.unwrap_err();
    assert!(matches!(
        fault_of_big,
        NetFault::TooLarge {
            limit_bytes: 4999,
            ..
        }
    ));
    let mut late = get(&format!("{}/late", server.uri()));
    late.within = Duration::from_millis(50);
    assert!(matches!(
        fault(net.send(late).await),
        NetFault::TimedOut { .. }
    ));
}

#[tokio::test]
async fn uses_the_proxy_only_for_remote_hosts() {
    let proxy = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(200).set_body_string("proxied"))
        .mount(&proxy)
        .await;
    let local = MockServer::start().await;
    page(
        &local,
        "/",
        ResponseTemplate::new(200).set_body_string("direct"),
    )
    .await;
    let choice = ProxyChoice::parse(&proxy.uri(), "").unwrap();
    let (net, record) = client(false, choice);
    let far = net.send(get("http://models.invalid/v1")).await.unwrap();
    assert_eq!(far.bytes(SOON).await.unwrap(), "proxied");
    let near = net.send(get(&local.uri())).await.unwrap();
    assert_eq!(near.bytes(SOON).await.unwrap(), "direct");
    let noted = record.0.lock().unwrap();
    assert_eq!(
        (noted[0].host.as_str(), noted[0].loopback),
        ("models.invalid", false)
    );
}

#[tokio::test]
async fn counts_the_exchange_even_if_its_redirect_is_refused() {
    let proxy = MockServer::start().await;
    // The host does not exist, and no name has to be looked up to find that out.
    let nowhere = "255.255.255.255";
    let away = ResponseTemplate::new(307).insert_header("location", format!("http://{nowhere}:1/"));
    page(&proxy, "/away", away).await;
    let choice = ProxyChoice::parse(&proxy.uri(), nowhere).unwrap();
    let (net, record) = client(false, choice);
    let mut request = get("http://models.invalid/away");
    request.follow = Follow::Anywhere;
    let refused = fault(net.send(request).await);
    assert!(matches!(refused, NetFault::NotPublic { .. }), "{refused}");
    let hosts: Vec<String> = std::mem::take(&mut *record.0.lock().unwrap())
        .into_iter()
        .map(|exchange| exchange.host)
        .collect();
    assert_eq!(hosts, ["models.invalid"], "it did get the request");
    // A direct request to that host sends nothing.
    fault(net.send(get(&format!("http://{nowhere}:1/"))).await);
    assert!(record.0.lock().unwrap().is_empty());
}

#[test]
fn reads_a_proxy_from_settings_without_printing_its_password() {
    assert_eq!(ProxyChoice::parse("", ""), Ok(ProxyChoice::System));
    assert_eq!(ProxyChoice::parse("none", ""), Ok(ProxyChoice::None));
    let through = ProxyChoice::parse("http://me:s3cret@proxy.example:3128", "").unwrap();
    assert_eq!(format!("{through:?}"), "Through(proxy.example:3128)");
    for wrong in ["proxy.example", "ftp://proxy.example", "http://", "x"] {
        assert!(ProxyChoice::parse(wrong, "").is_err(), "{wrong}");
    }
}
