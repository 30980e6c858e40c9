//! The intake: reads what, why, and what success looks like from the person's words. It never guesses; it asks for the
//! first missing part.

use serde::{Deserialize, Serialize};

use crate::brief::{Brief, Clear, Missing};
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
/// Wishes that contradict each other, with the choices to offer; folded.
const OPPOSED: &[(&[&str], &[&str], &str, &str)] = &[(
    &["short", "brief", "concise"],
    &["exhaustive", "comprehensive", "detailed"],
    "A short answer",
    "A detailed answer",
)];
const WHY_CHOICES: &[&str] = &[
    "To decide something",
    "To write or talk about it",
    "To check something I heard",
    "To understand it",
];
const SUCCESS_CHOICES: &[&str] = &[
    "A short answer with its sources",
    "An overview of the main points",
    "A comparison of the options",
    "Every source there is",
];

/// A question to the person, open or with two to four choices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntakeQuestion {
    /// The missing part of the brief.
    pub missing: Missing,
    /// Text of the question.
    pub text: String,
    /// Two to four choices, or none; the person may always answer in other words.
    pub choices: Vec<String>,
}

/// The next step of an intake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntakeStep {
    /// Ask the person this.
    Ask(IntakeQuestion),
    /// Nothing is missing; the person confirms the brief.
    Ready(Brief<Clear>),
}

/// An intake in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intake {
    what: String,
    why: String,
    criteria: Vec<String>,
    said: Vec<String>,
    /// The question and choices that a model proposed, if one reads along.
    #[serde(default)]
    proposed: Option<(String, Vec<String>)>,
}

