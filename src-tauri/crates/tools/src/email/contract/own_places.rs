//! A folder or label that does not exist yet is named as new before it is made.

use adjutant_domain::account::{Account, AccountState, Collection, CollectionKind, Origin};
use adjutant_domain::operation::RemoteId;
use adjutant_domain::record::Record;
use adjutant_testkit::{World, make};
use serde_json::{Value, json};

use super::world;
use crate::testing::{observe, say};

/// A mail in an account that lists its folders.
fn in_an_account() -> World {
    let folder = |name: &str| Collection {
        id: format!("col_{name}").into(),
        account: "work".into(),
        kind: CollectionKind::Mailbox,
        remote_id: Some(RemoteId(name.into())),
        name: name.into(),
        colour: None,
        writable: true,
        preferred: false,
        cursor: None,
    };
    let account = Account {
        id: "work".into(),
        kind: "imap".into(),
        label: "Work".into(),
        addresses: vec!["me@home.example".into()],
        state: AccountState::Ready,
    };
    let world = world();
    world
        .records
        .connect(account, [folder("INBOX"), folder("Bills")]);
    let mail = make::mail(
        "mail_9",
        "Kim Ode <kim@else.example>",
        "Rent",
        "2026-01-12T08:00:00Z",
        "Please pay.",
    );
    let origin = Origin {
        account: "work".into(),
        collection: "col_INBOX".into(),
        remote_id: RemoteId("9".into()),
        etag: None,
        uid_validity: None,
        source: None,
    };
    world.records.put_at(Record::Mail(mail), origin);
    world
}

/// Title and notes of the card.
async fn card(world: &World, tool: &str, args: Value) -> (String, Vec<String>) {
    let observed = observe(world, tool, args).await.expect("proposed");
    let notes = observed.card.notes.into_iter().map(|note| note.text);
    (observed.card.title, notes.collect())
}

#[tokio::test]
async fn a_folder_that_an_account_lacks_is_shown_as_new() {
    let world = in_an_account();
    let to = |folder: &str| json!({"id": "mail_9", "folder": folder});
    assert_eq!(
        card(&world, "email.archive", to("Receipts")).await,
        (
            "Move “Rent” from Kim Ode to the new folder “Receipts”".into(),
            vec!["There is no folder “Receipts” yet; it will be made.".into()]
        )
    );
    assert_eq!(
        card(&world, "email.archive", to("bills")).await,
        ("Move “Rent” from Kim Ode to “bills”".into(), Vec::new())
    );
}

#[tokio::test]
async fn a_name_that_no_mail_has_is_a_new_label() {
    let world = world();
    let label = |id: &str, add: &[&str]| json!({"id": id, "add": add});
    let card = card(&world, "email.label", label("mail_1", &["a", "b"])).await;
    assert_eq!(
        card,
        (
            "Label “Lunch?” from Nadia Ali “a” and “b”, new labels".into(),
            vec!["There are no labels “a” and “b” yet; they will be made.".into()]
        )
    );
    let first = say(&world, "email.label", label("mail_1", &["a"])).await;
    assert_eq!(first, "Labelled “Lunch?” from Nadia Ali “a”, a new label.");
    let second = say(&world, "email.label", label("mail_2", &["A", "b"])).await;
    assert!(second.ends_with("“A” and “b” (“b” is new)."), "{second}");
}

#[tokio::test]
async fn where_folders_are_labels_a_label_of_some_mail_is_no_new_folder() {
    let world = world();
    let to = |id: &str| json!({"id": id, "folder": "Trips"});
    let first = say(&world, "email.archive", to("mail_1")).await;
    assert!(first.contains("to the new folder “Trips”"), "{first}");
    let second = say(&world, "email.archive", to("mail_2")).await;
    assert!(!second.contains("new"), "{second}");
}
