//! Accounts at providers: which kinds there are, what each needs to be set up, and how one is connected.
//!
//! A kind of account is one folder with a [`Provider`] and one line in [`kinds`]. It says which fields a person fills in,
//! looks at the server once ([`Provider::set_up`]), and gives the backends that read and change what lies there
//! ([`Provider::connect`]). When accounts are read, where their settings and secrets are kept and what the person is told
//! is decided by whoever calls; a folder has none of that.

mod asked;
pub mod dav;
pub mod drafts;
pub mod google;
mod http;
pub mod ics;
pub mod imap;
mod kinds;
pub mod oauth;
mod provider;

pub use kinds::{Unknown, begin_sign_in, connect, kinds, set_up, sign_out};
pub use provider::{
    Access, BrowserSignIn, Field, Form, Found, Keeper, Kind, Problem, Provider, SetUpFault,
    SignedIn, SignsIn, problem,
};
