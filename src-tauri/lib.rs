//! Adjutant, put together: profiles, sessions, and the service behind every front end. The command line is in `cli/`,
//! the window in `shell/`; both are thin.

pub mod clock;
mod compose;
pub mod model_reply;
mod models;
pub mod profile;
pub mod scoreboard;
pub mod sentences;
pub mod service;
pub mod session;
