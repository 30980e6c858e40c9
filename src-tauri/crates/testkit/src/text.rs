//! Word comparison for the records in memory.

use adjutant_text::words;

/// Returns whether every word of `needle` begins a word of one of the texts.
pub(crate) fn all_words(needle: &str, texts: &[&str]) -> bool {
    let hay: Vec<String> = texts.iter().flat_map(|text| words(text)).collect();
    words(needle)
        .iter()
        .all(|word| hay.iter().any(|one| one.starts_with(word.as_str())))
}

/// Returns whether `who` is this address, or all its words occur in the name or the local part of the address.
pub(crate) fn is_person(who: &str, name: &str, email: &str) -> bool {
    if who.contains('@') {
        return who.trim().eq_ignore_ascii_case(email.trim());
    }
    let mut hay = words(name);
    hay.extend(words(email.split('@').next().unwrap_or_default()));
    let wanted = words(who);
    !wanted.is_empty() && wanted.iter().all(|word| hay.contains(word))
}
