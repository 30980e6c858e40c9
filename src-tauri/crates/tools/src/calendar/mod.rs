//! The calendar. Where an event lives decides who hears of a change (`announced.rs`).

mod announced;
mod changes;
mod create;
mod delete;
mod enter;
mod find;
mod free;
mod heard;
mod invited;
mod list;
mod others;
mod overlap;
mod read;
mod respond;
mod scope;
mod series;
mod update;
mod weekends;

#[cfg(test)]
pub(crate) mod contract;

use adjutant_domain::filter::{Filter, Test, Time, Window};
use adjutant_domain::focus::Referent;
use adjutant_domain::gate::Item;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Attendee, Event, Kind, Occurrence, Record};
use adjutant_domain::tool::{AnyTool, Target};
use adjutant_recurrence::{Rule, instance_at};
use async_trait::async_trait;
use jiff::SignedDuration;
use serde_json::{Value, json};
use std::sync::Arc;

pub use find::EventFilter;
pub use invited::{Invited, Standing};

use crate::address::is_own;
use crate::effect::failed;
use crate::providers::OthersTimes;
use crate::registry::{Acts, Reads, any};
use crate::select::{AsTarget, Row, Said, record};
use crate::words;

/// Maximum guests named in one line.
const GUESTS_NAMED_MAX: usize = 3;

/// Returns the tools of this family.
pub fn tools(others: Arc<dyn OthersTimes>) -> Vec<Arc<dyn AnyTool>> {
    vec![
        any(Reads(list::List)),
        any(Reads(read::Read)),
        any(Reads(free::Free(others))),
        any(Acts(create::Create)),
        any(Acts(update::Update)),
        any(Acts(delete::Delete)),
        any(Acts(respond::Respond)),
        any(Acts(enter::Enter)),
    ]
}

/// An event as chosen: one occurrence, or the stored row itself.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow(pub Occurrence);

impl EventRow {
    /// Returns a stored row as it is, without choosing an instance.
    #[must_use]
    pub fn whole(event: Event) -> Self {
        Self(Occurrence {
            start: event.start.clone(),
            end: event.end.clone(),
            instance_of: event.recurrence_id.clone(),
            event,
        })
    }

    /// Returns whether the event belongs to a series.
    #[must_use]
    pub fn recurs(&self) -> bool {
        let event = &self.0.event;
        event.rrule.is_some() || !event.rdates.is_empty() || event.recurrence_id.is_some()
    }

    /// Returns the length in minutes, at least 0.
    #[must_use]
    pub fn minutes(&self, cx: &Cx) -> i64 {
        let zone = cx.zone();
        let length: SignedDuration = self
            .0
            .start
            .starts(&zone)
            .duration_until(self.0.end.starts(&zone));
        length.as_mins().max(0)
    }
}

impl AsTarget for EventRow {
    fn target(&self) -> Target {
        Target {
            kind: Kind::Event,
            id: self.0.event.id.clone(),
            version: self.0.event.version,
            label: self.0.event.summary.clone(),
        }
    }
}

#[async_trait]
impl Row for EventRow {
    const NOUN: &'static str = "event";

    fn ref_id(&self) -> String {
        match &self.0.instance_of {
            Some(instance) => format!("{}@{instance}", self.0.event.id),
            None => self.0.event.id.0.clone(),
        }
    }

    fn referent(&self) -> Option<Referent> {
        Some(Referent {
            instance: self.0.instance_of.as_ref().map(Moment::to_string),
            people: self
                .0
                .event
                .attendees
                .iter()
                .map(|guest| (guest.name.clone(), guest.email.clone()))
                .collect(),
            ..self.referred()
        })
    }

    fn said(&self) -> Said {
        let event = &self.0.event;
        let guests = event.attendees.iter().chain(&event.organizer);
        let names = guests.map(|guest| words::who(&guest.name, &guest.email));
        let titled = [event.summary.clone(), event.location.clone()];
        Said {
            title: titled
                .into_iter()
                .chain(names)
                .collect::<Vec<_>>()
                .join(" "),
            more: event.description.clone(),
            series: event.uid.clone(),
            author: String::new(),
        }
    }

    fn value(&self, cx: &Cx) -> Value {
        let event = &self.0.event;
        // The person knows that they take part themselves.
        let is_other = |guest: &&Attendee| !is_own(&guest.email, cx);
        let people: Vec<&Attendee> = event.attendees.iter().filter(is_other).collect();
        json!({
            "id": self.ref_id(), "event_id": event.id, "uid": event.uid, "instance": self.0.instance_of,
            "summary": event.summary, "start": self.0.start, "end": self.0.end,
            "minutes": self.minutes(cx), "all_day": self.0.start.is_day(),
            "calendar": event.calendar, "location": event.location, "people": people,
            "organizer": event.organizer, "recurring": self.recurs(), "rrule": event.rrule,
            "response": own_response(event, cx),
        })
    }

    fn line(&self, cx: &Cx) -> String {
        let mut line = format!(
            "{}, {}",
            words::inline(&self.0.event.summary),
            words::range(&self.0.start, &self.0.end, cx)
        );
        push_details(&mut line, &self.0.event, cx);
        line
    }

