//! Marking, moving and deleting mails: all of it is labels.

use adjutant_domain::operation::{MailOp, MailRef, Reconciled, RemoteFault, Why};
use adjutant_domain::record::Folder;
use futures::{StreamExt as _, TryStreamExt as _};

use super::api::{Api, BATCH_MAX, Detail};
use super::labels::Relabel;
use crate::google::client::Failed;

/// Messages that are looked at at the same time.
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
                // What came before is done.
                Failed::Refused { .. } if number > 0 => Failed::Unknown(Why::NoReply),
                failed => failed,
            })?;
    }
    Ok(())
}

/// Whether the mails of an operation are there.
pub(super) async fn check(api: &Api, op: &MailOp) -> Result<(), RemoteFault> {
    let found = look(api, &ids(mails(op))?).await?;
    match found.iter().all(Option::is_some) {
        true => Ok(()),
        false => Err(RemoteFault::Gone),
    }
}

/// Looks whether an operation was carried out; none where it was.
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

/// What Google calls these mails.
fn ids(mails: &[MailRef]) -> Result<Vec<&str>, RemoteFault> {
    mails.iter().map(id).collect()
}

/// What Google calls a mail. Its names are for good, and need no UIDVALIDITY to say what they are the names of.
pub(super) fn id(mail: &MailRef) -> Result<&str, RemoteFault> {
    match mail.uid_validity {
        None => Ok(&mail.remote_id.0),
        Some(_) => Err(RemoteFault::Gone),
    }
}

/// The labels that an operation wants. A label that is to be set is made where there is none and `make` says so.
async fn wanted(api: &Api, op: &MailOp, make: bool) -> Result<Relabel, Failed> {
    let (read, starred, add, remove) = match op {
        MailOp::Move { to, .. } => return Ok(Relabel::to(*to)),
        MailOp::Delete { .. } => return Ok(Relabel::to(Folder::Trash)),
        MailOp::Send { .. } => return Ok(Relabel::default()),
        MailOp::Flag {
            read,
            starred,
            add_labels,
            remove_labels,
            ..
        } => (read, starred, add_labels, remove_labels),
    };
    let mut wanted = Relabel::marks(*read, *starred);
    if add.is_empty() && remove.is_empty() {
        return Ok(wanted);
    }
    let mut names = api.labels().await?;
    for name in add {
        if names.id(name).is_none() && make {
            names.add(made(api, name).await?);
        }
        // Nothing has a label that does not exist.
        wanted.add.push(names.id(name).unwrap_or(name).to_owned());
    }
    let gone = remove.iter().filter_map(|name| names.id(name));
    wanted.remove.extend(gone.map(str::to_owned));
    Ok(wanted)
}

/// An empty label more is nothing that has to be looked for afterwards.
async fn made(api: &Api, name: &str) -> Result<super::wire::Label, RemoteFault> {
    api.make_label(name).await.map_err(Failed::fault)
}

/// The labels of mails; none for what is not there.
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
