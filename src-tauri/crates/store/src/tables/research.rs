//! Research: runs with their brain document and its versions, the steps of a run, and the pages it read.

use adjutant_domain::ids::{JobId, RunId};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::cells::{Cells, micros, timestamp};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tables::research_rows::{
    DocumentSave, DocumentVersion, ResearchClaim, ResearchPage, ResearchRun, ResearchState,
    StepBeginning, StepBegun, StepEnding,
};
use crate::tx::{Topic, Tx};

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 23,
    sql: "
    CREATE TABLE research_runs (
        pk INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        job TEXT,
        previous TEXT,
        brief TEXT NOT NULL,
        state TEXT NOT NULL
            CHECK (state IN ('asking', 'waiting', 'running', 'stopped', 'paused', 'done', 'failed')),
        why TEXT,
        begun INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        ended INTEGER,
        version INTEGER NOT NULL DEFAULT 0,
        document TEXT,
        summary TEXT
    ) STRICT;
    CREATE INDEX research_runs_job ON research_runs (job, pk);
    CREATE TABLE research_versions (
        run INTEGER NOT NULL REFERENCES research_runs (pk) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        at INTEGER NOT NULL,
        changes TEXT NOT NULL,
        PRIMARY KEY (run, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE research_steps (
        run INTEGER NOT NULL REFERENCES research_runs (pk) ON DELETE CASCADE,
        key TEXT NOT NULL,
        input TEXT NOT NULL,
        result TEXT,
        credits INTEGER NOT NULL CHECK (credits >= 0),
        day INTEGER NOT NULL,
        begun INTEGER NOT NULL,
        ended INTEGER,
        PRIMARY KEY (run, key)
    ) STRICT;
    CREATE INDEX research_steps_day ON research_steps (day) WHERE credits > 0;
    CREATE TABLE research_pages (
        sha256 TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        media TEXT NOT NULL,
        fetched INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE research_sources (
        run INTEGER NOT NULL REFERENCES research_runs (pk) ON DELETE CASCADE,
        address TEXT NOT NULL,
        sha256 TEXT NOT NULL REFERENCES research_pages (sha256),
        PRIMARY KEY (run, address)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX research_sources_page ON research_sources (sha256);
    CREATE TABLE research_claims (
        run INTEGER NOT NULL REFERENCES research_runs (pk) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        quote TEXT NOT NULL,
        source TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        doubt TEXT,
        sources INTEGER NOT NULL,
        PRIMARY KEY (run, number)
    ) STRICT, WITHOUT ROWID;
    ",
}];

/// Highest number of runs kept. The oldest that are not active go first, with everything that belongs to them.
const RUNS_MAX: i64 = 300;
/// Highest number of versions of a brain document whose changes are kept; the oldest go first.
const VERSIONS_MAX: i64 = 400;
/// Largest brain document that is stored, in bytes.
const DOCUMENT_BYTES_MAX: usize = 64 * 1024 * 1024;

const COLUMNS: &str =
    "id, job, previous, brief, state, why, begun, updated, ended, version, summary";

fn read(row: &Row<'_>) -> rusqlite::Result<Result<ResearchRun>> {
    let mut cells = Cells::new(row);
    let id = RunId(cells.take()?);
    let job = cells.take::<Option<String>>()?.map(JobId);
    let previous = cells.take::<Option<String>>()?.map(RunId);
    let (brief, state): (String, String) = (cells.take()?, cells.take()?);
    let why = cells.take()?;
    let (begun, updated, ended): (i64, i64, Option<i64>) =
        (cells.take()?, cells.take()?, cells.take()?);
    let version: i64 = cells.take()?;
    let summary: Option<String> = cells.take()?;
    Ok((|| {
        Ok(ResearchRun {
            id,
            job,
            previous,
            brief: serde_json::from_str(&brief)?,
            state: ResearchState::named(&state)?,
            why,
            begun: timestamp(begun),
            updated: timestamp(updated),
            ended: ended.map(timestamp),
            version: u64::try_from(version).unwrap_or_default(),
            summary: summary.as_deref().map(serde_json::from_str).transpose()?,
        })
    })())
}

fn key_of(connection: &Connection, id: &RunId) -> Result<i64> {
    let pk = connection
        .prepare_cached("SELECT pk FROM research_runs WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    pk.ok_or_else(|| Fault::missing(format!("the research “{id}”")))
}

/// Stores a run in its present state, without its document.
pub(crate) fn put(tx: &Tx<'_>, run: &ResearchRun) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO research_runs (id, job, previous, brief, state, why, begun, updated, ended)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (id) DO UPDATE SET job = excluded.job, previous = excluded.previous, brief = excluded.brief,
            state = excluded.state, why = excluded.why, updated = excluded.updated, ended = excluded.ended",
    )?
    .execute(params![
        run.id.as_str(),
        run.job.as_ref().map(JobId::as_str),
        run.previous.as_ref().map(RunId::as_str),
        run.brief.to_string(),
        run.state.as_str(),
        run.why,
        micros(run.begun),
        micros(run.updated),
        run.ended.map(micros),
    ])?;
    tx.touch(Topic::Research);
    forget(tx)
}

/// Deletes the oldest runs beyond [`RUNS_MAX`], and pages that no remaining run has read.
fn forget(tx: &Tx<'_>) -> Result<()> {
    let gone = tx.execute(
        "DELETE FROM research_runs WHERE state IN ('done', 'stopped', 'failed', 'asking') AND pk <=
            (SELECT pk FROM research_runs ORDER BY pk DESC LIMIT 1 OFFSET ?1)",
        [RUNS_MAX],
    )?;
    if gone > 0 {
        tx.execute(
            "DELETE FROM research_pages WHERE NOT EXISTS
                (SELECT 1 FROM research_sources WHERE research_sources.sha256 = research_pages.sha256)",
            [],
        )?;
    }
    Ok(())
}

/// Returns a run, or `None` if there is none with this id.
pub(crate) fn get(connection: &Connection, id: &RunId) -> Result<Option<ResearchRun>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM research_runs WHERE id = ?1"
        ))?
        .query_row([id.as_str()], read)
        .optional()?
        .transpose()
}

