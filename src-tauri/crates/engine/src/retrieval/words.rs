//! Splits texts into comparable words: lower case, accents kept, tool names taken apart, endings removed.

use adjutant_text::stem;

/// Words that say nothing about a tool's purpose.
const STOP: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "it", "its", "and", "or", "but", "if",
    "of", "to", "in", "on", "at", "by", "for", "from", "with", "about", "into", "as", "is", "are",
    "was", "were", "be", "been", "am", "do", "does", "did", "have", "has", "had", "i", "me", "my",
    "mine", "we", "us", "our", "you", "your", "he", "she", "him", "her", "his", "they", "them",
    "their", "can", "could", "will", "would", "should", "shall", "may", "might", "must", "please",
    "there", "here", "what", "which", "who", "when", "where", "how", "why", "all", "any", "some",
    "so", "than", "then", "just", "also", "not", "no", "up", "out", "s", "t", "m", "re", "ve",
    "ll", "d",
];
/// Maximum number of words of a text to examine.
const WORDS_MAX: usize = 600;

/// Returns the meaningful words of a text, stemmed, in order.
pub(super) fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for piece in text.split(|c: char| !c.is_alphanumeric()) {
        for word in humps(piece) {
            let word = word.to_lowercase();
            if word.is_empty() || STOP.contains(&word.as_str()) {
                continue;
            }
            if terms.len() == WORDS_MAX {
                return terms;
            }
            terms.push(stem(&word));
        }
    }
    terms
}

/// Splits camel case: `createPullRequest` becomes three words.
fn humps(piece: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut from = 0;
    let mut last = None::<char>;
    for (at, c) in piece.char_indices() {
        if c.is_uppercase() && last.is_some_and(char::is_lowercase) {
            words.push(&piece[from..at]);
            from = at;
        }
        last = Some(c);
    }
    words.push(&piece[from..]);
    words
}

#[cfg(test)]
mod tests {
    use super::terms;

    #[test]
    fn forms_of_a_word_meet() {
        for (one, other) in [
            ("scheduling", "schedules"),
            ("searched", "search"),
            ("replies", "reply"),
            ("boxes", "box"),
            ("planning", "plan"),
            ("deleted", "delete"),
            ("messages", "message"),
        ] {
            assert_eq!(terms(one), terms(other), "{one} and {other}");
        }
        assert_ne!(terms("status"), terms("statue"));
    }

    #[test]
    fn names_of_tools_are_taken_apart() {
        assert_eq!(
            terms("mcp.git-hub.createPullRequest list_open_tickets"),
            [
                "mcp", "git", "hub", "creat", "pull", "request", "list", "open", "ticket"
            ]
        );
        assert!(terms("could you please do it for me").is_empty());
        assert_eq!(terms("日本 v2"), ["日本", "v2"]);
    }
}
