//! Makes a title from a message: its subject, without greetings and politeness.

use crate::words::{cut, words};

/// Longest title, in characters, without the `…` that marks a cut.
const TITLE_CHARS_MAX: usize = 60;
/// Maximum number of bytes to read of a message: the rest of a long paste adds nothing about its subject.
const LOOKED_BYTES_MAX: usize = 1_024;

/// Phrases that may precede the subject of a message. Each phrase comes before any shorter phrase that it begins with.
const OPENINGS: &[&[&str]] = &[
    &["i", "would", "like", "you", "to"],
    &["i", "d", "like", "you", "to"],
    &["i", "want", "you", "to"],
    &["i", "need", "you", "to"],
    &["how", "are", "you"],
    &["thank", "you"],
    &["good", "afternoon"],
    &["good", "evening"],
    &["good", "morning"],
    &["hello", "there"],
    &["hi", "there"],
    &["can", "you"],
    &["could", "you"],
    &["will", "you"],
    &["would", "you"],
    &["adjutant"],
    &["hello"],
    &["hey"],
    &["hi"],
    &["ok"],
    &["okay"],
    &["please"],
    &["so"],
    &["test"],
    &["thanks"],
];

/// Returns the subject of a message as the title of the conversation that it begins. Returns `None` if the message has
/// no subject yet, such as "Hello".
///
/// ```
/// # use adjutant_text::title_of;
/// let title = title_of("hi, could you please move the dentist to Friday, thanks.");
/// assert_eq!(title.as_deref(), Some("Move the dentist to Friday"));
/// assert_eq!(title_of("Good morning!"), None);
/// ```
#[must_use]
pub fn title_of(message: &str) -> Option<String> {
    let mut pieces: Vec<&str> = cut(message, LOOKED_BYTES_MAX).split_whitespace().collect();
    while let Some(count) = opening(&pieces) {
        pieces.drain(..count);
    }
    while let Some(last) = pieces.last() {
        match words(last).as_slice() {
            [word] if ["please", "thanks"].contains(&word.as_str()) => pieces.pop(),
            [] if pieces.len() > 1 => pieces.pop(),
            _ => break,
        };
    }
    let line = pieces.join(" ");
    let line = line
        .trim_start_matches(|c: char| !c.is_alphanumeric() && !"\"'“‘(#+-€$£".contains(c))
        .trim_end_matches(['.', ',', ';', ':']);
    if !line.contains(char::is_alphanumeric) {
        return None;
    }
    let mut letters = line.chars();
    let first = letters.next()?;
    Some(shortened(
        &first.to_uppercase().chain(letters).collect::<String>(),
    ))
}

/// Returns how many pieces of the message its opening phrase takes, or `None` if it begins with none.
fn opening(pieces: &[&str]) -> Option<usize> {
    OPENINGS.iter().find_map(|opening| {
        let mut wanted = opening.iter();
        for (at, piece) in pieces.iter().enumerate() {
            for word in words(piece) {
                if wanted.next() != Some(&word.as_str()) {
                    return None;
                }
            }
            if wanted.len() == 0 {
                return Some(at + 1);
            }
        }
        None
    })
}

/// Cuts a title that is too long between words, and marks the cut with `…`.
fn shortened(line: &str) -> String {
    let Some((end, _)) = line.char_indices().nth(TITLE_CHARS_MAX) else {
        return line.to_owned();
    };
    let cut = &line[..end];
    let cut = cut.rfind(' ').map_or(cut, |space| &cut[..space]);
    format!("{}…", cut.trim_end_matches([',', ';', ':', '.', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_subject_of_the_first_request() {
        for (message, title) in [
            (
                "Hey Adjutant, can you move the dentist?",
                "Move the dentist?",
            ),
            ("add a task to buy milk please.", "Add a task to buy milk"),
            ("I'd like you to find the lease", "Find the lease"),
            ("what is\non today?", "What is on today?"),
            ("Hi! Email Bob.", "Email Bob"),
            ("éclairs for the party, thanks!", "Éclairs for the party,"),
            ("\"Dune\" is a book I liked", "\"Dune\" is a book I liked"),
            ("明日の予定は?", "明日の予定は?"),
        ] {
            let title = title.trim_end_matches(',');
            assert_eq!(title_of(message).as_deref(), Some(title), "{message}");
        }
    }

    #[test]
    fn what_says_nothing_gives_no_title() {
        for message in ["", "hi", "Hello there!", "thanks", "…", "Can you please"] {
            assert_eq!(title_of(message), None, "{message}");
        }
    }

    #[test]
    fn long_messages_are_cut_between_words_and_one_long_word_anywhere() {
        let title = title_of(&"remind me of the lease ".repeat(5_000)).expect("a title");
        assert_eq!(
            title,
            "Remind me of the lease remind me of the lease remind me of…"
        );
        let title = title_of(&"é".repeat(100_000)).expect("a title");
        assert_eq!(title.chars().count(), TITLE_CHARS_MAX + 1);
    }
}
