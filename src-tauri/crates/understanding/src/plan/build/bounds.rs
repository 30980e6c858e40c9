//! Times that bound a new event without saying when it is: those are asked about.

use super::super::change::missing;
use super::super::clause::{Unread, Why};
use super::super::model::Request;
use super::Builder;
use crate::time::{Found, Grain, Relation, Value};

/// Stretches that bound a repetition.
const SPANS: &[&str] = &["next week", "next month", "this week", "this month"];
/// Words that make such a stretch a beginning.
const STARTS: &[&str] = &["starting", "beginning", "from", "as of"];
/// Parts of a day, which are no hours.
const PARTS: &[&str] = &["morning", "afternoon", "evening", "night"];

/// Refuses what leaves open when the event begins, ends or stops repeating.
pub(super) fn check(builder: &Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let vals = &request.vals;
    let founds: Vec<(&Found, String)> = vals
        .times
        .iter()
        .filter_map(|index| builder.said.times.get(*index))
        .map(|found| {
            let text = builder.said.source.get(found.span.clone()).unwrap_or("");
            (found, text.to_lowercase())
        })
        .collect();
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    // "Every Friday afternoon": at which hour was not said.
    let part = founds.len() == 1
        && founds.iter().any(|(found, text)| {
            matches!(found.value, Value::Set { .. }) && found.clock.is_none() && has(text, PARTS)
        });
    // "Every weekday next month": when they stop is not read with a repetition.
    let inside = founds
        .iter()
        .any(|(found, text)| is_endless(found) && has(text, SPANS) && !has(text, STARTS));
    let beside = founds.iter().any(|(found, _)| is_endless(found))
        && founds.iter().any(|(found, _)| {
            matches!(found.value, Value::Interval { .. })
                && matches!(found.grain, Grain::Week | Grain::Month)
                && found.relation == Relation::At
        })
        || founds.iter().any(|(found, _)| is_endless(found))
            && founds.iter().any(|(found, text)| {
                !matches!(found.value, Value::Set { .. })
                    && has(text, SPANS)
                    && !has(text, STARTS)
                    && found.relation == Relation::At
            });
    // "From 12 to 1 every weekday": the end of each.
    let ends = vals.minutes.is_none()
        && super::when::span_minutes(builder.said, &vals.times).is_none()
        && founds.iter().any(|(found, text)| {
            is_endless(found) && found.clock.is_some() && has(text, &[" to ", " till ", " until "])
        });
    if part || inside || beside || ends {
        return Err(missing("when"));
    }
    // "If nothing is on after 3 on Friday, book … from 3 to 5": the bound is the condition's, the hour is said.
    let asked: &[usize] = request
        .cond
        .and_then(|(index, _)| builder.parse.conds.get(index))
        .map_or(&[], |cond| cond.sel.when.as_slice());
    let exact = vals.times.iter().any(|index| {
        !asked.contains(index)
            && builder
                .said
                .times
                .get(*index)
                .is_some_and(|found| found.clock.is_some() && found.relation == Relation::At)
    });
    let of_condition = |found: &Found| {
        exact
            && asked.iter().any(|index| {
                builder
                    .said
                    .times
                    .get(*index)
                    .is_some_and(|other| std::ptr::eq(other, found))
            })
    };
    // "Before 11" bounds when it may be; the hour itself was not said.
    let bound = founds.iter().find(|(found, _)| {
        !of_condition(found)
            && matches!(
                found.relation,
                Relation::Before | Relation::By | Relation::After
            )
            && !matches!(found.value, Value::Duration(_))
    });
    match bound.filter(|_| !vals.free_slot) {
        Some((found, _)) => {
            let cut = found.cut();
            let span = Some((cut.start, cut.end));
            Err(Unread {
                span,
                why: Why::Words(builder.text(span)),
            })
        }
        None => Ok(()),
    }
}

/// Whether a time repeats without an end.
fn is_endless(found: &Found) -> bool {
    matches!(&found.value, Value::Set { rrule, .. } if !rrule.contains("UNTIL="))
}
