//! Tests a day of mail against the npm package `emulate`, an independent emulation of Gmail. A layer in front adds what
//! it lacks: the profile, and tokens for a sign-in that it did not make.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use adjutant_accounts::Provider as _;
use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::operation::{
    Attempt, CollectionRef, Ended, Key, MailOp, MailRef, Reconciled, RemoteFault, RemoteId,
    RemoteOp,
};
use adjutant_domain::ports::{Backends, Pulled, PulledWhat, RemoteExecutor as _};
use adjutant_domain::record::{Address, Folder};
use adjutant_net::{HeaderMap, Method, NetClient, NetSettings, Outgoing, Url};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio::task::JoinSet;

use crate::rig::{CollectingSink, Ledger, access, key, mails};
use crate::stub::Answer;
use crate::stub::http::{ReceivedRequest, serve};

/// Path of the package. Relative, because Cargo starts tests in their package's folder.
const PEER: &str = "../../../tests/google/node_modules/emulate/dist/index.js";
const SETUP: &str = "emulate is not there. Run scripts/setup test, which installs it";

const SEED: &str = r#"google:
  users:
    - email: me@home.example
      name: Me
  messages:
    - id: m1
      user_email: me@home.example
      from: Bob <bob@work.example>
      to: me@home.example
      subject: Lunch
      body_text: Lunch on Thursday?
      message_id: <lunch@work.example>
      label_ids: [INBOX, UNREAD]
      date: "2026-01-10T09:00:00Z"
    - id: m2
      user_email: me@home.example
      from: news@shop.example
      to: me@home.example
      subject: Sale
      body_html: <p>Everything <b>must</b> go.</p>
      message_id: <sale@shop.example>
      label_ids: [INBOX]
      date: "2026-01-11T09:00:00Z"
"#;

/// The account at `emulate`, and the proxy in front of it.
struct Peer {
    backends: Backends,
    _process: Child,
    _folder: tempfile::TempDir,
    _tasks: JoinSet<()>,
}

async fn peer() -> Peer {
    let folder = tempfile::tempdir().unwrap();
    let seed = folder.path().join("seed.yaml");
    std::fs::write(&seed, SEED).unwrap();
    let (process, base) = start(&seed).await;
    let mut tasks = JoinSet::new();
    let door = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = door.local_addr().unwrap().port();
    let ledger = Arc::new(Ledger::default());
    let net = NetClient::new(NetSettings::default(), ledger.clone());
    tasks.spawn(async move {
        let mut inside = JoinSet::new();
        while let Ok((stream, _)) = door.accept().await {
            let (net, base) = (net.clone(), base.clone());
            inside.spawn(async move {
                let answer = |asked| answer(net.clone(), base.clone(), asked);
                drop(serve(stream, answer).await);
            });
        }
    });
    let google = adjutant_accounts::google::Google;
    Peer {
        backends: google.connect(access(port, &ledger)).unwrap(),
        _process: process,
        _folder: folder,
        _tasks: tasks,
    }
}

/// Starts it on a free port and waits until it reports its address.
async fn start(seed: &std::path::Path) -> (Child, Url) {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let mut process = Command::new("node")
        .args([PEER, "start", "--service", "google", "--port"])
        .arg(port.to_string())
        .arg("--seed")
        .arg(seed)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .spawn()
        .expect(SETUP);
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let listens = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            if line.contains("http://localhost") {
                return;
            }
        }
        panic!("{SETUP}");
    };
    let within = Duration::from_secs(60);
    tokio::time::timeout(within, listens).await.unwrap();
    let base = Url::parse(&format!("http://127.0.0.1:{port}")).unwrap();
    (process, base)
}

