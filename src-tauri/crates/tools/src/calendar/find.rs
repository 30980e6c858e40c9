//! Finds events by a filter.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use adjutant_domain::filter::{self, Role, Test, Time, Window};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::{Cx, UnexpandedSeries};
use adjutant_text::{all_words, same};
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp, civil};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::overlap;
use super::scope::Scope;
use super::{EventRow, guests};
use crate::effect::failed;
use crate::select::{
    DayPart, Except, Filter, Found, Ids, Loosened, Meant, Narrowing, People, Pick, Remaining, Row,
    Times, Weekday, ask_person, check_range, is_person, known_people, loosened, meant, not_found,
    prefer, window_words, without,
};
use crate::words;

/// How far an open range reaches at first: two years.
const REACH: SignedDuration = SignedDuration::from_hours(24 * 731);
/// How far the further look back reaches if nothing was found: twelve years.
const FAR_REACH: SignedDuration = SignedDuration::from_hours(24 * 366 * 12);

/// Which events are meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EventFilter {
    /// From here on; an event under way counts unless `starts_from` is set.
    pub from: Option<Moment>,
    /// Before this.
    pub to: Option<Moment>,
    /// Only events that begin at or after `from`, not those under way ("next", "future").
    pub starts_from: Option<bool>,
    /// Words of the event; titles that hold them come before places and descriptions that do.
    pub text: Option<String>,
    /// The whole title.
    pub summary_is: Option<String>,
    /// Any of these is a guest or the organizer.
    pub person: Option<People>,
    /// All of `person` must be there, not just one.
    pub everyone: Option<bool>,
    /// Name of the calendar.
    pub calendar: Option<String>,
    /// Words of the place.
    pub location: Option<String>,
    /// Only with guests, or only without.
    pub has_guests: Option<bool>,
    /// At least this long, in minutes.
    pub min_minutes: Option<i64>,
    /// At most this long, in minutes.
    pub max_minutes: Option<i64>,
    /// Only whole days, or only events with a time.
    pub all_day: Option<bool>,
    /// Only repeating ones, or only single ones.
    pub recurring: Option<bool>,
    /// Only on these days of the week.
    pub weekdays: Option<Vec<Weekday>>,
    /// Only beginning in this part of the day.
    pub part_of_day: Option<DayPart>,
    /// Only beginning at or after this time of day.
    #[schemars(with = "Option<String>")]
    pub starts_after: Option<civil::Time>,
    /// Only beginning before this time of day.
    #[schemars(with = "Option<String>")]
    pub starts_before: Option<civil::Time>,
    /// Only events with a time that overlap another one, or only those that do not.
    pub overlapping: Option<bool>,
    /// Only these.
    pub ids: Option<Ids>,
    /// Left out: whatever fits any of these filters.
    pub except: Option<Except<EventFilter>>,
    /// Order.
    pub order: Option<Order>,
    /// Which of those that fit.
    pub pick: Option<Pick>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Which question the words answer; only `calendar.list` reads it.
    pub ask: Option<EventQuestion>,
    /// One row a series is enough, because the call is about the series.
    #[serde(skip)]
    pub(super) one_a_series: bool,
}

/// Orders of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Order {
    /// Earliest first.
    #[serde(rename = "start")]
    Start,
    /// Latest first.
    #[serde(rename = "-start")]
    StartDown,
    /// Shortest first.
    #[serde(rename = "duration")]
    Duration,
    /// Longest first.
    #[serde(rename = "-duration")]
    DurationDown,
}

/// Questions about events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The name is part of the schema, whose hash is part of every waiting approval.
#[schemars(rename = "Ask")]
pub enum EventQuestion {
    /// Which ones.
    #[default]
    List,
    /// How many.
    Count,
    /// Whether there are any.
    Any,
    /// When they are.
    When,
    /// Who is there.
    Who,
    /// Where they are.
    Where,
    /// The longest.
    Longest,
    /// The shortest.
    Shortest,
    /// How long altogether.
    Total,
}

#[async_trait]
impl Filter for EventFilter {
    type Row = EventRow;

