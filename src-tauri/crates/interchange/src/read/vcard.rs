//! vCard: the address book.

use adjutant_domain::record::{Contact, Kind, Record};
use calcard::vcard::{VCard, VCardProperty, VCardValue};
use calcard::{Entry, Parser};

use super::{Incoming, Items, Refused, Seed, line};

/// Characters of a name that are kept.
const NAME_CHARS_MAX: usize = 300;
/// Addresses and numbers of one contact that are kept.
const LIST_MAX: usize = 100;

pub(super) fn read(text: &str, file: &str, seed: &Seed) -> Items {
    let mut items = Vec::new();
    let refuse = |item: String, reason: &str| {
        Err(Refused {
            file: file.to_owned(),
            item,
            reason: reason.into(),
        })
    };
    let mut parser = Parser::new(text);
    let mut cards = 0;
    loop {
        match parser.entry() {
            Entry::VCard(card) => {
                cards += 1;
                items.push(match contact(&card, seed) {
                    Some(contact) => Ok(Incoming {
                        record: Record::Contact(contact),
                        raw: None,
                    }),
                    None => refuse(format!("card {cards}"), "has neither a name nor an address"),
                });
            }
            Entry::ICalendar(_) => items.push(refuse(
                "calendar".into(),
                "is a calendar; import it as .ics",
            )),
            Entry::InvalidLine(bad) if bad.trim().is_empty() => {}
            Entry::InvalidLine(bad) => {
                items.push(refuse(line(&bad, 60), "is not a line of an address card"))
            }
            Entry::UnexpectedComponentEnd { .. } => {
                items.push(refuse("card".into(), "ends where it did not begin"))
            }
            Entry::UnterminatedComponent(_) => items.push(refuse(
                format!("card {}", cards + 1),
                "is cut off before its end",
            )),
            Entry::TooManyComponents => {
                items.push(refuse("file".into(), "holds too many cards"));
                break;
            }
            // The library may learn further kinds of entries; none of them is a card.
            _ => break,
        }
    }
    if items.is_empty() {
        items.push(refuse("file".into(), "holds no address card"));
    }
    Box::new(items.into_iter())
}

fn contact(card: &VCard, seed: &Seed) -> Option<Contact> {
    let all = |property: VCardProperty| -> Vec<String> {
        card.entries
            .iter()
            .filter(|entry| entry.name == property)
            .flat_map(|entry| &entry.values)
            .filter_map(text_of)
            .filter(|text| !text.is_empty())
            .take(LIST_MAX)
            .collect()
    };
    let emails: Vec<String> = all(VCardProperty::Email)
        .into_iter()
        .map(|email| email.trim_start_matches("mailto:").to_owned())
        .filter(|email| email.contains('@'))
        .collect();
    let name = all(VCardProperty::Fn)
        .into_iter()
        .next()
        .or_else(|| structured_name(card))
        .or_else(|| emails.first().cloned())?;
    // A card without a name of its own is known by name and address; no card may call itself that.
    let uid = card
        .uid()
        .map(|uid| line(uid, NAME_CHARS_MAX))
        .filter(|uid| !uid.is_empty() && !uid.contains('|'));
    Some(Contact {
        id: seed.id(Kind::Contact),
        uid: uid.unwrap_or_else(|| {
            format!(
                "{}|{}",
                name.to_lowercase(),
                emails.first().map_or("", String::as_str)
            )
        }),
        name,
        nicknames: all(VCardProperty::Nickname)
            .iter()
            .flat_map(|names| names.split(','))
            .map(|nick| nick.trim().to_owned())
            .filter(|nick| !nick.is_empty())
            .collect(),
        emails,
        phones: all(VCardProperty::Tel)
            .into_iter()
            .map(|tel| tel.trim_start_matches("tel:").to_owned())
            .collect(),
        organisation: [all(VCardProperty::Org), all(VCardProperty::Title)]
            .concat()
            .join(", "),
        relation: all(VCardProperty::Related).join(", "),
        notes: all(VCardProperty::Note).join("\n"),
        created: seed.at(),
        updated: seed.at(),
        version: 0,
    })
}

/// "Given Family" from N (family; given; additional; prefix; suffix).
fn structured_name(card: &VCard) -> Option<String> {
    let entry = card.property(&VCardProperty::N)?;
    let parts: Vec<String> = entry.values.iter().filter_map(text_of).collect();
    let name = [parts.get(1), parts.first()]
        .into_iter()
        .flatten()
        .cloned()
        .collect::<Vec<_>>()
        .join(" ");
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

fn text_of(value: &VCardValue) -> Option<String> {
    match value {
        VCardValue::Text(text) => Some(line(text, NAME_CHARS_MAX)),
        VCardValue::Component(parts) => Some(line(
            &parts
                .iter()
                .filter(|part| !part.is_empty())
                .cloned()
                .collect::<Vec<_>>()
                .join(", "),
            NAME_CHARS_MAX,
        )),
        _ => None,
    }
}