/// Passes a request on, or answers it in place of `emulate`.
async fn answer(net: NetClient, base: Url, asked: ReceivedRequest) -> Answer {
    match asked.path.as_str() {
        "/token" => Answer::json(&json!({
            "access_token": "of-me",
            "expires_in": 3600,
            "token_type": "Bearer",
        })),
        "/.well-known/openid-configuration" => Answer::error(404, "notFound"),
        "/gmail/v1/users/me/profile" => {
            // The answer to a watch request contains the mailbox's current history id.
            let body = json!({"topicName": "projects/a/topics/b"}).to_string();
            let target = "/gmail/v1/users/me/watch";
            let (_, said) = pass(&net, &base, Method::POST, target, body.into_bytes()).await;
            let said: Value = serde_json::from_slice(&said).unwrap();
            Answer::json(&json!({"historyId": said["historyId"], "messagesTotal": 2}))
        }
        _ => {
            let method = asked.method.parse().unwrap();
            let (status, said) = pass(&net, &base, method, &asked.target, asked.bytes).await;
            Answer::Says(status, said, None)
        }
    }
}

async fn pass(
    net: &NetClient,
    base: &Url,
    method: Method,
    target: &str,
    body: Vec<u8>,
) -> (u16, Vec<u8>) {
    let mut request = Outgoing::new(method, base.join(target).unwrap(), "a test");
    let mut headers = HeaderMap::new();
    headers.insert("authorization", "Bearer of-me".parse().unwrap());
    headers.insert("content-type", "application/json".parse().unwrap());
    request.headers = headers;
    request.body = (!body.is_empty()).then(|| body.into());
    let reply = net.send(request).await.unwrap();
    let status = reply.status().as_u16();
    (
        status,
        reply.bytes(Duration::from_secs(10)).await.unwrap().to_vec(),
    )
}

impl Peer {
    async fn pull(&self, cursor: Option<Cursor>) -> (Cursor, Vec<Pulled>) {
        let collection = Collection {
            id: "col_1".into(),
            account: "acc_google".into(),
            kind: CollectionKind::Mailbox,
            remote_id: Some(RemoteId("all".into())),
            name: "All mail".into(),
            colour: None,
            writable: true,
            preferred: false,
            cursor,
        };
        let mut kept = CollectingSink::default();
        let cursor = self.backends.pull(&collection, &mut kept).await.unwrap();
        (cursor, kept.0)
    }

    async fn done(&self, op: MailOp) {
        let op = RemoteOp::Mail(op);
        let ended = self.backends.apply(&op, &key(&op)).await;
        assert!(matches!(ended, Ended::Done { .. }), "{ended:?}");
    }
}

fn seen(id: &str) -> Vec<MailRef> {
    vec![MailRef {
        collection: CollectionRef {
            id: "col_1".into(),
            remote_id: RemoteId("all".into()),
        },
        uid_validity: None,
        remote_id: RemoteId(id.into()),
        message_id: String::new(),
    }]
}

#[tokio::test]
async fn reads_files_and_finds_mail() {
    let peer = peer().await;
    let (cursor, pulled) = peer.pull(None).await;
    let all = mails(&pulled);
    let told = |at: usize| (all[at].subject.as_str(), all[at].text.trim(), all[at].read);
    assert_eq!(told(0), ("Sale", "Everything must go.", true));
    assert_eq!(told(1), ("Lunch", "Lunch on Thursday?", false));
    assert_eq!(all[1].from.to_string(), "Bob <bob@work.example>");
    let flag = MailOp::Flag {
        mails: seen("m1"),
        read: Some(true),
        starred: Some(true),
        add_labels: vec!["Later".into()],
        remove_labels: Vec::new(),
    };
    peer.done(flag.clone()).await;
    peer.done(flag).await;
    peer.done(MailOp::Move {
        mails: seen("m1"),
        to: Folder::Archive,
        into: None,
        leaves: Vec::new(),
    })
    .await;
    peer.done(MailOp::Delete { mails: seen("m2") }).await;
    let (cursor, pulled) = peer.pull(Some(cursor)).await;
    let mut all = mails(&pulled);
    all.sort_by(|one, other| one.subject.cmp(&other.subject));
    let [lunch, sale] = all.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!(
        (lunch.folder, lunch.read, lunch.starred),
        (Folder::Archive, true, true)
    );
    assert_eq!(
        (lunch.labels.as_slice(), sale.folder),
        (&["Later".to_owned()][..], Folder::Trash)
    );
    let both = [seen("m1"), seen("m2")].concat();
    peer.done(MailOp::Move {
        mails: both,
        to: Folder::Inbox,
        into: None,
        leaves: Vec::new(),
    })
    .await;
    let (cursor, pulled) = peer.pull(Some(cursor)).await;
    assert!(
        mails(&pulled)
            .iter()
            .all(|mail| mail.folder == Folder::Inbox)
            && pulled.len() == 2
    );
    assert!(peer.pull(Some(cursor)).await.1.is_empty());
    let mail = peer.backends.mail.clone().unwrap();
    let found = mail.search("subject:lunch", 5).await.unwrap();
    assert!(
        matches!(found.as_slice(), [Pulled { remote_id, what: PulledWhat::There { .. } }] if remote_id.0 == "m1")
    );
    let body = mail.body(&seen("m1")[0]).await.unwrap();
    assert!(String::from_utf8(body).unwrap().contains("Subject: Lunch"));
    assert_eq!(mail.body(&seen("m9")[0]).await, Err(RemoteFault::Gone));
}

