//! Jobs: work that is due later or takes long. `adjutant_domain::job` decides which states a job may enter.

use adjutant_domain::ids::JobId;
use adjutant_domain::job::{Claim, Ended, Given, Job, JobKind, JobState, Lease, Planned, Progress};
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::cells::{Cells, json, micros, optional, readable};
use crate::fault::Result;
use crate::tables::Migration;
use crate::tx::{Topic, Tx};

/// The table `reminders` of format 1 recorded which reminders were shown; finished jobs record that now.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        format: 1,
        sql: "
    CREATE TABLE reminders (
        task TEXT NOT NULL,
        at INTEGER NOT NULL,
        outcome TEXT NOT NULL CHECK (outcome IN ('shown', 'missed')),
        PRIMARY KEY (task, at)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reminders_at ON reminders (at);
    ",
    },
    Migration {
        format: 5,
        sql: "
    CREATE TABLE jobs (
        pk INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        title TEXT NOT NULL,
        state TEXT NOT NULL
            CHECK (state IN ('waiting', 'running', 'paused', 'done', 'skipped', 'failed', 'stopped')),
        due INTEGER NOT NULL,
        run_at INTEGER NOT NULL,
        next_at INTEGER,
        holder TEXT,
        lease_until INTEGER,
        attempts INTEGER NOT NULL CHECK (attempts >= 0),
        late INTEGER NOT NULL CHECK (late IN (0, 1)),
        why TEXT,
        CHECK ((holder IS NULL) = (lease_until IS NULL))
    ) STRICT;
    CREATE INDEX jobs_subject ON jobs (subject, kind);
    CREATE INDEX jobs_next ON jobs (next_at) WHERE next_at IS NOT NULL;
    CREATE INDEX jobs_over ON jobs (due) WHERE next_at IS NULL;
    INSERT INTO jobs (id, kind, subject, title, state, due, run_at, next_at, attempts, late)
        SELECT 'reminder:' || task || ':' || at, 'reminder', task,
            coalesce((SELECT title FROM tasks WHERE tasks.id = task), ''), 'done', at, at, NULL, 1, outcome = 'missed'
        FROM reminders;
    DROP TABLE reminders;
    INSERT OR IGNORE INTO jobs (id, kind, subject, title, state, due, run_at, next_at, attempts, late)
        SELECT 'reminder:' || id || ':' || remind_at, 'reminder', id, title, 'waiting', remind_at, remind_at,
            remind_at, 0, 0
        FROM tasks WHERE done = 0 AND remind_at IS NOT NULL;
    INSERT INTO jobs (id, kind, subject, title, state, due, run_at, next_at, attempts, late)
        SELECT 'send:' || id || ':' || coalesce(not_before, updated), 'send', id, subject, 'waiting',
            coalesce(not_before, updated), coalesce(not_before, updated), coalesce(not_before, updated), 0, 0
        FROM outbox WHERE state = 'held';
    INSERT INTO jobs (id, kind, subject, title, state, due, run_at, next_at, attempts, late)
        SELECT 'expire:' || id, 'expire', id, coalesce(json_extract(body, '$.card.title'), ''), 'waiting', expires,
            expires, expires, 0, 0
        FROM actions WHERE state = 'pending';
    DROP INDEX tasks_reminders;
    ",
    },
    Migration {
        format: 10,
        sql: "
    ALTER TABLE jobs ADD COLUMN done INTEGER;
    ALTER TABLE jobs ADD COLUMN total INTEGER;
    ALTER TABLE jobs ADD COLUMN budget INTEGER;
    ALTER TABLE jobs ADD COLUMN data TEXT;
    ",
    },
    Migration {
        format: 11,
        sql: "ALTER TABLE jobs ADD COLUMN schedule TEXT;",
    },
    // Rows of the outbox no longer plan jobs; an approved action that waits does. Held mails are queued, as at the
    // end of their hold, and sending one requires a new approval.
    Migration {
        format: 12,
        sql: "
    DELETE FROM jobs WHERE kind = 'send' AND next_at IS NOT NULL;
    UPDATE outbox SET state = 'queued', not_before = NULL WHERE state = 'held';
    INSERT INTO jobs (id, kind, subject, title, state, due, run_at, next_at, attempts, late)
        SELECT 'send:' || id, 'send', id, coalesce(json_extract(body, '$.card.title'), ''), 'waiting', created, created,
            created, 0, 0
        FROM actions WHERE state = 'approved' AND waits_until IS NOT NULL;
    ",
    },
];

/// How long finished reminder jobs are kept, in days, so that it is known which reminders were shown.
const REMINDERS_KEPT_DAYS: i64 = 400;
/// How long other finished jobs are kept, in days.
const OVER_KEPT_DAYS: i64 = 30;

