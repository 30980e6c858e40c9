//! An account at Radicale as a rig for the contract tests.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use adjutant_accounts::Provider as _;
use adjutant_accounts::dav::CalDav;
use adjutant_accounts::{Access, SetUpFault};
use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::{
    CollectionRef, Ended, Etag, Key, Receipt, RemoteFault, RemoteId, RemoteOp,
};
use adjutant_domain::ports::{
    Backends, EgressLog, Exchange, PullFault, Pulled, PulledWhat, RemoteExecutor as _, Sink,
};
use adjutant_domain::record::{Attendee, Record};
use adjutant_net::{NetClient, NetSettings};
use adjutant_testkit::remote::{Rig, Trouble};
use adjutant_testkit::{FixedClock, SeededEntropy};
use async_trait::async_trait;
use tokio::task::JoinSet;

use crate::door::{self, Meets, SharedCourse, lock};
use crate::radicale::{Other, Radicale};

/// Record of what was sent.
#[derive(Default)]
pub struct Ledger(pub Mutex<Vec<Exchange>>);

impl EgressLog for Ledger {
    fn note(&self, exchange: Exchange) {
        self.0.lock().unwrap().push(exchange);
    }
}

pub struct DavRig {
    pub backends: Backends,
    pub user: String,
    pub course: SharedCourse,
    pub access: Access,
    pub other: Other,
    pub server: Arc<Radicale>,
    pub calendar: String,
    pub tasks: String,
    pub book: String,
    pub ledger: Arc<Ledger>,
    /// The only family to run the contract with; `None` for all.
    pub family: Option<CollectionKind>,
    names: Mutex<BTreeMap<String, String>>,
    _tasks: JoinSet<()>,
}

static USERS: AtomicU32 = AtomicU32::new(1);

impl DavRig {
    /// Creates an account with a calendar, a task list and an address book.
    pub async fn new(server: &Arc<Radicale>) -> Self {
        let user = format!("u{}", USERS.fetch_add(1, Ordering::Relaxed));
        let other = server.other(&user);
        let course = SharedCourse::default();
        let mut tasks = JoinSet::new();
        let acceptor = server.certificate.acceptor.clone();
        let port = door::open(server.port, acceptor, course.clone(), &mut tasks).await;
        let calendar = other.calendar("home", "VEVENT", "Home");
        let list = other.calendar("todo", "VTODO", "To do");
        let book = other.address_book("people", "People");
        let ledger = Arc::new(Ledger::default());
        let mut access = access(&format!("https://localhost:{port}"), &user, server, &ledger);
        let found = CalDav.set_up(access.clone()).await.unwrap();
        access.settings = found.settings;
        lock(&course).asked.clear();
        Self {
            backends: CalDav.connect(access.clone()).unwrap(),
            calendar,
            tasks: list,
            book,
            user,
            course,
            access,
            other,
            server: server.clone(),
            ledger,
            family: None,
            names: Mutex::default(),
            _tasks: tasks,
        }
    }

    /// Returns a collection as storage has it.
    fn collection(&self, kind: CollectionKind, path: &str, cursor: Option<Cursor>) -> Collection {
        Collection {
            id: "col_1".into(),
            account: self.account(),
            kind,
            remote_id: Some(RemoteId(path.into())),
            name: path.into(),
            colour: None,
            writable: true,
            preferred: false,
            cursor,
        }
    }

    pub fn place(&self, path: &str) -> CollectionRef {
        CollectionRef {
            id: "col_1".into(),
            remote_id: RemoteId(path.into()),
        }
    }

    /// Reads a collection from a cursor.
    pub async fn pull(
        &self,
        kind: CollectionKind,
        path: &str,
        cursor: Option<Cursor>,
    ) -> (Vec<Pulled>, Result<Cursor, PullFault>) {
        let (pulled, _, read) = self.pull_and_reach(kind, path, cursor).await;
        (pulled, read)
    }

