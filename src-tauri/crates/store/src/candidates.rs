//! Evaluates lists whose conditions are answered partly by the word and people indexes and partly by columns.
//!
//! The indexes return sorted lists of row numbers, which this module intersects. A few candidates are looked up one
//! by one; for many, the table is walked in the requested order and candidates are picked out until there are enough.
//! Left to itself, SQLite would choose between the two without knowing how common a word is.

use std::collections::HashSet;

use adjutant_domain::filter::Filter;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::cells::json;
use crate::condition::Condition;
use crate::fault::Result;
use crate::row::{self, Row};

/// Highest number of candidates that are looked up one by one.
const LOOKED_UP_MAX: usize = 2_000;

/// Returns the numbers of the matching rows, in the requested order, starting at the offset.
pub(crate) fn numbers<R: Row>(
    connection: &Connection,
    condition: &Condition,
    order: &str,
    filter: &Filter,
) -> Result<Vec<i64>> {
    let limit = filter.limit.unwrap_or(usize::MAX);
    let candidates = condition.candidates(connection)?;
    if limit == 0 || candidates.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let (mut sql, mut values) = query::<R>("r.pk", condition, candidates.as_deref())?;
    sql.push_str(" ORDER BY ");
    sql.push_str(order);
    let mut rest = filter.offset;
    let picked = many(candidates.as_deref());
    if picked.is_none() {
        // Without candidates to pick out, `LIMIT` lets SQLite keep only the requested part while it sorts.
        sql.push_str(" LIMIT ? OFFSET ?");
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        values.push(Value::Integer(number(limit)));
        values.push(Value::Integer(number(rest)));
        rest = 0;
    }
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let pk: i64 = row.get(0)?;
        if picked.as_ref().is_some_and(|picked| !picked.contains(&pk)) {
            continue;
        }
        if rest > 0 {
            rest -= 1;
            continue;
        }
        found.push(pk);
        if found.len() >= limit {
            break;
        }
    }
    Ok(found)
}

/// Returns the number of matching rows.
pub(crate) fn total<R: Row>(connection: &Connection, condition: &Condition) -> Result<u64> {
    let candidates = condition.candidates(connection)?;
    let number = |count: i64| u64::try_from(count).unwrap_or_default();
    match (candidates.as_deref(), many(candidates.as_deref())) {
        (Some(all), _) if all.is_empty() || condition.is_only_sets() => Ok(all.len() as u64),
        (_, None) => {
            let (sql, values) = query::<R>("count(*)", condition, candidates.as_deref())?;
            let mut statement = connection.prepare_cached(&sql)?;
            Ok(number(
                statement.query_row(params_from_iter(values), |row| row.get(0))?,
            ))
        }
        (_, Some(picked)) => {
            let (sql, values) = query::<R>("r.pk", condition, candidates.as_deref())?;
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params_from_iter(values))?;
            let mut count = 0;
            while let Some(row) = rows.next()? {
                count += u64::from(picked.contains(&row.get(0)?));
            }
            Ok(count)
        }
    }
}

/// Builds the `SELECT` without its order. It looks up few candidates itself; many must be picked out of its result.
fn query<R: Row>(
    what: &str,
    condition: &Condition,
    candidates: Option<&[i64]>,
) -> Result<(String, Vec<Value>)> {
    let mut values = condition.values();
    let mut sql = format!(
        "SELECT {what} FROM {} AS r WHERE {}",
        R::TABLE,
        condition.sql()
    );
    if let Some(few) = candidates.filter(|all| all.len() <= LOOKED_UP_MAX) {
        sql.push_str(" AND r.pk IN (SELECT value FROM json_each(?))");
        values.push(Value::Text(json(few)?));
    }
    Ok((sql, values))
}

/// Returns the candidates as a set if there are too many to look up one by one.
fn many(candidates: Option<&[i64]>) -> Option<HashSet<i64>> {
    let many = candidates.filter(|all| all.len() > LOOKED_UP_MAX)?;
    Some(many.iter().copied().collect())
}

/// Returns the matching rows, in the requested order, starting at the offset.
pub(crate) fn list<R: Row>(
    connection: &Connection,
    condition: &Condition,
    order: &str,
    filter: &Filter,
) -> Result<Vec<R>> {
    let numbers = numbers::<R>(connection, condition, order, filter)?;
    row::load(connection, &numbers)
}
