//! Streams for protocols other than HTTP (IMAP, SMTP): encrypted, counted, and with limits like every exchange.

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
use crate::trust::{Distrust, Fingerprint};
use crate::{proxy, reach};

/// Time until a stream is open and encrypted, unless the request says otherwise.
const OPEN_WITHIN: Duration = Duration::from_secs(20);
/// Time one read or write may take, unless the request says otherwise.
const IDLE_MAX: Duration = Duration::from_secs(60);
/// Bytes received over one stream, unless the request says otherwise.
const RECEIVED_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// When a stream is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Security {
    /// From its first byte.
    Tls,
    /// Once the protocol has agreed on it ([`NetStream::start_tls`]); nothing secret may be sent before.
    StartTls,
}

/// A stream to open.
#[derive(Clone, Debug)]
pub struct Dial {
    /// Name or address of the server.
    pub host: String,
    /// Port.
    pub port: u16,
    /// When it is encrypted.
    pub security: Security,
    /// What for, in words for the person; stands in the count of what left.
    pub why: String,
    /// Who named the server. One named by autodiscovery is [`AddressFrom::Outside`].
    pub from: AddressFrom,
    /// Certificates that the person trusts there besides those the system believes.
    pub trusted: Vec<Fingerprint>,
    /// Time until it is open, and encrypted where it is so at once, at most.
    pub within: Duration,
    /// Time one read or write may take, at most.
    pub idle: Duration,
    /// Bytes received, at most.
    pub received_bytes_max: u64,
}

impl Dial {
    /// A stream to a server the person named, with the usual limits.
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

/// An open stream. Dropping it closes the connection and ends its count.
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

/// How long one side of a stream has been waiting.
struct Patience {
    most: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl NetClient {
    /// Opens a stream.
    ///
    /// # Errors
    /// When the server is not reached in time, is not whom its certificate says, or is not asked: Adjutant is offline, or
    /// an address from outside is not on the public internet.
    pub async fn open(&self, dial: Dial) -> Result<NetStream, NetFault> {
        // A host and a port, in the form in which the rest of this crate judges them.
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
        let mut last = "it has no address".to_owned();
        for address in addresses {
            match TcpStream::connect((address, port)).await {
                Ok(stream) => {
                    // What is written is whole commands: waiting to gather more only delays them.
                    stream
                        .set_nodelay(true)
                        .map_err(|error| unreachable(root_cause(&error)))?;
                    return Ok(stream);
                }
                Err(error) => last = root_cause(&error),
            }
        }
        Err(unreachable(last))
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
    /// Whether what is written now is encrypted. Passwords and tokens wait for that.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        matches!(self.io, Io::Encrypted(_))
    }

    /// Encrypts the stream, after server and client have agreed on it. Whoever buffers what is read gives up what was read
    /// ahead: it came unencrypted, and may be anybody's.
    ///
    /// # Errors
    /// When the handshake fails, or takes longer than opening a stream may.
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
            Ok(Err(error)) => Err(not_encrypted(host, &error)),
            Err(_) => Err(NetFault::TimedOut {
                host,
                waited: self.within,
            }),
        }
    }

    /// From now on one read may take this long: a server that was asked to tell what is new (IMAP IDLE) is silent for
    /// minutes.
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

    /// The same, or a fault where it has been pending for too long.
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

/// What a failed handshake means: the connection broke, or somebody else answered.
fn not_encrypted(host: String, error: &io::Error) -> NetFault {
    match Distrust::of(error) {
        Some(Distrust { why, fingerprint }) => NetFault::Untrusted {
            host,
            why,
            fingerprint,
        },
        None => NetFault::Unreachable {
            host,
            why: root_cause(error),
        },
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
    // The scheme stands for the encryption that follows; nothing speaks HTTP here.
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
