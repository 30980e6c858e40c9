//! The planner: from a message to a typed plan, by a small grammar over actions, things, filters, conditions and values.
//!
//! `said` cuts the message into pieces (words, quotations, times), `reorder` puts sentences said the other way round into
//! one order, `clause` reads each clause with the parts beside it (`noun` and `after` for which things, `people` for whom,
//! `condition` for only-if, `change`, `create`, `mail`, `ask`, `keep` for what), and `build` turns the requests into steps.
//! There is no table of sentences: words are in `lexicon`, and every part combines with every other. Nothing is done
//! with a message of which a part was not understood.

mod account;
mod addressed;
mod after;
mod agenda;
mod alter;
mod amend;
mod answer;
mod ask;
mod asked_when;
mod attachment;
mod attribute;
mod before;
mod beside;
mod branch;
mod build;
mod change;
mod changed;
mod chat;
mod clause;
mod command;
mod company;
mod compared;
mod condition;
mod condition_mail;
mod contact;
mod correct;
mod courtesy;
mod create;
mod cursor;
mod describe;
mod destination;
mod detail;
mod done;
mod elapsed;
mod except;
mod explain;
mod fact;
mod filler;
mod find;
mod folder;
mod free;
mod further;
mod guest_list;
mod guests;
mod held;
mod how_many;
mod joints;
mod keep;
mod letter;
mod lexicon;
mod mail;
mod mail_parts;
mod mark;
mod mask;
mod misnamed;
mod model;
mod moved_times;
mod moved_to;
mod named;
mod new_name;
mod noted;
mod noted_words;
mod noun;
mod opinion;
mod ought;
mod own_work;
mod participles;
mod parts;
mod people;
mod places;
mod property;
mod recall;
mod remark;
mod remind;
mod reorder;
mod resize;
mod rewrite;
mod said;
mod shift;
mod speech;
mod split_times;
mod statement;
mod states;
mod strangers;
mod swap;
mod table;
mod task;
mod task_title;
mod tidy;
mod title;
mod todo;
mod value;
mod verb;
mod which;
mod who;

use adjutant_domain::plan::PlanDraft;
use adjutant_domain::reading::{Reading, TraceLine, Utterance};
use adjutant_domain::route::Route;
use table::phrases;

pub(crate) use rewrite::changed;
pub(crate) use said::policy;

use clause::{Parse, Unread, Why};
use said::Said;

/// Turns a message into a plan, an answer, or an honest "not understood".
#[must_use]
pub fn plan(utterance: &Utterance<'_>, route: &Route) -> Reading {
    if chat::is_undo(utterance) {
        return Reading::Undo { trace: Vec::new() };
    }
    if let Some(text) = chat::answer(utterance) {
        return Reading::Say {
            text,
            trace: Vec::new(),
        };
    }
    let said = read(utterance.text, utterance);
    if said.cut {
        return Reading::NotUnderstood {
            text: chat::too_long(),
            trace: Vec::new(),
        };
    }
    if let Some(text) = said.no_such_repetition() {
        return Reading::NotUnderstood {
            text,
            trace: Vec::new(),
        };
    }
    let marked = said.marked;
    if marked && let Some(reading) = taken_back(utterance, route, true) {
        return reading;
    }
    match planned(&said, route) {
        Ok((plan, trace)) => Reading::Plan { plan, trace },
        Err(unread) => marked
            .then(|| taken_back(utterance, route, false))
            .flatten()
            .or_else(|| follow_up(utterance, route))
            .unwrap_or_else(|| fallback(utterance, route, &said, &unread)),
    }
}

/// What the grammar makes of a message, if nothing of it is left over.
fn planned(said: &Said<'_>, route: &Route) -> Result<(PlanDraft, Vec<TraceLine>), Unread> {
    let mut parse = Parse::read(said, &route.domains)?;
    folder::carry(&mut parse.requests);
    let plan = build::plan(&parse)?;
    match account::misplaced(&parse) {
        Some(unread) => Err(unread),
        None => Ok((plan, explain::trace(&parse))),
    }
}

