//! Tests of the real program with accounts at real servers (Dovecot, Radicale) and at the stub of Google, with a
//! keyring of its own and a proxy in front of all servers. All of it runs on this machine; `scripts/setup test`
//! installs it.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

#[path = "../../src-tauri/crates/accounts/tests/imap/certificate.rs"]
mod certificate;
mod day;
mod desk;
mod devices;
#[expect(dead_code, reason = "a part of it is for the tests of the crate")]
#[path = "../../src-tauri/crates/accounts/tests/imap/door.rs"]
mod door;
#[expect(dead_code, reason = "a part of it is for the tests of the crate")]
#[path = "../../src-tauri/crates/accounts/tests/imap/dovecot.rs"]
mod dovecot;
mod drafts;
#[expect(dead_code, reason = "a part of it is for the tests of the crate")]
#[path = "../../src-tauri/crates/accounts/tests/google/events.rs"]
mod events;
mod filing;
mod invited;
mod keyring;
mod kills;
mod leaves;
#[expect(dead_code, reason = "a part of it is for the tests of the crate")]
#[path = "../../src-tauri/crates/accounts/tests/imap/letter_box.rs"]
mod letter_box;
mod others;
mod person;
mod proxy;
#[expect(dead_code, reason = "a part of it is for the tests of the crate")]
#[path = "../../src-tauri/crates/accounts/tests/dav/radicale.rs"]
mod radicale;
mod searched;
#[path = "../../src-tauri/crates/accounts/tests/google/shapes.rs"]
mod shapes;
#[expect(dead_code, reason = "a part of it is for the tests of the crate")]
#[path = "../../src-tauri/crates/accounts/tests/google/stub.rs"]
mod stub;
#[expect(dead_code, reason = "a part of it is for the tests of the crate")]
#[path = "../../src-tauri/crates/accounts/tests/google/tasks.rs"]
mod tasks;
mod trust;
mod undone;
