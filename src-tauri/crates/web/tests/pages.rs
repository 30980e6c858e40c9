//! Tests of reading pages: politeness, limits, and hostile pages.

#![expect(clippy::expect_used, reason = "a test that cannot go on has failed")]

mod common;

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ports::{
    DocumentCounts, DocumentHit, Documents, FileState, Lookup as _, SearchTool, Snapshot,
    SourceAddress, SourceFault,
};
use adjutant_testkit::World;
use adjutant_web::own::OwnPages;
use adjutant_web::{Parts, SearchTools, Settings, Web};
use async_trait::async_trait;
use common::{FixedClock, OneKey, net};
use wiremock::matchers::{any, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

const WITHIN: Duration = Duration::from_secs(10);
const STORY: &str =
    "The lighthouse was built in 1874 by two brothers, and its lamp was lit by hand until 1931.";

struct NoDocuments;

#[async_trait]
impl Documents for NoDocuments {
    async fn known(
        &self,
    ) -> Result<std::collections::BTreeMap<String, FileState>, adjutant_domain::faults::StoreFault>
    {
        Ok(std::collections::BTreeMap::new())
    }
    async fn put(
        &self,
        _: adjutant_domain::ports::Document,
    ) -> Result<(), adjutant_domain::faults::StoreFault> {
        Ok(())
    }
    async fn touch(
        &self,
        _: &str,
        _: FileState,
    ) -> Result<(), adjutant_domain::faults::StoreFault> {
        Ok(())
    }
    async fn remove(&self, _: Vec<String>) -> Result<(), adjutant_domain::faults::StoreFault> {
        Ok(())
    }
    async fn search(
        &self,
        _: &str,
        _: usize,
    ) -> Result<Vec<DocumentHit>, adjutant_domain::faults::StoreFault> {
        Ok(Vec::new())
    }
    async fn counts(&self) -> Result<DocumentCounts, adjutant_domain::faults::StoreFault> {
        Ok(DocumentCounts::default())
    }
}

struct NoTools;

impl SearchTools for NoTools {
    fn tool(&self, name: &str) -> Result<Arc<dyn SearchTool>, SourceFault> {
        Err(SourceFault::NotConfigured {
            what: format!("There is no {name}."),
        })
    }
}

fn web(allow: &[String]) -> Web {
    let world = World::at("2026-03-02T12:00:00Z[UTC]");
    let clock = Arc::new(FixedClock);
    let parts = Parts {
        net: Arc::new(net),
        clock: clock.clone(),
        keys: Arc::new(OneKey(None)),
        own: OwnPages::new(Arc::new(NoDocuments), world.cx.records.clone(), clock),
        tools: Arc::new(NoTools),
    };
    let settings = Settings {
        allow_hosts: allow.to_vec(),
        ..Settings::default()
    };
    Web::new(parts, settings)
}

fn host(server: &MockServer) -> String {
    server.address().to_string()
}

async fn open(web: &Web, url: &str) -> Result<Snapshot, SourceFault> {
    let place = SourceAddress::Page { url: url.into() };
    web.pages().open(&place, WITHIN).await
}

async fn serves(reply: ResponseTemplate) -> (MockServer, Web) {
    let server = MockServer::start().await;
    Mock::given(path("/robots.txt"))
        .respond_with(ResponseTemplate::new(404))
        .mount(&server)
        .await;
    Mock::given(any()).respond_with(reply).mount(&server).await;
    let web = web(&[host(&server)]);
    (server, web)
}

fn page(html: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(html.to_owned(), "text/html; charset=utf-8")
}

#[tokio::test]
async fn a_page_becomes_a_snapshot() {
    let (server, web) = serves(page(&format!(
        "<title>T</title><article><h1>Tower</h1><p>{STORY}</article>"
    )))
    .await;
    let url = format!("{}/a#part", server.uri());
    let snapshot = open(&web, &url).await.expect("read");
    assert_eq!(snapshot.title, "Tower");
    assert!(snapshot.text.contains(STORY));
    assert_eq!(snapshot.media, "text/html");
    assert_eq!(
        snapshot.sha256,
        adjutant_domain::canonical::sha256(snapshot.text.as_bytes()).to_string()
    );
    assert_eq!(
        snapshot.final_address.to_string(),
        format!("{}/a", server.uri())
    );
}

#[tokio::test]
async fn respects_robots_rules_and_fetches_them_once() {
    let server = MockServer::start().await;
    let rules = "User-agent: *\nDisallow: /private/\n";
    Mock::given(path("/robots.txt"))
        .respond_with(ResponseTemplate::new(200).set_body_string(rules))
        .expect(1)
        .mount(&server)
        .await;
    Mock::given(any())
        .respond_with(page(&format!("<p>{STORY}</p>")))
        .mount(&server)
        .await;
    let web = web(&[host(&server)]);
    let refused = open(&web, &format!("{}/private/a", server.uri())).await;
    assert!(
        matches!(refused, Err(SourceFault::NotAllowed { .. })),
        "{refused:?}"
    );
    let urls = ["b", "c"].map(|page| format!("{}/{page}", server.uri()));
    let (one, two) = tokio::join!(open(&web, &urls[0]), open(&web, &urls[1]));
    assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
    let asked = server.received_requests().await.expect("requests");
    assert!(
        asked
            .iter()
            .all(|request| !request.url.path().starts_with("/private"))
    );
}

#[tokio::test]
async fn never_reads_this_computer_or_its_network() {
    let web_alone = web(&[]);
    for url in [
        "http://127.0.0.1:1/",
        "http://localhost/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://0.0.0.0/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[fe80::1]/",
        "http://[fc00::1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://kim:secret@127.0.0.1/",
    ] {
        let fault = open(&web_alone, url).await;
        assert!(
            matches!(fault, Err(SourceFault::PrivateAddress { .. })),
            "{url}: {fault:?}"
        );
    }
    for url in [
        "javascript:alert(1)",
        "ftp://example.org/",
        "http://",
        "nonsense",
        "https:///x",
    ] {
        let fault = open(&web_alone, url).await;
        assert!(fault.is_err(), "{url}: {fault:?}");
    }
    // A redirect from a permitted host is refused too, even to another permitted host.
    let (other, _) = serves(page(&format!("<p>{STORY}</p>"))).await;
    for place in [
        format!("http://{}/", host(&other)),
        "http://169.254.169.254/".into(),
        "//[::1]:9/".into(),
        "file:///etc/passwd".into(),
    ] {
        let (server, _) =
            serves(ResponseTemplate::new(302).insert_header("location", place.as_str())).await;
        let web = web(&[host(&server), host(&other)]);
        let fault = open(&web, &server.uri()).await;
        assert!(
            matches!(
                fault,
                Err(SourceFault::PrivateAddress { .. } | SourceFault::Refused { .. })
            ),
            "{place}: {fault:?}"
        );
    }
}

#[tokio::test]
async fn gives_up_on_endless_replies() {
    let (server, web) =
        serves(ResponseTemplate::new(302).insert_header("location", "/again")).await;
    let fault = open(&web, &server.uri()).await;
    assert!(
        matches!(fault, Err(SourceFault::Refused { .. })),
        "{fault:?}"
    );
    let (server, web) = serves(ResponseTemplate::new(200).set_delay(Duration::from_secs(60))).await;
    let place = SourceAddress::Page { url: server.uri() };
    let fault = web.pages().open(&place, Duration::from_millis(300)).await;
    assert!(
        matches!(fault, Err(SourceFault::TimedOut { .. })),
        "{fault:?}"
    );
}

#[tokio::test]
async fn refuses_pages_too_large_or_not_text() {
    let zeros = vec![b' '; 64 * 1024 * 1024];
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    bomb.write_all(&zeros).expect("packed");
    let bomb = bomb.finish().expect("packed");
    let raw = |bytes: Vec<u8>, media: &str| ResponseTemplate::new(200).set_body_raw(bytes, media);
    let (_s1, w1) = serves(raw(bomb, "text/html").insert_header("content-encoding", "gzip")).await;
    let (_s2, w2) = serves(raw(vec![b'x'; 6 * 1024 * 1024], "text/html")).await;
    for (server, web) in [(&_s1, &w1), (&_s2, &w2)] {
        let fault = open(web, &server.uri()).await;
        assert!(
            matches!(fault, Err(SourceFault::TooLarge { .. })),
            "{fault:?}"
        );
    }
    for (bytes, media) in [
        (b"\x89PNG".to_vec(), "image/png"),
        (b"PK\x03\x04\0\0".to_vec(), "application/octet-stream"),
        (b"%PDF-1.7 rubbish".to_vec(), "application/pdf"),
        (b"   ".to_vec(), "text/html"),
        (
            b"PK rubbish".to_vec(),
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        ),
    ] {
        let (server, web) = serves(raw(bytes, media)).await;
        let fault = open(&web, &server.uri()).await;
        assert!(
            matches!(fault, Err(SourceFault::NotText { .. })),
            "{media}: {fault:?}"
        );
    }
    let packed = {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed
            .write_all(format!("<p>{STORY}</p>").as_bytes())
            .expect("packed");
        packed.finish().expect("packed")
    };
    let (server, web) =
        serves(raw(packed, "text/html").insert_header("content-encoding", "gzip")).await;
    assert!(
        open(&web, &server.uri())
            .await
            .expect("read")
            .text
            .contains(STORY)
    );
}

#[tokio::test]
async fn reports_statuses_accurately() {
    for (code, expected) in [
        (404, "not_found"),
        (410, "not_found"),
        (403, "refused"),
        (500, "down"),
        (429, "limited"),
        (204, "not_text"),
    ] {
        let (server, web) = serves(ResponseTemplate::new(code)).await;
        let fault = open(&web, &server.uri()).await.expect_err("no page");
        assert_eq!(fault.code(), expected, "{code}: {fault:?}");
    }
}
