//! The scope of a change to a recurring event: one instance, that and all later ones, or the whole series; and the rows
//! it changes.

use std::collections::BTreeMap;

use adjutant_domain::change::Change;
use adjutant_domain::ids::RecordId;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::plan::{AnswerKind, Choice, Question};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Event, Kind, Record};
use adjutant_domain::tool::Target;
use adjutant_recurrence::{next_of, until_before};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::find::EventFilter;
use super::{EventRow, rows_of_uid};
use crate::select::{AsTarget as _, Filter as _, Ids, Pick, Which, bad, not_found, targets};
use crate::words;

/// How much of a recurring event is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// This instance.
    This,
    /// This instance and all later ones.
    Following,
    /// The whole series.
    Series,
}

/// An event and how much of it is meant; `scope` is `None` for one that does not repeat.
#[derive(Clone, Debug)]
pub(super) struct Scoped {
    pub(super) row: EventRow,
    pub(super) scope: Option<Scope>,
}

/// The arguments by which a call names its events.
pub(super) struct Meant<'a> {
    pub(super) which: Which<'a, EventFilter>,
    pub(super) instance: Option<&'a Moment>,
    pub(super) scope: Option<Scope>,
    /// Whether one name means every instance of a series in a range of several days: "cancel the standup next week".
    pub(super) spread: bool,
}

/// Returns the events a call means.
///
/// # Errors
/// Fails like [`targets`]; also returns a question (slot `/scope`) if it is unclear how much of a series is meant.
pub(super) async fn events(meant: &Meant<'_>, cx: &Cx) -> Result<Vec<Scoped>, Stop> {
    let which = &meant.which;
    let by_reference = which.id.is_some() || which.ids.is_some();
    let target = which.target.map(|filter| EventFilter {
        one_a_series: matches!(meant.scope, Some(Scope::Series | Scope::Following)),
        ..filter.clone()
    });
    let target = match target {
        Some(filter) if meant.spread => Some(every_instance(filter, cx).await?),
        target => target,
    };
    let with_instance = with_instance(meant)?;
    let rows = targets(
        Which {
            id: with_instance.as_ref().or(which.id),
            ids: which.ids,
            target: target.as_ref(),
        },
        cx,
    )
    .await?;
    let natural = match (by_reference, &target) {
        (false, Some(filter)) => filter.natural_scope(),
        _ => None,
    };
    let mut scoped: Vec<Scoped> = Vec::with_capacity(rows.len());
    for mut row in rows {
        if !row.recurs() {
            scoped.push(Scoped { row, scope: None });
            continue;
        }
        let named = by_reference && row.0.instance_of.is_some();
        let scope = meant
            .scope
            .or(named.then_some(Scope::This))
            .or(natural)
            .ok_or_else(|| ask_scope(&row, cx))?;
        if scope != Scope::Series && row.0.instance_of.is_none() {
            row = next_instance(&row, cx).await?;
        }
        let twice = scope != Scope::This
            && scoped
                .iter()
                .any(|one| one.row.0.event.uid == row.0.event.uid);
        if !twice {
            scoped.push(Scoped {
                row,
                scope: Some(scope),
            });
        }
    }
    Ok(scoped)
}

/// Maximum number of days in which one name means every instance of a series.
const SPREAD_DAYS_MAX: i32 = 7;

/// Makes a filter that expects one event mean all that match it, if they are instances of one series in a range of two to
/// [`SPREAD_DAYS_MAX`] days.
async fn every_instance(filter: EventFilter, cx: &Cx) -> Result<EventFilter, Stop> {
    let (Some(Moment::Day(from)), Some(Moment::Day(to))) = (&filter.from, &filter.to) else {
        return Ok(filter);
    };
    let days = (*to - *from).get_days();
    if filter.pick != Some(Pick::One) || !(2..=SPREAD_DAYS_MAX).contains(&days) {
        return Ok(filter);
    }
    let rows = filter.find(true, None, cx).await?.rows;
    let one_series = rows.split_first().is_some_and(|(first, rest)| {
        let of_first =
            |row: &EventRow| row.0.instance_of.is_some() && row.0.event.uid == first.0.event.uid;
        !rest.is_empty() && of_first(first) && rest.iter().all(of_first)
    });
    Ok(match one_series {
        true => EventFilter {
            pick: Some(Pick::All),
            ..filter
        },
        false => filter,
    })
}

