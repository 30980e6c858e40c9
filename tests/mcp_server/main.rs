//! Tests of the real program as an MCP server with independent clients: the npm conformance suite, over HTTP with a
//! token in the test's own keyring. `scripts/setup test` installs the suite.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

#[path = "../accounts/keyring.rs"]
mod keyring;
mod serving;
mod stdio;
mod suite;
