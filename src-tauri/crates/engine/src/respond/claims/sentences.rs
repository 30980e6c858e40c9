//! An answer as sentences, clauses and lower-case words, contractions written out.

use super::verbs::TOLD;
use super::words::{AUXILIARIES, DONE_NOW, THINGS};

/// What ends with a full stop, a question mark or a line.
#[derive(Default)]
pub(super) struct Sentence {
    /// Its parts between commas and the like, none empty.
    pub(super) clauses: Vec<Vec<String>>,
    /// Whether it asks: its last clause claims nothing.
    pub(super) asks: bool,
}

/// The sentences of a text. Code and quoted lines are left out: they are somebody's text.
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
    // After a name, "'s" is "has" or "is" only where a verb follows; otherwise the name owns what follows.
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
            // French: "j'ai envoyé".
            ("j", Some(rest)) => words.push(rest.to_owned()),
            _ => words.push(stem.to_owned()),
        }
    }
    words
}
