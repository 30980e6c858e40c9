//! A mail in its sender's design, and how to leave its mailing list.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

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
