//! Calendar events. A recurring event is a master row plus one row per exception.

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
    /// For an exception: whether it also changes all later instances (RANGE=THISANDFUTURE). They move as far as it does
    /// and take its length and texts, up to the next exception of this kind.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub following: bool,
    /// Name of the calendar it is in.
    pub calendar: String,
    /// Title.
    pub summary: String,
    /// Further text.
    pub description: String,
    /// Place.
    pub location: String,
    /// Start. An instant keeps the event's own time zone.
    pub start: Moment,
    /// End, exclusive; for whole days, the day after the last one.
    pub end: Moment,
    /// Guests, without the person if known.
    pub attendees: Vec<Attendee>,
    /// Organizer.
    pub organizer: Option<Attendee>,
    /// RFC 5545 recurrence rule, without the `RRULE:` prefix.
    pub rrule: Option<String>,
    /// Additional instances (RDATE).
    pub rdates: Vec<Moment>,
    /// Excluded instances (EXDATE).
    pub exdates: Vec<Moment>,
    /// Whether the event is cancelled (STATUS:CANCELLED).
    pub cancelled: bool,
    /// Whether it leaves the person free (TRANSP:TRANSPARENT).
    pub transparent: bool,
    /// iCalendar SEQUENCE.
    pub sequence: i64,
    /// When it was created.
    pub created: Timestamp,
    /// When it last changed.
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

/// One instance of an event within a time range, as a calendar view shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    /// Row it comes from; the exception's own row if there is one.
    pub event: Event,
    /// Start of this instance.
    pub start: Moment,
    /// End of this instance, exclusive.
    pub end: Moment,
    /// For an instance of a recurring event: its original start, which identifies it.
    pub instance_of: Option<Moment>,
}
