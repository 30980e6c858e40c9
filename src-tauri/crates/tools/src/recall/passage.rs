//! Finds the part of a text that answers a question: the one where its words occur together.

use adjutant_text::message::mistyped;
use adjutant_text::{says_nothing, stem, words};

/// Maximum characters of a passage.
const PASSAGE_CHARS_MAX: usize = 360;
/// Maximum sentences of a passage.
const PASSAGE_SENTENCES_MAX: usize = 3;

/// Words of a question that the answer may express differently or omit.
const LOOSE: &str = "much many long often come comes came coming arrive arrives arrived get gets got go goes going went say says said \
    tell cost costs new current latest next last need needs take takes happen happens have happened now again please find know exactly \
    day time date tomorrow today offer offered offers give gave gives write wrote written called name mean means want wants thing \
    work works working job leave leaves left depart departs start starts begin begins end ends pick picks picked choose chose chosen \
    decide decided settle settled pay pays paid charge charged charges";

/// Words of a question about a place, which the answer only names.
const PLACE: &str = "address location place where located";

/// Words of questions, and the words by which answers express the same.
const ALIKE: &[(&str, &str)] = &[
    (
        "out away off absent vacation holiday ooo pto",
        "out away off absent vacation holiday holidays leave ooo pto",
    ),
    (
        "chosen pick picked choose chose decided",
        "chosen choose chose pick picked prefer prefers preferred win wins won winner selected decided decision favourite favorite",
    ),
    ("fly flying", "flight"),
    ("oven", "bake baked baking roast roasted cook cooked"),
    ("valid", "until expire expires expiry"),
    ("bill", "invoice"),
    ("invoice", "bill"),
];

/// Words that say how long something takes or lasts.
const LENGTHS: &str = "minute minutes min mins hour hours hr hrs day days night nights week weeks month months year years until till";

/// What kind of answer a question wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AnswerShape {
    /// Any words.
    #[default]
    Words,
    /// A number, a price, a date or a code.
    Figure,
    /// How long, or until when.
    Length,
}

/// The words that are sought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sought {
    /// Stems that must occur.
    needed: Vec<String>,
    /// Stems that improve a passage.
    loose: Vec<String>,
    /// What kind of answer is wanted.
    wanted: AnswerShape,
    /// The words that must occur, as they were said.
    pub(super) said: String,
}

/// A passage with its score.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Passage {
    pub(super) text: String,
    pub(super) score: u32,
}

impl Sought {
    /// Reads the words of a question.
    pub(super) fn of(text: &str, wanted: AnswerShape) -> Self {
        let said = words(text);
        // The rest of "Ana's" says nothing.
        let telling = said
            .iter()
            .filter(|word| !says_nothing(word) && word.as_str() != "s");
        let (loose, needed): (Vec<&String>, Vec<&String>) =
            telling.partition(|word| is_loose(word));
        let stems = |words: &[&String]| -> Vec<String> {
            let mut stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            stems.sort();
            stems.dedup();
            stems
        };
        let (needed, loose) = match needed.is_empty() {
            true => (loose, Vec::new()),
            false => (needed, loose),
        };
        let shown: Vec<&str> = text
            .split_whitespace()
            .filter(|word| words(word).iter().any(|part| needed.contains(&part)))
            .collect();
        Self {
            needed: stems(&needed),
            loose: stems(&loose),
            wanted,
            said: shown.join(" "),
        }
    }

    /// Returns the words by which records are looked up: those of the question, and others that express the same.
    pub(super) fn query(&self, text: &str) -> String {
        let sought = self.needed.iter().chain(&self.loose);
        let alike = sought.filter_map(|word| alike(word));
        let more: Vec<&str> = alike.collect();
        match more.is_empty() {
            true => text.to_owned(),
            false => format!("{text} {}", more.join(" ")),
        }
    }

    /// Takes a word that none of the texts contains for the one of which it is a mistyped form.
    pub(super) fn mend(&mut self, texts: &[&str]) {
        let hays: Vec<Vec<String>> = texts.iter().map(|text| stems(text)).collect();
        for sought in &mut self.needed {
            if hays.iter().any(|hay| holds(hay, sought)) {
                continue;
            }
            let mut written = texts.iter().flat_map(|text| words(text));
            if let Some(meant) = written.find(|one| mistyped(sought, one)) {
                *sought = stem(&meant);
            }
        }
    }

