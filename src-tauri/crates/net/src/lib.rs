//! The only access to the network. No other crate in this tree opens a connection to another machine, so that these
//! promises are kept in one place:
//!
//! - **Offline** means loopback only. Addresses, names and redirects are all checked ([`reach`]).
//! - **Egress is logged**: every exchange and every stream reports its host, its purpose and its bytes to the port
//!   `EgressLog`.
//! - **Keys stay with their host**: a request that carries one is never redirected elsewhere ([`Follow`]).
//! - **Outsiders cannot lead us inside**: an address from a page, a redirect or a server reaches the public internet
//!   only ([`AddressFrom`], [`addresses`]).
//! - **Everything has a limit**: the size of a reply, the time until it begins, the number of redirects.
//!
//! Servers on this machine are always contacted directly; a proxy is only for other machines.

pub mod addresses;
mod certificate;
mod client;
mod exchange;
mod fault;
mod follow;
mod local;
mod names;
mod proxy;
pub mod reach;
mod services;
mod stream;
mod tls;
mod trust;

pub use bytes::Bytes;
pub use client::{NetClient, NetSettings};
pub use exchange::{AddressFrom, Follow, Incoming, Outgoing};
pub use fault::{NetFault, Wrong};
pub use hyper::{Request, Response};
pub use local::{LocalServer, RequestBody, Served};
pub use proxy::ProxyChoice;
pub use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
pub use reqwest::{Method, StatusCode};
pub use rustls::pki_types::CertificateDer;
pub use services::ServiceHost;
pub use stream::{Dial, NetStream, Security};
pub use tls::read_certificates;
pub use trust::Fingerprint;
pub use url::Url;