#[tokio::test]
async fn a_reply_joins_its_thread_and_is_found_again() {
    let peer = peer().await;
    let (cursor, _) = peer.pull(None).await;
    let address = |email: &str| Address {
        name: String::new(),
        email: email.into(),
    };
    let op = MailOp::Send {
        message_id: "answer@home.example".into(),
        from: address("me@home.example"),
        recipients: vec![address("bob@work.example")],
        mime: "From: me@home.example\r\nTo: bob@work.example\r\nSubject: Re: Lunch\r\nMessage-ID: <answer@home.example>\r\nIn-Reply-To: <lunch@work.example>\r\nDate: Mon, 12 Jan 2026 12:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nYes, let's.\r\n".into(),
    };
    peer.done(op.clone()).await;
    peer.done(op.clone()).await;
    let (_, pulled) = peer.pull(Some(cursor)).await;
    let all = mails(&pulled);
    let [sent] = all.as_slice() else {
        panic!("sent once: {all:?}")
    };
    assert_eq!(
        (sent.folder, sent.message_id.as_str()),
        (Folder::Sent, "answer@home.example")
    );
    assert_eq!(sent.in_reply_to.as_deref(), Some("lunch@work.example"));
    let attempt = Attempt {
        key: Key("key".into()),
        number: 1,
        started: Timestamp::UNIX_EPOCH,
        ended: None,
        outcome: None,
    };
    let looked = peer.backends.reconcile(&RemoteOp::Mail(op), &attempt).await;
    assert!(matches!(looked, Reconciled::Done { .. }), "{looked:?}");
}

#[tokio::test]
async fn drafts_are_stored_replaced_and_removed() {
    let peer = peer().await;
    let mail = peer.backends.mail.clone().unwrap();
    let drafts = mail.drafts().unwrap();
    assert_eq!(drafts.drafts().await, Ok(Some(Vec::new())));
    let source = |text: &str| {
        format!(
            "From: me@home.example\r\nTo: bob@work.example\r\nSubject: Plan\r\nMessage-ID: <draft.out_1.1@home.example>\r\n\r\n{text}\r\n"
        )
    };
    let first = drafts.put_draft(&source("One"), None).await.unwrap();
    let second = drafts
        .put_draft(&source("Two"), Some(&first))
        .await
        .unwrap();
    let names = drafts.drafts().await.unwrap().unwrap();
    assert_eq!(names.len(), 1, "{names:?}");
    let lasting = |id: &RemoteId| id.0.split('/').next().unwrap().to_owned();
    assert_eq!(lasting(&first), lasting(&second));
    assert_eq!(names[0], second);
    let there = drafts.draft(&second).await.unwrap();
    assert!(String::from_utf8(there).unwrap().contains("Two"));
    assert_eq!(drafts.drop_draft(&second).await, Ok(()));
    assert_eq!(drafts.drop_draft(&second).await, Ok(()));
    assert_eq!(drafts.drafts().await, Ok(Some(Vec::new())));
}
