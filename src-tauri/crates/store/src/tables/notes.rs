//! Notes.

use adjutant_domain::filter::{Order, Test, Time};
use adjutant_domain::record::{Kind, Note, Record};
use adjutant_text::spoken_line;
use rusqlite::types::Value;

use crate::cells::{Cells, json, micros};
use crate::condition::Condition;
use crate::fault::Result;
use crate::row::{Naming, Row, content_hash};
use crate::tables::Migration;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        format: 1,
        sql: "
    CREATE TABLE notes (
        pk INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL CHECK (version >= 1),
        content_key TEXT,
        import_key TEXT,
        title TEXT NOT NULL,
        body TEXT NOT NULL,
        tags TEXT NOT NULL CHECK (json_valid(tags)),
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX notes_updated ON notes (updated);
    CREATE INDEX notes_content ON notes (content_key);
    CREATE INDEX notes_import ON notes (import_key) WHERE import_key IS NOT NULL;
    CREATE VIRTUAL TABLE notes_words USING fts5
        (title, body, tags, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii');
    ",
    },
    // Makes words with an apostrophe findable as a whole.
    Migration {
        format: 13,
        sql: "
    INSERT OR REPLACE INTO notes_words (rowid, title, body, tags)
    SELECT pk, spoken_line(title), spoken_line(body), spoken_line(tags) FROM notes
    WHERE title || ' ' || body || ' ' || tags GLOB '*[''’]*';
    ",
    },
];

impl Row for Note {
    const KIND: Kind = Kind::Note;
    const TABLE: &'static str = "notes";
    const COLUMNS: &'static [&'static str] = &["title", "body", "tags", "created", "updated"];
    const WORDS: &'static [&'static str] = &["title", "body", "tags"];
    const NAMING: Option<Naming> = Some(Naming {
        name: "r.title",
        from: "r.updated",
        to: "r.updated",
        when: "r.updated",
        shown: "1",
    });

    fn bind(&self) -> Result<Vec<Value>> {
        Ok(vec![
            self.title.clone().into(),
            self.body.clone().into(),
            json(&self.tags)?.into(),
            micros(self.created).into(),
            micros(self.updated).into(),
        ])
    }

    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: cells.id()?,
            version: cells.take()?,
            title: cells.take()?,
            body: cells.take()?,
            tags: cells.json()?,
            created: cells.time()?,
            updated: cells.time()?,
        })
    }

    fn words(&self) -> Vec<String> {
        vec![
            spoken_line([self.title.as_str()]),
            spoken_line([self.body.as_str()]),
            spoken_line(self.tags.iter().map(String::as_str)),
        ]
    }

    fn content_key(&self) -> Option<String> {
        Some(content_hash(&[&self.title, &self.body]))
    }

    fn record(self) -> Record {
        Record::Note(self)
    }

    fn test(condition: &mut Condition, test: &Test) -> bool {
        match test {
            Test::Called(title) => condition.is_called(Self::TABLE, "title", title),
            Test::Label(tag) => condition.one_is_called(Self::TABLE, "tags", tag),
            Test::Within(Time::Changed, window) => condition.range("r.updated", window),
            _ => return false,
        }
        true
    }

    fn order(order: Order) -> Option<&'static str> {
        Some(match order {
            Order::Natural => "r.updated DESC, r.pk DESC",
            Order::ChangedFirst => "r.updated, r.pk DESC",
            Order::Oldest => "r.created, r.updated DESC, r.pk DESC",
            Order::Newest => "r.created DESC, r.updated DESC, r.pk DESC",
            Order::Title => "folded(r.title), r.updated DESC, r.pk DESC",
            _ => return None,
        })
    }
}
