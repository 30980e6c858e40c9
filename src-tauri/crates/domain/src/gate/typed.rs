//! Whether the person typed the text that a call would send out.

use std::collections::BTreeMap;

use super::{CarriesOut, Observed};
use crate::ids::AccountId;

/// Origin of the private records that reached a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Private<'a> {
    /// No private records reached it.
    #[default]
    None,
    /// All of them came from this account.
    From(&'a AccountId),
    /// They came from this computer or from more than one account.
    Anywhere,
}

/// What the gate knows about a conversation when a read would send text out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exposure<'a> {
    /// Whether private records reached the conversation, and from where.
    pub private: Private<'a>,
    /// Messages the person typed in it, latest last.
    pub typed: &'a [String],
}

impl Exposure<'_> {
    /// Returns what a call would send out and must ask about first.
    ///
    /// Returns `None` if the call sends nothing out, if nothing private reached the conversation, if everything private
    /// came from the account that gets the text, or if the person typed these words.
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

/// Words that carry no information: a planner that adds or drops them says no more than the person did.
const SMALL_WORDS: [&str; 40] = [
    "a", "about", "an", "and", "are", "at", "be", "by", "did", "do", "does", "for", "from", "how",
    "in", "is", "it", "its", "of", "on", "or", "that", "the", "their", "there", "this", "to",
    "was", "were", "what", "when", "where", "which", "who", "whose", "why", "will", "with", "vs",
    "your",
];

/// Returns whether `message` contains `text`. A link or similar text without spaces must occur verbatim between spaces;
/// of several words, each must occur, at least as often as in `text`.
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

/// Returns whether a text must match verbatim, because its order, case and punctuation may mean more than its words.
fn is_verbatim(text: &str) -> bool {
    let signs = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’' | '-');
    !text.contains(char::is_whitespace) && text.chars().any(signs)
}

/// Strips the punctuation of the surrounding sentence from a typed word.
fn trimmed(word: &str) -> &str {
    word.trim_start_matches(['(', '<', '"', '\'', '“', '‘', '['])
        .trim_end_matches([
            ')', '>', '"', '\'', '”', '’', ']', '.', ',', ';', ':', '!', '?',
        ])
}

/// Returns the runs of letters and digits, in lower case. Every other character is a separator, because texts are
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
