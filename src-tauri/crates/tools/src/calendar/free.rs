//! `calendar.free`

use adjutant_domain::filter::{Filter, Time, Window};
use adjutant_domain::gate::{CarriesOut, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use jiff::{Timestamp, ToSpan, Zoned, civil};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

use super::find::EventFilter;
use super::others::{OtherBusy, Others};
use super::{EventRow, is_busy, weekends};
use crate::effect::failed;
use crate::providers::OthersTimes;
use crate::registry::{Reading, spec};
use crate::select::{
    DayPart, People, Pick, ROWS_MAX, Row, Weekday, bad, check_range, referents, window_words,
};
use crate::words;

/// Maximum days that are searched.
const DAYS_MAX: i32 = 366;

/// The tool `calendar.free`: finds free time.
pub(super) struct Free(pub(super) Arc<dyn OthersTimes>);

/// Arguments of `calendar.free`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// From here on.
    from: Moment,
    /// Before this.
    to: Moment,
    /// Other people who are to have time too.
    people: Option<People>,
    /// Only slots at least this long, in minutes.
    duration_minutes: Option<i64>,
    /// Working hours of the settings, or any hour.
    hours: Option<Hours>,
    /// Only in this part of the day.
    part_of_day: Option<DayPart>,
    /// Only from this time of day on.
    #[schemars(with = "Option<String>")]
    starts_after: Option<civil::Time>,
    /// Only up to this time of day.
    #[schemars(with = "Option<String>")]
    ends_before: Option<civil::Time>,
    /// Only on these days of the week.
    weekdays: Option<Vec<Weekday>>,
    /// Which of the free slots.
    pick: Option<Pick>,
    /// At most so many.
    limit: Option<usize>,
    /// Which question the words answer.
    ask: Option<FreeQuestion>,
}

/// Which hours of the day count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Hours {
    /// Working hours, Monday to Friday (other days when only they are asked about).
    Work,
    /// All day and night.
    Any,
}

/// Questions about free time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The name is part of the schema, whose hash is part of every waiting approval.
#[schemars(rename = "Ask")]
enum FreeQuestion {
    /// Which slots.
    #[default]
    Slots,
    /// Whether the whole range is free.
    Free,
    /// On which weekends nothing is planned.
    Weekends,
    /// Whether the other people are free, whatever the person has on.
    Others,
}

/// Start and end of a slot.
pub(super) type Slot = (Timestamp, Timestamp);

#[async_trait]
impl Reading for Free {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        let usual = spec(
            "calendar.free",
            Domain::Calendar,
            Risk::Read,
            "Finds free time, or says whether a time is free.",
            &[
                "when am I free",
                "am I free",
                "am I busy",
                "do I have time",
                "find a slot",
                "find me an hour",
                "is … free",
                "my availability",
                "first free",
                "open slots",
                "gap in my calendar",
            ],
        );
        ToolSpec {
            glances: true,
            ..usual
        }
    }

    /// The names of people are looked up, and their addresses go to the providers of the person's calendars.
    fn carries_out(&self, args: &Args) -> Option<CarriesOut> {
        let people = args.people.as_ref().filter(|people| !people.is_empty())?;
        Some(CarriesOut {
            to: "the providers of your calendars".to_owned(),
            texts: people.texts(),
            public_answer: false,
            stays_there: false,
        })
    }

    async fn read(&self, args: Args, cx: &Cx) -> Result<Answer, Stop> {
        let window = check_range(Some(&args.from), Some(&args.to), cx)?;
        let (Some(from), Some(to)) = (window.from, window.to) else {
            return Err(bad("To look for free time, give a start and an end."));
        };
        if from == to {
            return Err(bad("To look for free time, give an end after the start."));
        }
        if args.ask == Some(FreeQuestion::Weekends) {
            let when = window_words(Some(&args.from), Some(&args.to), cx);
            let only_first = matches!(args.pick, Some(Pick::First | Pick::One));
            return weekends::answer((from, to), &when, only_first, cx).await;
        }
        let people = args.people.as_ref().filter(|people| !people.is_empty());
        let others = match people {
            Some(people) => Others::ask(&*self.0, people, window, cx).await?,
            None => Others::default(),
        };
        if let (Some(FreeQuestion::Others), Some(people)) = (args.ask, people)
            && others.is_anybody()
        {
            let met = EventFilter {
                from: Some(args.from.clone()),
                to: Some(args.to.clone()),
                person: Some(people.clone()),
                ..EventFilter::default()
            };
            return others.answer((from, to), &met, cx).await;
        }
        let busy = busy(window, cx).await?;
        let own = busy.iter().map(|row| span(row, cx));
        let blocks: Vec<Slot> = own.chain(others.busy.iter().map(|one| one.slot)).collect();
        let others_taken = others.taken((from, to));
        let taken: Vec<&EventRow> = busy
            .iter()
            .filter(|row| overlaps(span(row, cx), (from, to)))
            .collect();
        let hours = hours(&args, from, to, cx)?;
        let least = args.duration_minutes.unwrap_or(1).max(1);
        let all = slots(&hours, &blocks, least);
        let chosen = pick(all.clone(), &args);
        let free: Vec<Value> = chosen.iter().map(|slot| value(*slot, cx)).collect();
        let busy: Vec<Value> = taken.iter().map(|row| row.value(cx)).collect();
        let of_others: Vec<Value> = others_taken.iter().map(|one| one.value(cx)).collect();
        // The events that make the answer to "am I free?" a no.
        let in_the_way = match args.ask {
            Some(FreeQuestion::Free) => busy.as_slice(),
            _ => &[],
        };
        let output = json!({
            "count": free.len(), "total": all.len(), "free": free, "items": free, "ids": [],
            "busy": busy, "in_the_way": in_the_way,
            "others": of_others,
            "is_free": taken.is_empty() && others_taken.is_empty(), "first": free.first(),
        });
        let rows: Vec<EventRow> = taken.iter().map(|row| (*row).clone()).collect();
        Ok(Answer {
            output,
            say: with_note(
                say(
                    &args,
                    &chosen,
                    all.len(),
                    (&rows, &others, &others_taken),
                    cx,
                ),
                &others,
            ),
            referents: referents(&rows),
            taint: Taint::Clean,
            used_memories: Vec::new(),
        })
    }
}

