//! The intake: reads what, why, and what success looks like from the person's first words. It never guesses: what the
//! words do not name stays missing.

use serde::{Deserialize, Serialize};

use crate::brief::{Brief, Draft, Missing};
use crate::claims;
use crate::lexicon::stems;
use crate::stage::IntakeReply;

/// Openings of a request for research; folded, longest first.
const OPENINGS: &[&str] = &[
    "i would like you to research",
    "could you please research",
    "can you please research",
    "please do some research on",
    "do some research on",
    "i want you to research",
    "i would like to know",
    "could you research",
    "can you research",
    "please look into",
    "please find out",
    "please research",
    "i want to know",
    "i need to know",
    "research about",
    "investigate",
    "research on",
    "look into",
    "find out",
    "research",
];
/// Phrases that begin a reason; folded.
const REASONS: &[&str] = &[
    " because ",
    " so that ",
    " so i can ",
    " so we can ",
    " in order to ",
    " to decide ",
    " to choose ",
    " since i ",
    " since we ",
    " as i need ",
    " for my ",
    " for our ",
];
/// Phrases that begin a wish for the result; folded.
const WISHES: &[&str] = &[
    " i need at least ",
    " it should ",
    " it must ",
    " i expect ",
    " a good result ",
    " a good answer ",
    " success is ",
    " success means ",
    " i am happy with ",
    " please include ",
    " make sure ",
    " the report should ",
    " the answer should ",
];
/// Maximum bytes of a question that a model proposes, and of each of its choices.
const QUESTION_BYTES_MAX: usize = 300;

/// A question for the first missing part of a brief, in a model's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposedQuestion {
    /// The part that the model found missing.
    pub missing: Missing,
    /// Text of the question.
    pub text: String,
    /// Two to four choices, or none; the person may always answer in other words.
    pub choices: Vec<String>,
}

/// What the person's first words say about a research.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intake {
    message: String,
    what: String,
    why: String,
    criteria: Vec<String>,
    proposed: Option<ProposedQuestion>,
}

impl Intake {
    /// Reads the first message without a model. Takes a reason and wishes only if the words introduce them as such.
    #[must_use]
    pub fn begin(message: &str) -> Self {
        let message = adjutant_text::cut(message.trim(), crate::brief::LINE_BYTES_MAX);
        let small = message.to_lowercase();
        if small.len() != message.len() {
            return Self {
                message: message.to_owned(),
                what: message.to_owned(),
                ..Self::default()
            };
        }
        let from = OPENINGS
            .iter()
            .find(|opening| starts_with_words(&small, opening))
            .map_or(0, |opening| opening.len());
        let reason = first(&small, REASONS, from);
        let wish = first(&small, WISHES, from);
        let end = |at: Option<usize>| at.unwrap_or(message.len());
        let what_end = end(reason).min(end(wish));
        let part = |begin: Option<usize>, until: usize| {
            begin
                .filter(|begin| *begin < until)
                .map_or("", |begin| &message[begin..until])
        };
        let why = part(
            reason,
            if end(wish) > end(reason) {
                end(wish)
            } else {
                message.len()
            },
        );
        let success = part(
            wish,
            if end(reason) > end(wish) {
                end(reason)
            } else {
                message.len()
            },
        );
        Self {
            message: message.to_owned(),
            what: trimmed(&message[from.min(what_end)..what_end]),
            why: trimmed(why),
            criteria: Some(trimmed(success))
                .filter(|text| !text.is_empty())
                .into_iter()
                .collect(),
            proposed: None,
        }
    }

