//! Compiles the phrase of a tool that brings its own.

use adjutant_domain::moment::Moment;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

use super::super::binding::{Binding, Value};
use super::super::lattice::{Filler, Lattice};
use super::super::own::{PhraseSlotKind, ToolPhrase};
use super::arguments::Arguments;
use super::point::Point;
use super::{Unfit, convert, key, who, words};
use crate::time::{Relation, TimeExpression, Value as Time};

/// Words that do not end a text: the words they introduce were read as something else.
const HANGING: &[&str] = &[
    "a", "an", "the", "to", "for", "of", "on", "in", "at", "with", "from", "by", "before", "after",
    "until", "till", "since", "every", "each", "and", "or", "my",
];

/// Makes the step of a phrase: each slot fills the argument that it names.
pub(super) fn step(
    lattice: &Lattice<'_>,
    frame: &Binding,
    phrase: &ToolPhrase,
    made: usize,
) -> Result<StepDraft, Unfit> {
    let mut tools = lattice.said.tools.iter();
    if !tools.any(|tool| tool.name == phrase.tool) {
        return Err(Unfit("unknown tool"));
    }
    let mut arguments = Arguments::default();
    for slot in &phrase.slots {
        let value = frame.get(slot.role).ok_or(Unfit("missing"))?;
        if !is_clear(lattice, value, phrase.takes_times) {
            return Err(Unfit("words that belong elsewhere"));
        }
        let json = typed(lattice, value, &slot.kind).ok_or(Unfit("type"))?;
        let source = Source::Person {
            words: Some(words::of(lattice, value)),
        };
        arguments.set(&slot.argument, json, source);
    }
    Ok(StepDraft {
        key: key(made),
        // The step shows the person's own words; the phrase of a foreign server has no say here.
        say: words::capitalised(lattice.slice(frame.span.clone())),
        tool: phrase.tool.clone(),
        args: Json::Object(arguments.values),
        sources: arguments.sources,
        ..StepDraft::default()
    })
}

/// Reports whether free text ends properly and, for a tool that takes times, contains no time.
fn is_clear(lattice: &Lattice<'_>, value: &Value, takes_times: bool) -> bool {
    let Value::Text(stretches) = value else {
        return true;
    };
    let is_time = |at: usize| {
        let edges = lattice.edges(at).iter();
        edges
            .map(|edge| &edge.filler)
            .any(|filler| matches!(filler, Filler::Time(_) | Filler::Length(_)))
    };
    let mut tokens = stretches.iter().flat_map(Clone::clone);
    let last = stretches
        .last()
        .map_or(0, |last| last.end.saturating_sub(1));
    !(HANGING.contains(&lattice.word(last)) || takes_times && tokens.any(is_time))
}

fn typed(lattice: &Lattice<'_>, value: &Value, kind: &PhraseSlotKind) -> Option<Json> {
    let said = words::of(lattice, value);
    match (kind, value) {
        (PhraseSlotKind::Text, _) => (!said.is_empty()).then(|| json!(said)),
        (PhraseSlotKind::Link, _) => is_link(&said).then(|| json!(said)),
        (PhraseSlotKind::Choice(choices), _) => {
            let mut choices = choices.iter();
            let choice = choices.find(|choice| adjutant_text::same(choice, &said))?;
            Some(json!(choice))
        }
        (PhraseSlotKind::Number, Value::Filler(Filler::Number(number), _)) => Some(json!(number)),
        (PhraseSlotKind::Minutes, Value::Filler(Filler::Length(time), _)) => {
            convert::minutes(lattice, *time).map(Json::from)
        }
        (PhraseSlotKind::People, Value::Filler(Filler::People(people), at)) => {
            who::names(lattice, people, at.start).map(Json::from)
        }
        (PhraseSlotKind::Address, Value::Filler(Filler::Address(address), _)) => {
            Some(json!(address))
        }
        (PhraseSlotKind::Moment, Value::Filler(Filler::Time(time), _)) => {
            Some(json!(moment(lattice, lattice.times.get(*time)?)?))
        }
        (PhraseSlotKind::Instant, Value::Filler(Filler::Time(time), _)) => {
            match moment(lattice, lattice.times.get(*time)?)? {
                Moment::At(at) => Some(json!(at.strftime("%FT%T%:z").to_string())),
                Moment::Day(_) => None,
            }
        }
        (PhraseSlotKind::Day, Value::Filler(Filler::Time(time), _)) => {
            match moment(lattice, lattice.times.get(*time)?)? {
                Moment::Day(day) => Some(json!(day.to_string())),
                Moment::At(_) => None,
            }
        }
        _ => None,
    }
}

/// Returns a single moment. A range, a recurrence, "before" and "until" say more than one argument can hold.
fn moment(lattice: &Lattice<'_>, found: &TimeExpression) -> Option<Moment> {
    let is_point = matches!(found.value, Time::Instant(_) | Time::Date(_));
    if !is_point || found.relation != Relation::At {
        return None;
    }
    let (now, settings) = (lattice.said.now, lattice.said.settings);
    Point::of(&[found], now, settings)?.moment(now)
}

/// Reports whether words are the address of a page.
fn is_link(said: &str) -> bool {
    let web = ["http://", "https://"];
    web.iter().any(|start| said.starts_with(start)) && !said.contains(char::is_whitespace)
}
