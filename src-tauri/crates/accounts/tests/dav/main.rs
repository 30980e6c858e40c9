//! Tests of calendars, tasks and contacts against a real Radicale, behind a door that simulates network and server
//! trouble. All of it runs on this machine; `scripts/setup test` installs Radicale.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]
#[expect(dead_code, reason = "the files of the certificate are for Dovecot")]
#[path = "../imap/certificate.rs"]
mod certificate;
mod contract;
mod door;
mod faults;
mod keeping;
mod radicale;
mod reading;
mod rig;
mod trust;