    fn narrowing(&self) -> Narrowing<'_, Self> {
        Narrowing::of(&self.except, self.pick, self.limit)
    }

    async fn find(&self, acting: bool, _need: Option<usize>, cx: &Cx) -> Found<EventRow> {
        let given = check_range(self.from.as_ref(), self.to.as_ref(), cx)?;
        let people = self.people(cx).await?;
        let mut rows = match &self.ids {
            Some(ids) => self.by_ids(ids, &people, given, cx).await?,
            None => self.search(given, &people, cx).await?,
        };
        rows = self.by_text(rows, acting);
        if let Some(wanted) = self.overlapping {
            rows = overlap::only(rows, wanted, cx).await?;
        }
        let Remaining { mut rows, left_out } = without(rows, self.except.as_ref(), cx).await?;
        if acting {
            self.ask_whose(&rows, &people)?;
        }
        self.sort(&mut rows, given, cx);
        if self.one_a_series || (acting && self.natural_scope() != Some(Scope::This)) {
            // The action covers a whole series, so a series with an excepted instance is left alone.
            let spared: BTreeSet<&str> = left_out
                .iter()
                .map(|row| row.0.event.uid.as_str())
                .collect();
            rows.retain(|row| !row.recurs() || !spared.contains(row.0.event.uid.as_str()));
            rows = one_of_each_series(rows);
        }
        Ok(rows.into())
    }

    async fn among(&self, rows: &[EventRow], cx: &Cx) -> Result<Vec<EventRow>, Stop> {
        let given = check_range(self.from.as_ref(), self.to.as_ref(), cx)?;
        let people = self.people(cx).await?;
        let named = |row: &EventRow| {
            self.ids
                .as_ref()
                .is_none_or(|ids| ids.contains(&row.ref_id()) || ids.contains(&row.0.event.id.0))
        };
        let fitting: Vec<EventRow> = rows
            .iter()
            .filter(|row| named(row) && inside(row, given, cx))
            .filter(|row| self.fits(row, &people, given, cx) && self.fits_text(row))
            .cloned()
            .collect();
        let mut fitting = self.by_text(fitting, false);
        if let Some(wanted) = self.overlapping {
            fitting = overlap::only(fitting, wanted, cx).await?;
        }
        self.sort(&mut fitting, given, cx);
        Ok(fitting)
    }

    async fn loosened(&self, cx: &Cx) -> Result<Vec<Loosened<Self>>, Stop> {
        let (person, unknown) = known_people(&self.person, cx).await?;
        let worded = [&self.text, &self.summary_is, &self.location];
        let said = unknown.iter().chain(worded.into_iter().flatten());
        let filter = Self {
            person,
            text: None,
            summary_is: None,
            location: None,
            ..self.clone()
        };
        Ok(loosened(filter, said, self.ids.is_none()))
    }

    fn described(&self, cx: &Cx) -> String {
        let mut said = String::new();
        if self.overlapping == Some(true) {
            said.push_str("overlapping ");
        }
        said.push_str(match (self.recurring, self.all_day, self.has_guests) {
            (Some(true), ..) => "repeating events",
            (_, Some(true), _) => "whole-day events",
            (_, _, Some(true)) => "meetings",
            _ => "events",
        });
        let title = self.text.as_deref().or(self.summary_is.as_deref());
        words::add_quoted(&mut said, "called", title);
        if let Some(people) = self.person.as_ref().filter(|people| !people.is_empty()) {
            let names: Vec<String> = people.texts().iter().map(|who| words::name(who)).collect();
            said.push_str(&format!(" with {}", words::join(&names)));
        }
        words::add_quoted(&mut said, "at", self.location.as_deref());
        words::add_quoted(&mut said, "in the calendar", self.calendar.as_deref());
        if let Some(part) = self.part_of_day {
            said.push_str(&format!(" in the {}", part.word()));
        }
        said.push_str(&window_words(self.from.as_ref(), self.to.as_ref(), cx));
        said
    }
}

impl EventFilter {
    /// Returns the scope that the description itself implies for recurring events (ARGS, `scope`); `None` if it implies
    /// none.
    #[must_use]
    pub(super) fn natural_scope(&self) -> Option<Scope> {
        // The description distinguishes single instances, so it cannot mean the series.
        let apart = self
            .except
            .iter()
            .flat_map(|except| &except.0)
            .any(|except| except.names_instances(self));
        if apart || self.overlapping.is_some() {
            return Some(Scope::This);
        }
        match (self.pick.unwrap_or(Pick::One), &self.from, &self.to) {
            (Pick::First | Pick::Last | Pick::Nth(_), ..) | (_, Some(_), Some(_)) => {
                Some(Scope::This)
            }
            (Pick::All, Some(_), None) => Some(Scope::Following),
            _ => None,
        }
    }

