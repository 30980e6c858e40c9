//! Drafts and mail on its way out.

use adjutant_domain::filter::{Order, Test, Time};
use adjutant_domain::record::{Kind, OutboxItem, Record};
use adjutant_text::word_line;
use rusqlite::types::Value;

use crate::cells::{Cells, json, micros, optional};
use crate::condition::Condition;
use crate::fault::Result;
use crate::people::{PeopleField, PeopleTable, of_address};
use crate::row::{Naming, Row, content_hash};
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 1,
    sql: "
    CREATE TABLE outbox (
        pk INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL CHECK (version >= 1),
        content_key TEXT,
        import_key TEXT,
        message_id TEXT NOT NULL,
        recipients TEXT NOT NULL CHECK (json_valid(recipients)),
        copies TEXT NOT NULL CHECK (json_valid(copies)),
        blind TEXT NOT NULL CHECK (json_valid(blind)),
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        in_reply_to TEXT,
        forward_of TEXT,
        state TEXT NOT NULL CHECK (state IN ('draft', 'held', 'queued', 'sent', 'failed', 'unknown')),
        mime TEXT,
        not_before INTEGER,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX outbox_message_id ON outbox (message_id) WHERE message_id <> '';
    CREATE INDEX outbox_state ON outbox (state, not_before);
    CREATE INDEX outbox_content ON outbox (content_key);
    CREATE INDEX outbox_import ON outbox (import_key) WHERE import_key IS NOT NULL;
    CREATE VIRTUAL TABLE outbox_words USING fts5
        (subject, body, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii');
    CREATE TABLE outbox_people (
        term TEXT NOT NULL,
        part INTEGER NOT NULL,
        owner INTEGER NOT NULL REFERENCES outbox (pk) ON DELETE CASCADE,
        person INTEGER NOT NULL,
        PRIMARY KEY (term, part, owner, person)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_people_owner ON outbox_people (owner);
    ",
}];

static PEOPLE: PeopleTable = PeopleTable {
    table: "outbox_people",
};

impl Row for OutboxItem {
    const KIND: Kind = Kind::Outbox;
    const TABLE: &'static str = "outbox";
    const PEOPLE: Option<&'static PeopleTable> = Some(&PEOPLE);
    const COLUMNS: &'static [&'static str] = &[
        "message_id",
        "recipients",
        "copies",
        "blind",
        "subject",
        "body",
        "in_reply_to",
        "forward_of",
        "state",
        "mime",
        "not_before",
        "created",
        "updated",
    ];
    const WORDS: &'static [&'static str] = &["subject", "body"];
    const NAMING: Option<Naming> = Some(Naming {
        name: "r.subject",
        from: "r.updated",
        to: "r.updated",
        when: "r.updated",
        shown: "1",
    });

    fn bind(&self) -> Result<Vec<Value>> {
        Ok(vec![
            self.message_id.clone().into(),
            json(&self.to)?.into(),
            json(&self.cc)?.into(),
            json(&self.bcc)?.into(),
            self.subject.clone().into(),
            self.body.clone().into(),
            optional(self.in_reply_to.clone()),
            optional(self.forward_of.clone()),
            self.state.as_str().to_owned().into(),
            optional(self.mime.clone()),
            optional(self.not_before.map(micros)),
            micros(self.created).into(),
            micros(self.updated).into(),
        ])
    }

    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: cells.id()?,
            version: cells.take()?,
            message_id: cells.take()?,
            to: cells.json()?,
            cc: cells.json()?,
            bcc: cells.json()?,
            subject: cells.take()?,
            body: cells.take()?,
            in_reply_to: cells.take()?,
            forward_of: cells.take()?,
            state: cells.name()?,
            mime: cells.take()?,
            not_before: cells.optional_time()?,
            created: cells.time()?,
            updated: cells.time()?,
        })
    }

    fn words(&self) -> Vec<String> {
        vec![
            word_line([self.subject.as_str()]),
            word_line([self.body.as_str()]),
        ]
    }

    fn content_key(&self) -> Option<String> {
        let to: Vec<&str> = self.to.iter().map(|to| to.email.as_str()).collect();
        Some(content_hash(&[
            &self.message_id,
            &to.join(" "),
            &self.subject,
            &self.body,
        ]))
    }

    fn put_beside(&self, tx: &Tx<'_>, pk: i64) -> Result<()> {
        PEOPLE.clear(tx, pk)?;
        let people = self
            .to
            .iter()
            .chain(&self.cc)
            .chain(&self.bcc)
            .map(of_address);
        PEOPLE.add(tx, pk, PeopleField::To, 0, people)?;
        Ok(())
    }

    fn record(self) -> Record {
        Record::Outbox(self)
    }

    fn test(condition: &mut Condition, test: &Test) -> bool {
        match test {
            Test::States(states) => {
                condition.one_of("r.state", states.iter().map(|state| state.as_str()));
            }
            Test::Within(Time::Changed, window) => condition.range("r.updated", window),
            _ => return false,
        }
        true
    }

    fn order(order: Order) -> Option<&'static str> {
        Some(match order {
            Order::Natural | Order::Latest => "r.updated DESC, r.pk DESC",
            Order::Earliest | Order::ChangedFirst => "r.updated, r.pk",
            Order::Smallest => "length(CAST(r.body AS BLOB)), r.updated DESC, r.pk DESC",
            Order::Largest => "length(CAST(r.body AS BLOB)) DESC, r.updated DESC, r.pk DESC",
            _ => return None,
        })
    }
}
