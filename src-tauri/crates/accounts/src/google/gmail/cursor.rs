//! How far the mail of an account was read, as text.

use adjutant_domain::account::Cursor;

/// The forms of a cursor; another one is refused, and everything is read again.
const WHOLE: &str = "1";
const PART: &str = "part-1";
/// Characters of a point in the history: Google's have up to 20 digits, those of stand-ins more.
const POINT_CHARS_MAX: usize = 100;

/// How far an account was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// To its end, at this point of its history.
    Whole(String),
    /// So many pages of a reading that began at this point; the next page has this token.
    Part(String, usize, String),
}

impl Mark {
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

/// Whether a text names a point in the history.
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
            Mark::Whole(large.clone()),
            Mark::Part(large, 12, "a+/=".into()),
        ] {
            assert_eq!(Mark::read(&mark.cursor()), Some(mark));
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
            assert_eq!(Mark::read(&Cursor(none.into())), None, "{none}");
        }
        assert!(!is_point("") && !is_point("9x") && !is_point(&"9".repeat(POINT_CHARS_MAX + 1)));
    }
}
