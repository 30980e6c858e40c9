//! Finds the part of a text that answers a question: the one where its words and its kinds of answers occur together.

use std::ops::Range;

use super::document::{Document, Sentence};
use super::shape::Shape;
use super::sought::{Sought, Word};

/// Maximum characters of a passage.
const PASSAGE_CHARS_MAX: usize = 360;
/// Maximum sentences of a passage.
const PASSAGE_SENTENCES_MAX: usize = 3;
/// How many sentences away a word still says what a passage is about.
const NEAR: usize = 4;

/// How much a word counts, by where it stands: in a statement of the passage, in a question of it, in the title, among
/// the people and places of the source, near the passage, and elsewhere in the text.
const STATED: f32 = 1.0;
const ASKED: f32 = 0.4;
const TITLED: f32 = 0.8;
const ABOUT: f32 = 0.7;
const NEARBY: f32 = 0.4;
const ELSEWHERE: f32 = 0.1;

/// What an answer of the wanted kind adds; a word of mean weight adds 4.
const SHAPE_BONUS: f32 = 3.0;
/// Share of the weight of all words that a title must contain for a passage with none of them.
const TITLE_SHARE_MIN: f32 = 0.5;

/// A passage with its score.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Passage {
    pub(super) text: String,
    pub(super) score: f32,
    /// How many of the wanted kinds of answers it holds.
    pub(super) shapes: f32,
    /// Whether it only asks something.
    pub(super) asks: bool,
}

impl Sought {
    /// Returns the part of a text with the highest score; `None` if no part is about what is sought.
    pub(super) fn passage(&self, document: &Document) -> Option<Passage> {
        let parts = &document.sentences;
        let titled = self.titled(document) >= TITLE_SHARE_MIN;
        let mut best: Option<(f32, Range<usize>)> = None;
        for from in 0..parts.len() {
            let mut chars = 0;
            for to in from + 1..=parts.len().min(from + PASSAGE_SENTENCES_MAX) {
                chars += parts[to - 1].text.chars().count() + 1;
                if to > from + 1 && chars > PASSAGE_CHARS_MAX + 1 {
                    break;
                }
                let shapes = self.shapes_held(|shape| held_in(&parts[from..to], shape));
                let holds = |word: &Word| parts[from..to].iter().any(|one| word.is_in(&one.stems));
                let mentioned = self.needed.iter().chain(&self.loose).any(holds);
                if !(mentioned || titled && shapes > 0.0) {
                    continue;
                }
                let score = self.score(document, &(from..to)) + shapes * SHAPE_BONUS;
                let better = best.as_ref().is_none_or(|(most, range)| {
                    score > most + f32::EPSILON
                        || (score - most).abs() <= f32::EPSILON && to - from < range.len()
                });
                if better {
                    best = Some((score, from..to));
                }
            }
        }
        best.map(|(score, range)| {
            let more = self.elsewhere(parts, &range);
            let more_shapes: f32 = more.iter().map(|(_, held)| held).sum();
            let shown = &parts[range.clone()];
            let text = |parts: &[Sentence]| -> String {
                let text: Vec<&str> = parts.iter().map(|one| one.text.as_str()).collect();
                text.join(" ")
            };
            let mut shown_at = vec![(
                range.start,
                crate::words::cut(&text(shown), PASSAGE_CHARS_MAX),
            )];
            shown_at.extend(more.iter().map(|(at, _)| (*at, parts[*at].text.clone())));
            shown_at.sort_by_key(|(at, _)| *at);
            let texts: Vec<String> = shown_at.into_iter().map(|(_, text)| text).collect();
            Passage {
                text: texts.join(" … "),
                score: score + more_shapes * SHAPE_BONUS,
                shapes: self.shapes_held(|shape| held_in(shown, shape)) + more_shapes,
                asks: shown.iter().all(|one| one.asks),
            }
        })
    }

    /// Returns the sentences of a text outside a part of it that hold the kinds of answers which this part lacks, with
    /// how well they do: a price and a deadline may stand far from each other.
    fn elsewhere(&self, parts: &[Sentence], range: &Range<usize>) -> Vec<(usize, f32)> {
        /// Minimum for a sentence that holds an answer.
        const CERTAIN: f32 = 0.9;
        /// Maximum characters of such a sentence.
        const CHARS_MAX: usize = 200;
        let lacking = |shape: &&Shape| held_in(&parts[range.clone()], **shape) < CERTAIN;
        let mut found: Vec<(usize, f32)> = Vec::new();
        if self.shapes.len() < 2 {
            return found;
        }
        for shape in self.shapes.iter().filter(lacking) {
            let outside = (0..parts.len()).filter(|at| !range.contains(at));
            let holds = |at: &usize| {
                let short = parts[*at].text.chars().count() <= CHARS_MAX;
                short && held_in(&parts[*at..*at + 1], *shape) >= CERTAIN
            };
            if let Some(at) = outside.clone().find(holds)
                && !found.iter().any(|(one, _)| *one == at)
            {
                found.push((at, 1.0));
            }
        }
        found
    }

    /// Returns the line of a source with its score, or its title if it has no line.
    pub(super) fn line(&self, document: &Document) -> Passage {
        let (line, own) = match &document.line {
            Some(line) => (line, STATED),
            None => (&document.title, TITLED),
        };
        let shapes = match &document.line {
            Some(_) => self.shapes_held(|shape| document.line_holds(shape)),
            None => self.shapes_held(|shape| held_in(std::slice::from_ref(line), shape)),
        };
        let credit = |word: &Word| match word.is_in(&line.stems) {
            true => own,
            false => self.around(word, document, &(0..0)),
        };
        let needed = self.needed.iter().map(|word| word.weight * credit(word));
        let score = needed.sum::<f32>() + self.loose_in(std::slice::from_ref(line));
        Passage {
            text: line.text.clone(),
            score: score
                + if score > 0.0 {
                    shapes * SHAPE_BONUS
                } else {
                    0.0
                },
            shapes,
            asks: line.asks,
        }
    }

