//! Messages that only change an earlier request: "and on Saturday?", "only the unread ones", "no, at five".
//!
//! Each part of the message replaces the corresponding words of the earlier request, and the result is read as if the
//! person had said it. It counts only if it is read completely and calls the same tools with different arguments.

mod around;
mod instead;
mod mentions;
mod parts;
mod put;
mod repair;
mod sum;
mod take_back;
mod that_time;

use adjutant_domain::conversation::{Message, Role};
use adjutant_domain::plan::StepDraft;
use adjutant_domain::reading::{Reading, Utterance};
use serde_json::Value;

use super::clauses;
use super::decide;
use super::lattice::Lattice;
use super::side_remark;
pub(crate) use around::{without_go_ahead, without_heard, without_hesitation};
pub(crate) use instead::kept;
use parts::{ChangePart, PartKind};
pub(crate) use repair::{Repair, behind_repair, repair};
pub(super) use take_back::{corrected, is_left};

/// Maximum number of the person's messages that are searched for the request.
const BACK_MAX: usize = 5;
/// Maximum number of tokens in a message that only changes another.
const TOKENS_MAX: usize = 16;

/// Plans a message that repeats an earlier request with a part changed. Returns `None` if other parts of the engine
/// have to read it.
pub(super) fn plan(said: &Utterance<'_>) -> Option<Reading> {
    let full = in_full(said, BACK_MAX)?;
    decide::plan(&Utterance {
        text: &full,
        ..*said
    })
}

/// Plans a message that refers to the time of the one before it: "book a call with Ana then".
pub(super) fn at_that_time(said: &Utterance<'_>) -> Option<Reading> {
    let full = that_time::in_words(said).or_else(|| that_time::in_that_week(said))?;
    decide::plan(&Utterance {
        text: &full,
        ..*said
    })
}

/// Plans a message that repeats the last sum with another number: "and by 4".
pub(super) fn another_sum(said: &Utterance<'_>) -> Option<Reading> {
    let full = sum::restated(said)?;
    decide::plan(&Utterance {
        text: &full,
        ..*said
    })
}

/// Returns the text of the pending `request` with the changes that the message makes, or `None` if it does not change
/// it.
pub(crate) fn restated(request: &str, said: &Utterance<'_>) -> Option<String> {
    let lattice = short(said)?;
    let readings = parts::readings(&lattice, &["correct", "correct.words"]);
    worked_in(request, said, &readings)
        .or_else(|| worked_in_time(request, said, behind_remark(&lattice)?))
        .or_else(|| {
            let without = side_remark::remaining(said).into_iter();
            let mut said_alone = without.filter_map(|text| {
                let text = text.as_str();
                restated(request, &Utterance { text, ..*said })
            });
            said_alone.next()
        })
}

/// Returns the change behind a remark about what waits: "hmm, that's the parent evening, make it Monday".
fn behind_remark<'a>(lattice: &Lattice<'a>) -> Option<&'a str> {
    /// Minimum number of tokens in a remark.
    const REMARK_MIN: usize = 3;
    let mut commas = (REMARK_MIN..lattice.len()).filter(|at| lattice.word(*at) == ",");
    let comma = commas.find(|at| lattice.phrase("make_it", at + 1).is_some())?;
    Some(lattice.slice(comma + 1..lattice.len()))
}

/// Returns the text of a request with only another time or length put into it.
fn worked_in_time(request: &str, said: &Utterance<'_>, text: &str) -> Option<String> {
    let change = Utterance { text, ..*said };
    let mut readings = parts::readings(&short(&change)?, &["correct"]);
    let of_time = |part: &ChangePart| {
        matches!(
            part.like,
            PartKind::Time { .. } | PartKind::Hour(_) | PartKind::Length
        )
    };
    readings.retain(|parts| parts.iter().all(of_time));
    worked_in(request, &change, &readings)
}

/// Returns a message in full, with the words that it leaves out because an earlier message said them.
fn in_full(said: &Utterance<'_>, back: usize) -> Option<String> {
    let lattice = short(said)?;
    let readings = parts::readings(&lattice, &["follow"]);
    if readings.is_empty() {
        return None;
    }
    let request = earlier(said, back)?;
    worked_in(&request, said, &readings)
}

