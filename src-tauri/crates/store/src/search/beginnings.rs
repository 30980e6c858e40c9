//! Finds records while the person types: those whose title or people contain words that begin like the given ones.

use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::SearchHit;
use adjutant_domain::record::{Contact, Event, Kind, Mail, Memory, Note, OutboxItem, Task};
use rusqlite::{Connection, params};

use super::hit;
use crate::fault::Result;
use crate::row::Row;
use crate::rows::{self, with_row};
use crate::text::{Join, Query, match_expression};

/// Kinds in the order in which they are offered: people first, mail last.
const ORDER: [Kind; 7] = [
    Kind::Contact,
    Kind::Task,
    Kind::Event,
    Kind::Note,
    Kind::Memory,
    Kind::Mail,
    Kind::Outbox,
];
/// Highest number of hits of one kind.
const OF_KIND_MAX: usize = 50;
/// Rows examined beyond those requested, because some are in the trash.
const SPARE: usize = 20;

/// Finds records whose title or people contain words that begin like all of these. Returns at most `each` per kind,
/// latest first, people before everything else.
pub(crate) fn find(connection: &Connection, text: &str, each: usize) -> Result<Vec<SearchHit>> {
    let each = each.min(OF_KIND_MAX);
    let Query::Words(asked) = Query::of(Some(text)) else {
        return Ok(Vec::new());
    };
    let mut hits = Vec::new();
    for kind in ORDER {
        let ids = with_row!(kind, R => of_kind::<R>(connection, &asked, each + SPARE))?;
        let mut left = each;
        for id in ids {
            if left == 0 {
                break;
            }
            let record = rows::get_record(connection, kind, &id)?;
            if let Some(hit) = record.and_then(|record| hit(&record, &asked, 0.0)) {
                hits.push(hit);
                left -= 1;
            }
        }
    }
    Ok(hits)
}

/// Returns the columns that name a record: its title, and also the people of a mail or the value of a memory.
fn naming<R: Row>() -> &'static [&'static str] {
    match R::KIND {
        Kind::Mail | Kind::Memory => &R::WORDS[..2],
        _ => &R::WORDS[..1],
    }
}

fn of_kind<R: Row>(
    connection: &Connection,
    asked: &[String],
    limit: usize,
) -> Result<Vec<RecordId>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT r.id FROM {0}_words AS w JOIN {0} AS r ON r.pk = w.rowid
         WHERE {0}_words MATCH ?1 ORDER BY w.rowid DESC LIMIT ?2",
        R::TABLE
    ))?;
    let expression = match_expression(asked, naming::<R>(), Join::AllBeginnings);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let ids = statement.query_map(params![expression, limit], |row| row.get(0).map(RecordId))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}
