//! The local HTTP listener to which the browser is redirected. It accepts one answer, the one with the expected
//! `state`, and stays open only as long as the sign-in.

use std::time::Duration;

use adjutant_net::Url;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::exchange::word;

/// Maximum number of bytes read of a request.
const REQUEST_BYTES_MAX: usize = 16 * 1024;
/// Time allowed for a browser to send its request.
const ASKS_WITHIN: Duration = Duration::from_secs(10);
/// Maximum number of open connections; browsers open two or three.
const OPEN_MAX: usize = 16;

/// The person's answer, delivered by the browser.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The person signed in; the code can be exchanged for tokens.
    Code(String),
    /// The person or the provider refused, with the provider's error code.
    Refused(String),
}

/// A listener that waits for one answer.
pub struct Door {
    listener: TcpListener,
    port: u16,
}

impl Door {
    /// Opens a listener on a free port that only this computer can reach.
    ///
    /// # Errors
    /// Returns an error if no port can be opened.
    pub async fn open() -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// Returns the address to which the browser is redirected.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Waits for the answer with this `state`. Any other request gets a page that says so.
    pub(super) async fn answer(self, state: &str, provider: &str) -> std::io::Result<Answer> {
        let (tell, mut told) = mpsc::channel(1);
        let mut open = JoinSet::new();
        loop {
            tokio::select! {
                Some(answer) = told.recv() => {
                    // The page was already written.
                    return Ok(answer);
                }
                accepted = self.listener.accept(), if open.len() < OPEN_MAX => {
                    let (stream, _) = accepted?;
                    let (state, tell) = (state.to_owned(), tell.clone());
                    let provider = provider.to_owned();
                    open.spawn(async move {
                        let served = serve(stream, &state, &provider, &tell);
                        let _ = tokio::time::timeout(ASKS_WITHIN, served).await;
                    });
                }
                Some(_) = open.join_next(), if !open.is_empty() => {}
            }
        }
    }
}

async fn serve(
    mut stream: TcpStream,
    state: &str,
    provider: &str,
    tell: &mpsc::Sender<Answer>,
) -> std::io::Result<()> {
    let line = first_line(&mut stream).await?;
    let heard = heard(&line, state);
    let (status, text) = match &heard {
        CallbackRequest::Answer(Answer::Code(_)) => (
            "200 OK",
            format!(
                "{provider} has answered. Go back to Adjutant, which says how it went. You can close this page."
            ),
        ),
        CallbackRequest::Answer(Answer::Refused(_)) => (
            "200 OK",
            "You were not signed in. Go back to Adjutant to try again. You can close this page."
                .to_owned(),
        ),
        CallbackRequest::Stranger => (
            "400 Bad Request",
            "This is not the sign-in that Adjutant is waiting for. Go back to Adjutant and start again."
                .to_owned(),
        ),
        CallbackRequest::Nothing => ("404 Not Found", "There is nothing here.".to_owned()),
    };
    stream.write_all(page(status, &text).as_bytes()).await?;
    stream.shutdown().await?;
    if let CallbackRequest::Answer(answer) = heard {
        // If two answers arrive, the first one counts.
        let _ = tell.try_send(answer);
    }
    Ok(())
}

/// Reads the first line of a request. Also reads the remaining headers, so that the browser can finish sending.
async fn first_line(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut head = Vec::new();
    let mut piece = [0; 2048];
    while head.len() < REQUEST_BYTES_MAX && !head.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut piece).await? {
            0 => break,
            read => head.extend_from_slice(piece.get(..read).unwrap_or_default()),
        }
    }
    let line = head.split(|byte| *byte == b'\r').next().unwrap_or_default();
    Ok(String::from_utf8_lossy(line).into_owned())
}

/// The meaning of a request.
#[derive(Debug, PartialEq, Eq)]
enum CallbackRequest {
    Answer(Answer),
    /// An answer with another `state`.
    Stranger,
    /// An unrelated request, such as the page's icon.
    Nothing,
}