    /// Reads a collection from a cursor. Also returns the cursor from which an interrupted reading continues.
    pub async fn pull_and_reach(
        &self,
        kind: CollectionKind,
        path: &str,
        cursor: Option<Cursor>,
    ) -> (Vec<Pulled>, Option<Cursor>, Result<Cursor, PullFault>) {
        let mut kept = CollectingSink::default();
        let collection = self.collection(kind, path, cursor);
        let read = self.backends.pull(&collection, &mut kept).await;
        (kept.pulled, kept.reached, read)
    }

    /// Returns the rows of the only record in a calendar.
    pub async fn only(&self, kind: CollectionKind, path: &str) -> PulledRecord {
        let (pulled, read) = self.pull(kind, path, None).await;
        read.unwrap();
        let [one] = &pulled[..] else {
            panic!("not one: {pulled:?}");
        };
        seen(one)
    }

    pub async fn apply(&self, op: RemoteOp) -> Ended {
        self.backends.apply(&op, &Key("key".into())).await
    }

    fn path(&self, collection: &RemoteId, name: &RemoteId) -> String {
        let ending = if collection.0 == self.book {
            "vcf"
        } else {
            "ics"
        };
        format!("{}{}.{ending}", collection.0, name.0)
    }
}

/// A record as read.
#[derive(Clone, Debug)]
pub struct PulledRecord {
    pub remote_id: RemoteId,
    pub etag: Option<Etag>,
    pub rows: Vec<Record>,
    pub source: Option<String>,
}

pub fn seen(pulled: &Pulled) -> PulledRecord {
    let PulledWhat::There {
        etag, rows, source, ..
    } = &pulled.what
    else {
        panic!("gone: {pulled:?}");
    };
    PulledRecord {
        remote_id: pulled.remote_id.clone(),
        etag: etag.clone(),
        rows: rows.clone(),
        source: source
            .clone()
            .map(|source| String::from_utf8(source).unwrap()),
    }
}

/// Returns the state that a receipt proves.
pub fn etag_of(ended: &Ended) -> Option<Etag> {
    match ended {
        Ended::Done {
            receipt: Receipt::Remote { etag, .. },
        } => etag.clone(),
        _ => panic!("not done: {ended:?}"),
    }
}

