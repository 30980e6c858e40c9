//! The step that makes a new event.

use super::super::change::missing;
use super::super::clause::Unread;
use super::super::lexicon::Noun;
use super::super::model::{Request, Test, Who};
pub(super) use super::event_time::{end, slot, start};
use super::event_title::summary;
use super::update::DAY_MINUTES;
use super::when::{self, Point};
use super::{Builder, Draft, words};
use crate::time::Relation;
use adjutant_domain::moment::Moment;
use adjutant_domain::plan::AnswerKind;
use adjutant_domain::source::Source;
use jiff::ToSpan;
use serde_json::{Value as Json, json};

pub(super) fn event(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let mut request = request.clone();
    day_of_condition(builder, &mut request);
    // "If I haven't met Nadia …, schedule a meeting": with her.
    if request.vals.people.is_empty()
        && request.sel.title.is_none()
        && let Some(cond) = request
            .cond
            .and_then(|(index, _)| builder.parse.conds.get(index))
        && cond.sel.noun == Some(super::super::lexicon::Noun::Event)
        && absent(cond, request.cond.is_some_and(|(_, yes)| yes))
        && (cond.within_minutes.is_some() || !cond.sel.when.is_empty())
        && let [who @ (Who::Named { .. } | Who::Address(_))] = cond.sel.with.as_slice()
    {
        request.vals.people.push(who.clone());
    }
    let request = &request;
    let vals = &request.vals;
    if when::two_times(builder.said, &vals.times) && vals.until.is_none() {
        let Some(days) = when::each_day(builder.said, &vals.times) else {
            return Err(missing("when"));
        };
        for times in days {
            let mut one = request.clone();
            one.vals.times = times;
            single(builder, &one)?;
        }
        return Ok(());
    }
    single(builder, request)
}

/// "If I'm free on Friday at 2, book …": the time of the condition is the time of what is made; "if I'm free on Friday,
/// book … at 4": its day is.
pub(super) fn day_of_condition(builder: &Builder<'_, '_, '_>, request: &mut Request) {
    let dated = request
        .vals
        .times
        .iter()
        .filter_map(|index| builder.said.times.get(*index))
        .any(|found| found.has_day);
    if !dated
        && let Some(cond) = request
            .cond
            .and_then(|(index, _)| builder.parse.conds.get(index))
        && cond.sel.noun != Some(super::super::lexicon::Noun::Mail)
        && cond.within_minutes.is_none()
    {
        let free = matches!(
            (&cond.test, cond.negated),
            (Test::Free(_) | Test::Exists(false), _) | (Test::Exists(true), true)
        );
        if free || !request.vals.times.is_empty() {
            // What is asked about the past says nothing about when the new event is.
            let now = builder.said.utterance.now;
            let ahead = |index: &usize| {
                builder.said.times.get(*index).is_some_and(|found| {
                    found.relation != Relation::Since
                        && found
                            .value
                            .stretch(now)
                            .is_some_and(|(start, _)| start.date() >= now.date())
                })
            };
            request
                .vals
                .times
                .splice(0..0, cond.sel.when.iter().copied().filter(ahead));
        }
    }
}