/// "At 3 tomorrow. Actually 4.": the message as it was meant in the end.
fn taken_back(utterance: &Utterance<'_>, route: &Route, sure: bool) -> Option<Reading> {
    let text = correct::corrected(utterance, sure)?;
    let (plan, _) = planned(&read(&text, utterance), route).ok()?;
    Some(Reading::Plan {
        plan,
        trace: vec![read_as(text)],
    })
}

/// Tells that other words were read than those that were said.
fn read_as(text: String) -> TraceLine {
    TraceLine {
        span: None,
        what: "read as".into(),
        value: text,
    }
}

/// The people a reply names, as they go into arguments.
pub(crate) fn people_of(utterance: &Utterance<'_>) -> Vec<String> {
    let said = Said::read(utterance.text, utterance);
    let mut cursor = cursor::Cursor::new(&said, 0..said.pieces.len());
    filler::open(&mut cursor);
    cursor.eat_any(phrases!(
        "to | with | for | it is | send it to | it should go to | from"
    ));
    let who = people::list(&mut cursor, people::Place::Sure);
    if !filler::only_closers(&cursor) {
        return Vec::new();
    }
    who.iter().filter_map(build::filter::name_of).collect()
}

/// A message, prepared and put into order.
fn read<'a>(text: &'a str, utterance: &'a Utterance<'a>) -> Said<'a> {
    let mut said = Said::read(text, utterance);
    said.marked = correct::is_marked(&said.pieces);
    let mut sentences: Vec<Vec<said::Piece>> = vec![Vec::new()];
    for piece in std::mem::take(&mut said.pieces) {
        let ends = piece.ends;
        if let Some(last) = sentences.last_mut() {
            last.push(piece);
        }
        if ends {
            sentences.push(Vec::new());
        }
    }
    for mut sentence in sentences {
        reorder::sentence(&mut sentence);
        said.pieces.extend(sentence);
    }
    said
}

/// "And on Friday?", "no, I meant Friday": the request before, with this change.
fn follow_up(utterance: &Utterance<'_>, route: &Route) -> Option<Reading> {
    use adjutant_domain::conversation::Role;
    let before = utterance
        .history
        .iter()
        .rev()
        .find(|message| message.role == Role::User)?;
    let acted = utterance
        .focus
        .shown
        .first()
        .is_some_and(|shown| shown.acted);
    // What was done is changed as it is now; what was only asked is asked again.
    let text = if acted {
        rewrite::changed("Move it", utterance.text, utterance)?
    } else {
        rewrite::changed(&before.text, utterance.text, utterance)?
    };
    let said = read(&text, utterance);
    let (plan, _) = planned(&said, route).ok()?;
    // Only a reading request is repeated from a few words.
    let effects = plan.steps.iter().any(|step| !is_reading(&step.tool));
    if effects && !acted {
        return None;
    }
    Some(Reading::Plan {
        plan,
        trace: vec![read_as(text)],
    })
}

/// Whether a tool only reads.
pub(crate) fn is_reading(tool: &str) -> bool {
    matches!(
        tool.rsplit('.').next(),
        Some("list" | "search" | "find" | "read" | "free" | "evaluate")
    )
}

/// What to do with a message the grammar does not take: sums, follow-ups, else honesty.
fn fallback(utterance: &Utterance<'_>, route: &Route, said: &Said<'_>, unread: &Unread) -> Reading {
    use adjutant_domain::route::Domain;
    let trace = explain::unread(said, unread);
    let sums = said.quotes.is_empty()
        && !said
            .pieces
            .iter()
            .any(|piece| piece.form == said::Form::Address);
    if route.domains == [Domain::Calc] && sums && !matches!(unread.why, Why::CanNot(_)) {
        return Reading::Plan {
            plan: chat::sum(utterance.text),
            trace,
        };
    }
    Reading::NotUnderstood {
        text: chat::not_understood(utterance, route, unread),
        trace,
    }
}

#[cfg(test)]
mod tests;
