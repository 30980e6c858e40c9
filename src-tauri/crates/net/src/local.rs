//! An HTTP server that this computer alone reaches: a door for other programs of the same person. Bounded in connections, in
//! the size of a request's head and in time; what a request means, and how long its body may be, is its caller's business.

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

/// Connections at once; further ones wait until one ends.
const CONNECTIONS_MAX: usize = 64;
/// Time until the head of a request is there; an idle connection ends with it as well.
const HEAD_WITHIN: Duration = Duration::from_secs(30);
/// Time until the answer begins, the body of the request included.
const ANSWER_WITHIN: Duration = Duration::from_secs(150);
/// Bytes of the head of a request.
const HEAD_BYTES_MAX: usize = 32 * 1024;
/// Pause after the system could not give a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What becomes of a request.
#[derive(Debug)]
pub enum Served<B> {
    /// It goes no further.
    Refused(StatusCode, &'static str),
    /// It is answered.
    Answered(Response<B>),
}

/// A server that listens on the loopback interface.
#[derive(Debug)]
pub struct LocalServer {
    listener: TcpListener,
}

impl LocalServer {
    /// Listens on a port of 127.0.0.1; 0 takes a free one.
    ///
    /// # Errors
    /// When the port is taken, or the system refuses it.
    pub async fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        Ok(Self { listener })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until `stop` ends; what is being answered then is broken off.
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
