//! The bytes of a mail: rendered once, when the mail is proposed.

use adjutant_domain::canonical::sha256;
use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::ShownAttachment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Address, Mail};
use adjutant_interchange::read::name_of;
use jiff::Timestamp;
use mail_builder::MessageBuilder;
use mail_builder::headers::address::Address as Mailbox;
use mail_builder::headers::content_type::ContentType;
use mail_builder::headers::message_id::MessageId;
use mail_builder::mime::MimePart as MailPart;
use mail_parser::{MessageParser, MimeHeaders};

use crate::effect::failed;
use crate::words;

/// Maximum bytes of all attached files together. Mail servers commonly stop at 25 MB after encoding.
pub(super) const FILES_BYTES_MAX: usize = 10_000_000;

/// A file attached to a mail.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MimePart {
    pub(super) name: String,
    pub(super) media_type: String,
    pub(super) bytes: Vec<u8>,
}

impl MimePart {
    pub(super) fn shown(&self) -> ShownAttachment {
        ShownAttachment {
            name: self.name.clone(),
            size: self.bytes.len() as u64,
            sha256: sha256(&self.bytes).0,
        }
    }
}

/// The contents of a mail's headers and body.
pub(super) struct Source<'a> {
    pub(super) message_id: &'a str,
    pub(super) from: Option<&'a Address>,
    pub(super) to: &'a [Address],
    pub(super) cc: &'a [Address],
    pub(super) subject: &'a str,
    pub(super) in_reply_to: Option<&'a str>,
    pub(super) references: &'a [String],
    pub(super) body: &'a str,
    /// iCalendar text that says the same to a calendar program: an answer to an invitation.
    pub(super) calendar: Option<&'a str>,
    pub(super) parts: &'a [MimePart],
    pub(super) date: Timestamp,
}

/// Renders the MIME source. Leaves out blind copies: they belong in the envelope alone.
///
/// # Errors
/// Returns a fault if the mail cannot be written.
pub(super) fn render(mail: &Source<'_>) -> Result<String, Stop> {
    let mut builder = MessageBuilder::new()
        .message_id(mail.message_id.to_owned())
        .date(mail.date.as_second())
        .subject(mail.subject.to_owned())
        .to(mailboxes(mail.to));
    builder = match mail.calendar {
        Some(calendar) => builder.body(answered(mail.body, calendar)),
        None => builder.text_body(mail.body.to_owned()),
    };
    if let Some(from) = mail.from {
        builder = builder.from(mailbox(from));
    }
    if !mail.cc.is_empty() {
        builder = builder.cc(mailboxes(mail.cc));
    }
    if let Some(id) = mail.in_reply_to {
        builder = builder.in_reply_to(id.to_owned());
    }
    if !mail.references.is_empty() {
        builder = builder.references(MessageId::new_list(mail.references.iter().cloned()));
    }
    for part in mail.parts {
        builder = builder.attachment(
            part.media_type.clone(),
            part.name.clone(),
            part.bytes.clone(),
        );
    }
    builder.write_to_string().map_err(|error| {
        ToolFault::Failed {
            what: format!("The mail could not be put together: {error}."),
            hint: "Nothing was sent.".into(),
        }
        .into()
    })
}

/// Returns the body of an answer to an invitation (RFC 6047, 2.4): the text, and the same for calendar programs.
fn answered(text: &str, calendar: &str) -> MailPart<'static> {
    let for_calendars = ContentType::new("text/calendar")
        .attribute("method", "REPLY")
        .attribute("charset", "utf-8");
    MailPart::new(
        "multipart/alternative",
        vec![
            MailPart::new("text/plain; charset=utf-8", text.to_owned()),
            MailPart::new(for_calendars, calendar.to_owned()),
        ],
    )
}

fn mailboxes(list: &[Address]) -> Mailbox<'static> {
    Mailbox::new_list(list.iter().map(mailbox).collect())
}

fn mailbox(who: &Address) -> Mailbox<'static> {
    let name = one_line(&who.name);
    Mailbox::new_address(
        Some(name).filter(|name| !name.is_empty()),
        who.email.clone(),
    )
}

/// Returns text for a header: one line without control characters.
pub(super) fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns a new Message-ID in the sender's domain.
pub(super) fn message_id(from: Option<&Address>, cx: &Cx) -> String {
    let domain = from
        .and_then(|from| from.email.rsplit('@').next())
        .filter(|domain| domain.is_ascii())
        .unwrap_or("adjutant.invalid");
    format!(
        "{:016x}{:016x}@{domain}",
        cx.entropy.bits(),
        cx.entropy.bits()
    )
}

/// Returns the attached files of a stored mail, from its original source.
///
/// # Errors
/// Returns a fault if the source is not stored and the mail's account cannot supply it.
pub(super) async fn parts_of(mail: &Mail, cx: &Cx) -> Result<Vec<MimePart>, Stop> {
    if mail.attachments.is_empty() {
        return Ok(Vec::new());
    }
    cx.mails
        .complete(&mail.id)
        .await
        .map_err(|why| ToolFault::Failed {
            what: why.what,
            hint: why.next,
        })?;
    let source = cx.records.mail_source(&mail.id).await.map_err(failed)?;
    let Some(source) = source else {
        return Err(ToolFault::NotFound {
            what: format!(
                "The attached files of {} are not kept here.",
                words::quoted(&mail.subject)
            ),
        }
        .into());
    };
    let Some(message) = MessageParser::default().parse(&source) else {
        return Err(ToolFault::Failed {
            what: format!(
                "The source of {} cannot be read.",
                words::quoted(&mail.subject)
            ),
            hint: "Nothing was changed.".into(),
        }
        .into());
    };
    Ok(message
        .attachments()
        .map(|part| MimePart {
            name: name_of(part),
            media_type: part.content_type().map_or_else(
                || "application/octet-stream".into(),
                |kind| match kind.subtype() {
                    Some(sub) => format!("{}/{sub}", kind.ctype()),
                    None => kind.ctype().to_owned(),
                },
            ),
            bytes: part.contents().to_vec(),
        })
        .collect())
}

/// Checks the total size of attached files.
///
/// # Errors
/// Returns a fault if they exceed [`FILES_BYTES_MAX`] together.
pub(super) fn check_size(parts: &[MimePart]) -> Result<(), Stop> {
    let size: usize = parts.iter().map(|part| part.bytes.len()).sum();
    if size > FILES_BYTES_MAX {
        return Err(ToolFault::TooMuch {
            what: format!(
                "The attached files have {}; the limit is {}.",
                words::bytes(size as u64),
                words::bytes(FILES_BYTES_MAX as u64)
            ),
            hint: "Attach fewer or smaller files.".into(),
        }
        .into());
    }
    Ok(())
}
