//! Revises contacts.

use adjutant_domain::record::{Contact, Record};

use super::lines::{Component, Element, group, split};
use super::{NotRevised, Revised, said, stamp, text_line};
use crate::read::Seed;
use crate::write::ical;

/// Returns the address card of a contact: its source with the changed fields, or a new card if there is no source.
///
/// # Errors
/// [`NotRevised::Unreadable`] if the source cannot be read.
pub fn card(source: Option<&str>, contact: &Contact, seed: &Seed) -> Result<Revised, NotRevised> {
    let text = source.map_or_else(|| new(contact), str::to_owned);
    let mut card = Component::read(&text)
        .filter(|card| card.is("VCARD"))
        .ok_or(NotRevised::Unreadable)?;
    let before = read(&card, seed).ok_or(NotRevised::Unreadable)?;
    amend(&mut card, &before, contact);
    let after = read(&card, seed);
    let changed = source.is_none() || after.as_ref() != Some(&before);
    if changed {
        let now = stamp(seed.now.timestamp());
        card.set("REV", Some(format!("REV:{now}")));
    }
    Ok(Revised {
        text: card.text(),
        changed,
    })
}

/// Builds a new card in vCard 3, which every server accepts (RFC 6352).
fn new(contact: &Contact) -> String {
    let uid = ical::escape(&contact.uid);
    let name = ical::escape(&contact.name);
    let n = parts_of_name(&contact.name);
    format!("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:{uid}\r\nFN:{name}\r\nN:{n}\r\nEND:VCARD\r\n")
}

fn read(card: &Component, seed: &Seed) -> Option<Contact> {
    let mut items = crate::read::cards(&card.text(), "", seed);
    match said(items.find_map(Result::ok)?.record) {
        Record::Contact(contact) => Some(contact),
        _ => None,
    }
}

fn amend(card: &mut Component, before: &Contact, after: &Contact) {
    if before.name != after.name {
        card.set("FN", text_line("FN", &after.name));
        card.set("N", Some(format!("N:{}", parts_of_name(&after.name))));
    }
    if before.nicknames != after.nicknames {
        let names: Vec<String> = after
            .nicknames
            .iter()
            .map(|one| ical::escape(one))
            .collect();
        let line = (!names.is_empty()).then(|| format!("NICKNAME:{}", names.join(",")));
        card.set("NICKNAME", line);
    }
    if before.emails != after.emails {
        list(card, "EMAIL", &after.emails);
    }
    if before.phones != after.phones {
        list(card, "TEL", &after.phones);
    }
    if before.organisation != after.organisation {
        card.set("ORG", text_line("ORG", &after.organisation));
        // The reader takes the title as part of the organisation.
        card.remove(&["TITLE"]);
    }
    if before.relation != after.relation {
        card.set("RELATED", text_line("RELATED;VALUE=text", &after.relation));
    }
    if before.birthday != after.birthday {
        let is_4 = card.of("VERSION").any(|line| split(line).1.trim() == "4.0");
        card.set("BDAY", birthday(&after.birthday, is_4));
    }
    if before.notes != after.notes {
        card.set("NOTE", text_line("NOTE", &after.notes));
    }
}

/// Replaces addresses or numbers. Those that stay keep their other data; those that go take their labels with them.
fn list(card: &mut Component, name: &str, wanted: &[String]) {
    let lines: Vec<String> = wanted
        .iter()
        .map(|value| {
            let known = card.of(name).find(|line| value_of(line) == *value);
            known.map_or_else(|| format!("{name}:{}", ical::escape(value)), str::to_owned)
        })
        .collect();
    let gone: Vec<String> = card
        .of(name)
        .filter(|line| !lines.iter().any(|one| one == line))
        .filter_map(|line| group(line).map(str::to_owned))
        .collect();
    card.set(name, lines);
    card.parts.retain(|part| match part {
        Element::Line(line) => !group(line).is_some_and(|one| gone.iter().any(|gone| gone == one)),
        Element::Inside(_) => true,
    });
}

/// Returns the value of a line as the reader returns it.
fn value_of(line: &str) -> String {
    let value = split(line).1.trim();
    let value = ["mailto:", "tel:"]
        .iter()
        .find_map(|scheme| value.strip_prefix(scheme))
        .unwrap_or(value);
    value
        .replace("\\,", ",")
        .replace("\\;", ";")
        .replace("\\\\", "\\")
}

/// Returns family and given names, taking the last word of a name as the family name.
fn parts_of_name(name: &str) -> String {
    let (given, family) = name.trim().rsplit_once(' ').unwrap_or(("", name.trim()));
    format!("{};{};;;", ical::escape(family), ical::escape(given))
}

/// The year that Apple's address book writes for an unknown one.
const NO_YEAR: &str = "1604";

fn birthday(text: &str, is_4: bool) -> Option<String> {
    if text.is_empty() || is_4 {
        return (!text.is_empty()).then(|| ical::birthday(text));
    }
    if text.parse::<jiff::civil::Date>().is_ok() {
        return Some(format!("BDAY:{text}"));
    }
    let day = text.strip_prefix("--").filter(|day| !day.starts_with('-'));
    let full = day.map(|day| format!("{NO_YEAR}-{day}"));
    match full.filter(|full| full.parse::<jiff::civil::Date>().is_ok()) {
        Some(full) => Some(format!("BDAY;X-APPLE-OMIT-YEAR={NO_YEAR}:{full}")),
        None => Some(format!("BDAY;VALUE=text:{}", ical::escape(text))),
    }
}
