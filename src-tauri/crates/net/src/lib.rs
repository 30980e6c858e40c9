//! The only door to the network. Nothing else in this tree builds an HTTP client, so that four promises can be kept in
//! one place:
//!
//! - **Offline** means loopback and nothing else: addresses, names and redirects are all held to it ([`reach`]).
//! - **What left is counted**: every exchange reports its host, its purpose and its bytes to the port `EgressLog`.
//! - **Keys stay with their host**: a request that carries one is never redirected elsewhere ([`Follow`]).
//! - **Nothing is without a limit**: the size of a reply, the time until it begins, the number of redirects.
//!
//! This machine's own servers are always asked directly; a proxy is for the world.

mod client;
mod exchange;
mod fault;
pub mod reach;

pub use bytes::Bytes;
pub use client::{NetClient, NetSettings, ProxyChoice, Wrong};
pub use exchange::{Follow, Incoming, Outgoing};
pub use fault::NetFault;
pub use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
pub use reqwest::{Method, StatusCode};
pub use url::Url;
