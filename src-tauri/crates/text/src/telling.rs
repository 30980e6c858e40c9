//! Stop words, and the words that remain without them.

/// Stop words: they say nothing about what a search looks for. Sorted for binary search.
const STOP_WORDS: &[&str] = &[
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can",
    "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how",
    "i", "if", "in", "into", "is", "it", "its", "me", "my", "no", "not", "of", "on", "or", "our",
    "she", "should", "so", "some", "such", "tell", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "to", "was", "we", "were", "what", "when", "where", "which", "who",
    "whom", "whose", "why", "will", "with", "would", "you", "your",
];

/// Returns whether a folded word is a stop word.
#[must_use]
pub fn says_nothing(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Returns the folded words that are not stop words, or all of them if every word is a stop word.
#[must_use]
pub fn telling(words: &[String]) -> Vec<String> {
    let telling: Vec<String> = words
        .iter()
        .filter(|word| !says_nothing(word))
        .cloned()
        .collect();
    if telling.is_empty() {
        words.to_vec()
    } else {
        telling
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_stop_words_is_sorted_and_never_leaves_nothing() {
        assert!(STOP_WORDS.is_sorted());
        let words = ["what".to_owned(), "is".to_owned()];
        assert_eq!(telling(&words), words);
        assert_eq!(telling(&["my".to_owned(), "wifi".to_owned()]), ["wifi"]);
    }
}
