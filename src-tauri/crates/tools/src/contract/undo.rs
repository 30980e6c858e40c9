//! Every change either has a recorded way back, or its card says before that it has none.

use adjutant_domain::account::{Account, AccountState, Collection, CollectionKind, Origin};
use adjutant_domain::change::RowOp;
use adjutant_domain::gate::Observed;
use adjutant_domain::operation::{Operation, RemoteId};
use adjutant_domain::record::{OutboxState, Record};
use adjutant_testkit::World;

use super::{Runs, table, world};
use crate::testing::observe;

/// What becomes of an undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Back {
    /// Storage records the inverse, or the account is asked for the rows as they were.
    Recorded,
    /// A mail, until it has left.
    UntilSent,
    /// No way.
    None,
}

/// What the operations really allow. The worst counts.
fn really(observed: &Observed) -> Option<Back> {
    let frozen = observed.before.frozen.as_ref()?;
    let back = |operation: &Operation| {
        let leaves = |op: &RowOp| match op {
            RowOp::Put { record, .. } => {
                matches!(&**record, Record::Outbox(mail) if mail.state != OutboxState::Draft)
            }
            RowOp::Delete { .. } | RowOp::Mark { .. } => false,
        };
        match operation.change() {
            Some(change) if change.ops.iter().any(leaves) => Back::UntilSent,
            Some(_) if operation.is_reversible() => Back::Recorded,
            _ => Back::None,
        }
    };
    let worst = frozen.operations.iter().map(back).max()?;
    Some(match worst {
        Back::None if frozen.hold_seconds > 0 => Back::UntilSent,
        worst => worst,
    })
}

/// What the card says.
fn said(observed: &Observed) -> Option<Back> {
    let words = observed.card.undo.to_lowercase();
    let says = |part: &str| words.contains(part);
    match (says("cannot be undone"), says("can be undone")) {
        (true, _) if says("can be taken back") || says("until then") => Some(Back::UntilSent),
        (true, false) => Some(Back::None),
        (false, true) => Some(Back::Recorded),
        _ => None,
    }
}

/// The same records, in an account that holds all of them.
fn in_an_account() -> (World, tempfile::TempDir) {
    let (world, folder) = world();
    let kinds = [
        (CollectionKind::Calendar, "calendar"),
        (CollectionKind::Mailbox, "INBOX"),
        (CollectionKind::Mailbox, "Trash"),
        (CollectionKind::TaskList, "list"),
        (CollectionKind::AddressBook, "book"),
    ];
    let collections = kinds.map(|(kind, name)| Collection {
        id: format!("col_{name}").into(),
        account: "work".into(),
        kind,
        remote_id: Some(RemoteId(name.into())),
        name: name.into(),
        colour: None,
        writable: true,
        preferred: kind != CollectionKind::Mailbox,
        cursor: None,
    });
    let account = Account {
        id: "work".into(),
        kind: "imap".into(),
        label: "Work".into(),
        addresses: vec!["me@home.example".into()],
        state: AccountState::Ready,
    };
    world.records.connect(account, collections);
    for mut record in world.records.all() {
        let collection = match &mut record {
            Record::Event(event) => {
                event.calendar = "calendar".into();
                "calendar"
            }
            Record::Task(_) => "list",
            Record::Contact(_) => "book",
            Record::Mail(_) => "INBOX",
            _ => continue,
        };
        let origin = Origin {
            account: "work".into(),
            collection: format!("col_{collection}").into(),
            remote_id: RemoteId(record.id().0.clone()),
            etag: None,
            uid_validity: None,
            source: None,
        };
        world.records.put_at(record, origin);
    }
    (world, folder)
}

async fn check(place: &str, make: fn() -> (World, tempfile::TempDir)) {
    let changing = table()
        .into_iter()
        .filter(|(_, _, runs)| *runs != Runs::Reads)
        .map(|(tool, args, _)| (tool, args));
    for (tool, args) in changing {
        let (world, _folder) = make();
        let observed = observe(&world, tool, args).await;
        let observed = observed.unwrap_or_else(|stop| panic!("{place}: {tool}: {stop:?}"));
        // What only begins a job is stopped as one.
        let Some(really) = really(&observed) else {
            assert_eq!(tool, "research.start", "{place}: {tool} does nothing");
            continue;
        };
        assert_eq!(
            said(&observed),
            Some(really),
            "{place}: {tool} says “{}”",
            observed.card.undo
        );
    }
}

#[tokio::test]
async fn a_card_says_before_what_cannot_be_undone() {
    check("here", world).await;
}

#[tokio::test]
async fn a_card_says_before_what_cannot_be_undone_in_an_account() {
    check("in an account", in_an_account).await;
}
