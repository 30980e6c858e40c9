//! `calendar.update`

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{AskReason, Assessment, Item, NoteKind, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Event;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::announced::Announced;
use super::changes::{Changes, length, local_delta};
use super::create::{conflict_words, conflicts};
use super::delete::scope_words;
use super::find::EventFilter;
use super::scope::{Edits, Meant, Scope, events};
use super::series::change;
use super::{EventRow, guests};
use crate::address::{Resolved, resolve};
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{self, Ids, Row, Which, bad};
use crate::words;

/// The tool `calendar.update`: changes events.
pub(super) struct Update;

/// Arguments of `calendar.update`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The event.
    id: Option<Ids>,
    /// Several events.
    ids: Option<Ids>,
    /// Or: which event, by description.
    target: Option<EventFilter>,
    /// Which instance of a repeating event, by its original start.
    instance: Option<Moment>,
    /// How much of a repeating event.
    scope: Option<Scope>,
    /// What changes.
    changes: Changes,
}

/// Maximum instances named that do not move with their series.
const STAYING_NAMED_MAX: usize = 3;

/// Maximum guests named in the title of a card.
const GUESTS_NAMED_MAX: usize = 3;

/// One event before and after the change.
struct Pair {
    scope: Option<Scope>,
    before: EventRow,
    after: EventRow,
    /// Coming instances of a series that were moved by themselves and stay where they are.
    staying: Vec<EventRow>,
    /// JSON pointer of the argument that changes the description.
    described_by: &'static str,
}

#[async_trait]
impl Acting for Update {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "calendar.update",
            Domain::Calendar,
            Risk::LocalReversible,
            "Moves, renames, lengthens or otherwise changes events; adds and removes guests.",
            &[
                "move the meeting to",
                "reschedule",
                "push back",
                "bring forward",
                "postpone the meeting",
                "rename the event",
                "change the name of the event",
                "change the title",
                "make it longer",
                "shorten",
                "extend the meeting",
                "add … to the meeting",
                "invite … to the event",
                "remove … from the meeting",
                "change the location",
                "delay",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        if args.changes == Changes::default() {
            return Err(bad("Say what should change."));
        }
        let scoped = events(
            &Meant {
                which: Which::of(&args.id, &args.ids, &args.target),
                instance: args.instance.as_ref(),
                scope: args.scope.or(args.changes.natural_scope()),
                spread: false,
            },
            cx,
        )
        .await?;
        let added = match &args.changes.add_people {
            Some(people) => resolve(people, "/changes/add_people", cx).await?,
            None => Vec::new(),
        };
        let mut edits = Edits::default();
        let mut pairs = Vec::with_capacity(scoped.len());
        for one in &scoped {
            edits.load(&one.row, cx).await?;
            let changed = change(&mut edits, one, &args.changes, &added, cx)?;
            pairs.push(Pair {
                scope: one.scope,
                before: changed.before,
                after: changed.after,
                staying: changed.staying,
                described_by: match args.changes.add_description {
                    Some(_) => "/changes/add_description",
                    None => "/changes/description",
                },
            });
        }
        let (targets, change) = edits.finish();
        if pairs.iter().all(|pair| differences(pair, cx).is_empty()) {
            return Err(ToolFault::BadArguments {
                reason: "It already is that way; there is nothing to change.".into(),
            }
            .into());
        }
        let overlapping = match pairs.as_slice() {
            [one] if one.before.0.start != one.after.0.start => {
                let mut others = conflicts(&one.after, cx).await?;
                // The rest of a series gets a UID of its own, and takes the place of these instances.
                others.retain(|other| other.0.event.uid != one.before.0.event.uid);
                others
            }
            _ => Vec::new(),
        };
        let rows: Vec<EventRow> = pairs.iter().map(|pair| pair.after.clone()).collect();
        let told = Announced::of(&change, cx).await?;
        Ok(Prepared {
            targets,
            operations: local(change),
            answer: select::answer(&rows, rows.len(), say(&pairs, &overlapping, told, cx), cx),
            assessment: Assessment {
                risk: Risk::LocalReversible,
                ask: Some(AskReason::ChangesEvent),
                count: pairs.len(),
                reaching: added.iter().map(|one| one.pointer.clone()).collect(),
                looked_up: added.iter().filter_map(|one| one.source.clone()).collect(),
                ..Assessment::read()
            },
            sketch: sketch(&pairs, &added, &overlapping, told, cx),
        })
    }
}

