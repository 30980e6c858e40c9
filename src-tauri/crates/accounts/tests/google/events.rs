//! Google's calendars.

use std::collections::BTreeMap;

use jiff::{Span, Timestamp};
use serde_json::{Value, json};

use crate::stub::{Answer, PERSON, ReceivedRequest, ok, refusal};

/// Maximum number of events per page, regardless of the requested number.
const PAGE: usize = 200;
/// Calendars by name, with the person's access role.
const CALENDARS: [(&str, &str); 4] = [
    (PERSON, "owner"),
    ("team@group.example", "writer"),
    ("holidays", "reader"),
    ("boss", "freeBusyReader"),
];

type Name = (String, String);

#[derive(Default)]
pub struct Store {
    /// Items by calendar and identifier, with the number of their last change.
    items: BTreeMap<Name, (u64, Value)>,
    /// Instances that are still as their series has them.
    instances: BTreeMap<Name, Value>,
    changes: u64,
    /// Number of the change before which sync tokens are no longer valid.
    oldest: u64,
    /// Whether sync tokens are withheld.
    pub gives_no_tokens: bool,
}

impl Store {
    pub fn forget_cursors(&mut self) {
        self.changes += 1;
        self.oldest = self.changes;
    }

    pub fn put(&mut self, calendar: &str, id: &str, mut event: Value) -> String {
        self.changes += 1;
        let etag = format!("\"{}\"", self.changes);
        event["id"] = json!(id);
        event["etag"] = json!(etag);
        event["kind"] = json!("calendar#event");
        event["updated"] = json!("2026-01-12T12:00:00.000Z");
        event["created"] = json!("2026-01-10T12:00:00.000Z");
        for (field, usual) in [("status", json!("confirmed")), ("sequence", json!(0))] {
            if event.get(field).is_none() {
                event[field] = usual;
            }
        }
        if event.get("iCalUID").is_none() {
            event["iCalUID"] = json!(format!("{id}@google.com"));
        }
        let name = (calendar.to_owned(), id.to_owned());
        self.items.insert(name, (self.changes, event));
        etag
    }

    pub fn get(&self, calendar: &str, id: &str) -> Option<&Value> {
        let name = (calendar.to_owned(), id.to_owned());
        self.items.get(&name).map(|(_, event)| event)
    }

    pub fn cancel(&mut self, calendar: &str, id: &str) {
        let mut event = self.get(calendar, id).cloned().unwrap();
        event["status"] = json!("cancelled");
        self.put(calendar, id, event);
    }

    pub fn answer(&mut self, asked: &ReceivedRequest, path: &[&str]) -> (Answer, bool) {
        match (asked.method.as_str(), path) {
            ("GET", ["users", "me", "calendarList"]) => (calendars(), false),
            ("POST", ["freeBusy"]) => (self.busy(asked), false),
            (_, ["calendars", calendar, ..]) if !CALENDARS.iter().any(|(id, _)| id == calendar) => {
                (refusal(404, "notFound"), false)
            }
            ("GET", ["calendars", calendar, "events"]) => (self.list(asked, calendar), false),
            ("POST", ["calendars", calendar, "events"]) => self.insert(asked, calendar),
            ("GET", ["calendars", calendar, "events", id, "instances"]) => {
                (self.instance(asked, calendar, id), false)
            }
            ("POST", ["calendars", calendar, "events", id, "move"]) => {
                self.relocate(asked, calendar, id)
            }
            ("GET", ["calendars", calendar, "events", id]) => match self.get(calendar, id) {
                Some(event) => (ok(event.clone()), false),
                None => (refusal(404, "notFound"), false),
            },
            ("PATCH", ["calendars", calendar, "events", id]) => self.patch(asked, calendar, id),
            ("DELETE", ["calendars", calendar, "events", id]) => self.delete(asked, calendar, id),
            _ => (refusal(404, "notFound"), false),
        }
    }

