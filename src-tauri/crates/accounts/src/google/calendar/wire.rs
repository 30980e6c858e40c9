//! Google's JSON for events. Names only the fields used here; the full JSON is kept as the event's source.

use jiff::{Timestamp, civil::Date};
use serde::Deserialize;
use serde_json::Value;

/// An entry of the calendar list.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct CalendarItem {
    pub(super) id: String,
    pub(super) summary: String,
    /// The person's own name for the calendar.
    pub(super) summary_override: Option<String>,
    pub(super) background_color: Option<String>,
    pub(super) access_role: String,
}

/// A page of events.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct EventList {
    /// Google's `kind`, which is checked: any other readable JSON would look like an empty calendar.
    pub(super) kind: String,
    pub(super) items: Vec<Value>,
    pub(super) next_page_token: Option<String>,
    /// The sync token for the next reading; only on the last page.
    pub(super) next_sync_token: Option<String>,
    /// The calendar's time zone.
    pub(super) time_zone: Option<String>,
}

/// An event, or one changed instance of a repeating one.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) etag: Option<String>,
    pub(super) status: String,
    pub(super) summary: String,
    pub(super) description: String,
    pub(super) location: String,
    pub(super) start: Time,
    pub(super) end: Time,
    pub(super) recurrence: Vec<String>,
    /// Id of the repeating event of which this is an instance.
    pub(super) recurring_event_id: Option<String>,
    pub(super) original_start_time: Option<Time>,
    pub(super) attendees: Vec<Guest>,
    pub(super) organizer: Option<Guest>,
    pub(super) transparency: String,
    pub(super) sequence: i64,
    #[serde(rename = "iCalUID")]
    pub(super) ical_uid: String,
    pub(super) created: Option<Timestamp>,
    pub(super) updated: Option<Timestamp>,
}

impl Item {
    /// Parses an event; `None` if the JSON is not an event.
    pub(super) fn of(value: &Value) -> Option<Self> {
        Self::deserialize(value)
            .ok()
            .filter(|item| !item.id.is_empty())
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.status == "cancelled"
    }

    /// Returns the id of the series' master event, or the event's own id if it is not an instance.
    pub(super) fn series(&self) -> &str {
        self.recurring_event_id.as_deref().unwrap_or(&self.id)
    }

    /// Tells whether the event repeats or is an instance of a repeating event.
    pub(super) fn is_of_series(&self) -> bool {
        self.recurring_event_id.is_some() || !self.recurrence.is_empty()
    }
}

/// A day, or an instant with its zone.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Time {
    pub(super) date: Option<Date>,
    pub(super) date_time: Option<String>,
    pub(super) time_zone: Option<String>,
}

/// A guest or organizer of an event.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Guest {
    pub(super) email: String,
    pub(super) display_name: String,
    pub(super) response_status: String,
    /// Whether this guest is the owner of the calendar.
    #[serde(rename = "self")]
    pub(super) own: bool,
    pub(super) organizer: bool,
}

/// Reply to a free-busy query.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FreeBusy {
    pub(super) calendars: std::collections::BTreeMap<String, BusyCalendar>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct BusyCalendar {
    pub(super) busy: Vec<BusyTime>,
    /// Why the times are not told.
    pub(super) errors: Vec<serde_json::Value>,
}

#[derive(Deserialize)]
pub(super) struct BusyTime {
    pub(super) start: Timestamp,
    pub(super) end: Timestamp,
}
