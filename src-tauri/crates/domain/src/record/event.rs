//! Calendar events, recurring ones as their master with exceptions as rows of their own.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::RecordId;
use crate::moment::Moment;

/// An event, or one changed instance of a recurring event (`recurrence_id` set).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Identifier.
    pub id: RecordId,
    /// iCalendar UID; shared by a master and its exceptions.
    pub uid: String,
    /// For an exception: the original start of the instance it replaces.
    pub recurrence_id: Option<Moment>,
    /// Name of the calendar it is in.
    pub calendar: String,
    /// Title.
    pub summary: String,
    /// Further text.
    pub description: String,
    /// Where.
    pub location: String,
    /// Start; the zone of an instant is the event's own.
    pub start: Moment,
    /// End, exclusive; for whole days the day after the last.
    pub end: Moment,
    /// Guests, without the owner where that is known.
    pub attendees: Vec<Attendee>,
    /// Who called the meeting.
    pub organizer: Option<Attendee>,
    /// RFC 5545 rule without `RRULE:`.
    pub rrule: Option<String>,
    /// Additional instances.
    pub rdates: Vec<Moment>,
    /// Instances that were taken out.
    pub exdates: Vec<Moment>,
    /// iCalendar STATUS is CANCELLED.
    pub cancelled: bool,
    /// Does not make the person busy (TRANSP:TRANSPARENT).
    pub transparent: bool,
    /// iCalendar SEQUENCE.
    pub sequence: i64,
    /// First written.
    pub created: Timestamp,
    /// Last changed.
    pub updated: Timestamp,
    /// Row version.
    pub version: i64,
}

/// A guest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Attendee {
    /// Display name; may be empty.
    #[serde(default)]
    pub name: String,
    /// Mail address.
    pub email: String,
    /// iCalendar PARTSTAT in lower case (`accepted`, `declined`, `needs-action`, …); may be empty.
    #[serde(default)]
    pub status: String,
}

/// One instance of an event inside a time range: what a calendar view shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    /// The row it comes from (the exception's own row where there is one).
    pub event: Event,
    /// Start of this instance.
    pub start: Moment,
    /// End of this instance, exclusive.
    pub end: Moment,
    /// For an instance of a recurring event: its original start, which names it.
    pub instance_of: Option<Moment>,
}
