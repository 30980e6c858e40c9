//! An account at the stub as a rig for the contract tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use adjutant_accounts::google::Google;
use adjutant_accounts::{Access, Provider as _};
use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::ids::AccountId;
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::{CollectionRef, Etag, RemoteFault, RemoteId, SignedOut};
use adjutant_domain::ports::{Backends, EgressLog, Exchange, PullFault, Pulled, Sink};
use adjutant_domain::record::{Event, Record, TaskStatus};
use adjutant_net::{NetClient, NetSettings};
use adjutant_testkit::remote::{Rig, Trouble};
use adjutant_testkit::{FixedClock, SeededEntropy};
use async_trait::async_trait;
use serde_json::{Value, json};

use crate::stub::{PERSON, REFRESH, SECRET, Stub, lock};
use crate::tasks::LIST;

struct Uncounted;

impl EgressLog for Uncounted {
    fn note(&self, _: Exchange) {}
}

/// Returns an account that is not signed in yet.
pub fn access(base: &str, now: &str) -> Access {
    let settings = [
        ("google.endpoint", base),
        ("client_id", "mine.apps.googleusercontent.com"),
        ("calendar", "change"),
        ("tasks", "change"),
        ("mail", "no"),
        ("contacts", "no"),
    ];
    Access {
        account: "acc_google".into(),
        settings: settings
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        secrets: BTreeMap::from([("client_secret".to_owned(), SECRET.to_owned().into())]),
        keeper: None,
        net: NetClient::new(NetSettings::default(), Arc::new(Uncounted)),
        clock: Arc::new(FixedClock(now.parse().unwrap())),
        entropy: Arc::new(SeededEntropy::new(7)),
    }
}

pub const NOW: &str = "2026-01-12T12:00:00+01:00[Europe/Paris]";

fn backends(base: &str, now: &str) -> Backends {
    let mut access = access(base, now);
    access
        .settings
        .insert("email".to_owned(), PERSON.to_owned());
    access
        .secrets
        .insert("refresh_token".to_owned(), REFRESH.to_owned().into());
    Google.connect(access).unwrap()
}

/// A signed-in account.
pub struct GoogleRig {
    pub stub: Stub,
    pub backends: Backends,
}

impl GoogleRig {
    pub async fn new() -> Self {
        Self::at(NOW).await
    }

    /// Creates an account with a clock that shows this time.
    pub async fn at(now: &str) -> Self {
        let stub = Stub::start().await;
        let backends = backends(&stub.base, now);
        Self { stub, backends }
    }

    /// Returns an account whose server does not exist.
    pub async fn nowhere() -> Backends {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        backends(&format!("http://{}", listener.local_addr().unwrap()), NOW)
    }

    pub fn collection(&self, kind: CollectionKind, cursor: Option<Cursor>) -> Collection {
        let (remote_id, name) = match kind {
            CollectionKind::TaskList => (LIST, "My Tasks"),
            _ => (PERSON, "Home"),
        };
        Collection {
            id: "col_1".into(),
            account: "acc_google".into(),
            kind,
            remote_id: Some(RemoteId(remote_id.into())),
            name: name.into(),
            colour: None,
            writable: true,
            preferred: false,
            cursor,
        }
    }

    pub fn place(&self, kind: CollectionKind) -> CollectionRef {
        self.collection(kind, None).named().unwrap()
    }

    pub async fn pull(
        &self,
        kind: CollectionKind,
        cursor: Option<Cursor>,
    ) -> (Vec<Pulled>, Result<Cursor, PullFault>) {
        let mut kept = CollectingSink::default();
        let read = self
            .backends
            .pull(&self.collection(kind, cursor), &mut kept)
            .await;
        (kept.0, read)
    }
}

#[derive(Default)]
struct CollectingSink(Vec<Pulled>);

#[async_trait]
impl Sink for CollectingSink {
    async fn take(&mut self, page: Vec<Pulled>) -> Result<(), StoreFault> {
        self.0.extend(page);
        Ok(())
    }
}

fn time(moment: &Moment) -> Value {
    match moment {
        Moment::Day(day) => json!({ "date": day.to_string() }),
        Moment::At(at) => {
            json!({ "dateTime": moment.rfc3339(), "timeZone": at.time_zone().iana_name() })
        }
    }
}

/// Returns an event as another client writes it.
pub fn event(row: &Event) -> Value {
    let guests: Vec<Value> = row
        .attendees
        .iter()
        .map(|who| json!({ "email": who.email, "responseStatus": "needsAction", "self": who.email == PERSON }))
        .collect();
    let mut event = json!({ "summary": row.summary, "start": time(&row.start), "end": time(&row.end),
        "iCalUID": row.uid, "sequence": row.sequence, "attendees": guests });
    if let Some(organizer) = &row.organizer {
        event["organizer"] = json!({ "email": organizer.email });
    }
    if let Some(rule) = &row.rrule {
        event["recurrence"] = json!([format!("RRULE:{rule}")]);
    }
    event
}

impl Rig for GoogleRig {
    fn backends(&self) -> Backends {
        self.backends.clone()
    }

    fn account(&self) -> AccountId {
        "acc_google".into()
    }

    fn meet(&self, trouble: Trouble) {
        lock(&self.stub.state).troubles.push_back(trouble);
    }

    fn put(&self, collection: &RemoteId, name: &RemoteId, rows: Vec<Record>) -> Option<Etag> {
        let mut state = lock(&self.stub.state);
        let etag = match rows.first().unwrap() {
            Record::Event(row) => state.events.put(&collection.0, &name.0, event(row)),
            Record::Task(row) => {
                let status = if row.status == TaskStatus::Done {
                    "completed"
                } else {
                    "needsAction"
                };
                state
                    .tasks
                    .put(&name.0, json!({ "title": row.title, "status": status }))
            }
            other => panic!("no {other:?} at Google here"),
        };
        Some(Etag(etag))
    }

    fn attach(&self, _: &RemoteId, _: &RemoteId, _: Vec<Vec<u8>>) {}

    fn delete(&self, collection: &RemoteId, name: &RemoteId) {
        let mut state = lock(&self.stub.state);
        match state.tasks.get(&name.0) {
            Some(_) => state.tasks.delete(&name.0),
            None => state.events.cancel(&collection.0, &name.0),
        }
    }

    fn forget_cursors(&self) {
        let mut state = lock(&self.stub.state);
        state.events.forget_cursors();
        state.tasks.forget_cursors();
    }

    fn refuse_recipient(&self, _: &str) {}

    fn carried_out(&self) -> usize {
        lock(&self.stub.state).carried_out
    }

    /// Failed connections are tested in `faults.rs`, because a running server cannot simulate its absence.
    fn faults(&self) -> Vec<RemoteFault> {
        vec![
            RemoteFault::NotSignedIn {
                account: self.account(),
                why: SignedOut::Withdrawn,
            },
            RemoteFault::Limited {
                retry_after_seconds: Some(30),
            },
            RemoteFault::TimedOut,
        ]
    }
}
