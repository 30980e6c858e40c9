//! Builds a mail from what is fetched of it first: its beginning, flags and structure.

use std::sync::Arc;

use adjutant_domain::ports::{Clock, Entropy};
use adjutant_domain::record::{Attachment, Mail};
use adjutant_interchange::Seed;
use adjutant_interchange::read::{file_name, parse_mail};
use jiff::{Timestamp, Zoned};

use super::mailboxes::Mailbox;
use super::names;
use super::value::Value;

/// Number of bytes fetched of a mail at first; most mails fit.
pub(super) const HEAD_BYTES: usize = 128 * 1024;
/// Number of bytes fetched of an old mail in a first reading; most texts fit.
pub(super) const OLD_HEAD_BYTES: usize = 32 * 1024;

/// Returns the data items to fetch for a mail.
pub(super) fn items(bytes: usize) -> String {
    format!("(UID FLAGS INTERNALDATE RFC822.SIZE BODYSTRUCTURE BODY.PEEK[]<0.{bytes}>)")
}

/// Maximum number of labels and of attachments kept of one mail.
const LIST_MAX: usize = 1_000;
/// Keywords that programs set for themselves, which are not shown as labels.
const TECHNICAL: &[&str] = &[
    "junk",
    "nonjunk",
    "notjunk",
    "forwarded",
    "mdnsent",
    "redirected",
];

/// A mail as fetched.
#[derive(Debug, PartialEq)]
pub(super) struct Head {
    pub(super) uid: u32,
    pub(super) mail: Mail,
    /// The source, if it was fetched completely.
    pub(super) source: Option<Vec<u8>>,
}

/// The flags of a mail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) read: bool,
    pub(super) starred: bool,
    /// Whether the mail is marked as deleted, which counts as gone.
    pub(super) deleted: bool,
    pub(super) labels: Vec<String>,
}

/// Clock and entropy used to read mails.
#[derive(Clone)]
pub(super) struct World {
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
}

/// Returns the value of a data item.
pub(super) fn item<'a>(items: &'a [Value], name: &str) -> Option<&'a Value> {
    let mut pairs = items.chunks_exact(2);
    pairs.find_map(|pair| match pair {
        [key, value] if key.is(name) => Some(value),
        _ => None,
    })
}

/// Returns the UID of a mail.
pub(super) fn uid(items: &[Value]) -> Option<u32> {
    item(items, "UID")?.number()
}

/// Returns the size of a mail in bytes.
pub(super) fn size(items: &[Value]) -> Option<u64> {
    item(items, "RFC822.SIZE")?.number()
}

/// Returns the flags of a mail.
pub(super) fn marks(items: &[Value]) -> Option<Marks> {
    let flags = item(items, "FLAGS")?.list();
    let flags: Vec<String> = flags.iter().filter_map(Value::text).collect();
    let has = |name: &str| flags.iter().any(|flag| flag.eq_ignore_ascii_case(name));
    let labels = flags.iter().filter(|flag| {
        !flag.starts_with(['\\', '$']) && !TECHNICAL.contains(&flag.to_lowercase().as_str())
    });
    Some(Marks {
        read: has("\\Seen"),
        starred: has("\\Flagged"),
        deleted: has("\\Deleted"),
        labels: labels
            .map(|flag| {
                names::read(flag)
                    .chars()
                    .filter(|c| !c.is_control())
                    .collect()
            })
            .take(LIST_MAX)
            .collect(),
    })
}

/// Returns the bytes of a mail, or its beginning.
pub(super) fn bytes(items: &[Value]) -> Option<&[u8]> {
    let value = item(items, "BODY[]").or_else(|| item(items, "BODY[]<0>"))?;
    match value {
        Value::Text(bytes) => Some(bytes),
        Value::Nil => Some(&[]),
        _ => None,
    }
}

