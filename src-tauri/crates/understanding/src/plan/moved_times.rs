//! Times in requests that move things, where “to” and “by” say something else.

use super::lexicon;
use super::said::{Form, Piece, policy};
use crate::text::Text;
use crate::time::{self, Found};
use adjutant_domain::reading::Utterance;

/// Whether something is moved, so that "to" stands before the new time.
pub(super) fn is_move(read: &Text<'_>) -> bool {
    read.words().any(|word| {
        let base = lexicon::base(word);
        matches!(
            base.as_str(),
            "move"
                | "reschedule"
                | "resched"
                | "shift"
                | "push"
                | "postpone"
                | "delay"
                | "change"
                | "bring"
                | "switch"
                | "rebook"
                | "bump"
                | "defer"
                | "moved"
                | "extend"
                | "lengthen"
                | "prolong"
                | "shorten"
        )
    })
}

/// Whether the time of something is changed.
pub(super) fn is_change(read: &Text<'_>) -> bool {
    is_move(read)
        || read
            .words()
            .any(|word| matches!(word, "end" | "start" | "begin" | "make" | "finish"))
}

/// "Half an hour earlier", where something is moved, is by how much, not half an hour ago.
pub(super) fn by_a_length(found: &mut Found, masked: &str, utterance: &Utterance<'_>) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let Some(short) = [" earlier", " later", " sooner"]
        .iter()
        .find_map(|end| text.strip_suffix(end))
        .filter(|_| matches!(found.value, time::Value::Instant(_) | time::Value::Date(_)))
    else {
        return;
    };
    let read = format!("by {short}");
    let length = time::find(&read, utterance.now, &policy(utterance.settings))
        .into_iter()
        .find(|length| matches!(length.value, time::Value::Duration(_)));
    if let Some(length) = length.filter(|length| length.span == (3..read.len())) {
        let end = found.span.start + short.len();
        *found = Found {
            span: found.span.start..end,
            lead: found.lead.clone(),
            relation: time::Relation::At,
            ..length
        };
    }
}

/// "Parents evening on 20 January at 7": a part of the day behind a capital is a name, where the time is said outright.
pub(super) fn named_part(found: &mut Found, masked: &str) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let Some(cut) = ["evening on ", "night on ", "morning on ", "day on "]
        .iter()
        .find(|start| {
            text.get(..start.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(start))
        })
        .map(|start| start.len())
    else {
        return;
    };
    let before = masked
        .get(..found.span.start)
        .unwrap_or("")
        .split_whitespace()
        .next_back()
        .unwrap_or("");
    if found.clock.is_some() && before.starts_with(char::is_uppercase) {
        let start = found.span.start + cut;
        found.lead = Some(start - 3..start - 1);
        found.span.start = start;
    }
}

/// "In the last week", "over the past month": the days up to now, where "last week" alone is the week before this one.
pub(super) fn rolling(found: &mut Found, masked: &str, now: &jiff::Zoned) {
    use jiff::ToSpan;
    let text = masked.get(found.span.clone()).unwrap_or("").to_lowercase();
    let text = text
        .strip_prefix("the ")
        .map_or_else(|| text.strip_prefix("past ").map(|_| text.as_str()), Some);
    let span = match text {
        Some("past week" | "last week") => 1.week(),
        Some("past month" | "last month") => 1.month(),
        Some("past year" | "last year") => 1.year(),
        Some("past day" | "last day") => 1.day(),
        _ => return,
    };
    if let (time::Value::Interval { .. } | time::Value::Date(_), Ok(start)) =
        (&found.value, now.checked_sub(span))
    {
        found.value = time::Value::Interval {
            start,
            end: now.clone(),
        };
    }
}

