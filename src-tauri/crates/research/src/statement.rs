//! Tells lines that state something from those that only ask, greet, thank, or say who wrote a mail and when.

use adjutant_text::words;

/// Names of the header fields that hold addresses, and the word before the date of a quoted mail. Folded.
const HEADED: &[&str] = &["from", "to", "cc", "bcc", "reply", "sender", "on"];
/// Openings of a clause that greets, takes leave, thanks, or hopes for an answer. Folded.
const COURTEOUS: &[&str] = &[
    "all the best",
    "as always",
    "best regards",
    "best wishes",
    "cheers",
    "dear",
    "good afternoon",
    "good evening",
    "good morning",
    "have a good",
    "have a great",
    "have a lovely",
    "have a nice",
    "hello",
    "hey",
    "hi",
    "hope all",
    "hope this",
    "hope you",
    "i hope all",
    "i hope this finds",
    "i hope you are",
    "i hope you had",
    "kind regards",
    "kindest regards",
    "let me know",
    "looking forward",
    "many thanks",
    "please let me know",
    "regards",
    "see you",
    "sincerely",
    "take care",
    "talk soon",
    "thank you",
    "thanks",
    "warm regards",
    "with kind regards",
    "yours",
];
/// Clauses that only acknowledge. Folded.
const ACKNOWLEDGED: &[&str] = &[
    "best",
    "got it",
    "great",
    "noted",
    "ok",
    "okay",
    "perfect",
    "received",
    "sure",
    "understood",
    "will do",
    "yes",
];
/// Maximum words of a courteous clause. A longer one says more.
const COURTEOUS_WORDS_MAX: usize = 10;
/// Maximum words of a clause that only names who is addressed or who signs.
const NAMED_WORDS_MAX: usize = 2;

/// Returns whether a sentence or line states something that can be true or false.
pub fn states(sentence: &str) -> bool {
    !asks(sentence) && !is_courtesy(sentence) && !is_header(sentence)
}

/// Returns whether a line says who wrote a mail to whom or when: "From Ana Costa <ana@costa.example> on 5 May 2026".
pub fn is_header(line: &str) -> bool {
    let first = words(line).into_iter().next().unwrap_or_default();
    let is_address = |word: &str| {
        let parts = word
            .trim_matches(|letter: char| !letter.is_alphanumeric())
            .split_once('@');
        parts.is_some_and(|(before, host)| !before.is_empty() && !host.is_empty())
    };
    let closed = line.trim_end().ends_with(['.', '!', '?']);
    !closed && HEADED.contains(&first.as_str()) && line.split_whitespace().any(is_address)
}

fn asks(sentence: &str) -> bool {
    let closing = |letter: char| !letter.is_alphanumeric() && letter != '?' && letter != '.';
    sentence.trim_end_matches(closing).ends_with('?')
}

/// Returns whether each clause is courteous or a name. A number is no courtesy.
fn is_courtesy(sentence: &str) -> bool {
    if sentence.contains(char::is_numeric) {
        return false;
    }
    let clauses: Vec<Vec<String>> = sentence
        .split([',', ';', ':', '.', '!', '–', '—'])
        .map(words)
        .filter(|clause| !clause.is_empty())
        .collect();
    let courteous = |clause: &Vec<String>| {
        let said = clause.join(" ");
        let opens = |opening: &&str| {
            said.strip_prefix(*opening)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        ACKNOWLEDGED.contains(&said.as_str())
            || (clause.len() <= COURTEOUS_WORDS_MAX && COURTEOUS.iter().any(opens))
    };
    clauses.iter().any(courteous)
        && clauses
            .iter()
            .all(|clause| courteous(clause) || clause.len() <= NAMED_WORDS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn courtesies_questions_and_headers_state_nothing() {
        for line in [
            "From Ana Costa <ana@costa.example> on 5 May 2026",
            "To: ben@costa.example",
            "On 5 May 2026, Ana Costa <ana@costa.example> wrote:",
            "Could you see the roof from the street?",
            "“Is the roof dry?”",
            "Hi Ben,",
            "Good morning everyone!",
            "Thank you for the tiles.",
            "Noted, thanks for telling me.",
            "Looking forward to your answer.",
            "Kind regards, Ana",
        ] {
            assert!(!states(line), "{line}");
        }
    }

    #[test]
    fn what_a_polite_sentence_says_is_stated() {
        for line in [
            "Ben, the roof is dry again.",
            "Thanks, the mason has repaired the roof.",
            "Thank you for the 900 dollars.",
            "Best of all, the roof is dry.",
            "From: Porto",
            "Mason: roof@costa.example",
            "Write to ana@costa.example before May.",
            "From May on the roof is let.",
        ] {
            assert!(states(line), "{line}");
        }
    }
}
