//! Standing grants, and the calls of the last hour that ran without asking.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::gate::grant::GRANTS_MAX;
use adjutant_domain::gate::rate::{GRANT_PER_HOUR, since};
use adjutant_domain::gate::{ActionState, Grant, Rates, Unasked};
use adjutant_domain::ids::{AccountId, GrantId};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::cells::{Cells, json, micros, readable};
use crate::fault::{Fault, Result};
use crate::tables::{Migration, actions};
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 22,
    sql: "
    CREATE TABLE grants (
        n INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        expires INTEGER NOT NULL,
        uses INTEGER NOT NULL CHECK (uses >= 0),
        last_used INTEGER,
        revoked INTEGER,
        body TEXT NOT NULL CHECK (json_valid(body))
    ) STRICT;
    CREATE TABLE unasked (
        n INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        tool TEXT NOT NULL,
        account TEXT NOT NULL,
        grant_id TEXT
    ) STRICT;
    CREATE INDEX unasked_at ON unasked (at);
    ",
}];

/// Highest number of grants listed, including those that no longer hold.
const LISTED_MAX: usize = 1_000;

const COLUMNS: &str = "body, uses, last_used, revoked";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Grant> {
    let mut cells = Cells::new(row);
    let mut grant: Grant = cells.json()?;
    grant.uses = cells.take()?;
    grant.last_used = cells.optional_time()?;
    grant.revoked = cells.optional_time()?;
    Ok(grant)
}

/// Stores a grant if its card is still pending. The new grant revokes an earlier one with the same scope.
pub(crate) fn add(tx: &Tx<'_>, grant: &Grant) -> Result<()> {
    let card = actions::get(tx, &grant.action)?;
    if card.is_none_or(|card| card.state != ActionState::Pending) {
        return Err(Fault::conflict("the card"));
    }
    let (mut holding, mut same) = (0, Vec::new());
    for one in list(tx)?.into_iter().filter(|one| one.holds(grant.created)) {
        match one.scope == grant.scope {
            true => same.push(one.id),
            false => holding += 1,
        }
    }
    check_room(holding)?;
    for id in same {
        revoke(tx, &id, grant.created)?;
    }
    tx.execute(
        "INSERT INTO grants (id, expires, uses, body) VALUES (?1, ?2, 0, ?3)",
        params![grant.id.as_str(), micros(grant.expires), json(grant)?],
    )?;
    tx.touch(Topic::Actions);
    Ok(())
}

/// Returns grants, latest first.
pub(crate) fn list(connection: &Connection) -> Result<Vec<Grant>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM grants ORDER BY n DESC LIMIT ?1"
    ))?;
    let rows = statement.query_map([super::limit(Some(LISTED_MAX))], read)?;
    Ok(readable(rows)?)
}

/// Returns the grants that were not revoked.
pub(crate) fn standing(connection: &Connection) -> Result<Vec<Grant>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM grants WHERE revoked IS NULL ORDER BY n DESC LIMIT ?1"
    ))?;
    let rows = statement.query_map([super::limit(Some(LISTED_MAX))], read)?;
    Ok(readable(rows)?)
}

/// Revokes a grant.
pub(crate) fn revoke(tx: &Tx<'_>, id: &GrantId, at: Timestamp) -> Result<()> {
    let rows = tx.execute(
        "UPDATE grants SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL",
        params![id.as_str(), micros(at)],
    )?;
    tx.touch(Topic::Actions);
    if rows == 1 {
        return Ok(());
    }
    let known: bool = tx.query_row(
        "SELECT EXISTS (SELECT 1 FROM grants WHERE id = ?1)",
        [id.as_str()],
        |row| row.get(0),
    )?;
    Err(match known {
        true => Fault::conflict(format!("the permission {id}")),
        false => Fault::missing(format!("the permission {id}")),
    })
}

/// Restores a grant that was revoked a moment ago.
pub(crate) fn restore(tx: &Tx<'_>, id: &GrantId, at: Timestamp) -> Result<()> {
    let all = list(tx)?;
    let grant = all.iter().find(|one| one.id == *id);
    let grant = grant.ok_or_else(|| Fault::missing(format!("the permission {id}")))?;
    let mut holding = all.iter().filter(|one| one.holds(at));
    if !grant.is_restorable(at) || holding.any(|one| one.scope == grant.scope) {
        return Err(Fault::conflict(format!("the permission {id}")));
    }
    check_room(all.iter().filter(|one| one.holds(at)).count())?;
    tx.execute(
        "UPDATE grants SET revoked = NULL WHERE id = ?1",
        [id.as_str()],
    )?;
    tx.touch(Topic::Actions);
    Ok(())
}

/// Refuses another grant if [`GRANTS_MAX`] already hold.
fn check_room(holding: usize) -> Result<()> {
    match holding < GRANTS_MAX {
        true => Ok(()),
        false => Err(Fault::Store(StoreFault::Conflict {
            what: format!("the list of standing permissions ({GRANTS_MAX} is the most)"),
        })),
    }
}

/// Counts a call that ran without asking. Fails if the hourly limit is reached or the call's grant no longer holds;
/// the transaction it belongs to then does nothing.
pub(crate) fn note(tx: &Tx<'_>, run: &Unasked, at: Timestamp) -> Result<()> {
    let begin = micros(since(at));
    tx.prepare_cached("DELETE FROM unasked WHERE at <= ?1")?
        .execute([begin])?;
    // If the clock went back, rows with a later time exist; they count too.
    let count = |sql: &str, of: &[&dyn rusqlite::ToSql]| -> Result<u32> {
        Ok(tx.prepare_cached(sql)?.query_row(of, |row| row.get(0))?)
    };
    let full = |most: u32| {
        Fault::Store(StoreFault::TooOften {
            tool: run.tool.clone(),
            most,
        })
    };
    let ran = "SELECT count(*) FROM unasked WHERE tool = ?1 AND account = ?2";
    if count(ran, &[&run.tool, &run.account.as_str()])? >= run.most {
        return Err(full(run.most));
    }
    if let Some(grant) = &run.grant {
        let used = "SELECT count(*) FROM unasked WHERE grant_id = ?1";
        if count(used, &[&grant.as_str()])? >= GRANT_PER_HOUR {
            return Err(full(GRANT_PER_HOUR));
        }
        let rows = tx
            .prepare_cached(
                "UPDATE grants SET uses = uses + 1, last_used = ?2 WHERE id = ?1 AND revoked IS NULL AND expires > ?2",
            )?
            .execute(params![grant.as_str(), micros(at)])?;
        if rows != 1 {
            return Err(Fault::conflict(format!("the permission {grant}")));
        }
        tx.touch(Topic::Actions);
    }
    tx.prepare_cached("INSERT INTO unasked (at, tool, account, grant_id) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![
            micros(at),
            run.tool,
            run.account.as_str(),
            run.grant.as_ref().map(GrantId::as_str)
        ])?;
    Ok(())
}

/// Highest number of unasked calls read; if there are more, the hourly limit is reached in any case.
const RAN_MAX: usize = 1_000;

/// Returns which calls ran recently without asking.
pub(crate) fn rates(connection: &Connection) -> Result<Rates> {
    let mut statement = connection
        .prepare_cached("SELECT tool, account, at FROM unasked ORDER BY n DESC LIMIT ?1")?;
    let rows = statement.query_map([super::limit(Some(RAN_MAX))], |row| {
        let mut cells = Cells::new(row);
        Ok((cells.take()?, cells.id::<AccountId>()?, cells.time()?))
    })?;
    Ok(Rates {
        ran: readable(rows)?,
        ..Rates::default()
    })
}
