//! How the records in memory compare words.

use adjutant_text::words;

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