    fn item(&self, cx: &Cx) -> Item {
        let event = &self.0.event;
        let mut detail = words::range(&self.0.start, &self.0.end, cx);
        if let Some(rule) = &event.rrule {
            detail.push_str(&format!(" · {}", words::repeats(rule, cx)));
        }
        if !event.location.is_empty() {
            detail.push_str(&format!(" · {}", event.location));
        }
        let guests: Vec<String> = event
            .attendees
            .iter()
            .map(|guest| words::person(&guest.name, &guest.email))
            .collect();
        if !guests.is_empty() {
            detail.push_str(&format!(" · with {}", words::join(&guests)));
        }
        Item {
            id: self.ref_id(),
            label: event.summary.clone(),
            detail: Some(detail),
            ..Item::default()
        }
    }

    async fn load(id: &str, cx: &Cx) -> Result<Option<Self>, Stop> {
        let (id, instance) = match id.split_once('@') {
            Some((id, instance)) => match instance.parse::<Moment>() {
                Ok(instance) => (id, Some(instance)),
                Err(_) => return Ok(None),
            },
            None => (id, None),
        };
        let Some(Record::Event(event)) = record(Kind::Event, id, cx).await? else {
            return Ok(None);
        };
        match instance {
            None => Ok(Some(Self::whole(event))),
            Some(instance) if event.recurrence_id.as_ref() == Some(&instance) => {
                Ok(Some(Self::whole(event)))
            }
            Some(instance) => instance_of(&event, &instance, cx).await,
        }
    }
}

/// Returns one instance of a recurring event, if it still exists.
async fn instance_of(event: &Event, instance: &Moment, cx: &Cx) -> Result<Option<EventRow>, Stop> {
    let zone = cx.zone();
    let rows = rows_of_uid(&event.uid, cx).await?;
    let known = instance_at(instance, &rows, &zone);
    if let Some((row, _)) = &known
        && row.recurrence_id.as_ref() == Some(instance)
    {
        return Ok(Some(EventRow::whole((*row).clone())));
    }
    // Only expanding the series tells whether it has this instance.
    let start = known.map_or_else(|| instance.clone(), |(_, times)| times.start);
    let start = start.starts(&zone);
    let day = SignedDuration::from_hours(36);
    let around = Filter::all().and(Test::Uid(event.uid.clone())).within(
        Time::Happens,
        Window {
            from: start.checked_sub(day).ok(),
            to: start.checked_add(day).ok(),
        },
    );
    let found = cx.records.occurrences(&around).await.map_err(failed)?;
    Ok(found
        .into_iter()
        .find(|one| one.event.uid == event.uid && one.instance_of.as_ref() == Some(instance))
        .map(EventRow))
}

/// Returns the rows with a UID: a master and its exceptions.
pub(crate) async fn rows_of_uid(uid: &str, cx: &Cx) -> Result<Vec<Event>, Stop> {
    let rows = cx
        .records
        .events(&Filter::all().and(Test::Uid(uid.to_owned())))
        .await
        .map_err(failed)?;
    Ok(rows.into_iter().filter(|row| row.uid == uid).collect())
}

/// Returns the person's answer to an invitation; `None` if they are not among the guests.
pub(crate) fn own_response(event: &Event, cx: &Cx) -> Option<String> {
    event
        .attendees
        .iter()
        .find(|guest| is_own(&guest.email, cx))
        .map(|guest| guest.status.clone())
}

/// Returns whether an event keeps the person busy: it has a time of day and is not cancelled, marked as free or
/// declined.
pub(crate) fn is_busy(row: &EventRow, cx: &Cx) -> bool {
    let event = &row.0.event;
    !event.transparent
        && !event.cancelled
        && !row.0.start.is_day()
        && own_response(event, cx).as_deref() != Some("declined")
}

/// Returns the guests other than the person.
pub(crate) fn guests<'a>(event: &'a Event, cx: &Cx) -> Vec<&'a Attendee> {
    event
        .attendees
        .iter()
        .filter(|guest| !is_own(&guest.email, cx))
        .collect()
}

/// Appends details to a line: ` · every 5 minutes · with Ana and Bob · Room 4`. The repetition is included only if the
/// line stands for more than one instance.
pub(crate) fn push_details(line: &mut String, event: &Event, cx: &Cx) {
    if let Some(rule) = &event.rrule
        && Rule::parse(rule).is_ok_and(|rule| rule.is_once_a_day())
    {
        line.push_str(&format!(" · {}", words::repeats(rule, cx)));
    }
    let names: Vec<String> = guests(event, cx)
        .iter()
        .map(|guest| words::who(&guest.name, &guest.email))
        .collect();
    if !names.is_empty() {
        line.push_str(&format!(
            " · with {}",
            words::join_some(&names, GUESTS_NAMED_MAX)
        ));
    }
    if !event.location.is_empty() {
        line.push_str(&format!(" · {}", words::inline(&event.location)));
    }
}
