//! What Adjutant remembers.

use std::collections::HashMap;

use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::MemoryFilter;
use adjutant_domain::record::{Kind, Memory, Record};
use adjutant_text::{exact_key, forms, stem, word_line, words};
use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, params};

use crate::candidates::{self, Condition};
use crate::cells::{Cells, micros, name_of, optional};
use crate::fault::Result;
use crate::row::{self, Row, content_hash};
use crate::tables::Migration;
use crate::text::Query;
use crate::text::telling;
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 1,
    sql: "
    CREATE TABLE memories (
        pk INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL CHECK (version >= 1),
        content_key TEXT,
        import_key TEXT,
        category TEXT NOT NULL,
        key TEXT NOT NULL,
        key_exact TEXT NOT NULL,
        value TEXT NOT NULL,
        source TEXT NOT NULL CHECK (source IN ('said', 'inferred', 'read')),
        origin TEXT NOT NULL,
        confidence REAL NOT NULL,
        valid_from INTEGER NOT NULL,
        valid_to INTEGER,
        uses INTEGER NOT NULL CHECK (uses >= 0),
        last_used INTEGER,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX memories_key ON memories (key_exact);
    CREATE INDEX memories_updated ON memories (updated);
    CREATE INDEX memories_content ON memories (content_key);
    CREATE INDEX memories_import ON memories (import_key) WHERE import_key IS NOT NULL;
    CREATE VIRTUAL TABLE memories_words USING fts5
        (key, value, category, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii');
    ",
}];

/// What a word in the key is worth, where one in the value is worth 1.
const KEY_WEIGHT: f64 = 2.0;

impl Row for Memory {
    const KIND: Kind = Kind::Memory;
    const TABLE: &'static str = "memories";
    const COLUMNS: &'static [&'static str] = &[
        "category",
        "key",
        "key_exact",
        "value",
        "source",
        "origin",
        "confidence",
        "valid_from",
        "valid_to",
        "uses",
        "last_used",
        "created",
        "updated",
    ];
    const WORDS: &'static [&'static str] = &["key", "value", "category"];

    fn bind(&self) -> Result<Vec<Value>> {
        let confidence = if self.confidence.is_finite() {
            self.confidence.clamp(0.0, 1.0)
        } else {
            0.0
        };
        Ok(vec![
            self.category.clone().into(),
            self.key.clone().into(),
            exact_key(&self.key).into(),
            self.value.clone().into(),
            name_of(&self.source)?.into(),
            self.origin.clone().into(),
            confidence.into(),
            micros(self.valid_from).into(),
            optional(self.valid_to.map(micros)),
            self.uses.max(0).into(),
            optional(self.last_used.map(micros)),
            micros(self.created).into(),
            micros(self.updated).into(),
        ])
    }

    fn read(cells: &mut Cells<'_, '_>) -> rusqlite::Result<Self> {
        let (id, version) = (cells.id()?, cells.take()?);
        let (category, key) = (cells.take()?, cells.take()?);
        cells.skip(1);
        Ok(Self {
            id,
            version,
            category,
            key,
            value: cells.take()?,
            source: cells.name()?,
            origin: cells.take()?,
            confidence: cells.take()?,
            valid_from: cells.time()?,
            valid_to: cells.optional_time()?,
            uses: cells.take()?,
            last_used: cells.optional_time()?,
            created: cells.time()?,
            updated: cells.time()?,
        })
    }

    fn words(&self) -> Vec<String> {
        [&self.key, &self.value, &self.category]
            .map(|text| with_stems(text))
            .to_vec()
    }

    fn content_key(&self) -> Option<String> {
        Some(content_hash(&[&self.category, &self.key, &self.value]))
    }

    fn record(self) -> Record {
        Record::Memory(self)
    }
}

fn with_stems(text: &str) -> String {
    let mut line = word_line([text]);
    for word in words(text) {
        let stem = stem(&word);
        if stem != word {
            line.push(' ');
            line.push_str(&stem);
        }
    }
    line
}

/// Memories, best first when words are given, else latest first.
pub(crate) fn list(connection: &Connection, filter: &MemoryFilter) -> Result<Vec<Memory>> {
    let mut condition = Condition::default();
    if let Some(key) = &filter.key {
        condition.scalar("r.key_exact = ?", exact_key(key));
    }
    if !filter.past {
        condition.fixed("r.valid_to IS NULL");
    }
    if !filter.set_aside {
        condition.fixed("r.source <> 'read'");
    }
    let order = "r.updated DESC, r.pk DESC";
    let asked = match Query::of(filter.text.as_deref()) {
        Query::Any => return candidates::list(connection, &condition, order, filter.limit),
        Query::Nothing => return Ok(Vec::new()),
        Query::Words(words) => telling(&words),
    };
    let scores = scores(connection, &asked)?;
    // Latest first, so that of two equally good ones the newer wins.
    let mut fitting = candidates::numbers::<Memory>(connection, &condition, order, None)?;
    fitting.retain(|pk| scores.contains_key(pk));
    fitting.sort_by(|a, b| scores[b].total_cmp(&scores[a]));
    fitting.truncate(filter.limit.unwrap_or(usize::MAX));
    row::load(connection, &fitting)
}

/// How well each memory fits the words: rare words count more, and words of the key count double.
fn scores(connection: &Connection, asked: &[String]) -> Result<HashMap<i64, f64>> {
    let all: f64 = connection
        .prepare_cached("SELECT count(*) FROM memories")?
        .query_row([], |row| row.get(0))?;
    let mut statement = connection
        .prepare_cached("SELECT rowid FROM memories_words WHERE memories_words MATCH ?1")?;
    let mut find = |columns: &str, word: &str| -> Result<Vec<i64>> {
        let mut any = forms(word);
        any.push(stem(word));
        let any: Vec<String> = any.iter().map(|form| format!("\"{form}\"")).collect();
        let expression = format!("{{{columns}}} : ({})", any.join(" OR "));
        Ok(statement
            .query_map([expression], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?)
    };
    let mut scores = HashMap::new();
    for word in asked {
        let anywhere = find("key value category", word)?;
        let found = f64::from(u32::try_from(anywhere.len()).unwrap_or(u32::MAX));
        let rarity = (1.0 + (all - found + 0.5) / (found + 0.5)).ln();
        for pk in anywhere {
            *scores.entry(pk).or_insert(0.0) += rarity;
        }
        for pk in find("key", word)? {
            *scores.entry(pk).or_insert(0.0) += rarity * (KEY_WEIGHT - 1.0);
        }
    }
    Ok(scores)
}

/// Counts memories as used in an answer. Their versions stay, because what they say does.
pub(crate) fn note_use(tx: &Tx<'_>, ids: &[RecordId], at: Timestamp) -> Result<()> {
    let mut statement =
        tx.prepare_cached("UPDATE memories SET uses = uses + 1, last_used = ?2 WHERE id = ?1")?;
    for id in ids {
        statement.execute(params![id.as_str(), micros(at)])?;
    }
    if !ids.is_empty() {
        tx.touch(Topic::Records(Kind::Memory));
    }
    Ok(())
}
