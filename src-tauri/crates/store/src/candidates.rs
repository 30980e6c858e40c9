//! Lists with conditions of which some are answered by the word and people indexes and some by columns.
//!
//! The indexes give sorted lists of row numbers, which are intersected here. Few candidates are looked up one by one;
//! many are picked out while the table is walked in the asked order until enough are found. SQLite alone would choose
//! between the two without knowing how common a word is.

use std::collections::HashSet;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::fault::Result;
use crate::row::{self, Row};
use crate::text::{Join, Query, match_expression};

/// Up to so many candidates are looked up one by one.
const LOOKED_UP_MAX: usize = 2_000;

/// What rows have to fulfil.
#[derive(Default)]
pub(crate) struct Condition {
    /// Conditions on columns of `r`, with `?` for their values.
    scalars: Vec<String>,
    values: Vec<Value>,
    /// Queries that give row numbers, all of which a row has to be in.
    sets: Vec<Set>,
    /// Nothing can fit.
    nothing: bool,
}

/// A query for row numbers, in ascending order.
struct Set {
    sql: String,
    values: Vec<Value>,
}

impl Condition {
    /// A condition on columns with one value.
    pub(crate) fn scalar(&mut self, sql: &str, value: impl Into<Value>) {
        self.scalars.push(sql.to_owned());
        self.values.push(value.into());
    }

    /// A condition on columns without value.
    pub(crate) fn fixed(&mut self, sql: &str) {
        self.scalars.push(sql.to_owned());
    }

    /// All words must occur in the given columns of the word index (none: in any).
    pub(crate) fn words<R: Row>(&mut self, text: Option<&str>, columns: &[&str]) {
        self.joined_words::<R>(text, columns, Join::All);
    }

    /// As [`Condition::words`], with another way to join them.
    pub(crate) fn joined_words<R: Row>(
        &mut self,
        text: Option<&str>,
        columns: &[&str],
        join: Join,
    ) {
        match Query::of(text) {
            Query::Any => {}
            Query::Nothing => self.nothing = true,
            Query::Words(words) => self.sets.push(Set {
                sql: format!(
                    "SELECT rowid FROM {0}_words WHERE {0}_words MATCH ?1 ORDER BY rowid",
                    R::TABLE
                ),
                values: vec![Value::Text(match_expression(&words, columns, join))],
            }),
        }
    }

    /// Row numbers must be in what a query gives (ascending, without doubles).
    pub(crate) fn set(&mut self, sql: String, values: Vec<Value>) {
        self.sets.push(Set { sql, values });
    }

    /// Nothing fits.
    pub(crate) fn nothing(&mut self) {
        self.nothing = true;
    }

    fn sql(&self) -> String {
        if self.scalars.is_empty() {
            "1".into()
        } else {
            self.scalars.join(" AND ")
        }
    }

    /// Row numbers in all sets; `None` when there are no sets.
    pub(crate) fn candidates(&self, connection: &Connection) -> Result<Option<Vec<i64>>> {
        if self.nothing {
            return Ok(Some(Vec::new()));
        }
        let mut common: Option<Vec<i64>> = None;
        for set in &self.sets {
            let mut statement = connection.prepare_cached(&set.sql)?;
            let found = statement
                .query_map(params_from_iter(&set.values), |row| row.get(0))?
                .collect::<rusqlite::Result<Vec<i64>>>()?;
            common = Some(match common {
                None => found,
                Some(before) => intersect(&before, &found),
            });
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        Ok(common)
    }
}

/// What is in both of two ascending lists.
fn intersect(a: &[i64], b: &[i64]) -> Vec<i64> {
    let mut both = Vec::with_capacity(a.len().min(b.len()));
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                both.push(a[i]);
                i += 1;
                j += 1;
            }
        }
    }
    both
}

/// Numbers of the rows that fit, in the asked order.
pub(crate) fn numbers<R: Row>(
    connection: &Connection,
    condition: &Condition,
    order: &str,
    limit: Option<usize>,
) -> Result<Vec<i64>> {
    let limit = limit.unwrap_or(usize::MAX);
    let candidates = condition.candidates(connection)?;
    if limit == 0 || candidates.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let mut values = condition.values.clone();
    let few = candidates
        .as_ref()
        .filter(|candidates| candidates.len() <= LOOKED_UP_MAX);
    let mut sql = format!(
        "SELECT r.pk FROM {} AS r WHERE {}",
        R::TABLE,
        condition.sql()
    );
    if let Some(few) = few {
        sql.push_str(" AND r.pk IN (SELECT value FROM json_each(?))");
        values.push(Value::Text(crate::cells::json(few)?));
    }
    sql.push_str(" ORDER BY ");
    sql.push_str(order);
    let picked: Option<HashSet<i64>> = match (&few, candidates.as_ref()) {
        (None, Some(many)) => Some(many.iter().copied().collect()),
        _ => None,
    };
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let pk: i64 = row.get(0)?;
        if picked.as_ref().is_none_or(|picked| picked.contains(&pk)) {
            found.push(pk);
            if found.len() >= limit {
                break;
            }
        }
    }
    Ok(found)
}

/// The rows that fit, in the asked order.
pub(crate) fn list<R: Row>(
    connection: &Connection,
    condition: &Condition,
    order: &str,
    limit: Option<usize>,
) -> Result<Vec<R>> {
    let numbers = numbers::<R>(connection, condition, order, limit)?;
    row::load(connection, &numbers)
}

#[cfg(test)]
mod tests {
    use super::intersect;

    #[test]
    fn lists_are_intersected() {
        assert_eq!(intersect(&[1, 3, 5, 7], &[2, 3, 7, 9]), [3, 7]);
        assert!(intersect(&[], &[1]).is_empty());
    }
}
