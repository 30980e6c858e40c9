//! What a provider implements: one port for each family of records it serves, all in one folder.
//!
//! A backend acts for one account. It keeps no state besides connections: the caller stores cursors, ETags and
//! unmodified sources and passes them in. Faults are typed, so that the caller decides what waits, what is retried and
//! what the person is told. `adjutant_testkit::remote::suite` expresses this contract as tests, which every backend
//! runs.

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

/// Maximum number of records passed to a [`Sink`] at once.
pub const PAGE_MAX: usize = 200;

/// One record in the provider's version.
#[derive(Clone, Debug, PartialEq)]
pub struct Pulled {
    /// The provider's identifier of the record.
    pub remote_id: RemoteId,
    /// Its present state, or that it was deleted.
    pub what: PulledWhat,
}

/// State of a record at the provider.
#[derive(Clone, Debug, PartialEq)]
pub enum PulledWhat {
    /// The record exists and is new or changed. A repeating event comes with all its rows, the master first.
    There {
        /// Its version.
        etag: Option<Etag>,
        /// IMAP UIDVALIDITY; `None` outside IMAP.
        uid_validity: Option<u32>,
        /// Its rows. Storage chooses their `id` and `version`.
        rows: Vec<Record>,
        /// Unmodified source: iCalendar or vCard text, or the bytes of a mail.
        source: Option<Vec<u8>>,
    },
    /// The record no longer exists.
    Gone,
}

/// Receives what a backend reads, page by page, and stores each page before it returns.
#[async_trait]
pub trait Sink: Send {
    /// Stores one page of at most [`PAGE_MAX`] records.
    ///
    /// # Errors
    /// Returns a [`StoreFault`] if the page could not be stored; the backend then stops reading.
    async fn take(&mut self, page: Vec<Pulled>) -> Result<(), StoreFault>;

    /// Receives the number of records to expect, as far as the backend knows it.
    fn expects(&mut self, _records: usize) {}

    /// Records a cursor from which an interrupted read can resume; the resumed read then delivers everything that is
    /// still missing.
    ///
    /// # Errors
    /// Fails like [`Self::take`].
    async fn reached(&mut self, _cursor: Cursor) -> Result<(), StoreFault> {
        Ok(())
    }
}

/// Why a collection was not read completely. Pages already stored stay.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PullFault {
    /// The provider no longer accepts the cursor: read again without one.
    #[error("the provider wants the whole collection to be read again")]
    CursorRefused,
    /// The provider did not answer as required.
    #[error("{0}")]
    Remote(#[from] RemoteFault),
    /// A page could not be stored.
    #[error("{0}")]
    Store(#[from] StoreFault),
}

/// A collection as the provider lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteCollection {
    /// The provider's identifier of the collection.
    pub remote_id: RemoteId,
    /// What it holds.
    pub kind: CollectionKind,
    /// Its name.
    pub name: String,
    /// Colour as `#rrggbb`, if known.
    pub colour: Option<String>,
    /// Whether the person may change its records.
    pub writable: bool,
}

/// A period in which somebody is busy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Busy {
    /// Mail address of that person.
    pub who: String,
    /// Start, inclusive.
    pub start: Timestamp,
    /// End, exclusive.
    pub end: Timestamp,
}

/// When people are busy, as far as a provider tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FreeBusy {
    /// Mail addresses of the people whose times the provider tells. Nobody knows when the others are busy.
    pub known: Vec<String>,
    /// When these people are busy.
    pub busy: Vec<Busy>,
}

/// Operations that all families share: listing, reading and changing collections. `Op` is the family's own type of
/// request.
#[async_trait]
pub trait Backend<Op>: Send + Sync {
    /// Lists the collections.
    ///
    /// # Errors
    /// Returns a [`RemoteFault`] if the provider does not list them.
    async fn collections(&self) -> Result<Vec<RemoteCollection>, RemoteFault>;

