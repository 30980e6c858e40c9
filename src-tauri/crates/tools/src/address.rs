//! Resolves names to mail addresses: typed addresses first, then the address book, then people the person has exchanged
//! mail with. A name that could mean several people becomes a question, never a guess.

use adjutant_domain::filter::{Filter, Order, Role, Test};
use adjutant_domain::outcome::Stop;
use adjutant_domain::plan::{AnswerKind, Choice, Question};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Contact, Folder, Kind};
use adjutant_domain::source::Source;

use crate::effect::failed;
use crate::select::{
    CHOICES_MAX, NamedPerson, People, address_in, bad, colleagues, contacts_called, is_me,
    is_person,
};
use crate::words;

/// Maximum characters of an address (RFC 5321: 64 + 1 + 255).
const ADDRESS_CHARS_MAX: usize = 320;
/// Maximum mails of each direction that are searched for somebody who is not in the address book.
const MAILS_LOOKED_AT_MAX: usize = 200;

/// An address for somebody, and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// Name and address.
    pub address: Address,
    /// JSON pointer of the argument that named this person.
    pub pointer: String,
    /// Source of the address; `None` if the arguments themselves contain it.
    pub source: Option<Source>,
}

/// Resolves everybody an argument names. `pointer` is the JSON pointer of the argument, for example `/to`.
///
/// # Errors
/// Returns a question if a name is unknown or could mean several people, and a fault if an address is invalid.
pub async fn resolve(people: &People, pointer: &str, cx: &Cx) -> Result<Vec<Resolved>, Stop> {
    let mut found: Vec<Resolved> = Vec::with_capacity(people.0.len());
    for named in &people.0 {
        match resolve_one(named, pointer, cx).await? {
            AddressLookup::Reached(one) => push_new(&mut found, *one),
            AddressLookup::Unknown { question, .. } => return Err(question),
        }
    }
    Ok(found)
}

/// Somebody who was named but has no known address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The name as given, or as in the address book.
    pub name: String,
    /// Whether the address book has a contact of that name, without an address.
    pub in_book: bool,
}

/// Resolves everybody it can and returns the unknown people separately instead of asking about them. For callers that
/// can do without an address.
///
/// # Errors
/// Returns a question if a name could mean several people, and a fault if an address is invalid.
pub async fn resolve_known(
    people: &People,
    pointer: &str,
    cx: &Cx,
) -> Result<(Vec<Resolved>, Vec<Unknown>), Stop> {
    let mut found: Vec<Resolved> = Vec::with_capacity(people.0.len());
    let mut unknown: Vec<Unknown> = Vec::new();
    for named in &people.0 {
        match resolve_one(named, pointer, cx).await? {
            AddressLookup::Reached(one) => push_new(&mut found, *one),
            AddressLookup::Unknown { who: Some(who), .. } if !unknown.contains(&who) => {
                unknown.push(who)
            }
            AddressLookup::Unknown { .. } => {}
        }
    }
    Ok((found, unknown))
}

fn push_new(found: &mut Vec<Resolved>, one: Resolved) {
    let twice = found
        .iter()
        .any(|other| other.address.email.eq_ignore_ascii_case(&one.address.email));
    if !twice {
        found.push(one);
    }
}

/// Result of looking somebody up.
enum AddressLookup {
    /// An address was found.
    Reached(Box<Resolved>),
    /// No address was found; `question` asks for it. `who` is `None` for the person themselves.
    Unknown {
        who: Option<Unknown>,
        question: Stop,
    },
}

impl From<Resolved> for AddressLookup {
    fn from(one: Resolved) -> Self {
        Self::Reached(Box::new(one))
    }
}

async fn resolve_one(named: &NamedPerson, pointer: &str, cx: &Cx) -> Result<AddressLookup, Stop> {
    let slot = format!("{pointer}{}", named.place);
    if let Some(email) = address_in(&named.text) {
        return typed(&email, named, slot, cx)
            .await
            .map(AddressLookup::from);
    }
    if is_me(&named.text) {
        return Ok(match cx.settings.owner.emails.first() {
            Some(own) => Resolved {
                address: Address {
                    name: cx.settings.owner.name.clone(),
                    email: own.clone(),
                },
                pointer: slot,
                source: Some(Source::Settings),
            }
            .into(),
            None => AddressLookup::Unknown {
                who: None,
                question: ask_address("What is your own address?", slot),
            },
        });
    }
    let mut contacts = contacts_called(&named.text, cx).await?;
    if contacts.is_empty() {
        // "The guy from Acme": look for contacts who work there.
        contacts = colleagues(&named.text, cx).await?;
    }
    let reachable: Vec<&Contact> = contacts
        .iter()
        .filter(|who| !who.emails.is_empty())
        .collect();
    match reachable.as_slice() {
        [one] => Ok(Resolved {
            address: Address {
                name: one.name.clone(),
                email: one.emails[0].clone(),
            },
            pointer: slot,
            source: Some(of_contact(one, cx).await?),
        }
        .into()),
        [] => from_mail(named, contacts.first(), slot, cx).await,
        several => {
            let mut choices = Vec::with_capacity(several.len());
            for who in several.iter().take(CHOICES_MAX) {
                let choice = words::choice_of_contact(who);
                let found = of_contact(who, cx).await?.is_untrusted();
                choices.push(if found { choice.of_others() } else { choice });
            }
            Err(ask_who(&named.text, choices, slot))
        }
    }
}

/// Returns where the address of a contact came from: the address book, or the foreign text the contact was made from.
async fn of_contact(contact: &Contact, cx: &Cx) -> Result<Source, Stop> {
    let id = [contact.id.clone()];
    let foreign = cx.records.foreign(Kind::Contact, &id).await;
    Ok(if foreign.map_err(failed)?.is_empty() {
        Source::AddressBook
    } else {
        Source::Untrusted {
            origin: "a contact made from text by others".into(),
        }
    })
}