/// "From Monday to Tuesday", "my 3pm to 4pm": where something is moved these are two times, not a stretch.
pub(super) fn split_moves(
    times: Vec<Found>,
    masked: &str,
    utterance: &Utterance<'_>,
) -> Vec<Found> {
    let policy = policy(utterance.settings);
    let mut out = Vec::with_capacity(times.len() + 1);
    for found in times {
        let span = found.cut();
        let text = masked.get(span.clone()).unwrap_or("");
        let low = text.to_lowercase();
        let cut = [" to ", " until ", " till "]
            .iter()
            .filter_map(|joint| low.rfind(joint).map(|at| (at, joint.len())))
            .max()
            .filter(|_| {
                matches!(found.value, time::Value::Interval { .. }) && low.len() == text.len()
            });
        let Some((cut, joint)) = cut else {
            out.push(found);
            continue;
        };
        let skip = if low.starts_with("from ") { 5 } else { 0 };
        let old = time::find(text.get(skip..cut).unwrap_or(""), utterance.now, &policy);
        let new_text = format!("at {}", text.get(cut + joint..).unwrap_or(""));
        let new = time::find(&new_text, utterance.now, &policy);
        match (old.into_iter().next(), new.into_iter().next()) {
            (Some(mut old), Some(mut new)) => {
                old.span = span.start + skip + old.span.start..span.start + skip + old.span.end;
                let lead = old
                    .lead
                    .clone()
                    .map(|lead| span.start + skip + lead.start..span.start + skip + lead.end);
                old.lead = if skip > 0 {
                    Some(span.start..span.start + 4)
                } else {
                    lead
                };
                old.relation = time::Relation::At;
                new.span = span.start + cut + joint..span.end;
                new.lead = Some(span.start + cut + 1..span.start + cut + joint - 1);
                new.relation = time::Relation::To;
                out.push(old);
                out.push(new);
            }
            _ => out.push(found),
        }
    }
    // "From Thursday to Friday": what is on Thursday, not from there on.
    if out.iter().any(|found| found.relation == time::Relation::To) {
        for found in &mut out {
            if found.relation == time::Relation::From {
                found.relation = time::Relation::At;
            }
        }
    }
    out
}

/// "The meetings after 2": a bare number behind "after" or "before" where the clause goes on with something else.
pub(super) fn bare_bounds(pieces: &mut [Piece], times: &mut Vec<Found>, utterance: &Utterance<'_>) {
    for at in 1..pieces.len() {
        let relation = match pieces[at - 1].word.as_str() {
            "after" => time::Relation::After,
            "before" => time::Relation::Before,
            _ => continue,
        };
        let ends = pieces.get(at + 1).is_none_or(|next| {
            !matches!(next.form, Form::Word | Form::Number)
                || next.leads.is_some()
                || lexicon::is_function(&next.word)
        });
        if pieces[at].form != Form::Number || !ends || !pieces[at - 1].is_plain() {
            continue;
        }
        let text = format!("at {}", pieces[at].word);
        let found = time::find(&text, utterance.now, &policy(utterance.settings))
            .into_iter()
            .find(|found| found.clock.is_some());
        if let Some(mut found) = found {
            found.span = pieces[at].span.clone();
            found.lead = Some(pieces[at - 1].span.clone());
            found.relation = relation;
            pieces[at].form = Form::Time(times.len());
            pieces[at - 1].leads = Some(times.len());
            times.push(found);
        }
    }
}

/// "Clear my afternoon": the one of today.
pub(super) fn own_part(pieces: &mut [Piece], times: &mut Vec<Found>, utterance: &Utterance<'_>) {
    for at in 1..pieces.len() {
        let cleared = pieces.iter().take(at).any(|piece| {
            matches!(
                piece.word.as_str(),
                "clear" | "free" | "wipe" | "empty" | "block"
            )
        });
        let part = match pieces[at].word.as_str() {
            "day" => "today",
            "morning" => "this morning",
            "afternoon" => "this afternoon",
            "evening" => "this evening",
            _ => continue,
        };
        let ends = pieces.get(at + 1).is_none_or(|next| {
            next.form == Form::Mark
                || matches!(next.word.as_str(), "please" | "and" | "thanks" | "for")
        });
        if !cleared || !ends || pieces[at].form != Form::Word || pieces[at - 1].word != "my" {
            continue;
        }
        let found = time::find(part, utterance.now, &policy(utterance.settings))
            .into_iter()
            .next();
        if let Some(mut found) = found {
            found.span = pieces[at].span.clone();
            found.lead = None;
            pieces[at].form = Form::Time(times.len());
            times.push(found);
        }
    }
}

/// "From tomorrow's standup": the day belongs to what follows, and the preposition to the verb.
pub(super) fn owned(pieces: &mut [Piece], times: &mut [Found], source: &str) {
    for at in 1..pieces.len() {
        let Form::Time(index) = pieces[at].form else {
            continue;
        };
        let owns = source
            .get(pieces[at].span.clone())
            .is_some_and(|text| text.ends_with("'s") || text.ends_with("’s"))
            || pieces.get(at + 1).is_some_and(|next| next.word == "'s");
        if !owns || pieces[at - 1].leads != Some(index) {
            continue;
        }
        if let Some(found) = times.get_mut(index)
            && matches!(found.relation, time::Relation::From | time::Relation::To)
        {
            found.relation = time::Relation::At;
            found.lead = None;
            pieces[at - 1].leads = None;
        }
    }
}

