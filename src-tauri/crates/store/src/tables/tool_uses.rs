//! What became of the tools of a turn: suggested to a model, approved, rejected, used.

use adjutant_domain::conversation::ToolUse;
use adjutant_domain::ids::TurnId;
use rusqlite::{Connection, params};

use crate::cells::{Cells, readable};
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 3,
    sql: "
    CREATE TABLE tool_uses (
        turn TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
        tool TEXT NOT NULL,
        place INTEGER,
        approved INTEGER NOT NULL CHECK (approved IN (0, 1)),
        rejected INTEGER NOT NULL CHECK (rejected IN (0, 1)),
        used INTEGER NOT NULL CHECK (used IN (0, 1)),
        PRIMARY KEY (turn, tool)
    ) STRICT, WITHOUT ROWID;
    ",
}];

/// Highest number of tools of one turn that are stored; a page of tools has fewer.
const TOOLS_MAX: usize = 100;

/// Stores what became of the tools of a turn. A turn that resumes later replaces what was stored when it paused.
pub(crate) fn keep(tx: &Tx<'_>, turn: &TurnId, tools: &ToolUse) -> Result<()> {
    let mut names: Vec<&String> = tools
        .suggested
        .iter()
        .chain(&tools.approved)
        .chain(&tools.rejected)
        .chain(&tools.used)
        .collect();
    names.sort();
    names.dedup();
    let mut statement = tx.prepare_cached(
        "INSERT INTO tool_uses (turn, tool, place, approved, rejected, used)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (turn, tool) DO UPDATE
            SET place = coalesce(excluded.place, place), approved = excluded.approved,
                rejected = excluded.rejected, used = max(used, excluded.used)",
    )?;
    for name in names.into_iter().take(TOOLS_MAX) {
        let place = tools.suggested.iter().position(|one| one == name);
        statement.execute(params![
            turn.as_str(),
            name,
            place.map(|place| i64::try_from(place).unwrap_or(i64::MAX)),
            tools.approved.contains(name),
            tools.rejected.contains(name),
            tools.used.contains(name)
        ])?;
    }
    Ok(())
}

/// Returns the messages of the latest turns that had tools, with what became of the tools, latest first.
pub(crate) fn latest(connection: &Connection, limit: usize) -> Result<Vec<(String, ToolUse)>> {
    let mut statement = connection.prepare_cached(
        "SELECT turns.n, turns.text, tool, place, approved, rejected, used
         FROM tool_uses JOIN turns ON turns.id = tool_uses.turn
         WHERE turns.n IN (
            SELECT n FROM turns WHERE text != '' AND EXISTS
                (SELECT 1 FROM tool_uses WHERE tool_uses.turn = turns.id)
            AND conversation NOT IN (SELECT id FROM conversations WHERE deleted IS NOT NULL)
            ORDER BY n DESC LIMIT ?1)
         ORDER BY turns.n DESC, place IS NULL, place, tool",
    )?;
    let rows = statement.query_map([super::limit(Some(limit))], |row| {
        let mut cells = Cells::new(row);
        Ok((
            cells.take::<i64>()?,
            cells.take::<String>()?,
            cells.take::<String>()?,
            cells.take::<Option<i64>>()?,
            [
                cells.take::<bool>()?,
                cells.take::<bool>()?,
                cells.take::<bool>()?,
            ],
        ))
    })?;
    let mut turns: Vec<(i64, String, ToolUse)> = Vec::new();
    for (n, text, tool, place, [approved, rejected, used]) in readable(rows)? {
        if turns.last().is_none_or(|(last, ..)| *last != n) {
            turns.push((n, text, ToolUse::default()));
        }
        let Some((_, _, tools)) = turns.last_mut() else {
            continue;
        };
        for (is, list) in [
            (place.is_some(), &mut tools.suggested),
            (approved, &mut tools.approved),
            (rejected, &mut tools.rejected),
            (used, &mut tools.used),
        ] {
            if is {
                list.push(tool.clone());
            }
        }
    }
    Ok(turns
        .into_iter()
        .map(|(_, text, tools)| (text, tools))
        .collect())
}
