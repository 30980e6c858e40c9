//! Folds characters to a plain form, with or without their positions in the original.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// One folded character and the bytes of the original it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoldedChar {
    /// Lower case, without diacritics, compatibility forms resolved.
    pub ch: char,
    /// Byte offset of the original character.
    pub start: usize,
    /// Byte offset just after the original character.
    pub end: usize,
    /// True when the original character was upper case.
    pub upper: bool,
}

/// Folds a text: resolves compatibility forms, drops diacritics and invisible characters, converts to lower case, and
/// replaces typographic quotes, dashes and letters such as ø and ł with plain ones.
#[must_use]
pub fn fold(source: &str) -> String {
    if source.is_ascii() {
        return source.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(source.len());
    for ch in source.chars() {
        fold_char(ch, &mut |ch| folded.push(ch));
    }
    folded
}

/// Folds a text, collapses each run of white space to one space and trims the ends.
#[must_use]
pub fn fold_line(source: &str) -> String {
    let folded = fold(source);
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Folds a text like [`fold`] and keeps the position of each character. Superscript digits stay, because they are
/// exponents in a calculation.
#[must_use]
pub fn fold_with_offsets(source: &str) -> Vec<FoldedChar> {
    let mut out = Vec::with_capacity(source.len());
    for (start, ch) in source.char_indices() {
        let end = start + ch.len_utf8();
        let upper = ch.is_uppercase();
        let mut push = |ch| {
            out.push(FoldedChar {
                ch,
                start,
                end,
                upper,
            });
        };
        if ch.is_ascii() {
            push(ch.to_ascii_lowercase());
        } else if is_superscript(ch) {
            push(ch);
        } else {
            fold_char(ch, &mut push);
        }
    }
    out
}

fn fold_char(ch: char, push: &mut impl FnMut(char)) {
    if let Some(plain) = plain_mark(ch) {
        push(plain);
        return;
    }
    if is_invisible(ch) || is_combining_mark(ch) {
        return;
    }
    for part in ch.nfkd() {
        if is_combining_mark(part) {
            continue;
        }
        for low in part.to_lowercase() {
            if !is_combining_mark(low) {
                push(plain_letter(plain_mark(low).unwrap_or(low)));
            }
        }
    }
}

/// Maps letters that Unicode does not decompose to the plain letters that people type instead.
fn plain_letter(ch: char) -> char {
    match ch {
        'ß' => 's',
        'ø' => 'o',
        'ł' => 'l',
        'đ' => 'd',
        'ı' => 'i',
        other => other,
    }
}

fn plain_mark(ch: char) -> Option<char> {
    Some(match ch {
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{02BC}' | '\u{2032}' | '\u{FF07}' => '\'',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => '-',
        '\u{00D7}' | '\u{2715}' | '\u{22C5}' => '×',
        '\u{00F7}' => '÷',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{2026}' => '…',
        '\u{00A0}' | '\u{202F}' | '\u{2000}'..='\u{200A}' | '\u{3000}' | '\u{205F}' => ' ',
        '\u{2028}' | '\u{2029}' | '\u{0085}' => '\n',
        _ => return None,
    })
}

/// Returns whether a character is invisible. Folding drops such characters, because they can hide words from people.
fn is_invisible(ch: char) -> bool {
    matches!(ch,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{1F3FB}'..='\u{1F3FF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

fn is_superscript(ch: char) -> bool {
    matches!(
        ch,
        '\u{00B2}' | '\u{00B3}' | '\u{00B9}' | '\u{2070}' | '\u{2074}'..='\u{2079}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_strips_case_marks_and_compatibility_forms() {
        assert_eq!(
            fold("Crème BRÛLÉE ﬁn Ærø Łódź x²"),
            "creme brulee fin æro lodz x2"
        );
        assert_eq!(fold("co\u{AD}op — it’s"), "coop - it's");
        assert_eq!(fold_line("  Two\t WORDS "), "two words");
    }

    #[test]
    fn offsets_are_those_of_the_original_and_exponents_stay() {
        let folded = fold_with_offsets("É²b");
        let places: Vec<(char, usize, usize)> = folded
            .iter()
            .map(|one| (one.ch, one.start, one.end))
            .collect();
        assert_eq!(places, [('e', 0, 2), ('²', 2, 4), ('b', 4, 5)]);
    }
}
