//! Servers of the Model Context Protocol (MCP): a client that trusts none of them, and what other programs are served.
//!
//! As a client, everything a server says is text of others ([`clean`]), every message has a limit ([`stdio`], [`http`]), and
//! a tool is called only as the person has seen it ([`ForeignTool`]). What goes wrong costs that server alone
//! ([`ServerFault`]).

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
