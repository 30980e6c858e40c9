//! Cases: the requests that the suite makes to a provider.

use adjutant_domain::account::{Collection, CollectionKind};
use adjutant_domain::operation::{
    CalendarOp, CollectionRef, ContactOp, Etag, Key, MailOp, MailRef, Participation, RemoteId,
    RemoteOp, TaskOp,
};
use adjutant_domain::ports::RemoteCollection;
use adjutant_domain::record::{Address, Folder, Record};

use super::Rig;
use crate::remote::listed;
use crate::remote::rows::{renamed, sample};

/// A kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Create,
    Update,
    Delete,
    Respond,
    Send,
    Move,
    Flag,
}

pub(super) fn cases(kind: CollectionKind) -> &'static [Case] {
    match kind {
        CollectionKind::Calendar => &[Case::Create, Case::Update, Case::Delete, Case::Respond],
        CollectionKind::Mailbox => &[Case::Send, Case::Move, Case::Flag, Case::Delete],
        CollectionKind::TaskList | CollectionKind::AddressBook => {
            &[Case::Create, Case::Update, Case::Delete]
        }
    }
}

impl Case {
    pub(super) fn touches_what_is_there(&self) -> bool {
        !matches!(self, Self::Create | Self::Send)
    }

    /// Returns whether the request depends on the state last seen. That of a mail never changes, apart from its marks.
    pub(super) fn is_conditional(&self, kind: CollectionKind) -> bool {
        kind != CollectionKind::Mailbox && matches!(self, Self::Update | Self::Delete)
    }
}

pub(super) const NAME: &str = "0123456789abcdef0123456789abcdef";

pub(super) fn name() -> RemoteId {
    RemoteId(NAME.into())
}

pub(super) fn key() -> Key {
    Key("key-1".into())
}

/// Returns the collection of a kind as storage has it after listing.
pub(super) async fn collection<R: Rig>(rig: &R, kind: CollectionKind) -> Collection {
    let listed = listed(&rig.backends()).await.unwrap_or_default();
    let found = listed
        .into_iter()
        .find(|one| one.kind == kind && one.writable);
    assert!(
        found.is_some(),
        "no writable collection of {kind:?} is listed"
    );
    let found = found.unwrap_or_else(|| RemoteCollection {
        remote_id: RemoteId(String::new()),
        kind,
        name: String::new(),
        colour: None,
        writable: true,
    });
    Collection {
        id: "col_1".into(),
        account: rig.account(),
        kind,
        remote_id: Some(found.remote_id),
        name: found.name,
        colour: found.colour,
        writable: found.writable,
        preferred: false,
        cursor: None,
    }
}

pub(super) fn place(collection: &Collection) -> CollectionRef {
    CollectionRef {
        id: collection.id.clone(),
        remote_id: remote(collection),
    }
}

pub(super) fn remote(collection: &Collection) -> RemoteId {
    collection
        .remote_id
        .clone()
        .unwrap_or(RemoteId(String::new()))
}

/// Puts what the case needs on the server and returns the request.
pub(super) async fn prepared<R: Rig>(
    rig: &R,
    kind: CollectionKind,
    case: Case,
) -> (Collection, RemoteOp) {
    let collection = collection(rig, kind).await;
    let mut row = sample(kind, "old");
    if let (Case::Respond, Record::Event(event)) = (case, &mut row) {
        event.organizer = Some(adjutant_domain::record::Attendee {
            name: "Boss".into(),
            email: "boss@work.example".into(),
            status: String::new(),
        });
    }
    let etag = if case.touches_what_is_there() {
        rig.put(&remote(&collection), &name(), vec![row.clone()])
    } else {
        None
    };
    let op = asked(&collection, rig.named(&name()), case, row, etag);
    (collection, op)
}

fn asked(
    collection: &Collection,
    remote_id: RemoteId,
    case: Case,
    row: Record,
    etag: Option<Etag>,
) -> RemoteOp {
    let at = place(collection);
    let new = renamed(&row, "new");
    match (row, new) {
        (Record::Event(old), Record::Event(new)) => RemoteOp::Calendar(match case {
            Case::Create => CalendarOp::Create {
                collection: at,
                remote_id,
                rows: vec![old],
                notify: false,
                source: None,
            },
            Case::Respond => CalendarOp::Respond {
                collection: at,
                remote_id,
                etag,
                uid: old.uid,
                sequence: old.sequence,
                instance: None,
                participation: Participation::Accepted,
                notify: true,
            },
            Case::Delete => CalendarOp::Delete {
                collection: at,
                remote_id,
                etag,
                uid: old.uid,
                sequence: old.sequence,
                notify: false,
            },
            _ => CalendarOp::Update {
                collection: at,
                moves_to: None,
                remote_id,
                etag,
                uid: old.uid,
                sequence: old.sequence,
                rows: vec![new],
                reverted: Vec::new(),
                source: None,
                notify: false,
            },
        }),
        (Record::Task(old), Record::Task(new)) => RemoteOp::Task(match case {
            Case::Create => TaskOp::Create {
                collection: at,
                remote_id,
                task: Box::new(old),
                source: None,
            },
            Case::Delete => TaskOp::Delete {
                collection: at,
                remote_id,
                etag,
            },
            _ => TaskOp::Update {
                collection: at,
                remote_id,
                etag,
                source: None,
                task: Box::new(new),
            },
        }),
        (Record::Contact(old), Record::Contact(new)) => RemoteOp::Contact(match case {
            Case::Create => ContactOp::Create {
                collection: at,
                remote_id,
                contact: Box::new(old),
                source: None,
            },
            Case::Delete => ContactOp::Delete {
                collection: at,
                remote_id,
                etag,
            },
            _ => ContactOp::Update {
                collection: at,
                remote_id,
                etag,
                source: None,
                contact: Box::new(new),
            },
        }),
        (old, _) => RemoteOp::Mail(mail_op(at, remote_id, case, &old)),
    }
}

fn mail_op(at: CollectionRef, remote_id: RemoteId, case: Case, row: &Record) -> MailOp {
    let message_id = match row {
        Record::Mail(mail) => mail.message_id.clone(),
        _ => String::new(),
    };
    let mails = vec![MailRef {
        collection: at,
        uid_validity: None,
        remote_id,
        message_id,
    }];
    match case {
        Case::Move => MailOp::Move {
            mails,
            to: Folder::Archive,
            into: None,
            leaves: Vec::new(),
        },
        Case::Flag => MailOp::Flag {
            mails,
            read: Some(true),
            starred: Some(true),
            add_labels: vec!["later".into()],
            remove_labels: Vec::new(),
        },
        Case::Delete => MailOp::Delete { mails },
        _ => send("hello", &["bob@work.example"]),
    }
}

/// Builds the request to send a mail. Its Message-ID is derived from `name`, as it is from the key of a real operation.
pub(super) fn send(name: &str, to: &[&str]) -> MailOp {
    let address = |email: &str| Address {
        name: String::new(),
        email: email.into(),
    };
    MailOp::Send {
        message_id: format!("{name}@home.example"),
        from: address("me@home.example"),
        recipients: to.iter().map(|email| address(email)).collect(),
        mime: format!(
            "From: me@home.example\r\nTo: bob@work.example\r\nMessage-ID: <{name}@home.example>\r\nSubject: Hello\r\n\r\nHello.\r\n"
        ),
    }
}
