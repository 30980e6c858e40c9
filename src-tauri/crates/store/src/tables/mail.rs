//! Mail. Its text and source are stored beside the row, so that lists read little.

use adjutant_domain::filter::{Filter, Order, RowFlag, Test, Time};
use adjutant_domain::ids::RecordId;
use adjutant_domain::record::{Address, Folder, Kind, Mail, Record, Writer};
use adjutant_text::{exact_key, fold, word_line};
use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, json, micros, optional};
use crate::condition::Condition;
use crate::fault::Result;
use crate::people::{PeopleField, PeopleTable, of_address};
use crate::row::{Naming, Row};
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
    format: 1,
    sql: "
    CREATE TABLE mails (
        pk INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL CHECK (version >= 1),
        content_key TEXT,
        import_key TEXT,
        message_id TEXT NOT NULL,
        folder TEXT NOT NULL CHECK (folder IN ('inbox', 'sent', 'archive', 'trash', 'junk')),
        sender_name TEXT NOT NULL,
        sender TEXT NOT NULL,
        recipients TEXT NOT NULL CHECK (json_valid(recipients)),
        copies TEXT NOT NULL CHECK (json_valid(copies)),
        reply_to TEXT NOT NULL CHECK (json_valid(reply_to)),
        subject TEXT NOT NULL,
        subject_key TEXT NOT NULL,
        date INTEGER NOT NULL,
        in_reply_to TEXT,
        refs TEXT NOT NULL CHECK (json_valid(refs)),
        attachments TEXT NOT NULL CHECK (json_valid(attachments)),
        attached INTEGER NOT NULL CHECK (attached >= 0),
        labels TEXT NOT NULL CHECK (json_valid(labels)),
        read INTEGER NOT NULL CHECK (read IN (0, 1)),
        starred INTEGER NOT NULL CHECK (starred IN (0, 1)),
        size INTEGER NOT NULL CHECK (size >= 0),
        updated INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX mails_message_id ON mails (message_id) WHERE message_id <> '';
    CREATE INDEX mails_date ON mails (date, folder, read, attached);
    CREATE INDEX mails_unread ON mails (date, folder) WHERE read = 0;
    CREATE INDEX mails_subject ON mails (subject_key);
    CREATE TABLE mail_text (
        pk INTEGER PRIMARY KEY REFERENCES mails (pk) ON DELETE CASCADE,
        text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE mail_source (
        pk INTEGER PRIMARY KEY REFERENCES mails (pk) ON DELETE CASCADE,
        source BLOB NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE mails_words USING fts5
        (subject, people, body, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii');
    CREATE TABLE mail_people (
        term TEXT NOT NULL,
        part INTEGER NOT NULL,
        owner INTEGER NOT NULL REFERENCES mails (pk) ON DELETE CASCADE,
        person INTEGER NOT NULL,
        PRIMARY KEY (term, part, owner, person)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX mail_people_owner ON mail_people (owner);
    ",
},
    Migration {
        format: 19,
        sql: "
    ALTER TABLE mail_source ADD COLUMN fetched INTEGER;
    CREATE INDEX mail_source_fetched ON mail_source (fetched) WHERE fetched IS NOT NULL;
    ",
    },
    Migration {
        format: 20,
        sql: "
    ALTER TABLE mails ADD COLUMN writer INTEGER NOT NULL DEFAULT 0 CHECK (writer BETWEEN 0 AND 3);
    UPDATE mails SET writer = (SELECT mail_writer(substr(s.source, 1, 65536)) FROM mail_source AS s WHERE s.pk = mails.pk)
        WHERE pk IN (SELECT pk FROM mail_source);
    ",
    },
];

static PEOPLE: PeopleTable = PeopleTable {
    table: "mail_people",
};

/// Selects the Message-IDs of mails the person has answered, or has approved an answer to.
const ANSWERED: &str =
    "(SELECT in_reply_to FROM mails WHERE folder = 'sent' AND in_reply_to IS NOT NULL
    UNION SELECT in_reply_to FROM outbox WHERE state <> 'draft' AND in_reply_to IS NOT NULL)";

impl Row for Mail {
    const KIND: Kind = Kind::Mail;
    const TABLE: &'static str = "mails";
    const PEOPLE: Option<&'static PeopleTable> = Some(&PEOPLE);
    const COLUMNS: &'static [&'static str] = &[
        "message_id",
        "folder",
        "sender_name",
        "sender",
        "recipients",
        "copies",
        "reply_to",
        "subject",
        "subject_key",
        "date",
        "in_reply_to",
        "refs",
        "attachments",
        "attached",
        "labels",
        "read",
        "starred",
        "size",
        "updated",
    ];
    const JOINED: Option<(&'static str, &'static str)> =
        Some(("t.text", "JOIN mail_text AS t ON t.pk = r.pk"));
    const WORDS: &'static [&'static str] = &["subject", "people", "body"];
    const NAMING: Option<Naming> = Some(Naming {
        name: "r.subject",
        from: "r.date",
        to: "r.date",
        when: "r.date",
        shown: "r.folder NOT IN ('trash', 'junk')",
    });

    fn bind(&self) -> Result<Vec<Value>> {
        Ok(vec![
            self.message_id.clone().into(),
            self.folder.as_str().to_owned().into(),
            self.from.name.clone().into(),
            self.from.email.clone().into(),
            json(&self.to)?.into(),
            json(&self.cc)?.into(),
            json(&self.reply_to)?.into(),
            self.subject.clone().into(),
            exact_key(&self.subject).into(),
            micros(self.date).into(),
            optional(self.in_reply_to.clone()),
            json(&self.references)?.into(),
            json(&self.attachments)?.into(),
            i64::try_from(self.attachments.len())
                .unwrap_or(i64::MAX)
                .into(),
            json(&self.labels)?.into(),
            i64::from(self.read).into(),
            i64::from(self.starred).into(),
            i64::try_from(self.size).unwrap_or(i64::MAX).into(),
            micros(self.updated).into(),
        ])
    }

    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self> {
        let (id, version) = (cells.id()?, cells.take()?);
        let (message_id, folder) = (cells.take()?, cells.name()?);
        let (name, email) = (cells.take()?, cells.take()?);
        let (to, cc, reply_to) = (cells.json()?, cells.json()?, cells.json()?);
        let subject = cells.take()?;
        cells.skip(1);
        let (date, in_reply_to) = (cells.time()?, cells.take()?);
        let (references, attachments) = (cells.json()?, cells.json()?);
        cells.skip(1);
        Ok(Self {
            id,
            version,
            message_id,
            folder,
            from: Address { name, email },
            to,
            cc,
            reply_to,
            subject,
            date,
            in_reply_to,
            references,
            attachments,
            labels: cells.json()?,
            read: cells.take()?,
            starred: cells.take()?,
            size: u64::try_from(cells.take::<i64>()?).unwrap_or_default(),
            updated: cells.time()?,
            text: cells.take()?,
        })
    }

    fn words(&self) -> Vec<String> {
        let files = self.attachments.iter().map(|file| file.name.as_str());
        vec![
            word_line([self.subject.as_str()]),
            word_line([self.from.name.as_str(), self.from.email.as_str()]),
            word_line([self.text.as_str()].into_iter().chain(files)),
        ]
    }

    fn content_key(&self) -> Option<String> {
        None
    }

    fn put_beside(&self, tx: &Tx<'_>, pk: i64) -> Result<()> {
        tx.prepare_cached("INSERT OR REPLACE INTO mail_text (pk, text) VALUES (?1, ?2)")?
            .execute(params![pk, self.text])?;
        PEOPLE.clear(tx, pk)?;
        PEOPLE.add(
            tx,
            pk,
            PeopleField::From,
            0,
            std::iter::once(of_address(&self.from)),
        )?;
        let recipients = self.to.iter().chain(&self.cc).map(of_address);
        PEOPLE.add(tx, pk, PeopleField::To, 0, recipients)?;
        let labels: Vec<String> = self.labels.iter().map(|label| fold(label.trim())).collect();
        let labels = labels.iter().map(|label| ("-", label.as_str()));
        PEOPLE.add(tx, pk, PeopleField::Label, 0, labels)?;
        Ok(())
    }

    fn record(self) -> Record {
        Record::Mail(self)
    }

    fn test(condition: &mut Condition, test: &Test) -> bool {
        match test {
            Test::Called(subject) => condition.scalar("r.subject_key = ?", exact_key(subject)),
            Test::Within(Time::Dated, window) => condition.range("r.date", window),
            // The condition is written out because SQLite considers the partial index of unread mail only for a
            // constant condition.
            Test::Is(RowFlag::Read, true) => condition.fixed("r.read = 1"),
            Test::Is(RowFlag::Read, false) => condition.fixed("r.read = 0"),
            Test::Is(RowFlag::Starred, true) => condition.fixed("r.starred = 1"),
            Test::Is(RowFlag::Starred, false) => condition.fixed("r.starred = 0"),
            Test::Is(RowFlag::HasAttachment, true) => condition.fixed("r.attached > 0"),
            Test::Is(RowFlag::HasAttachment, false) => condition.fixed("r.attached = 0"),
            Test::Is(RowFlag::Answered, true) => {
                condition.fixed(&format!("r.message_id IN {ANSWERED}"))
            }
            Test::Is(RowFlag::Answered, false) => {
                condition.fixed(&format!("r.message_id NOT IN {ANSWERED}"));
            }
            Test::Folders(folders) => {
                condition.one_of("r.folder", folders.iter().map(|folder| folder.as_str()));
            }
            Test::WrittenBy(writer) => condition.scalar("r.writer = ?", writer_number(*writer)),
            Test::Label(label) => {
                match PEOPLE.owners(&[PeopleField::Label], std::slice::from_ref(label)) {
                    Some((sql, values)) => condition.set(sql, values),
                    None => condition.nothing(),
                }
            }
            _ => return false,
        }
        true
    }

    fn always(condition: &mut Condition, filter: &Filter) {
        let named = |test: &Test| matches!(test, Test::Folders(_));
        if !filter.tests.iter().any(named) {
            let everywhere = [Folder::Inbox, Folder::Sent, Folder::Archive];
            condition.one_of("r.folder", everywhere.iter().map(|folder| folder.as_str()));
        }
    }

    fn order(order: Order) -> Option<&'static str> {
        Some(match order {
            Order::Natural | Order::Earliest => "r.date",
            Order::Latest => "r.date DESC",
            Order::Smallest => "r.size, r.date DESC",
            Order::Largest => "r.size DESC, r.date DESC",
            _ => return None,
        })
    }
}

