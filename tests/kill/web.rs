//! A search engine on this machine with a few pages, which answers like SearXNG.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

/// Pages of the test's web: path, title and text.
const PAGES: &[(&str, &str, &str)] = &[
    (
        "/harbour",
        "The Harbour Lamp",
        "The Harbour Lamp is a 1951 film directed by Odile Marchetti. It was shot in the port of Ancona within three weeks.",
    ),
    (
        "/star",
        "Northern Star",
        "Northern Star is a 1949 film directed by Henrik Solvang. Its ship was built for it and sank on the last day.",
    ),
    (
        "/odile",
        "Odile Marchetti",
        "Odile Marchetti (4 March 1911 – 9 May 1990) was an Italian film director. She was born in Trieste to a family of pilots.",
    ),
    (
        "/henrik",
        "Henrik Solvang",
        "Henrik Solvang (12 June 1903 – 1 April 1970) was a Norwegian film director. He was born in Bergen and taught there.",
    ),
];
/// The search engine and its pages.
pub struct Web {
    runtime: Runtime,
    server: MockServer,
    /// Number of requests that [`Web::asked`] leaves out.
    forgotten: AtomicUsize,
}

impl Web {
    pub fn new() -> Self {
        let runtime = Runtime::new().expect("threads");
        let server = runtime.block_on(async {
            let server = MockServer::start().await;
            let base = server.uri();
            let search = Mock::given(method("GET")).and(path("/search"));
            let answer = move |request: &Request| found(&base, request);
            search.respond_with(answer).mount(&server).await;
            for (at, title, text) in PAGES {
                let html = format!(
                    "<title>{title}</title><article><h1>{title}</h1><p>{text}</p></article>"
                );
                let page = ResponseTemplate::new(200).set_body_raw(html, "text/html");
                let page = Mock::given(method("GET")).and(path(*at)).respond_with(page);
                page.mount(&server).await;
            }
            server
        });
        Self {
            runtime,
            server,
            forgotten: AtomicUsize::new(0),
        }
    }

    /// Returns its address.
    pub fn uri(&self) -> String {
        self.server.uri()
    }

    /// Returns the queries it received, by their words, and the pages fetched from it, with their counts.
    pub fn asked(&self) -> (Vec<String>, BTreeMap<String, usize>) {
        let (mut queries, mut pages) = (Vec::new(), BTreeMap::new());
        let from = self.forgotten.load(Ordering::SeqCst);
        for request in self.received().into_iter().skip(from) {
            match request.url.path() {
                "/search" => queries.push(words(&query(&request))),
                "/robots.txt" => {}
                page => *pages.entry(page.to_owned()).or_default() += 1,
            }
        }
        (queries, pages)
    }

    /// Leaves the requests received so far out of [`Web::asked`].
    pub fn forget(&self) {
        self.forgotten
            .store(self.received().len(), Ordering::SeqCst);
    }

    fn received(&self) -> Vec<Request> {
        let requests = self.runtime.block_on(self.server.received_requests());
        requests.expect("they are recorded")
    }
}

/// Returns SearXNG's answer to a query: every page that shares a word with it.
fn found(base: &str, request: &Request) -> ResponseTemplate {
    let query = words(&query(request));
    let shares = |title: &str, text: &str| {
        let page = words(&format!("{title} {text}"));
        query
            .split(' ')
            .any(|word| page.split(' ').any(|own| own == word))
    };
    let results: Vec<Value> = PAGES
        .iter()
        .filter(|(_, title, text)| shares(title, text))
        .map(|(at, title, text)| {
            json!({ "url": format!("{base}{at}"), "title": title, "content": text.get(..60) })
        })
        .collect();
    ResponseTemplate::new(200).set_body_json(json!({ "query": query, "results": results }))
}

fn query(request: &Request) -> String {
    let mut pairs = request.url.query_pairs();
    let value = pairs.find(|(name, _)| name == "q").map(|(_, value)| value);
    value.map(String::from).unwrap_or_default()
}

/// Returns the words of a text in lower case, deduplicated and sorted, so that equal sets of words are equal queries.
pub fn words(text: &str) -> String {
    let small = text.to_lowercase();
    let all = small.split(|letter: char| !letter.is_alphanumeric());
    let words: BTreeSet<&str> = all.filter(|word| !word.is_empty()).collect();
    words.into_iter().collect::<Vec<_>>().join(" ")
}
