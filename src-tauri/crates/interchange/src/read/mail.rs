//! Reads one mail from its source.

use adjutant_domain::canonical::sha256;
use adjutant_domain::record::{Address, Attachment, Folder, Kind, Mail, Record};
use jiff::Timestamp;
use mail_parser::{HeaderValue, Message, MessageParser, MessagePart, MimeHeaders as _};

use crate::names::{FLAGS_HEADER, FOLDER_HEADER, LABELS_HEADER};

use super::{Incoming, Item, Refused, Seed, line};

/// Highest number of characters kept of a subject or name.
const LINE_CHARS_MAX: usize = 1000;
/// Highest number of bytes of body text kept for reading and search; the source is kept whole.
const TEXT_BYTES_MAX: usize = 1024 * 1024;
/// Highest number kept of recipients, of references, and of attachments.
const LIST_MAX: usize = 1000;

/// Header in which Gmail's takeout stores labels.
const GMAIL_LABELS: &str = "X-Gmail-Labels";
/// Headers that delivering servers put before everything the sender wrote.
const TRACE_HEADERS: &[&str] = &["received", "return-path", "delivered-to"];

/// Whether the labels were added after the mail was delivered, as a takeout does: a sender can write the header too,
/// but not before the headers of the delivery. A mail without delivery headers counts as such.
fn is_of_takeout(message: &Message<'_>) -> bool {
    let place = |names: &[&str]| {
        let mut headers = message.headers().iter();
        headers.position(|header| {
            let name = header.name.as_str();
            names.iter().any(|one| name.eq_ignore_ascii_case(one))
        })
    };
    match (place(&[GMAIL_LABELS]), place(TRACE_HEADERS)) {
        (Some(labels), Some(trace)) => labels < trace,
        (labels, None) => labels.is_some(),
        (None, Some(_)) => false,
    }
}

/// Whether the sender supports a label that says "sent": the only sender must be one of the person's own addresses.
/// If those are not known, the mail must have delivery headers, before which only a takeout can put the label.
fn is_from_owner(message: &Message<'_>, seed: &Seed) -> bool {
    if seed.own.is_empty() {
        return message.headers().iter().any(|header| {
            let name = header.name.as_str();
            TRACE_HEADERS
                .iter()
                .any(|one| name.eq_ignore_ascii_case(one))
        });
    }
    let is_own = |from: &Address| {
        seed.own
            .iter()
            .any(|own| own.eq_ignore_ascii_case(&from.email))
    };
    matches!(addresses(message.from()).as_slice(), [from] if is_own(from))
}

/// Whose headers decide a mail's folder and flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marks {
    /// One of our exports wrote the file, so our headers in it are genuine.
    Export,
    /// Anybody may have written the mail, including any header in it.
    Anybody,
}

pub(super) fn item(source: Vec<u8>, file: &str, number: usize, seed: &Seed, marks: Marks) -> Item {
    let mail = read(&source, seed, marks).ok_or_else(|| Refused {
        file: file.to_owned(),
        item: format!("mail {number}"),
        reason: "has no header, so it is not a mail".into(),
    })?;
    let mut mail = mail;
    if mail.folder == Folder::Inbox && is_called_sent(file) {
        mail.folder = Folder::Sent;
    }
    Ok(Incoming {
        record: Record::Mail(mail),
        raw: Some(source),
        provenance: None,
    })
}

/// Names that mail programs give to the file of sent mail.
const SENT_NAMES: &[&str] = &[
    "sent",
    "sent mail",
    "sent messages",
    "sent items",
    "sentmail",
];

/// Whether a file itself, rather than a folder above it, has the name of a mail program's sent mail: `Sent.mbox`,
/// `Sent-Mail`.
fn is_called_sent(file: &str) -> bool {
    let stem = std::path::Path::new(file).file_stem();
    let stem = stem.unwrap_or_default().to_string_lossy().to_lowercase();
    let words: Vec<&str> = stem
        .trim_start_matches("[gmail]")
        .split([' ', '-', '_', '.'])
        .filter(|word| !word.is_empty())
        .collect();
    SENT_NAMES.contains(&words.join(" ").as_str())
}

/// Reads a mail that anybody may have written. Returns `None` if it has no header, or neither sender, subject nor
/// date.
#[must_use]
pub fn parse(source: &[u8], seed: &Seed) -> Option<Mail> {
    read(source, seed, Marks::Anybody)
}

fn read(source: &[u8], seed: &Seed, marks: Marks) -> Option<Mail> {
    let message = MessageParser::default().parse(source)?;
    if message.headers().is_empty()
        || (message.from().is_none() && message.subject().is_none() && message.date().is_none())
    {
        return None;
    }
    let from = addresses(message.from())
        .into_iter()
        .next()
        .unwrap_or_default();
    let mut mail = Mail {
        id: seed.id(Kind::Mail),
        message_id: message
            .message_id()
            .map(|id| line(id, LINE_CHARS_MAX))
            .filter(|id| !id.is_empty())
            .unwrap_or_else(|| format!("{}@no-message-id.invalid", sha256(source))),
        // The writer of a mail chooses its `From:`, so it does not prove that the person sent it; where the person
        // keeps the mail does.
        folder: Folder::Inbox,
        from,
        to: addresses(message.to()),
        cc: addresses(message.cc()),
        reply_to: addresses(message.reply_to()),
        subject: line(message.subject().unwrap_or_default(), LINE_CHARS_MAX),
        date: date(&message).unwrap_or_else(|| seed.at()),
        text: body(&message),
        in_reply_to: ids(message.in_reply_to()).into_iter().next(),
        references: ids(message.references()),
        attachments: attachments(&message),
        labels: Vec::new(),
        read: true,
        starred: false,
        size: source.len() as u64,
        updated: seed.at(),
        version: 0,
    };
    apply_marks(&message, &mut mail, marks, seed);
    Some(mail)
}

