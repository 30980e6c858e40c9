use super::*;
use adjutant_testkit::SeededEntropy;
use std::sync::Arc;

fn seed() -> Seed {
    Seed {
        now: "2026-01-12T12:00:00+01:00[Europe/Paris]"
            .parse()
            .unwrap_or_default(),
        entropy: Arc::new(SeededEntropy::new(7)),
        own: Vec::new(),
    }
}

fn person(fields: Value) -> Value {
    let mut person = json!({"resourceName": "people/c1"});
    for (name, value) in fields.as_object().into_iter().flatten() {
        person[name] = value.clone();
    }
    person
}

#[test]
fn a_birthday_survives_a_round_trip() {
    for (text, date) in [
        ("1984-04-15", json!({"year": 1984, "month": 4, "day": 15})),
        ("--04-15", json!({"month": 4, "day": 15})),
        ("1984-04", json!({"year": 1984, "month": 4})),
        ("1984", json!({"year": 1984})),
    ] {
        assert_eq!(born(text), json!({"date": date}), "{text}");
        let there = person(json!({"birthdays": [{"date": date}]}));
        assert_eq!(birthday(&there), text);
    }
    for text in [
        "in spring",
        "84",
        "1984-4-1",
        "1984-00-15",
        "--",
        "1984-04-15-1",
    ] {
        assert_eq!(born(text), json!({"text": text}));
        let there = person(json!({"birthdays": [born(text)]}));
        assert_eq!(birthday(&there), text);
    }
}

#[test]
fn names_a_contact_without_a_name_by_other_fields() {
    for (fields, expected) in [
        (
            json!({"names": [{"displayName": " "}, {"unstructuredName": "Ana"}]}),
            "Ana",
        ),
        (
            json!({"emailAddresses": [{"value": "a@b.example"}]}),
            "a@b.example",
        ),
        (json!({"phoneNumbers": [{"value": "+33"}]}), "+33"),
        (json!({"organizations": [{"title": "Boss"}]}), "Boss"),
        (json!({}), "(no name)"),
    ] {
        let there = person(fields);
        let contact = contact(&there, &seed());
        let contact = contact.unwrap_or_else(|| panic!("{there}"));
        assert_eq!(contact.name, expected);
        assert!(
            changes(&there, &contact, &seed()).is_empty(),
            "nothing has to change"
        );
    }
    for name in ["", "people/", "people/../x", "contacts/c1", "people/a b"] {
        assert_eq!(
            contact(&json!({"resourceName": name}), &seed()),
            None,
            "{name}"
        );
    }
}

#[test]
fn removes_fields_that_become_empty() {
    let there = person(json!({
        "names": [{"displayName": "Ana", "phoneticFullName": "Anna", "familyName": "Ruiz"}],
        "biographies": [{"value": "x"}],
        "organizations": [{"name": "Acme", "title": "Boss"}, {"name": "Other"}],
        "nicknames": [{"value": "Ani"}],
        "birthdays": [{"text": "soon"}],
    }));
    let mut wanted = contact(&there, &seed()).unwrap_or_else(|| panic!("{there}"));
    wanted.name = "Ana Maria".into();
    wanted.notes.clear();
    wanted.organisation.clear();
    wanted.nicknames.clear();
    wanted.birthday.clear();
    let expected = json!({
        "names": [{"phoneticFullName": "Anna", "unstructuredName": "Ana Maria"}],
        "biographies": [],
        "organizations": [{"name": "Other"}],
        "nicknames": [],
        "birthdays": [],
    });
    assert_eq!(Value::Object(changes(&there, &wanted, &seed())), expected);
}
