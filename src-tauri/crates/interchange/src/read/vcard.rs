//! vCard: the address book.

use adjutant_domain::record::{Contact, Kind, Record};
use calcard::vcard::{
    VCard, VCardEntry, VCardParameterName, VCardParameterValue, VCardProperty, VCardValue,
};
use calcard::{Entry, Parser};

use super::text::BadLines;
use super::{Incoming, Item, Items, Refused, Seed, line};

/// Highest number of characters kept of a name.
const NAME_CHARS_MAX: usize = 300;
/// Highest number of characters kept of notes.
const NOTES_CHARS_MAX: usize = 20_000;
/// Highest number kept of addresses, and of numbers, of one contact.
const LIST_MAX: usize = 100;

pub(super) fn read(text: &str, file: &str, seed: &Seed) -> Items {
    let mut items = Vec::new();
    let refuse = |item: String, reason: &str| -> Item {
        Err(Refused {
            file: file.to_owned(),
            item,
            reason: reason.into(),
        })
    };
    if !text.to_ascii_uppercase().contains("BEGIN:V") {
        return Box::new(std::iter::once(refuse(
            "file".into(),
            "holds no address card",
        )));
    }
    let mut parser = Parser::new(text);
    let mut cards = 0;
    let mut bad = BadLines::new("a line of an address card");
    loop {
        let entry = parser.entry();
        if let Entry::InvalidLine(line) = &entry {
            bad.add(line);
            continue;
        }
        if let Some((first, reason)) = bad.end() {
            items.push(refuse(first, &reason));
        }
        match entry {
            Entry::VCard(card) => {
                cards += 1;
                items.push(match contact(&card, seed) {
                    Some(contact) => Ok(Incoming {
                        record: Record::Contact(contact),
                        raw: None,
                        provenance: None,
                    }),
                    None => refuse(format!("card {cards}"), "has neither a name nor an address"),
                });
            }
            Entry::ICalendar(_) => items.push(refuse(
                "calendar".into(),
                "is a calendar; import it as .ics",
            )),
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
            // Future versions of the library may know more kinds of entries; none of them is a card.
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
    // A card without a UID is identified by name and address, joined by `|`; no card may claim such a UID as its own.
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
        birthday: card
            .property(&VCardProperty::Bday)
            .and_then(birthday)
            .unwrap_or_default(),
        notes: notes(card),
        created: seed.at(),
        updated: seed.at(),
        version: 0,
    })
}

/// Returns `1984-04-15`, or the known part of it: `1984`, `1984-04`, `--04-15`, `--04`, `---15` (RFC 6350, 4.3.1).
fn birthday(entry: &VCardEntry) -> Option<String> {
    let VCardValue::PartialDateTime(date) = entry.values.first()? else {
        return text_of(entry.values.first()?).filter(|text| !text.is_empty());
    };
    let year = date.year.filter(|&year| !stands_for_none(entry, year));
    Some(match (year, date.month, date.day) {
        (Some(year), Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
        (Some(year), Some(month), None) => format!("{year:04}-{month:02}"),
        (Some(year), None, _) => format!("{year:04}"),
        (None, Some(month), Some(day)) => format!("--{month:02}-{day:02}"),
        (None, Some(month), None) => format!("--{month:02}"),
        (None, None, Some(day)) => format!("---{day:02}"),
        (None, None, None) => return None,
    })
}

/// Whether the entry marks this year as a placeholder for an unknown one, as Apple's address book does.
fn stands_for_none(entry: &VCardEntry, year: u16) -> bool {
    entry.params.iter().any(|param| {
        let VCardParameterName::Other(name) = &param.name else {
            return false;
        };
        name.eq_ignore_ascii_case("X-APPLE-OMIT-YEAR")
            && match &param.value {
                VCardParameterValue::Text(text) => text.parse() == Ok(year),
                VCardParameterValue::Integer(number) => *number == u32::from(year),
                _ => false,
            }
    })
}

/// Returns the notes with their line breaks.
fn notes(card: &VCard) -> String {
    let texts = card
        .entries
        .iter()
        .filter(|entry| entry.name == VCardProperty::Note)
        .flat_map(|entry| &entry.values)
        .filter_map(VCardValue::as_text);
    let whole = texts.collect::<Vec<_>>().join("\n");
    whole
        .replace("\r\n", "\n")
        .chars()
        .filter(|char| !char.is_control() || matches!(char, '\n' | '\t'))
        .take(NOTES_CHARS_MAX)
        .collect()
}

/// Builds "Given Family" from N (family; given; additional; prefix; suffix).
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
