//! An account at Dovecot and the SMTP server as a rig for the contract tests.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use adjutant_accounts::imap::{Imap, Patience};
use adjutant_accounts::{Access, Provider as _};
use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    Ended, Etag, Key, MailOp, MailRef, RemoteFault, RemoteId, RemoteOp,
};
use adjutant_domain::ports::{Backends, EgressLog, Exchange, Pulled, RemoteExecutor as _, Sink};
use adjutant_domain::record::{Mail, Record};
use adjutant_net::{NetClient, NetSettings};
use adjutant_testkit::remote::{Rig, Trouble};
use adjutant_testkit::{FixedClock, SeededEntropy};
use async_trait::async_trait;
use tokio::task::JoinSet;

use crate::door::{self, SharedCourse, lock};
use crate::dovecot::{Dovecot, Other};
use crate::letter_box::LetterBox;

/// Record of what was sent, by purpose: bytes out and in.
#[derive(Default)]
pub struct Ledger(pub Mutex<Vec<Exchange>>);

impl EgressLog for Ledger {
    fn note(&self, exchange: Exchange) {
        self.0.lock().unwrap().push(exchange);
    }
}

pub struct MailRig {
    pub backends: Backends,
    pub user: String,
    pub course: SharedCourse,
    pub letter_box: LetterBox,
    pub ledger: Arc<Ledger>,
    pub access: Access,
    plain: u16,
    server: Arc<Dovecot>,
    names: Mutex<BTreeMap<(RemoteId, RemoteId), (u32, Mail)>>,
    other: Mutex<Other>,
    _tasks: JoinSet<()>,
}

/// Time limits short enough for tests with a server that does not answer.
pub const SHORT: Imap = Imap {
    patience: Patience {
        open: Duration::from_millis(700),
        silent: Duration::from_secs(20),
        request: Duration::from_secs(60),
    },
};

static USERS: AtomicU32 = AtomicU32::new(1);

impl MailRig {
    /// Creates an account. Its server stores a copy of sent mail, as large providers do, or leaves that to the client.
    pub async fn new(server: &Arc<Dovecot>, server_files: bool) -> Self {
        let user = format!("u{}", USERS.fetch_add(1, Ordering::Relaxed));
        let course = SharedCourse::default();
        let mut tasks = JoinSet::new();
        let acceptor = server.certificate.acceptor.clone();
        let port = door::open(server.plain, acceptor.clone(), course.clone(), &mut tasks).await;
        let letter_box = LetterBox::open(acceptor, course.clone(), &mut tasks).await;
        if server_files {
            letter_box.habits.lock().unwrap().files = Some((server.plain, user.clone()));
        }
        let ledger = Arc::new(Ledger::default());
        let settings = NetSettings {
            roots: vec![server.certificate.root.clone()],
            ..NetSettings::default()
        };
        let yes = if server_files { "yes" } else { "" };
        let access = Access {
            account: "acc_mail".into(),
            settings: [
                ("address", format!("{user}@home.example")),
                ("user", user.clone()),
                ("server", format!("imaps://localhost:{port}")),
                ("sending", format!("smtps://localhost:{}", letter_box.port)),
                ("server_files", yes.to_owned()),
            ]
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
            secrets: BTreeMap::from([("password".into(), "secret".to_owned().into())]),
            keeper: None,
            net: NetClient::new(settings, ledger.clone()),
            clock: Arc::new(FixedClock(
                "2026-01-12T12:00:00+01:00[Europe/Paris]".parse().unwrap(),
            )),
            entropy: Arc::new(SeededEntropy::new(7)),
        };
        Self {
            backends: SHORT.connect(access.clone()).unwrap(),
            other: Mutex::new(server.other(&user)),
            plain: server.plain,
            server: server.clone(),
            user,
            course,
            letter_box,
            ledger,
            access,
            names: Mutex::default(),
            _tasks: tasks,
        }
    }

