//! `calendar.create`

use adjutant_domain::account::{CollectionKind, for_new};
use adjutant_domain::change::Change;
use adjutant_domain::filter::Window;
use adjutant_domain::gate::{Assessment, NoteKind, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Attendee, Event, Kind, Record};
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use adjutant_text::{all_words, same};
use async_trait::async_trait;
use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::EventRow;
use super::announced::Announced;
use super::changes::{MINUTES_MAX, after, check_texts};
use super::free::busy;
use crate::address::{Resolved, Unknown, is_own, resolve_known};
use crate::effect::{CardDraft, FactDraft, Prepared, failed, local};
use crate::registry::{Acting, spec};
use crate::select::{People, Row, bad, output, referents};
use crate::{recurring, words};

/// Name of the calendar for an event if none is named and none can be written to.
const CALENDAR: &str = "Personal";
/// Maximum overlapping events that are named.
const CONFLICTS_NAMED_MAX: usize = 3;

/// The tool `calendar.create`: creates an event.
pub(super) struct Create;

/// Arguments of `calendar.create`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Title.
    summary: String,
    /// Start; a day makes it a whole day.
    start: Moment,
    /// End; for whole days the last day.
    end: Option<Moment>,
    /// Length in minutes, instead of an end; the usual length of the settings when both are missing.
    duration_minutes: Option<i64>,
    /// Makes it a whole day although the start has a time.
    all_day: Option<bool>,
    /// Guests.
    people: Option<People>,
    /// Where.
    location: Option<String>,
    /// Further text.
    description: Option<String>,
    /// Repetition as an RFC 5545 rule.
    rrule: Option<String>,
    /// Name of the calendar.
    calendar: Option<String>,
}

#[async_trait]
impl Acting for Create {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "calendar.create",
            Domain::Calendar,
            Risk::LocalReversible,
            "Creates an event, with guests, place and repetition where given.",
            &[
                "schedule a meeting",
                "add to my calendar",
                "put … on my calendar",
                "book",
                "set up a call with",
                "create an event",
                "block time for",
                "plan a meeting",
                "I have a meeting at",
                "new appointment",
                "make an appointment",
                "invite",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        // Nothing is sent, so no address is needed.
        let (people, unknown) = match &args.people {
            Some(people) => resolve_known(people, "/people", cx).await?,
            None => (Vec::new(), Vec::new()),
        };
        let event = event(args, &people, cx).await?;
        let row = EventRow::whole(event.clone());
        let conflicts = conflicts(&row, cx).await?;
        let change = Change::add(Record::Event(event.clone()));
        let told = Announced::of(&change, cx).await?;
        let mut said = say(&row, &conflicts, told, cx);
        let mut sketch = sketch(&event, &people, &conflicts, told, cx);
        for sentence in unknown_words(&unknown, &event.summary) {
            said.push_str(&format!(" {sentence}"));
            sketch.note(NoteKind::Info, sentence);
        }
        let rows = [row];
        let mut map = output(&rows, 1, cx);
        map.insert(
            "conflicts".into(),
            conflicts.iter().map(|one| one.value(cx)).collect(),
        );
        map.insert("start".into(), json!(event.start));
        let mut assessment = Assessment::reversible();
        assessment.reaching = people.iter().map(|one| one.pointer.clone()).collect();
        assessment.looked_up = people.iter().filter_map(|one| one.source.clone()).collect();
        Ok(Prepared {
            targets: Vec::new(),
            answer: Answer {
                output: Value::Object(map),
                say: said,
                referents: referents(&rows),
                taint: Taint::Clean,
                used_memories: Vec::new(),
            },
            sketch,
            operations: local(change),
            assessment,
        })
    }
}

