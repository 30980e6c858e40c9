//! Converts a change of rows into operations: requests to providers, and what happens locally.
//!
//! Tools make a [`Change`] without knowing about providers. Rows that live in an account, or are to live in one, become
//! remote operations; the others remain a local change. Rows of one repeating event form one operation, and so do mails
//! that get the same treatment.

mod calendar;
mod lists;
mod mail;
#[cfg(test)]
mod tests;

use crate::account::{Collection, Origins};
use crate::change::{Change, RowOp};
use crate::escape::visible;
use crate::faults::{ToolFault, sentence};
use crate::ids::AccountId;
use crate::operation::{CollectionRef, OPERATIONS_MAX, Operation, RemoteId, RemoteOp};
use crate::record::{Kind, Record};

/// Number of hexadecimal digits in an identifier made here: 128 bits of a digest. Every provider allows digits and the
/// letters up to f in identifiers (Google Calendar allows 0–9 and a–v).
const REMOTE_ID_CHARS: usize = 32;

/// Maximum number of characters of a row's name in the description of an operation.
const NAME_CHARS_MAX: usize = 60;

/// Why a change is impossible where its rows live. None of it is carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPossible {
    /// The collection is read-only.
    #[error("“{name}” can only be read")]
    ReadOnly {
        /// Name of the collection.
        name: String,
    },
    /// A row would move to or from another account.
    #[error("“{what}” cannot be moved to another account")]
    AcrossAccounts {
        /// Name of the row, for the person.
        what: String,
    },
    /// The provider would make the person the organizer of somebody else's event.
    #[error("“{what}” is somebody else's event, and this account would make you its organizer")]
    OthersEvent {
        /// Title of the event, for the person.
        what: String,
    },
    /// The account or collection of a row is unknown, so its provider cannot be asked.
    #[error("the account of “{what}” is not connected")]
    NotConnected {
        /// Name of the row, for the person.
        what: String,
    },
    /// The change needs more requests than one call may make.
    #[error("this takes {count} requests at once; {OPERATIONS_MAX} is the limit")]
    TooMany {
        /// Number of requests needed.
        count: usize,
    },
}

impl NotPossible {
    /// Returns what the person can do instead.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::ReadOnly { .. } => {
                "If this account can only read, allow changes in Settings, Accounts. Otherwise ask whoever owns it."
            }
            Self::OthersEvent { .. } => {
                "Add it to a calendar of this computer or of another account."
            }
            Self::AcrossAccounts { .. } => "Add it there again, then delete it here.",
            Self::NotConnected { .. } => "Connect the account again in Settings, Accounts.",
            Self::TooMany { .. } => "Do it in several parts.",
        }
    }
}

impl From<NotPossible> for ToolFault {
    fn from(why: NotPossible) -> Self {
        Self::NotAllowed {
            what: sentence(&why.to_string()),
            hint: why.hint().into(),
        }
    }
}

/// Splits a change into operations: at most one local operation, first because its outcome is never unknown, then one
/// remote operation for each request to a provider. A remote operation carries the rows to write once the provider has
/// confirmed. Requests about events are in the order of their [`super::Stage`].
///
/// # Errors
/// Returns [`NotPossible`] if a row cannot be changed where it lives, or if the change needs more than
/// [`OPERATIONS_MAX`] requests.
pub fn operations(change: &Change, origins: &Origins) -> Result<Vec<Operation>, NotPossible> {
    let mut sorted = Sorted::default();
    for op in &change.ops {
        sorted.add(op, origins);
    }
    let mut remote = Vec::new();
    let mut local = sorted.local;
    for series in sorted.series {
        match calendar::operation(&series, change, origins)? {
            Some(operation) => remote.push(operation),
            None => local.ops.extend(series.ops),
        }
    }
    remote.sort_by_key(Operation::stage);
    for op in sorted.listed {
        match lists::operation(&op, change.home(op.id()), origins)? {
            Some(operation) => remote.push(operation),
            None => local.ops.push(op),
        }
    }
    for op in sorted.outgoing {
        match mail::sending(&op, origins) {
            Some(operation) => remote.push(operation),
            None => local.ops.push(op),
        }
    }
    remote.extend(mail::operations(&sorted.mails, origins)?);
    if remote.len() > OPERATIONS_MAX {
        return Err(NotPossible::TooMany {
            count: remote.len(),
        });
    }
    if remote.is_empty() {
        let change = change.clone();
        let all = (!change.ops.is_empty()).then_some(Operation::Local { change });
        return Ok(all.into_iter().collect());
    }
    let mut all = Vec::with_capacity(remote.len() + 1);
    if !local.ops.is_empty() {
        // Keep the order in which the tool gave them.
        let stays = |op: &&RowOp| local.ops.contains(op);
        let ops = change.ops.iter().filter(stays).cloned().collect();
        all.push(Operation::Local {
            change: Change {
                ops,
                ..Change::default()
            },
        });
    }
    all.extend(remote);
    Ok(all)
}