const COLUMNS: &str = "id, kind, subject, title, state, due, run_at, holder, lease_until, attempts, late, why, done, total, budget, data, schedule";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Job> {
    let mut cells = Cells::new(row);
    Ok(Job {
        id: cells.id()?,
        kind: cells.name()?,
        subject: cells.take()?,
        title: cells.take()?,
        state: cells.name()?,
        due: cells.time()?,
        run_at: cells.time()?,
        lease: match (cells.take::<Option<String>>()?, cells.optional_time()?) {
            (Some(holder), Some(until)) => Some(Lease { holder, until }),
            _ => None,
        },
        attempts: cells.take()?,
        late: cells.take()?,
        why: cells.take()?,
        progress: match (cells.take::<Option<i64>>()?, cells.take::<Option<i64>>()?) {
            (Some(done), Some(total)) => Some(Progress {
                done: u64::try_from(done).unwrap_or_default(),
                total: u64::try_from(total).unwrap_or_default(),
            }),
            _ => None,
        },
        budget: cells
            .take::<Option<i64>>()?
            .and_then(|budget| u64::try_from(budget).ok()),
        data: cells.lenient_json()?.unwrap_or_default(),
        schedule: cells.lenient_json()?,
    })
}

/// Returns a job, or `None` if there is none with this id.
pub(crate) fn get(connection: &Connection, id: &JobId) -> Result<Option<Job>> {
    Ok(connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM jobs WHERE id = ?1"))?
        .query_row([id.as_str()], read)
        .optional()?)
}

/// Returns jobs: upcoming ones first, soonest first, then finished ones, latest first.
pub(crate) fn list(connection: &Connection, limit: Option<usize>) -> Result<Vec<Job>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM jobs ORDER BY next_at IS NULL, next_at, due DESC, pk DESC LIMIT ?1"
    ))?;
    let rows = statement.query_map([super::limit(limit)], read)?;
    Ok(readable(rows)?)
}

/// Returns the reminders that were shown late since an instant, latest first.
pub(crate) fn missed_reminders(connection: &Connection, since: Timestamp) -> Result<Vec<Job>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM jobs
         WHERE next_at IS NULL AND due >= ?1 AND kind = ?2 AND state = 'done' AND late = 1 ORDER BY due DESC"
    ))?;
    let rows = statement.query_map(params![micros(since), JobKind::Reminder.as_str()], read)?;
    Ok(readable(rows)?)
}

/// Returns the earliest instant at which a job can be claimed, or `None` if no job is planned.
pub(crate) fn next_at(connection: &Connection) -> Result<Option<Timestamp>> {
    let at: Option<i64> = connection
        .prepare_cached("SELECT min(next_at) FROM jobs WHERE next_at IS NOT NULL")?
        .query_row([], |row| row.get(0))?;
    Ok(at.map(crate::cells::timestamp))
}

/// Stores a job in its present state.
pub(crate) fn put(tx: &Tx<'_>, job: &Job) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO jobs (id, kind, subject, title, state, due, run_at, holder, lease_until, attempts, late, why,
            next_at, done, total, budget, data, schedule)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)
         ON CONFLICT (id) DO UPDATE SET title = excluded.title, state = excluded.state, due = excluded.due,
            run_at = excluded.run_at, holder = excluded.holder, lease_until = excluded.lease_until,
            attempts = excluded.attempts, late = excluded.late, why = excluded.why, next_at = excluded.next_at,
            done = excluded.done, total = excluded.total, budget = excluded.budget, data = excluded.data,
            schedule = excluded.schedule",
    )?
    .execute(params![
        job.id.as_str(),
        job.kind.as_str(),
        job.subject,
        job.title,
        job.state.as_str(),
        micros(job.due),
        micros(job.run_at),
        job.lease.as_ref().map(|lease| lease.holder.as_str()),
        optional(job.lease.as_ref().map(|lease| micros(lease.until))),
        job.attempts,
        job.late,
        job.why,
        optional(job.next_at().map(micros)),
        optional(job.progress.map(|progress| whole(progress.done))),
        optional(job.progress.map(|progress| whole(progress.total))),
        optional(job.budget.map(whole)),
        (!job.data.is_null()).then(|| job.data.to_string()),
        job.schedule.as_ref().map(json).transpose()?,
    ])?;
    tx.touch(Topic::Jobs);
    Ok(())
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Stores what is planned for a record or an action. Part of the transaction that writes it.
pub(crate) fn plan(tx: &Tx<'_>, planned: &Planned) -> Result<()> {
    let there: Vec<Job> = {
        let mut statement = tx.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM jobs WHERE subject = ?1 AND kind = ?2"
        ))?;
        let rows = statement.query_map(params![planned.subject, planned.kind.as_str()], read)?;
        readable(rows)?
    };
    let replan = planned.replan(there);
    for id in &replan.gone {
        tx.prepare_cached("DELETE FROM jobs WHERE id = ?1")?
            .execute([id.as_str()])?;
        tx.touch(Topic::Jobs);
    }
    replan.put.iter().try_for_each(|job| put(tx, job))
}