/// Returns the full text of the latest request of the same day. The search ends at a message that is neither a request
/// nor a change of one, except small talk.
fn earlier(said: &Utterance<'_>, back: usize) -> Option<String> {
    let by_person = |message: &Message| message.role == Role::User;
    let at = said.history.iter().rposition(by_person)?;
    let message = &said.history[at];
    let day = message.at.to_zoned(said.now.time_zone().clone()).date();
    if back == 0 || day != said.now.date() {
        return None;
    }
    let before = Utterance {
        text: &message.text,
        history: &said.history[..at],
        ..*said
    };
    match decide::plan(&before) {
        Some(Reading::Plan { .. }) => Some(message.text.clone()),
        Some(_) => earlier(&before, back - 1),
        None => in_full(&before, back - 1),
    }
}

fn short<'a>(said: &'a Utterance<'a>) -> Option<Lattice<'a>> {
    let lattice = Lattice::read(said.text, said)?;
    (lattice.len() <= TOKENS_MAX).then_some(lattice)
}

/// Returns the text of a request with parts put into it, for the first reading of the parts that makes sense.
fn worked_in(request: &str, said: &Utterance<'_>, readings: &[Vec<ChangePart>]) -> Option<String> {
    if readings.is_empty() {
        return None;
    }
    let before = Utterance {
        text: request,
        ..*said
    };
    let lattice = Lattice::read(request, &before)?;
    let first = clauses::sequences(&lattice).into_iter().next()?;
    // "I'm checking in, what's the booking code?": what was said beside the request does not come again.
    let mut asks = first.requests.iter().filter(|one| !one.steps.is_empty());
    let (Some(asked), None) = (asks.next(), asks.next()) else {
        return None;
    };
    let waits = readings.iter().flatten().any(|part| part.corrects);
    let only_asks = asked.steps.iter().all(|step| said.only_reads(&step.tool));
    // What was written is never written again with other words.
    if asked.steps.iter().any(|step| step.tool == "note.create") {
        return None;
    }
    for parts in readings {
        // A request that has already been carried out is repeated only for a different named thing.
        if !waits && !only_asks && !parts.iter().all(|part| part.like == PartKind::Thing) {
            continue;
        }
        let words = [PartKind::More, PartKind::Wording];
        let speech = parts.iter().any(|part| words.contains(&part.like))
            || put::changes_what_is_told(&lattice, &asked.frame, parts);
        for text in put::into(&lattice, &asked.frame, parts) {
            if calls_otherwise(&text, said, &asked.steps, (parts, speech)) {
                return Some(text);
            }
        }
    }
    None
}

/// Reports whether a text is read completely and calls the same tools as the earlier steps with different arguments.
/// Free words may differ only if a part brings some: "two hours", said after a question about the dentist, names
/// nothing. A message to somebody may differ only if `speech` is set.
fn calls_otherwise(
    text: &str,
    said: &Utterance<'_>,
    steps: &[StepDraft],
    (parts, speech): (&[ChangePart], bool),
) -> bool {
    let Some(Reading::Plan { plan, .. }) = decide::plan(&Utterance { text, ..*said }) else {
        return false;
    };
    let words = parts.iter().any(|part| part.like.brings_words());
    let alike = |(new, old): (&StepDraft, &StepDraft)| {
        new.tool == old.tool
            && (words || free_words(&new.args) == free_words(&old.args))
            && (speech || new.args.get("body") == old.args.get("body"))
    };
    let same = |(new, old): (&StepDraft, &StepDraft)| new.args == old.args;
    plan.steps.len() == steps.len()
        && plan.steps.iter().zip(steps).all(alike)
        && !plan.steps.iter().zip(steps).all(same)
}

/// Returns the free words among arguments.
fn free_words(args: &Value) -> Vec<&Value> {
    const FIELDS: &[&str] = &["text", "subject", "title", "summary", "location"];
    let inside = args.get("target");
    let both = [Some(args), inside].into_iter().flatten();
    both.flat_map(|args| FIELDS.iter().filter_map(|field| args.get(*field)))
        .collect()
}
