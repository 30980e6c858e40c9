//! Finds the part of a text that answers a question: the one where its words occur together.

use adjutant_text::{says_nothing, stem, words};

/// Maximum characters of a passage.
const PASSAGE_CHARS_MAX: usize = 360;
/// Maximum sentences of a passage.
const PASSAGE_SENTENCES_MAX: usize = 3;

/// Words of a question that the answer may express differently or omit.
const LOOSE: &str = "much many long often come comes came coming arrive arrives arrived get gets got go goes going went say says said \
    tell cost costs new current latest next last need needs take takes happen happens have happened now again please find know exactly \
    day time date tomorrow today offer offered offers give gave gives write wrote written called name mean means want wants thing";

/// The words that are sought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sought {
    /// Stems that must occur.
    needed: Vec<String>,
    /// Stems that improve a passage.
    loose: Vec<String>,
    /// Whether the answer is a number, a price, a date or a code.
    figure: bool,
}

/// A passage with its score.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Passage {
    pub(super) text: String,
    pub(super) score: u32,
}

impl Sought {
    /// Reads the words of a question. `figure` means that it asks for something with digits.
    pub(super) fn of(text: &str, figure: bool) -> Self {
        let said = words(text);
        let telling = said.iter().filter(|word| !says_nothing(word));
        let (loose, needed): (Vec<&String>, Vec<&String>) =
            telling.partition(|word| LOOSE.split_whitespace().any(|one| one == word.as_str()));
        let stems = |words: Vec<&String>| -> Vec<String> {
            let mut stems: Vec<String> = words.into_iter().map(|word| stem(word)).collect();
            stems.sort();
            stems.dedup();
            stems
        };
        let (needed, loose) = (stems(needed), stems(loose));
        if needed.is_empty() {
            return Self {
                needed: loose,
                loose: Vec::new(),
                figure,
            };
        }
        Self {
            needed,
            loose,
            figure,
        }
    }

    /// Returns whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.needed.is_empty()
    }

    /// Returns how many of the required words the texts contain, and how many are required.
    pub(super) fn held(&self, texts: &[&str]) -> (usize, usize) {
        let hay: Vec<String> = texts.iter().flat_map(|text| stems(text)).collect();
        let held = self.needed.iter().filter(|word| hay.contains(word));
        (held.count(), self.needed.len())
    }

    /// Returns the part of a text with the highest score; `None` if the text contains none of the words.
    pub(super) fn passage(&self, text: &str) -> Option<Passage> {
        let parts = sentences(text);
        let mut best: Option<(u32, usize, String)> = None;
        for from in 0..parts.len() {
            for to in from + 1..=parts.len().min(from + PASSAGE_SENTENCES_MAX) {
                let joined = parts[from..to].join(" ");
                if to > from + 1 && joined.chars().count() > PASSAGE_CHARS_MAX {
                    break;
                }
                let score = self.score(&joined);
                let length = to - from;
                let better = best.as_ref().is_none_or(|(most, parts, _)| {
                    score > *most || score == *most && length < *parts
                });
                if score > 0 && better {
                    best = Some((score, length, joined));
                }
            }
        }
        best.map(|(score, _, text)| Passage {
            text: crate::words::cut(&text, PASSAGE_CHARS_MAX),
            score,
        })
    }

    /// Scores a text: required words count most, then a figure if one is asked for, then the other words. 0 without any
    /// of the words.
    fn score(&self, text: &str) -> u32 {
        let hay = stems(text);
        let count = |list: &[String]| {
            let held = list.iter().filter(|word| hay.contains(word)).count();
            u32::try_from(held).unwrap_or(u32::MAX)
        };
        let (needed, loose) = (count(&self.needed), count(&self.loose));
        if needed + loose == 0 {
            return 0;
        }
        let figure = self.figure && text.contains(|c: char| c.is_ascii_digit());
        needed * 4 + loose + if figure { 3 } else { 0 }
    }
}

fn stems(text: &str) -> Vec<String> {
    words(text).iter().map(|word| stem(word)).collect()
}

/// Returns the lines of a text, split into sentences.
fn sentences(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for line in text.lines() {
        // Skip quotations from earlier mails: those mails are searched themselves.
        let line = line.trim();
        if line.is_empty() || line.starts_with('>') {
            continue;
        }
        let mut rest = line;
        while let Some(end) = sentence_end(rest) {
            parts.push(rest[..end].trim().to_owned());
            rest = rest[end..].trim_start();
        }
        if !rest.is_empty() {
            parts.push(rest.to_owned());
        }
    }
    parts
}

/// Returns the end of the first sentence that another follows.
fn sentence_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..text.len().saturating_sub(2)).find_map(|at| {
        let ends = matches!(bytes[at], b'.' | b'!' | b'?') && bytes[at + 1] == b' ';
        let next = text.get(at + 2..)?.chars().next()?;
        (ends && !next.is_lowercase()).then_some(at + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_with_the_words_and_the_figure_is_the_answer() {
        let text = "Hello! The boiler was serviced in May. The service cost 140 euros. The invoice follows.\n\n> The boiler cost 9.";
        let sought = Sought::of("how much did the boiler service cost", true);
        let passage = sought.passage(text).expect("a passage");
        assert_eq!(
            passage.text,
            "The boiler was serviced in May. The service cost 140 euros."
        );
        assert_eq!(sought.held(&["Boiler", text]), (2, 2));
        assert_eq!(sought.passage("Nothing of that kind."), None);
        assert_eq!(sought.passage(""), None);
    }

    #[test]
    fn words_that_any_answer_holds_are_not_enough() {
        let sought = Sought::of("when does the parcel come", true);
        assert_eq!(sought.held(&["I come on Monday"]), (0, 1));
        assert!(!Sought::of("when does it come", true).is_empty());
        assert!(Sought::of("what is it", false).is_empty());
    }
}
