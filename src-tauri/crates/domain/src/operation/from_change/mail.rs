//! Mail: approved mails are sent, and mails in a mailbox are filed and marked there. Mails of one account that get the
//! same treatment share one operation.

use super::{NotPossible, remote, writable};
use crate::account::{Origin, Origins};
use crate::change::{Expect, RowOp};
use crate::ids::AccountId;
use crate::operation::{MailOp, MailRef, Operation, RemoteOp};
use crate::record::{Address, Folder, Mail, OutboxState, Record};

/// Returns the operation that sends an approved mail through the account that owns its `From:` address, or `None` if no
/// account can send it; the mail then waits in the outbox.
pub(super) fn sending(op: &RowOp, origins: &Origins) -> Option<Operation> {
    let RowOp::Put { record, expect } = op else {
        return None;
    };
    let Record::Outbox(item) = record.as_ref() else {
        return None;
    };
    let mime = item.mime.as_ref()?;
    if item.state != OutboxState::Queued {
        return None;
    }
    let from = sender_of(mime)?;
    let account = origins.sender(&from.email)?;
    let mut sent = item.clone();
    sent.state = OutboxState::Sent;
    let asked = MailOp::Send {
        message_id: item.message_id.clone(),
        from,
        recipients: [&item.to, &item.cc, &item.bcc]
            .into_iter()
            .flatten()
            .cloned()
            .collect(),
        mime: mime.clone(),
    };
    let then = RowOp::Put {
        record: Box::new(Record::Outbox(sent)),
        expect: *expect,
    };
    Some(remote(
        &account.id,
        RemoteOp::Mail(asked),
        vec![then],
        origins,
    ))
}

/// Parses the sender from a message's header. Our own code wrote that header, on one line.
fn sender_of(mime: &str) -> Option<Address> {
    let mut head = mime.lines().take_while(|line| !line.is_empty());
    let value = head.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("from").then_some(value.trim())
    })?;
    let (name, email) = match value.rsplit_once('<') {
        Some((name, email)) => (
            name.trim().trim_matches('"'),
            email.trim_end_matches('>').trim(),
        ),
        None => ("", value),
    };
    email.contains('@').then(|| Address {
        name: name.to_owned(),
        email: email.to_owned(),
    })
}

/// Returns whether a mail lives in an account and the change affects something the provider stores too.
pub(super) fn concerns_provider(op: &RowOp, origins: &Origins) -> bool {
    here(op, origins).is_some_and(|(origin, mail)| !steps(op, mail, origin, origins).is_empty())
}

/// Returns the operations that file and mark mails in accounts. Marks come before moves, because a moved mail gets a
/// new UID.
pub(super) fn operations(ops: &[RowOp], origins: &Origins) -> Result<Vec<Operation>, NotPossible> {
    let mut groups: Vec<Group> = Vec::new();
    for op in ops {
        let Some((origin, mail)) = here(op, origins) else {
            continue;
        };
        let collection = origins.collection(&origin.collection);
        let named = MailRef {
            collection: writable(collection, &mail.subject)?,
            uid_validity: origin.uid_validity,
            remote_id: origin.remote_id.clone(),
            message_id: mail.message_id.clone(),
        };
        for step in steps(op, mail, origin, origins) {
            add(&mut groups, &origin.account, &named, step);
        }
    }
    groups.sort_by_key(|group| !matches!(group.what, MailOpKind::Mark(_)));
    Ok(groups
        .into_iter()
        .map(|group| group.into_operation(origins))
        .collect())
}

fn here<'a>(op: &RowOp, origins: &'a Origins) -> Option<(&'a Origin, &'a Mail)> {
    let known = origins.of(op.id())?;
    match &known.record {
        Record::Mail(mail) => Some((&known.origin, mail)),
        _ => None,
    }
}

/// What to do with a mail.
#[derive(Clone, PartialEq)]
enum MailOpKind {
    Mark(Marks),
    Move(Destination),
    Delete,
}

/// Where a mail moves to, and what it leaves.
#[derive(Clone, PartialEq)]
struct Destination {
    folder: Folder,
    /// A mailbox of the person's own.
    mailbox: Option<String>,
    /// Labels that go with its old place.
    leaves: Vec<String>,
}

/// Marks to set and clear.
#[derive(Clone, Default, PartialEq)]
struct Marks {
    read: Option<bool>,
    starred: Option<bool>,
    add_labels: Vec<String>,
    remove_labels: Vec<String>,
}

/// Mails of one account that get the same treatment.
struct Group {
    account: AccountId,
    what: MailOpKind,
    mails: Vec<MailRef>,
    then: Vec<RowOp>,
}

impl Group {
    fn into_operation(self, origins: &Origins) -> Operation {
        let mails = self.mails;
        let asked = match self.what {
            MailOpKind::Mark(marks) => MailOp::Flag {
                mails,
                read: marks.read,
                starred: marks.starred,
                add_labels: marks.add_labels,
                remove_labels: marks.remove_labels,
            },
            MailOpKind::Move(to) => MailOp::Move {
                mails,
                to: to.folder,
                into: to.mailbox,
                leaves: to.leaves,
            },
            MailOpKind::Delete => MailOp::Delete { mails },
        };
        remote(&self.account, RemoteOp::Mail(asked), self.then, origins)
    }
}

