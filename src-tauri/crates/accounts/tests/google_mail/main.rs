//! Tests of the mail and contacts of a Google account, against a stub on this machine and the npm package `emulate`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod contract;
mod emulate;
mod faults;
mod filing;
mod hostile;
mod large;
mod people;
mod reading;
mod rig;
mod sending;
#[path = "../google/shapes.rs"]
mod shapes;
mod stub;