/// Stores the unmodified source of a mail unless there is one already.
pub(crate) fn keep_source(tx: &Tx<'_>, pk: i64, source: &[u8]) -> Result<()> {
    tx.prepare_cached("INSERT OR IGNORE INTO mail_source (pk, source) VALUES (?1, ?2)")?
        .execute(params![pk, source])?;
    note_writer(tx, pk, source)
}

/// Stores the kind of writer of a mail, so that lists need not read its source.
fn note_writer(tx: &Tx<'_>, pk: i64, source: &[u8]) -> Result<()> {
    tx.prepare_cached("UPDATE mails SET writer = ?2 WHERE pk = ?1")?
        .execute(params![pk, writer_number(Writer::of(source))])?;
    Ok(())
}

/// Returns the value of the column `writer` for a kind of writer.
pub(crate) fn writer_number(writer: Writer) -> i64 {
    match writer {
        Writer::Person => 0,
        Writer::List => 1,
        Writer::Notice => 2,
        Writer::Group => 3,
    }
}

/// Stores the unmodified source of a mail that was fetched for viewing.
pub(crate) fn keep_fetched(tx: &Tx<'_>, pk: i64, source: &[u8], at: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "INSERT OR IGNORE INTO mail_source (pk, source, fetched) VALUES (?1, ?2, ?3)",
    )?
    .execute(params![pk, source, micros(at)])?;
    note_writer(tx, pk, source)
}

