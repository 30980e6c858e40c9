//! The subset of HTTP/1.1 that Adjutant's client uses.

use std::io::{self, ErrorKind};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

use super::Answer;

/// A request.
#[derive(Debug)]
pub struct ReceivedRequest {
    pub method: String,
    pub path: String,
    pub query: Vec<(String, String)>,
    pub body: Value,
    pub bytes: Vec<u8>,
    /// Path and query as received.
    pub target: String,
}

impl ReceivedRequest {
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().find(|(one, _)| one == name);
        found.map(|(_, value)| value.as_str())
    }
}

pub async fn serve<F: Future<Output = Answer>>(
    stream: TcpStream,
    mut answer: impl FnMut(ReceivedRequest) -> F,
) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let asked = read(&mut stream).await?;
        let Answer::Says(status, body, retry_after) = answer(asked).await else {
            return Ok(());
        };
        let retry_after = retry_after.map(|seconds| format!("retry-after: {seconds}\r\n"));
        let head = format!(
            "HTTP/1.1 {status} x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{}\r\n",
            body.len(),
            retry_after.unwrap_or_default()
        );
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(&body).await?;
        stream.flush().await?;
    }
}

async fn read(stream: &mut BufReader<TcpStream>) -> io::Result<ReceivedRequest> {
    let first = line(stream).await?;
    let mut words = first.split(' ');
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        let header = line(stream).await?;
        if header.is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or_default();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let url = adjutant_net::Url::parse(&format!("http://stub{target}"));
    let url = url.map_err(|_| ErrorKind::InvalidData)?;
    Ok(ReceivedRequest {
        method,
        path: url.path().to_owned(),
        query: url
            .query_pairs()
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect(),
        body: serde_json::from_slice(&body).unwrap_or_default(),
        bytes: body,
        target,
    })
}

async fn line(stream: &mut BufReader<TcpStream>) -> io::Result<String> {
    let mut line = String::new();
    match stream.read_line(&mut line).await? {
        0 => Err(ErrorKind::UnexpectedEof.into()),
        _ => Ok(line.trim_end_matches(['\r', '\n']).to_owned()),
    }
}
