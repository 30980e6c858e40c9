//! People in arguments, and the contacts that a name can mean.

use std::borrow::Cow;

use adjutant_domain::filter::{Field, Filter, Match};
use adjutant_domain::outcome::Stop;
use adjutant_domain::plan::{AnswerKind, Question};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Contact;
use adjutant_text::{fold_line, same, spoken_words};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::CHOICES_MAX;
use crate::effect::failed;
use crate::words;

/// Maximum people in one argument.
const PEOPLE_MAX: usize = 200;

/// Words for relatives; each group means the same person.
const KIN: &[&[&str]] = &[
    &["mom", "mum", "mother", "mama", "mommy", "mummy"],
    &["dad", "father", "papa", "daddy"],
    &["grandma", "grandmother", "granny", "nana"],
    &["grandpa", "grandfather", "granddad"],
    &["sis", "sister"],
    &["bro", "brother"],
];

/// Words that name a kind of business or place.
const TRADES: &[&str] = &[
    "agency",
    "airline",
    "bank",
    "brewery",
    "clinic",
    "club",
    "company",
    "firm",
    "garage",
    "gym",
    "hospital",
    "hotel",
    "insurance",
    "insurer",
    "office",
    "people",
    "practice",
    "provider",
    "restaurant",
    "salon",
    "school",
    "shop",
    "store",
    "studio",
    "surgery",
    "team",
];

/// Names or addresses as written in the arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct People(pub Vec<NamedPerson>);

/// One person as named, with the place in the argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPerson {
    /// A name, a relation, an address, or `Name <address>`.
    pub text: String,
    /// JSON pointer inside the argument: empty, `/0`, `/1/0`, …
    pub place: String,
}

impl People {
    /// Returns whether nobody is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the names as written.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.0.iter().map(|named| named.text.clone()).collect()
    }
}

impl Serialize for People {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.texts().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for People {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let mut people = Vec::new();
        collect(&value, String::new(), &mut people).map_err(D::Error::custom)?;
        if people.len() > PEOPLE_MAX {
            return Err(D::Error::custom(format!("more than {PEOPLE_MAX} people")));
        }
        Ok(Self(people))
    }
}

fn collect(
    value: &Value,
    place: String,
    people: &mut Vec<NamedPerson>,
) -> Result<(), &'static str> {
    match value {
        Value::String(text) if text.trim().is_empty() => {}
        Value::String(text) => people.push(NamedPerson {
            text: text.trim().to_owned(),
            place,
        }),
        Value::Array(list) => {
            for (index, one) in list.iter().enumerate() {
                collect(one, format!("{place}/{index}"), people)?;
            }
        }
        Value::Object(row) => {
            let part = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
            let text = match (part("name"), part("email")) {
                ("", "") => return Err("a person has a name or an email"),
                (name, "") => name.to_owned(),
                ("", email) => email.to_owned(),
                (name, email) => format!("{name} <{email}>"),
            };
            people.push(NamedPerson { text, place });
        }
        Value::Null => {}
        _ => return Err("a person is a name, an address, or {name, email}"),
    }
    Ok(())
}

impl JsonSchema for People {
    fn schema_name() -> Cow<'static, str> {
        "People".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A name, nickname, relation or mail address, or a list of them",
            "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
        })
    }
}

fn called(name: &str) -> Filter {
    Filter::all().words_in(Field::Names, Match::Beginnings, Some(name))
}

