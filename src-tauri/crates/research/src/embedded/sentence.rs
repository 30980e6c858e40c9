//! Classifies the lines of a page.

use adjutant_text::words;

/// Minimum words of a whole sentence.
const WHOLE_WORDS_MIN: usize = 4;

/// Returns whether a line is a complete sentence rather than a heading, a menu or a date line.
pub fn is_whole(sentence: &str) -> bool {
    let closed = sentence.trim_end_matches(['"', '”', ')', '\'', '’', ']']);
    closed.ends_with(['.', '!', '?'])
        && !closed.ends_with("...")
        && words(sentence).len() >= WHOLE_WORDS_MIN
}

/// Returns whether a sentence opens with a pronoun, so that it does not name its subject.
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
