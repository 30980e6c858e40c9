//! Time expressions that are two: the old and the new time, an hour and its days, a day and a length.

use super::lexicon;
use super::said::{Form, Piece, policy};
use crate::time::{self, Found};
use adjutant_domain::reading::Utterance;

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
        let interval = matches!(found.value, time::Value::Interval { .. });
        let joints: &[&str] = if interval {
            &[" to ", " until ", " till "]
        } else {
            // "Priya's meeting tomorrow for 3:15": which one, and the new time.
            &[" for ", " to "]
        };
        let cut = joints
            .iter()
            .filter_map(|joint| low.rfind(joint).map(|at| (at, joint.len())))
            .max()
            .filter(|_| {
                (interval || matches!(found.value, time::Value::Instant(_)))
                    && low.len() == text.len()
            });
        let Some((cut, joint)) = cut else {
            out.push(found);
            continue;
        };
        let skip = if low.starts_with("from ") { 5 } else { 0 };
        let old = time::find(text.get(skip..cut).unwrap_or(""), utterance.now, &policy);
        let new_text = format!("at {}", text.get(cut + joint..).unwrap_or(""));
        let new = time::find(&new_text, utterance.now, &policy);
        // "From 2pm to 4pm tomorrow": the day holds for both.
        let dayless = old
            .first()
            .is_none_or(|old| !old.has_day && old.clock.is_some())
            && new.first().is_some_and(|new| new.has_day);
        let old = if old.is_empty() || dayless && skip > 0 {
            bare_start(text.get(skip..cut).unwrap_or(""), &new_text, utterance)
        } else {
            old
        };
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
                    lead.or_else(|| found.lead.clone().filter(|lead| lead.end <= old.span.start))
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

/// "From 2 to 4 tomorrow": the number in front is an hour of the day that is said behind.
pub(super) fn bare_start(number: &str, new: &str, utterance: &Utterance<'_>) -> Vec<Found> {
    let hour = number.trim();
    let digits = hour.trim_end_matches("am").trim_end_matches("pm").trim();
    let plain = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b':');
    if digits.is_empty() || digits.len() > 5 || !plain {
        return Vec::new();
    }
    // "At 4 pm tomorrow": the day is what stands behind the hour and its half of the day.
    let day = new
        .trim_start_matches("at ")
        .trim_start()
        .trim_start_matches(|ch: char| ch.is_ascii_digit() || ch == ':')
        .trim_start();
    let day = ["pm", "am", "p.m.", "a.m.", "o'clock"]
        .iter()
        .find_map(|half| day.strip_prefix(half))
        .unwrap_or(day);
    let read = format!("{} at {hour}", day.trim());
    let policy = policy(utterance.settings);
    time::find(read.trim(), utterance.now, &policy)
        .into_iter()
        .filter(|found| found.clock.is_some())
        .map(|found| Found {
            span: 0..number.len(),
            lead: None,
            ..found
        })
        .take(1)
        .collect()
}

/// The number in "from 2 to 4 tomorrow" as the time it is.
pub(super) fn bare_from(
    pieces: &mut [Piece],
    times: &mut Vec<Found>,
    masked: &str,
    utterance: &Utterance<'_>,
) {
    for at in 1..pieces.len().saturating_sub(1) {
        let to = match (&pieces[at + 1].leads, pieces[at + 1].word.as_str()) {
            (Some(index), "to" | "until" | "till") => *index,
            _ => continue,
        };
        // "2pm", of no day, is one of the day that is said with the new time.
        let open = match pieces[at].form {
            Form::Number => true,
            Form::Time(index) => times
                .get(index)
                .is_some_and(|found| found.clock.is_some() && !found.has_day),
            _ => false,
        };
        if pieces[at - 1].word != "from" || !open {
            continue;
        }
        let timed = matches!(pieces[at].form, Form::Time(_));
        let Some(new) = times
            .get(to)
            .filter(|found| found.clock.is_some() && (found.has_day || !timed))
        else {
            continue;
        };
        let number = masked.get(pieces[at].span.clone()).unwrap_or("");
        let behind = format!("at {}", masked.get(new.span.clone()).unwrap_or(""));
        if let Some(found) = bare_start(number, &behind, utterance).into_iter().next() {
            stand(pieces, times, at, found, time::Relation::At);
        }
    }
}

