//! Checks the architecture: what may depend on what, where Tauri, SQL, clocks and files may appear, and how the sources
//! are kept. Each test names the rule it guards; docs/ARCHITECTURE.md gives the reasons.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a check that cannot look has failed"
)]

#[path = "tidy/crates.rs"]
mod crates;
#[path = "tidy/cycles.rs"]
mod cycles;
#[path = "tidy/keeping.rs"]
mod keeping;
#[path = "tidy/places.rs"]
mod places;
#[path = "tidy/tree.rs"]
mod tree;
