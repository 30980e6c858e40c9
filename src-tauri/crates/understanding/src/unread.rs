//! Replies to messages that the engine does not read: one line that says what the person can do next.

use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{PlanDraft, StepDraft};
use adjutant_domain::reading::{Reading, TraceLine, UNKNOWN, Utterance};
use adjutant_domain::route::{Domain, Route};
use adjutant_domain::source::{Source, Sources};
use adjutant_text::message::{Language, Text, TokenKind, language};
use adjutant_text::says_nothing;
use serde_json::json;

use crate::time::{self, Policy, TimeExpression};
use crate::{frames, near};

const NOT_UNDERSTOOD: &str = "I did not understand that, so I have done nothing.";
const HELP: &str = "Say “help” to see what I can do.";
const TOO_LONG: &str = "That is too long for me to read as a request. Please say what to do in a few sentences; longer text can be saved as a file and searched.";
const OPEN: &str = "A quotation mark is missing, so I can't tell what belongs to the quotation. I have done nothing.";
const COUNTED: &str = "That says how often, but not on which days, so I have done nothing. For example “every Tuesday and Thursday at 6”.";
const REPAIR: &str = "I did not understand what you took back in that, so I have done nothing. Please say again only what I shall do.";
const NOT_ENGLISH: &str = "I understand only English so far. Please say it in English.";
const EMPTY: &str = "I am here. What can I do for you?";

