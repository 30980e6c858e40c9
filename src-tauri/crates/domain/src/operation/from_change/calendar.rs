//! Events. A provider stores the rows of one UID as one resource, so they become one operation.

use jiff::tz::TimeZone;

use super::{NotPossible, Series, connected, remote, remote_id, writable};
use crate::account::{Account, Collection, Origin, Origins};
use crate::change::{Change, RowOp};
use crate::ids::AccountId;
use crate::moment::Moment;
use crate::operation::{CalendarOp, CollectionRef, Operation, Participation, RemoteOp};
use crate::record::{Attendee, Event, Record};

/// Returns the operation for one event, or `None` if the event is and stays on this computer only.
pub(super) fn operation(
    series: &Series,
    change: &Change,
    origins: &Origins,
) -> Result<Option<Operation>, NotPossible> {
    let rows = rows(series);
    let goes_to = rows.first().and_then(|row| origins.calendar(&row.calendar));
    match (origins.series(&series.uid), goes_to) {
        (None, None) => Ok(None),
        (None, Some(calendar)) => {
            let mut homes = series.ops.iter().filter_map(|op| change.home(op.id()));
            let comes_back = homes.next().is_some();
            let account = origins.account(&calendar.account);
            if let Some(row) = rows.iter().find(|row| is_of_others(row, account))
                && !comes_back
                && account.is_some_and(|account| !account.takes_events_of_others())
            {
                let what = row.summary.clone();
                return Err(NotPossible::OthersEvent { what });
            }
            let source = source(series, change);
            create(series, rows, source, (calendar, origins)).map(Some)
        }
        (Some((origin, seen)), goes_to) => {
            let at = SeriesContext {
                origin,
                seen,
                calendar: origins.collection(&origin.collection),
                account: origins.account(&origin.account),
            };
            changed(series, rows, &at, goes_to, origins).map(Some)
        }
    }
}

/// Where the event of a series lives, and its current local row.
struct SeriesContext<'a> {
    origin: &'a Origin,
    seen: &'a Event,
    calendar: Option<&'a Collection>,
    account: Option<&'a Account>,
}

/// Returns the rows to write, the master first.
fn rows(series: &Series) -> Vec<Event> {
    let mut rows: Vec<Event> = series
        .ops
        .iter()
        .filter_map(|op| match op {
            RowOp::Put { record, .. } => match record.as_ref() {
                Record::Event(event) => Some(event.clone()),
                _ => None,
            },
            RowOp::Delete { .. } | RowOp::Mark { .. } => None,
        })
        .collect();
    rows.sort_by_key(|row| row.recurrence_id.is_some());
    rows
}

/// Returns the source of an event that comes back, kept with one of its rows.
fn source(series: &Series, change: &Change) -> Option<String> {
    let mut homes = series.ops.iter().filter_map(|op| change.home(op.id()));
    homes.find_map(|home| home.source.clone())
}

fn create(
    series: &Series,
    rows: Vec<Event>,
    source: Option<String>,
    (calendar, origins): (&Collection, &Origins),
) -> Result<Operation, NotPossible> {
    let collection = writable(Some(calendar), &calendar.name)?;
    let account = origins.account(&calendar.account);
    let op = CalendarOp::Create {
        collection,
        remote_id: remote_id(&series.uid),
        notify: informs(rows.iter(), &calendar.account, account, origins),
        rows,
        source,
    };
    Ok(remote(
        &calendar.account,
        RemoteOp::Calendar(op),
        series.ops.clone(),
        origins,
    ))
}

fn changed(
    series: &Series,
    rows: Vec<Event>,
    at: &SeriesContext<'_>,
    goes_to: Option<&Collection>,
    origins: &Origins,
) -> Result<Operation, NotPossible> {
    let SeriesContext { origin, seen, .. } = at;
    if let Some(participation) = answer(&rows, at, origins) {
        let instance = rows.first().and_then(|row| row.recurrence_id.clone());
        let op = CalendarOp::Respond {
            collection: connected(at.calendar, &seen.summary)?,
            remote_id: origin.remote_id.clone(),
            etag: origin.etag.clone(),
            uid: series.uid.clone(),
            sequence: seen.sequence,
            instance,
            participation,
            notify: !origins.is_silent(&origin.account),
        };
        let ops = series.ops.clone();
        return Ok(remote(
            &origin.account,
            RemoteOp::Calendar(op),
            ops,
            origins,
        ));
    }
    let collection = writable(at.calendar, &seen.summary)?;
    let removed = removed(series, origins);
    let touched = rows.iter().chain([*seen]);
    let notify = informs(touched, &origin.account, at.account, origins);
    let op = if removed.iter().any(|row| row.recurrence_id.is_none()) {
        CalendarOp::Delete {
            collection,
            remote_id: origin.remote_id.clone(),
            etag: origin.etag.clone(),
            uid: series.uid.clone(),
            sequence: seen.sequence,
            notify,
        }
    } else {
        CalendarOp::Update {
            collection,
            moves_to: moves_to(&rows, at, goes_to)?,
            remote_id: origin.remote_id.clone(),
            etag: origin.etag.clone(),
            uid: series.uid.clone(),
            sequence: seen.sequence,
            rows,
            reverted: removed
                .into_iter()
                .filter_map(|row| row.recurrence_id)
                .collect::<Vec<Moment>>(),
            source: origin.source.clone(),
            notify,
        }
    };
    let ops = series.ops.clone();
    Ok(remote(
        &origin.account,
        RemoteOp::Calendar(op),
        ops,
        origins,
    ))
}

