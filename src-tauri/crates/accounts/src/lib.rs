//! Accounts at providers: the available kinds, what each needs for setup, and how to connect one.
//!
//! A kind of account is one folder with a [`Provider`] and one line in [`kinds`]. It names the fields that a person
//! fills in, checks the server once ([`Provider::set_up`]), and returns the backends that read and change records
//! ([`Provider::connect`]). The caller decides when to read accounts, where to keep their settings and secrets, and
//! what to tell the person.

mod certificate;
pub mod dav;
pub mod drafts;
pub mod google;
mod http;
pub mod ics;
pub mod imap;
mod kinds;
mod net;
pub mod oauth;
mod operation_log;
mod problem;
mod provider;

pub use kinds::{Unknown, begin_sign_in, connect, identity, kinds, noun, set_up, sign_out};
pub use problem::{Attempted, Problem, problem};
pub use provider::{
    Access, AccountDetails, BrowserSignIn, Field, Form, Keeper, Kind, Provider, SetUpFault,
    SignedIn, SignsIn,
};