/// Returns everything in the window that keeps the person busy.
pub(super) async fn busy(window: Window, cx: &Cx) -> Result<Vec<EventRow>, Stop> {
    let found = cx
        .records
        .occurrences(&Filter::all().within(Time::Happens, window))
        .await
        .map_err(failed)?;
    Ok(found
        .into_iter()
        .map(EventRow)
        .filter(|row| is_busy(row, cx))
        .collect())
}

fn span(row: &EventRow, cx: &Cx) -> Slot {
    (row.0.start.starts(&cx.zone()), row.0.end.starts(&cx.zone()))
}

pub(super) fn overlaps(a: Slot, b: Slot) -> bool {
    a.0 < b.1 && b.0 < a.1
}

/// Returns the parts of the range that count, day by day.
fn hours(args: &Args, from: Timestamp, to: Timestamp, cx: &Cx) -> Result<Vec<Slot>, Stop> {
    let zone = cx.zone();
    let (first, last) = (from.to_zoned(zone.clone()), to.to_zoned(zone));
    let days = (last.date() - first.date()).get_days();
    if days > DAYS_MAX {
        return Err(bad(format!(
            "Free time can be looked for in at most {DAYS_MAX} days."
        )));
    }
    let within = |work: bool, weekdays_only: bool| -> Vec<Slot> {
        (-1..=days)
            .filter_map(|offset| first.date().checked_add(offset.days()).ok())
            .filter(|date| day_counts(*date, args.weekdays.as_deref(), weekdays_only))
            .filter_map(|date| piece(date, work, args, cx))
            .map(|(begin, end)| (begin.max(from), end.min(to)))
            .filter(|(begin, end)| begin < end)
            .collect()
    };
    // A part of the day or hours that were asked for replace the working hours.
    let own_hours =
        args.part_of_day.is_some() || args.starts_after.is_some() || args.ends_before.is_some();
    if args.hours == Some(Hours::Any) || (own_hours && args.hours.is_none()) {
        return Ok(within(false, false));
    }
    for (work, weekdays_only) in [(true, true), (true, false)] {
        let found = within(work, weekdays_only && args.weekdays.is_none());
        if !found.is_empty() {
            return Ok(found);
        }
    }
    // The range lies entirely outside working hours, so all of it counts.
    Ok(within(false, false))
}

fn day_counts(date: civil::Date, wanted: Option<&[Weekday]>, weekdays_only: bool) -> bool {
    let day = Weekday::from(date.weekday());
    if weekdays_only && matches!(day, Weekday::Saturday | Weekday::Sunday) {
        return false;
    }
    wanted.is_none_or(|wanted| wanted.is_empty() || wanted.contains(&day))
}

fn piece(date: civil::Date, work: bool, args: &Args, cx: &Cx) -> Option<Slot> {
    let minute_of = |time: civil::Time| i64::from(time.hour()) * 60 + i64::from(time.minute());
    let (mut begin, mut end) = (0, 24 * 60);
    if work {
        begin = minute_of(cx.settings.work_start);
        end = minute_of(cx.settings.work_end);
    }
    if let Some(part) = args.part_of_day {
        (begin, end) = part.minutes();
    }
    if let Some(after) = args.starts_after {
        begin = begin.max(minute_of(after));
    }
    if let Some(before) = args.ends_before {
        end = end.min(minute_of(before));
    }
    let at = |minutes: i64| -> Option<Timestamp> {
        let date = date.checked_add((minutes / 1_440).days()).ok()?;
        let hour = i8::try_from(minutes % 1_440 / 60).ok()?;
        let minute = i8::try_from(minutes % 60).ok()?;
        let at: Zoned = date.at(hour, minute, 0, 0).to_zoned(cx.zone()).ok()?;
        Some(at.timestamp())
    };
    let (begin, end) = (at(begin)?, at(end)?);
    (begin < end).then_some((begin, end))
}