    /// Returns whether this exception can match one instance of a series but not the next, among those that `choice`
    /// finds.
    fn names_instances(&self, choice: &Self) -> bool {
        self.from.is_some() && self.from != choice.from
            || self.to.is_some() && self.to != choice.to
            || self.weekdays.is_some()
            || self.part_of_day.is_some()
            || self.starts_after.is_some()
            || self.starts_before.is_some()
            || self.overlapping.is_some()
            || self.ids.is_some()
            || self.limit.is_some()
            || !matches!(self.pick, None | Some(Pick::All | Pick::One))
    }

    /// Returns the people that `person` means.
    async fn people(&self, cx: &Cx) -> Result<Vec<Meant>, Stop> {
        match &self.person {
            Some(people) => meant(people, cx).await,
            None => Ok(Vec::new()),
        }
    }

    async fn by_ids(
        &self,
        ids: &Ids,
        people: &[Meant],
        given: Window,
        cx: &Cx,
    ) -> Result<Vec<EventRow>, Stop> {
        let mut rows = Vec::new();
        for id in ids.iter() {
            let row = EventRow::load(id, cx)
                .await?
                .ok_or_else(|| not_found("That event is no longer there."))?;
            if inside(&row, given, cx) && self.fits(&row, people, given, cx) {
                rows.push(row);
            }
        }
        Ok(rows)
    }

    async fn search(
        &self,
        given: Window,
        people: &[Meant],
        cx: &Cx,
    ) -> Result<Vec<EventRow>, Stop> {
        for window in windows(given, cx) {
            // Storage matches words exactly; a second search also accepts plurals and beginnings of words.
            let tries: &[Option<&String>] = match &self.text {
                Some(text) => &[Some(text), None],
                None => &[None],
            };
            for wanted in tries {
                let stored = self.stored(window, people, wanted.map(String::as_str));
                let found = cx.records.occurrences(&stored).await.map_err(failed)?;
                let rows: Vec<EventRow> = found
                    .into_iter()
                    .map(EventRow)
                    .filter(|row| {
                        self.fits(row, people, given, cx)
                            && (wanted.is_some() || self.fits_text(row))
                    })
                    .collect();
                if !rows.is_empty() {
                    return Ok(rows);
                }
            }
        }
        Ok(Vec::new())
    }

    /// Returns the series that may have matching instances but cannot be expanded.
    pub(super) async fn unexpanded(&self, cx: &Cx) -> Result<Vec<UnexpandedSeries>, Stop> {
        if self.ids.is_some() || self.recurring == Some(false) {
            return Ok(Vec::new());
        }
        let given = check_range(self.from.as_ref(), self.to.as_ref(), cx)?;
        let people = self.people(cx).await?;
        let Some(window) = windows(given, cx).into_iter().next() else {
            return Ok(Vec::new());
        };
        let stored = self.stored(window, &people, self.text.as_deref());
        cx.records.unexpanded(&stored).await.map_err(failed)
    }

    /// Returns the part of the filter that storage can apply.
    fn stored(&self, window: Window, people: &[Meant], text: Option<&str>) -> filter::Filter {
        let people = people.iter().flat_map(|one| &one.search);
        filter::Filter::all()
            .within(Time::Happens, window)
            .words(text)
            .with(Role::From, people.cloned().collect())
            .maybe(self.calendar.clone().map(Test::Calendar))
    }

    fn fits_text(&self, row: &EventRow) -> bool {
        let event = &row.0.event;
        self.text.as_deref().is_none_or(|wanted| {
            let hay = format!("{} {} {}", event.summary, event.location, event.description);
            all_words(wanted, &hay)
        })
    }

    fn fits(&self, row: &EventRow, people: &[Meant], given: Window, cx: &Cx) -> bool {
        let event = &row.0.event;
        let there = |one: &Meant| {
            event
                .attendees
                .iter()
                .chain(&event.organizer)
                .any(|guest| is_person(&one.search, &guest.name, &guest.email))
        };
        let minutes = row.minutes(cx);
        let times = Times {
            weekdays: self.weekdays.as_deref().unwrap_or_default(),
            part: self.part_of_day,
            after: self.starts_after,
            before: self.starts_before,
        };
        let begins = self.starts_from != Some(true)
            || given
                .from
                .is_none_or(|from| row.0.start.starts(&cx.zone()) >= from);
        begins
            && (people.is_empty()
                || if self.everyone == Some(true) {
                    people.iter().all(there)
                } else {
                    people.iter().any(there)
                })
            && self
                .summary_is
                .as_deref()
                .is_none_or(|title| same(title, &event.summary))
            && self
                .location
                .as_deref()
                .is_none_or(|place| all_words(place, &event.location))
            && self
                .calendar
                .as_deref()
                .is_none_or(|name| same(name, &event.calendar))
            && self
                .has_guests
                .is_none_or(|has| has != guests(event, cx).is_empty())
            && self.min_minutes.is_none_or(|least| minutes >= least)
            && self.max_minutes.is_none_or(|most| minutes <= most)
            && self
                .all_day
                .is_none_or(|whole| whole == row.0.start.is_day())
            && self
                .recurring
                .is_none_or(|recurring| recurring == row.recurs())
            && times.fits(&row.0.start, cx)
    }

