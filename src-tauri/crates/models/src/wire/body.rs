//! The body of a reply, cut into frames. Lines have a limit; a character split over two packets is put together.

use std::io;

use adjutant_net::{Bytes, Incoming, NetFault};
use futures::stream::{BoxStream, StreamExt};
use sse_stream::SseByteStream;
use tokio_util::codec::{FramedRead, LinesCodec, LinesCodecError};
use tokio_util::io::StreamReader;

use super::Framing;

/// Bytes of one line, at most. The largest honest ones hold a whole tool call.
pub(crate) const LINE_BYTES_MAX: usize = 1024 * 1024;

/// Why no more frames come.
#[derive(Debug)]
pub(crate) enum BodyFault {
    /// The connection.
    Net(NetFault),
    /// What came is no stream of frames.
    Unreadable(&'static str),
}

/// Frames of a reply, in order, until its end or its first fault.
pub(crate) type Frames = BoxStream<'static, Result<String, BodyFault>>;

/// Cuts a reply into frames.
pub(crate) fn frames(reply: Incoming, framing: Framing) -> Frames {
    let pieces = reply
        .into_stream()
        .map(|piece| piece.map_err(io::Error::other));
    match framing {
        Framing::Events => events(pieces.boxed()),
        Framing::Lines => lines(pieces.boxed()),
    }
}

/// A reply that came in one piece, as one frame.
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
                // An event without data is a sign of life and nothing else.
                Ok(event) => event.data.filter(|data| !data.is_empty()).map(Ok),
                Err(sse_stream::Error::Body(error)) => Some(Err(of_error(
                    error
                        .downcast::<io::Error>()
                        .map_or_else(io::Error::other, |error| *error),
                ))),
                Err(_) => Some(Err(BodyFault::Unreadable("it is not valid UTF-8"))),
            }
        })
        .boxed()
}

fn lines(pieces: BoxStream<'static, io::Result<Bytes>>) -> Frames {
    let codec = LinesCodec::new_with_max_length(LINE_BYTES_MAX);
    FramedRead::new(StreamReader::new(pieces), codec)
        .filter_map(|line| async move {
            match line {
                Ok(line) if line.trim().is_empty() => None,
                Ok(line) => Some(Ok(line)),
                Err(LinesCodecError::MaxLineLengthExceeded) => {
                    Some(Err(BodyFault::Unreadable(TOO_LONG)))
                }
                Err(LinesCodecError::Io(error)) => Some(Err(of_error(error))),
            }
        })
        .boxed()
}

const TOO_LONG: &str = "a line of it is too long";

fn of_error(error: io::Error) -> BodyFault {
    if error.kind() == io::ErrorKind::InvalidData {
        return BodyFault::Unreadable("it is not valid UTF-8");
    }
    match error
        .into_inner()
        .and_then(|inner| inner.downcast::<NetFault>().ok())
    {
        Some(fault) => BodyFault::Net(*fault),
        None => BodyFault::Unreadable(TOO_LONG),
    }
}
