//! Events as Google writes them. Only what is understood here is named; what an event is kept by is its JSON as it came.

use jiff::{Timestamp, civil::Date};
use serde::Deserialize;
use serde_json::Value;

/// A calendar.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct CalendarItem {
    pub(super) id: String,
    pub(super) summary: String,
    /// What the person calls it.
    pub(super) summary_override: Option<String>,
    pub(super) background_color: Option<String>,
    pub(super) access_role: String,
}

/// A page of events.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct EventList {
    /// What it is: anything else that can be read would be taken for an empty calendar.
    pub(super) kind: String,
    pub(super) items: Vec<Value>,
    pub(super) next_page_token: Option<String>,
    /// On the last page: names the state that was read.
    pub(super) next_sync_token: Option<String>,
    /// The zone of the calendar.
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
    /// The repeating event that this is an instance of.
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
    /// What of an event is understood; none where it is no event.
    pub(super) fn of(value: &Value) -> Option<Self> {
        Self::deserialize(value)
            .ok()
            .filter(|item| !item.id.is_empty())
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.status == "cancelled"
    }

    /// The event that stands for the whole series: itself, where it is no instance of another.
    pub(super) fn series(&self) -> &str {
        self.recurring_event_id.as_deref().unwrap_or(&self.id)
    }

    /// Whether it repeats, or is an instance of what repeats.
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

/// Somebody at an event.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Guest {
    pub(super) email: String,
    pub(super) display_name: String,
    pub(super) response_status: String,
    /// The person whose calendar it is.
    #[serde(rename = "self")]
    pub(super) own: bool,
    pub(super) organizer: bool,
}

/// When calendars are busy.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct FreeBusy {
    pub(super) calendars: std::collections::BTreeMap<String, BusyCalendar>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct BusyCalendar {
    pub(super) busy: Vec<BusyTime>,
}

#[derive(Deserialize)]
pub(super) struct BusyTime {
    pub(super) start: Timestamp,
    pub(super) end: Timestamp,
}