    /// Orders by where the words match: titles come before places and descriptions. If the rows are to be changed, a
    /// title that equals the words comes before longer ones.
    fn by_text(&self, rows: Vec<EventRow>, acting: bool) -> Vec<EventRow> {
        let Some(wanted) = self.text.as_deref() else {
            return rows;
        };
        let titled = prefer(rows, |row| all_words(wanted, &row.0.event.summary));
        if !acting {
            return titled;
        }
        prefer(titled, |row| same(wanted, &row.0.event.summary))
    }

    /// Asks which contact is meant if a name fits several contacts and more than one of them has events here.
    fn ask_whose(&self, rows: &[EventRow], people: &[Meant]) -> Result<(), Stop> {
        if self.pick == Some(Pick::All) {
            return Ok(());
        }
        for one in people {
            ask_person(one, "/target/person", |contact| {
                rows.iter().any(|row| {
                    row.0
                        .event
                        .attendees
                        .iter()
                        .chain(&row.0.event.organizer)
                        .any(|guest| is_person(&contact.emails, &guest.name, &guest.email))
                })
            })?;
        }
        Ok(())
    }

    fn sort(&self, rows: &mut [EventRow], given: Window, cx: &Cx) {
        let zone = cx.zone();
        // Everything found is in the past, so the latest comes first.
        let looked_back = given == Window::default()
            && rows.iter().all(|row| row.0.start.starts(&zone) < today(cx));
        let order = self.order.unwrap_or(if looked_back {
            Order::StartDown
        } else {
            Order::Start
        });
        let start = |row: &EventRow| row.0.start.starts(&zone);
        rows.sort_by_key(|row| (start(row), row.ref_id()));
        match order {
            Order::Start => {}
            Order::StartDown => rows.sort_by_key(|row| Reverse(start(row))),
            Order::Duration => rows.sort_by_key(|row| row.minutes(cx)),
            Order::DurationDown => rows.sort_by_key(|row| Reverse(row.minutes(cx))),
        }
    }
}

/// Returns whether any part of the event lies in the range.
fn inside(row: &EventRow, given: Window, cx: &Cx) -> bool {
    let zone = cx.zone();
    given.to.is_none_or(|to| row.0.start.starts(&zone) < to)
        && given.from.is_none_or(|from| row.0.end.starts(&zone) > from)
}

/// Returns the ranges to search, one after the other until something is found.
fn windows(given: Window, cx: &Cx) -> Vec<Window> {
    let plus = |at: Timestamp, by: SignedDuration| at.checked_add(by).unwrap_or(Timestamp::MAX);
    let minus = |at: Timestamp, by: SignedDuration| at.checked_sub(by).unwrap_or(Timestamp::MIN);
    let window = |from, to| Window {
        from: Some(from),
        to: Some(to),
    };
    match (given.from, given.to) {
        (Some(_), Some(_)) => vec![given],
        (Some(from), None) => vec![window(from, plus(from.max(cx.now.timestamp()), REACH))],
        (None, Some(to)) => vec![
            window(minus(to, REACH), to),
            window(minus(to, FAR_REACH), minus(to, REACH)),
        ],
        (None, None) => {
            let today = today(cx);
            vec![
                window(today, plus(today, REACH)),
                window(minus(today, REACH), today),
                window(minus(today, FAR_REACH), minus(today, REACH)),
            ]
        }
    }
}

fn today(cx: &Cx) -> Timestamp {
    Moment::Day(cx.now.date()).starts(&cx.zone())
}

/// Keeps the first row of every series, and all single events.
fn one_of_each_series(rows: Vec<EventRow>) -> Vec<EventRow> {
    let mut seen = BTreeSet::new();
    rows.into_iter()
        .filter(|row| !row.recurs() || seen.insert(row.0.event.uid.clone()))
        .collect()
}
