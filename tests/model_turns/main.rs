//! Whole turns with a scripted model: real understanding, tools and storage, and a model that plays a script. Each test
//! says what must have been sent as well as what must have happened.

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
