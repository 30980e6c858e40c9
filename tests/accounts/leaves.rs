//! Tests of what leaves the computer: every connection is in the ledger, and no secret is anywhere but in the keyring.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::day::words;
use crate::desk::{Desk, Kind};
use crate::person::Person;
use crate::stub;

const KINDS: [Kind; 4] = [Kind::Mail, Kind::Dav, Kind::Google, Kind::Address];

/// Runs a day with all kinds of account: connected, read, changed, and read again.
async fn a_day(desk: &Desk) -> Person<'_> {
    let mut person = Person::new(desk);
    for kind in KINDS {
        if kind != Kind::Address {
            person.has(kind, "First");
        }
        let (args, input) = person.sign_in(kind);
        let added = person.run(&words(&args), &input).await;
        assert_eq!(added.code, Some(0), "{kind:?}: {}", added.err);
    }
    for kind in [Kind::Mail, Kind::Dav] {
        let approval = person.propose(kind).await;
        let approved = person.run(&words(&approval), "").await;
        assert_eq!(approved.code, Some(0), "{kind:?}: {}", approved.out);
        assert_eq!(person.changes(kind), 1, "{kind:?}");
    }
    let read = person.run(&["accounts", "sync"], "").await;
    assert_eq!(read.code, Some(0), "{}", read.err);
    person
}

/// Groups the ledger's entries by host and port.
fn by_host(ledger: &[Value]) -> BTreeMap<String, Vec<&Value>> {
    let mut all = BTreeMap::<String, Vec<&Value>>::new();
    for row in ledger {
        let host = row["host"].as_str().unwrap();
        let host = match host.contains(':') {
            true => host.to_owned(),
            false => format!("{host}:443"),
        };
        all.entry(host).or_default().push(row);
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ledger_lists_every_connection_of_a_day() {
    let desk = Desk::open().await;
    let mut person = a_day(&desk).await;
    let shown = person
        .run(&["show", "egress", "--limit", "1000"], "")
        .await
        .rows();
    let ledger = by_host(&shown);
    let (connections, bytes) = {
        let watch = desk.proxy.watch();
        (watch.connections.clone(), watch.bytes.clone())
    };
    let hosts: BTreeSet<&String> = connections.keys().collect();
    assert_eq!(ledger.keys().collect::<BTreeSet<_>>(), hosts);
    let count = |host: &str| ledger[host].len();
    // An entry is a connection for protocols that keep one, and a single request for HTTP. Radicale answers one request
    // per connection.
    for host in [
        "imap.home.example:993",
        "smtp.home.example:465",
        "dav.home.example:443",
    ] {
        assert_eq!(count(host), connections[host], "{host}: {shown:?}");
    }
    let asked = stub::lock(&desk.google.state).log.len();
    assert_eq!(count("google.home.example:443"), asked);
    let asked = desk.web.received_requests().await.unwrap().len();
    assert_eq!(count("ics.home.example:443"), asked);
    // The bytes sent and received are counted too.
    let sum = |host: &str, field: &str| -> u64 {
        ledger[host]
            .iter()
            .map(|row| row[field].as_u64().unwrap())
            .sum()
    };
    let host = "imap.home.example:993";
    let counted = [sum(host, "bytes_out"), sum(host, "bytes_in")];
    assert_eq!(counted, bytes[host], "{shown:?}");
}

/// A question that only a model can answer.
const QUESTION: &str =
    "write a melancholy letter to Kim about the first event and the delayed mail";

/// Connects a model on this machine that accepts every prompt and replies with nothing useful.
async fn a_model(person: &mut Person<'_>) -> MockServer {
    let server = MockServer::start().await;
    let reply = json!({
        "id": "1", "object": "chat.completion", "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "No."}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    });
    let reply = ResponseTemplate::new(200).set_body_json(reply);
    Mock::given(any()).respond_with(reply).mount(&server).await;
    let url = format!("{}/v1", server.uri());
    let add = [
        "models",
        "add",
        "near",
        "--kind",
        "compatible",
        "--url",
        &url,
        "--model",
        "m",
    ];
    let added = person.run(&add, "").await;
    assert_eq!(added.code, Some(0), "{}", added.err);
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn no_accounts_secret_is_written_or_printed() {
    let desk = Desk::open().await;
    let mut person = a_day(&desk).await;
    person.traces = true;
    let model = a_model(&mut person).await;
    let out = person.home().join("export").display().to_string();
    let (dovecot, radicale) = ("imap.home.example:993", "dav.home.example:443");
    for args in [
        &["accounts", "sync"][..],
        &["doctor"],
        &["config"],
        &["accounts", "list"],
        &["show", "activity"],
        &["show", "egress"],
        &["ask", "what is on today?"],
        &["ask", QUESTION],
        &[
            "ask",
            "how do my mail account and its password look to you?",
        ],
        &["export", &out],
    ] {
        person.run(args, "").await;
    }
    // Faults are reported without the secret.
    desk.proxy.loses(dovecot);
    desk.proxy.loses(radicale);
    stub::lock(&desk.google.state).end_tokens();
    desk.web.reset().await;
    let failed = person.run(&["accounts", "sync"], "").await;
    assert_eq!(failed.code, Some(1), "{}", failed.out);
    assert!(person.said.contains("adjutant"), "nothing was traced");
    // From here on, requests to the model count as output too.
    let prompts = model.received_requests().await.unwrap();
    let prompts = prompts.iter().map(|one| String::from_utf8_lossy(&one.body));
    let prompts: String = prompts.collect();
    assert!(
        prompts.contains("melancholy"),
        "no model was asked: {prompts}"
    );
    person.said.push_str(&prompts);
    person.keeps_no_secret("after a day");
}