impl Intake {
    /// Reads the first message without a model. Takes a reason and wishes only if the words introduce them as such.
    #[must_use]
    pub fn begin(message: &str) -> Self {
        let message = adjutant_text::cut(message.trim(), crate::brief::LINE_BYTES_MAX);
        let said = vec![message.to_owned()];
        let small = message.to_lowercase();
        if small.len() != message.len() {
            return Self {
                what: message.to_owned(),
                said,
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
            what: trimmed(&message[from.min(what_end)..what_end]),
            why: trimmed(why),
            criteria: Some(trimmed(success))
                .filter(|text| !text.is_empty())
                .into_iter()
                .collect(),
            said,
            proposed: None,
        }
    }

    /// Takes what a model read in the person's words so far. Keeps only what the person said: numbers and names must be
    /// in their words, and each part must share a distinctive word with them.
    pub fn read(&mut self, reply: &IntakeReply) {
        let said = self.said.join("\n");
        let known = stems(&said);
        let theirs = |text: &str| {
            !text.trim().is_empty()
                && claims::grounded(text, &[&said])
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
        let ask = trimmed(&reply.ask);
        let choices: Vec<String> = reply
            .choices
            .iter()
            .map(|one| trimmed(one))
            .filter(|one| !one.is_empty())
            .collect();
        let choices = if (2..=4).contains(&choices.len()) {
            choices
        } else {
            Vec::new()
        };
        self.proposed = (!ask.is_empty()).then_some((ask, choices));
    }

    /// Takes the person's answer about a missing part.
    pub fn answer(&mut self, missing: Missing, text: &str) {
        let text = trimmed(adjutant_text::cut(text, crate::brief::LINE_BYTES_MAX));
        if text.is_empty() {
            return;
        }
        self.said.push(text.clone());
        self.proposed = None;
        match missing {
            Missing::What => {
                // A second answer that shares no word with the first is added to it: both are the topic.
                let known = stems(&text)
                    .iter()
                    .any(|stem| stems(&self.what).contains(stem));
                self.what = if self.what.is_empty() || known {
                    text
                } else {
                    format!("{}: {text}", self.what)
                };
            }
            Missing::Why => self.why = text,
            Missing::Success => self.criteria = vec![text],
        }
    }

    /// Returns everything the person has said so far, for the stage `intake`.
    #[must_use]
    pub fn said(&self) -> &[String] {
        &self.said
    }

    /// Returns the brief as understood so far.
    #[must_use]
    pub fn draft(&self) -> Brief<crate::brief::Draft> {
        Brief::draft(&self.what, &self.why, &self.criteria)
    }

    /// Returns the next step: a question for the first missing part, or the brief.
    #[must_use]
    pub fn next(&self) -> IntakeStep {
        if let Some((one, other)) = opposed(&self.criteria) {
            return IntakeStep::Ask(IntakeQuestion {
                missing: Missing::Success,
                text: "These wishes do not go together. Which one matters?".to_owned(),
                choices: vec![one.to_owned(), other.to_owned()],
            });
        }
        match self.draft().clear() {
            Ok(brief) => IntakeStep::Ready(brief),
            Err(missing) => {
                IntakeStep::Ask(self.ask(missing.first().copied().unwrap_or(Missing::What)))
            }
        }
    }

    fn ask(&self, missing: Missing) -> IntakeQuestion {
        let (text, choices): (String, &[&str]) = match missing {
            Missing::What if self.what.is_empty() => {
                ("What exactly should be found out?".to_owned(), &[])
            }
            Missing::What => (
                format!("What exactly about “{}” should be found out?", self.what),
                &[],
            ),
            Missing::Why => ("What is it for?".to_owned(), WHY_CHOICES),
            Missing::Success => (
                "What should the result look like?".to_owned(),
                SUCCESS_CHOICES,
            ),
        };
        let own = || {
            (
                text.clone(),
                choices.iter().map(|one| (*one).to_owned()).collect(),
            )
        };
        let (text, choices) = self.proposed.clone().unwrap_or_else(own);
        IntakeQuestion {
            missing,
            text,
            choices,
        }
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

/// Returns the choices for two wishes that contradict each other: "a short report" and "an exhaustive report".
#[must_use]
pub fn opposed(criteria: &[String]) -> Option<(&'static str, &'static str)> {
    let words = adjutant_text::words(&criteria.join(" "));
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let found = OPPOSED
        .iter()
        .find(|(one, other, _, _)| has(one) && has(other));
    found.map(|(_, _, one, other)| (*one, *other))
}

/// Puts the person's choice in the place of the criteria that contradict each other.
#[must_use]
pub fn settled(criteria: &[String], choice: &str) -> Vec<String> {
    let speaks = |one: &String| {
        let words = adjutant_text::words(one);
        let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        OPPOSED
            .iter()
            .any(|(one, other, _, _)| any(one) || any(other))
    };
    let kept = criteria.iter().filter(|one| !speaks(one)).cloned();
    std::iter::once(choice.trim().to_owned())
        .chain(kept)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_takes_the_place_of_opposed_wishes() {
        let wishes = [
            "a short report",
            "prices in euro",
            "every source, exhaustive",
        ];
        let wishes = wishes.map(str::to_owned);
        let (short, _) = opposed(&wishes).expect("they do not go together");
        let settled = settled(&wishes, short);
        assert_eq!(settled, ["A short answer", "prices in euro"]);
        assert_eq!(opposed(&settled), None);
    }

    fn asked(intake: &Intake) -> Option<Missing> {
        match intake.next() {
            IntakeStep::Ask(asking) => Some(asking.missing),
            IntakeStep::Ready(_) => None,
        }
    }

    #[test]
    fn what_the_words_say_is_not_asked_again() {
        let intake = Intake::begin(
            "Research heat pumps for old houses because I have to replace my boiler. It should compare running costs.",
        );
        let IntakeStep::Ready(brief) = intake.next() else {
            panic!("asked again: {:?}", intake.next());
        };
        assert_eq!(brief.objective(), "heat pumps for old houses");
        assert_eq!(brief.why(), "because I have to replace my boiler");
        assert_eq!(brief.criteria(), ["It should compare running costs"]);
    }

    #[test]
    fn one_thing_is_asked_at_a_time_and_nothing_is_guessed() {
        let mut intake = Intake::begin("research pumps");
        assert_eq!(asked(&intake), Some(Missing::What));
        intake.answer(Missing::What, "noise at night");
        assert_eq!(intake.draft().objective(), "pumps: noise at night");
        assert_eq!(asked(&intake), Some(Missing::Why));
        intake.answer(Missing::Why, "To decide something");
        assert_eq!(asked(&intake), Some(Missing::Success));
        intake.answer(Missing::Success, "a short but comprehensive report");
        assert_eq!(asked(&intake), Some(Missing::Success));
        intake.answer(Missing::Success, "A short answer");
        assert_eq!(asked(&intake), None);
    }

    #[test]
    fn a_model_cannot_put_words_into_a_persons_mouth() {
        let mut intake = Intake::begin("research heat pumps for 2 old houses");
        intake.read(&IntakeReply {
            objective: "heat pumps for 2 old houses in Norway".to_owned(),
            why: "the person wants to buy 12 pumps".to_owned(),
            criteria: vec!["lanterns".to_owned()],
            ask: "Is it about buying one?".to_owned(),
            choices: vec!["Yes".to_owned(), "No".to_owned()],
        });
        assert_eq!(intake.draft().objective(), "heat pumps for 2 old houses");
        assert_eq!(intake.draft().missing(), [Missing::Why, Missing::Success]);
        let IntakeStep::Ask(asking) = intake.next() else {
            panic!("guessed");
        };
        assert_eq!(
            (asking.text.as_str(), asking.choices.len()),
            ("Is it about buying one?", 2)
        );
    }
}
