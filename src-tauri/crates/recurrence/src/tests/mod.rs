mod bounds;
mod edit;
mod library;
mod row;
mod series;
mod usual;
mod words;

use adjutant_domain::ids::RecordId;
use adjutant_domain::moment::Moment;
use adjutant_domain::record::Event;
use jiff::Timestamp;

fn moment(text: &str) -> Moment {
    text.parse().expect("a moment")
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

fn event(start: &str, end: &str) -> Event {
    Event {
        id: RecordId("evt_1".into()),
        uid: "one@example".into(),
        recurrence_id: None,
        following: false,
        calendar: String::new(),
        summary: "Series".into(),
        description: String::new(),
        location: String::new(),
        start: moment(start),
        end: moment(end),
        attendees: Vec::new(),
        organizer: None,
        rrule: None,
        rdates: Vec::new(),
        exdates: Vec::new(),
        cancelled: false,
        transparent: false,
        sequence: 0,
        created: Timestamp::UNIX_EPOCH,
        updated: Timestamp::UNIX_EPOCH,
        version: 1,
    }
}

fn series(start: &str, end: &str, rule: &str) -> Event {
    let mut event = event(start, end);
    event.rrule = Some(rule.into());
    event
}
