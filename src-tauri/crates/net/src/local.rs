//! An HTTP server that only this computer can reach, for the person's other programs. It limits connections, the size
//! of a request's header and the time; the caller interprets requests and limits their bodies.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::body::Body;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

pub use hyper::body::Incoming as RequestBody;

/// Maximum number of simultaneous connections. Further ones wait until one ends.
const CONNECTIONS_MAX: usize = 64;
/// Time limit for the header of a request. An idle connection is closed after it, too.
const HEAD_WITHIN: Duration = Duration::from_secs(30);
/// Time limit until the answer begins, including reading the body of the request.
const ANSWER_WITHIN: Duration = Duration::from_secs(150);
/// Maximum size of a request's header, in bytes.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Pause after the system failed to accept a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What to do with a request.
#[derive(Debug)]
pub enum Served<B> {
    /// Refuse it with this status and reason.
    Refused(StatusCode, &'static str),
    /// Answer it.
    Answered(Response<B>),
}

/// A server that listens on the loopback interface.
#[derive(Debug)]
pub struct LocalServer {
    listener: TcpListener,
}

impl LocalServer {
    /// Listens on a port of 127.0.0.1; with 0, the system picks a free one.
    ///
    /// # Errors
    /// Returns an error if the port is taken or the system refuses it.
    pub async fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        Ok(Self { listener })
    }

    /// Returns the address it listens on.
    ///
    /// # Errors
    /// Returns an error if the system does not report the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until `stop` completes, then aborts the answers in progress.
    pub async fn serve<F, A, B>(self, answer: F, stop: impl Future<Output = ()>)
    where
        F: Fn(Request<RequestBody>) -> A + Clone + Send + Sync + 'static,
        A: Future<Output = Served<B>> + Send + 'static,
        B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
    {
        let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let mut open = JoinSet::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = async {
                let place = places.clone().acquire_owned().await;
                (place, self.listener.accept().await)
            };
            tokio::select! {
                () = &mut stop => return,
                Some(_) = open.join_next(), if !open.is_empty() => {}
                (place, accepted) = accepted => match accepted {
                    Ok((stream, _)) => {
                        let answer = answer.clone();
                        open.spawn(async move {
                            let _place = place;
                            converse(stream, answer).await;
                        });
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be taken");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                }
            }
        }
    }
}

async fn converse<F, A, B>(stream: TcpStream, answer: F)
where
    F: Fn(Request<RequestBody>) -> A,
    A: Future<Output = Served<B>>,
    B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
{
    let service = service_fn(|request| {
        let answer = answer(request);
        async move {
            let served = tokio::time::timeout(ANSWER_WITHIN, answer).await;
            let late = Served::Refused(StatusCode::REQUEST_TIMEOUT, "This took too long.");
            Ok::<_, Infallible>(response(served.unwrap_or(late)))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a program on this computer broke off");
    }
}

fn response<B>(served: Served<B>) -> Response<Either<Full<Bytes>, B>> {
    match served {
        Served::Answered(response) => response.map(Either::Right),
        Served::Refused(status, why) => {
            let mut response = Response::new(Either::Left(Full::from(why)));
            *response.status_mut() = status;
            if status == StatusCode::UNAUTHORIZED {
                let scheme = header::HeaderValue::from_static("Bearer");
                let headers = response.headers_mut();
                headers.insert(header::WWW_AUTHENTICATE, scheme);
            }
            response
        }
    }
}