/// Returns runs, newest first; only those of `job` if one is given.
pub(crate) fn list(
    connection: &Connection,
    job: Option<&JobId>,
    limit: Option<usize>,
) -> Result<Vec<ResearchRun>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM research_runs WHERE ?1 IS NULL OR job = ?1 ORDER BY pk DESC LIMIT ?2"
    ))?;
    let rows = statement.query_map(params![job.map(JobId::as_str), super::limit(limit)], read)?;
    rows.map(|row| row?).collect()
}

/// Returns the brain document of a run, or `None` before there is one.
pub(crate) fn document(connection: &Connection, id: &RunId) -> Result<Option<String>> {
    Ok(connection
        .prepare_cached("SELECT document FROM research_runs WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?
        .flatten())
}

/// Returns the credits that the steps of a day have spent or reserved.
pub(crate) fn day_credits(connection: &Connection, day: i64) -> Result<u32> {
    let sum: i64 = connection
        .prepare_cached(
            "SELECT coalesce(sum(credits), 0) FROM research_steps WHERE day = ?1 AND credits > 0",
        )?
        .query_row([day], |row| row.get(0))?;
    Ok(u32::try_from(sum).unwrap_or(u32::MAX))
}

/// Records a step and reserves its credits before it begins.
pub(crate) fn begin_step(tx: &Tx<'_>, id: &RunId, step: &StepBeginning) -> Result<StepBegun> {
    let run = key_of(tx, id)?;
    let there: Option<Option<String>> = tx
        .prepare_cached("SELECT result FROM research_steps WHERE run = ?1 AND key = ?2")?
        .query_row(params![run, step.key], |row| row.get(0))
        .optional()?;
    match there {
        Some(Some(result)) => return Ok(StepBegun::Ended(serde_json::from_str(&result)?)),
        Some(None) => return Ok(StepBegun::Unknown),
        None => {}
    }
    let of_run: i64 = tx
        .prepare_cached("SELECT coalesce(sum(credits), 0) FROM research_steps WHERE run = ?1")?
        .query_row([run], |row| row.get(0))?;
    let of_run = u32::try_from(of_run).unwrap_or(u32::MAX);
    let of_day = day_credits(tx, step.day)?;
    let over = |used: u32, max: u32| used.saturating_add(step.credits) > max;
    if step.credits > 0
        && (over(of_run, step.run_credits_max) || over(of_day, step.day_credits_max))
    {
        return Ok(StepBegun::NoCredits);
    }
    tx.prepare_cached(
        "INSERT INTO research_steps (run, key, input, credits, day, begun) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        run,
        step.key,
        step.input.to_string(),
        step.credits,
        step.day,
        micros(step.at)
    ])?;
    Ok(StepBegun::New)
}

