//! The address book.

use adjutant_domain::filter::{Field, Match, Order, Test};
use adjutant_domain::record::{Contact, Kind, Record};
use adjutant_text::{fold, spoken_line};
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
    CREATE TABLE contacts (
        pk INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL CHECK (version >= 1),
        content_key TEXT,
        import_key TEXT,
        uid TEXT NOT NULL,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL,
        nicknames TEXT NOT NULL CHECK (json_valid(nicknames)),
        emails TEXT NOT NULL CHECK (json_valid(emails)),
        phones TEXT NOT NULL CHECK (json_valid(phones)),
        organisation TEXT NOT NULL,
        relation TEXT NOT NULL,
        notes TEXT NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX contacts_uid ON contacts (uid) WHERE uid <> '';
    CREATE INDEX contacts_name ON contacts (name_key);
    CREATE INDEX contacts_content ON contacts (content_key);
    CREATE INDEX contacts_import ON contacts (import_key) WHERE import_key IS NOT NULL;
    CREATE VIRTUAL TABLE contacts_words USING fts5
        (names, more, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii');
    ",
    },
    Migration {
        format: 9,
        sql: "ALTER TABLE contacts ADD COLUMN birthday TEXT NOT NULL DEFAULT '';",
    },
    // Makes telephone numbers, and words with an apostrophe as a whole, findable.
    Migration {
        format: 13,
        sql: "
    INSERT OR REPLACE INTO contacts_words (rowid, names, more)
    SELECT pk, spoken_line(name || ' ' || relation || ' ' || nicknames || ' ' || emails),
        spoken_line(organisation || ' ' || notes || ' ' || phones)
    FROM contacts;
    ",
    },
];

impl Row for Contact {
    const KIND: Kind = Kind::Contact;
    const TABLE: &'static str = "contacts";
    const COLUMNS: &'static [&'static str] = &[
        "uid",
        "name",
        "name_key",
        "nicknames",
        "emails",
        "phones",
        "organisation",
        "relation",
        "notes",
        "created",
        "updated",
        "birthday",
    ];
    const WORDS: &'static [&'static str] = &["names", "more"];
    const NAMING: Option<Naming> = Some(Naming {
        name: "r.name",
        from: "NULL",
        to: "NULL",
        when: "NULL",
        shown: "1",
    });

    fn bind(&self) -> Result<Vec<Value>> {
        Ok(vec![
            self.uid.clone().into(),
            self.name.clone().into(),
            fold(&self.name).into(),
            json(&self.nicknames)?.into(),
            json(&self.emails)?.into(),
            json(&self.phones)?.into(),
            self.organisation.clone().into(),
            self.relation.clone().into(),
            self.notes.clone().into(),
            micros(self.created).into(),
            micros(self.updated).into(),
            self.birthday.clone().into(),
        ])
    }

    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self> {
        let (id, version) = (cells.id()?, cells.take()?);
        let (uid, name) = (cells.take()?, cells.take()?);
        cells.skip(1);
        Ok(Self {
            id,
            version,
            uid,
            name,
            nicknames: cells.json()?,
            emails: cells.json()?,
            phones: cells.json()?,
            organisation: cells.take()?,
            relation: cells.take()?,
            notes: cells.take()?,
            created: cells.time()?,
            updated: cells.time()?,
            birthday: cells.take()?,
        })
    }

    fn words(&self) -> Vec<String> {
        let names = [self.name.as_str(), self.relation.as_str()]
            .into_iter()
            .chain(self.nicknames.iter().map(String::as_str))
            .chain(self.emails.iter().map(String::as_str));
        let more = [self.organisation.as_str(), self.notes.as_str()]
            .into_iter()
            .chain(self.phones.iter().map(String::as_str));
        vec![spoken_line(names), spoken_line(more)]
    }

    fn content_key(&self) -> Option<String> {
        Some(content_hash(&[
            &self.uid,
            &self.name,
            &self.emails.join(" "),
        ]))
    }

    fn record(self) -> Record {
        Record::Contact(self)
    }

    fn test(condition: &mut Condition, test: &Test) -> bool {
        match test {
            // The words of an address match more than that address: it must equal one of theirs.
            Test::Words {
                how: Match::Beginnings,
                text,
                ..
            } if text.contains('@') => condition.scalar(
                "EXISTS (SELECT 1 FROM json_each(r.emails) WHERE lowered(value) = ?)",
                text.trim().to_lowercase(),
            ),
            // The index covers the organisation only together with other fields.
            Test::Words {
                field: Field::Organisation,
                text,
                ..
            } => condition.scalar("has_words(r.organisation, ?)", text.clone()),
            _ => return false,
        }
        true
    }

    fn order(order: Order) -> Option<&'static str> {
        (order == Order::Natural).then_some("r.name_key, r.pk")
    }
}
