//! What is said of a message that nobody reads: one line, with what to do next.

use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::reading::{Reading, Utterance};
use adjutant_domain::route::{Domain, Route};
use adjutant_domain::source::{Source, Sources};
use adjutant_text::message::{Kind, Language, Text, language};
use serde_json::json;

use crate::time::{self, Found, Policy};
use crate::{frames, near};

const NOT_UNDERSTOOD: &str = "I did not understand that, so I have done nothing.";
const HELP: &str = "Say “help” to see what I can do.";
const UNKNOWN: &str = "I don't know that: it needs a model or a source, and I am working without either. Say “help” to see what I can do.";
const TOO_LONG: &str = "That is too long for me to read as a request. Please say what to do in a few sentences; longer text can be saved as a file and searched.";
const OPEN: &str = "A quotation mark is missing, so I can't tell what belongs to the quotation. I have done nothing.";
const COUNTED: &str = "That says how often, but not on which days, so I have done nothing. For example “every Tuesday and Thursday at 6”.";
const NOT_ENGLISH: &str = "I understand only English so far. Please say it in English.";
const EMPTY: &str = "I am here. What can I do for you?";

/// An answer to what has no words, or words of another language. `None`: it may be read.
pub(crate) fn at_once(said: &Utterance<'_>) -> Option<Reading> {
    let read = Text::read(said.text);
    let says =
        |token: &adjutant_text::message::Token| !matches!(token.kind, Kind::Mark | Kind::Emoji);
    let text = match () {
        () if language(&read) == Language::Other => NOT_ENGLISH,
        () if !read.tokens.iter().any(says) => EMPTY,
        () => return None,
    };
    Some(Reading::Say {
        text: text.to_owned(),
        trace: Vec::new(),
    })
}

/// Whether a message seems to ask about the world, not about what the person has.
pub(crate) fn is_of_the_world(said: &Utterance<'_>, route: &Route) -> bool {
    let knowledge = route.domains.is_empty() || route.domains == [Domain::Research];
    knowledge && is_question(said.text)
}

/// A message about nothing but sums goes to the calculator as it is: it says itself what it cannot work out.
pub(crate) fn sum(said: &Utterance<'_>, route: &Route) -> Option<Reading> {
    let only = route.domains == [Domain::Calc] && frames::is_readable(said.text);
    let words = said.text.trim();
    if !only || words.contains(['"', '“']) {
        return None;
    }
    let step = StepDraft {
        key: StepKey("s1".into()),
        say: format!("Work out {words}"),
        tool: "calc.evaluate".into(),
        args: json!({ "text": words }),
        sources: Sources::from([(
            "/text".to_owned(),
            Source::Person {
                words: Some(words.to_owned()),
            },
        )]),
        ..StepDraft::default()
    };
    Some(Reading::Plan {
        plan: PlanDraft {
            request: step.say.clone(),
            steps: vec![step],
        },
        trace: Vec::new(),
    })
}

/// The line for what was not understood, with the nearest requests.
pub(crate) fn not_understood(said: &Utterance<'_>, route: &Route) -> Reading {
    let near = || near::requests(said.text, &route.domains);
    let (text, near) = match () {
        () if !frames::is_readable(said.text) => (TOO_LONG.to_owned(), Vec::new()),
        () if said.text.matches('"').count() % 2 == 1 => (OPEN.to_owned(), Vec::new()),
        () if is_counted(said) => (COUNTED.to_owned(), Vec::new()),
        () if is_of_the_world(said, route) => (UNKNOWN.to_owned(), Vec::new()),
        () => match near() {
            // Two say enough; fewer need the way to all there are.
            near if near.len() > 1 => (NOT_UNDERSTOOD.to_owned(), near),
            near => (format!("{NOT_UNDERSTOOD} {HELP}"), near),
        },
    };
    Reading::NotUnderstood {
        text,
        near: near.into_iter().map(str::to_owned).collect(),
        trace: Vec::new(),
    }
}

/// Whether something is to happen several times in a week or month, on days that nobody names.
fn is_counted(said: &Utterance<'_>) -> bool {
    let founds = time::find(said.text, said.now, &Policy::of(said.settings));
    founds.iter().any(Found::is_counted)
}

/// Whether a message asks for what somebody knows.
fn is_question(text: &str) -> bool {
    const LEADS: &[&str] = &[
        "what", "who", "when", "where", "why", "how", "which", "is", "are", "do", "does", "did",
        "explain", "define",
    ];
    let text = text.trim();
    let first = text.split(|c: char| !c.is_alphabetic()).next();
    text.ends_with('?') || first.is_some_and(|first| LEADS.contains(&first.to_lowercase().as_str()))
}
