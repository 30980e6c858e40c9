//! Finds what a mail carries for the calendar (RFC 6047): an invitation, a change or cancellation of one, an answer to
//! one, or events to enter.

use adjutant_domain::record::{Event, Record};
use mail_parser::{MessageParser, MessagePart, MimeHeaders as _};

use super::{Seed, ical};

/// Largest calendar that is read from a mail, in bytes.
const CALENDAR_BYTES_MAX: usize = 1024 * 1024;
/// Highest number of rows read from a mail. More are a calendar to import, not an invitation.
const ROWS_MAX: usize = 50;

/// What the sender wants the receiver to do with the events (the iCalendar METHOD, RFC 5546).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Enter them; nobody waits for an answer.
    Publish,
    /// Come: an invitation, or a change of one.
    Request,
    /// Take note of a guest's answer.
    Reply,
    /// Know that they will not take place.
    Cancel,
}

impl Method {
    /// Parses the value of the property; `None` for methods between calendars of guests, such as a counter-proposal.
    fn of(word: &str) -> Option<Self> {
        match word.trim().to_ascii_uppercase().as_str() {
            "PUBLISH" | "" => Some(Self::Publish),
            "REQUEST" => Some(Self::Request),
            "REPLY" => Some(Self::Reply),
            "CANCEL" => Some(Self::Cancel),
            _ => None,
        }
    }
}

/// What a mail carries for the calendar.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// What to do with the events.
    pub method: Method,
    /// The rows, in the order of the mail: at least one. Each has a new id.
    pub events: Vec<Event>,
}

/// Returns what the source of a mail carries for the calendar; `None` if it carries nothing that can be read.
#[must_use]
pub fn carried(source: &[u8], seed: &Seed) -> Option<Carried> {
    let message = MessageParser::default().parse(source)?;
    message
        .parts
        .iter()
        .filter(|part| is_calendar(part) && part.contents().len() <= CALENDAR_BYTES_MAX)
        .find_map(|part| read(part, seed))
}

fn is_calendar(part: &MessagePart<'_>) -> bool {
    let typed = part.content_type().is_some_and(|kind| {
        let sub = kind.subtype().unwrap_or_default();
        sub.eq_ignore_ascii_case("calendar") || sub.eq_ignore_ascii_case("ics")
    });
    let named = part.attachment_name().is_some_and(|name| {
        let ending = std::path::Path::new(name).extension();
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("ics"))
    });
    typed || named
}

fn read(part: &MessagePart<'_>, seed: &Seed) -> Option<Carried> {
    let text = match part.text_contents() {
        Some(text) => text.to_owned(),
        None => String::from_utf8_lossy(part.contents()).into_owned(),
    };
    let method = Method::of(method(&text).unwrap_or_default())?;
    let rows = ical::read(&text, "", seed).filter_map(Result::ok);
    let events: Vec<Event> = rows
        .filter_map(|row| match row.record {
            Record::Event(event) => Some(event),
            _ => None,
        })
        .take(ROWS_MAX)
        .collect();
    (!events.is_empty()).then_some(Carried { method, events })
}

/// Returns the calendar's METHOD, which stands before its first component.
fn method(text: &str) -> Option<&str> {
    let head = text
        .lines()
        .take_while(|line| !line.trim_start().starts_with("BEGIN:VEVENT"));
    head.filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("METHOD"))
        .map(|(_, value)| value)
}
