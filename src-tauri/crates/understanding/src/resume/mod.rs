//! Replies while something waits: yes, no, an answer, a change, never mind, or something else altogether.

mod answer;

use adjutant_domain::plan::{AnswerKind, Choice, Plan, Question};
use adjutant_domain::reading::{Reading, Reply, Resume, Utterance};
use adjutant_domain::route::Route;
use serde_json::Value;

use crate::confirm;
use crate::plan;

/// Words of a reply that drops what waits.
const DROPS: &[&str] = &[
    "never mind",
    "nevermind",
    "forget it",
    "forget about it",
    "drop it",
    "leave it",
    "skip it",
    "cancel",
    "cancel it",
    "cancel that",
    "stop",
    "abort",
    "scrap it",
    "scrap that",
    "not anymore",
    "not any more",
    "leave that",
    "let it be",
    "let us leave it",
    "drop that",
    "forget that",
    "do not bother",
    "dont bother",
    "don't bother",
    "ignore that",
    "ignore it",
    "i changed my mind",
    "changed my mind",
    "no longer needed",
    "don't do it",
    "do not do it",
    "dont do it",
    "skip that",
    "quit",
    "no never mind",
    "no nevermind",
    "no forget it",
    "nvm",
    "actually never mind",
    "actually nevermind",
    "actually forget it",
    "ok forget it",
    "oh never mind",
    "oh forget it",
    "forget the whole thing",
    "cancel this",
    "cancel the request",
    "discard it",
    "discard that",
];

/// Whether `text` answers the question `prompt` with yes or no.
#[must_use]
pub fn confirm(text: &str, prompt: &str) -> Reply {
    match confirm::answer(text, Some(prompt).filter(|prompt| !prompt.is_empty())) {
        confirm::Answer::Affirmative => Reply::Yes,
        confirm::Answer::Negative => Reply::No,
        confirm::Answer::Neither => Reply::Neither,
    }
}

/// What a message is while `waiting`, the plan of `request`, waits.
#[must_use]
pub fn resume(
    said: &Utterance<'_>,
    request: &str,
    waiting: &Plan,
    question: Option<&Question>,
    route: impl Fn() -> Route,
) -> Resume {
    if drops(said.text) {
        return Resume::Abandon;
    }
    if let Some(question) = question {
        return to_question(said, request, waiting, question, route);
    }
    // A change is looked for first: "no, make it Friday" is more than a no. A clear yes is only ever a yes.
    let prompt = format!("{}\n{request}", waiting.request);
    match confirm::answer(said.text, Some(&prompt)) {
        confirm::Answer::Affirmative => Resume::Yes,
        given => match plan::changed(request, said.text, said) {
            Some(text) => Resume::Modify { text },
            None if given == confirm::Answer::Negative => Resume::No,
            None => Resume::New,
        },
    }
}

fn to_question(
    said: &Utterance<'_>,
    request: &str,
    waiting: &Plan,
    question: &Question,
    route: impl Fn() -> Route,
) -> Resume {
    let text_wanted = question.answer == AnswerKind::Text;
    if !text_wanted
        && question.answer != AnswerKind::Choice
        && confirm::answer(said.text, Some(&question.text)) == confirm::Answer::Negative
    {
        return Resume::Abandon;
    }
    // The new time of a move may be a time of day alone: the day of what is moved is kept by planning again.
    if matches!(question.slot.as_str(), "/changes/start" | "/changes/due")
        && answer::moment(said, None).is_some()
    {
        let to = said.text.trim().trim_end_matches(['.', '!']);
        let to = ["to ", "at ", "on "]
            .iter()
            .find_map(|lead| to.strip_prefix(lead))
            .unwrap_or(to);
        return Resume::Modify {
            text: format!(
                "{} to {to}",
                request.trim().trim_end_matches(['.', '!', '?'])
            ),
        };
    }
    let day = waiting
        .steps
        .iter()
        .find(|step| step.draft.question.as_ref() == Some(question))
        .and_then(|step| step.draft.args.pointer(&question.slot))
        .and_then(Value::as_str)
        .and_then(|text| text.parse().ok());
    let given = match question.answer {
        AnswerKind::Moment => answer::moment(said, day.as_ref()),
        kind => answer(said, kind, &question.choices),
    };
    // A request of its own is no answer, unless words were asked for: those are taken as they are.
    if let Some(value) = given
        && (text_wanted || question.answer == AnswerKind::Choice || !is_request(said, &route()))
    {
        return Resume::Answer(value);
    }
    if is_request(said, &route()) {
        return Resume::New;
    }
    match plan::changed(request, said.text, said) {
        Some(text) => Resume::Modify { text },
        None => Resume::New,
    }
}

fn is_request(said: &Utterance<'_>, route: &Route) -> bool {
    matches!(plan::plan(said, route), Reading::Plan { .. })
}

fn drops(text: &str) -> bool {
    let low = text.to_lowercase().replace('\u{2019}', "'");
    let core: String = low
        .split_whitespace()
        .map(|word| word.trim_matches([',', '.', '!']))
        .filter(|word| {
            !matches!(
                *word,
                "please" | "adjutant" | "thanks" | "sorry" | "then" | ""
            )
        })
        .collect::<Vec<_>>()
        .join(" ");
    DROPS.contains(&core.as_str())
}

/// Reads a typed answer. `None`: it does not answer the question.
#[must_use]
pub fn answer(said: &Utterance<'_>, kind: AnswerKind, choices: &[Choice]) -> Option<Value> {
    answer::read(said, kind, choices)
}

#[cfg(test)]
mod tests;
