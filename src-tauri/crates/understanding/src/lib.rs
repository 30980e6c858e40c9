//! The embedded engine: what a message means, without a model.
//!
//! Pure: no I/O, no clock, no randomness; the reference time and all settings come in as arguments,
//! data files are compiled in. Everything here is bounded in time and memory for any input.

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

pub use embedded::{ComparingRouter, Embedded};
