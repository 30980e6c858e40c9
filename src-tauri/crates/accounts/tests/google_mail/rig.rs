//! An account at the stub as a rig for the contract tests, with controls that act as other clients.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use adjutant_accounts::{Access, Provider as _};
use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    CollectionRef, Ended, Etag, Key, MailOp, MailRef, RemoteFault, RemoteId, RemoteOp, SignedOut,
};
use adjutant_domain::ports::{
    Backends, EgressLog, Exchange, PullFault, Pulled, PulledWhat, RemoteExecutor as _, Sink,
};
use adjutant_domain::record::{Contact, Mail, Record};
use adjutant_net::{NetClient, NetSettings};
use adjutant_testkit::remote::Trouble;
use adjutant_testkit::remote::suite::Rig;
use adjutant_testkit::{FixedClock, SeededEntropy};
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::stub::{Google, Stub};

/// Record of what was sent: host and purpose.
#[derive(Default)]
pub struct Ledger(pub Mutex<Vec<(String, String)>>);

impl EgressLog for Ledger {
    fn note(&self, exchange: Exchange) {
        self.0.lock().unwrap().push((exchange.host, exchange.why));
    }
}

/// An account at the stub.
pub struct GoogleRig {
    pub backends: Backends,
    pub stub: Stub,
    pub ledger: Arc<Ledger>,
    account: AccountId,
    /// Google's names for a test's mails, with the test's name and the mail.
    names: Mutex<BTreeMap<RemoteId, (String, Mail)>>,
    /// Google's names for a test's contacts.
    people: Mutex<BTreeSet<String>>,
    _tasks: JoinSet<()>,
}

/// 12 January 2026, noon.
pub const NOW: &str = "2026-01-12T12:00:00+01:00[Europe/Paris]";

/// Panics if a request or an answer did not conform to Google's documents; the message says how.
impl Drop for GoogleRig {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || !self.stub.google.is_poisoned());
    }
}

impl GoogleRig {
    pub fn new() -> Self {
        let mut tasks = JoinSet::new();
        let stub = Stub::open(&mut tasks);
        let ledger = Arc::new(Ledger::default());
        let access = access(stub.port, &ledger);
        let backends = adjutant_accounts::google::Google
            .connect(access.clone())
            .unwrap();
        Self {
            backends,
            stub,
            ledger,
            account: access.account,
            names: Mutex::default(),
            people: Mutex::default(),
            _tasks: tasks,
        }
    }

    pub fn google(&self) -> std::sync::MutexGuard<'_, Google> {
        self.stub.google()
    }

    /// Returns the account's mail collection as storage has it.
    pub fn all_mail(&self, cursor: Option<Cursor>) -> Collection {
        self.collection(CollectionKind::Mailbox, "all", cursor)
    }

    pub fn contacts(&self, cursor: Option<Cursor>) -> Collection {
        self.collection(CollectionKind::AddressBook, "people/me/connections", cursor)
    }

    fn collection(&self, kind: CollectionKind, id: &str, cursor: Option<Cursor>) -> Collection {
        Collection {
            id: "col_1".into(),
            account: self.account.clone(),
            kind,
            remote_id: Some(RemoteId(id.into())),
            name: id.into(),
            colour: None,
            writable: true,
            preferred: false,
            cursor,
        }
    }

    /// Reads a collection from its cursor.
    pub async fn read(&self, collection: &Collection) -> (Result<Cursor, PullFault>, Vec<Pulled>) {
        let mut kept = CollectingSink::default();
        let read = self.backends.pull(collection, &mut kept).await;
        (read, kept.0)
    }

    /// Reads all mail from a cursor.
    pub async fn pull(&self, cursor: Option<Cursor>) -> (Cursor, Vec<Pulled>) {
        let (read, pulled) = self.read(&self.all_mail(cursor)).await;
        (read.unwrap(), pulled)
    }

    pub fn seen(&self, id: &str, message_id: &str) -> MailRef {
        MailRef {
            collection: CollectionRef {
                id: "col_1".into(),
                remote_id: RemoteId("all".into()),
            },
            uid_validity: None,
            remote_id: RemoteId(id.into()),
            message_id: message_id.into(),
        }
    }

    pub async fn apply(&self, op: impl Into<RemoteOp>) -> Ended {
        let op = op.into();
        self.backends.apply(&op, &key(&op)).await
    }

    pub async fn apply_mail(&self, op: MailOp) -> Ended {
        self.apply(RemoteOp::Mail(op)).await
    }

    fn put_mail(&self, name: &RemoteId, mail: &Mail) {
        let mut names = self.names.lock().unwrap();
        let mut google = self.google();
        match names.get(name) {
            Some((id, before)) if before != mail => google.mail.label(id, &labels(mail)),
            _ => {
                let millis = mail.date.as_millisecond();
                let id = google
                    .mail
                    .add(mime(mail).as_bytes(), millis, &labels(mail));
                names.insert(name.clone(), (id, mail.clone()));
                return;
            }
        }
        if let Some((_, before)) = names.get_mut(name) {
            *before = mail.clone();
        }
    }

    pub fn id_of(&self, name: &RemoteId) -> Option<String> {
        let names = self.names.lock().unwrap();
        names.get(name).map(|(id, _)| id.clone())
    }
}

/// Returns the key of an operation; different operations have different keys.
pub fn key(op: &RemoteOp) -> Key {
    Key(format!("{op:?}"))
}

