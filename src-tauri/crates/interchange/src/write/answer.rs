//! Writes the answer to an invitation as a mail carries it to the organizer (RFC 5546, 3.2.3).

use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Attendee, Event};
use jiff::tz::TimeZone;

use super::ical;

/// Returns the calendar that answers the invitation to `event`: the answer is the `status` of `guest`. Times are in UTC,
/// so that it needs no definitions of time zones.
#[must_use]
pub fn answer(event: &Event, guest: &Attendee) -> String {
    let answered = Event {
        recurrence_id: event.recurrence_id.as_ref().map(in_utc),
        start: in_utc(&event.start),
        end: in_utc(&event.end),
        attendees: vec![guest.clone()],
        description: String::new(),
        rrule: None,
        rdates: Vec::new(),
        exdates: Vec::new(),
        transparent: false,
        ..event.clone()
    };
    let head = ical::HEAD.replace("PRODID", "METHOD:REPLY\r\nPRODID");
    format!("{head}{}{}", ical::event(&answered), ical::FOOT)
}

fn in_utc(moment: &Moment) -> Moment {
    match moment {
        Moment::At(at) => Moment::At(at.with_time_zone(TimeZone::UTC)),
        day @ Moment::Day(_) => day.clone(),
    }
}
