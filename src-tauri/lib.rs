//! The assembled application: profiles, sessions, and the service behind every front end. The command line is in
//! `cli/`, the window in `shell/`; both are thin.

mod accounts;
pub mod clock;
mod compose;
mod credentials;
mod environment;
mod locale;
pub mod mcp_serve;
pub mod model_reply;
mod models;
mod network;
pub mod profile;
mod research;
mod sample;
pub mod scoreboard;
pub mod sentences;
mod servers;
pub mod service;
pub mod session;
mod web;