/// Returns the rows to remove.
fn removed(series: &Series, origins: &Origins) -> Vec<Event> {
    let gone = series.ops.iter().filter_map(|op| match op {
        RowOp::Delete { id, .. } => origins.of(id),
        RowOp::Put { .. } | RowOp::Mark { .. } => None,
    });
    gone.filter_map(|one| match &one.record {
        Record::Event(event) => Some(event.clone()),
        _ => None,
    })
    .collect()
}

/// Returns the other calendar of the same account that the event moves to, if it moves.
fn moves_to(
    rows: &[Event],
    at: &SeriesContext<'_>,
    goes_to: Option<&Collection>,
) -> Result<Option<CollectionRef>, NotPossible> {
    if rows.is_empty() || goes_to.is_some_and(|calendar| calendar.id == at.origin.collection) {
        return Ok(None);
    }
    match goes_to {
        Some(calendar) if calendar.account == at.origin.account => {
            writable(Some(calendar), &at.seen.summary).map(Some)
        }
        _ => Err(NotPossible::AcrossAccounts {
            what: at.seen.summary.clone(),
        }),
    }
}

/// Returns the person's answer to somebody else's event if the rows change nothing else. The provider is then asked to
/// record an answer, not to change the event.
fn answer(rows: &[Event], at: &SeriesContext<'_>, origins: &Origins) -> Option<Participation> {
    let account = at.account?;
    let is_own = |who: &Attendee| account.owns(&who.email);
    if at.seen.organizer.as_ref().is_none_or(is_own) {
        return None;
    }
    let mut given = None;
    for row in rows {
        let before = before(row, at, origins);
        if unanswered(row, account) != unanswered(&before, account) {
            return None;
        }
        let status = |event: &Event| {
            let own = event.attendees.iter().find(|who| is_own(who));
            own.and_then(|who| Participation::of_status(&who.status))
        };
        let answered = status(row)?;
        if given.is_some_and(|given| given != answered) {
            return None;
        }
        given = Some(answered);
    }
    given
}

/// Returns the row before the change; for an instance that gets its first own row, derives it from the row that applied
/// to it.
fn before(row: &Event, at: &SeriesContext<'_>, origins: &Origins) -> Event {
    let known = origins.of(&row.id).map(|one| &one.record);
    if let Some(Record::Event(event)) = known {
        return event.clone();
    }
    let change = origins.following(&row.uid, row.recurrence_id.as_ref());
    let mut instance = change.unwrap_or(at.seen).clone();
    if is_moved_like(&instance, row) {
        instance.start = row.start.clone();
        instance.end = row.end.clone();
    }
    instance.recurrence_id.clone_from(&row.recurrence_id);
    instance.following = false;
    instance.rrule = None;
    instance.rdates.clear();
    instance.exdates.clear();
    instance
}

/// Returns whether `row` begins as far from its original start as `change`; an instance of the series itself, at it.
fn is_moved_like(change: &Event, row: &Event) -> bool {
    let moved = |event: &Event| {
        let original = event.recurrence_id.as_ref().unwrap_or(&event.start);
        let (from, to) = match (original, &event.start) {
            (Moment::At(from), Moment::At(to)) => {
                let from = from.with_time_zone(to.time_zone().clone());
                (from.datetime(), to.datetime())
            }
            (from, to) => {
                let midnight = |day: &Moment| day.date(&TimeZone::UTC).at(0, 0, 0, 0);
                (midnight(from), midnight(to))
            }
        };
        from.duration_until(to)
    };
    moved(change) == moved(row)
}

/// Returns the event without the fields that an answer changes.
fn unanswered(event: &Event, account: &Account) -> Event {
    let mut event = event.clone();
    event.attendees.retain(|who| !account.owns(&who.email));
    event.id = String::new().into();
    event.sequence = 0;
    event.version = 0;
    event.created = jiff::Timestamp::UNIX_EPOCH;
    event.updated = jiff::Timestamp::UNIX_EPOCH;
    event
}

/// Returns whether a change of these rows is to reach other people. Where the server informs nobody, somebody else's
/// event has nobody to inform: its organizer does that, and only an answer reaches the organizer.
fn informs<'a>(
    mut rows: impl Iterator<Item = &'a Event> + Clone,
    id: &AccountId,
    account: Option<&Account>,
    origins: &Origins,
) -> bool {
    if origins.is_silent(id) && rows.clone().any(|row| is_of_others(row, account)) {
        return false;
    }
    rows.any(|row| has_guests(row, account))
}

/// Returns whether somebody else organizes the event.
fn is_of_others(event: &Event, account: Option<&Account>) -> bool {
    let own = |who: &Attendee| account.is_some_and(|account| account.owns(&who.email));
    event.organizer.as_ref().is_some_and(|who| !own(who))
}

/// Returns whether anybody but the person is invited.
fn has_guests(event: &Event, account: Option<&Account>) -> bool {
    let own = |who: &Attendee| account.is_some_and(|account| account.owns(&who.email));
    event.attendees.iter().any(|who| !own(who))
}
