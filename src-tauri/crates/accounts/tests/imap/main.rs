//! Mail accounts, against a real Dovecot behind a door that plays what networks and servers do, and a letter box that
//! takes mail over SMTP. All of it on this machine; `scripts/setup test` installs Dovecot.

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