async fn event(args: &Args, people: &[Resolved], cx: &Cx) -> Result<Event, Stop> {
    let summary = args.summary.trim();
    if summary.is_empty() {
        return Err(bad("An event needs a title."));
    }
    check_texts(
        Some(summary),
        args.location.as_deref(),
        args.description.as_deref(),
    )?;
    let zone = cx.zone();
    let start = match (&args.start, args.all_day) {
        (Moment::At(_), Some(true)) => Moment::Day(args.start.date(&zone)),
        (start, _) => start.clone(),
    };
    let end = end_of(args, &start, cx)?;
    if end.starts(&zone) < start.starts(&zone) {
        return Err(bad(format!(
            "The event would end ({}) before it starts ({}).",
            words::moment(&end, cx),
            words::moment(&start, cx)
        )));
    }
    let rrule = match &args.rrule {
        Some(rule) => Some(recurring::check(rule, &start)?),
        None => None,
    };
    let now = cx.now.timestamp();
    let id = cx.new_id(Kind::Event);
    Ok(Event {
        uid: format!("{id}@adjutant"),
        id,
        recurrence_id: None,
        following: false,
        calendar: calendar(args.calendar.as_deref(), cx).await?,
        summary: summary.to_owned(),
        description: args.description.clone().unwrap_or_default(),
        location: args
            .location
            .as_deref()
            .unwrap_or_default()
            .trim()
            .to_owned(),
        start,
        end,
        attendees: people
            .iter()
            .filter(|one| !is_own(&one.address.email, cx))
            .map(|one| Attendee {
                name: one.address.name.clone(),
                email: one.address.email.clone(),
                status: "needs-action".into(),
            })
            .collect(),
        organizer: None,
        rrule,
        rdates: Vec::new(),
        exdates: Vec::new(),
        cancelled: false,
        transparent: false,
        sequence: 0,
        created: now,
        updated: now,
        version: 0,
    })
}

fn end_of(args: &Args, start: &Moment, cx: &Cx) -> Result<Moment, Stop> {
    let minutes = args.duration_minutes;
    if minutes.is_some_and(|minutes| !(1..=MINUTES_MAX).contains(&minutes)) {
        return Err(bad("An event needs a sensible length."));
    }
    match (&args.end, start) {
        (Some(Moment::At(end)), Moment::At(_)) => Ok(Moment::At(end.clone())),
        (Some(Moment::Day(last)), Moment::Day(_)) => {
            Ok(Moment::Day(last.tomorrow().unwrap_or(*last)))
        }
        (Some(end @ Moment::At(_)), Moment::Day(_)) => {
            let last = end.date(&cx.zone());
            Ok(Moment::Day(last.tomorrow().unwrap_or(last)))
        }
        (Some(Moment::Day(day)), Moment::At(at)) => day
            .to_datetime(at.time())
            .to_zoned(at.time_zone().clone())
            .map(Moment::At)
            .map_err(|_| bad("That date is too far away.")),
        (None, Moment::Day(_)) => {
            let days = minutes.map_or(1, |minutes| (minutes / 1_440).max(1));
            after(start, SignedDuration::from_hours(24 * days))
        }
        (None, Moment::At(_)) => {
            let minutes = minutes.unwrap_or(i64::from(cx.settings.event_minutes.max(1)));
            after(start, SignedDuration::from_mins(minutes))
        }
    }
}

/// Returns the calendar of that name in its existing spelling. Without a name, returns the one for new events.
async fn calendar(name: Option<&str>, cx: &Cx) -> Result<String, Stop> {
    let all = cx.records.collections().await.map_err(failed)?;
    if let Some(name) = name.map(str::trim).filter(|name| !name.is_empty()) {
        let mut calendars = all
            .into_iter()
            .filter(|one| one.kind == CollectionKind::Calendar);
        let known = calendars.find(|one| same(&one.name, name));
        return Ok(known.map_or_else(|| name.to_owned(), |one| one.name));
    }
    let usual = for_new(&all, CollectionKind::Calendar);
    Ok(usual.map_or_else(|| CALENDAR.to_owned(), |one| one.name.clone()))
}

/// Returns the events at the same time that keep the person busy; none for a whole day.
pub(super) async fn conflicts(row: &EventRow, cx: &Cx) -> Result<Vec<EventRow>, Stop> {
    if row.0.start.is_day() {
        return Ok(Vec::new());
    }
    let zone = cx.zone();
    let (from, to) = (row.0.start.starts(&zone), row.0.end.starts(&zone));
    let found = busy(
        Window {
            from: Some(from),
            to: Some(to),
        },
        cx,
    )
    .await?;
    Ok(found
        .into_iter()
        .filter(|one| one.0.event.uid != row.0.event.uid)
        .filter(|one| {
            let (begin, end) = (one.0.start.starts(&zone), one.0.end.starts(&zone));
            begin < to && from < end
        })
        .collect())
}

