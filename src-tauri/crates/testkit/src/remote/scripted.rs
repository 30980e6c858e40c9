//! A provider in memory. It stores what it receives, carries out each idempotency key once, and meets requests with the
//! trouble that a test has prepared.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use adjutant_domain::account::{Collection, CollectionKind, Cursor};
use adjutant_domain::filter::Window;
use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::{
    Attempt, CalendarOp, ContactOp, Ended, Etag, Key, MailOp, MailRef, Participation, Reconciled,
    RemoteFault, RemoteId, RemoteOp, TaskOp, Why,
};
use adjutant_domain::ports::provider::PAGE_MAX;
use adjutant_domain::ports::{
    Backend, Backends, Busy, CalendarBackend, ContactBackend, FreeBusy, MailBackend, PullFault,
    Pulled, RemoteCollection, Sink, TaskBackend,
};
use adjutant_domain::record::{Record, Task};
use async_trait::async_trait;
use jiff::Timestamp;

use super::server::{Inner, Sent, events, source};

/// What happens to one request.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// The provider carries it out, but the reply is lost.
    LostReply,
    /// The request is lost without notice.
    LostRequest,
    /// The provider carries it out, but the reply is unreadable.
    Unreadable,
    /// The provider refuses it with this fault and changes nothing.
    Fault(RemoteFault),
    /// A reading stops after its first page.
    BreaksOff,
}

/// A provider in memory for one account. Clones share their state.
#[derive(Clone, Debug)]
pub struct ScriptedRemote {
    account: AccountId,
    inner: Arc<Mutex<Inner>>,
}

impl ScriptedRemote {
    /// Creates an account with one empty collection of each kind, named after the kind.
    #[must_use]
    pub fn new(account: &str) -> Self {
        let kinds = [
            CollectionKind::Calendar,
            CollectionKind::Mailbox,
            CollectionKind::TaskList,
            CollectionKind::AddressBook,
        ];
        let collections = kinds.map(|kind| RemoteCollection {
            remote_id: RemoteId(format!("/{}", kind.as_str())),
            kind,
            name: kind.as_str().into(),
            colour: Some("#3366cc".into()),
            writable: true,
        });
        let remote = Self {
            account: account.into(),
            inner: Arc::default(),
        };
        remote.lock().collections = collections.into();
        remote
    }

    /// Returns the account's backends.
    #[must_use]
    pub fn backends(&self) -> Backends {
        Backends {
            calendar: Some(Arc::new(self.clone())),
            mail: Some(Arc::new(self.clone())),
            tasks: Some(Arc::new(self.clone())),
            contacts: Some(Arc::new(self.clone())),
        }
    }

    /// Prepares trouble for the next request that has none yet.
    pub fn meet(&self, trouble: Trouble) {
        self.lock().troubles.push_back(trouble);
    }

    /// Adds or replaces a collection.
    pub fn put_collection(&self, collection: RemoteCollection) {
        let mut inner = self.lock();
        let id = collection.remote_id.clone();
        inner.collections.retain(|one| one.remote_id != id);
        inner.collections.push(collection);
    }

    /// Puts rows there under a name, or changes them, as another client would.
    pub fn put(&self, collection: &RemoteId, remote_id: &RemoteId, rows: Vec<Record>) -> Etag {
        self.lock().put(collection, remote_id, rows)
    }

    /// Attaches files to a mail, as another client would.
    pub fn attach(&self, collection: &RemoteId, remote_id: &RemoteId, files: Vec<Vec<u8>>) {
        let key = (collection.clone(), remote_id.clone());
        if let Some(item) = self.lock().items.get_mut(&key) {
            item.files = files;
        }
    }

    /// Deletes an item, as another client would.
    pub fn delete(&self, collection: &RemoteId, remote_id: &RemoteId) {
        self.lock().remove(collection, remote_id);
    }

    /// Returns the rows under a name, unless deleted.
    #[must_use]
    pub fn rows(&self, collection: &RemoteId, remote_id: &RemoteId) -> Option<Vec<Record>> {
        let key = (collection.clone(), remote_id.clone());
        self.lock().items.get(&key).map(|item| item.rows.clone())
    }

