//! Search without the index: the word tables of the database, which are always up to date.

use std::collections::{HashMap, HashSet};

use adjutant_domain::ids::RecordId;
use adjutant_domain::record::{Contact, Event, Kind, Mail, Memory, Note, OutboxItem, Task};
use rusqlite::{Connection, params};

use super::Found;
use crate::fault::Result;
use crate::rows::{Row, with_row};
use crate::text::{Join, match_expression};

/// What a word in the title is worth more than one in the text.
const TITLE_BONUS: f64 = 1.5;

/// Records in which words occur, the best `limit` of each kind; with `after`, only those changed after that number.
pub(crate) fn find(
    connection: &Connection,
    asked: &[String],
    kinds: &[Kind],
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<Found>> {
    let mut found = Vec::new();
    for kind in kinds {
        found.extend(with_row!(*kind, R => of_kind::<R>(connection, asked, after, limit))?);
    }
    Ok(found)
}

fn of_kind<R: Row>(
    connection: &Connection,
    asked: &[String],
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<Found>> {
    let newer = after
        .map(|after| newer_than::<R>(connection, after))
        .transpose()?;
    if newer.as_ref().is_some_and(HashSet::is_empty) {
        return Ok(Vec::new());
    }
    let all_rows: f64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM {}", R::TABLE))?
        .query_row([], |row| row.get(0))?;
    let mut statement = connection.prepare_cached(&format!(
        "SELECT rowid FROM {0}_words WHERE {0}_words MATCH ?1",
        R::TABLE
    ))?;
    let mut scores: HashMap<i64, (usize, f64)> = HashMap::new();
    for word in asked {
        let word = std::slice::from_ref(word);
        let anywhere: Vec<i64> = statement
            .query_map([match_expression(word, &[], Join::Any)], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let hits = f64::from(u32::try_from(anywhere.len()).unwrap_or(u32::MAX));
        let rarity = (1.0 + (all_rows - hits + 0.5) / (hits + 0.5)).ln();
        let title = match_expression(word, &R::WORDS[..1], Join::Any);
        let in_title: HashSet<i64> = statement
            .query_map([title], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for pk in anywhere {
            if newer.as_ref().is_some_and(|newer| !newer.contains(&pk)) {
                continue;
            }
            let bonus = if in_title.contains(&pk) {
                TITLE_BONUS
            } else {
                0.0
            };
            let score = scores.entry(pk).or_default();
            score.0 += 1;
            score.1 += rarity * (1.0 + bonus);
        }
    }
    let mut best: Vec<(i64, (usize, f64))> = scores.into_iter().collect();
    // The latest row first among equals.
    best.sort_by(|(pk_a, a), (pk_b, b)| {
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(pk_b.cmp(pk_a))
    });
    best.truncate(limit);
    let mut name =
        connection.prepare_cached(&format!("SELECT id FROM {} WHERE pk = ?1", R::TABLE))?;
    best.into_iter()
        .map(|(pk, (words, score))| {
            #[expect(clippy::cast_possible_truncation, reason = "a score is a rough figure")]
            Ok(Found {
                kind: R::KIND,
                id: RecordId(name.query_row([pk], |row| row.get(0))?),
                all: words == asked.len(),
                score: score as f32,
            })
        })
        .collect()
}

fn newer_than<R: Row>(connection: &Connection, after: i64) -> Result<HashSet<i64>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT r.pk FROM changes AS c JOIN {} AS r ON r.id = c.id
         WHERE c.seq > ?1 AND c.kind = ?2 AND c.gone = 0",
        R::TABLE
    ))?;
    let rows = statement.query_map(params![after, R::KIND.prefix()], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
