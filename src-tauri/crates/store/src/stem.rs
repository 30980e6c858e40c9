//! Stems of English words, from the same library that the full-text index uses.

use std::cell::RefCell;

use tantivy::tokenizer::{Language, RawTokenizer, Stemmer, TextAnalyzer, TokenStream as _};

/// Words that say nothing about what is looked for.
const STOP_WORDS: &[&str] = &[
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can",
    "could", "did", "do", "does", "for", "from", "had", "has", "have", "he", "her", "his", "how",
    "i", "if", "in", "into", "is", "it", "its", "me", "my", "no", "not", "of", "on", "or", "our",
    "she", "should", "so", "some", "such", "tell", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "to", "was", "we", "were", "what", "when", "where", "which", "who",
    "whom", "whose", "why", "will", "with", "would", "you", "your",
];

thread_local! {
    static STEMMER: RefCell<TextAnalyzer> = RefCell::new(
        TextAnalyzer::builder(RawTokenizer::default())
            .filter(Stemmer::new(Language::English))
            .build(),
    );
}

/// The stem of a folded word.
pub(crate) fn stem(word: &str) -> String {
    STEMMER.with_borrow_mut(|stemmer| {
        let mut stream = stemmer.token_stream(word);
        if stream.advance() {
            stream.token().text.clone()
        } else {
            word.to_owned()
        }
    })
}

/// The words that say something; all of them when none does.
pub(crate) fn telling(words: &[String]) -> Vec<String> {
    let telling: Vec<String> = words
        .iter()
        .filter(|word| STOP_WORDS.binary_search(&word.as_str()).is_err())
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
    fn stems_join_what_belongs_together() {
        assert_eq!(stem("allergies"), stem("allergy"));
        assert_eq!(stem("meeting"), stem("meetings"));
    }

    #[test]
    fn the_list_is_sorted_and_never_leaves_nothing() {
        assert!(STOP_WORDS.is_sorted());
        let words = ["what".to_owned(), "is".to_owned()];
        assert_eq!(telling(&words), words);
        assert_eq!(telling(&["my".to_owned(), "wifi".to_owned()]), ["wifi"]);
    }
}
