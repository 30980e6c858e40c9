//! Parses an IMAP server's replies.

use adjutant_domain::ids::AccountId;
use adjutant_domain::operation::RemoteFault;

use super::uids::Uids;
use super::value::{Value, values};

/// Maximum number of characters shown of a server's message.
const WORDS_CHARS_MAX: usize = 200;

/// The status of a reply or greeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    No,
    Bad,
    PreAuth,
    Bye,
}

/// A status with its code and message: `NO [OVERQUOTA] Your mailbox is full`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) status: Status,
    /// The response code and its arguments; empty if there is none.
    pub(super) code: Vec<String>,
    /// The message for people, cleaned.
    pub(super) words: String,
}

impl Condition {
    /// Returns the argument of a response code, such as `4` for `[UIDNEXT 4]`.
    pub(super) fn code(&self, name: &str) -> Option<&str> {
        let (first, rest) = self.code.split_first()?;
        let is_it = first.eq_ignore_ascii_case(name);
        is_it.then(|| rest.first().map_or("", String::as_str))
    }

    /// Maps a refusal to a fault.
    pub(super) fn fault(&self, account: &AccountId) -> RemoteFault {
        let code = self.code.first().map(|code| code.to_ascii_uppercase());
        match code.as_deref() {
            Some("AUTHENTICATIONFAILED" | "AUTHORIZATIONFAILED" | "EXPIRED") => {
                RemoteFault::not_signed_in(account.clone())
            }
            Some("UNAVAILABLE" | "INUSE" | "LIMIT") => RemoteFault::Limited {
                retry_after_seconds: None,
            },
            Some("NONEXISTENT" | "TRYCREATE") => RemoteFault::Gone,
            Some("OVERQUOTA") => self.refused("the mailbox is full"),
            Some("NOPERM" | "READ-ONLY") => self.refused("the mail server does not allow this"),
            _ => self.refused("the mail server refused"),
        }
    }

    pub(super) fn refused(&self, what: &str) -> RemoteFault {
        RemoteFault::Refused {
            what: match self.words.is_empty() {
                true => what.to_owned(),
                false => format!("{what} (“{}”)", self.words),
            },
        }
    }
}

/// One reply of the server.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// The tagged reply that ends a request.
    Done { tag: String, condition: Condition },
    /// A continuation prompt.
    GoOn,
    /// An untagged reply.
    Untagged(Untagged),
}

/// An untagged reply: data that the server sends before or between tagged replies.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Untagged {
    Condition(Condition),
    Capabilities(Vec<String>),
    Listed {
        attributes: Vec<String>,
        delimiter: Option<String>,
        name: Value,
    },
    /// Data items of a mailbox that is not open, as alternating names and values.
    Status {
        name: Value,
        items: Vec<Value>,
    },
    Exists(u32),
    Search(Uids),
    /// Data items of a mail, as alternating names and values.
    Fetch(Vec<Value>),
    Vanished(Uids),
    /// A mail was expunged. The reply names only its sequence number, which is not used here.
    Expunged,
    /// A reply that is not used here.
    Other,
}

/// Parses a reply; `None` if it is malformed.
pub(super) fn reply(bytes: &[u8]) -> Option<Reply> {
    if bytes.first() == Some(&b'+') {
        return Some(Reply::GoOn);
    }
    let (tag, rest) = word(bytes);
    if tag != "*" {
        let condition = condition(rest)?;
        return Some(Reply::Done {
            tag: tag.to_owned(),
            condition,
        });
    }
    untagged(rest).map(Reply::Untagged)
}

fn untagged(rest: &[u8]) -> Option<Untagged> {
    if let Some(condition) = condition(rest) {
        return Some(Untagged::Condition(condition));
    }
    let (first, after) = word(rest);
    let (second, _) = word(after);
    let said = match (first.to_ascii_uppercase().as_str(), second) {
        ("CAPABILITY", _) => Untagged::Capabilities(words(after)),
        ("SEARCH", _) => Untagged::Search(numbers(after)?),
        ("VANISHED", _) => {
            let text = std::str::from_utf8(after).ok()?;
            let set = text.rsplit(' ').next().unwrap_or_default();
            Untagged::Vanished(Uids::parse(set)?)
        }
        ("LIST", _) => listed(values(after)?)?,
        ("STATUS", _) => match <[Value; 2]>::try_from(values(after)?).ok()? {
            [name, Value::List(items)] => Untagged::Status { name, items },
            _ => return None,
        },
        (count, kind) if kind.eq_ignore_ascii_case("EXISTS") => {
            Untagged::Exists(count.parse().ok()?)
        }
        (place, kind) if kind.eq_ignore_ascii_case("EXPUNGE") => {
            place.parse::<u32>().ok()?;
            Untagged::Expunged
        }
        (number, kind) if kind.eq_ignore_ascii_case("FETCH") => {
            number.parse::<u32>().ok()?;
            let mut read = values(after)?;
            match read.pop() {
                Some(Value::List(items)) => Untagged::Fetch(items),
                _ => return None,
            }
        }
        _ => Untagged::Other,
    };
    Some(said)
}

fn listed(values: Vec<Value>) -> Option<Untagged> {
    let mut values = values.into_iter();
    let attributes = values.next()?;
    let delimiter = values.next()?.text();
    Some(Untagged::Listed {
        attributes: attributes.list().iter().filter_map(Value::text).collect(),
        delimiter,
        name: values.next()?,
    })
}

