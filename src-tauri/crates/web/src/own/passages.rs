//! Cuts text into passages: long enough to be quoted with context, short enough to cover one topic. Each passage
//! appears word for word in the text.

use adjutant_text::{telling, words};

/// Minimum size in bytes from which a passage may end.
const ENOUGH: usize = 500;
/// Maximum size of a passage in bytes.
const MOST: usize = 1_200;
/// Maximum number of passages per document.
const PASSAGES_MAX: usize = 2_000;

/// Returns the passages of a text, in order.
pub(super) fn passages(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < text.len() && found.len() < PASSAGES_MAX {
        let end = start + end_of(&text[start..]);
        let passage = text[start..end].trim();
        if !passage.is_empty() {
            found.push(passage);
        }
        start = end;
    }
    found
}

/// Returns where the first passage ends: after a paragraph, else after a sentence, else after a word.
fn end_of(text: &str) -> usize {
    let window = adjutant_text::cut(text, MOST);
    if window.len() == text.len() {
        return text.len();
    }
    let last = |what: &str| window.rfind(what).map(|at| at + what.len());
    let early = |at: &usize| *at >= ENOUGH;
    let sentence = [". ", "! ", "? ", ".\n"].into_iter().filter_map(last).max();
    last("\n\n")
        .filter(early)
        .or_else(|| sentence.filter(early))
        .or_else(|| last("\n").filter(early))
        .or_else(|| last(" ").filter(early))
        .unwrap_or(window.len())
        .max(text.chars().next().map_or(1, char::len_utf8))
}

/// Returns the passage that contains most of the query's words; the first of equal ones.
pub(super) fn best<'a>(text: &'a str, query: &str) -> &'a str {
    let asked = telling(&words(query));
    let score = |passage: &str| {
        let there = words(passage);
        asked.iter().filter(|word| there.contains(word)).count()
    };
    let mut best = ("", None);
    for passage in passages(text) {
        let score = score(passage);
        if best.1.is_none_or(|most| score > most) {
            best = (passage, Some(score));
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_passage_that_says_it_is_chosen() {
        let filler = "Nothing of note happened in those years. ".repeat(40);
        let text = format!("{filler}\n\nThe tower was built in 1874 by two brothers.\n\n{filler}");
        assert!(best(&text, "who built the tower").contains("two brothers"));
        assert_eq!(best("", "x"), "");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_everything_stands_in_the_text(text in "(\\PC|[ .\n]|é){0,5000}") {
            let found = passages(&text);
            let all: String = found.concat().split_whitespace().collect();
            let whole: String = text.split_whitespace().collect();
            prop_assert_eq!(all, whole);
            prop_assert!(found.iter().all(|one| one.len() <= MOST && text.contains(one)));
        }
    }
}