/// Deletes the jobs of one kind for a subject that is gone, even if one is running.
pub(crate) fn nothing_planned(tx: &Tx<'_>, kind: JobKind, subject: &str) -> Result<()> {
    tx.prepare_cached("DELETE FROM jobs WHERE kind = ?1 AND subject = ?2")?
        .execute([kind.as_str(), subject])?;
    tx.touch(Topic::Jobs);
    Ok(())
}

/// Leases due jobs, earliest first.
pub(crate) fn claim(tx: &Tx<'_>, claim: &Claim) -> Result<Vec<Given>> {
    let due: Vec<Job> = {
        let mut statement = tx.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM jobs WHERE next_at <= ?1 ORDER BY next_at, pk LIMIT ?2"
        ))?;
        let limit = super::limit(Some(claim.limit));
        let rows = statement.query_map(params![micros(claim.now), limit], read)?;
        readable(rows)?
    };
    let mut given = Vec::with_capacity(due.len());
    let may = |job: &Job| job.is_due(claim.now) && (claim.stays || !job.kind.rules().takes_long);
    for job in due.into_iter().filter(may) {
        let one = job.claimed(claim);
        put(tx, one.job())?;
        given.push(one);
    }
    Ok(given)
}

/// Leases a job that begins now, or returns `None` if it is running already.
pub(crate) fn begin(tx: &Tx<'_>, job: &Job, claim: &Claim) -> Result<Option<Job>> {
    let there = get(tx, &job.id)?;
    let begun = job.clone().begun(there.as_ref(), claim);
    if let Some(job) = &begun {
        put(tx, job)?;
    }
    Ok(begun)
}

/// Renews a lease and returns whether the holder still has the job.
pub(crate) fn renew(
    tx: &Tx<'_>,
    id: &JobId,
    claim: &Claim,
    progress: Option<Progress>,
) -> Result<bool> {
    let job = get(tx, id)?.and_then(|job| job.renewed(&claim.holder, claim.now, progress));
    if let Some(job) = &job {
        put(tx, job)?;
    }
    Ok(job.is_some())
}

/// Lets jobs run now that wait after a failed attempt. Returns whether there are any.
pub(crate) fn hurry(tx: &Tx<'_>, ids: &[JobId], now: Timestamp) -> Result<bool> {
    let mut any = false;
    for id in ids {
        if let Some(job) = get(tx, id)?.and_then(|job| job.hurried(now)) {
            put(tx, &job)?;
            any = true;
        }
    }
    Ok(any)
}

/// Stores how attempts ended and deletes long-finished jobs. Returns the jobs that the holder still had.
pub(crate) fn settle(tx: &Tx<'_>, claim: &Claim, ended: &[(JobId, Ended)]) -> Result<Vec<Job>> {
    let mut own = Vec::with_capacity(ended.len());
    for (id, ended) in ended {
        if let Some(job) = get(tx, id)?.and_then(|job| job.ended(claim, ended)) {
            if job.state == JobState::Done && !job.kind.rules().is_kept {
                tx.prepare_cached("DELETE FROM jobs WHERE id = ?1")?
                    .execute([job.id.as_str()])?;
                tx.touch(Topic::Jobs);
            } else {
                put(tx, &job)?;
            }
            own.push(job);
        }
    }
    if !own.is_empty() {
        forget(tx, claim.now)?;
    }
    Ok(own)
}

/// Deletes long-finished jobs; a reminder only if its task cannot trigger it again.
fn forget(tx: &Tx<'_>, now: Timestamp) -> Result<()> {
    let before = |days: i64| {
        now.checked_sub(SignedDuration::from_hours(24 * days))
            .map_or(i64::MIN, micros)
    };
    tx.prepare_cached(
        "DELETE FROM jobs WHERE next_at IS NULL AND due < ?1 AND state <> 'paused' AND
            (kind <> 'reminder' OR (due < ?2 AND NOT EXISTS
                (SELECT 1 FROM tasks WHERE tasks.id = subject AND tasks.remind_at = jobs.due)))",
    )?
    .execute([before(OVER_KEPT_DAYS), before(REMINDERS_KEPT_DAYS)])?;
    Ok(())
}

/// Returns the wanted jobs that do not exist or have a different schedule.
pub(crate) fn other_schedule(connection: &Connection, wanted: &[Job]) -> Result<Vec<Job>> {
    let mut other = Vec::new();
    for job in wanted {
        if get(connection, &job.id)?.is_none_or(|there| there.schedule != job.schedule) {
            other.push(job.clone());
        }
    }
    Ok(other)
}

/// Returns the jobs that are leased.
pub(crate) fn running(connection: &Connection) -> Result<Vec<Job>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM jobs WHERE next_at IS NOT NULL AND state = 'running'"
    ))?;
    let rows = statement.query_map([], read)?;
    Ok(readable(rows)?)
}

/// Releases all leases.
pub(crate) fn release_all(tx: &Tx<'_>) -> Result<()> {
    running(tx)?
        .into_iter()
        .try_for_each(|job| put(tx, &job.released()))
}