/// Returns "It overlaps …", or an empty string.
pub(super) fn conflict_words(conflicts: &[EventRow], cx: &Cx) -> String {
    if conflicts.is_empty() {
        return String::new();
    }
    let named: Vec<String> = conflicts
        .iter()
        .map(|one| {
            format!(
                "{} ({})",
                words::quoted(&one.0.event.summary),
                words::range(&one.0.start, &one.0.end, cx)
            )
        })
        .collect();
    format!(
        " It overlaps {}.",
        words::join_some(&named, CONFLICTS_NAMED_MAX)
    )
}

fn say(row: &EventRow, conflicts: &[EventRow], told: Announced, cx: &Cx) -> String {
    let event = &row.0.event;
    let mut said = format!("Added {}", words::quoted(&event.summary));
    said.push_str(&format!(", {}", words::range(&event.start, &event.end, cx)));
    let guests: Vec<String> = event
        .attendees
        .iter()
        .map(|guest| words::who(&guest.name, &guest.email))
        .collect();
    if !guests.is_empty() {
        said.push_str(&format!(", with {}", words::join(&guests)));
    }
    if !event.location.is_empty() {
        said.push_str(&format!(", {}", words::inline(&event.location)));
    }
    if let Some(rule) = &event.rrule {
        said.push_str(&format!(", {}", words::repeats(rule, cx)));
    }
    said.push('.');
    said.push_str(&conflict_words(conflicts, cx));
    if event.end.starts(&cx.zone()) < cx.now.timestamp() {
        said.push_str(" That time is already past.");
    }
    if !guests.is_empty() {
        said.push_str(&format!(" {}", told.guests()));
    }
    said
}

/// Explains who is missing from the guests: one sentence for people who are unknown, one for contacts without an
/// address.
fn unknown_words(unknown: &[Unknown], title: &str) -> Vec<String> {
    [false, true]
        .into_iter()
        .filter_map(|in_book| {
            let who: Vec<&str> = unknown
                .iter()
                .filter(|one| one.in_book == in_book)
                .map(|one| one.name.as_str())
                .collect();
            if who.is_empty() {
                return None;
            }
            let names: Vec<String> = who
                .iter()
                .enumerate()
                .map(|(place, name)| match name.strip_prefix("my ") {
                    Some(role) if place == 0 => format!("Your {}", words::inline(role)),
                    Some(role) => format!("your {}", words::inline(role)),
                    None => words::name(name),
                })
                .collect();
            let one = names.len() == 1;
            let lack = match (in_book, one) {
                (false, true) => "is not in your address book",
                (false, false) => "are not in your address book",
                (true, true) => "has no address in your address book",
                (true, false) => "have no address in your address book",
            };
            let titled = who.iter().all(|name| {
                name.trim_start_matches("my ")
                    .split_whitespace()
                    .next()
                    .is_some_and(|first| all_words(first, title))
            });
            let so = if titled {
                "only the title names them"
            } else {
                "they are not on the guest list"
            };
            Some(format!("{} {lack}, so {so}.", words::join(&names)))
        })
        .collect()
}

fn sketch(
    event: &Event,
    people: &[Resolved],
    conflicts: &[EventRow],
    told: Announced,
    cx: &Cx,
) -> CardDraft {
    let mut sketch = CardDraft::new("Add an event", "Add", "Can be undone: it is removed again.");
    let facts = &mut sketch.facts;
    facts.push(FactDraft::from_arg("Event", &event.summary, "/summary"));
    facts.push(FactDraft::from_arg(
        "When",
        words::range(&event.start, &event.end, cx),
        "/start",
    ));
    if let Some(rule) = &event.rrule {
        facts.push(FactDraft::from_arg(
            "Repeats",
            words::repeats(rule, cx),
            "/rrule",
        ));
    }
    for one in people {
        facts.push(FactDraft {
            source: one.source.clone(),
            ..FactDraft::from_arg(
                "Guest",
                words::person(&one.address.name, &one.address.email),
                &one.pointer,
            )
        });
    }
    if !event.location.is_empty() {
        facts.push(FactDraft::from_arg("Where", &event.location, "/location"));
    }
    facts.push(FactDraft::from_arg(
        "Calendar",
        &event.calendar,
        "/calendar",
    ));
    if !event.description.is_empty() {
        sketch.body = Some(event.description.clone());
    }
    if !people.is_empty() {
        sketch.note(NoteKind::Info, told.guests());
    }
    if !conflicts.is_empty() {
        sketch.note(
            NoteKind::Warn,
            conflict_words(conflicts, cx).trim().to_owned(),
        );
    }
    sketch
}