fn condition(rest: &[u8]) -> Option<Condition> {
    let (first, after) = word(rest);
    let status = match first.to_ascii_uppercase().as_str() {
        "OK" => Status::Ok,
        "NO" => Status::No,
        "BAD" => Status::Bad,
        "PREAUTH" => Status::PreAuth,
        "BYE" => Status::Bye,
        _ => return None,
    };
    let mut text = after;
    let mut code = Vec::new();
    if let Some(inside) = after.strip_prefix(b"[")
        && let Some(end) = inside.iter().position(|byte| *byte == b']')
    {
        code = words(&inside[..end]);
        text = &inside[end + 1..];
    }
    Some(Condition {
        status,
        code,
        words: clean(&String::from_utf8_lossy(text)),
    })
}

/// Makes a server's message safe to show: one line without control characters, of limited length.
pub(super) fn clean(words: &str) -> String {
    let shown = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = shown.chars().filter(|c| !c.is_control());
    shown.take(WORDS_CHARS_MAX).collect()
}

/// Splits off the first word.
fn word(bytes: &[u8]) -> (&str, &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b' ');
    let end = end.unwrap_or(bytes.len());
    let word = std::str::from_utf8(&bytes[..end]).unwrap_or_default();
    (word, bytes.get(end + 1..).unwrap_or_default())
}

fn words(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    text.split_whitespace().map(str::to_owned).collect()
}

/// Parses the UIDs in a search reply and ignores a trailing `(MODSEQ 917)`.
fn numbers(bytes: &[u8]) -> Option<Uids> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.split('(').next().unwrap_or_default();
    text.split_ascii_whitespace()
        .map(|number| number.parse::<u32>().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn done(line: &str) -> Condition {
        match reply(line.as_bytes()) {
            Some(Reply::Done { condition, .. }) => condition,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn every_no_says_what_to_do_next() {
        let account: AccountId = "acc_1".into();
        let limited = RemoteFault::Limited {
            retry_after_seconds: None,
        };
        for (line, fault) in [
            (
                "NO [AUTHENTICATIONFAILED] x",
                RemoteFault::not_signed_in(account.clone()),
            ),
            (
                "NO [EXPIRED] x",
                RemoteFault::not_signed_in(account.clone()),
            ),
            ("NO [UNAVAILABLE] later", limited.clone()),
            ("NO [LIMIT] too many", limited.clone()),
            ("NO [INUSE] x", limited),
            ("NO [NONEXISTENT] x", RemoteFault::Gone),
            ("NO [TRYCREATE] x", RemoteFault::Gone),
        ] {
            assert_eq!(done(&format!("a1 {line}")).fault(&account), fault, "{line}");
        }
        for (line, words) in [
            (
                "NO [OVERQUOTA] Quota exceeded",
                "the mailbox is full (“Quota exceeded”)",
            ),
            (
                "BAD Syntax\u{7}  error",
                "the mail server refused (“Syntax error”)",
            ),
            ("NO", "the mail server refused"),
        ] {
            let fault = RemoteFault::Refused { what: words.into() };
            assert_eq!(done(&format!("a1 {line}")).fault(&account), fault, "{line}");
        }
    }

    #[test]
    fn replies_are_told_apart() {
        let said = |line: &str| match reply(line.as_bytes()) {
            Some(Reply::Untagged(said)) => said,
            other => panic!("{line}: {other:?}"),
        };
        let set = |text: &str| Uids::parse(text).unwrap_or_default();
        assert_eq!(reply(b"+ go on"), Some(Reply::GoOn));
        assert_eq!(said("* 23 EXISTS"), Untagged::Exists(23));
        assert_eq!(said("* 7 EXPUNGE"), Untagged::Expunged);
        assert_eq!(
            said("* SEARCH 4 2 3 (MODSEQ 9)"),
            Untagged::Search(set("2:4"))
        );
        assert_eq!(said("* SEARCH"), Untagged::Search(Uids::default()));
        assert_eq!(
            said("* VANISHED (EARLIER) 41,43:116"),
            Untagged::Vanished(set("41,43:116"))
        );
        assert_eq!(said("* FLAGS (\\Seen)"), Untagged::Other);
        assert!(matches!(
            said("* STATUS INBOX (UIDNEXT 4 MESSAGES 2)"),
            Untagged::Status { name, items } if name.is("inbox") && items.len() == 4
        ));
        assert_eq!(
            said("* LIST (\\HasNoChildren \\Sent) \"/\" \"Sent Mail\""),
            Untagged::Listed {
                attributes: vec!["\\HasNoChildren".into(), "\\Sent".into()],
                delimiter: Some("/".into()),
                name: Value::Text("Sent Mail".into()),
            }
        );
        assert!(matches!(said("* 2 FETCH (UID 7)"), Untagged::Fetch(items) if items.len() == 2));
        let Untagged::Condition(open) = said("* OK [UIDVALIDITY 1] x") else {
            panic!("a condition")
        };
        assert_eq!(open.code("uidvalidity"), Some("1"));
        assert_eq!(open.code("UIDNEXT"), None);
        for none in [
            "* 1 FETCH (UID",
            "* x FETCH (UID 7)",
            "* SEARCH x",
            "* -1 EXISTS",
            "* x EXPUNGE",
            "",
            "a1 MAYBE",
        ] {
            assert_eq!(reply(none.as_bytes()), None, "{none}");
        }
    }

    proptest! {
        #[test]
        fn no_line_brings_it_down(line in "\\PC{0,80}", start in prop_oneof![Just("* "), Just("* 1 FETCH "), Just("a1 OK ["), Just("* LIST ")]) {
            let _ = reply(format!("{start}{line}").as_bytes());
        }
    }
}
