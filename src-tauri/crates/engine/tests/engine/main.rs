//! Tests of the engine with ports in memory: whole turns as the person and the window see them.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod accounts;
mod asked_before;
mod asks;
mod backend;
mod buttons;
mod by_hand;
mod catalog;
mod distrust;
mod due;
mod held;
mod job_left;
mod log;
mod models;
mod near;
mod outside;
mod plans_by_hand;
mod recovery;
mod recovery_pending;
mod replies;
mod script;
mod standby;
mod streams;
mod undo_parts;
mod undo_together;
mod waiting;
mod world;
