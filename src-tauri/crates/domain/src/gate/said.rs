//! Whether a text that would leave stands in the person's own words.

use std::collections::BTreeMap;

use super::{CarriesOut, Observed};
use crate::ids::AccountId;

/// Where the private matters came from that reached a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Private<'a> {
    /// There are none.
    #[default]
    None,
    /// All of them from this account.
    From(&'a AccountId),
    /// From this computer, or from more than one account.
    Anywhere,
}

/// What is known of a conversation when a read would carry something out of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exposure<'a> {
    /// Whether records, mails or other private matters have reached the conversation, and from where.
    pub private: Private<'a>,
    /// Messages that the person typed in it, the latest last.
    pub typed: &'a [String],
}

impl Exposure<'_> {
    /// What a call would carry out that may not leave unasked. All may leave where nothing private is there, where all that
    /// is private came from the account it goes back to, and where the person typed these very words.
    #[must_use]
    pub fn holds_back<'c>(&self, one: &'c Observed) -> Option<&'c CarriesOut> {
        let out = one.assessment.carries_out.as_ref()?;
        let known_there = match self.private {
            Private::None => true,
            Private::From(account) => out.stays_there && account == one.call.account(),
            Private::Anywhere => false,
        };
        let typed = || out.texts.iter().all(|text| self.has_typed(text));
        (!known_there && !typed()).then_some(out)
    }

    fn has_typed(&self, text: &str) -> bool {
        self.typed.iter().any(|message| says(message, text))
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
            private: Private::Anywhere,
            typed: &typed,
        }
        .has_typed(text)
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
            private: Private::Anywhere,
            typed: &typed,
        };
        assert!(exposure.has_typed("flu") && exposure.has_typed("Kim"));
        assert!(!exposure.has_typed("Kim flu"));
    }
}