    /// Makes the provider ignore the priority of tasks from now on.
    pub fn know_no_urgency(&self) {
        self.lock().knows_no_urgency = true;
    }

    /// Makes the provider forget every cursor it has issued.
    pub fn forget_cursors(&self) {
        self.lock().era += 1;
    }

    /// Makes the provider refuse mail to an address from now on.
    pub fn refuse_recipient(&self, email: &str) {
        self.lock().refused.insert(email.into());
    }

    /// Returns the mails it has sent.
    #[must_use]
    pub fn sent(&self) -> Vec<Sent> {
        self.lock().sent.clone()
    }

    /// Returns the replies sent to organizers, by UID.
    #[must_use]
    pub fn answers(&self) -> Vec<(String, Participation)> {
        self.lock().answers.clone()
    }

    /// Returns the number of requests carried out.
    #[must_use]
    pub fn carried_out(&self) -> usize {
        self.lock().carried_out
    }

    /// Returns the number of requests made, including lost ones.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.lock().requests
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the trouble for a request that only reads.
    fn trouble(&self) -> Result<Option<Trouble>, RemoteFault> {
        let mut inner = self.lock();
        inner.requests += 1;
        match inner.troubles.pop_front() {
            Some(Trouble::Fault(fault)) => Err(fault),
            Some(Trouble::LostReply | Trouble::LostRequest | Trouble::Unreadable) => {
                Err(RemoteFault::TimedOut)
            }
            other => Ok(other),
        }
    }

    fn apply_any(&self, op: &RemoteOp, key: &Key) -> Ended {
        let mut inner = self.lock();
        inner.requests += 1;
        let trouble = inner.troubles.pop_front();
        match &trouble {
            Some(Trouble::Fault(fault)) => {
                return Ended::Refused {
                    fault: fault.clone(),
                };
            }
            Some(Trouble::LostRequest) => return Ended::Unknown { why: Why::NoReply },
            _ => {}
        }
        let done = match inner.done.get(key) {
            Some(receipt) => Ok(receipt.clone()),
            None => inner.carry_out(op, &self.account),
        };
        match done {
            Err(fault) => Ended::Refused { fault },
            Ok(receipt) => {
                inner.done.insert(key.clone(), receipt.clone());
                match trouble {
                    Some(Trouble::LostReply) => Ended::Unknown { why: Why::NoReply },
                    Some(Trouble::Unreadable) => Ended::Unknown {
                        why: Why::Unreadable,
                    },
                    _ => Ended::Done { receipt },
                }
            }
        }
    }

    fn reconcile_any(&self, attempt: &Attempt) -> Reconciled {
        if let Err(fault) = self.trouble() {
            return Reconciled::NotNow { fault };
        }
        match self.lock().done.get(&attempt.key) {
            Some(receipt) => Reconciled::Done {
                receipt: receipt.clone(),
            },
            None => Reconciled::NotDone,
        }
    }

    fn list(&self, kind: CollectionKind) -> Result<Vec<RemoteCollection>, RemoteFault> {
        self.trouble()?;
        let inner = self.lock();
        let all = inner.collections.iter().filter(|one| one.kind == kind);
        Ok(all.cloned().collect())
    }

    async fn pull_any(
        &self,
        collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let trouble = self.trouble()?;
        let (changed, next) = {
            let inner = self.lock();
            let from = match cursor {
                None => 0,
                Some(cursor) => inner.position(cursor).ok_or(PullFault::CursorRefused)?,
            };
            let place = collection.remote_id.clone();
            let place = place.ok_or(PullFault::Remote(RemoteFault::Gone))?;
            (
                inner.changed(&place, from, cursor.is_none()),
                Cursor(format!("{}:{}", inner.era, inner.log.len())),
            )
        };
        for (at, page) in changed.chunks(PAGE_MAX).enumerate() {
            if at > 0 && trouble == Some(Trouble::BreaksOff) {
                return Err(RemoteFault::Unreachable.into());
            }
            sink.take(page.to_vec()).await?;
        }
        Ok(next)
    }
}