    /// Returns another mail client of the same account.
    pub fn other(&self) -> std::sync::MutexGuard<'_, Other> {
        self.other.lock().unwrap()
    }

    /// Returns a mailbox as storage has it.
    pub fn mailbox(&self, name: &str, cursor: Option<Cursor>) -> Collection {
        Collection {
            id: "col_1".into(),
            account: self.account(),
            kind: CollectionKind::Mailbox,
            remote_id: Some(RemoteId(name.into())),
            name: name.into(),
            colour: None,
            writable: true,
            preferred: false,
            cursor,
        }
    }

    /// Reads a mailbox from a cursor.
    pub async fn pull(&self, name: &str, cursor: Option<Cursor>) -> (Vec<Pulled>, Cursor) {
        let mut kept = CollectingSink::default();
        let read = self
            .backends
            .pull(&self.mailbox(name, cursor), &mut kept)
            .await;
        (kept.0, read.unwrap())
    }

    /// Returns a reference to a mail that was seen in a mailbox under a UID.
    pub fn seen(&self, mailbox: &str, uid: u32, message_id: &str) -> MailRef {
        MailRef {
            collection: self.mailbox(mailbox, None).named().unwrap(),
            uid_validity: None,
            remote_id: RemoteId(uid.to_string()),
            message_id: message_id.into(),
        }
    }

    pub async fn apply(&self, op: MailOp) -> Ended {
        self.backends
            .apply(&RemoteOp::Mail(op), &Key("key".into()))
            .await
    }

    fn append(&self, collection: &RemoteId, name: &RemoteId, mail: &Mail, mime: &str) {
        let uid = self.other().append(&collection.0, &flags(mail), mime);
        let key = (collection.clone(), name.clone());
        self.names.lock().unwrap().insert(key, (uid, mail.clone()));
    }

    fn known(&self, collection: &RemoteId, name: &RemoteId) -> Option<(u32, Mail)> {
        let key = (collection.clone(), name.clone());
        self.names.lock().unwrap().get(&key).cloned()
    }
}

/// Collects what is read.
#[derive(Default)]
struct CollectingSink(Vec<Pulled>);

#[async_trait]
impl Sink for CollectingSink {
    async fn take(&mut self, page: Vec<Pulled>) -> Result<(), StoreFault> {
        self.0.extend(page);
        Ok(())
    }
}

fn flags(mail: &Mail) -> String {
    let all = [(mail.read, "\\Seen"), (mail.starred, "\\Flagged")];
    let set = all.into_iter().filter(|(is_set, _)| *is_set);
    set.map(|(_, flag)| flag).collect::<Vec<_>>().join(" ")
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

impl Rig for MailRig {
    fn backends(&self) -> Backends {
        self.backends.clone()
    }

    fn account(&self) -> AccountId {
        self.access.account.clone()
    }

    fn meet(&self, trouble: Trouble) {
        lock(&self.course).meet(trouble);
    }

    /// The text of a mail cannot change, only its flags, so putting an unchanged mail again adds another copy.
    fn put(&self, collection: &RemoteId, name: &RemoteId, rows: Vec<Record>) -> Option<Etag> {
        let Some(Record::Mail(mail)) = rows.into_iter().next() else {
            panic!("no mail");
        };
        match self.known(collection, name) {
            Some((uid, before)) if before != mail => {
                self.other()
                    .store(&collection.0, uid, &format!("FLAGS ({})", flags(&mail)));
            }
            _ => self.append(collection, name, &mail, &mime(&mail)),
        }
        None
    }

    fn attach(&self, collection: &RemoteId, name: &RemoteId, files: Vec<Vec<u8>>) {
        let (uid, mail) = self.known(collection, name).unwrap();
        self.other().expunge(&collection.0, uid);
        let parts = files.iter().map(|file| {
            let text = String::from_utf8_lossy(file);
            format!("--b\r\nContent-Type: application/octet-stream; name=file\r\nContent-Disposition: attachment; filename=file\r\n\r\n{text}\r\n")
        });
        let parts: String = parts.collect();
        let head = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\nSubject:";
        let body = format!(
            "\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n{}\r\n{parts}--b--\r\n",
            mail.text
        );
        let whole = mime(&mail)
            .replace("Subject:", head)
            .replace(&format!("\r\n\r\n{}\r\n", mail.text), &body);
        self.append(collection, name, &mail, &whole);
    }

    fn delete(&self, collection: &RemoteId, name: &RemoteId) {
        let (uid, _) = self.known(collection, name).unwrap();
        self.other().expunge(&collection.0, uid);
    }

    fn forget_cursors(&self) {
        self.server.renumber(&self.user);
        *self.other() = Other::new(self.plain, &self.user);
    }

    fn refuse_recipient(&self, email: &str) {
        self.letter_box
            .says(&format!("RCPT TO:<{email}>"), "550 5.1.1 no such mailbox");
    }

    fn carried_out(&self) -> usize {
        lock(&self.course).changed
    }

    fn named(&self, name: &RemoteId) -> RemoteId {
        let names = self.names.lock().unwrap();
        let found = names.iter().find(|((_, one), _)| one == name);
        found.map_or_else(|| name.clone(), |(_, (uid, _))| RemoteId(uid.to_string()))
    }

    /// No mail server says when to retry.
    fn faults(&self) -> Vec<RemoteFault> {
        vec![
            RemoteFault::not_signed_in(self.account()),
            RemoteFault::Limited {
                retry_after_seconds: None,
            },
            RemoteFault::Unreachable,
            RemoteFault::TimedOut,
        ]
    }
}
