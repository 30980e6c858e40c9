//! Filters and sorts records in memory, as storage does with queries.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{Field, Filter, Match, Order, Role, RowFlag, Test, Time, Window};
use adjutant_domain::ids::RecordId;
use adjutant_domain::moment::Moment;
use adjutant_domain::record::{
    Address, Attendee, Contact, Event, Folder, Mail, Memory, MemorySource, OutboxItem, Record,
    Task, TaskStatus, Writer,
};
use adjutant_text::{fold, fold_line, same, words};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::text::{all_words, is_person};

/// Context in which a filter tests a row.
pub(crate) struct Around<'a> {
    /// The person's time zone.
    pub(crate) zone: &'a TimeZone,
    /// Message-IDs of the mails that the person answered.
    pub(crate) answered: BTreeSet<String>,
    /// Kinds of sender of the mails with a stored source.
    pub(crate) writers: BTreeMap<RecordId, Writer>,
}

/// Returns whether a record passes every test.
pub(crate) fn fits(
    record: &Record,
    filter: &Filter,
    around: &Around<'_>,
) -> Result<bool, StoreFault> {
    if let Record::Mail(mail) = record {
        let named = |test: &Test| matches!(test, Test::Folders(_));
        let hidden = matches!(mail.folder, Folder::Trash | Folder::Junk);
        if hidden && !filter.tests.iter().any(named) {
            return Ok(false);
        }
    }
    for test in &filter.tests {
        let passed = passes(record, test, around).ok_or_else(|| {
            let kind = record.kind().word();
            StoreFault::Other(format!(
                "a list of the kind “{kind}” knows nothing of {test:?}"
            ))
        })?;
        if !passed {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns whether a record passes a test; `None` if its kind does not support the test.
fn passes(record: &Record, test: &Test, around: &Around<'_>) -> Option<bool> {
    match (test, record) {
        (Test::Ids(ids), _) => Some(ids.contains(record.id())),
        (Test::Words { field, text, how }, _) => has_words(record, *field, *how, text),
        (Test::Called(title), Record::Task(task)) => Some(same(title, &task.title)),
        (Test::Called(title), Record::Note(note)) => Some(same(title, &note.title)),
        (Test::Called(name), Record::Mail(mail)) => Some(same_name(name, &mail.subject)),
        (Test::Called(name), Record::Memory(memory)) => Some(same_name(name, &memory.key)),
        (Test::With(role, who), _) => has_person(record, *role, who),
        (Test::Within(time, window), _) => within(record, *time, *window, around.zone),
        (Test::Is(mark, wanted), _) => Some(is(record, *mark, around)? == *wanted),
        (Test::Overdue { now, today, is }, Record::Task(task)) => {
            let past = task.due.as_ref().is_some_and(|due| match due {
                Moment::Day(_) => due.starts(around.zone) < *today,
                Moment::At(at) => at.timestamp() < *now,
            });
            Some(*is == (past && task.status == TaskStatus::Open))
        }
        (Test::Priority(priority), Record::Task(task)) => Some(*priority == task.priority),
        (Test::States(states), Record::Outbox(item)) => Some(states.contains(&item.state)),
        (Test::Folders(folders), Record::Mail(mail)) => Some(folders.contains(&mail.folder)),
        (Test::WrittenBy(writer), Record::Mail(mail)) => {
            Some(around.writers.get(&mail.id).copied().unwrap_or_default() == *writer)
        }
        (Test::Label(label), Record::Mail(mail)) => {
            Some(mail.labels.iter().any(|one| fold(one) == fold(label)))
        }
        (Test::Label(tag), Record::Note(note)) => Some(note.tags.iter().any(|one| same(one, tag))),
        (Test::Calendar(name), Record::Event(event)) => Some(fold(name) == fold(&event.calendar)),
        (Test::Uid(uid), Record::Event(event)) => Some(*uid == event.uid),
        _ => None,
    }
}

fn same_name(one: &str, other: &str) -> bool {
    fold(one).trim() == fold(other).trim()
}

fn has_words(record: &Record, field: Field, how: Match, text: &str) -> Option<bool> {
    if let (Match::Ranked, Record::Memory(memory)) = (how, record) {
        return Some(words(text).is_empty() || score(memory, text) > 0);
    }
    if let (Field::Names, Record::Contact(who)) = (field, record) {
        return Some(is_called(who, text));
    }
    let hay = match (field, record) {
        (Field::Anywhere, Record::Task(row)) => vec![row.title.clone(), row.notes.clone()],
        (Field::Anywhere, Record::Event(row)) => vec![
            row.summary.clone(),
            row.location.clone(),
            row.description.clone(),
        ],
        (Field::Anywhere, Record::Note(row)) => {
            vec![row.title.clone(), row.body.clone(), row.tags.join(" ")]
        }
        (Field::Anywhere, Record::Mail(row)) => vec![
            row.subject.clone(),
            row.text.clone(),
            row.from.name.clone(),
            row.from.email.clone(),
        ],
        (Field::Anywhere, Record::Outbox(row)) => vec![row.subject.clone(), row.body.clone()],
        (Field::Anywhere, Record::Memory(row)) => {
            vec![row.key.clone(), row.value.clone(), row.category.clone()]
        }
        (Field::Anywhere, Record::Contact(row)) => vec![
            row.name.clone(),
            row.relation.clone(),
            row.nicknames.join(" "),
            row.emails.join(" "),
            row.organisation.clone(),
            row.notes.clone(),
            row.phones.join(" "),
        ],
        (Field::Names, Record::Mail(row)) => {
            vec![row.from.name.clone(), row.from.email.clone()]
        }
        (Field::Organisation, Record::Contact(row)) => vec![row.organisation.clone()],
        (Field::Title, Record::Task(row)) => vec![row.title.clone()],
        (Field::Title, Record::Note(row)) => vec![row.title.clone()],
        (Field::Title, Record::Mail(row)) => vec![row.subject.clone()],
        (Field::Title, Record::Outbox(row)) => vec![row.subject.clone()],
        _ => return None,
    };
    let hay: Vec<&str> = hay.iter().map(String::as_str).collect();
    Some(match how {
        Match::Loose => adjutant_text::all_words(text, &hay.join(" ")),
        _ => all_words(text, &hay),
    })
}

fn is_called(who: &Contact, name: &str) -> bool {
    let mut texts = vec![who.name.as_str(), who.relation.as_str()];
    texts.extend(who.nicknames.iter().map(String::as_str));
    all_words(name, &texts)
        || who
            .emails
            .iter()
            .any(|email| fold(email).starts_with(fold(name).trim()))
}

fn has_person(record: &Record, role: Role, who: &[String]) -> Option<bool> {
    let of_address = |one: &Address| (one.name.clone(), one.email.clone());
    let of_guest = |one: &Attendee| (one.name.clone(), one.email.clone());
    let people: Vec<(String, String)> = match record {
        Record::Mail(mail) => {
            let from = std::iter::once(&mail.from).filter(|_| role != Role::To);
            let to = mail.to.iter().chain(&mail.cc);
            let to = to.filter(|_| role != Role::From);
            from.chain(to).map(of_address).collect()
        }
        Record::Outbox(item) => {
            let all = item.to.iter().chain(&item.cc).chain(&item.bcc);
            all.map(of_address).collect()
        }
        Record::Event(event) => {
            let all = event.attendees.iter().chain(&event.organizer);
            all.map(of_guest).collect()
        }
        _ => return None,
    };
    let is_one = |who: &String| {
        people
            .iter()
            .any(|(name, email)| is_person(who, name, email))
    };
    Some(who.iter().any(is_one))
}

fn within(record: &Record, time: Time, window: Window, zone: &TimeZone) -> Option<bool> {
    let holds = |at: Option<Timestamp>| Some(at.is_some_and(|at| window.holds(at)));
    match (time, record) {
        (Time::Happens, Record::Event(event)) => {
            Some(inside(&event.start, &event.end, window, zone))
        }
        (Time::Due, Record::Task(task)) => holds(task.due.as_ref().map(|due| due.starts(zone))),
        (Time::Completed, Record::Task(task)) => holds(task.completed_at),
        (Time::Dated, Record::Mail(mail)) => holds(Some(mail.date)),
        (Time::Changed, Record::Note(note)) => holds(Some(note.updated)),
        (Time::Changed, Record::Outbox(item)) => holds(Some(item.updated)),
        _ => None,
    }
}

/// Returns whether any part of a time span is within the window.
pub(crate) fn inside(start: &Moment, end: &Moment, window: Window, zone: &TimeZone) -> bool {
    let (start, end) = (start.starts(zone), end.starts(zone));
    window.to.is_none_or(|to| start < to)
        && window
            .from
            .is_none_or(|from| end > from || (start == end && start >= from))
}

fn is(record: &Record, mark: RowFlag, around: &Around<'_>) -> Option<bool> {
    Some(match (mark, record) {
        (RowFlag::Done, Record::Task(task)) => task.status == TaskStatus::Done,
        (RowFlag::HasDue, Record::Task(task)) => task.due.is_some(),
        (RowFlag::Repeats, Record::Task(task)) => task.rrule.is_some(),
        (RowFlag::Read, Record::Mail(mail)) => mail.read,
        (RowFlag::Starred, Record::Mail(mail)) => mail.starred,
        (RowFlag::HasAttachment, Record::Mail(mail)) => !mail.attachments.is_empty(),
        (RowFlag::Answered, Record::Mail(mail)) => around.answered.contains(&mail.message_id),
        (RowFlag::Current, Record::Memory(memory)) => memory.valid_to.is_none(),
        (RowFlag::SetAside, Record::Memory(memory)) => memory.source == MemorySource::Read,
        _ => return None,
    })
}

/// Sorts records of one kind in the order of a filter.
pub(crate) fn put_in_order(
    rows: &mut [Record],
    filter: &Filter,
    zone: &TimeZone,
) -> Result<(), StoreFault> {
    rows.sort_by_key(|record| natural(record, filter, zone));
    if filter.order == Order::Natural {
        return Ok(());
    }
    let by_date = |record: &Record| matches!(record, Record::Mail(_) | Record::Event(_));
    if filter.order == Order::Latest && rows.iter().all(by_date) {
        rows.reverse();
        return Ok(());
    }
    if matches!(filter.order, Order::Smallest | Order::Largest) && rows.iter().all(by_date) {
        rows.reverse();
    }
    let Some(mut keyed) = rows
        .iter()
        .map(|record| Some((key(record, filter.order, zone)?, record.clone())))
        .collect::<Option<Vec<_>>>()
    else {
        let order = filter.order;
        return Err(StoreFault::Other(format!("there is no order {order:?}")));
    };
    keyed.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (place, (_, record)) in rows.iter_mut().zip(keyed) {
        *place = record;
    }
    Ok(())
}

/// Returns the sort key of a record in its kind's natural order.
fn natural(record: &Record, filter: &Filter, zone: &TimeZone) -> (bool, i128, i128, String) {
    let late = |at: Timestamp| -at.as_nanosecond();
    match record {
        Record::Task(task) => (
            task.status == TaskStatus::Done,
            due(task, zone).map_or(i128::MAX, Timestamp::as_nanosecond),
            // Tasks that the person ordered come first, in that order.
            i128::from(task.place.map_or(u64::from(u32::MAX) + 1, u64::from)) * 4
                - task.priority as i128,
            task.id.0.clone(),
        ),
        Record::Event(Event { start, id, .. }) => {
            (false, start.starts(zone).as_nanosecond(), 0, id.0.clone())
        }
        Record::Mail(Mail { date, id, .. }) => (false, date.as_nanosecond(), 0, id.0.clone()),
        Record::Note(note) => (false, late(note.updated), 0, String::new()),
        Record::Outbox(OutboxItem { updated, .. }) => (false, late(*updated), 0, String::new()),
        Record::Contact(who) => (false, 0, 0, fold(&who.name)),
        Record::Memory(memory) => {
            let ranked = filter.tests.iter().find_map(|test| match test {
                Test::Words {
                    how: Match::Ranked,
                    text,
                    ..
                } => Some(score(memory, text)),
                _ => None,
            });
            let score = i128::try_from(ranked.unwrap_or_default()).unwrap_or_default();
            (false, -score, late(memory.updated), String::new())
        }
    }
}

/// Returns the sort key of a record in another order; `None` if its kind does not support it.
fn key(record: &Record, order: Order, zone: &TimeZone) -> Option<(i128, String)> {
    let up = |at: Timestamp| Some((at.as_nanosecond(), String::new()));
    let down = |at: Timestamp| Some((-at.as_nanosecond(), String::new()));
    let last = || Some((i128::MAX, String::new()));
    match (order, record) {
        (Order::Earliest, Record::Task(task)) => {
            due(task, zone).or(task.remind_at).map_or_else(last, up)
        }
        (Order::Latest, Record::Task(task)) => {
            due(task, zone).or(task.remind_at).map_or_else(last, down)
        }
        (Order::Earliest, Record::Mail(mail)) => up(mail.date),
        (Order::Earliest, Record::Event(event)) => up(event.start.starts(zone)),
        (Order::Earliest | Order::ChangedFirst, Record::Outbox(item)) => up(item.updated),
        (Order::Latest, Record::Outbox(item)) => down(item.updated),
        (Order::Oldest, Record::Task(task)) => up(task.created),
        (Order::Newest, Record::Task(task)) => down(task.created),
        (Order::Oldest, Record::Note(note)) => up(note.created),
        (Order::Newest, Record::Note(note)) => down(note.created),
        (Order::ChangedFirst, Record::Note(note)) => up(note.updated),
        (Order::ChangedFirst, Record::Memory(memory)) => up(memory.updated),
        (Order::LeastUrgent, Record::Task(task)) => Some((task.priority as i128, String::new())),
        (Order::MostUrgent, Record::Task(task)) => Some((-(task.priority as i128), String::new())),
        (Order::Smallest, Record::Mail(mail)) => Some((i128::from(mail.size), String::new())),
        (Order::Largest, Record::Mail(mail)) => Some((-i128::from(mail.size), String::new())),
        (Order::Smallest, Record::Outbox(item)) => Some((length(item), String::new())),
        (Order::Largest, Record::Outbox(item)) => Some((-length(item), String::new())),
        (Order::Title, Record::Task(task)) => Some((0, fold_line(&task.title))),
        (Order::Title, Record::Note(note)) => Some((0, fold_line(&note.title))),
        (Order::Title, Record::Memory(memory)) => Some((0, fold_line(&memory.key))),
        _ => None,
    }
}

fn due(task: &Task, zone: &TimeZone) -> Option<Timestamp> {
    task.due.as_ref().map(|due| due.starts(zone))
}

fn length(item: &OutboxItem) -> i128 {
    i128::try_from(item.body.len()).unwrap_or(i128::MAX)
}

/// Returns how many of the words occur in a memory.
fn score(memory: &Memory, text: &str) -> usize {
    let hay = words(&format!(
        "{} {} {}",
        memory.key, memory.value, memory.category
    ));
    words(text).iter().filter(|word| hay.contains(word)).count()
}
