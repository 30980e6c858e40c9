//! Changes of time, length and name.

use super::super::change::missing;
use super::super::clause::{Unread, Why};
use super::super::lexicon::Noun;
use super::super::model::{Beside, Pick, Request, Sel, Value};
use super::update::DAY_MINUTES;
use super::{Builder, Draft, at, read, when};
use adjutant_domain::moment::Moment;
use adjutant_domain::plan::{AnswerKind, Choice};
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

pub(super) fn rename(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    noun: Noun,
    draft: &mut Draft,
    words: &str,
) -> Result<(), Unread> {
    let key = if noun == Noun::Event {
        "summary"
    } else {
        "title"
    };
    match &request.vals.title {
        Some(Value::Words(title)) => {
            draft.change(
                key,
                json!(title.text),
                Source::Person {
                    words: Some(title.text.clone()),
                },
            );
            draft.say = format!("Rename {words} to “{}”", title.text);
        }
        Some(Value::TitleOf(sel)) => {
            let from = builder.one_of(sel)?;
            draft.change(
                key,
                at(&from, "/items/0/summary"),
                Source::Step { key: from.clone() },
            );
            draft.say = format!("Rename {words}");
        }
        None => {
            draft.change(key, Json::Null, Source::Derived);
            draft.ask(
                &format!("/changes/{key}"),
                "What should the new name be?".to_owned(),
                AnswerKind::Text,
                Vec::new(),
            );
            draft.say = format!("Rename {words}");
        }
    }
    Ok(())
}

/// So many minutes, days or months earlier or later; whether that was said.
fn by_amount(
    builder: &Builder<'_, '_, '_>,
    request: &Request,
    draft: &mut Draft,
    words: &str,
) -> bool {
    let (key, count, unit) = match (request.vals.shift, request.vals.shift_months) {
        (Some(minutes), _) if minutes % DAY_MINUTES == 0 => {
            ("shift_days", minutes / DAY_MINUTES, "days")
        }
        (Some(minutes), _) => ("shift_minutes", minutes, "minutes"),
        (None, Some(months)) => ("shift_months", months, "months"),
        (None, None) => return false,
    };
    let way = if count < 0 { "earlier" } else { "later" };
    draft.change(key, json!(count), builder.person(&request.span));
    draft.say = format!("Move {words}: {} {unit} {way}", count.abs());
    if request.vals.question == Some("forward") {
        // "Move forward" is read both ways by about half of the people each.
        let choice = |label: &str, value: i64| Choice::new(label, json!(value));
        draft.ask(
            &format!("/changes/{key}"),
            "Earlier or later?".to_owned(),
            AnswerKind::Choice,
            vec![
                choice("Earlier", -count.abs()),
                choice("Later", count.abs()),
            ],
        );
    }
    true
}

