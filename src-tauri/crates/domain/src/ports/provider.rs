//! What a provider implements: one folder, one port for each family of records it serves.
//!
//! A backend speaks for one account. It keeps no state of its own beyond connections: cursors, ETags and untouched
//! sources are handed to it and stored by whoever calls. Faults are typed, so that the caller decides what waits, what is
//! tried again and what the person is told. `adjutant_testkit::remote::suite` is the contract as tests; every backend
//! runs it.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;

use super::drafts::DraftBackend;
use super::executor::RemoteExecutor;
use crate::account::{Collection, CollectionKind, Cursor};
use crate::faults::StoreFault;
use crate::filter::Window;
use crate::operation::{
    Attempt, CalendarOp, ContactOp, Ended, Etag, Key, MailOp, MailRef, Reconciled, RemoteFault,
    RemoteId, RemoteOp, TaskOp,
};
use crate::record::{Record, Task};

/// Records handed to a [`Sink`] at once.
pub const PAGE_MAX: usize = 200;

/// One record as a provider has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pulled {
    /// What the provider calls it.
    pub remote_id: RemoteId,
    /// Its state, or that it is gone.
    pub what: PulledWhat,
}

/// What became of a record at the provider.
#[derive(Clone, Debug, PartialEq)]
pub enum PulledWhat {
    /// It is there, new or changed. A repeating event comes with all its rows, the master first.
    There {
        /// The state it is in.
        etag: Option<Etag>,
        /// IMAP UIDVALIDITY.
        uid_validity: Option<u32>,
        /// Its rows; their `id` and `version` are chosen by storage.
        rows: Vec<Record>,
        /// The untouched source: iCalendar or vCard text, or the bytes of a mail.
        source: Option<Vec<u8>>,
    },
    /// It is not there any more.
    Gone,
}

/// Takes what a backend reads, page by page, and stores it before it returns.
#[async_trait]
pub trait Sink: Send {
    /// Takes one page of at most [`PAGE_MAX`] records.
    ///
    /// # Errors
    /// When it could not be stored; the backend then stops reading.
    async fn take(&mut self, page: Vec<Pulled>) -> Result<(), StoreFault>;

    /// So many records will be delivered, as far as the backend knows.
    fn expects(&mut self, _records: usize) {}

    /// A reading that is cut off from here on goes on from this cursor, and delivers then what is missing up to now.
    ///
    /// # Errors
    /// As [`Self::take`].
    async fn reached(&mut self, _cursor: Cursor) -> Result<(), StoreFault> {
        Ok(())
    }
}

/// Why a collection was not read to its end. What the sink has taken stays.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PullFault {
    /// The provider does not know the cursor any more: read again without one.
    #[error("the provider wants the whole collection to be read again")]
    CursorRefused,
    /// The provider did not answer as asked.
    #[error("{0}")]
    Remote(#[from] RemoteFault),
    /// What was read could not be stored.
    #[error("{0}")]
    Store(#[from] StoreFault),
}

/// A collection as the provider lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteCollection {
    /// What the provider calls it.
    pub remote_id: RemoteId,
    /// What it holds.
    pub kind: CollectionKind,
    /// Its name.
    pub name: String,
    /// Colour as `#rrggbb`.
    pub colour: Option<String>,
    /// Whether the person may change what lies in it.
    pub writable: bool,
}

/// A stretch of time in which somebody is busy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// Whose time: a mail address.
    pub who: String,
    /// From.
    pub start: Timestamp,
    /// Up to, exclusive.
    pub end: Timestamp,
}

/// What all families have in common: collections are listed, read and changed in one way. `Op` is the family's own set of
/// requests.
#[async_trait]
pub trait Backend<Op>: Send + Sync {
    /// The collections there are.
    ///
    /// # Errors
    /// When the provider does not list them.
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault>;