pub fn access(address: &str, user: &str, server: &Radicale, ledger: &Arc<Ledger>) -> Access {
    let settings = NetSettings {
        roots: vec![server.certificate.root.clone()],
        ..NetSettings::default()
    };
    Access {
        account: "acc_dav".into(),
        settings: [
            ("server", address),
            ("user", user),
            ("address", "me@home.example"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into(),
        secrets: BTreeMap::from([("password".into(), "secret".to_owned().into())]),
        keeper: None,
        net: NetClient::new(settings, ledger.clone()),
        clock: Arc::new(FixedClock(
            "2026-01-12T12:00:00+01:00[Europe/Paris]".parse().unwrap(),
        )),
        entropy: Arc::new(SeededEntropy::new(7)),
    }
}

/// Returns why an account cannot be set up: the field and the sentence.
pub fn of_field(fault: SetUpFault) -> (&'static str, String) {
    match fault {
        SetUpFault::Field { field, what, .. } => (field, what),
        other => panic!("{other:?}"),
    }
}

/// Collects what is read.
#[derive(Default)]
struct CollectingSink {
    pulled: Vec<Pulled>,
    reached: Option<Cursor>,
}

#[async_trait]
impl Sink for CollectingSink {
    async fn take(&mut self, page: Vec<Pulled>) -> Result<(), StoreFault> {
        self.pulled.extend(page);
        Ok(())
    }

    async fn reached(&mut self, cursor: Cursor) -> Result<(), StoreFault> {
        self.reached = Some(cursor);
        Ok(())
    }
}

/// Returns a record as another program writes it.
fn text(record: &Record) -> String {
    let time = |moment: &Moment| match moment {
        Moment::At(at) => at.timestamp().strftime("%Y%m%dT%H%M%SZ").to_string(),
        Moment::Day(_) => panic!("no day in the samples"),
    };
    let person = |name: &str, who: &Attendee| format!("{name};CN=X:mailto:{}\r\n", who.email);
    match record {
        Record::Event(event) => {
            let organizer = event.organizer.iter().map(|who| person("ORGANIZER", who));
            let guests = event.attendees.iter().map(|who| person("ATTENDEE", who));
            let people: String = organizer.chain(guests).collect();
            format!(
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//EN\r\nBEGIN:VEVENT\r\nUID:{}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:{}\r\nDTEND:{}\r\nSUMMARY:{}\r\nSEQUENCE:{}\r\n{people}END:VEVENT\r\nEND:VCALENDAR\r\n",
                event.uid,
                time(&event.start),
                time(&event.end),
                event.summary,
                event.sequence,
            )
        }
        Record::Task(task) => format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//EN\r\nBEGIN:VTODO\r\nUID:{}\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:{}\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
            task.id, task.title
        ),
        Record::Contact(contact) => format!(
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{}\r\nFN:{}\r\nN:{};;;;\r\nEMAIL:{}\r\nEND:VCARD\r\n",
            contact.uid, contact.name, contact.name, contact.emails[0]
        ),
        _ => panic!("{record:?}"),
    }
}

impl Rig for DavRig {
    fn backends(&self) -> Backends {
        let mut all = self.backends.clone();
        let is_left_out = |kind| self.family.is_some_and(|only| only != kind);
        if is_left_out(CollectionKind::Calendar) {
            all.calendar = None;
        }
        if is_left_out(CollectionKind::TaskList) {
            all.tasks = None;
        }
        if is_left_out(CollectionKind::AddressBook) {
            all.contacts = None;
        }
        all
    }

    fn account(&self) -> AccountId {
        self.access.account.clone()
    }

    fn meet(&self, trouble: Trouble) {
        lock(&self.course).meet(Meets::Trouble(trouble));
    }

    fn put(&self, collection: &RemoteId, name: &RemoteId, rows: Vec<Record>) -> Option<Etag> {
        let path = self.path(collection, name);
        self.names
            .lock()
            .unwrap()
            .insert(name.0.clone(), path.clone());
        Some(Etag(self.other.put(&path, &text(&rows[0]))))
    }

    fn attach(&self, _: &RemoteId, _: &RemoteId, _: Vec<Vec<u8>>) {
        panic!("no mail here");
    }

    fn delete(&self, collection: &RemoteId, name: &RemoteId) {
        self.other.delete(&self.path(collection, name));
    }

    fn forget_cursors(&self) {
        // A sync token stands for a state. The same state would get the same token again, so the state must differ.
        let calendar = |inside: &str| {
            format!(
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Other//EN\r\n{inside}END:VCALENDAR\r\n"
            )
        };
        let event = "BEGIN:VEVENT\r\nUID:passing\r\nDTSTART:20260101T000000Z\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:x\r\nEND:VEVENT\r\n";
        let task =
            "BEGIN:VTODO\r\nUID:passing\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:x\r\nEND:VTODO\r\n";
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:passing\r\nFN:x\r\nN:x;;;;\r\nEND:VCARD\r\n";
        for (collection, text) in [
            (&self.calendar, calendar(event)),
            (&self.tasks, calendar(task)),
            (&self.book, card.to_owned()),
        ] {
            let path = self.path(&RemoteId(collection.clone()), &RemoteId("passing".into()));
            self.other.put(&path, &text);
            self.other.delete(&path);
        }
        self.server.forget_tokens(&self.user);
    }

    fn refuse_recipient(&self, _: &str) {
        panic!("no mail here");
    }

    fn carried_out(&self) -> usize {
        lock(&self.course).changed
    }

    fn named(&self, name: &RemoteId) -> RemoteId {
        let names = self.names.lock().unwrap();
        RemoteId(names.get(&name.0).unwrap_or(&name.0).clone())
    }

    /// An unreachable server is the same whether it refuses the connection or does not answer.
    fn faults(&self) -> Vec<RemoteFault> {
        vec![
            RemoteFault::not_signed_in(self.account()),
            RemoteFault::Limited {
                retry_after_seconds: Some(30),
            },
            RemoteFault::Unreachable,
        ]
    }
}