/// Deletes fetched sources, oldest first, until at most `bytes_max` bytes of them remain. A mail that is no longer in
/// any account keeps its source, because it could not be fetched again.
pub(crate) fn make_room(tx: &Tx<'_>, bytes_max: u64) -> Result<()> {
    let bytes_max = i64::try_from(bytes_max).unwrap_or(i64::MAX);
    tx.prepare_cached(
        "DELETE FROM mail_source WHERE pk IN (
            SELECT pk FROM (
                SELECT s.pk, sum(length(s.source)) OVER (ORDER BY s.fetched DESC, s.pk DESC) AS upto
                FROM mail_source AS s JOIN mails AS m ON m.pk = s.pk
                WHERE s.fetched IS NOT NULL AND EXISTS (SELECT 1 FROM origins WHERE record = m.id)
            ) WHERE upto > ?1
        )",
    )?
    .execute([bytes_max])?;
    Ok(())
}

/// Returns the mail with a Message-ID.
pub(crate) fn called(connection: &Connection, message_id: &str) -> Result<Option<RecordId>> {
    Ok(connection
        .prepare_cached("SELECT id FROM mails WHERE message_id = ?1 AND message_id <> ''")?
        .query_row([message_id], |row| Ok(RecordId(row.get(0)?)))
        .optional()?)
}

/// Whether the unmodified source of a mail is stored.
pub(crate) fn has_source(connection: &Connection, id: &RecordId) -> Result<bool> {
    Ok(connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM mail_source JOIN mails USING (pk) WHERE mails.id = ?1)",
        )?
        .query_row([id.as_str()], |row| row.get(0))?)
}

/// Returns up to `bytes` from the beginning of the source of each of these mails that has one.
pub(crate) fn heads(
    connection: &Connection,
    ids: &[RecordId],
    bytes: usize,
) -> Result<Vec<(RecordId, Vec<u8>)>> {
    let mut head = connection.prepare_cached(
        "SELECT substr(source, 1, ?2) FROM mail_source JOIN mails USING (pk) WHERE mails.id = ?1",
    )?;
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    let mut heads = Vec::with_capacity(ids.len());
    for id in ids {
        let found = head.query_row(params![id.as_str(), bytes], |row| row.get(0));
        heads.extend(found.optional()?.map(|head| (id.clone(), head)));
    }
    Ok(heads)
}

/// Returns the unmodified source of a mail, or `None` if it is not stored.
pub(crate) fn source(connection: &Connection, id: &RecordId) -> Result<Option<Vec<u8>>> {
    Ok(connection
        .prepare_cached("SELECT source FROM mail_source JOIN mails USING (pk) WHERE mails.id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?)
}