/// "Before 9am next week", "after 4 this month": an hour of each of the days, not of the first.
pub(super) fn split_weeks(
    times: Vec<Found>,
    masked: &str,
    utterance: &Utterance<'_>,
) -> Vec<Found> {
    const SPANS: &[&str] = &[
        " this week",
        " next week",
        " last week",
        " this month",
        " next month",
        " last month",
    ];
    let policy = policy(utterance.settings);
    let mut out = Vec::with_capacity(times.len() + 1);
    for found in times {
        let text = masked.get(found.span.clone()).unwrap_or("").to_lowercase();
        let cut = SPANS
            .iter()
            .find(|end| text.ends_with(*end))
            .map(|end| text.len() - end.len())
            .filter(|_| {
                text.len() == found.span.len()
                    && found.clock.is_some()
                    && matches!(
                        found.relation,
                        time::Relation::Before | time::Relation::After
                    )
            });
        let parts = cut.and_then(|cut| {
            let clock = format!("at {}", text.get(..cut)?);
            let clock = time::find(&clock, utterance.now, &policy)
                .into_iter()
                .find(|part| part.clock.is_some())?;
            let days = time::find(text.get(cut + 1..)?, utterance.now, &policy)
                .into_iter()
                .next()?;
            Some((cut, clock, days))
        });
        let Some((cut, mut clock, mut days)) = parts else {
            out.push(found);
            continue;
        };
        clock.span = found.span.start..found.span.start + cut;
        clock.lead.clone_from(&found.lead);
        clock.relation = found.relation;
        days.span = found.span.start + cut + 1..found.span.end;
        days.lead = None;
        out.push(clock);
        out.push(days);
    }
    out
}

/// "What time does it start tomorrow": the verb is no part of the time.
pub(super) fn started(found: &mut Found, masked: &str, utterance: &Utterance<'_>) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let Some(rest) = ["start ", "end ", "begin ", "finish "]
        .iter()
        .find_map(|verb| {
            text.get(..verb.len())
                .filter(|head| head.eq_ignore_ascii_case(verb))
                .and_then(|_| text.get(verb.len()..))
        })
    else {
        return;
    };
    if rest.starts_with("of ") {
        return;
    }
    let read = time::find(rest, utterance.now, &policy(utterance.settings))
        .into_iter()
        .next();
    if let Some(read) = read.filter(|read| read.span.end == rest.len()) {
        let start = found.span.end - rest.len();
        *found = Found {
            span: start + read.span.start..found.span.end,
            lead: read
                .lead
                .clone()
                .map(|lead| start + lead.start..start + lead.end),
            ..read
        };
    }
}

/// "To 11": a bare number that ends a clause behind "to", where something is moved, is a time of day.
pub(super) fn bare_hours(pieces: &mut [Piece], times: &mut Vec<Found>, utterance: &Utterance<'_>) {
    use lexicon::{VERBS, Verb};
    let moves = |at: usize, pieces: &[Piece]| {
        matches!(
            VERBS.at(pieces, at),
            Some((Verb::Move | Verb::Delay | Verb::Advance | Verb::Change, _))
        )
    };
    let Some(verb) = (0..pieces.len()).find(|at| moves(*at, pieces)) else {
        return;
    };
    for at in verb + 2..pieces.len() {
        let ends = pieces.get(at + 1).is_none_or(|next| {
            next.form == Form::Mark
                || matches!(
                    next.word.as_str(),
                    "and" | "please" | "instead" | "then" | "on" | "thanks"
                )
        });
        if pieces[at].form != Form::Number
            || !ends
            || !matches!(pieces[at - 1].word.as_str(), "to" | "until" | "till")
        {
            continue;
        }
        let text = format!("at {}", pieces[at].word);
        let found = time::find(&text, utterance.now, &policy(utterance.settings))
            .into_iter()
            .find(|found| found.clock.is_some());
        if let Some(mut found) = found {
            found.span = pieces[at].span.clone();
            found.lead = Some(pieces[at - 1].span.clone());
            found.relation = time::Relation::To;
            pieces[at].form = Form::Time(times.len());
            pieces[at - 1].leads = Some(times.len());
            times.push(found);
        }
    }
}