pub(super) fn moved(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    noun: Noun,
    draft: &mut Draft,
    words: &str,
) -> Result<(), Unread> {
    let vals = &request.vals;
    let source = builder.time_words(&vals.times);
    if by_amount(builder, request, draft, words) {
        return Ok(());
    }
    if let Some(beside) = &vals.beside {
        return next_to(builder, request, noun, beside, draft, words);
    }
    if vals.free_slot {
        return to_free_slot(builder, request, noun, draft, words);
    }
    // "To before lunch on Friday" bounds a time and is none.
    let bounded = vals
        .times
        .iter()
        .filter_map(|index| builder.said.times.get(*index))
        .any(|found| {
            matches!(
                found.relation,
                crate::time::Relation::Before | crate::time::Relation::After
            )
        });
    if bounded || when::two_times(builder.said, &vals.times) && vals.until.is_none() {
        return Err(missing("when"));
    }
    if let Some(days) = whole_weeks(builder, request)? {
        draft.change("shift_days", json!(days), source);
        draft.say = format!("Move {words} by {days} days, each to the same day of the week");
        return Ok(());
    }
    // "To the next day": of the day it is on.
    if let [index] = vals.times.as_slice()
        && let Some(text) = builder
            .said
            .times
            .get(*index)
            .and_then(|found| builder.said.source.get(found.span.clone()))
        && matches!(
            text.to_lowercase().trim_start_matches("the "),
            "next day" | "following day" | "day after"
        )
    {
        draft.change("shift_days", json!(1), source);
        draft.say = format!("Move {words} to the next day");
        return Ok(());
    }
    let mut point = when::point(builder.said, &vals.times);
    // "Until next week": to its beginning; a deadline would be its end.
    if let Some((start, _)) = &point.loose
        && vals
            .times
            .iter()
            .filter_map(|index| builder.said.times.get(*index))
            .any(|found| found.relation == crate::time::Relation::Until)
    {
        point.date = Some(start.date());
    }
    if let Some(rrule) = &point.rrule {
        draft.change("rrule", json!(rrule), source.clone());
    }
    let event = noun == Noun::Event;
    let clock_only = vals
        .times
        .iter()
        .filter_map(|index| builder.said.times.get(*index))
        .all(|found| !found.has_day && found.clock.is_some());
    // "To 4pm": the day stays, which is known where the thing was named by its day.
    let own_day = request
        .sel
        .when
        .iter()
        .filter_map(|index| builder.said.time(*index, false))
        .filter(|found| found.has_day || !request.sel.any_day)
        .find_map(|found| match &found.value {
            crate::time::Value::Date(day) => Some(*day),
            crate::time::Value::Instant(at) => Some(at.date()),
            crate::time::Value::Interval { start, .. }
                if found.has_day && found.grain <= crate::time::Grain::Day =>
            {
                Some(start.date())
            }
            _ => None,
        });
    let to = match (point.at.clone(), point.date, clock_only) {
        (Some(at), _, true) => match own_day {
            Some(day) => {
                let today = builder.said.utterance.now.date();
                let morning =
                    super::super::said::policy(builder.said.utterance.settings).first_morning_hour;
                let clock = vals
                    .times
                    .iter()
                    .filter_map(|index| builder.said.times.get(*index))
                    .find_map(|found| found.clock_elsewhere(morning))
                    .filter(|_| day != today)
                    .unwrap_or_else(|| at.time());
                let start = day
                    .to_datetime(clock)
                    .to_zoned(at.time_zone().clone())
                    .map_or(Moment::At(at), Moment::At);
                draft.change(
                    if event { "start" } else { "due" },
                    json!(start),
                    source.clone(),
                );
                when::moment_words(&start)
            }
            None => {
                let morning =
                    super::super::said::policy(builder.said.utterance.settings).first_morning_hour;
                let clock = vals
                    .times
                    .iter()
                    .filter_map(|index| builder.said.times.get(*index))
                    .find_map(|found| found.clock_elsewhere(morning))
                    .unwrap_or_else(|| at.time());
                let clock = clock.strftime("%H:%M").to_string();
                draft.change(
                    if event { "time" } else { "due_time" },
                    json!(clock),
                    source.clone(),
                );
                clock
            }
        },
        (Some(at), _, false) => {
            let start = Moment::At(at);
            draft.change(
                if event { "start" } else { "due" },
                json!(start),
                source.clone(),
            );
            when::moment_words(&start)
        }
        (None, Some(day), _) => {
            draft.change(
                if event { "date" } else { "due" },
                json!(Moment::Day(day)),
                source.clone(),
            );
            when::day_words(day)
        }
        (None, None, _) => {
            if vals.times.is_empty() {
                draft.change(
                    if event { "start" } else { "due" },
                    Json::Null,
                    Source::Derived,
                );
                draft.ask(
                    if event {
                        "/changes/start"
                    } else {
                        "/changes/due"
                    },
                    "To when?".to_owned(),
                    AnswerKind::Moment,
                    Vec::new(),
                );
                draft.say = format!("Move {words}");
                return Ok(());
            }
            return Err(missing("when"));
        }
    };
    if event
        && point.loose.is_none()
        && let Some(end) = &point.end
    {
        draft.change("end", json!(end), source);
    }
    draft.say = format!("Move {words} to {to}");
    if let Some(place) = &vals.place {
        draft.change(
            "location",
            json!(place.text),
            Source::Person {
                words: Some(place.text.clone()),
            },
        );
    }
    Ok(())
}

/// "All my meetings of this week to next week": each keeps its day of the week. `None`: something else was said.
fn whole_weeks(builder: &Builder<'_, '_, '_>, request: &Request) -> Result<Option<i64>, Unread> {
    let now = builder.said.utterance.now;
    let week = |list: &[usize]| match list {
        [index] => builder
            .said
            .times
            .get(*index)
            .filter(|found| found.grain == crate::time::Grain::Week)
            .and_then(|found| found.value.stretch(now))
            .map(|(start, _)| start.date()),
        _ => None,
    };
    let several = request.sel.plural || request.sel.all;
    let Some(to) = week(&request.vals.times).filter(|_| several) else {
        return Ok(None);
    };
    match week(&request.sel.when) {
        Some(from) => Ok(from.until(to).ok().map(|span| i64::from(span.get_days()))),
        None => Err(missing("when")),
    }
}

