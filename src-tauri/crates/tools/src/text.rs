//! How words are compared: without case and accents, with a plural counting as its singular.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Letters a word must have before its beginning counts as the word.
const PREFIX_CHARS_MIN: usize = 4;

/// Lower case, accents removed, runs of space made one.
#[must_use]
pub fn fold(text: &str) -> String {
    let plain: String = text
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a text, folded; an apostrophe belongs to its word.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    fold(text)
        .replace(['’', '\''], "")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether two texts are the same but for case, accents, punctuation and space.
#[must_use]
pub fn same(a: &str, b: &str) -> bool {
    let (left, right) = (words(a), words(b));
    if left.is_empty() && right.is_empty() {
        return fold(a) == fold(b);
    }
    left == right
}

/// Whether every word of `needle` occurs in `hay`: whole, as singular or plural, or as the beginning of a longer word.
#[must_use]
pub fn all_words(needle: &str, hay: &str) -> bool {
    let hay = words(hay);
    let needle = words(needle);
    !needle.is_empty()
        && needle
            .iter()
            .all(|word| hay.iter().any(|one| alike(word, one)))
}

fn alike(wanted: &str, found: &str) -> bool {
    wanted == found
        || singular(wanted) == singular(found)
        || (wanted.chars().count() >= PREFIX_CHARS_MIN && found.starts_with(wanted))
}

fn singular(word: &str) -> &str {
    for (end, keep) in [
        ("ies", 0),
        ("sses", 2),
        ("ches", 2),
        ("shes", 2),
        ("xes", 1),
    ] {
        if let Some(stem) = word.strip_suffix(end)
            && stem.len() > 2
        {
            return &word[..stem.len() + keep];
        }
    }
    if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
        return &word[..word.len() - 1];
    }
    word.strip_suffix('y')
        .filter(|stem| stem.len() > 2)
        .unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_their_forms() {
        for (needle, hay, found) in [
            ("sync up", "Sync-up with Ana", true),
            ("meetings", "Board meeting", true),
            ("budget", "Budgets 2026", true),
            ("policies", "Policy review", true),
            ("dentist", "Dentists’ day", true),
            ("José", "lunch with jose", true),
            ("art", "Party", false),
            ("plan", "Planning", true),
            ("pl", "Planning", false),
            ("", "anything", false),
        ] {
            assert_eq!(all_words(needle, hay), found, "{needle} in {hay}");
        }
        assert!(same("Catch up soon?", "catch up soon"));
        assert!(!same("catch up", "catch up soon"));
    }
}