/// Returns `id` and `instance` as one reference; `None` if there is no instance or a target names it.
fn with_instance(meant: &Meant<'_>) -> Result<Option<Ids>, Stop> {
    let Some(instance) = meant.instance else {
        return Ok(None);
    };
    match meant.which.id.map(|ids| ids.as_slice()) {
        Some([id]) => {
            let bare = id.split('@').next().unwrap_or(id);
            Ok(Some(Ids(vec![format!("{bare}@{instance}")])))
        }
        // A target already names instances by its dates.
        None if meant.which.target.is_some() => Ok(None),
        _ => Err(bad("An instance needs the id of its event.")),
    }
}

/// Returns the next instance from now on, or else the last past one.
async fn next_instance(row: &EventRow, cx: &Cx) -> Result<EventRow, Stop> {
    let filter = EventFilter {
        from: Some(Moment::At(cx.now.clone())),
        ..EventFilter::default()
    };
    let uid = &row.0.event.uid;
    for filter in [
        filter,
        EventFilter {
            to: Some(Moment::At(cx.now.clone())),
            order: Some(super::find::Order::StartDown),
            ..EventFilter::default()
        },
    ] {
        let found = filter.find(false, None, cx).await?.rows;
        if let Some(one) = found.into_iter().find(|one| one.0.event.uid == *uid) {
            return Ok(one);
        }
    }
    Err(not_found(format!(
        "{} has no instances left.",
        words::quoted(&row.0.event.summary)
    )))
}

fn ask_scope(row: &EventRow, cx: &Cx) -> Stop {
    let event = &row.0.event;
    let rule = event
        .rrule
        .as_deref()
        .map_or_else(|| "repeatedly".into(), |rule| words::repeats(rule, cx));
    let mut choices = vec![
        Choice::new("Only this one", json!(Scope::This)),
        Choice::new("The whole series", json!(Scope::Series)),
    ];
    if row.0.instance_of.is_some() {
        choices[0].label = format!("Only {}", words::range(&row.0.start, &row.0.end, cx));
        choices.insert(
            1,
            Choice::new("This and all later ones", json!(Scope::Following)),
        );
    }
    Stop::Ask(Question {
        text: format!(
            "{} repeats {rule}. Only this one, or the whole series?",
            words::quoted(&event.summary)
        ),
        choices,
        slot: "/scope".into(),
        answer: AnswerKind::Choice,
    })
}

/// Rows that a call is going to change. Each row is included at most once, however many of its instances change.
#[derive(Debug, Default)]
pub(super) struct Edits {
    rows: BTreeMap<RecordId, Edit>,
}

#[derive(Debug)]
struct Edit {
    /// The row as stored; `None` for a new row.
    old: Option<Event>,
    /// The row as it will be; `None` for a row that is removed.
    new: Option<Event>,
}

impl Edits {
    /// Adds the rows of a series, or the single row, unless they are already included.
    pub(super) async fn load(&mut self, row: &EventRow, cx: &Cx) -> Result<(), Stop> {
        let rows = if row.recurs() {
            rows_of_uid(&row.0.event.uid, cx).await?
        } else {
            vec![row.0.event.clone()]
        };
        for event in rows {
            self.rows.entry(event.id.clone()).or_insert_with(|| Edit {
                new: Some(event.clone()),
                old: Some(event),
            });
        }
        Ok(())
    }

    /// Returns a row with the edits so far.
    pub(super) fn get(&self, id: &RecordId) -> Option<&Event> {
        self.rows.get(id)?.new.as_ref()
    }

    /// Returns the master of a series with the edits so far.
    pub(super) fn master(&self, uid: &str) -> Option<&Event> {
        self.of(uid).find(|event| event.recurrence_id.is_none())
    }

    /// Returns the exceptions of a series with the edits so far.
    pub(super) fn exceptions(&self, uid: &str) -> Vec<Event> {
        self.of(uid)
            .filter(|event| event.recurrence_id.is_some())
            .cloned()
            .collect()
    }

