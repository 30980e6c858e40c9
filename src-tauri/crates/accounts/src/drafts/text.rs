//! The text of a draft, converted between a local row and a message at a provider.

use adjutant_domain::canonical;
use adjutant_domain::ids::RecordId;
use adjutant_domain::record::{Address, OutboxItem, OutboxState};
use jiff::Timestamp;
use mail_builder::MessageBuilder;
use mail_builder::headers::address::Address as Mailbox;
use mail_parser::{HeaderValue, MessageParser};
use serde::Serialize;

/// Maximum size of a text in bytes; a longer one stays at the provider only.
const TEXT_BYTES_MAX: usize = 1024 * 1024;
/// Maximum number of recipients in each of To, Cc and Bcc.
const PEOPLE_MAX: usize = 1_000;
/// Prefix of the Message-ID of drafts written here.
const OURS: &str = "draft.";

/// The content of a draft, normalised so that both sides can be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DraftText {
    to: Vec<Address>,
    cc: Vec<Address>,
    bcc: Vec<Address>,
    subject: String,
    body: String,
    in_reply_to: Option<String>,
}

/// A draft read from a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderDraft {
    /// Its Message-ID, without angle brackets; empty if it has none.
    pub message_id: String,
    /// Its content; `None` if a local draft could not hold all of it.
    pub text: Option<DraftText>,
}

impl DraftText {
    /// Returns the content of a row.
    #[must_use]
    pub fn of(item: &OutboxItem) -> Self {
        Self {
            to: plain(&item.to),
            cc: plain(&item.cc),
            bcc: plain(&item.bcc),
            subject: line(&item.subject),
            body: body(&item.body),
            in_reply_to: item.in_reply_to.clone().filter(|id| !id.is_empty()),
        }
    }

    /// Returns a digest that identifies this content.
    #[must_use]
    pub fn digest(&self) -> String {
        // Every field serialises to JSON.
        canonical::digest(self)
            .map(|digest| digest.0)
            .unwrap_or_default()
    }

    /// Returns `row` as a draft with this content, updated at `at`.
    #[must_use]
    pub fn into_row(self, row: OutboxItem, at: Timestamp) -> OutboxItem {
        OutboxItem {
            to: self.to,
            cc: self.cc,
            bcc: self.bcc,
            subject: self.subject,
            body: self.body,
            in_reply_to: self.in_reply_to,
            state: OutboxState::Draft,
            updated: at,
            ..row
        }
    }

    /// Writes the message that the provider stores. It includes Bcc, since other programs may send it as it is.
    ///
    /// # Errors
    /// Returns an error if the message cannot be written.
    pub fn write(&self, message_id: &str, from: &str, at: Timestamp) -> std::io::Result<String> {
        let mut message = MessageBuilder::new()
            .message_id(message_id.to_owned())
            .date(at.as_second())
            .from(from.to_owned())
            .subject(self.subject.clone())
            .text_body(self.body.clone());
        if !self.to.is_empty() {
            message = message.to(mailboxes(&self.to));
        }
        if !self.cc.is_empty() {
            message = message.cc(mailboxes(&self.cc));
        }
        if !self.bcc.is_empty() {
            message = message.bcc(mailboxes(&self.bcc));
        }
        if let Some(id) = &self.in_reply_to {
            message = message.in_reply_to(id.clone()).references(id.clone());
        }
        message.write_to_string()
    }

    /// Reads the draft from the source of a message, which may be any bytes.
    #[must_use]
    pub fn read(source: &[u8]) -> ProviderDraft {
        let Some(message) = MessageParser::default().parse(source) else {
            return ProviderDraft::default();
        };
        let message_id = line(message.message_id().unwrap_or_default());
        let texts = (0..message.text_body_count()).filter_map(|part| message.body_text(part));
        let texts: Vec<String> = texts.map(std::borrow::Cow::into_owned).collect();
        let bytes: usize = texts.iter().map(String::len).sum();
        let people = [message.to(), message.cc(), message.bcc()].map(addresses);
        let fits = message.attachment_count() == 0
            && bytes <= TEXT_BYTES_MAX
            && people.iter().all(|list| list.len() <= PEOPLE_MAX);
        let [to, cc, bcc] = people;
        let text = Self {
            to,
            cc,
            bcc,
            subject: line(message.subject().unwrap_or_default()),
            body: body(&texts.join("\n")),
            in_reply_to: match message.in_reply_to() {
                HeaderValue::Text(id) => Some(line(id)),
                HeaderValue::TextList(ids) => ids.first().map(|id| line(id)),
                _ => None,
            },
        };
        let text = fits.then_some(text);
        ProviderDraft { message_id, text }
    }
}

/// Returns the Message-ID under which a row is stored at a provider. It stays the same across retries and changes with
/// the row's version.
#[must_use]
pub fn message_id(row: &OutboxItem, from: &str) -> String {
    let domain = from.rsplit('@').next().filter(|domain| domain.is_ascii());
    let domain = domain.unwrap_or("adjutant.invalid");
    format!("{OURS}{}.{}@{domain}", row.id, row.version)
}

/// Returns the id of the row for which `message_id` created this Message-ID.
pub(super) fn record_of(message_id: &str) -> Option<&str> {
    let (record, _) = message_id.strip_prefix(OURS)?.split_once('.')?;
    Some(record)
}

/// Returns an empty row, without an id, for a draft written elsewhere.
#[must_use]
pub fn new_row(at: Timestamp) -> OutboxItem {
    let nothing = OutboxItem::titled("", at);
    OutboxItem {
        id: RecordId(String::new()),
        ..nothing
    }
}

fn addresses(list: Option<&mail_parser::Address<'_>>) -> Vec<Address> {
    let all = list.into_iter().flat_map(|list| list.iter());
    let all = all.filter_map(|one| {
        let email = line(one.address()?);
        (!email.is_empty()).then(|| Address {
            name: line(one.name().unwrap_or_default()),
            email,
        })
    });
    all.take(PEOPLE_MAX + 1).collect()
}

fn plain(list: &[Address]) -> Vec<Address> {
    let one = |one: &Address| Address {
        name: line(&one.name),
        email: line(&one.email),
    };
    list.iter().map(one).collect()
}

fn mailboxes(list: &[Address]) -> Mailbox<'static> {
    let one = |one: &Address| {
        let name = Some(one.name.clone()).filter(|name| !name.is_empty());
        Mailbox::new_address(name, one.email.clone())
    };
    Mailbox::new_list(list.iter().map(one).collect())
}

/// Joins the text into one line without control characters.
fn line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Removes what mail transport may alter: the style of line endings and trailing whitespace.
fn body(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\0'], "");
    text.trim_end().to_owned()
}
