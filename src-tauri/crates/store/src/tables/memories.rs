//! Memories: what Adjutant remembers.

use std::collections::HashMap;

use adjutant_domain::filter::{Filter, Match, Order, RowFlag, Test};
use adjutant_domain::ids::RecordId;
use adjutant_domain::record::{Kind, Memory, Record};
use adjutant_text::{exact_key, forms, stem, telling, word_line, words};
use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, params};

use crate::candidates;
use crate::cells::{Cells, micros, name_of, optional};
use crate::condition::Condition;
use crate::fault::Result;
use crate::filter;
use crate::row::{self, Row, content_hash};
use crate::tables::Migration;
use crate::text::Query;
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

/// Weight of a word in the key, relative to one in the value.
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

    fn test(condition: &mut Condition, test: &Test) -> bool {
        match test {
            Test::Called(key) => condition.scalar("r.key_exact = ?", exact_key(key)),
            Test::Is(RowFlag::Current, true) => condition.fixed("r.valid_to IS NULL"),
            Test::Is(RowFlag::Current, false) => condition.fixed("r.valid_to IS NOT NULL"),
            Test::Is(RowFlag::SetAside, true) => condition.fixed("r.source = 'read'"),
            Test::Is(RowFlag::SetAside, false) => condition.fixed("r.source <> 'read'"),
            _ => return false,
        }
        true
    }

    fn order(order: Order) -> Option<&'static str> {
        Some(match order {
            Order::Natural => "r.updated DESC, r.pk DESC",
            Order::ChangedFirst => "r.updated, r.pk",
            Order::Title => "folded(r.key), r.updated DESC, r.pk DESC",
            _ => return None,
        })
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

/// Returns memories, ranked if the filter contains ranked words, otherwise in the order of the
/// filter.
pub(crate) fn list(connection: &Connection, filter: &Filter) -> Result<Vec<Memory>> {
    let (text, rest) = ranked(filter);
    let Some(text) = text else {
        let rest = Filter {
            tests: rest.tests,
            ..filter.clone()
        };
        return filter::list(connection, &rest);
    };
    let fitting = best(connection, text, &rest)?;
    row::load(connection, &filter.part(fitting))
}

/// Returns the number of matching memories.
pub(crate) fn total(connection: &Connection, filter: &Filter) -> Result<u64> {
    let (text, rest) = ranked(filter);
    match text {
        Some(text) => Ok(best(connection, text, &rest)?.len() as u64),
        None => filter::total::<Memory>(connection, &rest),
    }
}

/// Splits a filter into the words to rank by, if any, and the rest.
fn ranked(filter: &Filter) -> (Option<&str>, Filter) {
    let words = |test: &Test| {
        matches!(
            test,
            Test::Words {
                how: Match::Ranked,
                ..
            }
        )
    };
    let text = filter.tests.iter().find_map(|test| match test {
        Test::Words {
            how: Match::Ranked,
            text,
            ..
        } if Query::of(Some(text)) != Query::Any => Some(text.as_str()),
        _ => None,
    });
    let rest = filter.tests.iter().filter(|test| !words(test)).cloned();
    let rest = Filter {
        tests: rest.collect(),
        ..Filter::all()
    };
    (text, rest)
}

/// Returns the numbers of the matching memories, best first; of two equally good ones the newer
/// comes first.
fn best(connection: &Connection, text: &str, rest: &Filter) -> Result<Vec<i64>> {
    let Query::Words(words) = Query::of(Some(text)) else {
        return Ok(Vec::new());
    };
    let scores = scores(connection, &telling(&words))?;
    let condition = filter::condition::<Memory>(rest)?;
    let order = filter::order::<Memory>(Order::Natural)?;
    let mut fitting = candidates::numbers::<Memory>(connection, &condition, order, rest)?;
    fitting.retain(|pk| scores.contains_key(pk));
    fitting.sort_by(|a, b| scores[b].total_cmp(&scores[a]));
    Ok(fitting)
}

/// Scores how well each memory matches the words: rare words count more, and words of the key count
/// double.
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

/// Counts memories as used in an answer. Their versions do not change, because their content does
/// not.
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
