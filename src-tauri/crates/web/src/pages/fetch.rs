//! Sends one request for a page without following redirects.

use std::io::Read as _;
use std::time::Duration;

use adjutant_domain::ports::SourceFault;
use adjutant_net::{
    AddressFrom, Follow, HeaderMap, HeaderValue, Incoming, Method, NetClient, Outgoing, StatusCode,
};
use flate2::read::{GzDecoder, ZlibDecoder};
use jiff::Timestamp;
use url::Url;

use super::{Reach, robots};
use crate::engines::host_of;
use crate::faults;
use crate::text::Media;

/// Reason recorded in the egress ledger.
const WHY: &str = "a page you asked for";
/// Time until a reply must begin.
const BEGINS_WITHIN: Duration = Duration::from_secs(20);
/// The `Accept` header: readable media types, best first.
const ACCEPT: &str =
    "text/html,application/xhtml+xml,text/plain;q=0.9,text/markdown;q=0.9,application/pdf;q=0.8";

/// The reply to a request.
pub(super) enum Reply {
    /// The page itself.
    Here(Fetched),
    /// A redirect to another address.
    There(String),
}

/// A page as received, decompressed.
pub(super) struct Fetched {
    pub(super) bytes: Vec<u8>,
    pub(super) media: Option<String>,
    pub(super) charset: Option<String>,
}

/// Requests a page.
pub(super) async fn page(
    net: &NetClient,
    url: &Url,
    reach: Reach,
    now: Timestamp,
) -> Result<Reply, SourceFault> {
    let request = request(url, reach, Follow::Nowhere, Media::Pdf.bytes_max());
    let reply = net.send(request).await.map_err(faults::of_net)?;
    if let Some(place) = place(&reply) {
        return Ok(Reply::There(place));
    }
    success(url, &reply, now)?;
    let header = |name: &str| {
        let value = reply.headers().get(name)?;
        value.to_str().ok().map(str::to_owned)
    };
    let (media, packed) = (header("content-type"), header("content-encoding"));
    let charset = media.as_deref().and_then(charset);
    // If the server announces a size above the limit of its media type, do not read the body.
    let kind = Media::of(media.as_deref(), b"").map(Media::bytes_max);
    let most = kind.unwrap_or(Media::Pdf.bytes_max());
    let bytes = body(reply, url, most).await?;
    let bytes = unpacked(bytes, packed.as_deref(), url, most).await?;
    Ok(Reply::Here(Fetched {
        bytes,
        media,
        charset,
    }))
}

/// Requests the `robots.txt` of a site.
pub(super) async fn rules(
    net: &NetClient,
    url: &Url,
    reach: Reach,
    now: Timestamp,
) -> Result<Vec<u8>, SourceFault> {
    let request = request(url, reach, Follow::SameOrigin, robots::BYTES_MAX);
    let reply = match net.send(request).await.map_err(faults::of_net) {
        Ok(reply) => reply,
        Err(fault) => return Err(fault),
    };
    success(url, &reply, now)?;
    let packed = reply.headers().get("content-encoding");
    let packed = packed
        .and_then(|value| value.to_str().ok())
        .map(str::to_owned);
    let bytes = body(reply, url, robots::BYTES_MAX).await?;
    unpacked(bytes, packed.as_deref(), url, robots::BYTES_MAX).await
}

fn request(url: &Url, reach: Reach, follow: Follow, bytes_max: usize) -> Outgoing {
    let mut headers = HeaderMap::new();
    headers.insert("accept", HeaderValue::from_static(ACCEPT));
    headers.insert("accept-encoding", HeaderValue::from_static("gzip, deflate"));
    Outgoing {
        headers,
        follow,
        from: match reach {
            Reach::Public => AddressFrom::Outside,
            Reach::Named => AddressFrom::Person,
        },
        within: BEGINS_WITHIN,
        // The stricter check per media type comes first and names the limit.
        reply_bytes_max: bytes_max as u64 + 1,
        ..Outgoing::new(Method::GET, url.clone(), WHY)
    }
}

fn place(reply: &Incoming) -> Option<String> {
    let points = [301, 302, 303, 307, 308].contains(&reply.status().as_u16());
    let place = reply.headers().get("location").filter(|_| points)?;
    // A header that is not text leads nowhere, which the next step reports.
    Some(place.to_str().unwrap_or_default().to_owned())
}

fn success(url: &Url, reply: &Incoming, now: Timestamp) -> Result<(), SourceFault> {
    let host = host_of(url);
    let status = reply.status();
    if let Some(fault) = faults::of_status(&host, status, reply.headers(), now) {
        return Err(fault);
    }
    match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => Err(SourceFault::Gone {
            what: format!("The page at {host}"),
        }),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(SourceFault::Refused {
            host,
            why: "it does not show this page to everybody".into(),
        }),
        status if status.is_success() => Ok(()),
        status => Err(SourceFault::Refused {
            host,
            why: format!("status {}", status.as_u16()),
        }),
    }
}

async fn body(mut reply: Incoming, url: &Url, most: usize) -> Result<Vec<u8>, SourceFault> {
    let announced = reply.headers().get("content-length");
    let announced = announced.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > most as u64) {
        return Err(too_large(url, most));
    }
    let mut bytes = Vec::new();
    while let Some(piece) = reply.chunk().await.map_err(faults::of_net)? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > most {
            return Err(too_large(url, most));
        }
    }
    Ok(bytes)
}

/// Decompresses a body up to the size limit.
async fn unpacked(
    bytes: Vec<u8>,
    packed: Option<&str>,
    url: &Url,
    most: usize,
) -> Result<Vec<u8>, SourceFault> {
    let way = packed.unwrap_or_default().trim().to_ascii_lowercase();
    if matches!(way.as_str(), "" | "identity") {
        return Ok(bytes);
    }
    let work = tokio::task::spawn_blocking(move || unpack(&bytes, &way, most));
    let done = work.await.unwrap_or(Err(Packed::Damaged));
    done.map_err(|fault| match fault {
        Packed::TooLarge => too_large(url, most),
        Packed::Damaged => SourceFault::Garbled {
            host: host_of(url),
            why: "it is packed in a way that cannot be unpacked".into(),
        },
    })
}

enum Packed {
    TooLarge,
    Damaged,
}

fn unpack(bytes: &[u8], way: &str, most: usize) -> Result<Vec<u8>, Packed> {
    let mut unpacked = Vec::new();
    let limit = most as u64 + 1;
    let read = match way {
        "gzip" | "x-gzip" => GzDecoder::new(bytes).take(limit).read_to_end(&mut unpacked),
        "deflate" => ZlibDecoder::new(bytes)
            .take(limit)
            .read_to_end(&mut unpacked),
        _ => return Err(Packed::Damaged),
    };
    match read {
        Ok(_) if unpacked.len() > most => Err(Packed::TooLarge),
        Ok(_) => Ok(unpacked),
        Err(_) => Err(Packed::Damaged),
    }
}

fn too_large(url: &Url, most: usize) -> SourceFault {
    SourceFault::TooLarge {
        what: format!("The page at {}", host_of(url)),
        limit_mb: (most as u64).div_ceil(1024 * 1024),
    }
}

/// Returns the charset that the server declares.
fn charset(media: &str) -> Option<String> {
    let mut parts = media.split(';').skip(1);
    let named = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then_some(value)
    })?;
    Some(named.trim().trim_matches(['"', '\'']).to_owned())
}
