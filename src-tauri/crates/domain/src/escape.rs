//! Makes invisible, bidirectional and confusable characters visible in what is shown for approval.

/// Rewrites `text` so that nothing in it is invisible or reorders the text: such characters become `⟨U+202E⟩`.
///
/// Line feeds and tabs stay. In a word that mixes Latin letters with letters of a script that resembles Latin, the
/// latter are escaped; so are those of a part of a host or address that looks Latin but contains no Latin letter
/// (`аррӏе.com`), or that mixes scripts as no browser would show it (`fo૦.com`).
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
const LOOKALIKES: &str = "асԁеһіјӏорԗԛѕԝхуъьҽпгѵѡкмтвнοαικνρτυωηχγօսոցհյզԍշძ੨";

fn escape(token: &str, place: bool, out: &mut String) {
    let mut word = String::new();
    let mut before = None;
    for c in token.chars() {
        if c.is_alphanumeric() {
            word.push(c);
        } else {
            flush(&mut word, place, out);
            if place && is_odd_accent(before, c) {
                push_code(out, c);
            } else {
                show(c, out);
            }
        }
        before = Some(c);
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
    let odd = disguised || (place && is_mixed(word));
    for c in word.chars() {
        let escaped = foreign && latin && is_confusable_script(c) || odd && !c.is_ascii();
        if is_hidden(c) || escaped {
            push_code(out, c);
        } else {
            out.push(c);
        }
    }
    word.clear();
}

/// Returns whether an accent of a host or address stands on nothing, or on a letter whose dot it covers.
fn is_odd_accent(before: Option<char>, c: char) -> bool {
    let on_letter = before.is_some_and(char::is_alphanumeric);
    let on_dot = c == '\u{0307}' && before.is_some_and(|before| "ijlıȷ".contains(before));
    ('\u{0300}'..='\u{036F}').contains(&c) && (!on_letter || on_dot)
}

/// The scripts that a part of a host may mix, and the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Ascii,
    Latin,
    Han,
    Kana,
    Bopomofo,
    Hangul,
    /// Scripts that nobody writes hosts in.
    Rare,
    Other,
}

/// Returns the script of a letter or digit; `None` for what all scripts share.
fn script(c: char) -> Option<Script> {
    Some(match c as u32 {
        0x30..=0x39 => return None,
        0x00..=0x7F => Script::Ascii,
        0x80..=0x024F | 0x1E00..=0x1EFF => Script::Latin,
        0x3005..=0x3007
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF
        | 0x20000..=0x3FFFF => Script::Han,
        0x3040..=0x30FF | 0x31F0..=0x31FF => Script::Kana,
        0x02EA..=0x02EB | 0x3100..=0x312F | 0x31A0..=0x31BF => Script::Bopomofo,
        0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF => Script::Hangul,
        0x1400..=0x167F | 0x1800..=0x18FF | 0x2D30..=0x2D7F | 0xA000..=0xA4CF => Script::Rare,
        _ => Script::Other,
    })
}

/// Returns whether a part of a host mixes scripts as browsers do not show it (Unicode Technical Standard 39, "highly
/// restrictive"): East Asian scripts may stand beside ASCII letters, all others only alone.
fn is_mixed(word: &str) -> bool {
    let scripts: Vec<Script> = word.chars().filter_map(script).collect();
    let has = |script| scripts.contains(&script);
    let east = [Script::Han, Script::Kana, Script::Bopomofo, Script::Hangul];
    let east = east.into_iter().filter(|script| has(*script)).count();
    // The mark that repeats a syllable of Katakana looks like an accent after anything else.
    let repeats = |c| matches!(c, 'ヽ' | 'ヾ');
    let katakana = |c: char| !repeats(c) && ('ァ'..='ヿ').contains(&c);
    has(Script::Rare)
        || has(Script::Other) && (east > 0 || has(Script::Ascii) || has(Script::Latin))
        || has(Script::Latin) && east > 0
        || east - usize::from(has(Script::Han)) > 1
        || word.contains(repeats) && !word.contains(katakana)
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
            ("fo\u{0AE6}.com", "fo⟨U+0AE6⟩.com"),
            ("1շ.com", "1⟨U+0577⟩.com"),
            ("j\u{0307}ack.com", "j⟨U+0307⟩ack.com"),
            ("café카페.kr", "caf⟨U+00E9⟩⟨U+CE74⟩⟨U+D398⟩.kr"),
            ("한ひら.kr", "⟨U+D55C⟩⟨U+3072⟩⟨U+3089⟩.kr"),
            ("aヾ.jp", "a⟨U+30FE⟩.jp"),
            ("ⵜⵉ.ma", "⟨U+2D5C⟩⟨U+2D49⟩.ma"),
            // Words and hosts that are plainly of another script.
            ("eコマース.jp", "eコマース.jp"),
            ("漢字hanzi.tw", "漢字hanzi.tw"),
            ("한글han.kr", "한글han.kr"),
            ("カヾ.jp", "カヾ.jp"),
            ("www.färgbolaget.se", "www.färgbolaget.se"),
            ("Gru\u{0308}ße.pdf", "Gru\u{0308}ße.pdf"),
            ("отчёт_final.pdf", "отчёт_final.pdf"),
            ("fo૦ bar", "fo૦ bar"),
            ("хор. Да", "хор. Да"),
            ("яндекс.com", "яндекс.com"),
            ("почта.рф", "почта.рф"),
        ] {
            assert_eq!(visible(text), expect);
        }
    }
}
