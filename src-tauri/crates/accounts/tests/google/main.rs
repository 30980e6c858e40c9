//! Tests of Google accounts against a stub on this machine that simulates Google and network trouble.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]
mod clock;
mod contract;
mod events;
mod faults;
mod recovery;
mod rig;
mod series;
mod shapes;
mod sign_in;
mod stub;
mod tasks;
