//! Converts Google's JSON for a person to a contact and back. A change sends only the fields that differ and reuses
//! existing list entries, so that properties Adjutant does not understand survive.

use adjutant_domain::record::{Contact, Kind};
use adjutant_interchange::Seed;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// The fields requested for a person.
pub(super) const FIELDS: &str = "names,nicknames,emailAddresses,phoneNumbers,organizations,birthdays,biographies,userDefined,clientData,metadata";
/// Maximum number of entries kept of one list.
const LIST_MAX: usize = 100;
/// Maximum number of characters kept of a line.
const LINE_CHARS_MAX: usize = 300;
/// Maximum number of characters kept of notes.
const NOTES_CHARS_MAX: usize = 20_000;
/// Key under which a contact added here stores the identifier chosen for it.
const OWN_ID: &str = "adjutant.id";
/// Key under which a contact added here stores its UID.
const OWN_UID: &str = "adjutant.uid";
/// Custom field with the person's relation to the contact.
const RELATION: &str = "Relation to me";
/// Members that Google adds to entries and does not accept back.
const ADDED: [&str; 3] = ["metadata", "formattedType", "canonicalForm"];

/// Returns the text of a member; empty if it is missing.
fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn line(text: &str, chars_max: usize) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    clean.take(chars_max).collect::<String>().trim().to_owned()
}

/// Returns the entries of a list, with the primary one first.
fn entries<'a>(person: &'a Value, list: &str) -> Vec<&'a Value> {
    let all = person.get(list).and_then(Value::as_array);
    let mut all: Vec<&Value> = all.into_iter().flatten().take(LIST_MAX).collect();
    let is_first = |one: &&Value| one.pointer("/metadata/primary") == Some(&Value::Bool(true));
    all.sort_by_key(|one| !is_first(one));
    all
}

fn values(person: &Value, list: &str) -> Vec<String> {
    let all = entries(person, list).into_iter();
    all.map(|one| line(text(one, "value"), LINE_CHARS_MAX))
        .filter(|value| !value.is_empty())
        .collect()
}

/// Returns the value of a key in a list of key-value pairs; `None` if it is missing or empty.
fn keyed<'a>(person: &'a Value, list: &str, key: &str) -> Option<&'a str> {
    let found = entries(person, list)
        .into_iter()
        .find(|one| text(one, "key") == key)?;
    Some(text(found, "value")).filter(|value| !value.is_empty())
}

/// Returns the resource name of a person.
pub(super) fn name(person: &Value) -> Option<&str> {
    let name = text(person, "resourceName");
    is_name(name).then_some(name)
}

/// Tells whether a text is a valid resource name such as `people/c123`.
pub(super) fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let id = name.strip_prefix("people/").unwrap_or_default();
    (1..=500).contains(&id.len()) && id.bytes().all(is_plain)
}

/// Returns the ETag of the data that the person wrote. The ETag of the whole depends on which fields were requested.
pub(super) fn etag(person: &Value) -> Option<&str> {
    let sources = person
        .pointer("/metadata/sources")
        .and_then(Value::as_array);
    let mut sources = sources.into_iter().flatten();
    let written = sources.find(|one| text(one, "type") == "CONTACT")?;
    Some(text(written, "etag")).filter(|etag| !etag.is_empty())
}

pub(super) fn is_deleted(person: &Value) -> bool {
    person.pointer("/metadata/deleted") == Some(&Value::Bool(true))
}

/// Returns the identifier that was chosen here when the contact was added.
pub(super) fn own_id(person: &Value) -> Option<&str> {
    keyed(person, "clientData", OWN_ID)
}

