//! Tests of contacts: fields that Adjutant does not interpret stay, and nobody's change is overwritten.

use adjutant_domain::operation::{
    CollectionRef, ContactOp, Ended, Etag, Receipt, RemoteFault, RemoteId, RemoteOp,
};
use adjutant_domain::ports::{Pulled, PulledWhat};
use adjutant_domain::record::{Contact, Record};
use adjutant_testkit::remote::suite::Rig as _;
use serde_json::{Value, json};

use crate::rig::GoogleRig;

fn place() -> CollectionRef {
    CollectionRef {
        id: "col_1".into(),
        remote_id: RemoteId("people/me/connections".into()),
    }
}

fn contact(pulled: &Pulled) -> (Contact, Option<Etag>, Value) {
    let PulledWhat::There {
        etag, rows, source, ..
    } = &pulled.what
    else {
        panic!("gone: {pulled:?}");
    };
    let Some(Record::Contact(contact)) = rows.first() else {
        panic!("no contact: {rows:?}");
    };
    let source = serde_json::from_slice(source.as_ref().unwrap()).unwrap();
    (contact.clone(), etag.clone(), source)
}

fn changed(name: &str, etag: Option<Etag>, contact: Contact) -> RemoteOp {
    RemoteOp::Contact(ContactOp::Update {
        collection: place(),
        remote_id: RemoteId(name.into()),
        etag,
        source: None,
        contact: Box::new(contact),
    })
}

fn full() -> Value {
    json!({
        "names": [{"unstructuredName": "Ana Ruiz", "givenName": "Ana", "phoneticGivenName": "Anna"}],
        "nicknames": [{"value": "Ani"}],
        "emailAddresses": [
            {"value": "home@ana.example", "type": "home"},
            {"value": "ana@work.example", "type": "work", "metadata": {"primary": true}},
        ],
        "phoneNumbers": [{"value": "+33 1 23", "type": "mobile", "canonicalForm": "+33123"}],
        "organizations": [{"name": "Acme", "title": "Engineer", "department": "Rockets"}],
        "birthdays": [{"date": {"month": 4, "day": 15}}],
        "biographies": [{"value": "Likes tea.\r\nAnd cake.", "contentType": "TEXT_PLAIN"}],
        "userDefined": [{"key": "Shoe size", "value": "38"}, {"key": "Relation to me", "value": "my sister"}],
        "addresses": [{"city": "Paris"}],
    })
}

#[tokio::test]
async fn reads_all_fields_of_a_contact() {
    let rig = GoogleRig::new();
    rig.google().people.put("people/c1", &full());
    let (_, pulled) = rig.read(&rig.contacts(None)).await;
    assert_eq!(pulled[0].remote_id.0, "people/c1");
    let (contact, etag, source) = contact(&pulled[0]);
    assert_eq!(etag, Some(Etag("#e1=".into())));
    assert_eq!(contact.uid, "people/c1");
    assert_eq!(
        (contact.name.as_str(), contact.nicknames),
        ("Ana Ruiz", vec!["Ani".to_owned()])
    );
    assert_eq!(
        contact.emails,
        ["ana@work.example", "home@ana.example"],
        "the preferred one first"
    );
    assert_eq!(contact.phones, ["+33 1 23"]);
    assert_eq!(contact.organisation, "Acme, Engineer");
    assert_eq!(
        (contact.birthday.as_str(), contact.relation.as_str()),
        ("--04-15", "my sister")
    );
    assert_eq!(contact.notes, "Likes tea.\nAnd cake.");
    assert_eq!(source["organizations"][0]["department"], "Rockets");
}

#[tokio::test]
async fn sends_only_changed_fields_and_keeps_the_rest() {
    let rig = GoogleRig::new();
    rig.google().people.put("people/c1", &full());
    let (_, pulled) = rig.read(&rig.contacts(None)).await;
    let (mut wanted, etag, _) = contact(&pulled[0]);
    wanted.emails = vec!["ana@work.example".into(), "new@ana.example".into()];
    wanted.organisation = "Initech".into();
    wanted.relation = String::new();
    wanted.birthday = "1984-04-15".into();
    let ended = rig.apply(changed("people/c1", etag, wanted.clone())).await;
    assert!(matches!(ended, Ended::Done { .. }), "{ended:?}");
    {
        let google = rig.google();
        let now = &google.people.people["people/c1"];
        let mut expected = full();
        expected["emailAddresses"] =
            json!([{"value": "ana@work.example", "type": "work"}, {"value": "new@ana.example"}]);
        expected["organizations"] = json!([{"name": "Initech", "department": "Rockets"}]);
        expected["birthdays"] = json!([{"date": {"year": 1984, "month": 4, "day": 15}}]);
        expected["userDefined"] = json!([{"key": "Shoe size", "value": "38"}]);
        for (field, value) in expected.as_object().unwrap() {
            if field != "names" {
                assert_eq!(now[field], *value, "{field}");
            }
        }
        assert_eq!(
            now["names"][0]["givenName"], "Ana",
            "a name that stays is not sent"
        );
    }
    let (_, pulled) = rig.read(&rig.contacts(None)).await;
    let (now, ..) = contact(&pulled[0]);
    assert_eq!((now.emails, now.birthday), (wanted.emails, wanted.birthday));
}

/// When two devices change one contact, the second gets a conflict, and the first one's change stays.
#[tokio::test]
async fn does_not_overwrite_another_clients_change() {
    let rig = GoogleRig::new();
    rig.google().people.put("people/c1", &full());
    let (_, pulled) = rig.read(&rig.contacts(None)).await;
    let (mut wanted, etag, _) = contact(&pulled[0]);
    let current = Etag(
        rig.google()
            .people
            .put("people/c1", &json!({"nicknames": [{"value": "Annie"}]})),
    );
    wanted.notes = "Mine.".into();
    let conflict = Ended::Refused {
        fault: RemoteFault::Conflict {
            current: Some(current),
        },
    };
    assert_eq!(
        rig.apply(changed("people/c1", etag.clone(), wanted)).await,
        conflict
    );
    let removal = ContactOp::Delete {
        collection: place(),
        remote_id: RemoteId("people/c1".into()),
        etag,
    };
    assert_eq!(rig.apply(RemoteOp::Contact(removal)).await, conflict);
    assert_eq!(rig.carried_out(), 0);
}

#[tokio::test]
async fn a_new_contact_keeps_its_local_uid() {
    let rig = GoogleRig::new();
    let (mut new, ..) = {
        rig.google().people.put("people/c1", &full());
        let (_, pulled) = rig.read(&rig.contacts(None)).await;
        contact(&pulled[0])
    };
    new.uid = "uid-of-ours".into();
    let op = RemoteOp::Contact(ContactOp::Create {
        collection: place(),
        remote_id: RemoteId("0123456789abcdef".into()),
        contact: Box::new(new.clone()),
        source: None,
    });
    let ended = rig.apply(op).await;
    let Ended::Done {
        receipt: Receipt::Remote {
            remote_id: Some(name),
            ..
        },
    } = ended
    else {
        panic!("{ended:?}");
    };
    let (_, pulled) = rig.read(&rig.contacts(None)).await;
    let made = pulled.iter().find(|one| one.remote_id == name).unwrap();
    let (made, ..) = contact(made);
    assert_eq!((made.uid, made.name), (new.uid, new.name));
    assert_eq!(
        (made.emails, made.birthday, made.notes),
        (new.emails, new.birthday, new.notes)
    );
}
