//! Folding characters to a plain form while remembering where each came from.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// One folded character and the bytes of the original it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folded {
    /// Lower case, without diacritics, compatibility forms resolved.
    pub ch: char,
    /// Byte offset of the original character.
    pub start: usize,
    /// Byte offset just after the original character.
    pub end: usize,
    /// True when the original character was upper case.
    pub upper: bool,
}

/// Folds a text: compatibility forms resolved, diacritics and invisible characters dropped, lower
/// case, typographic quotes and dashes made plain. Superscript digits stay, as they are exponents.
#[must_use]
pub fn fold(source: &str) -> Vec<Folded> {
    let mut out = Vec::with_capacity(source.len());
    for (start, ch) in source.char_indices() {
        let end = start + ch.len_utf8();
        if ch.is_ascii() {
            out.push(Folded {
                ch: ch.to_ascii_lowercase(),
                start,
                end,
                upper: ch.is_ascii_uppercase(),
            });
            continue;
        }
        let upper = ch.is_uppercase();
        fold_char(ch, &mut |ch| {
            out.push(Folded {
                ch,
                start,
                end,
                upper,
            });
        });
    }
    out
}

/// Folds one word, for comparing names and values ("Zoë" equals "zoe").
#[must_use]
pub fn fold_word(word: &str) -> String {
    fold(word).into_iter().map(|f| f.ch).collect()
}

fn fold_char(ch: char, push: &mut impl FnMut(char)) {
    if let Some(plain) = plain_mark(ch) {
        push(plain);
        return;
    }
    if is_invisible(ch) || is_combining_mark(ch) {
        return;
    }
    if is_superscript(ch) {
        push(ch);
        return;
    }
    for part in ch.nfkd() {
        if is_combining_mark(part) {
            continue;
        }
        for low in part.to_lowercase() {
            if !is_combining_mark(low) {
                push(plain_mark(low).unwrap_or(low));
            }
        }
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

/// Characters that show nothing: they may hide words from people, so they never separate or join.
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
