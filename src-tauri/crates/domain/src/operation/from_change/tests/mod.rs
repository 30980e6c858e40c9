//! Every combination of where a row lives and how it changes.

mod events;
mod mail;
mod named;

use super::{NotPossible, operations};
use crate::account::{
    Account, AccountState, Collection, CollectionKind, Origin, Origins, RemoteRecord,
};
use crate::change::Change;
use crate::moment::Moment;
use crate::operation::{
    CollectionRef, ContactOp, Etag, OPERATIONS_MAX, Operation, RemoteId, RemoteOp, TaskOp,
};
use crate::record::{
    Address, Attendee, Contact, Event, Folder, Mail, Note, OutboxItem, OutboxState, Priority,
    Record, Task, TaskStatus,
};
use jiff::Timestamp;

const AT: Timestamp = Timestamp::UNIX_EPOCH;

fn moment(text: &str) -> Moment {
    text.parse().expect("a moment")
}

fn event(id: &str, calendar: &str) -> Event {
    Event {
        id: id.into(),
        uid: format!("{id}@x"),
        recurrence_id: None,
        following: false,
        calendar: calendar.into(),
        summary: id.into(),
        description: String::new(),
        location: String::new(),
        start: moment("2026-01-15T10:00:00Z"),
        end: moment("2026-01-15T11:00:00Z"),
        attendees: Vec::new(),
        organizer: None,
        rrule: None,
        rdates: Vec::new(),
        exdates: Vec::new(),
        cancelled: false,
        transparent: false,
        sequence: 3,
        created: AT,
        updated: AT,
        version: 5,
    }
}

fn guest(email: &str, status: &str) -> Attendee {
    Attendee {
        name: String::new(),
        email: email.into(),
        status: status.into(),
    }
}

fn instance(of: &Event, id: &str, day: &str) -> Event {
    Event {
        id: id.into(),
        recurrence_id: Some(moment(day)),
        start: moment(day),
        end: moment(&day.replace("T10", "T11")),
        rrule: None,
        ..of.clone()
    }
}

fn mail(id: &str) -> Mail {
    Mail {
        id: id.into(),
        message_id: format!("{id}@x"),
        folder: Folder::Inbox,
        from: Address::default(),
        to: Vec::new(),
        cc: Vec::new(),
        reply_to: Vec::new(),
        subject: id.into(),
        date: AT,
        text: String::new(),
        in_reply_to: None,
        references: Vec::new(),
        attachments: Vec::new(),
        labels: vec!["old".into()],
        read: false,
        starred: false,
        size: 0,
        updated: AT,
        version: 5,
    }
}

fn task(id: &str) -> Task {
    Task {
        id: id.into(),
        title: id.into(),
        notes: String::new(),
        due: None,
        remind_at: None,
        priority: Priority::Medium,
        status: TaskStatus::Open,
        rrule: None,
        start: None,
        tags: Vec::new(),
        place: None,
        completed_at: None,
        created: AT,
        updated: AT,
        version: 5,
    }
}

fn contact(id: &str) -> Contact {
    Contact {
        id: id.into(),
        uid: id.into(),
        name: id.into(),
        nicknames: Vec::new(),
        emails: Vec::new(),
        phones: Vec::new(),
        birthday: String::new(),
        organisation: String::new(),
        relation: String::new(),
        notes: String::new(),
        created: AT,
        updated: AT,
        version: 5,
    }
}

fn note() -> Record {
    Record::Note(Note {
        id: "note".into(),
        title: "note".into(),
        body: String::new(),
        tags: Vec::new(),
        created: AT,
        updated: AT,
        version: 5,
    })
}

fn outgoing(from: &str, state: OutboxState) -> OutboxItem {
    OutboxItem {
        id: "out".into(),
        message_id: "m@x".into(),
        to: vec![Address {
            name: String::new(),
            email: "bob@x".into(),
        }],
        cc: Vec::new(),
        bcc: vec![Address {
            name: String::new(),
            email: "eve@x".into(),
        }],
        subject: "Hi".into(),
        body: "Hi".into(),
        in_reply_to: None,
        forward_of: None,
        state,
        mime: Some(format!(
            "Subject: From: x\r\nFrom: {from}\r\n\r\nFrom: nobody@x\r\n"
        )),
        not_before: None,
        created: AT,
        updated: AT,
        version: 0,
    }
}

fn account(id: &str, address: &str) -> Account {
    Account {
        id: id.into(),
        kind: "caldav".into(),
        label: id.into(),
        addresses: vec![address.into()],
        state: AccountState::Ready,
    }
}

fn collection(id: &str, account: &str, kind: CollectionKind) -> Collection {
    Collection {
        id: id.into(),
        account: account.into(),
        kind,
        remote_id: Some(RemoteId(format!("/{id}"))),
        name: id.into(),
        colour: None,
        writable: !id.ends_with("-read"),
        preferred: false,
        cursor: None,
    }
}

fn place(id: &str) -> CollectionRef {
    CollectionRef {
        id: id.into(),
        remote_id: RemoteId(format!("/{id}")),
    }
}

fn lives(record: Record, account: &str, collection: &str) -> RemoteRecord {
    RemoteRecord {
        origin: Origin {
            account: account.into(),
            collection: collection.into(),
            remote_id: RemoteId(format!("r-{}", record.id())),
            etag: Some(Etag("\"1\"".into())),
            uid_validity: Some(7),
            source: Some("SOURCE".into()),
        },
        record,
    }
}