/// Converts a person to a contact; `None` if it has no valid resource name.
pub(super) fn contact(person: &Value, seed: &Seed) -> Option<Contact> {
    let resource = name(person)?;
    let emails = values(person, "emailAddresses");
    let phones = values(person, "phoneNumbers");
    let organisation = organisation(person);
    let shown = entries(person, "names").into_iter().find_map(|one| {
        let names =
            ["displayName", "unstructuredName"].map(|key| line(text(one, key), LINE_CHARS_MAX));
        names.into_iter().find(|name| !name.is_empty())
    });
    let other = [emails.first(), phones.first(), Some(&organisation)]
        .into_iter()
        .flatten()
        .find(|name| !name.is_empty())
        .cloned();
    let at = seed.now.timestamp();
    Some(Contact {
        id: adjutant_domain::ids::RecordId(adjutant_domain::ids::render(
            Kind::Contact.prefix(),
            seed.entropy.bits(),
        )),
        uid: keyed(person, "clientData", OWN_UID)
            .unwrap_or(resource)
            .to_owned(),
        name: shown.or(other).unwrap_or_else(|| "(no name)".to_owned()),
        nicknames: values(person, "nicknames"),
        emails,
        phones,
        organisation,
        relation: line(
            keyed(person, "userDefined", RELATION).unwrap_or_default(),
            LINE_CHARS_MAX,
        ),
        birthday: birthday(person),
        notes: notes(person),
        created: at,
        updated: updated(person).unwrap_or(at),
        version: 0,
    })
}