macro_rules! backend {
    ($op:ident, $family:ident, $kind:ident) => {
        #[async_trait]
        impl Backend<$op> for ScriptedRemote {
            async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault> {
                self.list(CollectionKind::$kind)
            }

            async fn pull(
                &self,
                collection: &Collection,
                cursor: Option<&Cursor>,
                sink: &mut dyn Sink,
            ) -> Result<Cursor, PullFault> {
                self.pull_any(collection, cursor, sink).await
            }

            async fn apply(&self, op: &$op, key: &Key) -> Ended {
                self.apply_any(&RemoteOp::$family(op.clone()), key)
            }

            async fn check(&self, op: &$op) -> Result<(), RemoteFault> {
                self.trouble()?;
                self.lock().check(&RemoteOp::$family(op.clone()))
            }

            async fn reconcile(&self, _op: &$op, attempt: &Attempt) -> Reconciled {
                self.reconcile_any(attempt)
            }
        }
    };
}

backend!(CalendarOp, Calendar, Calendar);
backend!(MailOp, Mail, Mailbox);
backend!(TaskOp, Task, TaskList);
backend!(ContactOp, Contact, AddressBook);

#[async_trait]
impl CalendarBackend for ScriptedRemote {
    async fn free_busy(&self, who: &[String], window: Window) -> Result<FreeBusy, RemoteFault> {
        self.trouble()?;
        let inner = self.lock();
        let all = inner.items.values().flat_map(|item| events(&item.rows));
        let zone = jiff::tz::TimeZone::UTC;
        let busy = all.filter(|event| !event.transparent).flat_map(|event| {
            let (start, end) = (event.start.starts(&zone), event.end.starts(&zone));
            let inside =
                window.to.is_none_or(|to| start < to) && window.from.is_none_or(|from| end > from);
            let guests = event.attendees.into_iter().map(|guest| guest.email);
            guests
                .filter(|email| inside && who.contains(email))
                .map(|who| Busy { who, start, end })
                .collect::<Vec<_>>()
        });
        Ok(FreeBusy {
            known: who.to_vec(),
            busy: busy.collect(),
        })
    }
}

#[async_trait]
impl MailBackend for ScriptedRemote {
    async fn body(&self, mail: &MailRef) -> Result<Vec<u8>, RemoteFault> {
        self.trouble()?;
        let inner = self.lock();
        inner.mail_at(mail)?;
        Ok(source(&inner.seen(&mail.collection, &mail.remote_id)?.rows))
    }

    async fn attachment(&self, mail: &MailRef, index: usize) -> Result<Vec<u8>, RemoteFault> {
        self.trouble()?;
        let inner = self.lock();
        inner.mail_at(mail)?;
        let item = inner.seen(&mail.collection, &mail.remote_id)?;
        item.files.get(index).cloned().ok_or(RemoteFault::Gone)
    }

    async fn search(&self, words: &str, limit: usize) -> Result<Vec<Pulled>, RemoteFault> {
        self.trouble()?;
        let inner = self.lock();
        let mut found: Vec<(Timestamp, Pulled)> = inner
            .items
            .iter()
            .filter_map(|((_, name), item)| match item.rows.first() {
                Some(Record::Mail(mail))
                    if crate::text::all_words(words, &[&mail.subject, &mail.text]) =>
                {
                    let pulled = Pulled {
                        remote_id: name.clone(),
                        what: item.there(),
                    };
                    Some((mail.date, pulled))
                }
                _ => None,
            })
            .collect();
        found.sort_by_key(|(date, _)| std::cmp::Reverse(*date));
        found.truncate(limit);
        Ok(found.into_iter().map(|(_, pulled)| pulled).collect())
    }
}

impl TaskBackend for ScriptedRemote {
    fn keep_here(&self, read: &mut Task, here: &Task) {
        if self.lock().knows_no_urgency {
            read.priority = here.priority;
        }
    }
}
impl ContactBackend for ScriptedRemote {}