/// Returns two accounts, `work` (me@work) and `home` (me@home), each with one collection of every kind.
fn origins(records: Vec<RemoteRecord>) -> Origins {
    let collections = ["work", "home"].into_iter().flat_map(|account| {
        [
            ("cal", CollectionKind::Calendar),
            ("cal2", CollectionKind::Calendar),
            ("cal-read", CollectionKind::Calendar),
            ("box", CollectionKind::Mailbox),
            ("box-read", CollectionKind::Mailbox),
            ("list", CollectionKind::TaskList),
            ("list-read", CollectionKind::TaskList),
            ("book", CollectionKind::AddressBook),
        ]
        .map(|(name, kind)| collection(&format!("{account}-{name}"), account, kind))
    });
    let accounts = [account("work", "me@work"), account("home", "me@home")];
    Origins::new(accounts, collections, records)
}

fn asked(operation: &Operation) -> (&str, &RemoteOp, &Change) {
    match operation {
        Operation::Remote {
            account, op, then, ..
        } => (account.as_str(), op, then),
        other => panic!("{other:?} stays here"),
    }
}

/// Returns the only operation and the account it acts for.
fn only(change: &Change, origins: &Origins) -> (String, RemoteOp) {
    let all = operations(change, origins).expect("possible");
    let [one] = all.as_slice() else {
        panic!("{all:?}");
    };
    let (account, op, then) = asked(one);
    assert_eq!(then, change, "the rows follow once it is confirmed");
    (account.into(), op.clone())
}

fn stays(change: &Change, origins: &Origins) {
    let local = vec![Operation::Local {
        change: change.clone(),
    }];
    assert_eq!(operations(change, origins), Ok(local));
}

#[test]
fn local_records_stay_local() {
    let rows = [
        Record::Event(event("ev", "Private")),
        Record::Task(task("t")),
        Record::Contact(contact("c")),
        Record::Mail(mail("m")),
        note(),
    ];
    for origins in [Origins::default(), origins(Vec::new())] {
        for row in &rows {
            stays(&Change::replace(row.clone()), &origins);
            stays(&Change::remove(row), &origins);
            if row.kind() != crate::record::Kind::Mail {
                stays(&Change::add(row.clone()), &origins);
            }
        }
        let all = rows
            .iter()
            .cloned()
            .fold(Change::default(), Change::and_replace);
        let sorted = operations(&all, &origins).expect("possible");
        assert_eq!(sorted.len(), 1, "one transaction");
    }
    assert_eq!(
        operations(&Change::default(), &Origins::default()),
        Ok(Vec::new())
    );
}

#[test]
fn refuses_changes_in_read_only_collections() {
    let event = event("ev", "work-cal-read");
    let rows = [
        (Record::Event(event.clone()), "work-cal-read"),
        (Record::Task(task("t")), "work-list-read"),
        (Record::Mail(mail("m")), "work-box-read"),
    ];
    for (row, collection) in rows {
        let origins = origins(vec![lives(row.clone(), "work", collection)]);
        let refused = NotPossible::ReadOnly {
            name: collection.into(),
        };
        assert_eq!(operations(&Change::remove(&row), &origins), Err(refused));
    }
    let new = Change::add(Record::Event(event));
    assert!(matches!(
        operations(&new, &origins(Vec::new())),
        Err(NotPossible::ReadOnly { .. })
    ));
}

#[test]
fn changes_tasks_and_contacts_in_their_account() {
    let (a_task, a_contact) = (Record::Task(task("t")), Record::Contact(contact("c")));
    let known = origins(vec![
        lives(a_task.clone(), "work", "work-list"),
        lives(a_contact.clone(), "home", "home-book"),
    ]);
    for (row, account) in [(&a_task, "work"), (&a_contact, "home")] {
        let (acts_for, op) = only(&Change::replace(row.clone()), &known);
        assert_eq!(acts_for, account);
        assert!(matches!(
            op,
            RemoteOp::Task(TaskOp::Update { .. }) | RemoteOp::Contact(ContactOp::Update { .. })
        ));
        let op = only(&Change::remove(row), &known).1;
        assert!(matches!(
            op,
            RemoteOp::Task(TaskOp::Delete { .. }) | RemoteOp::Contact(ContactOp::Delete { .. })
        ));
    }
    // New records go to the preferred collection; those that were on this computer stay.
    let preferred = [
        ("list", CollectionKind::TaskList),
        ("book", CollectionKind::AddressBook),
    ]
    .map(|(id, kind)| Collection {
        preferred: true,
        ..collection(id, "work", kind)
    });
    let known = Origins::new([account("work", "me@work")], preferred, []);
    for row in [&a_task, &a_contact] {
        let (acts_for, op) = only(&Change::add(row.clone()), &known);
        assert_eq!(acts_for, "work");
        assert!(matches!(
            op,
            RemoteOp::Task(TaskOp::Create { .. }) | RemoteOp::Contact(ContactOp::Create { .. })
        ));
        stays(&Change::replace(row.clone()), &known);
    }
}

#[test]
fn limits_the_requests_of_one_call() {
    let all = (0..=OPERATIONS_MAX).fold(Change::default(), |change, at| {
        change.and_add(Record::Event(event(&format!("ev{at}"), "work-cal")))
    });
    let count = OPERATIONS_MAX + 1;
    let refused = operations(&all, &origins(Vec::new()));
    assert_eq!(refused, Err(NotPossible::TooMany { count }));
}

#[test]
fn a_record_of_a_removed_account_is_local() {
    let row = Record::Task(task("t"));
    let gone = lives(row.clone(), "gone", "gone-list");
    stays(&Change::remove(&row), &origins(vec![gone]));
}
