//! Tests of the providers. `conformance` runs against a peer that speaks every format, `llama` against a real server,
//! and the others against a server that sends prescribed bytes.

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

/// Folder of the peers. Relative, because Cargo starts tests in their package's folder; a compiled-in path would be
/// wrong if two clones shared a target folder.
const PEERS: &str = "../../../tests/models";
