//! Search engines and pages of the web, read politely and kept as snapshots.
//!
//! Four layers: [`engines`] ask for results, [`pages`] fetch what they found, [`own`] does both for what is on this
//! computer, and [`text`] makes plain text of bytes, pure and bounded. What comes from outside is text of others, and
//! nothing here acts on what it says. [`Web`] is what the app holds: it follows the settings as they change.

pub mod engines;
mod faults;
pub mod own;
pub mod pages;
mod reading;
pub mod text;
mod web;

pub use engines::{EngineKind, Keys};
pub use pages::NetNow;
pub use web::{Parts, SearchTools, Settings, Web};
