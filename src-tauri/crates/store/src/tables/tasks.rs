//! Tasks and reminders.

use adjutant_domain::ports::TaskFilter;
use adjutant_domain::record::{Kind, Priority, Record, Task, TaskStatus};
use adjutant_text::word_line;
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::candidates::{self, Condition};
use crate::cells::{Cells, micros, moment_micros, optional};
use crate::fault::Result;
use crate::row::{Row, content_hash};
use crate::tables::Migration;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 1,
    sql: "
    CREATE TABLE tasks (
        pk INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL CHECK (version >= 1),
        content_key TEXT,
        import_key TEXT,
        title TEXT NOT NULL,
        notes TEXT NOT NULL,
        due TEXT,
        due_at INTEGER,
        due_day INTEGER CHECK (due_day IN (0, 1)),
        remind_at INTEGER,
        priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 2),
        done INTEGER NOT NULL CHECK (done IN (0, 1)),
        rrule TEXT,
        completed_at INTEGER,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        CHECK ((due IS NULL) = (due_at IS NULL) AND (due IS NULL) = (due_day IS NULL))
    ) STRICT;
    CREATE INDEX tasks_due ON tasks (done, due_at);
    CREATE INDEX tasks_reminders ON tasks (remind_at) WHERE done = 0 AND remind_at IS NOT NULL;
    CREATE INDEX tasks_content ON tasks (content_key);
    CREATE INDEX tasks_import ON tasks (import_key) WHERE import_key IS NOT NULL;
    CREATE VIRTUAL TABLE tasks_words USING fts5
        (title, notes, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii');
    ",
}];

impl Row for Task {
    const KIND: Kind = Kind::Task;
    const TABLE: &'static str = "tasks";
    const COLUMNS: &'static [&'static str] = &[
        "title",
        "notes",
        "due",
        "due_at",
        "due_day",
        "remind_at",
        "priority",
        "done",
        "rrule",
        "completed_at",
        "created",
        "updated",
    ];
    const WORDS: &'static [&'static str] = &["title", "notes"];

    fn bind(&self) -> Result<Vec<Value>> {
        let priority: i64 = match self.priority {
            Priority::Low => 0,
            Priority::Medium => 1,
            Priority::High => 2,
        };
        Ok(vec![
            self.title.clone().into(),
            self.notes.clone().into(),
            optional(self.due.as_ref().map(ToString::to_string)),
            optional(self.due.as_ref().map(moment_micros)),
            optional(self.due.as_ref().map(|due| i64::from(due.is_day()))),
            optional(self.remind_at.map(micros)),
            priority.into(),
            i64::from(self.status == TaskStatus::Done).into(),
            optional(self.rrule.clone()),
            optional(self.completed_at.map(micros)),
            micros(self.created).into(),
            micros(self.updated).into(),
        ])
    }

    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self> {
        let (id, version) = (cells.id()?, cells.take()?);
        let (title, notes) = (cells.take()?, cells.take()?);
        let due = cells.optional_moment()?;
        cells.skip(2);
        Ok(Self {
            id,
            version,
            title,
            notes,
            due,
            remind_at: cells.optional_time()?,
            priority: match cells.take::<i64>()? {
                0 => Priority::Low,
                1 => Priority::Medium,
                _ => Priority::High,
            },
            status: if cells.take()? {
                TaskStatus::Done
            } else {
                TaskStatus::Open
            },
            rrule: cells.take()?,
            completed_at: cells.optional_time()?,
            created: cells.time()?,
            updated: cells.time()?,
        })
    }

    fn words(&self) -> Vec<String> {
        vec![
            word_line([self.title.as_str()]),
            word_line([self.notes.as_str()]),
        ]
    }

    fn content_key(&self) -> Option<String> {
        let due = self
            .due
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let rrule = self.rrule.as_deref().unwrap_or_default();
        Some(content_hash(&[&self.title, &self.notes, &due, rrule]))
    }

    fn record(self) -> Record {
        Record::Task(self)
    }
}

/// Tasks: open before done, then by due date (none last), then by priority.
pub(crate) fn list(connection: &Connection, filter: &TaskFilter) -> Result<Vec<Task>> {
    let mut condition = Condition::default();
    condition.words::<Task>(filter.text.as_deref(), &[]);
    if let Some(status) = filter.status {
        // Not as a value: a partial index asks for the same column, and SQLite would prepare the query anew each time.
        condition.fixed(match status {
            TaskStatus::Open => "r.done = 0",
            TaskStatus::Done => "r.done = 1",
        });
    }
    if let Some(from) = filter.due.from {
        condition.scalar("moment_at(r.due_at, r.due_day) >= ?", micros(from));
    }
    if let Some(to) = filter.due.to {
        condition.scalar("moment_at(r.due_at, r.due_day) < ?", micros(to));
    }
    if filter.due.from.is_some() || filter.due.to.is_some() {
        condition.fixed("r.due_at IS NOT NULL");
    }
    let order = "r.done, r.due_at IS NULL, moment_at(r.due_at, r.due_day), r.priority DESC, r.pk";
    candidates::list(connection, &condition, order, filter.limit)
}
