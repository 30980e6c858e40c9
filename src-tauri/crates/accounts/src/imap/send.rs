//! Finds out whether a mail was sent by searching the sent mailbox for its Message-ID, which was fixed before the mail
//! was approved. Also stores the sent copy and flags the answered mail.

use adjutant_domain::operation::{Attempt, Reconciled, RemoteFault};
use adjutant_domain::record::Folder;
use jiff::Timestamp;
use mail_parser::{HeaderValue, MessageParser};

use super::place::{holding, holds};
use super::session::{CommandPart, Halt, Session};

/// Seconds until a server that stores sent mail itself has done so; before that, a missing copy proves nothing.
const FILED_WITHIN_SECONDS: i64 = 120;

/// Tells whether the sent mailbox holds a mail.
pub(super) async fn is_filed(session: &mut Session, message_id: &str) -> Result<bool, RemoteFault> {
    match session.place_of(Folder::Sent).await? {
        Some(sent) => holds(session, &sent, message_id).await,
        None => Ok(false),
    }
}

/// Stores a copy in the sent mailbox unless it already has one.
pub(super) async fn file(session: &mut Session, message_id: &str, mime: &str) -> Result<(), Halt> {
    let sent = session.made_place_of(Folder::Sent).await?;
    if holds(session, &sent, message_id).await? {
        return Ok(());
    }
    let parts = [
        CommandPart::Text("APPEND "),
        CommandPart::Literal(sent.as_bytes()),
        CommandPart::Text(" (\\Seen) "),
        CommandPart::Literal(mime.as_bytes()),
    ];
    session.change(&parts).await.map(drop)
}

/// Returns the Message-ID of the mail that a mail answers or forwards, and the matching flag. A mail with references
/// but no In-Reply-To is a forward, because Adjutant composes all the mail it sends.
pub(super) fn answers(mime: &str) -> Option<(String, &'static str)> {
    let mail = MessageParser::default().parse_headers(mime)?;
    let last = |value: &HeaderValue<'_>| match value {
        HeaderValue::Text(one) => Some(one.to_string()),
        HeaderValue::TextList(all) => all.last().map(ToString::to_string),
        _ => None,
    };
    let answered = last(mail.in_reply_to()).map(|id| (id, "\\Answered"));
    answered.or_else(|| last(mail.references()).map(|id| (id, "$Forwarded")))
}

/// Flags a mail in the inbox, archive or sent mailbox.
pub(super) async fn mark(session: &mut Session, message_id: &str, flag: &str) -> Result<(), Halt> {
    for folder in [Folder::Inbox, Folder::Archive, Folder::Sent] {
        let Some(mailbox) = session.place_of(folder).await? else {
            continue;
        };
        let found = holding(session, &mailbox, message_id).await?;
        if found.is_empty() {
            continue;
        }
        let opened = session.select(&mailbox, true).await?;
        if flag.starts_with('\\') || opened.takes_keywords {
            let command = format!("UID STORE {found} +FLAGS.SILENT ({flag})");
            session.change(&[CommandPart::Text(&command)]).await?;
        }
        return Ok(());
    }
    Ok(())
}

/// Interprets a missing copy in the sent mailbox.
pub(super) fn not_filed(server_files: bool, attempt: &Attempt, now: Timestamp) -> Reconciled {
    if !server_files {
        // Adjutant stores the copy only after sending, so the mail may have been sent without it.
        return Reconciled::CannotTell;
    }
    let since = now.as_second().saturating_sub(attempt.started.as_second());
    if since < FILED_WITHIN_SECONDS {
        let fault = RemoteFault::TimedOut;
        return Reconciled::NotNow { fault };
    }
    Reconciled::NotDone
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_domain::operation::Key;

    #[test]
    fn a_mail_says_what_it_answers_or_passes_on() {
        let of = |head: &str| {
            answers(&format!(
                "Subject: x\r\n{head}\r\n\r\nIn-Reply-To: <no@x>\r\n"
            ))
        };
        let some = |id: &str, flag| Some((id.to_owned(), flag));
        assert_eq!(of("To: a@b.example"), None);
        assert_eq!(
            of("In-Reply-To: <a@x>\r\nReferences: <b@x> <a@x>"),
            some("a@x", "\\Answered")
        );
        assert_eq!(of("References: <b@x> <a@x>"), some("a@x", "$Forwarded"));
    }

    #[test]
    fn absence_says_something_only_where_the_server_files() {
        let attempt = Attempt {
            key: Key("k".into()),
            number: 1,
            started: Timestamp::UNIX_EPOCH,
            ended: None,
            outcome: None,
        };
        let at = |second| Timestamp::from_second(second).unwrap_or_default();
        let waits = Reconciled::NotNow {
            fault: RemoteFault::TimedOut,
        };
        assert_eq!(
            not_filed(false, &attempt, at(9_999)),
            Reconciled::CannotTell
        );
        assert_eq!(not_filed(true, &attempt, at(119)), waits);
        assert_eq!(not_filed(true, &attempt, at(120)), Reconciled::NotDone);
    }
}
