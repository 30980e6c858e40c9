//! The only door to the network. Nothing else in this tree opens a connection to another machine, so that five promises
//! can be kept in one place:
//!
//! - **Offline** means loopback and nothing else: addresses, names and redirects are all held to it ([`reach`]).
//! - **What left is counted**: every exchange and every stream reports its host, its purpose and its bytes to the port
//!   `EgressLog`.
//! - **Keys stay with their host**: a request that carries one is never redirected elsewhere ([`Follow`]).
//! - **Who is outside is not led inside**: an address from a page, a redirect or a server reaches the public internet and
//!   nothing else ([`AddressFrom`], [`addresses`]).
//! - **Nothing is without a limit**: the size of a reply, the time until it begins, the number of redirects.
//!
//! This machine's own servers are always asked directly; a proxy is for the world.

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
pub use stream::{Dial, NetStream, Security};
pub use tls::read_certificates;
pub use trust::Fingerprint;
pub use url::Url;
