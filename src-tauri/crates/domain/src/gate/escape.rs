//! Makes invisible, bidirectional and confusable characters visible in what is shown for approval.

/// Rewrites `text` so that nothing in it is invisible or reorders what is read: such characters become `⟨U+202E⟩`.
/// Line feeds stay; a word that mixes Latin with Cyrillic or Greek letters has its foreign letters written out.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() {
            word.push(c);
        } else {
            flush(&mut word, &mut out);
            if is_hidden(c) {
                push_code(&mut out, c);
            } else {
                out.push(c);
            }
        }
    }
    flush(&mut word, &mut out);
    out
}

/// Whether showing `text` would escape anything.
#[must_use]
pub fn needs_escape(text: &str) -> bool {
    visible(text) != text
}

fn flush(word: &mut String, out: &mut String) {
    let latin = word
        .chars()
        .any(|c| c.is_ascii_alphabetic() || ('\u{00C0}'..='\u{024F}').contains(&c));
    let foreign = word.chars().any(is_confusable_script);
    for c in word.chars() {
        if is_hidden(c) || (latin && foreign && is_confusable_script(c)) {
            push_code(out, c);
        } else {
            out.push(c);
        }
    }
    word.clear();
}

fn push_code(out: &mut String, c: char) {
    out.push_str(&format!("⟨U+{:04X}⟩", c as u32));
}

/// Scripts whose letters look like Latin ones (Unicode Technical Standard 39): Greek, Cyrillic, Armenian,
/// Cherokee, full-width forms and mathematical letters.
fn is_confusable_script(c: char) -> bool {
    matches!(c as u32,
        0x0370..=0x03FF | 0x1F00..=0x1FFF | 0x0400..=0x052F | 0x1C80..=0x1C8F | 0x2DE0..=0x2DFF | 0xA640..=0xA69F
        | 0x0530..=0x058F | 0x13A0..=0x13FF | 0xAB70..=0xABBF | 0xFF00..=0xFFEF | 0x1D400..=0x1D7FF)
}

/// Controls, format characters, bidirectional marks, tags, variation selectors, fillers and odd spaces.
fn is_hidden(c: char) -> bool {
    if matches!(c, '\n' | '\t') {
        return false;
    }
    c.is_control()
        || matches!(c as u32,
            0x00A0 | 0x00AD | 0x034F | 0x061C | 0x115F | 0x1160 | 0x1680 | 0x17B4 | 0x17B5 | 0x180B..=0x180F
            | 0x2000..=0x200F | 0x2028..=0x202F | 0x205F..=0x206F | 0x2800 | 0x3000 | 0x3164 | 0xFE00..=0xFE0F
            | 0xFEFF | 0xFFA0 | 0xFFF0..=0xFFFB | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_mixed_letters_show() {
        for (text, expect) in [
            ("plain é ñ text, 14:00", "plain é ñ text, 14:00"),
            ("a\u{202E}b", "a⟨U+202E⟩b"),
            ("bob\u{200B}@x.org", "bob⟨U+200B⟩@x.org"),
            ("p\u{0430}ypal.com", "p⟨U+0430⟩ypal.com"),
            ("Привет мир", "Привет мир"),
            ("line\nline", "line\nline"),
        ] {
            assert_eq!(visible(text), expect);
        }
    }
}
