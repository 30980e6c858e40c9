//! Sends messages and finds out whether one was sent.
//!
//! Gmail sends to everyone in a message's headers, so these must match the approved recipients: blind copies go into a
//! `Bcc:` header, which Gmail removes before sending. A sent message is found again by its Message-ID or, if Google
//! replaced that, by its subject and date.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use adjutant_domain::operation::{Reconciled, RemoteFault};
use adjutant_domain::record::Address;
use jiff::Timestamp;
use mail_parser::{Message, MessageParser};

use super::api::{Api, Detail};
use super::wire::{MessageRef, MimePart};
use crate::google::client::Failed;

/// Seconds until a sent message can be found; before that, its absence proves nothing.
const FOUND_WITHIN_SECONDS: i64 = 120;
/// Assumed maximum error of this computer's clock, in seconds.
const SKEW_SECONDS: i64 = 3_600;
/// Maximum number of sent mails compared with the message searched for.
const COMPARED_MAX: usize = 100;

/// Sends a message unless it was already sent, and returns its Gmail id.
pub(super) async fn send(
    api: &Api,
    message_id: &str,
    recipients: &[Address],
    mime: &str,
) -> Result<String, Failed> {
    let source = addressed(mime, recipients)?;
    if let Some(sent) = by_id(api, message_id).await? {
        return Ok(sent.id);
    }
    let thread = thread(api, mime).await?;
    let sent = api.send(&source, thread.as_deref()).await?;
    Ok(sent.id)
}

/// Looks for a message sent since an attempt started. Returns its Gmail id or, if it is not found, what that means.
pub(super) async fn look(
    api: &Api,
    message_id: &str,
    mime: &str,
    started: Timestamp,
    now: Timestamp,
) -> Result<Result<String, Reconciled>, RemoteFault> {
    if let Some(sent) = by_id(api, message_id).await? {
        return Ok(Ok(sent.id));
    }
    let since = started.as_second().saturating_sub(SKEW_SECONDS).max(0);
    let query = format!("in:sent after:{since}");
    let listed = api.list(Some(&query), COMPARED_MAX, None).await?;
    let marks = Marks::of(mime);
    for sent in listed.messages.into_iter().take(COMPARED_MAX) {
        let found = match api.message(&sent.id, Detail::Metadata).await {
            Err(RemoteFault::Gone) => continue,
            found => found?,
        };
        if found
            .payload
            .is_some_and(|payload| marks.are_of(&payload, message_id))
        {
            return Ok(Ok(sent.id));
        }
    }
    if listed
        .next_page_token
        .is_some_and(|token| !token.is_empty())
    {
        return Ok(Err(Reconciled::CannotTell));
    }
    let passed = now.as_second().saturating_sub(started.as_second());
    Ok(Err(match passed < FOUND_WITHIN_SECONDS {
        true => Reconciled::NotNow {
            fault: RemoteFault::TimedOut,
        },
        false => Reconciled::NotDone,
    }))
}

/// Finds a sent message by its Message-ID.
async fn by_id(api: &Api, message_id: &str) -> Result<Option<MessageRef>, RemoteFault> {
    let Some(query) = query_of(message_id) else {
        return Ok(None);
    };
    let query = format!("in:sent {query}");
    let listed = api.list(Some(&query), 1, None).await?;
    Ok(listed.messages.into_iter().next())
}

/// Returns the thread of the message that this one answers, if that is in the account.
async fn thread(api: &Api, mime: &str) -> Result<Option<String>, RemoteFault> {
    let parsed = MessageParser::new().parse_headers(mime.as_bytes());
    let answers = parsed.as_ref().and_then(|message| {
        let value = message.in_reply_to();
        value
            .as_text_list()
            .and_then(|list| list.first().map(ToString::to_string))
    });
    let Some(query) = answers.as_deref().and_then(query_of) else {
        return Ok(None);
    };
    let listed = api.list(Some(&query), 1, None).await?;
    let found = listed.messages.into_iter().next();
    Ok(found.map(|one| one.thread_id).filter(|id| !id.is_empty()))
}

/// Returns the Gmail query for a Message-ID; `None` if the id contains characters with a meaning in queries.
fn query_of(message_id: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_graphic() && !"\"(){}<>|".contains(c);
    let fits = (1..=500).contains(&message_id.len()) && message_id.chars().all(is_plain);
    fits.then(|| format!("rfc822msgid:{message_id}"))
}