    /// Reports whether a passage that holds so many kinds of answers may answer. From whom something is, every source
    /// says.
    pub(super) fn is_answered(&self, shapes: f32) -> bool {
        /// Minimum for a kind of answer that a text perhaps holds.
        const PERHAPS: f32 = 0.5;
        self.shapes.is_empty() || self.shapes.contains(&Shape::Person) || shapes >= PERHAPS
    }

    /// Scores the words of a part of a text: required words count most, and most where they stand in a statement of it.
    fn score(&self, document: &Document, range: &Range<usize>) -> f32 {
        let parts = &document.sentences[range.clone()];
        let credit = |word: &Word| {
            let inside = parts.iter().filter(|one| word.is_in(&one.stems));
            let inside = inside.map(|one| if one.asks { ASKED } else { STATED });
            inside
                .fold(0.0, f32::max)
                .max(self.around(word, document, range))
        };
        let needed = self.needed.iter().map(|word| word.weight * credit(word));
        needed.sum::<f32>() + self.loose_in(parts)
    }

    /// Returns how much a word counts that stands outside a part of a text.
    #[expect(clippy::unused_self, reason = "it belongs to the scores")]
    fn around(&self, word: &Word, document: &Document, range: &Range<usize>) -> f32 {
        if word.is_in(&document.title.stems) {
            return TITLED;
        }
        if word.is_in(&document.about) || word.means_one_of(&document.people) {
            return ABOUT;
        }
        let parts = document.sentences.iter().enumerate();
        let mut held = parts.filter(|(_, one)| word.is_in(&one.stems)).peekable();
        if held.peek().is_none() {
            return 0.0;
        }
        let near =
            held.any(|(at, one)| !one.asks && at + NEAR >= range.start && at < range.end + NEAR);
        if near { NEARBY } else { ELSEWHERE }
    }

    /// Returns what the words add that an answer may omit.
    fn loose_in(&self, parts: &[Sentence]) -> f32 {
        let stated = |word: &&Word| parts.iter().any(|one| !one.asks && word.is_in(&one.stems));
        let stated = self.loose.iter().filter(stated);
        stated.map(|word| word.weight).sum()
    }

    /// Returns how many of the wanted kinds of answers there are.
    fn shapes_held(&self, held: impl Fn(Shape) -> f32) -> f32 {
        self.shapes.iter().map(|shape| held(*shape)).sum()
    }
}

/// Returns how well sentences answer a question of this shape; a question hardly does.
fn held_in(parts: &[Sentence], shape: Shape) -> f32 {
    let held = parts.iter().map(|one| {
        let held = shape.held(&one.text);
        if one.asks { held * ASKED } else { held }
    });
    held.fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::super::sources::Source;
    use super::*;
    use jiff::Timestamp;

    fn note(title: &str, text: &str) -> Document {
        Document::of(&Source {
            kind: "note",
            id: "note_1".into(),
            title: title.into(),
            about: String::new(),
            text: text.into(),
            line: None,
            place: "note".into(),
            referent: None,
            foreign: false,
            at: Timestamp::UNIX_EPOCH,
            people: Vec::new(),
            roles: String::new(),
            placed: false,
        })
    }

    fn passage(asked: &str, shapes: &[Shape], document: &Document) -> Option<String> {
        let mut sought = Sought::of(asked, shapes);
        sought.weigh(std::slice::from_ref(document));
        sought.passage(document).map(|passage| passage.text)
    }

    #[test]
    fn the_sentence_with_the_words_and_the_figure_is_the_answer() {
        let text = "Hello! The boiler was serviced in May. The service cost 140 euros. The invoice follows.\n\n> The boiler cost 9.";
        let boiler = note("Boiler", text);
        let asked = "how much did the boiler service cost";
        assert_eq!(
            passage(asked, &[], &boiler).as_deref(),
            Some("The boiler was serviced in May. The service cost 140 euros.")
        );
        assert_eq!(passage(asked, &[], &note("x", "Nothing of it.")), None);
        assert_eq!(passage(asked, &[], &note("x", "")), None);
    }

    #[test]
    fn what_the_title_names_needs_no_mention_in_the_answer() {
        let pie = note("Pie", "Six apples and 200 g butter.\nBake 35 minutes.");
        assert_eq!(
            passage("pie", &[Shape::Length], &pie).as_deref(),
            Some("Bake 35 minutes.")
        );
        assert_eq!(passage("pie", &[], &pie), None);
    }

    #[test]
    fn both_of_two_answers_that_stand_near_each_other_are_shown() {
        let text = "Mooring 4 is ours.\nIt costs $90.\nIt is paid until May 3.\nBring fenders.";
        let wanted = [Shape::Amount, Shape::Length];
        assert_eq!(
            passage("mooring", &wanted, &note("Boat", text)).as_deref(),
            Some("Mooring 4 is ours. It costs $90. It is paid until May 3.")
        );
    }

    #[test]
    fn a_question_is_no_answer() {
        let text = "Where is the oar? The oar is in the shed.";
        assert_eq!(
            passage("oar", &[Shape::Place], &note("x", text)).as_deref(),
            Some("The oar is in the shed.")
        );
    }
}