/// Parses a fetched mail of at most `asked` bytes; `None` if the server left out a data item.
pub(super) fn head(
    items: &[Value],
    asked: usize,
    mailbox: &Mailbox,
    world: &World,
) -> Option<Head> {
    let (uid, marks, bytes, size) = (uid(items)?, marks(items)?, bytes(items)?, size(items)?);
    let now = world.clock.now();
    let seed = Seed {
        // A mail without a readable date gets the date of its arrival.
        now: arrived(items).unwrap_or_else(|| now.clone()),
        entropy: Arc::clone(&world.entropy),
        own: Vec::new(),
    };
    let mut mail = parse_mail(bytes, &seed).or_else(|| {
        // The mail has no headers, so all of it is text.
        let mut with_header = b"Subject: (no header)\r\n\r\n".to_vec();
        with_header.extend_from_slice(bytes);
        parse_mail(&with_header, &seed)
    })?;
    let is_whole = bytes.len() < asked || bytes.len() as u64 >= size;
    if !is_whole {
        let mut found = Vec::new();
        if let Some(structure) = item(items, "BODYSTRUCTURE") {
            attachments(structure, &mut found);
        }
        mail.attachments = found;
    }
    mail.folder = mailbox.folder();
    mail.read = marks.read;
    mail.starred = marks.starred;
    mail.labels = marks.labels;
    mail.labels.extend(mailbox.label().map(str::to_owned));
    mail.size = size;
    mail.updated = now.timestamp();
    Some(Head {
        uid,
        mail,
        source: is_whole.then(|| bytes.to_vec()),
    })
}

/// Returns when the server received the mail.
fn arrived(items: &[Value]) -> Option<Zoned> {
    let text = item(items, "INTERNALDATE")?.text()?;
    let at = jiff::fmt::strtime::parse("%d-%b-%Y %H:%M:%S %z", text.trim()).ok()?;
    let at: Timestamp = at.to_timestamp().ok()?;
    Some(at.to_zoned(jiff::tz::TimeZone::UTC))
}

/// Collects the attached files named in a body structure, in the order of the parts. Their digests are unknown until
/// they are fetched.
fn attachments(part: &Value, found: &mut Vec<Attachment>) {
    let fields = part.list();
    if fields.first().is_some_and(|first| !first.list().is_empty()) {
        for part in fields.iter().take_while(|one| !one.list().is_empty()) {
            attachments(part, found);
        }
        return;
    }
    let [kind, subtype, parameters, _, _, encoding, octets, ..] = fields else {
        return;
    };
    let (Some(kind), Some(subtype)) = (kind.text(), subtype.text()) else {
        return;
    };
    let (kind, subtype) = (kind.to_lowercase(), subtype.to_lowercase());
    let disposition = fields.iter().skip(7).find(|one| {
        matches!(one.list(), [Value::Text(word), _]
            if word.eq_ignore_ascii_case(b"attachment") || word.eq_ignore_ascii_case(b"inline"))
    });
    let named = disposition.map_or(&[][..], Value::list);
    let is_attached = named
        .first()
        .and_then(Value::text)
        .is_some_and(|word| word.eq_ignore_ascii_case("attachment"));
    let name = named
        .get(1)
        .and_then(|given| parameter(given, "filename"))
        .or_else(|| parameter(parameters, "name"));
    // Other texts, such as the calendar of an invitation, are files even without a name.
    let is_body = kind == "text" && matches!(subtype.as_str(), "plain" | "html");
    if (is_body && name.is_none() && !is_attached) || found.len() >= LIST_MAX {
        return;
    }
    let octets: u64 = octets.number().unwrap_or_default();
    let is_base64 = encoding
        .text()
        .is_some_and(|text| text.eq_ignore_ascii_case("base64"));
    found.push(Attachment {
        name: file_name(name.as_deref(), &subtype),
        media_type: format!("{kind}/{subtype}"),
        // Base64 has four characters for three bytes and a line ending after every 76 characters.
        size: if is_base64 {
            octets / 78 * 57 + octets % 78 * 3 / 4
        } else {
            octets
        },
        sha256: String::new(),
    });
}

/// Returns a parameter, decoded like a header (RFC 2047) and cleaned.
fn parameter(list: &Value, name: &str) -> Option<String> {
    let mut pairs = list.list().chunks_exact(2);
    let raw = pairs.find_map(|pair| match pair {
        [key, value] if key.text().is_some_and(|key| key.eq_ignore_ascii_case(name)) => {
            value.text()
        }
        _ => None,
    })?;
    let header = format!("Subject: {}\r\n\r\n", raw.replace(['\r', '\n'], " "));
    let decoded = mail_parser::MessageParser::default()
        .parse(header.as_bytes())
        .and_then(|message| message.subject().map(str::to_owned))
        .unwrap_or(raw);
    let clean: String = decoded
        .chars()
        .filter(|c| !c.is_control())
        .take(255)
        .collect();
    (!clean.is_empty()).then_some(clean)
}
