//! Whether a text that would leave stands in the person's own words.

use std::collections::BTreeMap;

/// What is known of a conversation when a read would carry something out of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exposure<'a> {
    /// Whether records, mails or other private matters have reached the conversation.
    pub private: bool,
    /// Messages that the person typed in it, the latest last.
    pub typed: &'a [String],
}

impl Exposure<'_> {
    /// Whether `text` may leave unasked: nothing private is there, or the person typed these very words.
    #[must_use]
    pub fn lets_out(&self, text: &str) -> bool {
        !self.private || self.typed.iter().any(|message| says(message, text))
    }
}

/// Words that carry nothing: a planner that leaves them out or puts them in says no more than the person did.
const SMALL_WORDS: [&str; 40] = [
    "a", "about", "an", "and", "are", "at", "be", "by", "did", "do", "does", "for", "from", "how",
    "in", "is", "it", "its", "of", "on", "or", "that", "the", "their", "there", "this", "to",
    "was", "were", "what", "when", "where", "which", "who", "whose", "why", "will", "with", "vs",
    "your",
];

/// Whether `message` says `text`: a link or another text without spaces stands in it as it is, between spaces; of
/// several words each stands in it, no more often than it was typed.
fn says(message: &str, text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() {
        return true;
    }
    if is_verbatim(text) {
        return message
            .split_whitespace()
            .any(|word| word == text || trimmed(word) == text);
    }
    let mut typed: BTreeMap<String, usize> = BTreeMap::new();
    for word in words(message) {
        *typed.entry(word).or_default() += 1;
    }
    words(text).all(|word| {
        if SMALL_WORDS.contains(&word.as_str()) {
            return true;
        }
        match typed.get_mut(&word) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    })
}

/// A text that means something to the letter: its order, case and signs may say what its words do not.
fn is_verbatim(text: &str) -> bool {
    let signs = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-');
    !text.contains(char::is_whitespace) && text.chars().any(signs)
}

/// A typed word without the punctuation of the sentence around it.
fn trimmed(word: &str) -> &str {
    word.trim_start_matches(['(', '<', '"', '\'', '“', '‘', '['])
        .trim_end_matches([
            ')', '>', '"', '\'', '”', '’', ']', '.', ',', ';', ':', '!', '?',
        ])
}

/// Runs of letters and digits, in lower case. Every other character separates, and says nothing by itself: what is left is
/// compared word by word.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lets_out(message: &str, text: &str) -> bool {
        let typed = [message.to_owned()];
        Exposure {
            private: true,
            typed: &typed,
        }
        .lets_out(text)
    }

    #[test]
    fn what_was_typed_leaves_and_nothing_else() {
        for (message, text, leaves) in [
            ("what is the capital of Peru?", "capital of Peru", true),
            ("what is the capital of Peru?", "Peru capital", true),
            ("search the web for heat pumps", "heat pumps", true),
            (
                "search the web for heat pumps",
                "heat pumps Kim Vogel",
                false,
            ),
            ("search for flu", "flu flu flu", false),
            (
                "read https://example.org/a?b=1.",
                "https://example.org/a?b=1",
                true,
            ),
            (
                "read (https://example.org/a)",
                "https://example.org/a",
                true,
            ),
            (
                "read https://example.org/a",
                "https://example.org/a?q=secret",
                false,
            ),
            ("read https://example.org/a", "https://example.org/", false),
            (
                "read https://example.org/abc",
                "https://example.org/a",
                false,
            ),
            ("what's on example.org", "https://example.org", false),
            ("mail kim@example.org", "kim@example.org", true),
            ("mail kim@example.org", "mail@kim.example", false),
            ("anything", "", true),
        ] {
            assert_eq!(lets_out(message, text), leaves, "{message:?} {text:?}");
        }
    }

    #[test]
    fn words_of_two_messages_are_not_put_together() {
        let typed = ["who is Kim".to_owned(), "what is flu".to_owned()];
        let exposure = Exposure {
            private: true,
            typed: &typed,
        };
        assert!(exposure.lets_out("flu") && exposure.lets_out("Kim"));
        assert!(!exposure.lets_out("Kim flu"));
    }

    #[test]
    fn with_nothing_private_everything_leaves() {
        assert!(Exposure::default().lets_out("anything at all"));
    }
}
