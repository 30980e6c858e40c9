//! Escapes foreign text for a terminal, so that it is shown but cannot control anything.

use std::borrow::Cow;

/// Escapes every character that would control the terminal, change the reading order, or be invisible: U+202E becomes
/// `⟨U+202E⟩`, as on approval cards. Keeps line feeds and tabs.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(must_show) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        if must_show(char) {
            out.push_str(&format!("⟨U+{:04X}⟩", u32::from(char)));
        } else {
            out.push(char);
        }
    }
    Cow::Owned(out)
}

/// Escapes text on one line, for places where a second line could pass for one of ours.
pub(crate) fn one_line(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    escape(&line.join(" ")).into_owned()
}

/// Tells whether a character must be escaped: controls (including ESC and C1), bidirectional formatting, line
/// separators, zero-width and tag characters. Joiners and variation selectors are kept, since emoji and many scripts
/// need them.
fn must_show(char: char) -> bool {
    match char {
        '\n' | '\t' => false,
        _ if char.is_control() => true,
        _ => matches!(
            u32::from(char),
            0x061C | 0x200B | 0x2028..=0x202E | 0x2060..=0x2069 | 0xFEFF | 0xE0000..=0xE007F
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        for (text, shown) in [
            (
                "Grüße, 你好, مرحبا, ❤\u{FE0F}\tok\n",
                "Grüße, 你好, مرحبا, ❤\u{FE0F}\tok\n",
            ),
            ("\x1b]0;pwned\x07", "⟨U+001B⟩]0;pwned⟨U+0007⟩"),
            ("\u{9b}2J", "⟨U+009B⟩2J"),
            ("a\u{202E}b\u{2066}", "a⟨U+202E⟩b⟨U+2066⟩"),
            ("over\rwritten", "over⟨U+000D⟩written"),
            ("two\r\nlines", "two\nlines"),
            ("bob\u{200B}@x.example", "bob⟨U+200B⟩@x.example"),
        ] {
            assert_eq!(escape(text), shown);
        }
        assert_eq!(
            one_line("a\n  To approve: b\x1b"),
            "a To approve: b⟨U+001B⟩"
        );
    }
}