/// Resolves a typed address; its name comes from the arguments, else from the address book.
async fn typed(email: &str, named: &NamedPerson, slot: String, cx: &Cx) -> Result<Resolved, Stop> {
    if !is_address(email) {
        return Err(bad(format!(
            "“{}” is not a mail address.",
            words::cut(email, 80)
        )));
    }
    let given = named
        .text
        .split('<')
        .next()
        .map(|name| name.trim().trim_matches('"').trim())
        .filter(|name| !name.is_empty() && !name.contains('@'));
    let known = contacts_called(email, cx).await?;
    let known = known
        .iter()
        .find(|who| who.emails.iter().any(|one| one.eq_ignore_ascii_case(email)));
    Ok(Resolved {
        address: Address {
            name: given.map_or_else(
                || known.map(|who| who.name.clone()).unwrap_or_default(),
                str::to_owned,
            ),
            email: email.to_owned(),
        },
        pointer: slot,
        source: None,
    })
}

/// Looks for somebody without an address in the address book among people the person has exchanged mail with.
async fn from_mail(
    named: &NamedPerson,
    contact: Option<&Contact>,
    slot: String,
    cx: &Cx,
) -> Result<AddressLookup, Stop> {
    let name = contact.map_or(named.text.as_str(), |who| who.name.as_str());
    let mut found: Vec<(Address, String)> = Vec::new();
    for sent in [false, true] {
        let latest = Filter::all()
            .ordered(Order::Latest)
            .at_most(Some(MAILS_LOOKED_AT_MAX));
        let filter = if sent {
            let in_sent = Test::Folders(vec![Folder::Sent]);
            latest.with(Role::To, vec![name.to_owned()]).and(in_sent)
        } else {
            latest.with(Role::From, vec![name.to_owned()])
        };
        for mail in cx.records.mails(&filter).await.map_err(failed)? {
            let date = words::short_date(mail.date.to_zoned(cx.zone()).date(), cx);
            let who: Vec<&Address> = if sent {
                mail.to.iter().chain(&mail.cc).collect()
            } else {
                vec![&mail.from]
            };
            for address in who {
                let fits = is_person(&[name.to_owned()], &address.name, &address.email);
                let new = !found
                    .iter()
                    .any(|(one, _)| one.email.eq_ignore_ascii_case(&address.email));
                if fits && new && is_address(&address.email) {
                    found.push((address.clone(), format!("mail of {date}")));
                }
            }
        }
    }
    match found.as_slice() {
        [] => Ok(AddressLookup::Unknown {
            who: Some(Unknown {
                name: name.to_owned(),
                in_book: contact.is_some(),
            }),
            question: ask_address(
                &format!("What is the address of {}?", words::name(&named.text)),
                slot,
            ),
        }),
        [(address, origin)] => Ok(Resolved {
            address: address.clone(),
            pointer: slot,
            source: Some(Source::Untrusted {
                origin: origin.clone(),
            }),
        }
        .into()),
        several => Err(ask_who(
            &named.text,
            several
                .iter()
                .take(CHOICES_MAX)
                .map(|(one, _)| words::choice_of(&one.name, &one.email).of_others())
                .collect(),
            slot,
        )),
    }
}

fn ask_address(text: &str, slot: String) -> Stop {
    Stop::Ask(Question {
        text: text.to_owned(),
        choices: Vec::new(),
        slot,
        answer: AnswerKind::People,
    })
}

fn ask_who(name: &str, choices: Vec<Choice>, slot: String) -> Stop {
    Stop::Ask(Question {
        text: format!("Which {}?", words::name(name)),
        choices,
        slot,
        answer: AnswerKind::People,
    })
}

/// Returns where an address found in a record came from: the person's settings, the address book, or the record itself.
///
/// # Errors
/// Returns the fault of storage.
pub async fn origin_of(email: &str, found_in: &str, cx: &Cx) -> Result<Source, Stop> {
    if is_own(email, cx) {
        return Ok(Source::Settings);
    }
    for who in contacts_called(email, cx).await? {
        let has = who.emails.iter().any(|one| one.eq_ignore_ascii_case(email));
        if has && !of_contact(&who, cx).await?.is_untrusted() {
            return Ok(Source::AddressBook);
        }
    }
    Ok(Source::Untrusted {
        origin: found_in.to_owned(),
    })
}

/// Returns whether an address belongs to the person.
#[must_use]
pub fn is_own(email: &str, cx: &Cx) -> bool {
    cx.settings
        .owner
        .emails
        .iter()
        .any(|own| own.eq_ignore_ascii_case(email.trim()))
}

/// Returns whether a text can be a mail address: one `@` with text on both sides, and no spaces, control characters,
/// brackets or commas.
#[must_use]
pub fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && !part.ends_with('.')
            && part
                .chars()
                .all(|c| !c.is_whitespace() && !c.is_control() && !"<>()[],;:\\\"@".contains(c))
    };
    text.chars().count() <= ADDRESS_CHARS_MAX && plain(local) && plain(domain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked() {
        for (text, ok) in [
            ("a@b.example", true),
            ("first.last+tag@sub.example.org", true),
            ("müller@straße.example", true),
            ("a@localhost", true),
            ("a@", false),
            ("@b", false),
            ("a b@c", false),
            ("a@b@c", false),
            ("a@b\r\nBcc: x@y", false),
            ("a@b,c@d", false),
        ] {
            assert_eq!(is_address(text), ok, "{text}");
        }
    }
}