    /// Returns the rows of a series with the edits so far.
    pub(super) fn of<'a>(&'a self, uid: &str) -> impl Iterator<Item = &'a Event> + use<'a> {
        let uid = uid.to_owned();
        self.rows
            .values()
            .filter_map(|edit| edit.new.as_ref())
            .filter(move |event| event.uid == uid)
    }

    /// Adds or replaces a row.
    pub(super) fn put(&mut self, event: Event) {
        match self.rows.get_mut(&event.id) {
            Some(edit) => edit.new = Some(event),
            None => {
                self.rows.insert(
                    event.id.clone(),
                    Edit {
                        old: None,
                        new: Some(event),
                    },
                );
            }
        }
    }

    /// Removes a row.
    pub(super) fn remove(&mut self, id: &RecordId) {
        if let Some(edit) = self.rows.get_mut(id) {
            edit.new = None;
        }
    }

    /// Returns a row for one instance alone, with its times. Later instances keep what they have.
    pub(super) fn own_row(&mut self, row: &EventRow, cx: &Cx) -> Event {
        let mut event = if let Some(own) = self.of_instance(row) {
            self.hand_on(&own, cx);
            own
        } else {
            Event {
                id: cx.new_id(Kind::Event),
                recurrence_id: row.0.instance_of.clone(),
                rrule: None,
                rdates: Vec::new(),
                exdates: Vec::new(),
                version: 0,
                created: cx.now.timestamp(),
                ..row.0.event.clone()
            }
        };
        event.start = row.0.start.clone();
        event.end = row.0.end.clone();
        event.following = false;
        event
    }

    /// Returns the row that names this very instance, with the edits so far.
    fn of_instance(&self, row: &EventRow) -> Option<Event> {
        let named = row.0.instance_of.as_ref()?;
        let mut rows = self.of(&row.0.event.uid);
        rows.find(|event| event.recurrence_id.as_ref() == Some(named))
            .cloned()
    }

    /// Gives the next instance a row like `event` that applies to it and all later ones, if `event` does.
    fn hand_on(&mut self, event: &Event, cx: &Cx) {
        if !event.following {
            return;
        }
        let rows: Vec<Event> = self.of(&event.uid).cloned().collect();
        if let Some(next) = next_of(event, &rows, &cx.zone()) {
            self.put(Event {
                id: cx.new_id(Kind::Event),
                recurrence_id: Some(next.original),
                start: next.start,
                end: next.end,
                version: 0,
                created: cx.now.timestamp(),
                ..event.clone()
            });
        }
    }

    /// Takes one instance out of its series.
    pub(super) fn take_out(&mut self, row: &EventRow, cx: &Cx) {
        let event = &row.0.event;
        if let Some(own) = self.of_instance(row) {
            self.hand_on(&own, cx);
            self.remove(&own.id);
        }
        if let (Some(mut master), Some(instance)) =
            (self.master(&event.uid).cloned(), row.0.instance_of.clone())
        {
            if !master.exdates.contains(&instance) {
                master.exdates.push(instance);
            }
            touch(&mut master, cx);
            self.put(master);
        }
    }

    /// Ends a series before an instance. Returns `false` if nothing would be left of it.
    pub(super) fn end_before(&mut self, uid: &str, instance: &Moment, cx: &Cx) -> bool {
        let zone = cx.zone();
        let at = instance.starts(&zone);
        let Some(mut master) = self.master(uid).cloned() else {
            return false;
        };
        if at <= master.start.starts(&zone) {
            return false;
        }
        master.rrule = master
            .rrule
            .as_deref()
            .map(|rule| until_before(rule, instance));
        master.rdates.retain(|one| one.starts(&zone) < at);
        master.exdates.retain(|one| one.starts(&zone) < at);
        touch(&mut master, cx);
        self.put(master);
        for exception in self.exceptions(uid) {
            let later = exception
                .recurrence_id
                .as_ref()
                .is_some_and(|one| one.starts(&zone) >= at);
            if later {
                self.remove(&exception.id);
            }
        }
        true
    }

    /// Removes all rows of a series.
    pub(super) fn remove_series(&mut self, uid: &str) {
        let ids: Vec<RecordId> = self.of(uid).map(|event| event.id.clone()).collect();
        for id in ids {
            self.remove(&id);
        }
    }

    /// Returns the rows whose versions the gate binds to, and the change.
    pub(super) fn finish(self) -> (Vec<Target>, Change) {
        let mut targets = Vec::new();
        let mut change = Change::default();
        for edit in self.rows.into_values() {
            if edit.old == edit.new {
                continue;
            }
            if let Some(old) = &edit.old {
                targets.push(EventRow::whole(old.clone()).target());
            }
            change = match (edit.old, edit.new) {
                (None, Some(new)) => change.and_add(Record::Event(new)),
                (Some(old), Some(mut new)) => {
                    new.version = old.version;
                    change.and_replace(Record::Event(new))
                }
                (Some(old), None) => change.and_remove(&Record::Event(old)),
                (None, None) => change,
            };
        }
        (targets, change)
    }
}

/// Marks a row as changed now.
pub(super) fn touch(event: &mut Event, cx: &Cx) {
    // The current number comes from whoever wrote the event and may be the maximum.
    event.sequence = event.sequence.saturating_add(1);
    event.updated = cx.now.timestamp();
}