/// Returns the contacts that a name can mean. Only the best kind of match counts: an address, then a whole name,
/// nickname or relation, then all its words, then beginnings of words.
///
/// # Errors
/// Returns the fault of storage.
pub async fn contacts_called(name: &str, cx: &Cx) -> Result<Vec<Contact>, Stop> {
    let name = without_my(name);
    let found = called_so(name, cx).await?;
    if !found.is_empty() {
        return Ok(found);
    }
    let said: String = fold_line(name);
    let kin = KIN.iter().find(|words| words.contains(&said.as_str()));
    let kin: &[&str] = kin.copied().unwrap_or_default();
    for word in kin {
        let found = called_so(word, cx).await?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let found = in_the_role_of(name, cx).await?;
    Ok(found.into_iter().collect())
}

/// Returns the only contact whose title, with the organisation, has all words of a role: "sales director", "Acme buyer".
/// The name of an organisation alone means no person.
async fn in_the_role_of(role: &str, cx: &Cx) -> Result<Option<Contact>, Stop> {
    let wanted = spoken_words(role);
    let titled = |who: &Contact| {
        let (organisation, title) = who
            .organisation
            .split_once(',')
            .unwrap_or(("", &who.organisation));
        let (all, title) = (
            spoken_words(&format!("{organisation} {title}")),
            spoken_words(title),
        );
        let lone = organisation.is_empty() && role.chars().any(char::is_uppercase);
        !lone
            && wanted.iter().all(|word| all.contains(word))
            && wanted.iter().any(|word| title.contains(word))
    };
    if wanted.is_empty() {
        return Ok(None);
    }
    let mut found = colleagues(role, cx).await?.into_iter().filter(titled);
    Ok(found.next().filter(|_| found.next().is_none()))
}

/// Like [`contacts_called`], for a name exactly as written.
async fn called_so(name: &str, cx: &Cx) -> Result<Vec<Contact>, Stop> {
    let mut best: (u8, Vec<Contact>) = (u8::MAX, Vec::new());
    for wanted in [name, name.rsplit(' ').next().unwrap_or(name)] {
        let found = cx.records.contacts(&called(wanted)).await.map_err(failed)?;
        for contact in found {
            let Some(tier) = tier(name, &contact) else {
                continue;
            };
            if tier < best.0 {
                best = (tier, vec![contact]);
            } else if tier == best.0 && !best.1.iter().any(|one| one.id == contact.id) {
                best.1.push(contact);
            }
        }
        if !best.1.is_empty() {
            break;
        }
    }
    Ok(best.1)
}

/// Strips "my": "my sister" is stored as "sister" or as "my sister".
fn without_my(name: &str) -> &str {
    let name = name.trim();
    match name.get(..3) {
        Some(my) if my.eq_ignore_ascii_case("my ") => name[3..].trim(),
        _ => name,
    }
}

fn tier(name: &str, contact: &Contact) -> Option<u8> {
    if contact
        .emails
        .iter()
        .any(|email| email.eq_ignore_ascii_case(name))
    {
        return Some(0);
    }
    let called = || std::iter::once(&contact.name).chain(&contact.nicknames);
    if called().any(|one| same(one, name))
        || (!contact.relation.is_empty() && same(without_my(&contact.relation), name))
    {
        return Some(1);
    }
    let wanted = spoken_words(name);
    if wanted.is_empty() {
        return None;
    }
    let words_of = |texts: &mut dyn Iterator<Item = &String>| -> Vec<String> {
        texts.flat_map(|one| spoken_words(one)).collect()
    };
    let hay = words_of(&mut called().chain(std::iter::once(&contact.relation)));
    if wanted.iter().all(|word| hay.contains(word)) {
        return Some(2);
    }
    // "Mo" can be short for a name, but not for "mom".
    let names = words_of(&mut called());
    wanted
        .iter()
        .all(|word| names.iter().any(|one| one.starts_with(word.as_str())))
        .then_some(3)
}

/// A name with what a search uses for it: the name itself, or the full names and all addresses of the contacts it can
/// mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Meant {
    /// The person as named.
    pub named: NamedPerson,
    /// Contacts the name can mean.
    pub contacts: Vec<Contact>,
    /// Names and addresses to search for.
    pub search: Vec<String>,
}

/// Resolves every name for a search.
///
/// # Errors
/// Returns the fault of storage.
pub async fn meant(people: &People, cx: &Cx) -> Result<Vec<Meant>, Stop> {
    let mut all = Vec::with_capacity(people.0.len());
    for named in &people.0 {
        let bare = address_in(&named.text);
        if let Some(address) = bare {
            all.push(Meant {
                named: named.clone(),
                contacts: Vec::new(),
                search: vec![address],
            });
            continue;
        }
        if is_me(&named.text) && !cx.settings.owner.emails.is_empty() {
            all.push(Meant {
                named: named.clone(),
                contacts: Vec::new(),
                search: cx.settings.owner.emails.clone(),
            });
            continue;
        }
        let (mut contacts, mut search) = searched(&named.text, cx).await?;
        if contacts.is_empty()
            && search.len() == 1
            && let Some(bare) = without_trade(&named.text)
        {
            // "The Vogel practice" means Doctor Vogel, or whoever works at Vogel.
            (contacts, search) = searched(&bare, cx).await?;
        }
        all.push(Meant {
            named: named.clone(),
            contacts,
            search,
        });
    }
    Ok(all)
}