pub fn access(port: u16, ledger: &Arc<Ledger>) -> Access {
    let settings = [
        ("google.endpoint", format!("http://127.0.0.1:{port}")),
        ("client_id", "a-client".to_owned()),
        ("mail", "change".to_owned()),
        ("contacts", "change".to_owned()),
        ("calendar", "no".to_owned()),
        ("tasks", "no".to_owned()),
    ];
    Access {
        account: "acc_google".into(),
        settings: settings
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
        secrets: BTreeMap::from([("refresh_token".into(), "a-refresh-token".to_owned().into())]),
        keeper: None,
        net: NetClient::new(NetSettings::default(), ledger.clone()),
        clock: Arc::new(FixedClock(NOW.parse().unwrap())),
        entropy: Arc::new(SeededEntropy::new(7)),
    }
}

/// Collects what is read.
#[derive(Default)]
pub struct CollectingSink(pub Vec<Pulled>);

#[async_trait]
impl Sink for CollectingSink {
    async fn take(&mut self, page: Vec<Pulled>) -> Result<(), StoreFault> {
        self.0.extend(page);
        Ok(())
    }
}

/// Returns the mails among what was read.
pub fn mails(pulled: &[Pulled]) -> Vec<Mail> {
    let all = pulled.iter().filter_map(|one| match &one.what {
        PulledWhat::There { rows, .. } => match rows.first() {
            Some(Record::Mail(mail)) => Some(mail.clone()),
            _ => None,
        },
        PulledWhat::Gone => None,
    });
    all.collect()
}

fn labels(mail: &Mail) -> Vec<&'static str> {
    let mut labels = vec!["INBOX"];
    if !mail.read {
        labels.push("UNREAD");
    }
    if mail.starred {
        labels.push("STARRED");
    }
    labels
}

pub fn mime(mail: &Mail) -> String {
    format!(
        "From: {}\r\nTo: me@home.example\r\nSubject: {}\r\nMessage-ID: <{}>\r\nDate: {}\r\n\r\n{}\r\n",
        mail.from,
        mail.subject,
        mail.message_id,
        mail.date.strftime("%a, %d %b %Y %H:%M:%S +0000"),
        mail.text
    )
}

/// Returns a contact as another client would store it.
fn person(contact: &Contact) -> Value {
    let values =
        |list: &[String]| -> Value { list.iter().map(|value| json!({"value": value})).collect() };
    json!({
        "names": [{"unstructuredName": contact.name}],
        "emailAddresses": values(&contact.emails),
        "phoneNumbers": values(&contact.phones),
        "clientData": [{"key": "adjutant.uid", "value": contact.uid}],
    })
}

impl Rig for GoogleRig {
    fn backends(&self) -> Backends {
        self.backends.clone()
    }

    fn account(&self) -> AccountId {
        self.account.clone()
    }

    fn meet(&self, trouble: Trouble) {
        self.google().troubles.push_back(trouble);
    }

    fn put(&self, _: &RemoteId, name: &RemoteId, rows: Vec<Record>) -> Option<Etag> {
        match rows.into_iter().next() {
            Some(Record::Mail(mail)) => {
                self.put_mail(name, &mail);
                None
            }
            Some(Record::Contact(contact)) => {
                let name = format!("people/{}", name.0);
                self.people.lock().unwrap().insert(name.clone());
                Some(Etag(self.google().people.put(&name, &person(&contact))))
            }
            other => panic!("neither mail nor contact: {other:?}"),
        }
    }

    fn attach(&self, _: &RemoteId, name: &RemoteId, files: Vec<Vec<u8>>) {
        let id = self.id_of(name).unwrap();
        let mut google = self.google();
        let message = google.mail.messages.get_mut(&id).unwrap();
        let parts = files.iter().map(|file| {
            let text = String::from_utf8_lossy(file);
            format!("--b\r\nContent-Type: application/octet-stream; name=file\r\nContent-Disposition: attachment; filename=file\r\n\r\n{text}\r\n")
        });
        let parts: String = parts.collect();
        let raw = String::from_utf8(message.raw.clone()).unwrap();
        let (head, text) = raw.split_once("\r\n\r\n").unwrap();
        message.raw = format!(
            "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n{head}\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n{text}\r\n{parts}--b--\r\n"
        )
        .into_bytes();
    }

    fn delete(&self, collection: &RemoteId, name: &RemoteId) {
        match collection.0.as_str() {
            "all" => {
                let id = self.id_of(name).unwrap();
                self.google().mail.remove(&id);
            }
            _ => self.google().people.remove(&format!("people/{}", name.0)),
        }
    }

    fn forget_cursors(&self) {
        let mut google = self.google();
        google.mail.forget_history();
        google.people.forget_tokens();
    }

    fn refuse_recipient(&self, _: &str) {}

    /// Google accepts a mail as a whole and reports undelivered recipients in a bounce mail.
    fn tells_refused_recipients(&self) -> bool {
        false
    }

    fn carried_out(&self) -> usize {
        self.google().carried_out
    }

    fn named(&self, name: &RemoteId) -> RemoteId {
        if let Some(id) = self.id_of(name) {
            return RemoteId(id);
        }
        let person = format!("people/{}", name.0);
        match self.people.lock().unwrap().contains(&person) {
            true => RemoteId(person),
            false => name.clone(),
        }
    }

    /// A running server cannot simulate a failed connection; `faults.rs` tests that.
    fn faults(&self) -> Vec<RemoteFault> {
        vec![
            RemoteFault::NotSignedIn {
                account: self.account(),
                why: SignedOut::Withdrawn,
            },
            RemoteFault::Limited {
                retry_after_seconds: Some(30),
            },
        ]
    }
}
