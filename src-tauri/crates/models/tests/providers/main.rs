//! Providers, held to one rule: `conformance` against a peer that speaks as all of them, `llama` against a real one, the
//! others against a server that says exactly what it is told, byte by byte.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod asking;
mod conformance;
mod cuts;
mod llama;
mod refusals;
mod replies;
mod reuse;
mod silence;
mod support;
mod vectors;

/// Where the peers are. Relative, because Cargo starts tests in their package: a path compiled in would be another clone's
/// where two share a target folder.
const PEERS: &str = "../../../tests/models";
