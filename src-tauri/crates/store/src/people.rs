//! Indexes who takes part in which record: addresses and the words of names.

use adjutant_domain::record::{Address, Attendee};
use adjutant_text::{fold, words};
use rusqlite::params;
use rusqlite::types::Value;

use crate::fault::Result;
use crate::tx::Tx;

/// Highest number of people indexed for one record; a mail to thousands is found by the first of them.
const PEOPLE_MAX: usize = 500;
/// Highest number of names or addresses used in one query.
const WANTED_MAX: usize = 50;

/// How somebody takes part in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PeopleField {
    /// Sender of a mail; guest or organizer of an event.
    From,
    /// Recipient of a mail.
    To,
    /// Not a person: a label of a mail.
    Label,
}

impl PeopleField {
    fn number(self) -> i64 {
        match self {
            Self::From => 0,
            Self::To => 1,
            Self::Label => 2,
        }
    }
}

/// A table of people that belongs to a record table.
pub(crate) struct PeopleTable {
    /// Name of the table.
    pub(crate) table: &'static str,
}

impl PeopleTable {
    /// Removes the people of a record.
    pub(crate) fn clear(&self, tx: &Tx<'_>, owner: i64) -> Result<()> {
        tx.prepare_cached(&format!("DELETE FROM {} WHERE owner = ?1", self.table))?
            .execute([owner])?;
        Ok(())
    }

    /// Adds people, numbered from `first`, and returns the next number.
    pub(crate) fn add<'a>(
        &self,
        tx: &Tx<'_>,
        owner: i64,
        field: PeopleField,
        first: usize,
        people: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<usize> {
        let mut number = first;
        let mut insert = tx.prepare_cached(&format!(
            "INSERT OR IGNORE INTO {} (term, part, owner, person) VALUES (?1, ?2, ?3, ?4)",
            self.table
        ))?;
        for (name, address) in people.take(PEOPLE_MAX) {
            let person = i64::try_from(number).unwrap_or(i64::MAX);
            for term in terms(name, address) {
                insert.execute(params![term, field.number(), owner, person])?;
            }
            number += 1;
        }
        Ok(number)
    }

    /// Builds the query for the records in which any of the wanted people takes part in one of these ways. `None` if
    /// nobody can match.
    pub(crate) fn owners(
        &self,
        fields: &[PeopleField],
        wanted: &[String],
    ) -> Option<(String, Vec<Value>)> {
        let mut queries = Vec::new();
        let mut values = Vec::new();
        let wanted = wanted.iter().take(WANTED_MAX);
        for (text, field) in wanted.flat_map(|text| fields.iter().map(move |field| (text, *field)))
        {
            let terms = wanted_terms(field, text);
            if terms.is_empty() {
                continue;
            }
            let mut sql = format!("SELECT p0.owner FROM {} AS p0", self.table);
            for (place, term) in terms.iter().enumerate().skip(1) {
                sql.push_str(&format!(
                    " JOIN {0} AS p{place} ON p{place}.part = p0.part AND p{place}.owner = p0.owner
                      AND p{place}.person = p0.person AND p{place}.term = ?",
                    self.table
                ));
                values.push(Value::Text(term.clone()));
            }
            sql.push_str(" WHERE p0.part = ? AND p0.term = ?");
            values.push(Value::Integer(field.number()));
            values.push(Value::Text(terms[0].clone()));
            queries.push(sql);
        }
        if queries.is_empty() {
            return None;
        }
        let union = queries.join(" UNION ");
        Some((
            format!("SELECT DISTINCT owner FROM ({union}) ORDER BY owner"),
            values,
        ))
    }
}

/// Returns the name and address of a sender or recipient.
pub(crate) fn of_address(address: &Address) -> (&str, &str) {
    (&address.name, &address.email)
}

/// Returns the name and address of a guest.
pub(crate) fn of_attendee(attendee: &Attendee) -> (&str, &str) {
    (&attendee.name, &attendee.email)
}

fn terms(name: &str, address: &str) -> Vec<String> {
    let mut terms = Vec::new();
    let address = address.trim().to_lowercase();
    // Somebody without a name is found by the part before the @.
    let spoken = if name.trim().is_empty() {
        words(address.split('@').next().unwrap_or_default())
    } else {
        words(name)
    };
    if !address.is_empty() {
        terms.push(address);
    }
    terms.extend(spoken);
    terms
}

fn wanted_terms(field: PeopleField, text: &str) -> Vec<String> {
    let text = text.trim();
    if field == PeopleField::Label {
        return vec![fold(text)];
    }
    if text.contains('@') {
        let address = text.trim_start_matches('<').trim_end_matches('>');
        return vec![address.to_lowercase()];
    }
    let mut terms = words(text.trim_end_matches("'s").trim_end_matches("’s"));
    terms.dedup();
    terms.truncate(8);
    terms
}
