//! The embedded engine: works out what a message means, without a model.
//!
//! The crate is pure: no I/O, no clock, no randomness. The caller passes the reference time and all settings as
//! arguments; data files are compiled in. Time and memory are bounded for any input.

pub mod calc;
pub mod confirm;
mod embedded;
#[cfg(test)]
mod fixture;
mod frames;
mod more;
mod near;
pub mod resume;
pub mod route;
pub mod time;
mod unread;
mod which_day;

pub use embedded::{ComparingRouter, Embedded};