fn organisation(person: &Value) -> String {
    let Some(first) = entries(person, "organizations").into_iter().next() else {
        return String::new();
    };
    let parts = ["name", "title"].map(|key| line(text(first, key), LINE_CHARS_MAX));
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

fn notes(person: &Value) -> String {
    let first = entries(person, "biographies").into_iter().next();
    let whole = first
        .map_or("", |one| text(one, "value"))
        .replace("\r\n", "\n");
    let kept = whole
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    kept.take(NOTES_CHARS_MAX).collect()
}

fn updated(person: &Value) -> Option<Timestamp> {
    let sources = person.pointer("/metadata/sources")?.as_array()?;
    let times = sources
        .iter()
        .filter_map(|one| text(one, "updateTime").parse().ok());
    times.max()
}

/// Returns the birthday as `1984-04-15`, with unknown parts left out, or as free text.
fn birthday(person: &Value) -> String {
    let Some(first) = entries(person, "birthdays").into_iter().next() else {
        return String::new();
    };
    let part = |name: &str| {
        let number = first
            .pointer(&format!("/date/{name}"))
            .and_then(Value::as_u64);
        number.filter(|number| (1..=9_999).contains(number))
    };
    match (part("year"), part("month"), part("day")) {
        (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
        (Some(year), Some(month), None) => format!("{year:04}-{month:02}"),
        (Some(year), None, _) => format!("{year:04}"),
        (None, Some(month), Some(day)) => format!("--{month:02}-{day:02}"),
        _ => line(text(first, "text"), LINE_CHARS_MAX),
    }
}

/// Converts a birthday to Google's form.
fn born(text: &str) -> Value {
    let (year, rest) = match text.strip_prefix("--") {
        Some(rest) => (None, rest),
        None => match text.split_once('-') {
            Some((year, rest)) => (Some(year), rest),
            None => (Some(text), ""),
        },
    };
    let (month, day) = match rest.split_once('-') {
        Some((month, day)) => (Some(month), Some(day)),
        None => (Some(rest).filter(|rest| !rest.is_empty()), None),
    };
    let mut date = Map::new();
    for (name, part, digits) in [("year", year, 4), ("month", month, 2), ("day", day, 2)] {
        let Some(part) = part else { continue };
        match part.parse::<u32>() {
            Ok(number) if part.len() == digits && number > 0 => {
                date.insert(name.into(), json!(number))
            }
            _ => return json!({"text": text}),
        };
    }
    match date.is_empty() {
        true => json!({"text": text}),
        false => json!({"date": date}),
    }
}

/// Returns the fields to change so that the person becomes this contact; empty if nothing differs.
pub(super) fn changes(person: &Value, wanted: &Contact, seed: &Seed) -> Map<String, Value> {
    let mut changes = Map::new();
    let Some(now) = contact(person, seed) else {
        return changes;
    };
    let mut set = |list: &str, entries: Vec<Value>| changes.insert(list.into(), json!(entries));
    if wanted.name != now.name {
        set("names", named(person, &wanted.name));
    }
    let lists = [
        ("nicknames", &wanted.nicknames, &now.nicknames),
        ("emailAddresses", &wanted.emails, &now.emails),
        ("phoneNumbers", &wanted.phones, &now.phones),
    ];
    for (list, wanted, now) in lists {
        if wanted != now {
            set(list, listed(person, list, wanted));
        }
    }
    if wanted.organisation != now.organisation {
        let fields = [("name", wanted.organisation.as_str()), ("title", "")];
        set(
            "organizations",
            first_with(person, "organizations", &fields),
        );
    }
    if wanted.notes != now.notes {
        let fields = [
            ("value", wanted.notes.as_str()),
            ("contentType", "TEXT_PLAIN"),
        ];
        set("biographies", first_with(person, "biographies", &fields));
    }
    if wanted.birthday != now.birthday {
        let birthdays = match wanted.birthday.is_empty() {
            true => Vec::new(),
            false => vec![born(&wanted.birthday)],
        };
        set("birthdays", birthdays);
    }
    if wanted.relation != now.relation {
        let mut fields: Vec<Value> = entries(person, "userDefined")
            .into_iter()
            .filter(|one| text(one, "key") != RELATION)
            .map(own)
            .collect();
        if !wanted.relation.is_empty() {
            fields.push(json!({"key": RELATION, "value": wanted.relation}));
        }
        set("userDefined", fields);
    }
    changes
}

/// Returns the fields of a new person with an identifier chosen here.
pub(super) fn new(wanted: &Contact, id: &str, seed: &Seed) -> Map<String, Value> {
    // A person without any data, so that every field differs.
    let nobody = json!({"resourceName": "people/new"});
    let mut fields = changes(&nobody, wanted, seed);
    fields.retain(|_, value| value.as_array().is_some_and(|list| !list.is_empty()));
    let data = [(OWN_ID, id), (OWN_UID, wanted.uid.as_str())];
    let data = data.map(|(key, value)| json!({"key": key, "value": value}));
    fields.insert("clientData".into(), json!(data));
    fields
}

/// Returns an entry without the members that Google adds.
fn own(entry: &Value) -> Value {
    let mut entry = entry.clone();
    if let Some(fields) = entry.as_object_mut() {
        fields.retain(|name, _| !ADDED.contains(&name.as_str()));
    }
    entry
}

/// Builds an entry with an unstructured name, keeping phonetic names.
fn named(person: &Value, name: &str) -> Vec<Value> {
    let mut entry = entries(person, "names")
        .into_iter()
        .next()
        .map_or_else(|| json!({}), own);
    if let Some(fields) = entry.as_object_mut() {
        fields.retain(|name, _| name.starts_with("phonetic"));
        fields.insert("unstructuredName".into(), json!(name));
    }
    vec![entry]
}

/// Builds a list with these values. Values that were there before keep their other properties.
fn listed(person: &Value, list: &str, wanted: &[String]) -> Vec<Value> {
    let known = entries(person, list);
    let entry = |value: &String| {
        let found = known
            .iter()
            .find(|one| line(text(one, "value"), LINE_CHARS_MAX) == *value);
        found.map_or_else(|| json!({"value": value}), |one| own(one))
    };
    wanted.iter().map(entry).collect()
}

/// Replaces fields in the first entry of a list. Removes that entry if its first field is empty.
fn first_with(person: &Value, list: &str, fields: &[(&str, &str)]) -> Vec<Value> {
    let known = entries(person, list);
    let mut known = known.into_iter().map(own);
    let mut first = known.next().unwrap_or_else(|| json!({}));
    let says_something = fields.first().is_some_and(|(_, value)| !value.is_empty());
    if let Some(entry) = first.as_object_mut() {
        for (name, value) in fields {
            match value.is_empty() {
                true => entry.remove(*name),
                false => entry.insert((*name).into(), json!(value)),
            };
        }
    }
    let first = says_something.then_some(first);
    first.into_iter().chain(known).collect()
}

#[cfg(test)]
mod tests;
