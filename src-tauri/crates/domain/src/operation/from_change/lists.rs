//! Tasks and contacts: each row becomes one operation.

use super::{NotPossible, remote, remote_id, writable};
use crate::account::{CollectionKind, Origin, Origins};
use crate::change::{Expect, RowOp};
use crate::ids::AccountId;
use crate::operation::{CollectionRef, ContactOp, Operation, RemoteOp, TaskOp};
use crate::record::{Kind, Record};

/// Returns the operation for a task or contact, or `None` if the row is and stays on this computer only. A row that comes
/// back goes where it lived, which is its `home`.
pub(super) fn operation(
    op: &RowOp,
    home: Option<&Origin>,
    origins: &Origins,
) -> Result<Option<Operation>, NotPossible> {
    let asked = match op {
        RowOp::Put { record, expect } => match origins.of(record.id()) {
            Some(known) => {
                let collection = origins.collection(&known.origin.collection);
                let collection = writable(collection, record.label())?;
                replace(record, &known.origin, collection)
            }
            None if *expect == Expect::Absent => create(record, home, origins)?,
            None => None,
        },
        RowOp::Delete { kind, id, .. } => match origins.of(id) {
            Some(known) => {
                let collection = origins.collection(&known.origin.collection);
                let collection = writable(collection, known.record.label())?;
                remove(*kind, &known.origin, collection)
            }
            None => None,
        },
        RowOp::Mark { .. } => None,
    };
    Ok(asked.map(|(account, asked)| remote(&account, asked, vec![op.clone()], origins)))
}

type RemoteRequest = Option<(AccountId, RemoteOp)>;

fn create(
    record: &Record,
    home: Option<&Origin>,
    origins: &Origins,
) -> Result<RemoteRequest, NotPossible> {
    let lived_in = home.and_then(|home| origins.collection(&home.collection));
    let source = home.and_then(|home| home.source.clone());
    let preferred = || CollectionKind::of(record.kind()).and_then(|kind| origins.preferred(kind));
    let Some(home) = lived_in.or_else(preferred) else {
        return Ok(None);
    };
    let collection = writable(Some(home), record.label())?;
    let remote_id = remote_id(record.id().as_str());
    let asked = match record {
        Record::Task(task) => RemoteOp::Task(TaskOp::Create {
            collection,
            remote_id,
            source,
            task: Box::new(task.clone()),
        }),
        Record::Contact(contact) => RemoteOp::Contact(ContactOp::Create {
            collection,
            remote_id,
            source,
            contact: Box::new(contact.clone()),
        }),
        _ => return Ok(None),
    };
    Ok(Some((home.account.clone(), asked)))
}

fn replace(record: &Record, origin: &Origin, collection: CollectionRef) -> RemoteRequest {
    let remote_id = origin.remote_id.clone();
    let (etag, source) = (origin.etag.clone(), origin.source.clone());
    let asked = match record {
        Record::Task(task) => RemoteOp::Task(TaskOp::Update {
            collection,
            remote_id,
            etag,
            source,
            task: Box::new(task.clone()),
        }),
        Record::Contact(contact) => RemoteOp::Contact(ContactOp::Update {
            collection,
            remote_id,
            etag,
            source,
            contact: Box::new(contact.clone()),
        }),
        _ => return None,
    };
    Some((origin.account.clone(), asked))
}

fn remove(kind: Kind, origin: &Origin, collection: CollectionRef) -> RemoteRequest {
    let remote_id = origin.remote_id.clone();
    let etag = origin.etag.clone();
    let asked = match kind {
        Kind::Task => RemoteOp::Task(TaskOp::Delete {
            collection,
            remote_id,
            etag,
        }),
        Kind::Contact => RemoteOp::Contact(ContactOp::Delete {
            collection,
            remote_id,
            etag,
        }),
        _ => return None,
    };
    Some((origin.account.clone(), asked))
}
