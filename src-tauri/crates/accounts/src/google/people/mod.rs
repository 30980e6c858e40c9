//! Contacts of a Google account (People API).

mod person;
mod pull;

use std::sync::Arc;

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::operation::{
    Attempt, ContactOp, Ended, Etag, Key, Receipt, Reconciled, RemoteFault, RemoteId, Why,
};
use adjutant_domain::ports::{
    Backend, Clock, ContactBackend, Entropy, PullFault, RemoteCollection, Sink,
};
use adjutant_domain::record::Contact;
use adjutant_interchange::Seed;
use adjutant_net::Method;
use async_trait::async_trait;
use serde_json::{Value, json};

use super::client::{Ask, Client, Failed};
use super::hosts::Api;
use super::once::{ended, seen};
use super::scopes::{Allowed, Family};
use crate::provider::Access;

/// Path of the signed-in person's contacts.
const CONNECTIONS: &str = "people/me/connections";
/// Restricts replies to the person's own contact data, without Google's other profile data.
const SOURCES: &str = "READ_SOURCE_TYPE_CONTACT";
const READING: &str = "reading contacts";

/// The contacts of one account.
pub(super) struct People {
    client: Arc<Client>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    /// Whether the person allows Adjutant to change contacts.
    writable: bool,
}

impl People {
    fn seed(&self) -> Seed {
        Seed {
            now: self.clock.now(),
            entropy: Arc::clone(&self.entropy),
            own: Vec::new(),
        }
    }

    fn receipt(&self, remote_id: &str, etag: Option<&str>) -> Receipt {
        let id = RemoteId(remote_id.to_owned());
        let etag = etag.map(|etag| Etag(etag.to_owned()));
        self.client.receipt(Some(id), etag, Vec::new())
    }

    fn receipt_of(&self, person: &Value) -> Result<Receipt, Failed> {
        let name = person::name(person).ok_or(Failed::Unknown(Why::Unreadable))?;
        Ok(self.receipt(name, person::etag(person)))
    }

    /// Fetches a person as Google has it now.
    async fn person(&self, id: &RemoteId) -> Result<Value, RemoteFault> {
        let ask = Ask::get(Api::People, ["people", plain(id)?], READING)
            .with("personFields", person::FIELDS)
            .with("sources", SOURCES);
        self.client.json(ask).await.map_err(Failed::fault)
    }

    /// Fetches a person and checks that it is still in the state seen.
    async fn unchanged(&self, id: &RemoteId, seen: Option<&Etag>) -> Result<Value, RemoteFault> {
        let person = self.person(id).await?;
        match is_in(&person, seen) {
            true => Ok(person),
            false => Err(conflict(&person)),
        }
    }

    async fn create(&self, id: &RemoteId, contact: &Contact) -> Result<Receipt, Failed> {
        if let Some(person) = pull::with_own_id(&self.client, &id.0).await? {
            return self.receipt_of(&person);
        }
        let body = Value::Object(person::new(contact, &id.0, &self.seed()));
        let ask = change(Method::POST, vec!["people:createContact"])
            .with("personFields", person::FIELDS)
            .json(body);
        self.receipt_of(&self.client.json(ask).await?)
    }

    async fn update(
        &self,
        id: &RemoteId,
        seen: Option<&Etag>,
        contact: &Contact,
    ) -> Result<Receipt, Failed> {
        let now = self.person(id).await?;
        let changes = person::changes(&now, contact, &self.seed());
        if changes.is_empty() {
            return self.receipt_of(&now);
        }
        if !is_in(&now, seen) {
            return Err(conflict(&now).into());
        }
        let fields: Vec<&str> = changes.keys().map(String::as_str).collect();
        let fields = fields.join(",");
        let mut body = Value::Object(changes);
        body["etag"] = json!(now.get("etag"));
        body["metadata"] = json!({"sources": now.pointer("/metadata/sources")});
        let verb = format!("{}:updateContact", plain(id)?);
        let ask = change(Method::PATCH, vec!["people", &verb])
            .with("updatePersonFields", fields)
            .with("personFields", person::FIELDS)
            .json(body);
        match self.client.json(ask).await {
            // Google uses the same status for an invalid request and for a conflicting change.
            Err(failed) if failed.status() == Some(400) => {
                let later = self.person(id).await?;
                let is_same = person::etag(&later) == person::etag(&now);
                Err(if is_same {
                    failed
                } else {
                    conflict(&later).into()
                })
            }
            changed => self.receipt_of(&changed?),
        }
    }