    fn list(&self, asked: &ReceivedRequest, calendar: &str) -> Answer {
        let since = match asked.value("syncToken") {
            Some(token) => match token
                .strip_prefix("sync-")
                .and_then(|n| n.parse::<u64>().ok())
            {
                None => return refusal(400, "invalid"),
                Some(token) if token < self.oldest => return refusal(410, "fullSyncRequired"),
                token => token,
            },
            None => None,
        };
        let uid = asked.value("iCalUID");
        let is_wanted = |at: u64, event: &Value| {
            let is_cancelled = event["status"] == "cancelled";
            let whole = since.is_none() && asked.value("showDeleted").is_none();
            since.is_none_or(|since| at > since)
                && uid.as_deref().is_none_or(|uid| event["iCalUID"] == uid)
                && !(whole && is_cancelled && event.get("recurringEventId").is_none())
        };
        let all: Vec<Value> = self
            .items
            .iter()
            .filter(|((of, _), (at, event))| of == calendar && is_wanted(*at, event))
            .map(|(_, (_, event))| match (event["status"] == "cancelled", event.get("recurringEventId")) {
                // Google says no more than this about a cancelled event.
                (true, Some(master)) => json!({"id": event["id"], "status": "cancelled", "kind": "calendar#event",
                    "recurringEventId": master, "originalStartTime": event["originalStartTime"], "etag": event["etag"]}),
                (true, None) => json!({"id": event["id"], "status": "cancelled", "kind": "calendar#event"}),
                _ => event.clone(),
            })
            .collect();
        let from: usize = asked
            .value("pageToken")
            .map_or(0, |token| token.parse().unwrap());
        let page: Vec<Value> = all.iter().skip(from).take(PAGE).cloned().collect();
        let mut said =
            json!({"kind": "calendar#events", "timeZone": "Europe/Paris", "items": page});
        if from + PAGE < all.len() {
            said["nextPageToken"] = json!((from + PAGE).to_string());
        } else if !self.gives_no_tokens {
            said["nextSyncToken"] = json!(format!("sync-{}", self.changes));
        }
        ok(said)
    }

    fn insert(&mut self, asked: &ReceivedRequest, calendar: &str) -> (Answer, bool) {
        let event = asked.json();
        let id = event["id"].as_str().unwrap().to_owned();
        let is_base32hex = |c: char| c.is_ascii_digit() || ('a'..='v').contains(&c);
        if !(5..=1024).contains(&id.len()) || !id.chars().all(is_base32hex) {
            return (refusal(400, "invalid"), false);
        }
        if self.get(calendar, &id).is_some() {
            return (refusal(409, "duplicate"), false);
        }
        if event.get("start").is_none() || event.get("end").is_none() {
            return (refusal(400, "required"), false);
        }
        self.put(calendar, &id, event);
        (ok(self.get(calendar, &id).cloned().unwrap()), true)
    }

    fn patch(&mut self, asked: &ReceivedRequest, calendar: &str, id: &str) -> (Answer, bool) {
        let name = (calendar.to_owned(), id.to_owned());
        let stored = self
            .get(calendar, id)
            .or(self.instances.get(&name))
            .cloned();
        let Some(mut event) = stored else {
            return (refusal(404, "notFound"), false);
        };
        if let Some(state) = asked.headers.get("if-match")
            && event["etag"] != state.as_str()
        {
            return (refusal(412, "conditionNotMet"), false);
        }
        let change = asked.json();
        if event["status"] == "cancelled" && change["status"] != "confirmed" {
            return (refusal(404, "notFound"), false);
        }
        if change.get("start").is_some() {
            event["sequence"] = json!(event["sequence"].as_i64().unwrap() + 1);
        }
        merge(&mut event, &change);
        self.put(calendar, id, event);
        (ok(self.get(calendar, id).cloned().unwrap()), true)
    }

    fn delete(&mut self, asked: &ReceivedRequest, calendar: &str, id: &str) -> (Answer, bool) {
        let Some(event) = self.get(calendar, id) else {
            return (refusal(404, "notFound"), false);
        };
        if event["status"] == "cancelled" {
            return (refusal(410, "deleted"), false);
        }
        if let Some(state) = asked.headers.get("if-match")
            && event["etag"] != state.as_str()
        {
            return (refusal(412, "conditionNotMet"), false);
        }
        self.cancel(calendar, id);
        (ok(json!({})), true)
    }