/// Row operations, grouped by what must be considered together.
#[derive(Default)]
struct Sorted {
    local: Change,
    series: Vec<Series>,
    listed: Vec<RowOp>,
    outgoing: Vec<RowOp>,
    mails: Vec<RowOp>,
}

/// Row operations on events of one UID.
struct Series {
    uid: String,
    ops: Vec<RowOp>,
}

impl Sorted {
    fn add(&mut self, op: &RowOp, origins: &Origins) {
        match op.kind() {
            Kind::Event => match uid_of(op, origins) {
                Some(uid) => match self.series.iter_mut().find(|one| one.uid == uid) {
                    Some(series) => series.ops.push(op.clone()),
                    None => self.series.push(Series {
                        uid,
                        ops: vec![op.clone()],
                    }),
                },
                None => self.local.ops.push(op.clone()),
            },
            Kind::Task | Kind::Contact => self.listed.push(op.clone()),
            Kind::Outbox => self.outgoing.push(op.clone()),
            Kind::Mail if mail::concerns_provider(op, origins) => self.mails.push(op.clone()),
            Kind::Mail | Kind::Note | Kind::Memory => self.local.ops.push(op.clone()),
        }
    }
}

/// Returns the UID of the event an operation concerns, or `None` for a removed event that lives in no account.
fn uid_of(op: &RowOp, origins: &Origins) -> Option<String> {
    let event = match op {
        RowOp::Put { record, .. } => record.as_ref(),
        RowOp::Delete { id, .. } | RowOp::Mark { id, .. } => &origins.of(id)?.record,
    };
    match event {
        Record::Event(event) if !event.uid.is_empty() => Some(event.uid.clone()),
        _ => None,
    }
}

fn remote(account: &AccountId, op: RemoteOp, ops: Vec<RowOp>, origins: &Origins) -> Operation {
    let more = match op {
        RemoteOp::Mail(_) => ops.len().saturating_sub(1),
        // The rows of a series count as one event.
        _ => 0,
    };
    Operation::Remote {
        account: account.clone(),
        about: about(&ops, more, origins),
        op: Box::new(op),
        then: Change {
            ops,
            ..Change::default()
        },
    }
}

/// Returns the present name of the first row, and the number of `more` rows.
fn about(ops: &[RowOp], more: usize, origins: &Origins) -> String {
    let name = ops
        .first()
        .map_or("", |op| match (origins.of(op.id()), op) {
            (Some(there), _) => there.record.label(),
            (None, RowOp::Put { record, .. }) => record.label(),
            (None, RowOp::Delete { .. } | RowOp::Mark { .. }) => "",
        });
    let words: Vec<&str> = name.split_whitespace().collect();
    let mut name = visible(&words.join(" "));
    if let Some((end, _)) = name.char_indices().nth(NAME_CHARS_MAX) {
        name.truncate(end);
        name.push('…');
    }
    let name = (!name.is_empty()).then(|| format!("“{name}”"));
    let more = (more > 0).then(|| format!("and {more} more"));
    let parts: Vec<String> = name.into_iter().chain(more).collect();
    parts.join(" ")
}

/// Returns the reference to a collection if its records may be changed.
fn writable(collection: Option<&Collection>, what: &str) -> Result<CollectionRef, NotPossible> {
    match collection {
        Some(collection) if !collection.writable => Err(NotPossible::ReadOnly {
            name: collection.name.clone(),
        }),
        collection => connected(collection, what),
    }
}

/// Returns the reference to a collection if its provider can be asked.
fn connected(collection: Option<&Collection>, what: &str) -> Result<CollectionRef, NotPossible> {
    collection
        .and_then(Collection::named)
        .ok_or_else(|| NotPossible::NotConnected { what: what.into() })
}

/// Derives the identifier of a new record from a name; the same name always yields the same identifier.
fn remote_id(name: &str) -> RemoteId {
    let mut digits = crate::canonical::sha256(name.as_bytes()).0;
    digits.truncate(REMOTE_ID_CHARS);
    RemoteId(digits)
}
