//! Searches without the index, in the word tables of the database, which are always up to date.

use std::collections::HashSet;

use adjutant_domain::ids::RecordId;
use adjutant_domain::record::{Contact, Event, Kind, Mail, Memory, Note, OutboxItem, Task};
use rusqlite::{Connection, params};

use super::RecordMatch;
use crate::fault::Result;
use crate::row::Row;
use crate::rows::with_row;
use crate::text::{Join, match_expression};

/// How many times more a word in the title counts than one in the text.
const TITLE_BONUS: f64 = 1.5;

/// Finds records that contain the words, the best `limit` of each kind; with `after`, only those changed after that
/// number.
pub(crate) fn find(
    connection: &Connection,
    asked: &[String],
    kinds: &[Kind],
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<RecordMatch>> {
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
) -> Result<Vec<RecordMatch>> {
    let newer = after
        .map(|after| newer_than::<R>(connection, after))
        .transpose()?;
    if newer.as_ref().is_some_and(HashSet::is_empty) {
        return Ok(Vec::new());
    }
    // Row numbers are assigned in sequence, so the largest is close enough to the number of rows.
    let all_rows: f64 = connection
        .prepare_cached(&format!("SELECT coalesce(max(pk), 0) FROM {}", R::TABLE))?
        .query_row([], |row| row.get(0))?;
    let mut statement = connection.prepare_cached(&format!(
        "SELECT rowid FROM {0}_words WHERE {0}_words MATCH ?1 ORDER BY rowid",
        R::TABLE
    ))?;
    let mut numbers = |expression: String| -> Result<Vec<i64>> {
        let rows = statement.query_map([expression], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    };
    let mut best: Vec<Scored> = Vec::new();
    for word in asked {
        let word = std::slice::from_ref(word);
        let mut anywhere = numbers(match_expression(word, &[], Join::Any))?;
        let hits = f64::from(u32::try_from(anywhere.len()).unwrap_or(u32::MAX));
        let rarity = (1.0 + ((all_rows - hits).max(0.0) + 0.5) / (hits + 0.5)).ln();
        if let Some(newer) = &newer {
            anywhere.retain(|pk| newer.contains(pk));
        }
        let in_title = numbers(match_expression(word, &R::WORDS[..1], Join::Any))?;
        best = add(best, &anywhere, &in_title, rarity);
    }
    let order = |a: &Scored, b: &Scored| {
        b.words
            .cmp(&a.words)
            .then(b.score.total_cmp(&a.score))
            // Among equals, the latest row comes first.
            .then(b.pk.cmp(&a.pk))
    };
    if best.len() > limit {
        best.select_nth_unstable_by(limit, order);
        best.truncate(limit);
    }
    let mut name =
        connection.prepare_cached(&format!("SELECT id FROM {} WHERE pk = ?1", R::TABLE))?;
    best.into_iter()
        .map(|one| {
            #[expect(clippy::cast_possible_truncation, reason = "a score is a rough figure")]
            Ok(RecordMatch {
                kind: R::KIND,
                id: RecordId(name.query_row([one.pk], |row| row.get(0))?),
                all: one.words == asked.len(),
                score: one.score as f32,
            })
        })
        .collect()
}

/// A row and how well it matches.
struct Scored {
    pk: i64,
    words: usize,
    score: f64,
}

/// Adds one word to the scores. All three lists are sorted by row number, and so is the result.
fn add(before: Vec<Scored>, anywhere: &[i64], in_title: &[i64], rarity: f64) -> Vec<Scored> {
    let mut sum = Vec::with_capacity(before.len() + anywhere.len());
    let mut before = before.into_iter().peekable();
    let mut titles = in_title.iter().copied().peekable();
    for &pk in anywhere {
        while let Some(smaller) = before.next_if(|one| one.pk < pk) {
            sum.push(smaller);
        }
        while titles.next_if(|title| *title < pk).is_some() {}
        let bonus = if titles.peek() == Some(&pk) {
            TITLE_BONUS
        } else {
            0.0
        };
        let (words, score) = before
            .next_if(|one| one.pk == pk)
            .map_or((0, 0.0), |one| (one.words, one.score));
        sum.push(Scored {
            pk,
            words: words + 1,
            score: score + rarity * (1.0 + bonus),
        });
    }
    sum.extend(before);
    sum
}

fn newer_than<R: Row>(connection: &Connection, after: i64) -> Result<HashSet<i64>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT r.pk FROM changes AS c JOIN {} AS r ON r.id = c.id
         WHERE c.seq > ?1 AND +c.kind = ?2 AND c.gone = 0",
        R::TABLE
    ))?;
    let rows = statement.query_map(params![after, R::KIND.prefix()], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