/// Removes a step that did not begin after all, so that it may be tried again.
pub(crate) fn take_back_step(tx: &Tx<'_>, id: &RunId, key: &str) -> Result<()> {
    let run = key_of(tx, id)?;
    tx.prepare_cached("DELETE FROM research_steps WHERE run = ?1 AND key = ?2 AND result IS NULL")?
        .execute(params![run, key])?;
    Ok(())
}

fn end_step(tx: &Tx<'_>, run: i64, step: &StepEnding, at: Timestamp) -> Result<()> {
    tx.prepare_cached(
        "UPDATE research_steps SET result = ?3, credits = ?4, ended = ?5
            WHERE run = ?1 AND key = ?2 AND result IS NULL",
    )?
    .execute(params![
        run,
        step.key,
        step.result.to_string(),
        step.credits,
        micros(at)
    ])?;
    if let Some(page) = &step.page {
        tx.prepare_cached(
            "INSERT OR IGNORE INTO research_pages (sha256, title, text, media, fetched) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            page.sha256,
            page.title,
            page.text,
            page.media,
            micros(page.fetched)
        ])?;
        tx.prepare_cached(
            "INSERT OR REPLACE INTO research_sources (run, address, sha256) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![run, page.address, page.sha256])?;
    }
    Ok(())
}

/// Stores a document with the step that produced it and, at the end of the run, the claims of its report.
pub(crate) fn save(tx: &Tx<'_>, id: &RunId, save: &DocumentSave) -> Result<()> {
    if save.document.len() > DOCUMENT_BYTES_MAX {
        return Err(Fault::other(
            "the research is larger than a research can be",
        ));
    }
    let run = key_of(tx, id)?;
    let version = i64::try_from(save.version).unwrap_or(i64::MAX);
    let changed = tx
        .prepare_cached(
            "UPDATE research_runs SET document = ?2, version = ?3, summary = ?4, updated = ?5
                WHERE pk = ?1 AND version < ?3",
        )?
        .execute(params![
            run,
            save.document,
            version,
            save.summary.to_string(),
            micros(save.at)
        ])?;
    if changed == 0 {
        return Err(Fault::conflict(format!("the research “{id}”")));
    }
    tx.prepare_cached(
        "INSERT INTO research_versions (run, version, at, changes) VALUES (?1, ?2, ?3, ?4)",
    )?
    .execute(params![
        run,
        version,
        micros(save.at),
        save.changes.to_string()
    ])?;
    tx.prepare_cached("DELETE FROM research_versions WHERE run = ?1 AND version <= ?2")?
        .execute(params![run, version - VERSIONS_MAX])?;
    if let Some(step) = &save.step {
        end_step(tx, run, step, save.at)?;
    }
    if let Some(claims) = &save.claims {
        put_claims(tx, run, claims)?;
    }
    tx.touch(Topic::Research);
    Ok(())
}

