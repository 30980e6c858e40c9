//! Tests of the whole program against a local HTTP server that plays a script: what is sent over the wire, and what
//! follows.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]

mod connections;
mod eval;
mod odds;
mod program;
mod research;
mod sequences;
mod server;
mod turns;
#[path = "../kill/web.rs"]
mod web;