/// Returns the differences as label, value before, value after and JSON pointer of the argument.
fn differences(pair: &Pair, cx: &Cx) -> Vec<(&'static str, String, String, &'static str)> {
    let (old, new) = (&pair.before.0, &pair.after.0);
    let mut found = Vec::new();
    let mut add = |label, before: String, after: String, pointer| {
        if before != after {
            found.push((label, before, after, pointer));
        }
    };
    add(
        "Event",
        old.event.summary.clone(),
        new.event.summary.clone(),
        "/changes/summary",
    );
    let (before, after) = match pair.scope {
        // The named instance stands for all of them.
        Some(Scope::Series | Scope::Following) => (
            every(&old.start, &old.end, cx),
            every(&new.start, &new.end, cx),
        ),
        _ => (
            words::range(&old.start, &old.end, cx),
            words::range(&new.start, &new.end, cx),
        ),
    };
    let moved = local_delta(&old.start, &new.start) != Some(SignedDuration::ZERO)
        || length(&old.start, &old.end, &cx.zone()) != length(&new.start, &new.end, &cx.zone());
    if moved || !matches!(pair.scope, Some(Scope::Series | Scope::Following)) {
        add("When", before, after, "/changes/start");
    }
    let rule = |event: &Event| {
        event
            .rrule
            .as_deref()
            .map_or_else(|| "once".into(), |rule| words::repeats(rule, cx))
    };
    if pair.scope != Some(Scope::This) {
        add(
            "Repeats",
            rule(&old.event),
            rule(&new.event),
            "/changes/rrule",
        );
    }
    add(
        "Where",
        old.event.location.clone(),
        new.event.location.clone(),
        "/changes/location",
    );
    add(
        "Guests",
        guest_words(&old.event),
        guest_words(&new.event),
        "/changes/add_people",
    );
    add(
        "Description",
        old.event.description.clone(),
        new.event.description.clone(),
        pair.described_by,
    );
    add(
        "Calendar",
        old.event.calendar.clone(),
        new.event.calendar.clone(),
        "/changes/calendar",
    );
    found
}

fn every(start: &Moment, end: &Moment, cx: &Cx) -> String {
    format!("{} and so on", words::range(start, end, cx))
}

fn guest_words(event: &Event) -> String {
    let people: Vec<String> = event
        .attendees
        .iter()
        .map(|guest| words::person(&guest.name, &guest.email))
        .collect();
    if people.is_empty() {
        "Nobody".into()
    } else {
        words::join(&people)
    }
}

fn sketch(
    pairs: &[Pair],
    added: &[Resolved],
    overlapping: &[EventRow],
    told: Announced,
    cx: &Cx,
) -> CardDraft {
    let (title, verb) = match pairs {
        [one] => title(one, cx),
        many => {
            let events = words::plural(many.len(), "event");
            (format!("Change {events}"), "Change")
        }
    };
    let mut sketch = CardDraft::new(title, verb, "Can be undone from Activity.");
    if let [one] = pairs {
        let event = &one.before.0.event;
        let differences = differences(one, cx);
        if !differences.iter().any(|(label, ..)| *label == "Event") {
            sketch
                .facts
                .push(FactDraft::own("Event", &event.summary, "calendar"));
        }
        if !differences.iter().any(|(label, ..)| *label == "When") {
            sketch.facts.push(FactDraft::own(
                "When",
                words::range(&one.before.0.start, &one.before.0.end, cx),
                "calendar",
            ));
        }
        for (label, before, after, pointer) in differences {
            sketch
                .facts
                .push(FactDraft::from_arg(label, after, pointer).was(before));
        }
        if added.is_empty() && !event.attendees.is_empty() {
            sketch
                .facts
                .push(FactDraft::own("Guests", guest_words(event), "calendar"));
        }
        if let Some(words) = scope_words(one.scope) {
            sketch
                .facts
                .push(FactDraft::from_arg("Which", words, "/scope"));
        }
    }
    for one in added {
        sketch.facts.push(FactDraft {
            source: one.source.clone(),
            ..FactDraft::from_arg(
                "New guest",
                words::person(&one.address.name, &one.address.email),
                &one.pointer,
            )
        });
    }
    sketch.items = if pairs.len() > 1 {
        pairs.iter().map(|pair| item(pair, cx)).collect()
    } else {
        Vec::new()
    };
    if pairs
        .iter()
        .any(|pair| !guests(&pair.after.0.event, cx).is_empty())
    {
        sketch.note(NoteKind::Info, told.guests());
    }
    if let Some(words) = staying_words(pairs, cx) {
        sketch.note(NoteKind::Info, words);
    }
    if !overlapping.is_empty() {
        sketch.note(
            NoteKind::Warn,
            conflict_words(overlapping, cx).trim().to_owned(),
        );
    }
    sketch
}

