//! Marks, moves and deletes mails, all by changing labels.

use adjutant_domain::operation::{MailOp, MailRef, Reconciled, RemoteFault, Why};
use adjutant_domain::record::Folder;
use futures::{StreamExt as _, TryStreamExt as _};

use super::api::{Api, BATCH_MAX, Detail};
use super::labels::Relabel;
use crate::google::client::Failed;

/// Maximum number of messages checked concurrently.
const AT_ONCE: usize = 8;

/// Carries out an operation other than sending.
pub(super) async fn apply(api: &Api, op: &MailOp) -> Result<(), Failed> {
    let ids = ids(mails(op))?;
    let wanted = wanted(api, op, true).await?;
    if wanted.is_empty() {
        return Ok(());
    }
    for (number, batch) in ids.chunks(BATCH_MAX).enumerate() {
        api.relabel(batch, &wanted)
            .await
            .map_err(|failed| match failed {
                // Earlier batches have already been changed.
                Failed::Refused { .. } if number > 0 => Failed::Unknown(Why::NoReply),
                failed => failed,
            })?;
    }
    Ok(())
}

/// Checks that all mails of an operation exist.
pub(super) async fn check(api: &Api, op: &MailOp) -> Result<(), RemoteFault> {
    let found = look(api, &ids(mails(op))?).await?;
    match found.iter().all(Option::is_some) {
        true => Ok(()),
        false => Err(RemoteFault::Gone),
    }
}

/// Looks up whether an operation was carried out; returns `None` if it was.
pub(super) async fn reconcile(api: &Api, op: &MailOp) -> Result<Option<Reconciled>, Failed> {
    let wanted = wanted(api, op, false).await?;
    let found = look(api, &ids(mails(op))?).await?;
    let is_deletion = matches!(op, MailOp::Delete { .. });
    let is_done = found.iter().all(|labels| match labels {
        Some(labels) => wanted.holds(labels),
        None => is_deletion,
    });
    Ok((!is_done).then_some(Reconciled::NotDone))
}

fn mails(op: &MailOp) -> &[MailRef] {
    match op {
        MailOp::Flag { mails, .. } | MailOp::Move { mails, .. } | MailOp::Delete { mails } => mails,
        MailOp::Send { .. } => &[],
    }
}

/// Returns the Gmail ids of these mails.
fn ids(mails: &[MailRef]) -> Result<Vec<&str>, RemoteFault> {
    mails.iter().map(id).collect()
}

/// Returns the Gmail id of a mail. Gmail ids never change, so a reference with a UIDVALIDITY is not one of Gmail's.
pub(super) fn id(mail: &MailRef) -> Result<&str, RemoteFault> {
    match mail.uid_validity {
        None => Ok(&mail.remote_id.0),
        Some(_) => Err(RemoteFault::Gone),
    }
}

/// Returns the label changes an operation needs. With `make`, creates missing labels that are to be set.
async fn wanted(api: &Api, op: &MailOp, make: bool) -> Result<Relabel, Failed> {
    let (mut wanted, add, remove) = match op {
        MailOp::Move {
            to, into, leaves, ..
        } => (Relabel::to(*to), into.as_slice(), leaves.as_slice()),
        MailOp::Delete { .. } => return Ok(Relabel::to(Folder::Trash)),
        MailOp::Send { .. } => return Ok(Relabel::default()),
        MailOp::Flag {
            read,
            starred,
            add_labels,
            remove_labels,
            ..
        } => (
            Relabel::marks(*read, *starred),
            add_labels.as_slice(),
            remove_labels.as_slice(),
        ),
    };
    if add.is_empty() && remove.is_empty() {
        return Ok(wanted);
    }
    let mut names = api.labels().await?;
    for name in add {
        if names.id(name).is_none() && make {
            names.add(made(api, name).await?);
        }
        // A missing label is represented by its name, which no mail has, so that `holds` returns false.
        wanted.add.push(names.id(name).unwrap_or(name).to_owned());
    }
    let gone = remove.iter().filter_map(|name| names.id(name));
    wanted.remove.extend(gone.map(str::to_owned));
    Ok(wanted)
}

/// Creates a label. Never reports an unknown outcome: a spare empty label does no harm and need not be reconciled.
async fn made(api: &Api, name: &str) -> Result<super::wire::Label, RemoteFault> {
    api.make_label(name).await.map_err(Failed::fault)
}

/// Fetches the labels of mails; `None` for a mail that does not exist.
async fn look(api: &Api, ids: &[&str]) -> Result<Vec<Option<Vec<String>>>, RemoteFault> {
    let asked = ids.iter().map(|id| {
        let (api, id) = (api.clone(), (*id).to_owned());
        async move {
            match api.message(&id, Detail::Minimal).await {
                Ok(message) => Ok(Some(message.label_ids)),
                Err(RemoteFault::Gone) => Ok(None),
                Err(fault) => Err(fault),
            }
        }
    });
    let asked: Vec<_> = asked.collect();
    futures::stream::iter(asked)
        .buffered(AT_ONCE)
        .try_collect()
        .await
}
