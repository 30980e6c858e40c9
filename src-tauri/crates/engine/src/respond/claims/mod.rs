//! Whether a text says that something was done, or will be: a model that writes an answer cannot act, whatever it says.
//!
//! Words decide, clause by clause. What this takes for a claim gets a line of our own that is true in any case, so a claim
//! too many is a needless line, and one too few is a lie that is shown.

mod words;

use words::{AUXILIARIES, BETWEEN, DONE, FOREIGN, NOT_SAID, SPEAKERS, THINGS, TO_DO};

/// Put before an answer that claims an effect in a turn that had none.
pub const NOTHING_DONE: &str = "Nothing has been sent, saved or changed: this is only text.";

/// Characters of an answer that are looked through.
const TEXT_CHARS_MAX: usize = 20_000;
/// Bytes of a line that is looked at while it streams.
const LINE_BYTES_MAX: usize = 2_000;
/// Words between a claim's subject and its verb.
const SUBJECT_WORDS_MAX: usize = 6;

/// The answer as it may be shown in a turn without effects.
#[must_use]
pub fn corrected(text: &str) -> String {
    if claims_effect(text) && !text.starts_with(NOTHING_DONE) {
        with_correction(text)
    } else {
        text.to_owned()
    }
}

/// A text with the line of ours before it.
#[must_use]
pub fn with_correction(text: &str) -> String {
    format!("{NOTHING_DONE}\n\n{text}")
}

/// Whether a text claims that something was sent, saved or changed, or promises it.
#[must_use]
pub fn claims_effect(text: &str) -> bool {
    let text: String = text.chars().take(TEXT_CHARS_MAX).collect();
    claims_in(&text, true)
}

/// The same for the line that the last `fresh` bytes of a text add to: all that can have become a claim by them.
#[must_use]
pub fn claims_at_end(text: &str, fresh: usize) -> bool {
    let before = &text[..text.floor_char_boundary(text.len().saturating_sub(fresh))];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let start = text.floor_char_boundary(line.max(text.len().saturating_sub(LINE_BYTES_MAX)));
    claims_in(&text[start..], start == 0)
}

fn claims_in(text: &str, opening: bool) -> bool {
    clauses(text)
        .iter()
        .enumerate()
        .any(|(index, clause)| claims(clause, opening && index < 2))
}

/// `opening`: the clause is one of the first of an answer.
fn claims(clause: &[String], opening: bool) -> bool {
    let has = |words: &[&str]| clause.iter().any(|word| words.contains(&word.as_str()));
    if FOREIGN
        .iter()
        .any(|(auxiliaries, participles)| has(auxiliaries) && has(participles))
    {
        return !has(&[
            "nicht", "kein", "keine", "pas", "no", "rien", "nichts", "wenn", "si",
        ]);
    }
    if has(NOT_SAID) {
        return false;
    }
    let says = |phrase: &[&str]| clause.windows(phrase.len()).any(|words| words == phrase);
    let starts =
        |phrase: &[&str]| clause.len() >= phrase.len() && clause[..phrase.len()] == *phrase;
    if starts(&["done"])
        || starts(&["all", "done"])
        || says(&["all", "set"])
        || says(&["taken", "care", "of"])
        || says(&["consider", "it", "done"])
        || says(&["is", "done"])
        || says(&["on", "its", "way"])
        || says(&["you", "now", "have"])
        || says(&["there", "is", "now"])
        || says(&["are", "booked"])
    {
        return true;
    }
    clause.iter().enumerate().any(|(at, word)| {
        let word = word.as_str();
        (DONE.contains(&word) && was_done(clause, at, opening))
            || (TO_DO.contains(&word) && is_promised(clause, at))
    })
}

/// Whether the participle at `at` says what Adjutant did, or what became of a thing of the person.
fn was_done(clause: &[String], at: usize, opening: bool) -> bool {
    let before = before(clause, at);
    let Some((last, rest)) = before.split_last() else {
        // "Sent." and "Moved to Friday", right at the start of an answer.
        let imperative = matches!(clause[at].as_str(), "set" | "put");
        return opening && at == 0 && !imperative && clause.get(1).is_none_or(|next| next != "by");
    };
    if SPEAKERS.contains(last) {
        return true;
    }
    if !AUXILIARIES.contains(last) {
        return false;
    }
    let subject = rest
        .iter()
        .rev()
        .skip_while(|word| AUXILIARIES.contains(*word))
        .take(SUBJECT_WORDS_MAX);
    let mut subject = subject.peekable();
    // "Sent to Bob" may be turned around: "has been sent" alone stands for "it has been sent".
    subject.peek().is_none()
        || subject.any(|word| SPEAKERS.contains(word) || THINGS.contains(word) || *word == "your")
}

/// Whether the verb at `at` is promised by Adjutant: "I will send", "I am sending", "I am going to send".
fn is_promised(clause: &[String], at: usize) -> bool {
    let before = before(clause, at);
    let Some(at) = before.iter().rposition(|word| SPEAKERS.contains(word)) else {
        return false;
    };
    matches!(
        &before[at + 1..],
        ["will" | "am" | "are"]
            | ["will", "be"]
            | ["am" | "are", "going", "to"]
            | ["am", "about", "to"]
    )
}

/// Words before a place, without those that may stand in between.
fn before(clause: &[String], at: usize) -> Vec<&str> {
    let words = clause[..at].iter().map(String::as_str);
    words.filter(|word| !BETWEEN.contains(word)).collect()
}

/// Clauses as lower-case words, contractions written out. Code and quoted lines are left out: they are somebody's text.
fn clauses(text: &str) -> Vec<Vec<String>> {
    let mut fenced = false;
    let mut clauses = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with('>') {
            for clause in line.split(|char| ".!?;:,—–()…".contains(char)) {
                let words = words(clause);
                if !words.is_empty() {
                    clauses.push(words);
                }
            }
        }
    }
    clauses
}

fn words(clause: &str) -> Vec<String> {
    let plain = clause.to_lowercase().replace('’', "'");
    let plain = plain.replace("no problem", "").replace("no worries", "");
    let plain = plain.replace("once again", "").replace("once more", "");
    let mut words = Vec::new();
    for word in plain.split(|char: char| !(char.is_alphanumeric() || char == '\'')) {
        let word = word.trim_matches('\'');
        let (stem, rest) = match word.split_once('\'') {
            Some((stem, rest)) => (stem, Some(rest)),
            None => (word, None),
        };
        match (stem, rest) {
            ("", None) => continue,
            ("can" | "won" | "shan", Some("t")) => {
                words.extend([stem.to_owned(), "not".to_owned()])
            }
            (stem, Some("t")) => {
                words.push(stem.trim_end_matches('n').to_owned());
                words.push("not".to_owned());
            }
            (stem, Some("ve")) => words.extend([stem.to_owned(), "have".to_owned()]),
            (stem, Some("ll")) => words.extend([stem.to_owned(), "will".to_owned()]),
            (stem, Some("re")) => words.extend([stem.to_owned(), "are".to_owned()]),
            (stem, Some("m")) => words.extend([stem.to_owned(), "am".to_owned()]),
            (stem, Some("s")) if THINGS.contains(&stem) || stem == "there" => {
                words.extend([stem.to_owned(), "is".to_owned()]);
            }
            // French: "j'ai envoyé".
            ("j", Some(rest)) => words.push(rest.to_owned()),
            _ => words.push(stem.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests;