/// Returns the message with every approved recipient in its headers.
fn addressed(mime: &str, recipients: &[Address]) -> Result<String, RemoteFault> {
    let refused = |what: &str| RemoteFault::Refused { what: what.into() };
    let parsed = MessageParser::new().parse_headers(mime.as_bytes());
    let parsed = parsed.ok_or_else(|| refused("the mail has no headers"))?;
    let named = named(&parsed);
    let approved: BTreeSet<String> = recipients
        .iter()
        .map(|one| one.email.to_lowercase())
        .collect();
    if !named.is_subset(&approved) {
        return Err(refused(
            "the mail names somebody whom it is not addressed to",
        ));
    }
    let mut hidden = String::new();
    for email in approved.difference(&named) {
        if email
            .chars()
            .any(|c| c.is_control() || c.is_whitespace() || ",<>".contains(c))
        {
            return Err(refused("one of the addresses is not valid"));
        }
        let before = if hidden.is_empty() { "Bcc: " } else { ",\r\n " };
        let _ = write!(hidden, "{before}<{email}>");
    }
    if !hidden.is_empty() {
        hidden.push_str("\r\n");
    }
    Ok(format!("{hidden}{mime}"))
}

/// Returns all recipients named in the headers, in lower case.
fn named(message: &Message<'_>) -> BTreeSet<String> {
    let lists = [message.to(), message.cc(), message.bcc()];
    let all = lists.into_iter().flatten().flat_map(|list| list.iter());
    all.filter_map(|one| one.address())
        .map(str::to_lowercase)
        .collect()
}

/// The parts of a message that sending does not change.
struct Marks {
    subject: Option<String>,
    date: Option<i64>,
}

impl Marks {
    fn of(mime: &str) -> Self {
        let parsed = MessageParser::new().parse_headers(mime.as_bytes());
        let parsed = parsed.unwrap_or_default();
        Self {
            subject: parsed.subject().map(str::to_owned),
            date: parsed.date().map(mail_parser::DateTime::to_timestamp),
        }
    }

    /// Tells whether a sent message is this one.
    fn are_of(&self, payload: &MimePart, message_id: &str) -> bool {
        let is_named = |name| {
            let value = payload.header(name).unwrap_or_default();
            value
                .trim_matches(['<', '>'])
                .eq_ignore_ascii_case(message_id)
        };
        if is_named("Message-ID") || is_named("X-Google-Original-Message-ID") {
            return true;
        }
        let headers = ["Subject", "Date"].map(|name| {
            let value = payload.header(name).unwrap_or_default();
            format!("{name}: {}\r\n", value.replace(['\r', '\n'], " "))
        });
        let other = Self::of(&format!("{}\r\n", headers.concat()));
        self.date.is_some() && self.date == other.date && self.subject == other.subject
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::google::gmail::wire::Header;

    fn to(emails: &[&str]) -> Vec<Address> {
        let address = |email: &&str| Address {
            name: String::new(),
            email: (*email).into(),
        };
        emails.iter().map(address).collect()
    }

    const MIME: &str = "From: me@home.example\r\nTo: Bob <bob@work.example>\r\nCc: Eve@work.example\r\nSubject: =?utf-8?q?H=C3=A9?=\r\nDate: Mon, 12 Jan 2026 12:00:00 +0100\r\nIn-Reply-To: <a@b>\r\n\r\nHi.\r\n";

    #[test]
    fn it_goes_to_those_whom_the_approval_names_and_nobody_else() {
        let both = to(&["bob@work.example", "eve@WORK.example"]);
        assert_eq!(addressed(MIME, &both).as_deref(), Ok(MIME));
        let more = to(&[
            "bob@work.example",
            "eve@work.example",
            "x@a.example",
            "y@a.example",
        ]);
        let expected = format!("Bcc: <x@a.example>,\r\n <y@a.example>\r\n{MIME}");
        assert_eq!(addressed(MIME, &more), Ok(expected));
        assert!(
            addressed(MIME, &to(&["bob@work.example"])).is_err(),
            "Eve is not approved"
        );
        let bad = to(&[
            "bob@work.example",
            "eve@work.example",
            "x@a\r\nTo: z@a.example",
        ]);
        assert!(addressed(MIME, &bad).is_err());
    }

    #[test]
    fn a_message_is_known_by_what_stays() {
        let marks = Marks::of(MIME);
        let sent = |headers: &[(&str, &str)]| MimePart {
            headers: headers
                .iter()
                .map(|(name, value)| Header {
                    name: (*name).into(),
                    value: (*value).into(),
                })
                .collect(),
            ..MimePart::default()
        };
        let date = ("Date", "Mon, 12 Jan 2026 11:00:00 +0000");
        assert!(marks.are_of(&sent(&[("Message-Id", "<q@w>")]), "q@w"));
        assert!(marks.are_of(&sent(&[date, ("Subject", "Hé")]), "q@w"));
        assert!(!marks.are_of(&sent(&[date, ("Subject", "He")]), "q@w"));
        assert!(!marks.are_of(&sent(&[("Subject", "Hé")]), "q@w"));
        assert!(!Marks::of("Subject: x\r\n\r\n").are_of(&sent(&[("Subject", "x")]), "q@w"));
    }

    #[test]
    fn only_a_plain_message_id_is_searched_for() {
        assert_eq!(query_of("a@b").as_deref(), Some("rfc822msgid:a@b"));
        for bad in ["", "a b", "a\" OR in:sent", "{a}", "a\u{7}"] {
            assert_eq!(query_of(bad), None, "{bad}");
        }
    }
}
