//! What a question speaks of: its names, and what is asked of them.

use std::collections::BTreeSet;

use adjutant_text::{stem, words};

use crate::lexicon::{name_key, names, stems, tells};

/// What a question speaks of.
#[derive(Debug)]
pub struct Topic {
    /// Its names, as they stand there.
    pub names: Vec<String>,
    /// Their keys.
    pub keys: Vec<String>,
    /// Telling words that are part of no name, as they stand there.
    pub asked: Vec<String>,
    /// Their stems.
    pub asked_stems: BTreeSet<String>,
    /// All telling stems.
    pub stems: Vec<String>,
    /// The words of the question, folded.
    pub words: String,
}

impl Topic {
    /// Reads a question.
    pub fn of(question: &str) -> Self {
        let mut found: Vec<String> = Vec::new();
        let mut until = 0;
        for named in names(question) {
            if named.at < until {
                continue;
            }
            let name = bracketed(question, &named.name, named.at);
            until = named.at + name.len();
            if !found.contains(&name) {
                found.push(name);
            }
        }
        let keys: Vec<String> = found.iter().map(|name| name_key(name)).collect();
        let in_names: BTreeSet<String> = found.iter().flat_map(|name| words(name)).collect();
        let mut asked: Vec<String> = Vec::new();
        for word in words(question) {
            if tells(&word)
                && word.chars().count() > 1
                && !in_names.contains(&word)
                && !asked.contains(&word)
            {
                asked.push(word);
            }
        }
        Self {
            asked_stems: asked.iter().map(|word| stem(word)).collect(),
            stems: stems(question),
            words: format!(" {} ", words(question).join(" ")),
            names: found,
            keys,
            asked,
        }
    }
}

/// A name with what stands in brackets right behind it: "Francisca (Film)".
fn bracketed(text: &str, name: &str, at: usize) -> String {
    let after = text.get(at + name.len()..).unwrap_or_default();
    match after
        .strip_prefix(" (")
        .and_then(|rest| rest.split_once(')'))
    {
        Some((inside, _)) if inside.len() < 60 => format!("{name} ({inside})"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_its_names_and_what_is_asked_of_them() {
        let topic =
            Topic::of("What is the place of birth of the director of film Francisca (Film)?");
        assert_eq!(topic.names, ["Francisca (Film)"]);
        assert_eq!(topic.keys, ["francisca"]);
        assert_eq!(topic.asked, ["place", "birth", "director"]);
    }
}
