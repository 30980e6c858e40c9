//! A mail in its sender's design, how to leave its mailing list, and what it carries for the calendar.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::rows::{EventRow, GuestRow};

/// The HTML of a mail, sanitised so that it runs, loads and sends nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailPageView {
    /// The HTML. Inline styles are in `data-style`; a remote image has its index into `images` in `data-image`.
    pub html: String,
    /// Whether it sets colours of its own, which then assume white paper.
    pub coloured: bool,
    /// Remote images, in the order of their `data-image` index.
    pub images: Vec<MailImageView>,
}

/// How to unsubscribe from the list that a mail came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LeavingView {
    /// The way to unsubscribe.
    pub by: LeavingBy,
    /// Where that leads: a host, or a mail address.
    pub target: String,
}

/// Ways to unsubscribe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LeavingBy {
    /// One request; no page opens.
    Request,
    /// A mail to the list.
    Mail,
    /// A page that the person opens.
    Page,
}

/// A remote image in a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailImageView {
    /// Host that serves it.
    pub host: String,
    /// Whether it is invisible and only tells the sender that the mail was read. Adjutant never fetches such an image.
    pub tracker: bool,
    /// The image as a `data:` URL, if it was fetched.
    pub data: Option<String>,
}

/// What a mail carries for the calendar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct InvitationView {
    /// What the sender wants.
    pub kind: InvitationKind,
    /// How it relates to the calendar.
    pub standing: InvitationStanding,
    /// The event as the calendar would have it; `id` is empty while the calendar does not have it.
    pub event: EventRow,
    /// Number of further events in the mail.
    pub more: u32,
    /// The person's answer as the calendar has it; `null` if it has none.
    pub answer: Option<String>,
    /// The guest who answers, with the answer, if the mail is one.
    pub answered: Option<GuestRow>,
    /// Whether the mail's sender may say so: the organizer, or the guest who answers.
    pub genuine: bool,
    /// Whether the person can answer it.
    pub can_answer: bool,
    /// Whether entering it would change the calendar.
    pub can_enter: bool,
    /// Other events at the same time that keep the person busy, at most three.
    pub overlaps: Vec<EventRow>,
}

/// What the sender of a mail wants done with its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum InvitationKind {
    /// Enter them.
    Publish,
    /// Come: an invitation, or a change of one.
    Request,
    /// Take note of a guest's answer.
    Reply,
    /// Know that they will not take place.
    Cancel,
}

/// How a mail's events relate to the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum InvitationStanding {
    /// The calendar does not have the event.
    New,
    /// The mail changes what the calendar has.
    Changed,
    /// The calendar agrees with the mail already.
    Current,
    /// The calendar has a later revision.
    Outdated,
    /// The person is the organizer.
    Own,
}