/// Returns the people that are known by name or address, and the names of all others, which may just be words.
///
/// # Errors
/// Returns the fault of storage.
pub async fn known_people(
    people: &Option<People>,
    cx: &Cx,
) -> Result<(Option<People>, Vec<String>), Stop> {
    let (mut known, mut names) = (Vec::new(), Vec::new());
    for one in meant(people.as_ref().unwrap_or(&People::default()), cx).await? {
        let found = !one.contacts.is_empty() || one.search.iter().any(|who| who.contains('@'));
        match found {
            true => known.push(one.named),
            false => names.push(one.named.text),
        }
    }
    Ok(((!known.is_empty()).then_some(People(known)), names))
}

/// Returns the contacts a name can mean, and the names and addresses by which their mails are found.
async fn searched(name: &str, cx: &Cx) -> Result<(Vec<Contact>, Vec<String>), Stop> {
    let contacts = contacts_called(name, cx).await?;
    let mut search: Vec<String> = contacts
        .iter()
        .flat_map(|who| who.emails.iter().cloned().chain([who.name.clone()]))
        .collect();
    if contacts.is_empty() {
        search.push(name.to_owned());
        search.extend(working_at(name, cx).await?);
    }
    Ok((contacts, search))
}

/// Returns a name without words for a kind of business or place; `None` if it has no such words or only such words.
fn without_trade(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let kept: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| !TRADES.contains(&fold_line(word).as_str()))
        .collect();
    (!kept.is_empty() && kept.len() < words.len()).then(|| kept.join(" "))
}

/// Returns whether a name consists only of words for a kind of business or place, such as "the bank". Possibly no
/// sender's display name contains it.
#[must_use]
pub fn is_trade(name: &str) -> bool {
    let mut words = name.split_whitespace();
    words.clone().next().is_some() && words.all(|word| TRADES.contains(&fold_line(word).as_str()))
}

/// Returns the first address of everybody who works for an organisation of that name: mails "from Acme" come from its
/// people.
async fn working_at(organisation: &str, cx: &Cx) -> Result<Vec<String>, Stop> {
    let people = colleagues(organisation, cx).await?;
    let first = |who: Contact| who.emails.into_iter().next();
    Ok(people.into_iter().filter_map(first).collect())
}

/// Returns the contacts who work for an organisation of that name.
///
/// # Errors
/// Returns the fault of storage.
pub async fn colleagues(organisation: &str, cx: &Cx) -> Result<Vec<Contact>, Stop> {
    let people = Filter::all().words_in(Field::Organisation, Match::All, Some(organisation));
    cx.records.contacts(&people).await.map_err(failed)
}

/// Returns whether a word means the person themselves.
#[must_use]
pub fn is_me(text: &str) -> bool {
    matches!(fold_line(text).as_str(), "me" | "myself" | "i" | "mine")
}

/// Returns the address in `a@b` or `Name <a@b>`.
#[must_use]
pub fn address_in(text: &str) -> Option<String> {
    let inside = match (text.rfind('<'), text.rfind('>')) {
        (Some(open), Some(close)) if open < close => &text[open + 1..close],
        _ => text,
    };
    let inside = inside.trim();
    inside.contains('@').then(|| inside.to_owned())
}

/// Returns whether one of these names and addresses is this person's: an address must be equal, a name must match word
/// by word.
#[must_use]
pub fn is_person(search: &[String], name: &str, email: &str) -> bool {
    search.iter().any(|who| {
        if who.contains('@') {
            return who.trim().eq_ignore_ascii_case(email.trim());
        }
        let mut hay = spoken_words(name);
        hay.extend(spoken_words(email.split('@').next().unwrap_or_default()));
        let wanted = spoken_words(who);
        !wanted.is_empty() && wanted.iter().all(|word| hay.contains(word))
    })
}

/// Asks who is meant if a name fits several contacts and `involved` holds for more than one of them.
///
/// # Errors
/// Returns the question; its slot is `pointer` plus the place of the name.
pub fn ask_person(
    meant: &Meant,
    pointer: &str,
    involved: impl Fn(&Contact) -> bool,
) -> Result<(), Stop> {
    let possible: Vec<&Contact> = meant
        .contacts
        .iter()
        .filter(|who| !who.emails.is_empty() && involved(who))
        .collect();
    if possible.len() < 2 {
        return Ok(());
    }
    Err(Stop::Ask(Question {
        text: format!("Which {}?", words::name(&meant.named.text)),
        choices: possible
            .iter()
            .take(CHOICES_MAX)
            .map(|who| words::choice_of_contact(who))
            .collect(),
        slot: format!("{pointer}{}", meant.named.place),
        answer: AnswerKind::People,
    }))
}