/// Takes apart the times in which `parts` finds two; `text` is what stands there, in the case it was written in.
fn split(
    times: Vec<Found>,
    masked: &str,
    parts: impl Fn(&Found, &str) -> Option<[Found; 2]>,
) -> Vec<Found> {
    let mut out = Vec::with_capacity(times.len() + 1);
    for found in times {
        let text = masked.get(found.span.clone()).unwrap_or("");
        match parts(&found, text) {
            Some(two) => out.extend(two),
            None => out.push(found),
        }
    }
    out
}

/// The first time in a text that is as wanted.
fn read(text: &str, utterance: &Utterance<'_>, wanted: impl Fn(&Found) -> bool) -> Option<Found> {
    time::find(text, utterance.now, &policy(utterance.settings))
        .into_iter()
        .find(wanted)
}

/// "A daily stand-up at 9 until the end of April": where something repeats, the end is one of the repetition.
pub(super) fn split_repeats(
    times: Vec<Found>,
    masked: &str,
    utterance: &Utterance<'_>,
) -> Vec<Found> {
    if !times
        .iter()
        .any(|found| matches!(found.value, time::Value::Set { .. }))
    {
        return times;
    }
    split(times, masked, |found, text| {
        let low = text.to_lowercase();
        if !matches!(found.value, time::Value::Interval { .. }) || low.len() != text.len() {
            return None;
        }
        let (cut, begin) = [" until ", " till ", " through "]
            .iter()
            .find_map(|joint| low.find(joint).map(|at| (at, at + joint.len())))?;
        let clock = format!("at {}", text.get(..cut)?);
        let mut clock = read(&clock, utterance, |part| part.clock.is_some())?;
        let mut end = read(text.get(cut + 1..)?, utterance, |part| part.has_day)?;
        let at = found.span.start;
        clock.span = at..at + cut;
        clock.lead.clone_from(&found.lead);
        clock.relation = time::Relation::At;
        end.span = at + begin..found.span.end;
        end.lead = Some(at + cut + 1..at + begin - 1);
        end.relation = time::Relation::Until;
        Some([clock, end])
    })
}

/// "Tomorrow for 25 minutes": a day, and how long; not the first minutes of the day.
pub(super) fn split_lengths(
    times: Vec<Found>,
    masked: &str,
    utterance: &Utterance<'_>,
) -> Vec<Found> {
    split(times, masked, |found, text| {
        if !matches!(found.value, time::Value::Interval { .. }) {
            return None;
        }
        let cut = text.find(" for ")?;
        let mut day = read(text.get(..cut)?, utterance, |part| {
            part.has_day
                && part.clock.is_none()
                && part.span == (0..cut)
                && matches!(part.value, time::Value::Date(_))
        })?;
        let mut length = read(text.get(cut + 1..)?, utterance, |part| {
            matches!(part.value, time::Value::Duration(_))
        })?;
        let at = found.span.start;
        day.span = at..at + cut;
        day.lead.clone_from(&found.lead);
        length.span = at + cut + " for ".len()..found.span.end;
        length.lead = Some(at + cut + 1..at + cut + " for".len());
        Some([day, length])
    })
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
                // "If the stand-up is after 10 cancel it".
                || next.word == next.base && lexicon::VERBS.at(pieces, at + 1).is_some()
        });
        if pieces[at].form != Form::Number || !ends || !pieces[at - 1].is_plain() {
            continue;
        }
        let hour = format!("at {}", pieces[at].word);
        if let Some(found) = read(&hour, utterance, |found| found.clock.is_some()) {
            stand(pieces, times, at, found, relation);
        }
    }
}

/// The longest a timer runs, in seconds: a day.
const TIMER_SECONDS_MAX: f64 = 86_400.0;

