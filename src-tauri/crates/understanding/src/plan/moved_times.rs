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
    // "The next 3 days" begin now: what is on later today is in them.
    if let (Some(_), time::Value::Interval { start, .. }) = (
        coming(masked.get(found.span.clone()).unwrap_or("")),
        &mut found.value,
    ) {
        if *start > *now {
            start.clone_from(now);
        }
        return;
    }
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

/// "Next 3 days", "the coming two weeks": a number of them, counted from now.
fn coming(text: &str) -> Option<()> {
    let low = text.to_lowercase();
    let low = low.strip_prefix("the ").unwrap_or(&low);
    let rest = low
        .strip_prefix("next ")
        .or_else(|| low.strip_prefix("coming "))
        .or_else(|| low.strip_prefix("following "))?;
    let mut words = rest.split_whitespace();
    let (number, unit) = (words.next()?, words.next()?);
    let counted = number.bytes().all(|byte| byte.is_ascii_digit())
        || super::condition::number_word(number).is_some()
        || matches!(number, "few" | "couple");
    (counted
        && matches!(
            unit,
            "day" | "days" | "week" | "weeks" | "month" | "months" | "of"
        ))
    .then_some(())
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
fn bare_start(number: &str, new: &str, utterance: &Utterance<'_>) -> Vec<Found> {
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
        if let Some(mut found) = bare_start(number, &behind, utterance).into_iter().next() {
            found.span = pieces[at].span.clone();
            found.lead = Some(pieces[at - 1].span.clone());
            found.relation = time::Relation::At;
            pieces[at].form = Form::Time(times.len());
            pieces[at - 1].leads = Some(times.len());
            times.push(found);
        }
    }
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
    let policy = policy(utterance.settings);
    let mut out = Vec::with_capacity(times.len() + 1);
    for found in times {
        let text = masked.get(found.span.clone()).unwrap_or("");
        let low = text.to_lowercase();
        let parts = [" until ", " till ", " through "]
            .iter()
            .find_map(|joint| low.find(joint).map(|at| (at, at + joint.len())))
            .filter(|_| {
                matches!(found.value, time::Value::Interval { .. }) && low.len() == text.len()
            })
            .and_then(|(cut, begin)| {
                let clock = format!("at {}", text.get(..cut)?);
                let clock = time::find(&clock, utterance.now, &policy)
                    .into_iter()
                    .find(|part| part.clock.is_some())?;
                let end = time::find(text.get(cut + 1..)?, utterance.now, &policy)
                    .into_iter()
                    .find(|part| part.has_day)?;
                Some((cut, begin, clock, end))
            });
        let Some((cut, begin, mut clock, mut end)) = parts else {
            out.push(found);
            continue;
        };
        let at = found.span.start;
        clock.span = at..at + cut;
        clock.lead.clone_from(&found.lead);
        clock.relation = time::Relation::At;
        end.span = at + begin..found.span.end;
        end.lead = Some(at + cut + 1..at + begin - 1);
        end.relation = time::Relation::Until;
        out.push(clock);
        out.push(end);
    }
    out
}

/// "Friday's first meeting": the ordinal belongs to the meeting, not to a date.
pub(super) fn owner_of_ordinal(found: &mut Found, masked: &str, utterance: &Utterance<'_>) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let Some(cut) = text.find("'s ").or_else(|| text.find("\u{2019}s ")) else {
        return;
    };
    let rest = text
        .get(cut..)
        .unwrap_or("")
        .split_whitespace()
        .nth(1)
        .unwrap_or("");
    let ordinal = matches!(
        rest.to_lowercase().as_str(),
        "first"
            | "second"
            | "third"
            | "fourth"
            | "fifth"
            | "sixth"
            | "seventh"
            | "eighth"
            | "ninth"
            | "tenth"
            | "last"
    );
    if !ordinal {
        return;
    }
    let read = time::find(
        text.get(..cut).unwrap_or(""),
        utterance.now,
        &policy(utterance.settings),
    )
    .into_iter()
    .next();
    if let Some(read) = read.filter(|read| read.span == (0..cut)) {
        *found = Found {
            span: found.span.start..found.span.start + cut,
            lead: found.lead.clone(),
            ..read
        };
    }
}

/// "Make the review last two hours": how long it shall be, not the two hours before now.
pub(super) fn lasting(found: &mut Found, masked: &str, utterance: &Utterance<'_>) {
    let text = masked.get(found.span.clone()).unwrap_or("");
    let before = masked.get(..found.span.start).unwrap_or("").trim_end();
    let Some(rest) = text.strip_prefix("last ").filter(|_| {
        !before.is_empty()
            && ![
                "the", "in", "over", "for", "within", "during", "from", "since", "of", "these",
            ]
            .iter()
            .any(|word| before.ends_with(word))
    }) else {
        return;
    };
    let read = format!("for {rest}");
    let length = time::find(&read, utterance.now, &policy(utterance.settings))
        .into_iter()
        .find(|length| matches!(length.value, time::Value::Duration(_)));
    if let Some(length) = length.filter(|length| length.span.end == read.len()) {
        *found = Found {
            span: found.span.end - rest.len()..found.span.end,
            lead: None,
            relation: time::Relation::At,
            ..length
        };
    }
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
