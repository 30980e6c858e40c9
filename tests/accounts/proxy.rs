//! The program's proxy: it knows the names of the servers, counts the traffic to each, and can hold back a part for
//! long enough to kill the program.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::certificate::Certificate;

/// Direction of traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    ToServer,
    FromServer,
}

/// A server behind the proxy.
#[derive(Clone)]
struct Host {
    port: u16,
    /// Terminates TLS in the proxy; `None` if the server does so itself or uses none.
    acceptor: Option<TlsAcceptor>,
}

/// Record of the traffic.
#[derive(Default)]
pub struct Watch {
    /// Number of connections to each host.
    pub connections: BTreeMap<String, usize>,
    /// Bytes sent to and received from each host.
    pub bytes: BTreeMap<String, [u64; 2]>,
    /// Number of parts sent to and received from servers since the last reset.
    pub parts: [usize; 2],
    /// Part to hold back, and whom to notify.
    kept_back: Option<(Way, usize, oneshot::Sender<()>)>,
}

impl Watch {
    /// Resets the count of parts. The part with this number and direction is held back; the receiver is notified when
    /// it arrives.
    pub fn keep_back(&mut self, wanted: Option<(Way, usize)>) -> oneshot::Receiver<()> {
        let (tell, told) = oneshot::channel();
        self.parts = [0; 2];
        self.kept_back = wanted.map(|(way, number)| (way, number, tell));
        told
    }

    /// Returns whether a part to or from a host may pass.
    fn lets_by(&mut self, host: &str, way: Way, length: usize) -> bool {
        self.bytes.entry(host.to_owned()).or_default()[way as usize] += length as u64;
        self.parts[way as usize] += 1;
        let number = self.parts[way as usize];
        match self
            .kept_back
            .take_if(|(of, at, _)| *of == way && *at == number)
        {
            Some((_, _, tell)) => {
                // The receiver is gone if the program ended on its own.
                let _ = tell.send(());
                false
            }
            None => true,
        }
    }
}

#[derive(Clone)]
pub struct Proxy {
    pub port: u16,
    hosts: Arc<Mutex<BTreeMap<String, Host>>>,
    watch: Arc<Mutex<Watch>>,
    /// Certificate authorities in PEM format.
    pub roots: String,
    _tasks: Arc<JoinSet<()>>,
}

impl Proxy {
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let hosts: Arc<Mutex<BTreeMap<String, Host>>> = Arc::default();
        let watch: Arc<Mutex<Watch>> = Arc::default();
        let (known, watched) = (hosts.clone(), watch.clone());
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (known, watched) = (known.clone(), watched.clone());
                // The tests cause connections to end early, so errors are ignored.
                open.spawn(async move { drop(pass(stream, &known, &watched).await) });
            }
        });
        Self {
            port,
            hosts,
            watch,
            roots: String::new(),
            _tasks: Arc::new(tasks),
        }
    }

    /// Adds a server named `host:port` at a port of this machine. The proxy terminates its TLS.
    pub fn knows(&mut self, name: &str, port: u16) {
        let certificate = Certificate::of(name.split(':').next().unwrap());
        let acceptor = Some(certificate.acceptor.clone());
        self.trusts(&certificate);
        self.hosts
            .lock()
            .unwrap()
            .insert(name.to_owned(), Host { port, acceptor });
    }

    /// Adds a server that does TLS itself, with this certificate.
    pub fn passes_on(&mut self, name: &str, port: u16, certificate: &Certificate) {
        self.trusts(certificate);
        let host = Host {
            port,
            acceptor: None,
        };
        self.hosts.lock().unwrap().insert(name.to_owned(), host);
    }

    /// Makes a host unreachable.
    pub fn loses(&self, name: &str) {
        self.hosts.lock().unwrap().remove(name);
    }

    fn trusts(&mut self, certificate: &Certificate) {
        use base64::Engine as _;
        let root = base64::engine::general_purpose::STANDARD.encode(&certificate.root);
        self.roots.push_str("-----BEGIN CERTIFICATE-----\n");
        for line in root.as_bytes().chunks(64) {
            self.roots.push_str(std::str::from_utf8(line).unwrap());
            self.roots.push('\n');
        }
        self.roots.push_str("-----END CERTIFICATE-----\n");
    }

    pub fn watch(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap()
    }
}

async fn pass(
    stream: TcpStream,
    hosts: &Mutex<BTreeMap<String, Host>>,
    watch: &Arc<Mutex<Watch>>,
) -> io::Result<()> {
    let mut client = BufReader::new(stream);
    let mut asked = String::new();
    client.read_line(&mut asked).await?;
    let mut line = String::new();
    while line.trim() != "" || line.is_empty() {
        line.clear();
        if client.read_line(&mut line).await? == 0 {
            return Ok(());
        }
    }
    let name = asked.split(' ').nth(1).unwrap_or_default().to_owned();
    {
        let connections = &mut watch.lock().unwrap().connections;
        *connections.entry(name.clone()).or_default() += 1;
    }
    let host = hosts.lock().unwrap().get(&name).cloned();
    let Some(host) = host else {
        return client.write_all(b"HTTP/1.1 502 unknown\r\n\r\n").await;
    };
    client.write_all(b"HTTP/1.1 200 go on\r\n\r\n").await?;
    let server = TcpStream::connect(("127.0.0.1", host.port)).await?;
    match host.acceptor {
        Some(acceptor) => relay(acceptor.accept(client).await?, server, &name, watch).await,
        None => relay(client, server, &name, watch).await,
    }
    Ok(())
}

async fn relay(
    client: impl AsyncRead + AsyncWrite,
    server: impl AsyncRead + AsyncWrite,
    host: &str,
    watch: &Mutex<Watch>,
) {
    let (from_client, to_client) = tokio::io::split(client);
    let (from_server, to_server) = tokio::io::split(server);
    // When one side closes, the other is closed too; no protocol here continues in one direction.
    tokio::select! {
        _ = copy(from_client, to_server, (host, Way::ToServer), watch) => {}
        _ = copy(from_server, to_client, (host, Way::FromServer), watch) => {}
    }
}

async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    (host, way): (&str, Way),
    watch: &Mutex<Watch>,
) -> io::Result<()> {
    let mut part = vec![0; 64 * 1024];
    loop {
        let length = from.read(&mut part).await?;
        if length == 0 {
            return Ok(());
        }
        let arrives = watch.lock().unwrap().lets_by(host, way, length);
        if !arrives {
            std::future::pending::<()>().await;
        }
        to.write_all(&part[..length]).await?;
        to.flush().await?;
    }
}