    /// Reads what changed in a collection since a cursor; everything without one. Gives the cursor to go on from, which
    /// the caller stores once all pages are stored. A record that changes while it is read may come twice.
    ///
    /// # Errors
    /// [`PullFault::CursorRefused`] when it has to be read again without a cursor.
    async fn pull(
        &self,
        collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault>;

    /// Whether these are all collections there are, and nothing changed in any of them since it was read, where the
    /// provider can tell that at once.
    ///
    /// # Errors
    /// When the provider does not answer.
    async fn is_unchanged(&self, _collections: &[Collection]) -> Result<bool, RemoteFault> {
        Ok(false)
    }

    /// As [`RemoteExecutor::apply`].
    async fn apply(&self, op: &Op, key: &Key) -> Ended;

    /// As [`RemoteExecutor::check`].
    ///
    /// # Errors
    /// As there.
    async fn check(&self, op: &Op) -> Result<(), RemoteFault>;

    /// As [`RemoteExecutor::reconcile`].
    async fn reconcile(&self, op: &Op, attempt: &Attempt) -> Reconciled;
}

/// Calendars of an account.
#[async_trait]
pub trait CalendarBackend: Backend<CalendarOp> {
    /// When people are busy, as far as the provider tells.
    ///
    /// # Errors
    /// When the provider does not answer.
    async fn free_busy(&self, who: &[String], window: Window) -> Result<Vec<Busy>, RemoteFault>;
}

/// What comes of waiting for news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Something is there that was not.
    Came,
    /// The provider tells none: it has to be asked from time to time.
    NeverTold,
}

/// Mailboxes of an account, and sending from it.
#[async_trait]
pub trait MailBackend: Backend<MailOp> {
    /// The untouched source of a mail of which only the head was read.
    ///
    /// # Errors
    /// [`RemoteFault::Gone`] when it is not there any more, or its number names another mail now.
    async fn body(&self, mail: &MailRef) -> Result<Vec<u8>, RemoteFault>;

    /// The decoded bytes of one of its attached files, counted from 0.
    ///
    /// # Errors
    /// As [`Self::body`].
    async fn attachment(&self, mail: &MailRef, index: usize) -> Result<Vec<u8>, RemoteFault>;

    /// Waits until the provider says that something came or changed where mail arrives; tells at once that it never says
    /// so where it cannot.
    ///
    /// # Errors
    /// When the connection on which it would say so is not there.
    async fn until_news(&self) -> Result<News, RemoteFault> {
        Ok(News::NeverTold)
    }

    /// The drafts of the account, where the provider keeps such.
    fn drafts(&self) -> Option<&dyn DraftBackend> {
        None
    }

    /// Mails that contain words, newest first, at most `limit`: also such as were never read.
    ///
    /// # Errors
    /// When the provider does not search.
    async fn search(&self, words: &str, limit: usize) -> Result<Vec<Pulled>, RemoteFault>;
}

/// Task lists of an account.
pub trait TaskBackend: Backend<TaskOp> {
    /// Gives a task that was read what its provider has no field for, as it is here.
    fn keep_here(&self, _read: &mut Task, _here: &Task) {}
}

/// Address books of an account.
pub trait ContactBackend: Backend<ContactOp> {}

/// What one account offers: what a provider's folder gives back once it is connected.
#[derive(Clone, Default)]
pub struct Backends {
    /// Calendars.
    pub calendar: Option<Arc<dyn CalendarBackend>>,
    /// Mail.
    pub mail: Option<Arc<dyn MailBackend>>,
    /// Tasks.
    pub tasks: Option<Arc<dyn TaskBackend>>,
    /// Contacts.
    pub contacts: Option<Arc<dyn ContactBackend>>,
}

impl std::fmt::Debug for Backends {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let offered = CollectionKind::ALL.into_iter();
        let offered = offered.filter(|kind| self.offers(*kind));
        formatter
            .debug_set()
            .entries(offered.map(CollectionKind::family))
            .finish()
    }
}

