//! The Model Context Protocol (MCP): a client that trusts no server, and a server for other programs.
//!
//! As a client, Adjutant treats everything a server says as foreign text ([`clean`]), limits every message ([`stdio`],
//! [`http`]), and calls a tool only in the form that the person has seen ([`ForeignTool`]). A fault affects only its
//! own server ([`ServerFault`]).

mod answer;
mod attachable;
mod beyond;
mod cause;
mod child;
pub mod clean;
mod connect;
mod connection;
mod fault;
mod handler;
mod http;
mod offered;
mod paste;
mod phrases;
mod schema;
pub mod server;
mod sign_in;
mod stdio;
#[cfg(test)]
mod tests;
mod tool;

pub use attachable::{OfferedPrompt, OfferedResource, Offers, PromptArgument};
pub use connect::{Access, Way, connect};
pub use connection::{Called, Connection};
pub use fault::ServerFault;
pub use offered::{LeftOut, TOOLS_BYTES_MAX};
pub use paste::{Pasted, PastedServer, pasted};
pub use sign_in::{Registered, SignInPlace, sign_in_place};
pub use tool::{Caller, ForeignTool};