/// "To right after the stand-up": it begins when the other event ends.
fn next_to(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    noun: Noun,
    beside: &Beside,
    draft: &mut Draft,
    words: &str,
) -> Result<(), Unread> {
    let many = request.sel.plural || request.sel.all;
    if many || noun != Noun::Event || !beside.after || beside.minutes != 0 {
        return Err(Unread {
            span: builder.said.span(&request.span),
            why: Why::CanNot(
                "I can move one event to the end of another one. Otherwise please say the time."
                    .to_owned(),
            ),
        });
    }
    let found = super::beside::found(builder, beside)?;
    draft.change("start", found.value, found.source);
    draft.say = format!("Move {words} so that it begins {}", found.words);
    Ok(())
}

/// The first free time that is as long as the event: the event is read for its length.
fn to_free_slot(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    noun: Noun,
    draft: &mut Draft,
    words: &str,
) -> Result<(), Unread> {
    let many = request.sel.plural || request.sel.all;
    if noun != Noun::Event || many {
        return Err(Unread {
            span: builder.said.span(&request.sel.span),
            why: Why::CanNot(
                "One event at a time can be moved to a free slot. Please name it.".to_owned(),
            ),
        });
    }
    let mut slot = Sel::of(Noun::Slot);
    slot.when = request.vals.times.clone();
    slot.pick = Some(Pick::First(1));
    let Some((mut args, say)) = read::free_args(builder.said, &slot, request.vals.minutes, "slots")
    else {
        return Err(missing("when"));
    };
    let event = builder.one_of(&Sel {
        noun: Some(Noun::Event),
        ..request.sel.clone()
    })?;
    args.insert("duration_minutes".into(), at(&event, "/items/0/minutes"));
    let key = builder.read(
        "calendar.free",
        args,
        say,
        None,
        "to find the first free slot",
    )?;
    for which in ["target", "ids", "id"] {
        draft.args.remove(which);
        draft.sources.remove(&format!("/{which}"));
    }
    draft.set(
        "id",
        at(&event, "/ids/0"),
        Source::Step { key: event.clone() },
    );
    draft.change(
        "start",
        at(&key, "/first/start"),
        Source::Step { key: key.clone() },
    );
    draft.say = format!("Move {words} to the first free slot");
    Ok(())
}

pub(super) fn resize(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    draft: &mut Draft,
    words: &str,
) -> Result<(), Unread> {
    let person = builder.person(&request.span);
    if let Some(minutes) = request.vals.extend {
        draft.change("extend_minutes", json!(minutes), person);
        draft.say = format!(
            "Make {words} {} minutes {}",
            minutes.abs(),
            if minutes < 0 { "shorter" } else { "longer" }
        );
    } else if let Some(minutes) = request.vals.minutes {
        draft.change("duration_minutes", json!(minutes), person);
        draft.say = format!("Make {words} {minutes} minutes long");
    } else if let Some(index) = request.vals.until {
        let mut times = request.sel.when.clone();
        times.push(index);
        let point = when::point(builder.said, &times);
        let Some(end) = when::point(builder.said, &[index]).at.or(point.at) else {
            return Err(missing("when"));
        };
        // An end without a day belongs to the day the event was named by.
        let end = match (
            builder
                .said
                .times
                .get(index)
                .is_some_and(|found| !found.has_day),
            point.date,
        ) {
            (true, Some(day)) => day
                .to_datetime(end.time())
                .to_zoned(end.time_zone().clone())
                .unwrap_or(end),
            _ => end,
        };
        let end = Moment::At(end);
        draft.change("end", json!(end), builder.time_words(&[index]));
        draft.say = format!("Let {words} end at {}", when::moment_words(&end));
    } else {
        draft.change("duration_minutes", Json::Null, Source::Derived);
        draft.ask(
            "/changes/duration_minutes",
            "How long should it be?".to_owned(),
            AnswerKind::Minutes,
            Vec::new(),
        );
        draft.say = format!("Change the length of {words}");
    }
    Ok(())
}