fn heard(line: &str, state: &str) -> CallbackRequest {
    let target = line
        .strip_prefix("GET ")
        .and_then(|rest| rest.split(' ').next());
    let url = target
        .filter(|target| target.starts_with('/'))
        .and_then(|target| Url::parse(&format!("http://127.0.0.1{target}")).ok());
    let Some(url) = url.filter(|url| url.path() == "/") else {
        return CallbackRequest::Nothing;
    };
    let value = |name: &str| {
        let mut found = url.query_pairs().filter(|(key, _)| key == name);
        found.next().map(|(_, value)| value.into_owned())
    };
    if value("state").as_deref() != Some(state) {
        return CallbackRequest::Stranger;
    }
    match (
        value("code").filter(|code| !code.is_empty()),
        value("error"),
    ) {
        (Some(code), None) => CallbackRequest::Answer(Answer::Code(code)),
        (_, Some(error)) => CallbackRequest::Answer(Answer::Refused(word(&error).to_owned())),
        (None, None) => CallbackRequest::Stranger,
    }
}

fn page(status: &str, text: &str) -> String {
    let body = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
        <title>Adjutant</title><style>:root{{color-scheme:light dark}}body{{font:1.1rem/1.5 system-ui,sans-serif;\
        max-width:32rem;margin:20vh auto 0;padding:0 1rem}}</style><h1>Adjutant</h1><p>{text}</p></html>"
    );
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
        Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\
        Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n\r\n{body}",
        body.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_answer_to_our_question_counts() {
        let code = |code: &str| CallbackRequest::Answer(Answer::Code(code.into()));
        let refused = |word: &str| CallbackRequest::Answer(Answer::Refused(word.into()));
        for (line, meant) in [
            ("GET /?code=4%2Fa&state=s1 HTTP/1.1", code("4/a")),
            (
                "GET /?state=s1&error=access_denied HTTP/1.1",
                refused("access_denied"),
            ),
            (
                "GET /?state=s1&error=%3Cb%3E HTTP/1.1",
                refused("no reason given"),
            ),
            (
                "GET /?code=a&state=other HTTP/1.1",
                CallbackRequest::Stranger,
            ),
            ("GET /?code=a HTTP/1.1", CallbackRequest::Stranger),
            ("GET /?state=s1 HTTP/1.1", CallbackRequest::Stranger),
            ("GET /?code=&state=s1 HTTP/1.1", CallbackRequest::Stranger),
            (
                "GET /favicon.ico?code=a&state=s1 HTTP/1.1",
                CallbackRequest::Nothing,
            ),
            ("POST /?code=a&state=s1 HTTP/1.1", CallbackRequest::Nothing),
            (
                "GET http://elsewhere/?code=a&state=s1 HTTP/1.1",
                CallbackRequest::Nothing,
            ),
            ("", CallbackRequest::Nothing),
        ] {
            assert_eq!(heard(line, "s1"), meant, "{line}");
        }
    }

    async fn ask(address: &str, path: &str) -> String {
        let host = address.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await.unwrap();
        reply
    }

    #[tokio::test]
    async fn strangers_and_silent_visitors_do_not_end_the_waiting() {
        let door = Door::open().await.unwrap();
        let address = door.address();
        let mut waiting = JoinSet::new();
        waiting.spawn(door.answer("s1", "Google"));
        let host = address.trim_start_matches("http://").trim_end_matches('/');
        let silent = TcpStream::connect(host.to_owned()).await.unwrap();
        assert!(
            ask(&address, "/favicon.ico")
                .await
                .starts_with("HTTP/1.1 404")
        );
        assert!(
            ask(&address, "/?code=x&state=s2")
                .await
                .starts_with("HTTP/1.1 400")
        );
        let reply = ask(&address, "/?code=x&state=s1").await;
        assert!(
            reply.contains("You can close this page") && !reply.contains("code=x"),
            "{reply}"
        );
        drop(silent);
        let heard = waiting.join_next().await.unwrap().unwrap();
        assert_eq!(heard.unwrap(), Answer::Code("x".into()));
        assert!(
            TcpStream::connect(host.to_owned()).await.is_err(),
            "the door is closed"
        );
    }
}