impl Backends {
    /// Reads a collection with the family that holds it, from the cursor it has.
    ///
    /// # Errors
    /// As [`Backend::pull`]; [`RemoteFault::Refused`] where the account does not offer the family.
    pub async fn pull(
        &self,
        collection: &Collection,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault> {
        let cursor = collection.cursor.as_ref();
        let missing = || PullFault::Remote(not_offered(collection.kind));
        match collection.kind {
            CollectionKind::Calendar => {
                let backend = self.calendar.as_ref().ok_or_else(missing)?;
                backend.pull(collection, cursor, sink).await
            }
            CollectionKind::Mailbox => {
                let backend = self.mail.as_ref().ok_or_else(missing)?;
                backend.pull(collection, cursor, sink).await
            }
            CollectionKind::TaskList => {
                let backend = self.tasks.as_ref().ok_or_else(missing)?;
                backend.pull(collection, cursor, sink).await
            }
            CollectionKind::AddressBook => {
                let backend = self.contacts.as_ref().ok_or_else(missing)?;
                backend.pull(collection, cursor, sink).await
            }
        }
    }
}

#[async_trait]
impl RemoteExecutor for Backends {
    async fn apply(&self, op: &RemoteOp, key: &Key) -> Ended {
        let asked = match op {
            RemoteOp::Calendar(op) => match &self.calendar {
                Some(backend) => Ok(backend.apply(op, key).await),
                None => Err(not_offered(CollectionKind::Calendar)),
            },
            RemoteOp::Mail(op) => match &self.mail {
                Some(backend) => Ok(backend.apply(op, key).await),
                None => Err(not_offered(CollectionKind::Mailbox)),
            },
            RemoteOp::Task(op) => match &self.tasks {
                Some(backend) => Ok(backend.apply(op, key).await),
                None => Err(not_offered(CollectionKind::TaskList)),
            },
            RemoteOp::Contact(op) => match &self.contacts {
                Some(backend) => Ok(backend.apply(op, key).await),
                None => Err(not_offered(CollectionKind::AddressBook)),
            },
            RemoteOp::LeaveList(_) | RemoteOp::Tool(_) => Err(no_tools()),
        };
        asked.unwrap_or_else(|fault| Ended::Refused { fault })
    }

    async fn check(&self, op: &RemoteOp) -> Result<(), RemoteFault> {
        match op {
            RemoteOp::Calendar(op) => match &self.calendar {
                Some(backend) => backend.check(op).await,
                None => Err(not_offered(CollectionKind::Calendar)),
            },
            RemoteOp::Mail(op) => match &self.mail {
                Some(backend) => backend.check(op).await,
                None => Err(not_offered(CollectionKind::Mailbox)),
            },
            RemoteOp::Task(op) => match &self.tasks {
                Some(backend) => backend.check(op).await,
                None => Err(not_offered(CollectionKind::TaskList)),
            },
            RemoteOp::Contact(op) => match &self.contacts {
                Some(backend) => backend.check(op).await,
                None => Err(not_offered(CollectionKind::AddressBook)),
            },
            RemoteOp::LeaveList(_) | RemoteOp::Tool(_) => Err(no_tools()),
        }
    }

    async fn reconcile(&self, op: &RemoteOp, attempt: &Attempt) -> Reconciled {
        let looked = match op {
            RemoteOp::Calendar(op) => match &self.calendar {
                Some(backend) => Some(backend.reconcile(op, attempt).await),
                None => None,
            },
            RemoteOp::Mail(op) => match &self.mail {
                Some(backend) => Some(backend.reconcile(op, attempt).await),
                None => None,
            },
            RemoteOp::Task(op) => match &self.tasks {
                Some(backend) => Some(backend.reconcile(op, attempt).await),
                None => None,
            },
            RemoteOp::Contact(op) => match &self.contacts {
                Some(backend) => Some(backend.reconcile(op, attempt).await),
                None => None,
            },
            RemoteOp::LeaveList(_) | RemoteOp::Tool(_) => None,
        };
        // It was asked for once, so it was offered then: who could tell is not connected any more.
        looked.unwrap_or(Reconciled::CannotTell)
    }
}

fn not_offered(kind: CollectionKind) -> RemoteFault {
    RemoteFault::Refused {
        what: format!("this account has no {}", kind.family()),
    }
}

fn no_tools() -> RemoteFault {
    RemoteFault::Refused {
        what: "this account offers no tools".into(),
    }
}