/// Returns the reply to a message without words, or in another language than English; otherwise `None`.
pub(crate) fn at_once(said: &Utterance<'_>) -> Option<Reading> {
    let read = Text::read(said.text);
    let says = |token: &adjutant_text::message::Token| {
        !matches!(token.kind, TokenKind::Mark | TokenKind::Emoji)
    };
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

/// Returns the reply to a message that takes something back, if it is unclear what remains: its first half is certainly
/// not wanted as it stands.
pub(crate) fn repair(said: &Utterance<'_>) -> Option<Reading> {
    let unclear = frames::repair(said) == Some(frames::Repair::Unclear);
    unclear.then(|| Reading::NotUnderstood {
        text: REPAIR.to_owned(),
        near: Vec::new(),
        trace: Vec::new(),
    })
}

/// Reports whether a message seems to ask about the world, not about the person's own records.
pub(crate) fn is_of_the_world(said: &Utterance<'_>, route: &Route) -> bool {
    let knowledge = route.domains.is_empty() || route.domains == [Domain::Research];
    knowledge && is_question(said.text)
}

/// Plans a message that consists only of a calculation as a call of the calculator, with its text unchanged. The
/// calculator itself reports what it cannot work out.
///
/// Returns `None` if the message has other domains, is too long, or contains a quotation.
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

/// Returns the reply to a message that was not understood, with the requests most similar to it.
pub(crate) fn not_understood(said: &Utterance<'_>, route: &Route) -> Reading {
    let near = || near::requests(said.text, &route.domains);
    let (text, near) = match () {
        () if !frames::is_readable(said.text) => (TOO_LONG.to_owned(), Vec::new()),
        () if said.text.matches('"').count() % 2 == 1 => (OPEN.to_owned(), Vec::new()),
        () if is_counted(said) => (COUNTED.to_owned(), Vec::new()),
        () if is_of_the_world(said, route) => (UNKNOWN.to_owned(), Vec::new()),
        () => match near() {
            // Two suggestions are enough; with fewer, the reply points to the full list.
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

/// Plans a question that nothing reads as a search of everything the person has: what it asks may be written somewhere.
/// Questions of which each names something of its own are searched for separately.
///
/// Returns `None` if a search cannot answer the message, or if it asks something of the program.
pub(crate) fn sought(said: &Utterance<'_>, route: &Route) -> Option<Reading> {
    /// Maximum characters of a question.
    const CHARS_MAX: usize = 300;
    if !frames::is_readable(said.text) || said.text.matches('"').count() % 2 == 1 {
        return None;
    }
    let question = frames::sought(said)?;
    let you = Text::read(&question.text);
    let you = you
        .tokens
        .iter()
        .any(|token| matches!(token.word.as_str(), "you" | "your" | "yourself"));
    let world = is_of_the_world(said, route) && !question.own;
    let tells = |part: &String| {
        Text::read(part)
            .tokens
            .iter()
            .any(|token| !says_nothing(&token.word))
    };
    // A question about the world that mentions nothing of the person's is for a model, where there is one.
    if world && !question.mentions
        || you && !question.own
        || question.text.chars().count() > CHARS_MAX
        || !question.parts.iter().all(tells)
    {
        return None;
    }
    let unsure = if world { "world" } else { "meaning" };
    let steps = question
        .parts
        .iter()
        .enumerate()
        .map(|(at, part)| StepDraft {
            key: StepKey(format!("s{}", at + 1)),
            say: "Look everywhere for it".into(),
            tool: "recall.search".into(),
            args: json!({ "text": part, "unsure": unsure }),
            sources: Sources::from([
                (
                    "/text".to_owned(),
                    Source::Person {
                        words: Some(part.clone()),
                    },
                ),
                ("/unsure".to_owned(), Source::Derived),
            ]),
            ..StepDraft::default()
        });
    Some(Reading::Plan {
        plan: PlanDraft {
            request: said.text.trim().to_owned(),
            steps: steps.collect(),
        },
        // Where a model is connected, it plans instead.
        trace: vec![TraceLine {
            span: None,
            what: "not understood".into(),
            value: said.text.trim().to_owned(),
        }],
    })
}

/// Reports whether the message wants something several times per week or month without naming the days.
fn is_counted(said: &Utterance<'_>) -> bool {
    let founds = time::find(said.text, said.now, &Policy::of(said.settings));
    founds.iter().any(TimeExpression::is_counted)
}

/// Reports whether a message is a question: it ends with a question mark or begins with a question word.
pub(crate) fn is_question(text: &str) -> bool {
    const LEADS: &[&str] = &[
        "what", "who", "when", "where", "why", "how", "which", "is", "are", "do", "does", "did",
        "explain", "define",
    ];
    let text = text.trim();
    let first = text.split(|c: char| !c.is_alphabetic()).next();
    text.ends_with('?') || first.is_some_and(|first| LEADS.contains(&first.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use adjutant_domain::record::Kind;

    use super::*;
    use crate::Embedded;
    use crate::fixture::{MessageContext, named};
    use adjutant_domain::reading::Router as _;

    #[test]
    fn a_question_that_nothing_reads_is_searched_for() {
        let around = MessageContext::new();
        let names = [named(Kind::Event, "evt_1", "Tax deadline")];
        let read = |text: &str| {
            let said = Utterance {
                names: &names,
                ..around.utterance(text)
            };
            let route = Embedded.route(&said);
            sought(&said, &route)
        };
        let texts = |text: &str| match read(text) {
            Some(Reading::Plan { plan, trace }) => {
                // The engine prefers a connected model by this.
                assert_eq!(trace[0].what, "not understood");
                let steps = plan.steps.iter();
                steps
                    .map(|step| format!("{} {}", step.args["unsure"], step.args["text"]))
                    .collect()
            }
            _ => Vec::new(),
        };
        for (text, sought) in [
            (
                "which weekday is the tax deadline, say?",
                &[r#""meaning" "which weekday is the tax deadline, say""#][..],
            ),
            (
                "Packing for the trip: what did the ferry firm want from us for the van? It is a long one.",
                &[r#""meaning" "what did the ferry firm want from us for the van""#],
            ),
            (
                "what did the mooring cost us, and until when is the boat permit good?",
                &[
                    r#""meaning" "what did the mooring cost us""#,
                    r#""meaning" "until when is the boat permit good""#,
                ],
            ),
            (
                "what did the mooring cost us, and until when can we keep it?",
                &[r#""meaning" "what did the mooring cost us, and until when can we keep it""#],
            ),
            (
                "who wrote the tides of Elm?",
                &[r#""world" "who wrote the tides of Elm""#],
            ),
            ("the tax deadline", &[]),
            ("is the tax deadline over? Then cancel it", &[]),
            ("which of my tasks are the silly ones?", &[]),
            ("what would you wear?", &[]),
        ] {
            assert_eq!(texts(text), sought, "{text}");
        }
    }
}