/// Returns the title of the card and the verb of its button, which say what changes about an event.
fn title(pair: &Pair, cx: &Cx) -> (String, &'static str) {
    let event = words::quoted(&pair.before.0.event.summary);
    let what = match pair.scope {
        Some(Scope::Series) => format!("the series {event}"),
        Some(Scope::Following) => format!("{event} from one instance on"),
        _ => event,
    };
    let labels: Vec<&str> = differences(pair, cx)
        .iter()
        .map(|(label, ..)| *label)
        .filter(|label| *label != "Guests")
        .collect();
    let main = match labels.as_slice() {
        [] => None,
        labels if labels.contains(&"When") && moves(pair, cx) => {
            Some((format!("Move {what}"), "Move"))
        }
        ["Event"] => {
            let name = words::quoted(&pair.after.0.event.summary);
            Some((format!("Rename {what} to {name}"), "Rename"))
        }
        _ => Some((format!("Change {what}"), "Change")),
    };
    let (invited, removed) = guest_changes(pair);
    match (main, invited.is_empty(), removed.is_empty()) {
        (None, true, true) => (format!("Change {what}"), "Change"),
        (None, true, false) => (format!("Remove {removed} from {what}"), "Remove"),
        (None, false, true) => (format!("Invite {invited} to {what}"), "Invite"),
        (None, false, false) => {
            let title = format!("Invite {invited} to {what} and remove {removed}");
            (title, "Change")
        }
        (Some(main), true, true) => main,
        (Some((title, verb)), false, true) => (format!("{title} and invite {invited}"), verb),
        (Some((title, verb)), true, false) => (format!("{title} and remove {removed}"), verb),
        (Some((title, verb)), false, false) => {
            let title = format!("{title}, invite {invited} and remove {removed}");
            (title, verb)
        }
    }
}

/// Whether an event begins at another time than before.
fn moves(pair: &Pair, cx: &Cx) -> bool {
    let (old, new) = (&pair.before.0.start, &pair.after.0.start);
    old.is_day() != new.is_day() || old.starts(&cx.zone()) != new.starts(&cx.zone())
}

/// Returns who is invited and who is removed, in words; empty for nobody.
fn guest_changes(pair: &Pair) -> (String, String) {
    let only_in = |one: &Event, other: &Event| {
        let is_there = |email: &str| {
            let mut guests = other.attendees.iter();
            guests.any(|guest| guest.email.eq_ignore_ascii_case(email))
        };
        let new = one.attendees.iter().filter(|guest| !is_there(&guest.email));
        let named: Vec<String> = new
            .map(|guest| words::who(&guest.name, &guest.email))
            .collect();
        words::join_some(&named, GUESTS_NAMED_MAX)
    };
    let (old, new) = (&pair.before.0.event, &pair.after.0.event);
    (only_in(new, old), only_in(old, new))
}

/// Returns which instances do not move with their series; `None` if all do.
fn staying_words(pairs: &[Pair], cx: &Cx) -> Option<String> {
    let when: Vec<String> = pairs
        .iter()
        .flat_map(|pair| &pair.staying)
        .map(|row| words::range(&row.0.start, &row.0.end, cx))
        .collect();
    let named = words::join_some(&when, STAYING_NAMED_MAX);
    match when.len() {
        0 => None,
        1 => Some(format!("{named} was moved by itself and stays.")),
        _ => Some(format!("{named} were moved by themselves and stay.")),
    }
}

fn item(pair: &Pair, cx: &Cx) -> Item {
    let mut item = pair.before.item(cx);
    let changed: Vec<String> = differences(pair, cx)
        .into_iter()
        .map(|(label, before, after, _)| format!("{label}: {before} → {after}"))
        .chain(scope_words(pair.scope).map(str::to_owned))
        .collect();
    item.detail = Some(format!(
        "{} · {}",
        item.detail.unwrap_or_default(),
        changed.join(" · ")
    ));
    item
}

fn say(pairs: &[Pair], overlapping: &[EventRow], told: Announced, cx: &Cx) -> String {
    let mut said = match pairs {
        [one] => {
            let title = words::quoted(&one.before.0.event.summary);
            let parts: Vec<String> = differences(one, cx)
                .into_iter()
                .map(|(label, before, after, _)| match label {
                    "Event" => format!("is now {}", words::quoted(&after)),
                    "When" => format!("is now {after} (was {before})"),
                    "Where" if after.is_empty() => "no longer has a place".into(),
                    "Where" => format!("is at {}", words::inline(&after)),
                    "Repeats" => format!("repeats {after}"),
                    "Guests" => format!("now has the guests {after}"),
                    "Calendar" => format!("is in {}", words::quoted(&after)),
                    _ => "has a new description".into(),
                })
                .collect();
            format!("{title} {}.", words::join(&parts))
        }
        many => {
            let lines: Vec<String> = many.iter().map(|pair| pair.after.line(cx)).collect();
            format!(
                "Changed {}.\n\n{}\n\n",
                words::plural(many.len(), "event"),
                words::bullets(&lines, lines.len())
            )
        }
    };
    said.push_str(&conflict_words(overlapping, cx));
    if let Some(words) = staying_words(pairs, cx) {
        said.push_str(&format!(" {words}"));
    }
    if pairs
        .iter()
        .any(|pair| !guests(&pair.after.0.event, cx).is_empty())
    {
        said.push_str(&format!(" {}", told.guests()));
    }
    said.trim().to_owned()
}