    /// Takes what a model read in the message. Keeps only what the person said: numbers and names must be in their
    /// words, and each part must share a distinctive word with them.
    pub fn read(&mut self, reply: &IntakeReply) {
        let known = stems(&self.message);
        let message = self.message.as_str();
        let theirs = |text: &str| {
            !text.trim().is_empty()
                && claims::grounded(text, &[message])
                && stems(text).iter().any(|stem| known.contains(stem))
        };
        if theirs(&reply.objective) {
            self.what = trimmed(&reply.objective);
        }
        if theirs(&reply.why) {
            self.why = trimmed(&reply.why);
        }
        let criteria: Vec<String> = reply
            .criteria
            .iter()
            .filter(|one| theirs(one))
            .map(|one| trimmed(one))
            .collect();
        if !criteria.is_empty() {
            self.criteria = criteria;
        }
        let short = |text: &str| trimmed(adjutant_text::cut(text, QUESTION_BYTES_MAX));
        let text = short(&reply.ask);
        let mut choices: Vec<String> = reply.choices.iter().map(|one| short(one)).collect();
        choices.retain(|one| !one.is_empty());
        if !(2..=4).contains(&choices.len()) {
            choices.clear();
        }
        // The question belongs to the first part that the model itself left empty.
        let read = Brief::draft(&reply.objective, &reply.why, &reply.criteria);
        let missing = read.missing().first().copied();
        self.proposed = missing
            .filter(|_| !text.is_empty())
            .map(|missing| ProposedQuestion {
                missing,
                text,
                choices,
            });
    }

    /// Returns the message that is read, for the stage `intake`.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the question that a model proposed for the first missing part.
    #[must_use]
    pub fn proposed(&self) -> Option<&ProposedQuestion> {
        self.proposed.as_ref()
    }

    /// Returns the brief as the message says it.
    #[must_use]
    pub fn draft(&self) -> Brief<Draft> {
        Brief::draft(&self.what, &self.why, &self.criteria)
    }
}

fn starts_with_words(text: &str, opening: &str) -> bool {
    text.strip_prefix(opening)
        .is_some_and(|rest| rest.starts_with([' ', ':']))
}

/// Returns where the first of the marks begins at or after `from`.
fn first(small: &str, marks: &[&str], from: usize) -> Option<usize> {
    marks
        .iter()
        .filter_map(|mark| small.get(from..)?.find(mark).map(|at| at + from))
        .min()
}

fn trimmed(text: &str) -> String {
    text.trim_matches(|letter: char| {
        letter.is_whitespace() || matches!(letter, ',' | ';' | ':' | '.')
    })
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_words_say_is_not_asked_again() {
        let intake = Intake::begin(
            "Research heat pumps for old houses because I have to replace my boiler. It should compare running costs.",
        );
        let brief = intake.draft().clear().expect("nothing is missing");
        assert_eq!(brief.objective(), "heat pumps for old houses");
        assert_eq!(brief.why(), "because I have to replace my boiler");
        assert_eq!(brief.criteria(), ["It should compare running costs"]);
    }

    #[test]
    fn a_model_cannot_put_words_into_a_persons_mouth() {
        let mut intake = Intake::begin("research heat pumps for 2 old houses");
        intake.read(&IntakeReply {
            objective: "heat pumps for 2 old houses in Norway".to_owned(),
            why: "the person wants to buy 12 pumps".to_owned(),
            criteria: vec!["lanterns".to_owned()],
            ..IntakeReply::default()
        });
        assert_eq!(intake.draft().objective(), "heat pumps for 2 old houses");
        assert_eq!(intake.draft().missing(), [Missing::Why, Missing::Success]);
    }

    #[test]
    fn a_models_question_belongs_to_what_it_left_empty() {
        let mut intake = Intake::begin("research heat pumps");
        let reply = IntakeReply {
            objective: "heat pumps".to_owned(),
            ask: "Do you want to buy one?".to_owned(),
            choices: vec!["Yes".to_owned(), "No".to_owned()],
            ..IntakeReply::default()
        };
        intake.read(&reply);
        let proposed = intake.proposed().expect("a question");
        assert_eq!(
            (proposed.missing, proposed.choices.len()),
            (Missing::Why, 2)
        );
        intake.read(&IntakeReply {
            ask: "why? ".repeat(1_000),
            choices: vec!["Only one".to_owned()],
            ..reply
        });
        let proposed = intake.proposed().expect("a question");
        assert!(proposed.text.len() <= QUESTION_BYTES_MAX);
        assert!(proposed.choices.is_empty());
    }
}
