//! What an answer may rest on besides receipts: what the person said and what the turn has read.

use adjutant_domain::plan::{Plan, StepState};
use adjutant_text::{stem, words};
use serde_json::Value;

use super::verbs::ASKED_FOR;
use super::words::{ASKING, JOINS, KNOWING, NOT_OBJECTS, OPENERS};

/// Minimum length in characters of a word that names something.
const NAME_CHARS_MIN: usize = 3;

/// What is known when an answer is judged.
pub struct Grounds<'a> {
    /// The person's message.
    pub said: &'a str,
    /// The plan of the turn, with what its steps have read.
    pub plan: Option<&'a Plan>,
}

impl Grounds<'_> {
    /// Whether the person's message asks for an action and contains this word, so that a statement about the word is a
    /// claim.
    pub(super) fn ask_about(&self, word: &str) -> bool {
        let said = words(self.said);
        let wants_to_know = said
            .first()
            .is_some_and(|first| ASKING.contains(&first.as_str()));
        !wants_to_know
            && word.chars().count() >= NAME_CHARS_MIN
            && said.iter().any(|said| said == word)
    }

    /// Whether the person's message asks for something that only an effect can provide: "Please pay the bill", "Can you
    /// let Bob know that I am late?".
    pub(super) fn ask_for_effect(&self) -> bool {
        let said = words(self.said);
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        let opens = |at: usize| said[..at].iter().all(|word| OPENERS.contains(word));
        let goes_on = |at: usize| at > 0 && JOINS.contains(&said[at - 1]);
        let wants_to_know = said.iter().any(|word| KNOWING.contains(word));
        !wants_to_know
            && (0..said.len()).any(|at| {
                let verb = ASKED_FOR.contains(&said[at]) || is_message(&said[at..]);
                verb && (opens(at) || goes_on(at))
                    && said
                        .get(at + 1)
                        .is_some_and(|next| !NOT_OBJECTS.contains(next))
            })
    }

    /// Whether the turn has read the verb, in any regular form, so that the answer may report what others did.
    pub(super) fn tell(&self, verb: &str) -> bool {
        let verb = stem(verb);
        let steps = self.plan.iter().flat_map(|plan| &plan.steps);
        let read = steps.filter(|step| step.state == StepState::Done);
        let results = read.filter_map(|step| step.result.as_ref());
        results
            .into_iter()
            .any(|result| has(&result.say, &verb) || any_text(&result.output, &verb))
    }
}

/// Whether the words ask to tell somebody outside the conversation: "Let Bob know", "tell Kim that".
fn is_message(said: &[&str]) -> bool {
    let to_others = said
        .get(1)
        .is_some_and(|who| !matches!(*who, "me" | "us" | "a" | "the" | "more" | "about"));
    match said.first() {
        Some(&"let") => to_others && said.iter().take(6).any(|word| *word == "know"),
        Some(&"tell") => to_others && said.len() > 2,
        _ => false,
    }
}

fn any_text(value: &Value, verb: &str) -> bool {
    match value {
        Value::String(text) => has(text, verb),
        Value::Array(all) => all.iter().any(|one| any_text(one, verb)),
        Value::Object(all) => all.values().any(|one| any_text(one, verb)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn has(text: &str, verb: &str) -> bool {
    words(text).iter().any(|word| stem(word) == verb)
}
