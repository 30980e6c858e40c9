//! Asks a server about a file before fetching any of it.

use std::path::{Path, PathBuf};

use adjutant_net::{
    Follow, HeaderMap, HeaderName, HeaderValue, Incoming, Method, NetClient, Outgoing, StatusCode,
    Url,
};
use sha2::{Digest as _, Sha256};

use super::catalogue::Download;
use super::fault::FetchFault;
use super::load::FILE_BYTES_MAX;
use super::sum::{Sha256Sum, SumFrom};

/// Highest number of redirects followed before a reply describes the file.
const MOVES_MAX: usize = 3;
/// Number of characters of a version used in the name of an incomplete file.
const VERSION_LETTERS: usize = 16;

/// A server's description of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The file that was requested.
    pub wanted: Download,
    /// Host that has the file.
    pub host: String,
    /// Size stated by the server, in bytes.
    pub bytes: u64,
    /// The checksum to compare it with and its source; `None` if nobody gave one.
    pub sum: Option<(Sha256Sum, SumFrom)>,
    /// The server's name for this version of the file, if it has a reliable one.
    pub(super) version: Option<String>,
    /// Path where the file will be stored.
    pub path: PathBuf,
    /// Number of bytes already here from before.
    pub have: u64,
    /// Whether the whole file is already here.
    pub here: bool,
}

impl Offer {
    /// Returns the path of the incomplete file. Its name contains the version, so that parts of two versions are
    /// never combined; without a version, fetching always starts over.
    pub(super) fn part(&self) -> PathBuf {
        let version = match (&self.sum, &self.version) {
            (Some((sum, _)), _) => sum.to_string(),
            (None, Some(version)) => {
                let of = format!("{}\n{version}\n{}", self.wanted.url, self.bytes);
                format!("{:x}", Sha256::digest(of))
            }
            (None, None) => "none".to_owned(),
        };
        let version: String = version.chars().take(VERSION_LETTERS).collect();
        self.path
            .with_file_name(format!("{}.{version}.part", self.wanted.file))
    }

    /// Whether an incomplete file can be continued.
    pub(super) fn can_go_on(&self) -> bool {
        self.sum.is_some() || self.version.is_some()
    }
}

/// Asks the server about a file to be stored in `folder`. Writes nothing.
///
/// # Errors
/// When the server cannot be reached, does not have the file or does not state its size; when the file is too large;
/// when the server's checksum differs from the person's.
pub async fn offer(wanted: Download, folder: &Path, net: &NetClient) -> Result<Offer, FetchFault> {
    let host = wanted.url.host_str().unwrap_or_default().to_owned();
    let told = ask(&wanted.url, net).await?;
    let bytes = told
        .bytes
        .ok_or(FetchFault::NoSize { host: host.clone() })?;
    if bytes > FILE_BYTES_MAX {
        return Err(FetchFault::TooLarge { bytes });
    }
    let sum = match (wanted.sum, told.sum) {
        (Some(given), Some(told)) if given != told => return Err(FetchFault::OtherSum { host }),
        (Some(given), _) => Some((given, SumFrom::Person)),
        (None, told) => told.map(|sum| (sum, SumFrom::Server)),
    };
    let mut offer = Offer {
        path: folder.join(&wanted.file),
        wanted,
        host,
        bytes,
        sum,
        version: told.version,
        have: 0,
        here: false,
    };
    let size = async |path: &Path| tokio::fs::metadata(path).await.ok().map(|file| file.len());
    offer.here = size(&offer.path).await == Some(offer.bytes);
    if offer.can_go_on() {
        let have = size(&offer.part()).await.unwrap_or(0);
        offer.have = have.min(offer.bytes);
    }
    Ok(offer)
}

struct RemoteFile {
    bytes: Option<u64>,
    sum: Option<Sha256Sum>,
    version: Option<String>,
}

/// Asks for the headers of a file. Hugging Face redirects to a file store, and its redirect contains what the store
/// does not tell: the size and, as the tag, the SHA-256. So this reads the redirect itself, and follows it only if it
/// tells neither.
async fn ask(url: &Url, net: &NetClient) -> Result<RemoteFile, FetchFault> {
    let mut url = url.clone();
    for _ in 0..MOVES_MAX {
        let reply = head(&url, Follow::Nowhere, net).await?;
        if !reply.status().is_redirection() {
            return told(&url, &reply);
        }
        let headers = reply.headers();
        if let Some(bytes) = number(headers, "x-linked-size") {
            let tag = tag(headers, "x-linked-etag");
            return Ok(RemoteFile {
                bytes: Some(bytes),
                sum: tag.as_deref().and_then(|tag| Sha256Sum::read(tag).ok()),
                version: tag,
            });
        }
        let moved = text(headers, "location").and_then(|to| url.join(to).ok());
        match moved.filter(|to| to.origin() == url.origin()) {
            Some(to) => url = to,
            None => break,
        }
    }
    let reply = head(&url, Follow::Anywhere, net).await?;
    told(&url, &reply)
}

async fn head(url: &Url, follow: Follow, net: &NetClient) -> Result<Incoming, FetchFault> {
    let mut request = Outgoing::new(Method::HEAD, url.clone(), "asking about a model file");
    request.follow = follow;
    request.headers.insert(
        HeaderName::from_static("accept-encoding"),
        HeaderValue::from_static("identity"),
    );
    Ok(net.send(request).await?)
}

fn told(url: &Url, reply: &Incoming) -> Result<RemoteFile, FetchFault> {
    check_status(url, reply.status())?;
    let headers = reply.headers();
    Ok(RemoteFile {
        bytes: number(headers, "content-length"),
        sum: None,
        version: tag(headers, "etag"),
    })
}

/// Returns the fault that an unsuccessful status stands for.
pub(super) fn check_status(url: &Url, status: StatusCode) -> Result<(), FetchFault> {
    let host = url.host_str().unwrap_or_default().to_owned();
    match status.as_u16() {
        200..=299 => Ok(()),
        401 | 403 => Err(FetchFault::Closed { host }),
        404 | 410 => Err(FetchFault::NotThere { host }),
        status => Err(FetchFault::Refused { host, status }),
    }
}

pub(super) fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

pub(super) fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    text(headers, name)?.trim().parse().ok()
}

/// Returns a strong tag, which identifies exactly one content, without its quotation marks.
fn tag(headers: &HeaderMap, name: &str) -> Option<String> {
    let tag = text(headers, name)?.trim();
    let strong = tag.strip_prefix('"')?.strip_suffix('"')?;
    (!strong.is_empty()).then(|| strong.to_owned())
}