    async fn delete(&self, id: &RemoteId, seen: Option<&Etag>) -> Result<(), Failed> {
        self.unchanged(id, seen).await?;
        let verb = format!("{}:deleteContact", plain(id)?);
        let ask = change(Method::DELETE, vec!["people", &verb]);
        // The reply must at least be valid JSON.
        self.client.json::<Value>(ask).await.map(drop)
    }

    /// Looks up whether an operation was carried out; `None` if not.
    async fn look(&self, op: &ContactOp) -> Result<Option<Receipt>, Failed> {
        match op {
            ContactOp::Create { remote_id, .. } => {
                let found = pull::with_own_id(&self.client, &remote_id.0).await?;
                found.map(|person| self.receipt_of(&person)).transpose()
            }
            ContactOp::Update {
                remote_id, contact, ..
            } => {
                let person = match self.person(remote_id).await {
                    Err(RemoteFault::Gone) => return Ok(None),
                    person => person?,
                };
                let is_done = person::changes(&person, contact, &self.seed()).is_empty();
                is_done.then(|| self.receipt_of(&person)).transpose()
            }
            ContactOp::Delete { remote_id, .. } => match self.person(remote_id).await {
                Err(RemoteFault::Gone) => Ok(Some(self.receipt(&remote_id.0, None))),
                person => person.map(|_| None).map_err(Failed::from),
            },
        }
    }
}

/// Returns a person's resource name without the `people/` prefix.
fn plain(id: &RemoteId) -> Result<&str, RemoteFault> {
    let is_name = person::is_name(&id.0);
    let name = id.0.strip_prefix("people/").filter(|_| is_name);
    name.ok_or(RemoteFault::Gone)
}

fn change(method: Method, path: Vec<&str>) -> Ask<'_> {
    Ask::new(method, Api::People, path, "changing contacts")
}

/// Tells whether a person is in the state seen; always true if `seen` is `None`.
fn is_in(person: &Value, seen: Option<&Etag>) -> bool {
    seen.is_none_or(|seen| person::etag(person) == Some(seen.0.as_str()))
}

fn conflict(person: &Value) -> RemoteFault {
    RemoteFault::Conflict {
        current: person::etag(person).map(|etag| Etag(etag.to_owned())),
    }
}

#[async_trait]
impl Backend<ContactOp> for People {
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
        Ok(vec![RemoteCollection {
            remote_id: RemoteId(CONNECTIONS.into()),
            kind: CollectionKind::AddressBook,
            name: "Contacts".into(),
            colour: None,
            writable: self.writable,
        }])
    }

    async fn pull(
        &self,
        _collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        pull::pull(&self.client, cursor, &self.seed(), sink).await
    }

    async fn apply(&self, op: &ContactOp, key: &Key) -> Ended {
        let done = match op {
            ContactOp::Create {
                remote_id, contact, ..
            } => self.create(remote_id, contact).await,
            ContactOp::Update {
                remote_id,
                etag,
                contact,
                ..
            } => self.update(remote_id, etag.as_ref(), contact).await,
            ContactOp::Delete {
                remote_id, etag, ..
            } => {
                let deleting = self.delete(remote_id, etag.as_ref());
                self.client.delete_once(key, remote_id, deleting).await
            }
        };
        ended(done)
    }

    async fn check(&self, op: &ContactOp) -> Result<(), RemoteFault> {
        match op {
            ContactOp::Create { .. } => Ok(()),
            ContactOp::Update {
                remote_id, etag, ..
            }
            | ContactOp::Delete {
                remote_id, etag, ..
            } => self.unchanged(remote_id, etag.as_ref()).await.map(drop),
        }
    }

    async fn reconcile(&self, op: &ContactOp, _attempt: &Attempt) -> Reconciled {
        seen(self.look(op).await.map_err(Failed::fault))
    }
}

impl ContactBackend for People {}

/// Returns the contact backend of an account if the person allows Adjutant to read contacts.
pub(super) fn backend(client: &Arc<Client>, access: &Access) -> Option<Arc<dyn ContactBackend>> {
    let allowed = Family::Contacts.allowed(access);
    (allowed > Allowed::Nothing).then(|| {
        Arc::new(People {
            client: Arc::clone(client),
            clock: Arc::clone(&access.clock),
            entropy: Arc::clone(&access.entropy),
            writable: allowed == Allowed::Change,
        }) as Arc<dyn ContactBackend>
    })
}
