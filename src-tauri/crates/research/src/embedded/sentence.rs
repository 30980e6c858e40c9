//! What sort of sentence a line of a page is.

use adjutant_text::words;

/// Words of a whole sentence at least.
const WHOLE_WORDS_MIN: usize = 4;

/// Whether it is a sentence with its end, and no heading, menu or date line of a page.
pub fn is_whole(sentence: &str) -> bool {
    let closed = sentence.trim_end_matches(['"', '”', ')', '\'', '’', ']']);
    closed.ends_with(['.', '!', '?'])
        && !closed.ends_with("...")
        && words(sentence).len() >= WHOLE_WORDS_MIN
}

/// Whether a sentence says of whom it speaks only by a pronoun.
pub fn opens_with_a_pronoun(sentence: &str) -> bool {
    let first = words(sentence).into_iter().next().unwrap_or_default();
    [
        "he", "she", "it", "they", "his", "her", "its", "their", "this", "these",
    ]
    .contains(&first.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_menus_are_no_sentences() {
        assert!(is_whole("He was born in Porto (in 1908.)"));
        for line in [
            "Last checked 21 October 2011",
            "Home › Articles",
            "Read more about the film...",
            "Porto, 1908.",
        ] {
            assert!(!is_whole(line), "{line}");
        }
    }
}