    fn relocate(&mut self, asked: &ReceivedRequest, calendar: &str, id: &str) -> (Answer, bool) {
        let Some(event) = self
            .get(calendar, id)
            .filter(|event| event["status"] != "cancelled")
            .cloned()
        else {
            return (refusal(404, "notFound"), false);
        };
        let to = asked.value("destination").unwrap();
        self.cancel(calendar, id);
        self.put(&to, id, event);
        (ok(self.get(&to, id).cloned().unwrap()), true)
    }

    fn instance(&mut self, asked: &ReceivedRequest, calendar: &str, id: &str) -> Answer {
        let Some(master) = self.get(calendar, id).cloned() else {
            return refusal(404, "notFound");
        };
        let start: Timestamp = asked.value("originalStart").unwrap().parse().unwrap();
        let own = format!("{id}_{}", start.strftime("%Y%m%dT%H%M%SZ"));
        let name = (calendar.to_owned(), own.clone());
        if let Some((_, event)) = self.items.get(&name) {
            let there: Vec<&Value> = [event]
                .into_iter()
                .filter(|one| one["status"] != "cancelled")
                .collect();
            return ok(json!({"items": there}));
        }
        let at = |field: &str| {
            master[field]["dateTime"]
                .as_str()
                .unwrap()
                .parse::<Timestamp>()
                .unwrap()
        };
        let end = start + (at("end") - at("start"));
        let mut event = master.clone();
        let time = |at: Timestamp| json!({"dateTime": at.to_string(), "timeZone": master["start"]["timeZone"]});
        event["id"] = json!(own);
        event["etag"] = json!(format!("\"{own}\""));
        event["recurringEventId"] = json!(id);
        event["originalStartTime"] = time(start);
        event["start"] = time(start);
        event["end"] = time(end);
        event.as_object_mut().unwrap().remove("recurrence");
        self.instances.insert(name, event.clone());
        ok(json!({"items": [event]}))
    }

    fn busy(&self, asked: &ReceivedRequest) -> Answer {
        let body = asked.json();
        let time = |value: &Value| value.as_str().unwrap().parse::<Timestamp>().unwrap();
        let (from, to) = (time(&body["timeMin"]), time(&body["timeMax"]));
        let mut said = json!({});
        for who in body["items"].as_array().unwrap() {
            let who = who["id"].as_str().unwrap();
            if who.starts_with("hidden") {
                said[who] =
                    json!({"errors": [{"domain": "global", "reason": "notFound"}], "busy": []});
                continue;
            }
            let own = self
                .items
                .iter()
                .filter(|((of, _), (_, event))| of == who && event["status"] != "cancelled");
            let busy: Vec<Value> = own
                .map(|(_, (_, event))| {
                    (
                        time(&event["start"]["dateTime"]),
                        time(&event["end"]["dateTime"]),
                    )
                })
                .filter(|(start, end)| *start < to && *end > from)
                .map(|(start, end)| json!({"start": start.to_string(), "end": end.to_string()}))
                .collect();
            said[who] = json!({"busy": busy});
        }
        ok(json!({"calendars": said}))
    }
}

fn calendars() -> Answer {
    let items = CALENDARS.map(|(id, role)| {
        json!({"id": id, "summary": format!("Calendar {id}"), "accessRole": role, "backgroundColor": "#9fe1e7",
            "timeZone": "Europe/Paris"})
    });
    ok(json!({"kind": "calendar#calendarList", "items": items}))
}

/// Applies a JSON merge patch (RFC 7396).
pub fn merge(into: &mut Value, change: &Value) {
    let (Value::Object(fields), Value::Object(change)) = (&mut *into, change) else {
        *into = change.clone();
        return;
    };
    for (name, value) in change {
        if value.is_null() {
            fields.remove(name);
        } else {
            merge(fields.entry(name.clone()).or_insert(json!({})), value);
        }
    }
}

/// Returns the start of the nth day of a daily event.
pub fn day(start: &str, number: i64) -> Timestamp {
    start.parse::<Timestamp>().unwrap() + Span::new().hours(24 * number)
}