/// "Set an alarm for 7": an hour, without its "at".
pub(super) fn alarm_hours(pieces: &mut [Piece], times: &mut Vec<Found>, utterance: &Utterance<'_>) {
    let says = |words: &[&str]| {
        pieces
            .iter()
            .any(|piece| piece.form == Form::Word && words.contains(&piece.word.as_str()))
    };
    // "A timer for 12 minutes", "a 10-minute timer": that long from now.
    if says(&["alarm", "timer"])
        && !says(&[
            "remind", "move", "push", "delay", "snooze", "extend", "every",
        ])
    {
        for found in times.iter_mut() {
            if let time::Value::Duration(length) = &found.value
                && length.seconds < TIMER_SECONDS_MAX
                && let Ok(at) = utterance.now.checked_add(length.span)
            {
                found.value = time::Value::Instant(at);
                found.relation = time::Relation::At;
                found.has_day = true;
            }
        }
    }
    if !says(&["alarm", "wake"]) {
        return;
    }
    for at in 2..pieces.len() {
        let led = pieces[at - 1].is_plain()
            && matches!(pieces[at - 1].word.as_str(), "for" | "to" | "by" | "at");
        let ends = pieces.get(at + 1).is_none_or(|next| {
            !matches!(next.form, Form::Word | Form::Number)
                || next.leads.is_some()
                || lexicon::is_function(&next.word)
                || matches!(next.word.as_str(), "please" | "thanks" | "sharp")
        });
        if pieces[at].form != Form::Number || !led || !ends {
            continue;
        }
        let hour = format!("at {}", pieces[at].word);
        if let Some(found) = read(&hour, utterance, |found| found.clock.is_some()) {
            stand(pieces, times, at, found, time::Relation::At);
        }
    }
}

/// "Block 9 to 11 for planning": two bare hours right behind the verb.
pub(super) fn block_hours(
    pieces: &mut Vec<Piece>,
    times: &mut Vec<Found>,
    utterance: &Utterance<'_>,
) {
    use lexicon::{VERBS, Verb};
    let Some(at) = (0..pieces.len()).find_map(|at| match VERBS.at(pieces, at) {
        Some((Verb::Book | Verb::Create, len)) => Some(at + len),
        _ => None,
    }) else {
        return;
    };
    let Some([from, joint, to]) = pieces.get(at..at + 3) else {
        return;
    };
    let hours = from.form == Form::Number
        && to.form == Form::Number
        && joint.leads.is_none()
        && matches!(joint.word.as_str(), "to" | "until" | "till" | "-");
    let ends = pieces.get(at + 3).is_none_or(|next| {
        next.form == Form::Mark
            || next.leads.is_some()
            || lexicon::is_function(&next.word)
            || matches!(next.form, Form::Time(_))
    });
    if !hours || !ends {
        return;
    }
    let text = format!("from {} to {}", from.word, to.word);
    let span = from.span.start..to.span.end;
    let ends_here = to.ends;
    if let Some(mut found) = read(&text, utterance, |found| {
        matches!(found.value, time::Value::Interval { .. })
    }) {
        found.span = span.clone();
        found.lead = None;
        pieces[at].form = Form::Time(times.len());
        pieces[at].span = span;
        pieces[at].ends = ends_here;
        pieces.drain(at + 1..at + 3);
        times.push(found);
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
    split(times, masked, |found, text| {
        let text = text.to_lowercase();
        let bound = matches!(
            found.relation,
            time::Relation::Before | time::Relation::After
        );
        if text.len() != found.span.len() || found.clock.is_none() || !bound {
            return None;
        }
        let end = SPANS.iter().find(|end| text.ends_with(*end))?;
        let cut = text.len() - end.len();
        let clock = format!("at {}", text.get(..cut)?);
        let mut clock = read(&clock, utterance, |part| part.clock.is_some())?;
        let mut days = read(text.get(cut + 1..)?, utterance, |_| true)?;
        clock.span = found.span.start..found.span.start + cut;
        clock.lead.clone_from(&found.lead);
        clock.relation = found.relation;
        days.span = found.span.start + cut + 1..found.span.end;
        days.lead = None;
        Some([clock, days])
    })
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
        let hour = format!("at {}", pieces[at].word);
        if let Some(found) = read(&hour, utterance, |found| found.clock.is_some()) {
            stand(pieces, times, at, found, time::Relation::To);
        }
    }
}

/// The piece is a time now, and the one in front of it leads to it.
fn stand(
    pieces: &mut [Piece],
    times: &mut Vec<Found>,
    at: usize,
    mut found: Found,
    relation: time::Relation,
) {
    found.span = pieces[at].span.clone();
    found.lead = Some(pieces[at - 1].span.clone());
    found.relation = relation;
    pieces[at].form = Form::Time(times.len());
    pieces[at - 1].leads = Some(times.len());
    times.push(found);
}
