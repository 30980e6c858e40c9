//! Streams for protocols other than HTTP (IMAP, SMTP): encrypted, logged, and limited like every exchange.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::{Host, Url};

use crate::client::NetClient;
use crate::exchange::{AddressFrom, Tally};
use crate::fault::{NetFault, root_cause};
use crate::names::look_up;
use crate::reach::exact_host;
use crate::trust::Fingerprint;
use crate::{proxy, reach};

/// Default time limit until a stream is open and encrypted.
const OPEN_WITHIN: Duration = Duration::from_secs(20);
/// Default time limit for one read or write.
const IDLE_MAX: Duration = Duration::from_secs(60);
/// Default maximum number of bytes received over one stream.
const RECEIVED_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// When encryption of a stream starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// With the first byte.
    Tls,
    /// After the protocol has negotiated it ([`NetStream::start_tls`]). Nothing secret may be sent before.
    StartTls,
}

/// A stream to open.
#[derive(Clone, Debug)]
pub struct Dial {
    /// Name or address of the server.
    pub host: String,
    /// Port.
    pub port: u16,
    /// When encryption starts.
    pub security: Security,
    /// Purpose, in words for the person, for the egress log.
    pub why: String,
    /// Origin of the address. [`AddressFrom::Outside`] for a server named by autodiscovery.
    pub from: AddressFrom,
    /// Certificates of this server that the person trusts in addition to those the system trusts.
    pub trusted: Vec<Fingerprint>,
    /// Time limit until it is open, including the handshake for [`Security::Tls`].
    pub within: Duration,
    /// Time limit for one read or write.
    pub idle: Duration,
    /// Maximum number of bytes received.
    pub received_bytes_max: u64,
}

impl Dial {
    /// Creates the request for a server the person named, with default limits.
    #[must_use]
    pub fn new(
        host: impl Into<String>,
        port: u16,
        security: Security,
        why: impl Into<String>,
    ) -> Self {
        Self {
            host: host.into(),
            port,
            security,
            why: why.into(),
            from: AddressFrom::Person,
            trusted: Vec::new(),
            within: OPEN_WITHIN,
            idle: IDLE_MAX,
            received_bytes_max: RECEIVED_BYTES_MAX,
        }
    }
}

/// An open stream. Dropping it closes the connection and ends its entry in the egress log.
pub struct NetStream {
    io: Io,
    config: Arc<ClientConfig>,
    server: ServerName<'static>,
    tally: Tally,
    within: Duration,
    reading: Patience,
    writing: Patience,
    received_bytes_max: u64,
}

enum Io {
    Plain(TcpStream),
    Encrypted(Box<TlsStream<TcpStream>>),
}

/// How long one direction of a stream has been waiting.
struct Patience {
    most: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl NetClient {
    /// Opens a stream.
    ///
    /// # Errors
    /// Returns a [`NetFault`] if the server cannot be reached in time or its certificate is not trusted, if Adjutant is
    /// offline, or if an address from outside is not on the public internet.
    pub async fn open(&self, dial: Dial) -> Result<NetStream, NetFault> {
        // Host and port as a URL, the form that the checks in this crate expect.
        let target = target(&dial)?;
        let host = exact_host(&target);
        let server = server_name(&target)?;
        let config = self.tls(&dial.trusted)?;
        let loopback = reach::is_loopback(&target);
        if self.is_offline() && !loopback {
            return Err(NetFault::Offline { host });
        }
        let mut tally = Tally::start(self.log(), host.clone(), dial.why, loopback, 0);
        let opening = async {
            let tcp = match self
                .connect(&target, loopback, dial.from, dial.within)
                .await
            {
                Ok(tcp) => tcp,
                Err(fault) => {
                    // Nothing was sent.
                    tally.forget();
                    return Err(fault);
                }
            };
            let stream = NetStream {
                io: Io::Plain(tcp),
                config,
                server,
                tally,
                within: dial.within,
                reading: Patience::new(dial.idle),
                writing: Patience::new(dial.idle),
                received_bytes_max: dial.received_bytes_max,
            };
            match dial.security {
                Security::Tls => stream.start_tls().await,
                Security::StartTls => Ok(stream),
            }
        };
        tokio::time::timeout(dial.within, opening)
            .await
            .map_err(|_| NetFault::TimedOut {
                host,
                waited: dial.within,
            })?
    }

    async fn connect(
        &self,
        target: &Url,
        loopback: bool,
        from: AddressFrom,
        within: Duration,
    ) -> Result<TcpStream, NetFault> {
        let unreachable = |why: String| NetFault::Unreachable {
            host: exact_host(target),
            why,
        };
        if from == AddressFrom::Outside {
            self.check_literal(target)?;
        }
        if !loopback && let Some(through) = self.proxy().of_stream(target) {
            return proxy::tunnel(&through, target, within)
                .await
                .map_err(unreachable);
        }
        let addresses = self.addresses(target, from).await?;
        let port = target.port_or_known_default().unwrap_or_default();
        let mut last = unreachable("it has no address".to_owned());
        for address in addresses {
            match TcpStream::connect((address, port)).await {
                Ok(stream) => {
                    // Every write is a complete command, so Nagle's algorithm would only delay it.
                    stream
                        .set_nodelay(true)
                        .map_err(|error| unreachable(root_cause(&error)))?;
                    return Ok(stream);
                }
                Err(error) => {
                    last = NetFault::not_listening(&error, target)
                        .unwrap_or_else(|| unreachable(root_cause(&error)));
                }
            }
        }
        Err(last)
    }

    async fn addresses(&self, target: &Url, from: AddressFrom) -> Result<Vec<IpAddr>, NetFault> {
        let host = exact_host(target);
        let name = match target.host() {
            Some(Host::Ipv4(address)) => return Ok(vec![address.into()]),
            Some(Host::Ipv6(address)) => return Ok(vec![address.into()]),
            Some(Host::Domain(name)) => name,
            None => return Ok(Vec::new()),
        };
        if reach::is_loopback(target) {
            return Ok(reach::OWN_ADDRESSES.to_vec());
        }
        let found = match from {
            AddressFrom::Outside => self.public_names().addresses(name).await,
            AddressFrom::Person => look_up(name).await.map_err(Into::into),
        };
        found.map_err(|error| NetFault::of_name(&*error, host))
    }
}

impl NetStream {
    /// Returns whether writes are encrypted. Passwords and tokens must not be sent before they are.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        matches!(self.io, Io::Encrypted(_))
    }

