//! Tasks and reminders.

use adjutant_domain::filter::{Order, RowFlag, Test, Time};
use adjutant_domain::record::{Kind, Priority, Record, Task, TaskStatus};
use adjutant_text::spoken_line;
use rusqlite::types::Value;

use crate::cells::{Cells, json, micros, moment_micros, optional};
use crate::condition::Condition;
use crate::fault::Result;
use crate::row::{Naming, Row, content_hash};
use crate::tables::Migration;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
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
    },
    // Makes words with an apostrophe findable as a whole.
    Migration {
        format: 13,
        sql: "
    INSERT OR REPLACE INTO tasks_words (rowid, title, notes)
    SELECT pk, spoken_line(title), spoken_line(notes) FROM tasks
    WHERE title || ' ' || notes GLOB '*[''’]*';
    ",
    },
    Migration {
        format: 18,
        sql: "
    ALTER TABLE tasks ADD COLUMN start TEXT;
    ALTER TABLE tasks ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags));
    ALTER TABLE tasks ADD COLUMN place INTEGER;
    ",
    },
];

/// The instant at which a task is due in the person's zone.
const DUE: &str = "moment_at(r.due_at, r.due_day)";

fn number(priority: Priority) -> i64 {
    match priority {
        Priority::Low => 0,
        Priority::Medium => 1,
        Priority::High => 2,
    }
}

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
        "start",
        "tags",
        "place",
    ];
    const WORDS: &'static [&'static str] = &["title", "notes"];
    const NAMING: Option<Naming> = Some(Naming {
        name: "r.title",
        from: "coalesce(r.due_at, r.remind_at)",
        to: "CASE r.done WHEN 1 THEN coalesce(r.completed_at, r.updated) END",
        when: "r.due",
        shown: "1",
    });

    fn bind(&self) -> Result<Vec<Value>> {
        Ok(vec![
            self.title.clone().into(),
            self.notes.clone().into(),
            optional(self.due.as_ref().map(ToString::to_string)),
            optional(self.due.as_ref().map(moment_micros)),
            optional(self.due.as_ref().map(|due| i64::from(due.is_day()))),
            optional(self.remind_at.map(micros)),
            number(self.priority).into(),
            i64::from(self.status == TaskStatus::Done).into(),
            optional(self.rrule.clone()),
            optional(self.completed_at.map(micros)),
            micros(self.created).into(),
            micros(self.updated).into(),
            optional(self.start.map(|day| day.to_string())),
            json(&self.tags)?.into(),
            optional(self.place.map(i64::from)),
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
            start: cells.optional_day()?,
            tags: cells.json()?,
            place: cells.take()?,
        })
    }

    fn words(&self) -> Vec<String> {
        vec![
            spoken_line(
                std::iter::once(&self.title)
                    .chain(&self.tags)
                    .map(String::as_str),
            ),
            spoken_line([self.notes.as_str()]),
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

    fn test(condition: &mut Condition, test: &Test) -> bool {
        match test {
            Test::Called(title) => condition.is_called(Self::TABLE, "title", title),
            Test::Within(Time::Due, window) => {
                condition.fixed("r.due_at IS NOT NULL");
                condition.range(DUE, window);
            }
            Test::Within(Time::Completed, window) => {
                condition.fixed("r.completed_at IS NOT NULL");
                condition.range("r.completed_at", window);
            }
            // Written as a constant: a partial index uses the same column, and with a parameter SQLite would prepare
            // the query again each time.
            Test::Is(RowFlag::Done, true) => condition.fixed("r.done = 1"),
            Test::Is(RowFlag::Done, false) => condition.fixed("r.done = 0"),
            Test::Is(RowFlag::HasDue, true) => condition.fixed("r.due_at IS NOT NULL"),
            Test::Is(RowFlag::HasDue, false) => condition.fixed("r.due_at IS NULL"),
            Test::Is(RowFlag::Repeats, true) => condition.fixed("r.rrule IS NOT NULL"),
            Test::Is(RowFlag::Repeats, false) => condition.fixed("r.rrule IS NULL"),
            Test::Priority(priority) => condition.scalar("r.priority = ?", number(*priority)),
            Test::Overdue { now, today, is } => {
                let past = "(r.done = 0 AND r.due_at IS NOT NULL AND
                    moment_at(r.due_at, r.due_day) < CASE r.due_day WHEN 1 THEN ? ELSE ? END)";
                let wanted = if *is { "" } else { "NOT " };
                let values = [micros(*today).into(), micros(*now).into()];
                condition.scalars(&format!("{wanted}{past}"), values);
            }
            _ => return false,
        }
        true
    }

    fn order(order: Order) -> Option<&'static str> {
        // Every order ends with the natural one, so that equal rows keep it. Done tasks come newest first, those done at
        // an unknown time last.
        macro_rules! then_natural {
            ($first:literal) => {
                concat!(
                    $first,
                    "r.done, CASE r.done WHEN 1 THEN -coalesce(r.completed_at, 0) END, ",
                    "r.due_at IS NULL, moment_at(r.due_at, r.due_day), r.place IS NULL, r.place, r.priority DESC, r.pk"
                )
            };
        }
        Some(match order {
            Order::Natural => then_natural!(""),
            Order::Earliest => then_natural!(
                "coalesce(r.due_at, r.remind_at) IS NULL,
                 coalesce(moment_at(r.due_at, r.due_day), r.remind_at), "
            ),
            Order::Latest => then_natural!(
                "coalesce(r.due_at, r.remind_at) IS NULL,
                 coalesce(moment_at(r.due_at, r.due_day), r.remind_at) DESC, "
            ),
            Order::Oldest => then_natural!("r.created, "),
            Order::Newest => then_natural!("r.created DESC, "),
            Order::LeastUrgent => then_natural!("r.priority, "),
            Order::MostUrgent => then_natural!("r.priority DESC, "),
            Order::Title => then_natural!("folded(r.title), "),
            _ => return None,
        })
    }
}
