//! When a new event begins and ends, and the free slot it is put into.

use super::super::change::missing;
use super::super::clause::Unread;
use super::super::lexicon::Noun;
use super::super::model::{Pick, Request, Sel, Value};
use super::when::{self, Point};
use super::{Builder, Draft, at, read};
use adjutant_domain::moment::Moment;
use adjutant_domain::source::Source;
use jiff::ToSpan;
use serde_json::{Value as Json, json};

/// When the event begins, if that was said exactly enough.
pub(super) fn start(
    builder: &Builder<'_, '_, '_>,
    request: &Request,
    point: &Point,
) -> Option<Moment> {
    if let Some(at) = &point.at {
        // A part of the day is no time of day.
        return (point.loose.is_none()
            || request
                .vals
                .times
                .iter()
                .filter_map(|index| builder.said.times.get(*index))
                .any(|found| found.clock.is_some()))
        .then(|| Moment::At(at.clone()));
    }
    let day = point.date?;
    // "An hour with Lena next week" is one of those days, and nobody said which.
    let within = (request.vals.minutes.is_some() || !request.vals.people.is_empty())
        && !request.vals.all_day
        && request
            .vals
            .times
            .iter()
            .filter_map(|index| builder.said.times.get(*index))
            .any(|found| {
                matches!(
                    found.grain,
                    crate::time::Grain::Week | crate::time::Grain::Month
                )
            });
    let whole = request.vals.all_day
        || point.end.as_ref().is_some_and(Moment::is_day) && !within
        || is_whole_day(request);
    whole.then_some(Moment::Day(day))
}

/// Things that last whole days by nature.
pub(super) fn is_whole_day(request: &Request) -> bool {
    const DAYS: &[&str] = &[
        "birthday",
        "anniversary",
        "holiday",
        "vacation",
        "day off",
        "deadline",
        "trip",
        "conference",
        "out of office",
        "pto",
        "leave",
        "festival",
        "wedding",
        "graduation",
        "off work",
        "due date",
        "time off",
    ];
    let texts = [
        request
            .sel
            .title
            .as_ref()
            .map(|words| words.text.to_lowercase()),
        request
            .sel
            .label
            .as_ref()
            .map(|words| words.text.to_lowercase()),
        match &request.vals.title {
            Some(Value::Words(words)) => Some(words.text.to_lowercase()),
            _ => None,
        },
    ];
    request.vals.minutes.is_none()
        && texts.iter().flatten().any(|text| {
            DAYS.iter()
                .any(|day| text.ends_with(day) || text.starts_with(day))
        })
}

pub(super) fn end(
    builder: &Builder<'_, '_, '_>,
    request: &Request,
    point: &Point,
    start: &Moment,
) -> Option<Moment> {
    if let Some(index) = request.vals.until {
        let until = when::point(builder.said, &[index]);
        let has_day = builder
            .said
            .times
            .get(index)
            .is_some_and(|found| found.has_day);
        return match (start, until.at, until.date) {
            (Moment::At(start), Some(end), _) if !has_day => start
                .date()
                .to_datetime(end.time())
                .to_zoned(start.time_zone().clone())
                .ok()
                .map(Moment::At),
            (_, Some(end), _) => Some(Moment::At(end)),
            (Moment::Day(_), None, Some(day)) => day.tomorrow().ok().map(Moment::Day),
            _ => None,
        };
    }
    point
        .end
        .clone()
        .filter(|end| end.is_day() == start.is_day() && request.vals.minutes.is_none())
}

/// The first free slot: a step that looks for it, and references to what it found.
pub(super) fn slot(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    draft: &mut Draft,
) -> Result<String, Unread> {
    let mut sel = Sel::of(Noun::Slot);
    sel.when = request.vals.times.clone();
    sel.pick = Some(Pick::First(1));
    let minutes = request
        .vals
        .minutes
        .unwrap_or_else(|| i64::from(builder.said.utterance.settings.event_minutes));
    // "From tomorrow" has no end; a single clock time says where to begin.
    let Some((mut args, say)) = read::free_args(builder.said, &sel, Some(minutes), "slots") else {
        return Err(missing("when"));
    };
    widen(builder, request, &mut args);
    let words = Some(builder.text(builder.said.span(&request.span)));
    let key = builder.read(
        "calendar.free",
        args,
        say,
        words,
        "to find the first free slot",
    )?;
    draft.set(
        "start",
        at(&key, "/first/start"),
        Source::Step { key: key.clone() },
    );
    if request.vals.minutes.is_none() {
        draft.set("duration_minutes", json!(minutes), Source::Settings);
    }
    Ok("at the first free slot".to_owned())
}

/// A range of less than the slot itself is only where to begin looking.
pub(super) fn widen(
    builder: &Builder<'_, '_, '_>,
    request: &Request,
    args: &mut serde_json::Map<String, Json>,
) {
    let exact = request
        .vals
        .times
        .iter()
        .filter_map(|index| builder.said.times.get(*index))
        .any(|found| matches!(found.value, crate::time::Value::Instant(_)));
    let from = args
        .get("from")
        .and_then(Json::as_str)
        .and_then(|text| text.parse::<Moment>().ok());
    if let (true, Some(Moment::At(from))) = (exact, from)
        && let Ok(end) = from.start_of_day().and_then(|day| day.checked_add(1.day()))
    {
        args.insert("to".into(), json!(when::moment_of(&end)));
    }
}
