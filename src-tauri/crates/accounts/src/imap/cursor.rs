//! Text form of how far a mailbox has been read.

use adjutant_domain::account::Cursor;

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
    /// The highest MODSEQ; 0 if the server does not support it. `unread` and `starred` then record the flags.
    pub(super) modseq: u64,
    pub(super) known: Uids,
    pub(super) unread: Uids,
    pub(super) starred: Uids,
}

impl MailboxCursor {
    pub(super) fn read(cursor: &Cursor) -> Option<Self> {
        if cursor.0.len() > BYTES_MAX {
            return None;
        }
        let parts: Vec<&str> = cursor.0.split(' ').collect();
        let [form, validity, next, exists, modseq, known, unread, starred] = parts[..] else {
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
        } = self;
        let form = if *is_partial { PARTIAL } else { FORM };
        Cursor(format!(
            "{form} {validity} {next} {exists} {modseq} {known} {unread} {starred}"
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
        };
        assert_eq!(mark.cursor().0, "1 7 12 4 99 1:3,9  3");
        assert_eq!(MailboxCursor::read(&mark.cursor()), Some(mark.clone()));
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
        ] {
            assert_eq!(MailboxCursor::read(&Cursor(none.into())), None, "{none}");
        }
    }
}
