//! Search engines and web pages, read politely and kept as snapshots.
//!
//! There are four layers: [`engines`] fetch results, [`pages`] fetch the pages they link to, [`own`] does both for data
//! on this computer, and [`text`] extracts bounded plain text from bytes without side effects. Content from outside is
//! foreign text, and nothing here acts on it. The app uses [`Web`], which follows changes of the settings.

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
