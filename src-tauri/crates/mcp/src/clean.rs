//! Text of others, made fit to be shown and read: nothing invisible, nothing endless.

use adjutant_domain::gate::escape;

/// What stands where characters were that nobody can see.
const HIDDEN: char = '\u{FFFD}';

/// A text of one or several lines without invisible and control characters, cut at a number of characters.
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

/// The same on one line.
#[must_use]
pub fn line(raw: &str, chars_max: usize) -> String {
    let clean = text(raw, chars_max);
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a character is invisible, or reorders what is read.
fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    escape::needs_escape(c.encode_utf8(&mut [0; 4]))
}

/// Whether a name holds nothing that could be taken for something else.
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
