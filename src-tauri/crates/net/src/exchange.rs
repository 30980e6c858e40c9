//! One request, its reply, and the note that is taken of them.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::ports::{EgressLog, Exchange};
use bytes::{Bytes, BytesMut};
use futures::stream::{BoxStream, StreamExt};
use reqwest::header::HeaderMap;
use reqwest::{Method, Response, StatusCode};
use url::Url;

use crate::fault::NetFault;

/// Bytes of a reply, unless the request says otherwise.
const REPLY_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Time until a reply begins, unless the request says otherwise.
const BEGINS_WITHIN: Duration = Duration::from_secs(30);

/// Where a redirect may lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// On the same scheme, host and port. The default, because a request may carry a key.
    #[default]
    SameOrigin,
    /// To other hosts of the world as well: for pages anybody may read.
    Anywhere,
    /// Nowhere: a reply that points to another place is the reply.
    Nowhere,
}

/// Who named a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressFrom {
    /// The person, or a list of ours.
    #[default]
    Person,
    /// A page, a redirect, a server, autodiscovery. Only the public internet is asked for it, never this machine or the
    /// local network. Through a proxy the proxy looks names up, and its network is its own matter.
    Outside,
}

/// A request. It has no `Debug`: its body and headers are nobody's business.
pub struct Outgoing {
    /// The method.
    pub method: Method,
    /// Where to.
    pub url: Url,
    /// Headers; values that are secret are marked as sensitive.
    pub headers: HeaderMap,
    /// The body, if any.
    pub body: Option<Bytes>,
    /// What for, in words for the person; stands in the count of what left.
    pub why: String,
    /// Where a redirect may lead.
    pub follow: Follow,
    /// Who named the address.
    pub from: AddressFrom,
    /// Time until the reply begins, at most.
    pub within: Duration,
    /// Bytes of the reply, at most.
    pub reply_bytes_max: u64,
}

impl Outgoing {
    /// A request with the usual limits, no headers and no body.
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
            within: BEGINS_WITHIN,
            reply_bytes_max: REPLY_BYTES_MAX,
        }
    }
}

/// A reply that has begun.
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

    /// The status, whatever it is.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.reply.status()
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.reply.headers()
    }

    /// The next piece of the body as it arrives; none at its end.
    ///
    /// # Errors
    /// When the body breaks off or is larger than allowed.
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

    /// The whole body.
    ///
    /// # Errors
    /// As for a piece, or when it takes longer than `within`.
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

    /// The body as a stream of pieces. It ends after the first fault.
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

/// Counts one exchange and reports it when it begins and when it ends, however it ends.
pub(crate) struct Tally {
    log: Arc<dyn EgressLog>,
    host: String,
    why: String,
    loopback: bool,
    bytes_out: u64,
    bytes_in: u64,
    /// Under which it stands in the log while it runs.
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

    /// Nothing was sent after all.
    pub(crate) fn forget(&mut self) {
        self.counts = false;
        if let Some(number) = self.number.take() {
            self.log.ended(number, None);
        }
    }

    /// The reply comes from another host than was asked: both are noted.
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
