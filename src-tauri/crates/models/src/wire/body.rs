//! Splits the body of a reply into frames. Lines have a maximum length; characters split across packets are joined.

use std::io;

use adjutant_net::{Bytes, Incoming, NetFault};
use futures::stream::{BoxStream, StreamExt};
use sse_stream::SseByteStream;
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, FramedRead};
use tokio_util::io::StreamReader;

use super::Framing;

/// Longest line, in bytes. The longest legitimate ones contain a whole tool call.
pub(crate) const LINE_BYTES_MAX: usize = 1024 * 1024;

/// The reason why no more frames arrive.
#[derive(Debug)]
pub(crate) enum BodyFault {
    /// The connection failed.
    Net(NetFault),
    /// The body is not a stream of frames.
    Unreadable(&'static str),
}

/// The frames of a reply, in order, up to its end or first fault.
pub(crate) type Frames = BoxStream<'static, Result<String, BodyFault>>;

/// Splits a reply into frames.
pub(crate) fn frames(reply: Incoming, framing: Framing) -> Frames {
    let pieces = reply
        .into_stream()
        .map(|piece| piece.map_err(io::Error::other));
    match framing {
        Framing::Events => events(pieces.boxed()),
        Framing::Lines => lines(pieces.boxed()),
    }
}

/// Returns a reply that arrived in one piece as a single frame.
pub(crate) fn single(text: String) -> Frames {
    futures::stream::iter([Ok(text)]).boxed()
}

fn events(pieces: BoxStream<'static, io::Result<Bytes>>) -> Frames {
    let mut line_bytes = 0;
    let limited = pieces.map(move |piece| {
        let piece = piece?;
        for part in piece.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            line_bytes += part.len();
            if line_bytes > LINE_BYTES_MAX {
                return Err(io::Error::other(TOO_LONG));
            }
            if part.ends_with(b"\n") || part.ends_with(b"\r") {
                line_bytes = 0;
            }
        }
        Ok(piece)
    });
    SseByteStream::new(limited.boxed())
        .filter_map(|event| async move {
            match event {
                // An event without data is only a sign of life.
                Ok(event) => event.data.filter(|data| !data.is_empty()).map(Ok),
                Err(sse_stream::Error::Body(error)) => Some(Err(of_error(
                    error
                        .downcast::<io::Error>()
                        .map_or_else(io::Error::other, |error| *error),
                ))),
                Err(_) => Some(Err(BodyFault::Unreadable(NOT_UTF8))),
            }
        })
        .boxed()
}

fn lines(pieces: BoxStream<'static, io::Result<Bytes>>) -> Frames {
    let codec = AnyDelimiterCodec::new_with_max_length(b"\n".into(), vec![], LINE_BYTES_MAX);
    FramedRead::new(StreamReader::new(pieces), codec)
        .filter_map(|line| async move {
            match line {
                Ok(line) => match std::str::from_utf8(&line) {
                    Ok(line) if line.trim().is_empty() => None,
                    Ok(line) => Some(Ok(line.to_owned())),
                    Err(_) => Some(Err(BodyFault::Unreadable(NOT_UTF8))),
                },
                Err(AnyDelimiterCodecError::MaxChunkLengthExceeded) => {
                    Some(Err(BodyFault::Unreadable(TOO_LONG)))
                }
                Err(AnyDelimiterCodecError::Io(error)) => Some(Err(of_error(error))),
            }
        })
        .boxed()
}

const NOT_UTF8: &str = "it is not valid UTF-8";
const TOO_LONG: &str = "a line of it is too long";

fn of_error(error: io::Error) -> BodyFault {
    match error
        .into_inner()
        .and_then(|inner| inner.downcast::<NetFault>().ok())
    {
        Some(fault) => BodyFault::Net(*fault),
        None => BodyFault::Unreadable(TOO_LONG),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of a body that comes in the given pieces.
    async fn read(pieces: Vec<Vec<u8>>, framing: Framing) -> (Vec<String>, bool) {
        let pieces = futures::stream::iter(pieces.into_iter().map(|piece| Ok(Bytes::from(piece))));
        let mut frames = match framing {
            Framing::Events => events(pieces.boxed()),
            Framing::Lines => lines(pieces.boxed()),
        };
        let mut read = Vec::new();
        while let Some(frame) = frames.next().await {
            match frame {
                Ok(frame) => read.push(frame),
                Err(_) => return (read, false),
            }
        }
        (read, true)
    }

    #[tokio::test]
    async fn a_body_reads_the_same_however_it_is_cut() {
        let bodies = [
            (
                Framing::Events,
                "\u{feff}: comment\r\n\r\nevent: x\ndata: grüße\ndata: 漢字\n\ndata:🦀\r\rid: 1\n\ndata: [DONE]\n\n",
                vec!["grüße\n漢字", "🦀", "[DONE]"],
            ),
            (
                Framing::Lines,
                "{\"a\":\"grüße\"}\n\n{\"b\":\"🦀\"}\r\n{\"c\":1}",
                vec!["{\"a\":\"grüße\"}", "{\"b\":\"🦀\"}\r", "{\"c\":1}"],
            ),
        ];
        for (framing, body, want) in bodies {
            let bytes = body.as_bytes();
            for cut in 0..=bytes.len() {
                let (left, right) = bytes.split_at(cut);
                let (frames, whole) = read(vec![left.to_vec(), right.to_vec()], framing).await;
                assert_eq!(
                    (frames, whole),
                    (want.iter().map(ToString::to_string).collect(), true),
                    "cut at {cut}"
                );
            }
            let single = bytes.iter().map(|byte| vec![*byte]).collect();
            assert_eq!(read(single, framing).await.0, want);
        }
    }

    #[tokio::test]
    async fn no_line_grows_without_end() {
        for framing in [Framing::Events, Framing::Lines] {
            let piece = vec![b'x'; 64 * 1024];
            let (frames, whole) = read(vec![piece; 64], framing).await;
            assert_eq!((frames.len(), whole), (0, false));
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_end_without_a_panic(pieces: Vec<Vec<u8>>) {
            let runtime = tokio::runtime::Builder::new_current_thread().build()?;
            for framing in [Framing::Events, Framing::Lines] {
                runtime.block_on(read(pieces.clone(), framing));
            }
        }
    }
}
