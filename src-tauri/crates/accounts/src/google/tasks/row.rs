//! Converts between Google's tasks and rows. A task at Google is due on a day, without a time.

use adjutant_domain::ids::{RecordId, render};
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::Etag;
use adjutant_domain::ports::Entropy;
use adjutant_domain::record::{Kind, Priority, Task, TaskStatus};
use jiff::{Timestamp, civil::Date};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Maximum number of characters kept of titles and notes: Google's own limits.
const TITLE_CHARS_MAX: usize = 1_024;
const NOTES_CHARS_MAX: usize = 8_192;
/// Google's status values for done and open tasks.
const DONE: &str = "completed";
const OPEN: &str = "needsAction";

/// A task in Google's JSON.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) etag: Option<String>,
    pub(super) title: String,
    pub(super) notes: String,
    pub(super) status: String,
    /// The due day, written as its first instant in UTC.
    pub(super) due: Option<String>,
    pub(super) completed: Option<Timestamp>,
    pub(super) deleted: bool,
    pub(super) updated: Option<Timestamp>,
}

impl Item {
    pub(super) fn etag(&self) -> Option<Etag> {
        self.etag.clone().map(Etag)
    }

    fn day(&self) -> Option<Date> {
        self.due.as_deref()?.get(..10)?.parse().ok()
    }
}

/// Builds the row of a task.
pub(super) fn row(item: &Item, entropy: &dyn Entropy, now: Timestamp) -> Task {
    let updated = item.updated.unwrap_or(now);
    Task {
        id: RecordId(render(Kind::Task.prefix(), entropy.bits())),
        title: match title(&item.title) {
            empty if empty.is_empty() => "(no title)".to_owned(),
            title => title,
        },
        notes: notes(&item.notes),
        due: item.day().map(Moment::Day),
        start: None,
        remind_at: None,
        priority: Priority::default(),
        status: match item.status == DONE {
            true => TaskStatus::Done,
            false => TaskStatus::Open,
        },
        rrule: None,
        tags: Vec::new(),
        place: None,
        completed_at: item.completed,
        created: updated,
        updated,
        version: 0,
    }
}

/// Copies to a task that was read what Google has no field for: the due time, reminder, start day, priority, recurrence
/// and tags. Copies the time and the reminder only if the due day is the same.
pub(super) fn keep_here(read: &mut Task, here: &Task) {
    if day_of(read) == day_of(here) {
        read.due.clone_from(&here.due);
        read.remind_at = here.remind_at;
    }
    read.start = here.start;
    read.priority = here.priority;
    read.rrule.clone_from(&here.rrule);
    read.tags.clone_from(&here.tags);
}

/// Returns the fields in which a task differs from `there`; all fields set for a new task.
pub(super) fn changed(new: &Task, there: Option<&Item>) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    if there.is_none_or(|item| title(&item.title) != title(&new.title)) {
        set("title", json!(title(&new.title)));
    }
    if there.map_or(!new.notes.is_empty(), |item| {
        notes(&item.notes) != notes(&new.notes)
    }) {
        set("notes", json!(notes(&new.notes)));
    }
    let day = day_of(new);
    if there.map_or(day.is_some(), |item| item.day() != day) {
        set("due", json!(day.map(|day| format!("{day}T00:00:00.000Z"))));
    }
    let is_done = new.status == TaskStatus::Done;
    if there.map_or(is_done, |item| (item.status == DONE) != is_done) {
        set("status", json!(if is_done { DONE } else { OPEN }));
        if !is_done {
            set("completed", Value::Null);
        }
    }
    fields
}

/// Returns the day on which a task is due.
fn day_of(task: &Task) -> Option<Date> {
    match task.due.as_ref()? {
        Moment::Day(day) => Some(*day),
        Moment::At(at) => Some(at.date()),
    }
}

fn title(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let short: String = plain.take(TITLE_CHARS_MAX).collect();
    short.trim().to_owned()
}

fn notes(text: &str) -> String {
    let plain = text
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    plain.take(NOTES_CHARS_MAX).collect()
}