/// Returns the parts of `hours` that no block covers and that last at least `minutes_min`.
fn slots(hours: &[Slot], blocks: &[Slot], minutes_min: i64) -> Vec<Slot> {
    let mut free = Vec::new();
    for (begin, end) in hours {
        let mut at = *begin;
        let mut inside: Vec<Slot> = blocks
            .iter()
            .copied()
            .filter(|block| overlaps(*block, (*begin, *end)))
            .collect();
        inside.sort();
        for (from, to) in inside {
            if from > at {
                free.push((at, from));
            }
            at = at.max(to);
        }
        if at < *end {
            free.push((at, *end));
        }
    }
    free.retain(|(from, to)| from.duration_until(*to).as_mins() >= minutes_min);
    free
}

fn pick(mut slots: Vec<Slot>, args: &Args) -> Vec<Slot> {
    let one = |index: Option<usize>, slots: &[Slot]| {
        index
            .and_then(|index| slots.get(index))
            .map(|slot| vec![*slot])
            .unwrap_or_default()
    };
    match args.pick.unwrap_or(Pick::All) {
        Pick::All | Pick::Exactly(_) => {
            slots.truncate(args.limit.unwrap_or(ROWS_MAX).min(ROWS_MAX));
            slots
        }
        Pick::First | Pick::One => one(Some(0), &slots),
        Pick::Last => one(slots.len().checked_sub(1), &slots),
        Pick::Nth(place @ 1..) => one(usize::try_from(place - 1).ok(), &slots),
        Pick::Nth(place) => one(
            usize::try_from(place.unsigned_abs())
                .ok()
                .filter(|back| *back > 0)
                .and_then(|back| slots.len().checked_sub(back)),
            &slots,
        ),
    }
}

fn moments(slot: Slot, cx: &Cx) -> (Moment, Moment) {
    let at = |time: Timestamp| Moment::At(time.to_zoned(cx.zone()));
    (at(slot.0), at(slot.1))
}

fn value(slot: Slot, cx: &Cx) -> Value {
    let (start, end) = moments(slot, cx);
    json!({"start": start, "end": end, "minutes": slot.0.duration_until(slot.1).as_mins()})
}

/// Returns the answer with what was looked at of other people.
fn with_note(said: String, others: &Others) -> String {
    match others.note() {
        note if note.is_empty() => said,
        note => format!("{said}\n\n{note}"),
    }
}

fn say(
    args: &Args,
    free: &[Slot],
    total: usize,
    (taken, others, others_taken): (&[EventRow], &Others, &[&OtherBusy]),
    cx: &Cx,
) -> String {
    let when = window_words(Some(&args.from), Some(&args.to), cx);
    let own_lines: Vec<String> = taken.iter().map(|row| row.line(cx)).collect();
    let others_lines: Vec<String> = others_taken.iter().map(|one| one.line(cx)).collect();
    if args.ask == Some(FreeQuestion::Free) {
        let others_busy = others_lines.join("; ");
        let own = match own_lines.as_slice() {
            [] if others_lines.is_empty() => {
                return format!("Yes, {} are free{when}.", others.with_you());
            }
            [] => return format!("No: {others_busy}."),
            [one] => format!("No: {one}."),
            lines => format!(
                "No, {}{when}:\n\n{}",
                words::plural(lines.len(), "event"),
                words::bullets(lines, lines.len())
            ),
        };
        return match others_lines.is_empty() {
            true => own,
            false => format!("{own}\n\n{others_busy}."),
        };
    }
    let length = match args.duration_minutes {
        Some(minutes) if minutes > 1 => format!(" of at least {}", words::duration(minutes)),
        _ => String::new(),
    };
    if free.is_empty() {
        let busy_lines = [own_lines, others_lines].concat();
        let reason = if busy_lines.is_empty() {
            String::new()
        } else {
            format!("\n\n{}", words::bullets(&busy_lines, busy_lines.len()))
        };
        return format!("Nothing free{length}{when}.{reason}");
    }
    let lines: Vec<String> = free
        .iter()
        .map(|slot| {
            let (start, end) = moments(*slot, cx);
            let minutes = slot.0.duration_until(slot.1).as_mins();
            format!(
                "{}, {}",
                words::range(&start, &end, cx),
                words::duration(minutes)
            )
        })
        .collect();
    match lines.as_slice() {
        [one] => format!("Free{length}: {one}."),
        many => format!(
            "{}{length}.\n\n{}",
            words::plural(total, "free slot"),
            words::bullets(many, total)
        ),
    }
}
