//! Builds a mail from Gmail's description of a message.
//!
//! Gmail delivers messages already parsed. This module reassembles the parts needed for reading into a small message,
//! so that a single reader handles headers, charsets and HTML for mail from every provider.

use std::fmt::Write as _;
use std::sync::Arc;

use adjutant_domain::ports::{Clock, Entropy};
use adjutant_domain::record::{Attachment, Mail};
use adjutant_interchange::Seed;
use adjutant_interchange::read::{file_name, parse_mail};
use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use jiff::{Timestamp, Zoned};

use super::labels::{self, Names};
use super::wire::{Message, MimePart};

/// Maximum number of attachments and parts kept of one mail.
const LIST_MAX: usize = 1_000;
/// Headers that describe the content's encoding; they are written anew.
const CONTENT_HEADERS: [&str; 3] = ["content-type", "content-transfer-encoding", "mime-version"];

/// Base64 in the URL-safe alphabet, with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Clock and entropy used to read mails.
#[derive(Clone)]
pub(super) struct World {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
}

/// Decodes base64; `None` if it is invalid.
pub(super) fn decoded(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text.trim_end()).ok()
}

pub(super) fn encoded(bytes: &[u8]) -> String {
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)
}

/// Builds the mail with as much detail as the message has; `None` if it has no headers.
pub(super) fn mail(message: &Message, names: &Names, world: &World) -> Option<Mail> {
    let payload = message.payload.as_ref()?;
    let now = world.clock.now();
    let seed = Seed {
        // A mail without a readable date gets the date of its arrival.
        now: arrived(message).unwrap_or_else(|| now.clone()),
        entropy: Arc::clone(&world.entropy),
        own: Vec::new(),
    };
    let mut mail = parse_mail(&together(message, payload), &seed)?;
    if payload.header("Message-ID").is_none_or(str::is_empty) {
        mail.message_id = format!("gmail-{}@no-message-id.invalid", message.id);
    }
    mail.attachments = files(payload).into_iter().map(attachment).collect();
    mail.folder = labels::folder(&message.label_ids);
    mail.read = labels::is_read(&message.label_ids);
    mail.starred = labels::is_starred(&message.label_ids);
    mail.labels = names.of(&message.label_ids);
    mail.size = message.size_estimate;
    mail.updated = now.timestamp();
    Some(mail)
}

fn arrived(message: &Message) -> Option<Zoned> {
    let at = Timestamp::from_millisecond(message.internal_date.parse().ok()?).ok()?;
    Some(at.to_zoned(jiff::tz::TimeZone::UTC))
}

/// Reassembles the headers and texts of a message, or the snippet if there are no texts.
fn together(message: &Message, payload: &MimePart) -> Vec<u8> {
    let mut source = String::new();
    let named = payload.headers.iter().filter(|header| {
        let name = header.name.to_ascii_lowercase();
        let is_name = name
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b':');
        is_name && !name.is_empty() && !CONTENT_HEADERS.contains(&name.as_str())
    });
    for header in named {
        // A header value must not end its line.
        let value = header.value.replace(['\r', '\n'], " ");
        let _ = write!(source, "{}: {value}\r\n", header.name);
    }
    source.push_str("MIME-Version: 1.0\r\n");
    let mut boundaries = 0;
    if !texts(payload, &mut source, &mut boundaries) {
        source.push_str("Content-Type: text/html; charset=utf-8\r\n\r\n");
        source.push_str(&message.snippet);
    }
    source.into_bytes()
}

/// Writes the texts of a part and returns whether there were any.
fn texts(part: &MimePart, source: &mut String, boundaries: &mut usize) -> bool {
    if part.parts.is_empty() {
        return text(part, source);
    }
    *boundaries += 1;
    let boundary = format!("=_{boundaries}");
    let kind = match part.mime_type.eq_ignore_ascii_case("multipart/alternative") {
        true => "alternative",
        false => "mixed",
    };
    let begin = source.len();
    let _ = write!(
        source,
        "Content-Type: multipart/{kind}; boundary=\"{boundary}\"\r\n\r\n"
    );
    let mut has_text = false;
    for part in part.parts.iter().take(LIST_MAX) {
        let before = source.len();
        let _ = write!(source, "--{boundary}\r\n");
        match texts(part, source, boundaries) {
            true => has_text = true,
            false => source.truncate(before),
        }
    }
    match has_text {
        true => source.push_str(&format!("--{boundary}--\r\n")),
        false => source.truncate(begin),
    }
    has_text
}

/// Writes one text, encoded so that none of it can be mistaken for the surrounding multipart structure.
fn text(part: &MimePart, source: &mut String) -> bool {
    let kind = part.mime_type.to_ascii_lowercase();
    if !["text/plain", "text/html"].contains(&kind.as_str()) || is_file(part) {
        return false;
    }
    let Some(bytes) = part.body.data.as_deref().and_then(decoded) else {
        return false;
    };
    // Google delivers texts as UTF-8 whatever their header says; if one is not UTF-8, the header is right.
    let charset = match std::str::from_utf8(&bytes) {
        Ok(_) => "utf-8".to_owned(),
        Err(_) => charset(part).unwrap_or_else(|| "windows-1252".to_owned()),
    };
    let _ = write!(
        source,
        "Content-Type: {kind}; charset=\"{charset}\"\r\nContent-Transfer-Encoding: base64\r\n\r\n{}\r\n",
        base64::engine::general_purpose::STANDARD.encode(bytes)
    );
    true
}

fn charset(part: &MimePart) -> Option<String> {
    let value = part.header("Content-Type")?.to_ascii_lowercase();
    let (_, rest) = value.split_once("charset=")?;
    let name = rest.trim_start_matches('"').chars();
    let name: String = name
        .take_while(|c| c.is_ascii_alphanumeric() || "-_.:".contains(*c))
        .collect();
    (!name.is_empty()).then_some(name)
}

/// Tells whether a part is an attached file or other content than the text of the mail.
fn is_file(part: &MimePart) -> bool {
    let disposition = part.header("Content-Disposition").unwrap_or_default();
    let is_attached = disposition.to_ascii_lowercase().starts_with("attachment");
    let kind = part.mime_type.to_ascii_lowercase();
    is_attached || !part.filename.is_empty() || !matches!(kind.as_str(), "text/plain" | "text/html")
}

/// Returns the attached files of a message, in the order of its parts.
pub(super) fn files(part: &MimePart) -> Vec<&MimePart> {
    let mut found = Vec::new();
    let mut todo = vec![part];
    while let Some(part) = todo.pop() {
        if found.len() >= LIST_MAX {
            break;
        }
        if !part.parts.is_empty() {
            todo.extend(part.parts.iter().rev());
        } else if is_file(part)
            && !part
                .mime_type
                .to_ascii_lowercase()
                .starts_with("multipart/")
        {
            found.push(part);
        }
    }
    found
}

/// Describes a file that has not been fetched yet, so without a digest.
fn attachment(part: &MimePart) -> Attachment {
    let clean = |text: &str| -> String {
        let kept = text.chars().filter(|c| !c.is_control());
        kept.take(255).collect()
    };
    let media_type = clean(&part.mime_type.to_ascii_lowercase());
    Attachment {
        name: file_name(
            Some(&part.filename),
            media_type.split('/').nth(1).unwrap_or_default(),
        ),
        media_type,
        size: part.body.size,
        sha256: String::new(),
    }
}
