//! Reads the events of a calendar and groups them by UID.

use std::collections::BTreeMap;

use adjutant_domain::operation::RemoteFault;
use adjutant_domain::operation::RemoteId;
use adjutant_domain::ports::{Pulled, PulledWhat};
use adjutant_domain::record::{Event, Record};
use adjutant_interchange::Seed;
use adjutant_interchange::read::calendar;

use crate::provider::Access;

/// First and last line of a calendar. Text without them is truncated or not a calendar.
const BEGIN: &str = "BEGIN:VCALENDAR";
const END: &str = "END:VCALENDAR";
/// Maximum number of lines searched for the calendar's name, which precedes the first event.
const HEAD_LINES_MAX: usize = 200;
/// Maximum number of characters kept of the name.
const NAME_CHARS_MAX: usize = 100;

/// Reads the events of a calendar. Skips events that cannot be read.
///
/// # Errors
/// Returns an error if the text is not a complete calendar. Nothing of it counts then, and the records read before
/// stay.
pub(super) fn read(text: &str, access: &Access) -> Result<Vec<Event>, RemoteFault> {
    let refuse = |what: &str| RemoteFault::Refused {
        what: what.to_owned(),
    };
    let text = text.trim_start_matches('\u{feff}').trim();
    if !starts_with(text, BEGIN) {
        return Err(refuse(if starts_with(text, "<") {
            "the address leads to a web page, not to a calendar"
        } else {
            "what is at the address is not a calendar"
        }));
    }
    let end = text.len().saturating_sub(END.len());
    if !text
        .get(end..)
        .is_some_and(|end| end.eq_ignore_ascii_case(END))
    {
        return Err(refuse("the calendar is cut off before its end"));
    }
    let seed = Seed {
        now: access.clock.now(),
        entropy: access.entropy.clone(),
        own: Vec::new(),
    };
    let mut events = Vec::new();
    for item in calendar(text, "", &seed) {
        match item.map(|incoming| incoming.record) {
            Ok(Record::Event(event)) => events.push(event),
            Ok(_) => {}
            Err(refused) => {
                tracing::info!(%refused, "an event of a subscribed calendar is left out")
            }
        }
    }
    Ok(events)
}

/// Returns the calendar's name (`X-WR-CALNAME`); `None` if it has none.
pub(super) fn calendar_name(text: &str) -> Option<String> {
    let line = text.lines().take(HEAD_LINES_MAX).find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let name = name.split(';').next().unwrap_or_default();
        name.eq_ignore_ascii_case("X-WR-CALNAME").then_some(value)
    })?;
    let plain = line.replace("\\,", ",").replace("\\;", ";");
    let plain: String = plain.chars().filter(|c| !c.is_control()).collect();
    let name: String = plain.trim().chars().take(NAME_CHARS_MAX).collect();
    (!name.is_empty()).then_some(name)
}

/// Groups events by UID, with the master of a repeating event first.
pub(super) fn pulled(events: Vec<Event>) -> Vec<Pulled> {
    let mut by_uid: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    for event in events {
        by_uid.entry(event.uid.clone()).or_default().push(event);
    }
    let of_uid = by_uid.into_iter().map(|(uid, mut rows)| {
        rows.sort_by_key(|row| row.recurrence_id.is_some());
        Pulled {
            remote_id: RemoteId(uid),
            what: PulledWhat::There {
                etag: None,
                uid_validity: None,
                rows: rows.into_iter().map(Record::Event).collect(),
                source: None,
            },
        }
    });
    of_uid.collect()
}

fn starts_with(text: &str, begin: &str) -> bool {
    text.get(..begin.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(begin))
}