fn add(
    groups: &mut Vec<Group>,
    account: &AccountId,
    mail: &MailRef,
    (what, then): (MailOpKind, RowOp),
) {
    let same = |group: &&mut Group| group.account == *account && group.what == what;
    if let Some(group) = groups.iter_mut().find(same) {
        group.mails.push(mail.clone());
        group.then.push(then);
        return;
    }
    groups.push(Group {
        account: account.clone(),
        what,
        mails: vec![mail.clone()],
        then: vec![then],
    });
}

/// Returns what to ask of the provider for one mail, each step with the row that follows: marks if they change, then a
/// move.
fn steps(
    op: &RowOp,
    before: &Mail,
    origin: &Origin,
    origins: &Origins,
) -> Vec<(MailOpKind, RowOp)> {
    let mut after = match op {
        RowOp::Put { record, .. } => match record.as_ref() {
            Record::Mail(after) => after.clone(),
            _ => return Vec::new(),
        },
        RowOp::Mark { marks, .. } => {
            let mut after = before.clone();
            marks.apply(&mut after);
            after
        }
        RowOp::Delete { .. } => return vec![(MailOpKind::Delete, op.clone())],
    };
    let mut marks = marks(before, &after);
    let moves = destination(op, (before, &marks), &mut after, (origin, origins));
    if let Some(to) = &moves {
        marks
            .add_labels
            .retain(|one| to.mailbox.as_ref() != Some(one));
        marks.remove_labels.retain(|one| !to.leaves.contains(one));
    }
    let mut steps = Vec::new();
    let mut expect = op.expect();
    if marks != Marks::default() {
        let mut marked = after.clone();
        marked.folder = before.folder;
        if let Some(to) = &moves {
            marked.labels.retain(|one| to.mailbox.as_ref() != Some(one));
            marked.labels.extend(to.leaves.iter().cloned());
        }
        steps.push((MailOpKind::Mark(marks), put(marked, expect)));
        // The marking step has already written the row once.
        if let Expect::Version(version) = expect {
            expect = Expect::Version(version + 1);
        }
    }
    if let Some(to) = moves {
        let what = match after.folder {
            Folder::Trash => MailOpKind::Delete,
            _ => MailOpKind::Move(to),
        };
        let mut moved = after;
        if let Expect::Version(version) = expect {
            moved.version = version;
        }
        steps.push((what, put(moved, expect)));
    }
    steps
}

/// Returns where a mail moves to; `None` if it stays where it is. A mail in a mailbox of the person's own has the folder
/// [`Folder::Archive`] and that mailbox's name among its labels, so it loses the label with its place.
fn destination(
    op: &RowOp,
    (before, marks): (&Mail, &Marks),
    after: &mut Mail,
    (origin, origins): (&Origin, &Origins),
) -> Option<Destination> {
    let is_mailbox = |label: &&String| origins.has_mailbox(&origin.account, label);
    let is_archived = |mail: &Mail| mail.folder == Folder::Archive;
    let mailbox = match op {
        RowOp::Mark { marks, .. } => marks.mailbox.clone(),
        // Undoing names no mailbox, but the row that it brings back has its label.
        RowOp::Put { .. } if is_archived(after) => {
            marks.add_labels.iter().find(is_mailbox).cloned()
        }
        RowOp::Put { .. } | RowOp::Delete { .. } => None,
    };
    let moves = before.folder != after.folder
        || mailbox.is_some()
        || (is_archived(before) && marks.remove_labels.iter().any(|label| is_mailbox(&label)));
    if !moves {
        return None;
    }
    let mut leaves = marks.remove_labels.clone();
    if after.folder == Folder::Trash {
        // The trash takes a mail with its labels.
        leaves.retain(|label| is_mailbox(&label));
    }
    let goes = |label: &String| mailbox.as_ref() != Some(label) && is_mailbox(&label);
    if is_archived(before) {
        leaves.extend(after.labels.extract_if(.., |label| goes(label)));
    }
    Some(Destination {
        folder: after.folder,
        mailbox,
        leaves,
    })
}

fn put(mail: Mail, expect: Expect) -> RowOp {
    RowOp::Put {
        record: Box::new(Record::Mail(mail)),
        expect,
    }
}

fn marks(before: &Mail, after: &Mail) -> Marks {
    let changed = |was: bool, is: bool| (was != is).then_some(is);
    let without = |some: &[String], others: &[String]| -> Vec<String> {
        let rest = some.iter().filter(|label| !others.contains(label));
        rest.cloned().collect()
    };
    Marks {
        read: changed(before.read, after.read),
        starred: changed(before.starred, after.starred),
        add_labels: without(&after.labels, &before.labels),
        remove_labels: without(&before.labels, &after.labels),
    }
}