/// One event, on one day or with one repetition.
fn single(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let vals = &request.vals;
    let mut draft = Draft::new("calendar.create", String::new());
    let mut said = String::new();
    match summary(builder, request)? {
        Some((value, source, text)) => {
            draft.set("summary", value, source);
            said = text;
        }
        None => {
            draft.set("summary", Json::Null, Source::Derived);
            draft.ask(
                "/summary",
                "What shall the event be called?".to_owned(),
                AnswerKind::Text,
                Vec::new(),
            );
        }
    }
    let named = if said.is_empty() {
        "the event".to_owned()
    } else {
        format!("“{said}”")
    };
    super::bounds::check(builder, request)?;
    let mut point = when::point(builder.said, &vals.times);
    if point.clash {
        return Err(missing("when"));
    }
    // The end of a repetition may be said apart from it.
    let ends = match (&point.rrule, vals.until) {
        (Some(rule), Some(index)) => {
            Some(when::ending(builder.said, rule, index).ok_or_else(|| missing("when"))?)
        }
        _ => None,
    };
    let mut lasts = None;
    if ends.is_some() {
        // "Daily from 8 to 9 until May": each is as long as was said.
        if let (Some(start), Some(Moment::At(end))) = (&point.at, &point.end) {
            lasts = Some(start.duration_until(end).as_mins().rem_euclid(DAY_MINUTES))
                .filter(|minutes| (1..DAY_MINUTES).contains(minutes));
        }
        point.rrule = ends;
        point.end = None;
    }
    in_part(builder, request, &mut point);
    by_custom(builder, request, &said, &mut point);
    let source = builder.time_words(&vals.times);
    let mut words = String::new();
    if let Some(beside) = &vals.beside {
        let found = super::beside::found(builder, beside)?;
        draft.set("start", found.value, found.source);
        words = found.words;
    } else if vals.free_slot {
        words = slot(builder, request, &mut draft)?;
    } else if let Some(start) = start(builder, request, &point) {
        draft.set("start", json!(start), source.clone());
        words = when::moment_words(&start);
        let once = point.rrule.is_none() || vals.until.is_none();
        if let Some(end) = end(builder, request, &point, &start).filter(|_| once) {
            draft.set("end", json!(end), source.clone());
            words = format!("{words} to {}", when::moment_words(&end));
        }
    } else {
        // Only the day, or nothing: an hour is never guessed. A day that was said is kept for the answer.
        let day = point.date.map(Moment::Day);
        let text = match &day {
            Some(day) => format!(
                "At what time on {} should {named} be?",
                when::moment_words(day)
            ),
            None => format!("When should {named} be?"),
        };
        draft.set("start", json!(day), source.clone());
        draft.ask("/start", text, AnswerKind::Moment, Vec::new());
    }
    if vals.all_day {
        draft.set("all_day", json!(true), builder.person(&request.span));
    }
    let minutes = vals.minutes.or(lasts).or_else(|| {
        point
            .rrule
            .as_ref()
            .and_then(|_| when::span_minutes(builder.said, &vals.times))
            .filter(|_| point.end.is_none())
    });
    if let Some(minutes) = minutes {
        draft.set(
            "duration_minutes",
            json!(minutes),
            builder.person(&request.span),
        );
    }
    if let Some(rrule) = &point.rrule {
        draft.set("rrule", json!(rrule), source);
        words = format!("{words}, repeated: {rrule}");
    }
    let guests: Vec<Who> = vals
        .people
        .iter()
        .filter(|who| !matches!(who, Who::Group(_) | Who::Me))
        .cloned()
        .collect();
    if !guests.is_empty() {
        let person = builder.person(&request.span);
        let (people, sources, missing_one) = builder.people(&guests, &person)?;
        if missing_one {
            draft.ask(
                "/people",
                "Who should be invited?".to_owned(),
                AnswerKind::People,
                Vec::new(),
            );
        }
        for (index, source) in sources {
            draft.sources.insert(format!("/people/{index}"), source);
        }
        draft.args.insert("people".into(), Json::Array(people));
        draft.sources.insert("/people".into(), person);
        words = format!("{words}, with {}", words::people(&guests));
    }
    if let Some(place) = &vals.place {
        draft.set(
            "location",
            json!(place.text),
            Source::Person {
                words: Some(place.text.clone()),
            },
        );
        words = format!("{words}, at “{}”", place.text);
    }
    if let Some(body) = &vals.body {
        draft.set(
            "description",
            json!(body.text),
            Source::Person {
                words: Some(body.text.clone()),
            },
        );
    }
    draft.say = format!(
        "Add {named} to the calendar, {}",
        words.trim_start_matches(", ")
    )
    .trim_end_matches([',', ' '])
    .to_owned();
    let mut key = builder.push(draft, Some(request))?;
    if let Some(beside) = &vals.beside {
        let offset = super::beside::offset(beside, minutes)?;
        key = super::beside::moved_by(builder, &key, offset, request, Noun::Event)?;
    }
    builder.did(key, request, Some(Noun::Event), false);
    Ok(())
}

/// "Dinner at 8" is in the evening, "breakfast at 8" in the morning, where neither was said.
fn by_custom(builder: &Builder<'_, '_, '_>, request: &Request, title: &str, point: &mut Point) {
    const EVENING: &[&str] = &[
        "dinner", "supper", "drinks", "party", "concert", "cinema", "movie", "theatre", "theater",
        "date", "table", "pub", "gig",
    ];
    let low = title.to_lowercase();
    let evening = low
        .split(|ch: char| !ch.is_alphanumeric())
        .any(|word| EVENING.contains(&word));
    let open = request
        .vals
        .times
        .iter()
        .filter_map(|index| builder.said.times.get(*index))
        .any(|found| {
            found
                .notes
                .iter()
                .any(|note| matches!(note, crate::time::Note::HourAssumed(_)))
        });
    let (true, true, Some(at)) = (evening, open, point.at.clone()) else {
        return;
    };
    if (5..12).contains(&at.hour())
        && let Ok(later) = at.checked_add(12.hours())
        && later.date() == at.date()
    {
        let moved = point.end.take().and_then(|end| match end {
            Moment::At(end) if end.hour() < 12 => end.checked_add(12.hours()).ok().map(Moment::At),
            other => Some(other),
        });
        point.end = moved;
        point.clock = Some(later.time());
        point.at = Some(later);
    }
}

/// "If I'm free tomorrow morning, book 'Run' from 8 to 9": an hour of that part of the day.
fn in_part(builder: &Builder<'_, '_, '_>, request: &Request, point: &mut Point) {
    let now = builder.said.utterance.now;
    let part = request
        .vals
        .times
        .iter()
        .filter_map(|index| builder.said.times.get(*index))
        .filter(|found| {
            found.has_day && found.grain == crate::time::Grain::Part && found.clock.is_none()
        })
        .find_map(|found| found.value.stretch(now));
    let (Some((start, end)), Some(at)) = (part, point.at.clone()) else {
        return;
    };
    let inside = |at: &jiff::Zoned| start <= *at && *at < end;
    let earlier = at
        .checked_sub(12.hours())
        .ok()
        .filter(|early| inside(early));
    if !inside(&at)
        && let Some(early) = earlier
    {
        point.end = match point.end.take() {
            Some(Moment::At(end)) => end.checked_sub(12.hours()).ok().map(Moment::At),
            other => other,
        };
        point.clock = Some(early.time());
        point.at = Some(early);
    }
}

/// Whether the condition holds where there is no such thing.
fn absent(cond: &super::super::model::Cond, yes: bool) -> bool {
    match cond.test {
        Test::Exists(there) => (there != cond.negated) != yes,
        _ => false,
    }
}