fn put_claims(tx: &Tx<'_>, run: i64, claims: &[ResearchClaim]) -> Result<()> {
    tx.prepare_cached("DELETE FROM research_claims WHERE run = ?1")?
        .execute([run])?;
    let mut statement = tx.prepare_cached(
        "INSERT INTO research_claims (run, number, text, quote, source, sha256, doubt, sources)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for (number, claim) in claims.iter().enumerate() {
        statement.execute(params![
            run,
            i64::try_from(number + 1).unwrap_or(i64::MAX),
            claim.text,
            claim.quote,
            claim.source,
            claim.sha256,
            claim.doubt,
            claim.sources
        ])?;
    }
    Ok(())
}

/// Returns the claims of a run's report, in the report's order.
pub(crate) fn claims(connection: &Connection, id: &RunId) -> Result<Vec<ResearchClaim>> {
    let run = key_of(connection, id)?;
    let mut statement = connection.prepare_cached(
        "SELECT text, quote, source, sha256, doubt, sources FROM research_claims WHERE run = ?1 ORDER BY number",
    )?;
    let rows = statement.query_map([run], |row| {
        let mut cells = Cells::new(row);
        Ok(ResearchClaim {
            text: cells.take()?,
            quote: cells.take()?,
            source: cells.take()?,
            sha256: cells.take()?,
            doubt: cells.take()?,
            sources: cells.take()?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Returns the pages of a run; only the one with the hash `sha256` if it is given.
pub(crate) fn pages(
    connection: &Connection,
    id: &RunId,
    sha256: Option<&str>,
) -> Result<Vec<ResearchPage>> {
    let run = key_of(connection, id)?;
    let mut statement = connection.prepare_cached(
        "SELECT sha256, address, title, text, media, fetched FROM research_sources JOIN research_pages USING (sha256)
            WHERE run = ?1 AND (?2 IS NULL OR sha256 = ?2) ORDER BY address",
    )?;
    let rows = statement.query_map(params![run, sha256], |row| {
        let mut cells = Cells::new(row);
        Ok(ResearchPage {
            sha256: cells.take()?,
            address: cells.take()?,
            title: cells.take()?,
            text: cells.take()?,
            media: cells.take()?,
            fetched: timestamp(cells.take()?),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Returns the addresses of a run whose text had changed when read later, each with the time that text was first
/// read.
pub(crate) fn later_copies(
    connection: &Connection,
    id: &RunId,
) -> Result<Vec<(String, Timestamp)>> {
    let run = key_of(connection, id)?;
    let mut statement = connection.prepare_cached(
        "SELECT mine.address, min(later.fetched)
            FROM research_sources AS mine
            JOIN research_pages AS page ON page.sha256 = mine.sha256
            JOIN research_sources AS other ON other.address = mine.address AND other.sha256 <> mine.sha256
            JOIN research_pages AS later ON later.sha256 = other.sha256 AND later.fetched > page.fetched
            WHERE mine.run = ?1 GROUP BY mine.address",
    )?;
    let rows = statement.query_map([run], |row| {
        let mut cells = Cells::new(row);
        Ok((cells.take()?, timestamp(cells.take()?)))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Returns the changes of a run's document after a version, oldest first.
pub(crate) fn versions(
    connection: &Connection,
    id: &RunId,
    after: u64,
) -> Result<Vec<DocumentVersion>> {
    let run = key_of(connection, id)?;
    let mut statement = connection.prepare_cached(
        "SELECT version, at, changes FROM research_versions WHERE run = ?1 AND version > ?2 ORDER BY version",
    )?;
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![run, after], |row| {
        let mut cells = Cells::new(row);
        Ok((
            cells.take::<i64>()?,
            cells.take::<i64>()?,
            cells.take::<String>()?,
        ))
    })?;
    let mut versions = Vec::new();
    for row in rows {
        let (version, at, changes) = row?;
        versions.push(DocumentVersion {
            version: u64::try_from(version).unwrap_or_default(),
            at: timestamp(at),
            changes: serde_json::from_str(&changes)?,
        });
    }
    Ok(versions)
}
