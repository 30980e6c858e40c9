//! Splits an answer into sentences, clauses and lower-case words with contractions written out.

use super::verbs::TOLD;
use super::words::{AUXILIARIES, DONE_NOW, THINGS};

/// A sentence: it ends with a punctuation mark or at the end of a line.
#[derive(Default)]
pub(super) struct Sentence {
    /// Its clauses, as separated by commas and similar marks; none is empty.
    pub(super) clauses: Vec<Vec<String>>,
    /// Whether it is a question, so that its last clause claims nothing.
    pub(super) asks: bool,
}

/// Splits a text into sentences. Leaves out code and quoted lines, which are somebody else's text.
pub(super) fn of(text: &str) -> Vec<Sentence> {
    let mut fenced = false;
    let mut all = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with('>') {
            for sentence in line.split_inclusive(['.', '!', '?', '…']) {
                let clauses: Vec<Vec<String>> = sentence
                    .split(|char| ".!?…;:,—–()".contains(char))
                    .map(words)
                    .filter(|words| !words.is_empty())
                    .collect();
                if !clauses.is_empty() {
                    all.push(Sentence {
                        clauses,
                        asks: sentence.ends_with('?'),
                    });
                }
            }
        }
    }
    all
}

fn words(clause: &str) -> Vec<String> {
    let plain = clause.to_lowercase().replace('’', "'");
    let plain = plain.replace("no problem", "").replace("no worries", "");
    let plain = plain.replace("once again", "").replace("once more", "");
    let mut words: Vec<String> = Vec::new();
    // After a name, "'s" means "has" or "is" only before a verb; otherwise it is possessive.
    let mut owner = false;
    for word in plain.split(|char: char| !(char.is_alphanumeric() || char == '\'')) {
        let word = word.trim_matches('\'');
        let (stem, rest) = match word.split_once('\'') {
            Some((stem, rest)) => (stem, Some(rest)),
            None => (word, None),
        };
        if stem.is_empty() && rest.is_none() {
            continue;
        }
        if std::mem::take(&mut owner) {
            if stem == "been" {
                words.push("has".into());
            } else if DONE_NOW.contains(&stem) || TOLD.contains(&stem) {
                words.push("is".into());
            }
        }
        match (stem, rest) {
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
            (stem, Some("s")) => {
                words.push(stem.to_owned());
                owner = !AUXILIARIES.contains(&stem);
            }
            // French, as in "j'ai envoyé".
            ("j", Some(rest)) => words.push(rest.to_owned()),
            _ => words.push(stem.to_owned()),
        }
    }
    words
}
