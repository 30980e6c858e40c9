//! How words are compared: without case and accents, whole words or their beginnings.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Lower case, accents removed.
pub(crate) fn fold(text: &str) -> String {
    text.nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .collect()
}

/// The words of a text, folded.
pub(crate) fn words(text: &str) -> Vec<String> {
    fold(text)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether every word of `needle` begins a word of one of the texts.
pub(crate) fn all_words(needle: &str, texts: &[&str]) -> bool {
    let hay: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
    words(needle)
        .iter()
        .all(|word| hay.iter().any(|one| one.starts_with(word.as_str())))
}

/// Whether `who` is this address, or names this person word by word.
pub(crate) fn is_person(who: &str, name: &str, email: &str) -> bool {
    if who.contains('@') {
        return who.trim().eq_ignore_ascii_case(email.trim());
    }
    let mut hay = words(name);
    hay.extend(words(email.split('@').next().unwrap_or_default()));
    let wanted = words(who);
    !wanted.is_empty() && wanted.iter().all(|word| hay.contains(word))
}