    /// Returns whether there is nothing to look for.
    pub(super) fn is_empty(&self) -> bool {
        self.needed.is_empty()
    }

    /// Returns how many of the required words the texts contain, and how many are required.
    pub(super) fn held(&self, texts: &[&str]) -> (usize, usize) {
        let hay: Vec<String> = texts.iter().flat_map(|text| stems(text)).collect();
        let held = self.needed.iter().filter(|word| holds(&hay, word));
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

    /// Scores a text: required words count most, then a figure or a length if one is asked for, then the other words. 0 without any
    /// of the words.
    fn score(&self, text: &str) -> u32 {
        let hay = stems(text);
        let count = |list: &[String]| {
            let held = list.iter().filter(|word| holds(&hay, word)).count();
            u32::try_from(held).unwrap_or(u32::MAX)
        };
        let (needed, loose) = (count(&self.needed), count(&self.loose));
        if needed + loose == 0 {
            return 0;
        }
        let digits = || text.contains(|c: char| c.is_ascii_digit());
        let answers = match self.wanted {
            AnswerShape::Words => false,
            AnswerShape::Figure => digits(),
            AnswerShape::Length => {
                digits() && words(text).iter().any(|word| is_one_of(word, LENGTHS))
            }
        };
        needed * 4 + loose + if answers { 3 } else { 0 }
    }
}

fn stems(text: &str) -> Vec<String> {
    words(text).iter().map(|word| stem(word)).collect()
}

fn is_one_of(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// Whether the answer may express a word differently or omit it.
fn is_loose(word: &str) -> bool {
    let mut places = PLACE.split_whitespace();
    is_one_of(word, LOOSE) || places.any(|one| one == word || mistyped(word, one))
}

/// Returns the words that express the same as a stem of a question.
fn alike(word: &str) -> Option<&'static str> {
    let asked =
        |(asked, _): &&(&str, &'static str)| asked.split_whitespace().any(|one| stem(one) == word);
    ALIKE.iter().find(asked).map(|(_, answers)| *answers)
}

/// Whether stems contain a word, or another that expresses the same.
fn holds(hay: &[String], word: &String) -> bool {
    let others = alike(word).unwrap_or_default().split_whitespace();
    hay.contains(word) || others.map(stem).any(|one| hay.contains(&one))
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
        let sought = Sought::of("how much did the boiler service cost", AnswerShape::Figure);
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
        let sought = Sought::of("when does the parcel come", AnswerShape::Figure);
        assert_eq!(sought.held(&["I come on Monday"]), (0, 1));
        assert!(!Sought::of("when does it come", AnswerShape::Figure).is_empty());
        assert!(Sought::of("what is it", AnswerShape::Words).is_empty());
    }

    #[test]
    fn a_word_is_found_in_other_words_and_where_it_was_mistyped() {
        for (asked, text) in [
            ("Kim out", "Kim will be on vacation from May 4."),
            ("roof inspecton", "The roof inspection is on Monday."),
            ("Kim's roof", "Kim has a roof."),
            ("pie oven", "Bake the pie for an hour."),
            ("adress of the depot", "The depot, 4 Main Street"),
        ] {
            let mut sought = Sought::of(asked, AnswerShape::Words);
            sought.mend(&[text]);
            let (held, of) = sought.held(&[text]);
            assert_eq!(held, of, "{asked}");
        }
        let mut exact = Sought::of("contract", AnswerShape::Words);
        exact.mend(&["The contract", "The contact"]);
        assert_eq!(exact.held(&["The contact"]), (0, 1));
        assert_eq!(
            Sought::of("Kim's roof", AnswerShape::Words).said,
            "Kim's roof"
        );
        assert_eq!(Sought::of("logo chosen", AnswerShape::Words).said, "logo");
    }

    #[test]
    fn a_length_of_time_is_the_answer_to_how_long() {
        let text = "Pie\n\nSix apples and 200 g butter.\nBake 35 minutes.";
        let passage = Sought::of("pie", AnswerShape::Length).passage(text);
        assert!(passage.is_some_and(|passage| passage.text.contains("35 minutes")));
    }
}
