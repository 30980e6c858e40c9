//! A mail as its sender designed it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The HTML of a mail, made harmless: it runs, loads and sends nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailPageView {
    /// HTML. Styles stand in `data-style`; an image of another computer has its number in `data-image`.
    pub html: String,
    /// Whether it has colours of its own, which are chosen for white paper.
    pub coloured: bool,
    /// Images of other computers, by number.
    pub images: Vec<MailImageView>,
}

/// How the list a mail came by can be left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LeavingView {
    /// What does it.
    pub by: LeavingBy,
    /// Where that leads: a host, or the address of a mail.
    pub target: String,
}

/// What takes a person off a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LeavingBy {
    /// One request; no page is opened.
    Request,
    /// A mail.
    Mail,
    /// A page that the person opens.
    Page,
}

/// An image that lies on another computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailImageView {
    /// The computer it lies on.
    pub host: String,
    /// Nobody would see it: it is there to tell its sender that the mail was read. It is never fetched.
    pub tracker: bool,
    /// The image as a `data:` address, where it was fetched.
    pub data: Option<String>,
}