fn addresses(list: Option<&mail_parser::Address<'_>>) -> Vec<Address> {
    list.map(|list| {
        list.iter()
            .filter_map(|one| {
                let email = line(one.address()?, LINE_CHARS_MAX);
                (!email.is_empty()).then(|| Address {
                    name: line(one.name().unwrap_or_default(), LINE_CHARS_MAX),
                    email,
                })
            })
            .take(LIST_MAX)
            .collect()
    })
    .unwrap_or_default()
}

fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    match value {
        HeaderValue::Text(text) => vec![line(text, LINE_CHARS_MAX)],
        HeaderValue::TextList(list) => list
            .iter()
            .take(LIST_MAX)
            .map(|id| line(id, LINE_CHARS_MAX))
            .collect(),
        _ => Vec::new(),
    }
}

fn date(message: &Message<'_>) -> Option<Timestamp> {
    let date = message.date().filter(|date| date.is_valid())?;
    Timestamp::from_second(date.to_timestamp()).ok()
}

fn body(message: &Message<'_>) -> String {
    let mut text = String::new();
    for part in 0..message.text_body_count() {
        let Some(piece) = message.body_text(part) else {
            continue;
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&piece);
        if text.len() > TEXT_BYTES_MAX {
            break;
        }
    }
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.replace("\r\n", "\n").replace('\0', "")
}

/// Returns the name of a part of a mail as an attached file, see [`file_name`].
#[must_use]
pub fn name_of(part: &MessagePart<'_>) -> String {
    let kind = part.content_type().and_then(|kind| kind.subtype());
    file_name(part.attachment_name(), kind.unwrap_or_default())
}

/// Returns the name of an attached file: as the sender gave it, on one line, or one for its media subtype.
#[must_use]
pub fn file_name(given: Option<&str>, subtype: &str) -> String {
    let given = given.map(|name| line(name, 255));
    given.filter(|name| !name.is_empty()).unwrap_or_else(|| {
        match subtype.eq_ignore_ascii_case("calendar") {
            true => "invitation.ics".to_owned(),
            false => "unnamed".to_owned(),
        }
    })
}

fn attachments(message: &Message<'_>) -> Vec<Attachment> {
    message
        .attachments()
        .take(LIST_MAX)
        .map(|part| {
            let bytes = part.contents();
            let media_type = part.content_type().map_or_else(
                || "application/octet-stream".to_owned(),
                |kind| match kind.subtype() {
                    Some(subtype) => format!("{}/{subtype}", kind.ctype()),
                    None => kind.ctype().to_owned(),
                },
            );
            Attachment {
                name: name_of(part),
                media_type: line(&media_type, 255),
                size: bytes.len() as u64,
                sha256: sha256(bytes).0,
            }
        })
        .collect()
}

/// Applies folder, flags and labels from one of our exports, from Gmail's takeout and from mbox status headers.
fn apply_marks(message: &Message<'_>, mail: &mut Mail, marks: Marks, seed: &Seed) {
    let header = |name: &'static str| {
        message
            .header_raw(name)
            .map(|value| line(value, LINE_CHARS_MAX))
            .filter(|value| !value.is_empty())
    };
    if let Some(status) = header("Status") {
        mail.read = status.contains('R');
    }
    if let Some(status) = header("X-Status") {
        mail.starred = status.contains('F');
    }
    if let Some(labels) = header(GMAIL_LABELS).filter(|_| is_of_takeout(message)) {
        for label in labels
            .split(',')
            .map(str::trim)
            .filter(|label| !label.is_empty())
        {
            match label.to_ascii_lowercase().as_str() {
                "sent" if is_from_owner(message, seed) => mail.folder = Folder::Sent,
                "trash" | "bin" => mail.folder = Folder::Trash,
                "spam" => mail.folder = Folder::Junk,
                "archived" => mail.folder = Folder::Archive,
                "unread" => mail.read = false,
                "starred" => mail.starred = true,
                "sent" | "inbox" | "opened" | "important" => {}
                _ => mail.labels.push(label.to_owned()),
            }
        }
    }
    if marks == Marks::Anybody {
        return;
    }
    match header(FOLDER_HEADER).as_deref() {
        Some("inbox") => mail.folder = Folder::Inbox,
        Some("sent") => mail.folder = Folder::Sent,
        Some("archive") => mail.folder = Folder::Archive,
        Some("trash") => mail.folder = Folder::Trash,
        Some("junk") => mail.folder = Folder::Junk,
        _ => {}
    }
    if let Some(flags) = header(FLAGS_HEADER) {
        mail.read = flags.contains("read") && !flags.contains("unread");
        mail.starred = flags.contains("starred");
    }
    if let Some(labels) = header(LABELS_HEADER) {
        mail.labels = labels
            .split(',')
            .map(str::trim)
            .filter(|label| !label.is_empty())
            .map(str::to_owned)
            .collect();
    }
    mail.labels.truncate(LIST_MAX);
}
