//! The real program as an MCP server, before clients nobody here wrote: npm's conformance suite, over HTTP with a token in
//! a keyring of this test. `scripts/setup test` installs it.

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