    /// Reads the changes in a collection since a cursor, or everything without one. Returns the next cursor, which the
    /// caller stores once all pages are stored. A record that changes during the read may be delivered twice.
    ///
    /// # Errors
    /// Returns [`PullFault::CursorRefused`] if the collection must be read again without a cursor, another
    /// [`PullFault`] if reading or storing fails.
    async fn pull(
        &self,
        collection: &Collection,
        cursor: Option<&Cursor>,
        sink: &mut dyn Sink,
    ) -> Result<Cursor, PullFault>;

    /// Returns whether these are all collections of the family and none has changed since it was read. Returns `false`
    /// if the provider cannot tell in one request.
    ///
    /// # Errors
    /// Returns a [`RemoteFault`] if the provider does not answer.
    async fn is_unchanged(&self, _collections: &[Collection]) -> Result<bool, RemoteFault> {
        Ok(false)
    }

    /// Like [`RemoteExecutor::apply`].
    async fn apply(&self, op: &Op, key: &Key) -> Ended;

    /// Like [`RemoteExecutor::check`].
    ///
    /// # Errors
    /// Fails like [`RemoteExecutor::check`].
    async fn check(&self, op: &Op) -> Result<(), RemoteFault>;

    /// Like [`RemoteExecutor::reconcile`].
    async fn reconcile(&self, op: &Op, attempt: &Attempt) -> Reconciled;
}

/// Calendars of an account.
#[async_trait]
pub trait CalendarBackend: Backend<CalendarOp> {
    /// Returns when people are busy, as far as the provider reveals it.
    ///
    /// # Errors
    /// Returns a [`RemoteFault`] if the provider does not answer.
    async fn free_busy(&self, who: &[String], window: Window) -> Result<FreeBusy, RemoteFault>;
}

/// Result of waiting for news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Something arrived or changed.
    Came,
    /// The provider never announces news, so the caller must poll.
    NeverTold,
}

/// Mailboxes of an account, and sending from it.
#[async_trait]
pub trait MailBackend: Backend<MailOp> {
    /// Fetches the unmodified source of a mail of which only the header was read.
    ///
    /// # Errors
    /// Returns [`RemoteFault::Gone`] if the mail no longer exists or its UID now names another mail.
    async fn body(&self, mail: &MailRef) -> Result<Vec<u8>, RemoteFault>;

    /// Fetches the decoded bytes of the attachment at `index`, counted from 0.
    ///
    /// # Errors
    /// Fails like [`Self::body`].
    async fn attachment(&self, mail: &MailRef, index: usize) -> Result<Vec<u8>, RemoteFault>;

    /// Waits until the provider announces that something arrived or changed in the inbox. Returns [`News::NeverTold`]
    /// at once if it does not announce news.
    ///
    /// # Errors
    /// Returns a [`RemoteFault`] if the connection for announcements is unavailable.
    async fn until_news(&self) -> Result<News, RemoteFault> {
        Ok(News::NeverTold)
    }

    /// Returns the account's drafts, or `None` if the provider does not store drafts.
    fn drafts(&self) -> Option<&dyn DraftBackend> {
        None
    }

    /// Searches the mailboxes for words and returns the matching mails, newest first, at most `limit`, including mails
    /// never read before.
    ///
    /// # Errors
    /// Returns a [`RemoteFault`] if the provider does not search.
    async fn search(&self, words: &str, limit: usize) -> Result<Vec<Pulled>, RemoteFault>;
}

/// Task lists of an account.
pub trait TaskBackend: Backend<TaskOp> {
    /// Copies fields the provider cannot store from the local task to the one just read.
    fn keep_here(&self, _read: &mut Task, _here: &Task) {}
}

/// Address books of an account.
pub trait ContactBackend: Backend<ContactOp> {}

/// Everything one account offers: the backends that its provider returns once it is connected.
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
    /// Reads a collection from its stored cursor, using the backend of its family.
    ///
    /// # Errors
    /// Fails like [`Backend::pull`], or with [`RemoteFault::Refused`] if the account does not offer the family.
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
        // The request was sent once, so the family was available then. The backend that could tell is no longer
        // connected.
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
