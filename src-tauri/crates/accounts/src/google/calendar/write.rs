//! Converts rows to the fields that a request changes, and no others.

use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Attendee, Event};
use adjutant_interchange::write::date_property;
use serde_json::{Map, Value, json};

/// Returns the fields in which the new event differs from the one seen; all fields if `seen` is `None`. Empty if
/// nothing differs.
pub(super) fn changed(
    new: &Event,
    seen: Option<&Event>,
    source: Option<&Value>,
) -> Map<String, Value> {
    let mut fields = Map::new();
    let differs = |same: fn(&Event, &Event) -> bool| seen.is_none_or(|seen| !same(seen, new));
    let mut set = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    if differs(|a, b| a.summary == b.summary) {
        set("summary", json!(new.summary));
    }
    if differs(|a, b| a.description == b.description) {
        set("description", json!(new.description));
    }
    if differs(|a, b| a.location == b.location) {
        set("location", json!(new.location));
    }
    let repeats = new.rrule.is_some() || !new.rdates.is_empty();
    // Sending only one of the two could make the event end before it starts.
    if differs(|a, b| same(&a.start, &b.start) && same(&a.end, &b.end)) {
        set("start", time(&new.start, repeats));
        set("end", time(&new.end, repeats));
    }
    if new.recurrence_id.is_none()
        && differs(|a, b| (&a.rrule, &a.rdates, &a.exdates) == (&b.rrule, &b.rdates, &b.exdates))
        && (repeats || seen.is_some())
    {
        set("recurrence", json!(recurrence(new, source)));
    }
    if differs(|a, b| invited(a) == invited(b)) && (seen.is_some() || !new.attendees.is_empty()) {
        set("attendees", json!(attendees(new, source)));
    }
    if differs(|a, b| a.transparent == b.transparent) {
        let word = if new.transparent {
            "transparent"
        } else {
            "opaque"
        };
        set("transparency", json!(word));
    }
    if differs(|a, b| a.cancelled == b.cancelled) {
        let word = if new.cancelled {
            "cancelled"
        } else {
            "confirmed"
        };
        set("status", json!(word));
    }
    fields
}

/// Tells whether both are the same day, or the same instant in the same time zone.
fn same(one: &Moment, other: &Moment) -> bool {
    match (one, other) {
        (Moment::At(one), Moment::At(other)) => {
            one.timestamp() == other.timestamp() && one.time_zone() == other.time_zone()
        }
        _ => one == other,
    }
}

/// Returns each guest's address and response, sorted. Names are left out, so that a changed name alone is no change.
fn invited(event: &Event) -> Vec<(String, &str)> {
    let mut all: Vec<_> = event
        .attendees
        .iter()
        .map(|who| (who.email.to_ascii_lowercase(), who.status.as_str()))
        .collect();
    all.sort();
    all
}

/// Builds a time and sets the fields it must not have to null: a field left out would keep its value.
fn time(moment: &Moment, repeats: bool) -> Value {
    match moment {
        Moment::Day(day) => json!({ "date": day.to_string(), "dateTime": null, "timeZone": null }),
        Moment::At(at) => {
            let zone = at.time_zone().iana_name();
            // A repeating event needs a time zone.
            let zone = zone.or(repeats.then_some("UTC"));
            json!({ "date": null, "dateTime": moment.rfc3339(), "timeZone": zone })
        }
    }
}

/// Returns the recurrence lines, including the source's lines that Adjutant does not understand.
fn recurrence(event: &Event, source: Option<&Value>) -> Vec<String> {
    let mut lines: Vec<String> = event
        .rrule
        .iter()
        .map(|rule| format!("RRULE:{rule}"))
        .collect();
    lines.extend(event.rdates.iter().map(|at| date_property("RDATE", at)));
    lines.extend(event.exdates.iter().map(|at| date_property("EXDATE", at)));
    let known = list(source, "recurrence").iter().filter_map(Value::as_str);
    let is_foreign = |line: &&str| {
        let name = line.split([';', ':']).next().unwrap_or_default();
        !matches!(name, "RRULE" | "RDATE" | "EXDATE")
    };
    if !lines.is_empty() {
        lines.extend(known.filter(is_foreign).map(str::to_owned));
    }
    lines
}

/// Returns the full guest list, as Google requires. Guests who were there before keep the fields that Adjutant does not
/// understand.
fn attendees(event: &Event, source: Option<&Value>) -> Vec<Value> {
    let known = list(source, "attendees");
    let is_organizer = |guest: &&Value| guest.get("organizer") == Some(&Value::Bool(true));
    let organizer = known.iter().filter(is_organizer).cloned();
    let guests = event.attendees.iter().map(|who| {
        let same = |guest: &&Value| {
            let email = guest.get("email").and_then(Value::as_str);
            email.is_some_and(|email| email.eq_ignore_ascii_case(&who.email))
        };
        guest(who, known.iter().find(same))
    });
    organizer.chain(guests).collect()
}

fn guest(who: &Attendee, known: Option<&Value>) -> Value {
    let mut fields = known
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    fields.insert("email".to_owned(), json!(who.email));
    fields.insert("responseStatus".to_owned(), json!(response(&who.status)));
    if !who.name.is_empty() {
        fields.insert("displayName".to_owned(), json!(who.name));
    }
    Value::Object(fields)
}

fn list<'a>(source: Option<&'a Value>, name: &str) -> &'a [Value] {
    let found = source.and_then(|item| item.get(name)?.as_array());
    found.map(Vec::as_slice).unwrap_or_default()
}

/// Returns Google's term for a PARTSTAT value.
pub(super) fn response(status: &str) -> &'static str {
    match status {
        "accepted" => "accepted",
        "tentative" => "tentative",
        "declined" => "declined",
        _ => "needsAction",
    }
}

/// Removes the null fields from inner objects, which a new event does not need.
pub(super) fn whole(mut fields: Map<String, Value>) -> Map<String, Value> {
    for value in fields.values_mut() {
        if let Value::Object(inner) = value {
            inner.retain(|_, value| !value.is_null());
        }
    }
    fields
}
