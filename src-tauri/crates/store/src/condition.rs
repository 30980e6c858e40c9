//! The conditions for the rows of a list: conditions on columns, and sets of row numbers from the word and people
//! indexes.

use adjutant_domain::filter::Window;
use adjutant_domain::ids::RecordId;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use crate::cells::{json, micros};
use crate::fault::Result;
use crate::text::{Join, Query, match_expression, spoken};

/// The conditions a row must meet to be listed.
#[derive(Default)]
pub(crate) struct Condition {
    /// Conditions on columns of `r`, with `?` for their values.
    scalars: Vec<String>,
    values: Vec<Value>,
    /// Queries that return row numbers; a row must be in all of them.
    sets: Vec<Set>,
    /// Whether no row can match.
    nothing: bool,
}

/// A query for row numbers, in ascending order.
struct Set {
    sql: String,
    values: Vec<Value>,
}

impl Condition {
    /// Adds a condition on columns that takes one value.
    pub(crate) fn scalar(&mut self, sql: &str, value: impl Into<Value>) {
        self.scalars.push(sql.to_owned());
        self.values.push(value.into());
    }

    /// Adds a condition on columns that takes no value.
    pub(crate) fn fixed(&mut self, sql: &str) {
        self.scalars.push(sql.to_owned());
    }

    /// Requires words in the given columns of a table's word index; an empty slice means any column.
    pub(crate) fn words(&mut self, table: &str, text: &str, columns: &[&str], join: Join) {
        let words = match Query::of(Some(text)) {
            Query::Any if join != Join::Loose => return,
            Query::Any | Query::Nothing => return self.nothing(),
            Query::Words(words) => words,
        };
        let mut expression = match_expression(&words, columns, join);
        let spoken = spoken(text);
        if join == Join::Loose && spoken != words && !spoken.is_empty() {
            let spoken = match_expression(&spoken, columns, join);
            expression = format!("({expression}) OR ({spoken})");
        }
        self.sets.push(Set {
            sql: format!(
                "SELECT rowid FROM {table}_words WHERE {table}_words MATCH ?1 ORDER BY rowid"
            ),
            values: vec![Value::Text(expression)],
        });
    }

    /// Requires a column, which the word index of the table also covers, to equal these words as people compare
    /// words.
    pub(crate) fn is_called(&mut self, table: &str, column: &str, words: &str) {
        self.scalar(&format!("same_words(r.{column}, ?)"), words.to_owned());
        self.indexed(table, column, words);
    }

    /// Requires one of the texts in a JSON column to equal these words as people compare words.
    pub(crate) fn one_is_called(&mut self, table: &str, column: &str, words: &str) {
        self.scalar(
            &format!("EXISTS (SELECT 1 FROM json_each(r.{column}) WHERE same_words(value, ?))"),
            words.to_owned(),
        );
        self.indexed(table, column, words);
    }

    /// Narrows the rows through the word index first. Text without any word, such as punctuation, is not indexed.
    fn indexed(&mut self, table: &str, column: &str, words: &str) {
        if matches!(Query::of(Some(words)), Query::Words(_)) {
            self.words(table, words, &[column], Join::Loose);
        }
    }

    /// Requires a column to have one of these values. They are names of our own enums, so they may be put into the
    /// SQL directly.
    pub(crate) fn one_of(&mut self, column: &str, names: impl Iterator<Item = &'static str>) {
        let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
        self.scalars
            .push(format!("{column} IN ({})", names.join(", ")));
    }

    /// Adds a condition on columns that takes several values.
    pub(crate) fn scalars(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        self.scalars.push(sql.to_owned());
        self.values.extend(values);
    }

    /// Requires a column of instants to lie in a range.
    pub(crate) fn range(&mut self, column: &str, window: &Window) {
        if let Some(from) = window.from {
            self.scalar(&format!("{column} >= ?"), micros(from));
        }
        if let Some(to) = window.to {
            self.scalar(&format!("{column} < ?"), micros(to));
        }
    }

    /// Requires the row to be one of these.
    pub(crate) fn ids(&mut self, ids: &[RecordId]) -> Result<()> {
        self.scalars
            .push("r.id IN (SELECT value FROM json_each(?))".to_owned());
        self.values.push(Value::Text(json(ids)?));
        Ok(())
    }

    /// Requires row numbers to be in the result of a query, which returns them in ascending order without duplicates.
    pub(crate) fn set(&mut self, sql: String, values: Vec<Value>) {
        self.sets.push(Set { sql, values });
    }

    /// Makes the condition match no row.
    pub(crate) fn nothing(&mut self) {
        self.nothing = true;
    }

    /// Returns the conditions on columns, ready to follow `WHERE`.
    pub(crate) fn sql(&self) -> String {
        if self.scalars.is_empty() {
            "1".into()
        } else {
            self.scalars.join(" AND ")
        }
    }

    /// Returns the values for the placeholders of [`Condition::sql`].
    pub(crate) fn values(&self) -> Vec<Value> {
        self.values.clone()
    }

    /// Whether there are no conditions on columns.
    pub(crate) fn is_only_sets(&self) -> bool {
        self.scalars.is_empty()
    }

    /// Returns the row numbers that are in all sets, or `None` if there are no sets.
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

/// Returns the numbers that are in both of two ascending lists.
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

#[cfg(test)]
mod tests {
    use super::intersect;

    #[test]
    fn lists_are_intersected() {
        assert_eq!(intersect(&[1, 3, 5, 7], &[2, 3, 7, 9]), [3, 7]);
        assert!(intersect(&[], &[1]).is_empty());
    }
}
