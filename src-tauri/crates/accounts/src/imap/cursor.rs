//! Text form of how far a mailbox has been read.

use std::collections::BTreeMap;

use adjutant_domain::account::Cursor;
use adjutant_domain::canonical::sha256;

use super::uids::Uids;

/// Prefix of a valid cursor. Any other cursor is refused, and the mailbox is read again.
const FORM: &str = "1";
/// Prefix of a cursor for an unfinished first reading.
const PARTIAL: &str = "1+";
/// Maximum size of a cursor in bytes.
const BYTES_MAX: usize = 8 * 1024 * 1024;

/// The state of a mailbox as stored here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MailboxCursor {
    /// Whether a first reading is unfinished, so that only the mails in `known` have been delivered.
    pub(super) is_partial: bool,
    pub(super) validity: u32,
    pub(super) next: u32,
    pub(super) exists: u32,
    /// The highest MODSEQ; 0 if the server does not support it. `unread`, `starred` and `labels` then record the flags.
    pub(super) modseq: u64,
    pub(super) known: Uids,
    pub(super) unread: Uids,
    pub(super) starred: Uids,
    /// The labels of the newest mails.
    pub(super) labels: Labels,
}

/// What the labels of mails were, in a form that only tells whether they changed. Mails without labels are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Labels(BTreeMap<u32, u32>);

impl Labels {
    pub(super) fn add(&mut self, uid: u32, labels: &[String]) {
        if labels.is_empty() {
            return;
        }
        let mut sorted: Vec<&str> = labels.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        let digest = sha256(sorted.join("\n").as_bytes()).0;
        let short = digest.get(..8).unwrap_or_default();
        let short = u32::from_str_radix(short, 16).unwrap_or_default();
        self.0.insert(uid, short);
    }

    /// Returns the mails from UID `from` on whose labels differ.
    pub(super) fn differing(&self, other: &Self, from: u32) -> Uids {
        let uids = self.0.keys().chain(other.0.keys()).copied();
        uids.filter(|uid| *uid >= from && self.0.get(uid) != other.0.get(uid))
            .collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let pairs = text.split(',').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let (uid, short) = pair.split_once('=')?;
            Some((uid.parse().ok()?, u32::from_str_radix(short, 16).ok()?))
        });
        pairs.collect::<Option<_>>().map(Self)
    }
}

impl std::fmt::Display for Labels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, (uid, short)) in self.0.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(f, "{comma}{uid}={short:x}")?;
        }
        Ok(())
    }
}

impl MailboxCursor {
    pub(super) fn read(cursor: &Cursor) -> Option<Self> {
        if cursor.0.len() > BYTES_MAX {
            return None;
        }
        let parts: Vec<&str> = cursor.0.split(' ').collect();
        let (parts, labels) = match parts.as_slice() {
            [parts @ .., labels] if parts.len() == 8 => (parts, *labels),
            // As written before labels were recorded.
            parts => (parts, ""),
        };
        let [form, validity, next, exists, modseq, known, unread, starred] = *parts else {
            return None;
        };
        Some(Self {
            is_partial: match form {
                FORM => false,
                PARTIAL => true,
                _ => return None,
            },
            validity: validity.parse().ok()?,
            next: next.parse().ok()?,
            exists: exists.parse().ok()?,
            modseq: modseq.parse().ok()?,
            known: Uids::parse(known)?,
            unread: Uids::parse(unread)?,
            starred: Uids::parse(starred)?,
            labels: Labels::parse(labels)?,
        })
    }

    pub(super) fn cursor(&self) -> Cursor {
        let Self {
            is_partial,
            validity,
            next,
            exists,
            modseq,
            known,
            unread,
            starred,
            labels,
        } = self;
        let form = if *is_partial { PARTIAL } else { FORM };
        Cursor(format!(
            "{form} {validity} {next} {exists} {modseq} {known} {unread} {starred} {labels}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_and_nothing_else_does() {
        let set = |text: &str| Uids::parse(text).unwrap_or_default();
        let mark = MailboxCursor {
            is_partial: false,
            validity: 7,
            next: 12,
            exists: 4,
            modseq: 99,
            known: set("1:3,9"),
            unread: Uids::default(),
            starred: set("3"),
            labels: Labels(BTreeMap::from([(3, 0xab), (9, 1)])),
        };
        assert_eq!(mark.cursor().0, "1 7 12 4 99 1:3,9  3 3=ab,9=1");
        assert_eq!(MailboxCursor::read(&mark.cursor()), Some(mark.clone()));
        let former = MailboxCursor::read(&Cursor("1 7 12 4 99 1:3,9  3".into()));
        let without = MailboxCursor {
            labels: Labels::default(),
            ..mark.clone()
        };
        assert_eq!(former, Some(without));
        let partial = MailboxCursor {
            is_partial: true,
            ..mark
        };
        assert_eq!(MailboxCursor::read(&partial.cursor()), Some(partial));
        for none in [
            "",
            "never given out",
            "2 7 12 4 99 1:3,9  3",
            "1 7 12 4 99 1:3",
            "1 7 12 4 -1 1:3  ",
            "1 7 12 4 99 1:3,9  3 3",
            "1 7 12 4 99 1:3,9  3 3=g",
            "1 7 12 4 99 1:3,9  3 3=1 ",
        ] {
            assert_eq!(MailboxCursor::read(&Cursor(none.into())), None, "{none}");
        }
    }
}
