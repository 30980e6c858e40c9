//! Text form of how far an account's mail has been read.

use adjutant_domain::account::Cursor;

/// Prefixes of the known cursor forms. Any other cursor is refused, and everything is read again.
const WHOLE: &str = "1";
const PART: &str = "part-1";
/// Maximum number of characters in a history id: Google's have up to 20 digits, test servers' may have more.
const POINT_CHARS_MAX: usize = 100;

/// How far an account has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GmailCursor {
    /// Completely, up to this history id.
    Whole(String),
    /// Partially: the history id at which the reading began, the number of pages read, and the token of the next page.
    Part(String, usize, String),
}

impl GmailCursor {
    pub(super) fn read(cursor: &Cursor) -> Option<Self> {
        let parts: Vec<&str> = cursor.0.split(' ').collect();
        let mark = match parts.as_slice() {
            [WHOLE, point] => Self::Whole((*point).to_owned()),
            [PART, point, count, token] if !token.is_empty() => Self::Part(
                (*point).to_owned(),
                count.parse().ok()?,
                (*token).to_owned(),
            ),
            _ => return None,
        };
        let (Self::Whole(point) | Self::Part(point, ..)) = &mark;
        is_point(point).then_some(mark)
    }

    pub(super) fn cursor(&self) -> Cursor {
        Cursor(match self {
            Self::Whole(point) => format!("{WHOLE} {point}"),
            Self::Part(point, count, token) => format!("{PART} {point} {count} {token}"),
        })
    }
}

/// Tells whether a text is a valid history id.
pub(super) fn is_point(text: &str) -> bool {
    (1..=POINT_CHARS_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_and_nothing_else_does() {
        let large = "184467440737095516151844674407370955161".to_owned();
        for mark in [
            GmailCursor::Whole(large.clone()),
            GmailCursor::Part(large, 12, "a+/=".into()),
        ] {
            assert_eq!(GmailCursor::read(&mark.cursor()), Some(mark));
        }
        for none in [
            "",
            "1 ",
            "1 x",
            "1 -4",
            "2 17",
            "17",
            "part-1 17 x t",
            "part-1 17 1 ",
            "never given out",
        ] {
            assert_eq!(GmailCursor::read(&Cursor(none.into())), None, "{none}");
        }
        assert!(!is_point("") && !is_point("9x") && !is_point(&"9".repeat(POINT_CHARS_MAX + 1)));
    }
}
