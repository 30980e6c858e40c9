//! Makes foreign text safe to show and read: no invisible characters, limited length.

use adjutant_domain::gate::escape;

/// Replacement for invisible characters.
const HIDDEN: char = '\u{FFFD}';

/// Returns the text without invisible and control characters, cut to `chars_max` characters. Keeps line breaks.
#[must_use]
pub fn text(raw: &str, chars_max: usize) -> String {
    let mut out = String::with_capacity(raw.len().min(chars_max));
    let mut count = 0;
    for c in raw.chars() {
        if count == chars_max {
            out.push('…');
            break;
        }
        let c = match c {
            '\n' => c,
            '\t' => ' ',
            '\r' => continue,
            _ if is_hidden(c) && out.ends_with(HIDDEN) => continue,
            _ if is_hidden(c) => HIDDEN,
            _ => c,
        };
        out.push(c);
        count += 1;
    }
    out
}

/// Like [`text`], but on a single line.
#[must_use]
pub fn line(raw: &str, chars_max: usize) -> String {
    let clean = text(raw, chars_max);
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tells whether a character is invisible or changes the reading order.
fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    escape::needs_escape(c.encode_utf8(&mut [0; 4]))
}

/// Tells whether a name is nonempty and free of misleading characters.
#[must_use]
pub fn is_plain(name: &str) -> bool {
    !name.is_empty() && !escape::needs_escape(name) && !name.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_nobody_sees_is_marked_once() {
        assert_eq!(
            text("a\u{200b}\u{202e}\u{E0041}b\r\nc\td", 99),
            "a\u{FFFD}b\nc d"
        );
        assert_eq!(line("  a\n\n b\u{0007} ", 99), "a b\u{FFFD}");
        assert_eq!(text("abcdef", 3), "abc…");
        assert!(is_plain("get_time") && !is_plain("get\u{200b}time") && !is_plain(""));
    }

    proptest! {
        #[test]
        fn a_clean_text_is_bounded_and_stays_as_it_is(raw in any::<String>(), max in 0usize..200) {
            let clean = text(&raw, max);
            prop_assert!(clean.chars().count() <= max + 1);
            prop_assert!(!clean.chars().any(|c| is_hidden(c) && c != '\n'));
            prop_assert_eq!(&text(&clean, max + 1), &clean);
        }
    }
}
