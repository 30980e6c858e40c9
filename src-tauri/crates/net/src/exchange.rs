//! One request, its reply, and their entry in the egress log.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ports::{EgressLog, Exchange};
use bytes::{Bytes, BytesMut};
use futures::stream::{BoxStream, StreamExt};
use reqwest::header::HeaderMap;
use reqwest::{Method, Response, StatusCode};
use url::Url;

use crate::fault::NetFault;
use crate::trust::Fingerprint;

/// Default maximum size of a reply, in bytes.
const REPLY_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Default time limit until a reply begins.
const BEGINS_WITHIN: Duration = Duration::from_secs(30);

/// Where redirects are followed to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Follow {
    /// Only the same scheme, host and port. The default, because a request may carry a key.
    #[default]
    SameOrigin,
    /// Other hosts too, for pages anybody may read.
    Anywhere,
    /// Nowhere: a redirect is itself the reply.
    Nowhere,
}

/// Origin of a server's address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressFrom {
    /// The person, or a list that ships with Adjutant.
    #[default]
    Person,
    /// A page, a redirect, a server or autodiscovery. Only the public internet is contacted for it, never this machine
    /// or the local network. With a proxy, the proxy resolves names and is responsible for its own network.
    Outside,
}

/// A request. It has no `Debug`, to keep body and headers out of logs.
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// The address.
    pub url: Url,
    /// Headers. Secret values are marked as sensitive.
    pub headers: HeaderMap,
    /// The body, if any.
    pub body: Option<Bytes>,
    /// Purpose, in words for the person, for the egress log.
    pub why: String,
    /// Where redirects are followed to.
    pub follow: Follow,
    /// Origin of the address.
    pub from: AddressFrom,
    /// Certificates of this server that the person trusts in addition to those the system trusts. They do not apply to
    /// other hosts and ports that it redirects to.
    pub trusted: Vec<Fingerprint>,
    /// Time limit until the reply begins.
    pub within: Duration,
    /// Maximum size of the reply, in bytes.
    pub reply_bytes_max: u64,
}

impl Outgoing {
    /// Creates a request with default limits, no headers and no body.
    #[must_use]
    pub fn new(method: Method, url: Url, why: impl Into<String>) -> Self {
        Self {
            method,
            url,
            headers: HeaderMap::new(),
            body: None,
            why: why.into(),
            follow: Follow::default(),
            from: AddressFrom::default(),
            trusted: Vec::new(),
            within: BEGINS_WITHIN,
            reply_bytes_max: REPLY_BYTES_MAX,
        }
    }
}

/// A reply whose headers have arrived.
pub struct Incoming {
    reply: Response,
    tally: Tally,
    limit_bytes: u64,
}

impl Incoming {
    pub(crate) fn new(reply: Response, tally: Tally, limit_bytes: u64) -> Self {
        Self {
            reply,
            tally,
            limit_bytes,
        }
    }

    /// Returns the HTTP status, which may be an error.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.reply.status()
    }

    /// Returns the headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.reply.headers()
    }

    /// Returns the next piece of the body as it arrives, or `None` at its end.
    ///
    /// # Errors
    /// Returns a [`NetFault`] if the body breaks off or exceeds the size limit.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, NetFault> {
        let piece = self
            .reply
            .chunk()
            .await
            .map_err(|error| NetFault::of(error, &self.tally.host))?;
        if let Some(piece) = &piece {
            self.tally.received(piece.len() as u64);
            if self.tally.bytes_in > self.limit_bytes {
                return Err(NetFault::TooLarge {
                    host: self.tally.host.clone(),
                    limit_bytes: self.limit_bytes,
                });
            }
        }
        Ok(piece)
    }

    /// Reads the whole body.
    ///
    /// # Errors
    /// Fails like [`Self::chunk`], or with [`NetFault::TimedOut`] if it takes longer than `within`.
    pub async fn bytes(mut self, within: Duration) -> Result<Bytes, NetFault> {
        let host = self.tally.host.clone();
        let whole = async {
            let mut body = BytesMut::new();
            while let Some(piece) = self.chunk().await? {
                body.extend_from_slice(&piece);
            }
            Ok(body.freeze())
        };
        tokio::time::timeout(within, whole)
            .await
            .map_err(|_| NetFault::TimedOut {
                host,
                waited: within,
            })?
    }

    /// Returns the body as a stream of pieces, which ends after the first fault.
    #[must_use]
    pub fn into_stream(self) -> BoxStream<'static, Result<Bytes, NetFault>> {
        futures::stream::unfold(Some(self), |state| async move {
            let mut incoming = state?;
            match incoming.chunk().await {
                Ok(Some(piece)) => Some((Ok(piece), Some(incoming))),
                Ok(None) => None,
                Err(fault) => Some((Err(fault), None)),
            }
        })
        .boxed()
    }
}

/// Counts one exchange, and reports its start and its end to the egress log however it ends.
pub(crate) struct Tally {
    log: Arc<dyn EgressLog>,
    host: String,
    why: String,
    loopback: bool,
    bytes_out: u64,
    bytes_in: u64,
    /// Number of its entry in the egress log while it runs.
    number: Option<u64>,
    counts: bool,
}

impl Tally {
    pub(crate) fn start(
        log: Arc<dyn EgressLog>,
        host: String,
        why: String,
        loopback: bool,
        bytes_out: u64,
    ) -> Self {
        let mut tally = Self {
            log,
            host,
            why,
            loopback,
            bytes_out,
            bytes_in: 0,
            number: None,
            counts: true,
        };
        tally.begin();
        tally
    }

    /// Drops the count, because nothing was sent after all.
    pub(crate) fn forget(&mut self) {
        self.counts = false;
        if let Some(number) = self.number.take() {
            self.log.ended(number, None);
        }
    }

    /// Starts a second entry because the reply comes from another host than the one asked. Both are logged.
    pub(crate) fn moves_to(&mut self, host: String) {
        self.report();
        self.host = host;
        self.bytes_in = 0;
        self.begin();
    }

    fn begin(&mut self) {
        self.number = self.log.begins(&self.exchange());
    }

    pub(crate) fn received(&mut self, bytes: u64) {
        self.bytes_in = self.bytes_in.saturating_add(bytes);
    }

    pub(crate) fn sent(&mut self, bytes: u64) {
        self.bytes_out = self.bytes_out.saturating_add(bytes);
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    pub(crate) fn bytes_in(&self) -> u64 {
        self.bytes_in
    }

    fn report(&mut self) {
        let exchange = self.exchange();
        match self.number.take() {
            Some(number) => self.log.ended(number, Some(exchange)),
            None => self.log.note(exchange),
        }
    }

    fn exchange(&self) -> Exchange {
        Exchange {
            host: self.host.clone(),
            why: self.why.clone(),
            bytes_out: self.bytes_out,
            bytes_in: self.bytes_in,
            loopback: self.loopback,
        }
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        if self.counts {
            self.report();
        }
    }
}
