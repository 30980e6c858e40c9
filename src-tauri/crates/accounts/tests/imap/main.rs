//! Tests of mail accounts against a real Dovecot, behind a door that simulates network and server trouble, and an SMTP
//! server that accepts mail. All of it runs on this machine; `scripts/setup test` installs Dovecot.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]
mod certificate;
mod contract;
mod door;
mod dovecot;
mod drafts;
mod filing;
mod hostile;
mod large;
mod letter_box;
mod news;
mod reading;
mod rig;
mod sending;
