//! Makes invisible, bidirectional and confusable characters visible in what is shown for approval.

/// Rewrites `text` so that nothing in it is invisible or reorders the text: such characters become `⟨U+202E⟩`.
///
/// Line feeds and tabs stay. In a word that mixes Latin letters with letters of a script that resembles Latin, the
/// latter are escaped; so are those of a part of a host or address that looks Latin but contains no Latin letter
/// (`аррӏе.com`).
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(ends_token).unwrap_or(rest.len());
        let (token, after) = rest.split_at(end);
        escape(token, is_latin_place(token), &mut out);
        let mut chars = after.chars();
        if let Some(c) = chars.next() {
            show(c, &mut out);
        }
        rest = chars.as_str();
    }
    out
}

/// Returns whether `c` cannot occur inside a host or an address.
fn ends_token(c: char) -> bool {
    c.is_whitespace() || matches!(c, '/' | '<' | '>' | '(' | ')' | '"' | ',' | ';' | '?' | '#')
}

/// Returns whether `token` is a host or an address under a Latin top-level domain.
fn is_latin_place(token: &str) -> bool {
    token
        .trim_end_matches('.')
        .rsplit_once('.')
        .is_some_and(|(before, top)| {
            let top = top.split(':').next().unwrap_or_default();
            !before.is_empty()
                && top.len() > 1
                && top.bytes().all(|byte| byte.is_ascii_alphabetic())
        })
}

/// Non-Latin letters that are easily taken for Latin ones. Browsers use the same sets to detect hosts that are
/// confusable as a whole (Chromium's IDN policy, Unicode Technical Standard 39).
const LOOKALIKES: &str = "асԁеһіјӏорԗԛѕԝхуъьҽпгѵѡкмтвнοαικνρτυωηχγօսոցհյզԍ";

fn escape(token: &str, place: bool, out: &mut String) {
    let mut word = String::new();
    for c in token.chars() {
        if c.is_alphanumeric() {
            word.push(c);
        } else {
            flush(&mut word, place, out);
            show(c, out);
        }
    }
    flush(&mut word, place, out);
}

fn show(c: char, out: &mut String) {
    if is_hidden(c) {
        push_code(out, c);
    } else {
        out.push(c);
    }
}

/// Returns whether [`visible`] would change `text`.
#[must_use]
pub fn needs_escape(text: &str) -> bool {
    visible(text) != text
}

fn flush(word: &mut String, place: bool, out: &mut String) {
    let latin = word
        .chars()
        .any(|c| c.is_ascii_alphabetic() || ('\u{00C0}'..='\u{024F}').contains(&c));
    let foreign = word.chars().any(is_confusable_script);
    let like_latin = |c: char| c.is_ascii_digit() || LOOKALIKES.contains(c);
    let disguised = place && word.to_lowercase().chars().all(like_latin);
    for c in word.chars() {
        if is_hidden(c) || (foreign && (latin || disguised) && is_confusable_script(c)) {
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

/// Returns whether `c` belongs to a script whose letters resemble Latin ones (Unicode Technical Standard 39): Greek,
/// Cyrillic, Armenian, Cherokee, full-width forms and mathematical letters.
fn is_confusable_script(c: char) -> bool {
    matches!(c as u32,
        0x0370..=0x03FF | 0x1F00..=0x1FFF | 0x0400..=0x052F | 0x1C80..=0x1C8F | 0x2DE0..=0x2DFF | 0xA640..=0xA69F
        | 0x0530..=0x058F | 0x13A0..=0x13FF | 0xAB70..=0xABBF | 0xFF00..=0xFFEF | 0x1D400..=0x1D7FF)
}

/// Returns whether `c` is a control or format character, bidirectional mark, tag, variation selector, filler or odd
/// space.
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
            ("аррӏе.com", "⟨U+0430⟩⟨U+0440⟩⟨U+0440⟩⟨U+04CF⟩⟨U+0435⟩.com"),
            ("bob@соре.org,", "bob@⟨U+0441⟩⟨U+043E⟩⟨U+0440⟩⟨U+0435⟩.org,"),
            ("https://оо.com/x", "https://⟨U+043E⟩⟨U+043E⟩.com/x"),
            // Words and hosts that are plainly of another script.
            ("хор. Да", "хор. Да"),
            ("яндекс.com", "яндекс.com"),
            ("почта.рф", "почта.рф"),
        ] {
            assert_eq!(visible(text), expect);
        }
    }
}
