//! Writes iCalendar (RFC 5545) and vCard 4 (RFC 6350).

use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Attendee, Contact, Event};
use jiff::civil::Date;

/// First lines of a calendar.
pub(crate) const HEAD: &str =
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Adjutant//Export//EN\r\n";
/// Last line of a calendar.
pub(crate) const FOOT: &str = "END:VCALENDAR\r\n";
/// Longest line in bytes, without its line ending (RFC 5545, 3.1).
const LINE_BYTES_MAX: usize = 75;

/// Writes one VEVENT.
pub(crate) fn event(event: &Event) -> String {
    let mut out = Lines::default();
    out.line("BEGIN:VEVENT");
    out.line(&format!("UID:{}", escape(&event.uid)));
    out.line(&format!(
        "DTSTAMP:{}",
        event.updated.strftime("%Y%m%dT%H%M%SZ")
    ));
    if let Some(line) = recurrence_id(event) {
        out.line(&line);
    }
    out.line(&date("DTSTART", &event.start));
    out.line(&date("DTEND", &event.end));
    out.line(&format!("SUMMARY:{}", escape(&event.summary)));
    out.text("DESCRIPTION", &event.description);
    out.text("LOCATION", &event.location);
    if let Some(rule) = &event.rrule {
        out.line(&format!("RRULE:{rule}"));
    }
    for at in &event.rdates {
        out.line(&date("RDATE", at));
    }
    for at in &event.exdates {
        out.line(&date("EXDATE", at));
    }
    if let Some(organizer) = &event.organizer {
        out.line(&person("ORGANIZER", organizer));
    }
    for guest in &event.attendees {
        out.line(&person("ATTENDEE", guest));
    }
    if event.cancelled {
        out.line("STATUS:CANCELLED");
    }
    if event.transparent {
        out.line("TRANSP:TRANSPARENT");
    }
    out.line(&format!("SEQUENCE:{}", event.sequence));
    out.line("END:VEVENT");
    out.0
}

/// Writes the line that says which instance an exception replaces, and whether also all later ones.
pub(crate) fn recurrence_id(event: &Event) -> Option<String> {
    let name = match event.following {
        true => "RECURRENCE-ID;RANGE=THISANDFUTURE",
        false => "RECURRENCE-ID",
    };
    Some(date(name, event.recurrence_id.as_ref()?))
}

/// Writes one vCard.
pub(super) fn contact(contact: &Contact) -> String {
    let mut out = Lines::default();
    out.line("BEGIN:VCARD");
    out.line("VERSION:4.0");
    out.line(&format!("UID:{}", escape(&contact.uid)));
    out.line(&format!("FN:{}", escape(&contact.name)));
    for nickname in &contact.nicknames {
        out.line(&format!("NICKNAME:{}", escape(nickname)));
    }
    for email in &contact.emails {
        out.line(&format!("EMAIL:{}", escape(email)));
    }
    for phone in &contact.phones {
        out.line(&format!("TEL:{}", escape(phone)));
    }
    out.text("ORG", &contact.organisation);
    out.text("RELATED;VALUE=text", &contact.relation);
    if !contact.birthday.is_empty() {
        out.line(&birthday(&contact.birthday));
    }
    out.text("NOTE", &contact.notes);
    out.line("END:VCARD");
    out.0
}

/// Returns a birthday as vCard 4 writes it: `19840415`, `--0415` without a year, `1984-04` without a day. What is not
/// a date becomes text.
pub(crate) fn birthday(text: &str) -> String {
    // Fills in the missing parts to check whether the rest is a valid date; 2000 was a leap year, so every day of a
    // year exists in it.
    let mut filled = match (text.strip_prefix("---"), text.strip_prefix("--")) {
        (Some(day), _) => format!("2000-01-{day}"),
        (None, Some(rest)) => format!("2000-{rest}"),
        (None, None) => text.to_owned(),
    };
    filled.push_str(match filled.len() {
        4 => "-01-01",
        7 => "-01",
        _ => "",
    });
    let has_month_and_day = filled.ends_with(text.trim_start_matches('-')) && text.len() >= 7;
    match filled.parse::<Date>() {
        Err(_) => format!("BDAY;VALUE=text:{}", escape(text)),
        Ok(_) if !has_month_and_day => format!("BDAY:{text}"),
        Ok(_) => match text.strip_prefix("--") {
            Some(day) => format!("BDAY:--{}", day.replace('-', "")),
            None => format!("BDAY:{}", text.replace('-', "")),
        },
    }
}

/// Writes a property that holds a date: `EXDATE;TZID=Europe/Paris:20260115T100000`.
#[must_use]
pub fn date(name: &str, moment: &Moment) -> String {
    match moment {
        Moment::Day(day) => format!("{name};VALUE=DATE:{}", day.strftime("%Y%m%d")),
        Moment::At(at) => match at.time_zone().iana_name() {
            Some(zone) if !matches!(zone, "UTC" | "Etc/UTC" | "Etc/GMT" | "GMT") => {
                format!("{name};TZID={zone}:{}", at.strftime("%Y%m%dT%H%M%S"))
            }
            _ => format!("{name}:{}", at.timestamp().strftime("%Y%m%dT%H%M%SZ")),
        },
    }
}

/// Writes the line of a guest or an organizer.
pub(crate) fn person(name: &str, person: &Attendee) -> String {
    let mut line = name.to_owned();
    if !person.name.is_empty() {
        line.push_str(&format!(";CN={}", quoted(&person.name)));
    }
    if !person.status.is_empty() {
        line.push_str(&format!(";PARTSTAT={}", person.status.to_uppercase()));
    }
    line.push_str(&format!(":mailto:{}", person.email));
    line
}

/// Returns text as the quoted value of a parameter.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'").replace(['\r', '\n'], " "))
}

/// Returns text escaped as the value of a property.
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace(';', "\\;")
        .replace(',', "\\,")
        .replace('\r', "")
        .replace('\n', "\\n")
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.line(&format!("{name}:{}", escape(text)));
        }
    }

    /// Appends a line, folded at 75 bytes without cutting a character.
    fn line(&mut self, line: &str) {
        let mut rest = line;
        let mut room = LINE_BYTES_MAX;
        while rest.len() > room {
            let mut cut = room;
            while !rest.is_char_boundary(cut) {
                cut -= 1;
            }
            self.0.push_str(&rest[..cut]);
            self.0.push_str("\r\n ");
            rest = &rest[cut..];
            room = LINE_BYTES_MAX - 1;
        }
        self.0.push_str(rest);
        self.0.push_str("\r\n");
    }
}