    /// Encrypts the stream after server and client have agreed on it. A caller that buffers must drop what it read
    /// ahead: that was not encrypted, so anybody may have sent it.
    ///
    /// # Errors
    /// Returns a [`NetFault`] if the handshake fails or takes longer than the time limit for opening.
    pub async fn start_tls(mut self) -> Result<Self, NetFault> {
        let Io::Plain(tcp) = self.io else {
            return Ok(self);
        };
        let connector = TlsConnector::from(Arc::clone(&self.config));
        let handshake = connector.connect(self.server.clone(), tcp);
        let host = self.tally.host().to_owned();
        match tokio::time::timeout(self.within, handshake).await {
            Ok(Ok(stream)) => {
                self.io = Io::Encrypted(Box::new(stream));
                Ok(self)
            }
            Ok(Err(error)) => Err(NetFault::of_connecting(&error, host)),
            Err(_) => Err(NetFault::TimedOut {
                host,
                waited: self.within,
            }),
        }
    }

    /// Changes the time limit for one read. A server asked to announce news (IMAP IDLE) is silent for minutes.
    pub fn set_idle(&mut self, most: Duration) {
        self.reading = Patience::new(most);
    }
}

impl AsyncRead for NetStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = into.filled().len();
        let polled = match &mut this.io {
            Io::Plain(stream) => Pin::new(stream).poll_read(cx, into),
            Io::Encrypted(stream) => Pin::new(stream).poll_read(cx, into),
        };
        ready!(this.reading.poll(cx, polled))?;
        this.tally.received((into.filled().len() - before) as u64);
        if this.tally.bytes_in() > this.received_bytes_max {
            return Poll::Ready(Err(io::Error::other(NetFault::TooLarge {
                host: this.tally.host().to_owned(),
                limit_bytes: this.received_bytes_max,
            })));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for NetStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let polled = match &mut this.io {
            Io::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Io::Encrypted(stream) => Pin::new(stream).poll_write(cx, bytes),
        };
        let written = ready!(this.writing.poll(cx, polled))?;
        this.tally.sent(written as u64);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let polled = match &mut this.io {
            Io::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Io::Encrypted(stream) => Pin::new(stream).poll_flush(cx),
        };
        this.writing.poll(cx, polled)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let polled = match &mut this.io {
            Io::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Io::Encrypted(stream) => Pin::new(stream).poll_shutdown(cx),
        };
        this.writing.poll(cx, polled)
    }
}

impl Patience {
    fn new(most: Duration) -> Self {
        Self {
            most,
            waiting: None,
        }
    }

    /// Returns `polled`, or a timeout error if the operation has been pending for too long.
    fn poll<T>(
        &mut self,
        cx: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.waiting = None;
            return polled;
        }
        let most = self.most;
        let waiting = self
            .waiting
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(most)));
        ready!(waiting.as_mut().poll(cx));
        self.waiting = None;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

fn target(dial: &Dial) -> Result<Url, NetFault> {
    let malformed = || NetFault::Malformed {
        why: "that is not the name of a server".to_owned(),
    };
    let host = match dial.host.parse::<IpAddr>() {
        Ok(IpAddr::V6(address)) => format!("[{address}]"),
        _ => dial.host.clone(),
    };
    let host = Host::parse(&host).map_err(|_| malformed())?;
    // The scheme only stands for the encryption that follows; nothing here speaks HTTP.
    Url::parse(&format!("https://{host}:{}/", dial.port)).map_err(|_| malformed())
}

fn server_name(target: &Url) -> Result<ServerName<'static>, NetFault> {
    match target.host() {
        Some(Host::Ipv4(address)) => Some(ServerName::from(IpAddr::V4(address))),
        Some(Host::Ipv6(address)) => Some(ServerName::from(IpAddr::V6(address))),
        Some(Host::Domain(name)) => ServerName::try_from(name.to_owned()).ok(),
        None => None,
    }
    .ok_or_else(|| NetFault::Malformed {
        why: "no certificate can be for that name".to_owned(),
    })
}
