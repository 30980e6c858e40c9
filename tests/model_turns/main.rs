//! Tests of whole turns with real understanding, tools and storage, and a scripted model. Each test checks what was
//! sent as well as what happened.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod actions;
mod chat;
mod faults;
mod habits;
mod long;
mod resume;
mod safety;
mod shadow;
mod stops;
mod world;
