//! Model costs, summed by day, stage, model and purpose. The sums hold what is spent and what is reserved, so limits
//! are checked here; they stay when the rows of single calls are deleted.

use adjutant_domain::model::{Limit, OverLimit, Purpose, Reservation, SpendLimits, Stage};
use jiff::ToSpan as _;
use jiff::civil::Date;
use rusqlite::{Connection, params};

use crate::cells::{Cells, name_of, readable};
use crate::fault::{Fault, Result};
use crate::tables::Migration;
use crate::tx::Tx;

pub(crate) const MIGRATIONS: &[Migration] = &[Migration {
    format: 2,
    sql: "
    CREATE TABLE spend (
        day TEXT NOT NULL,
        stage TEXT NOT NULL,
        model TEXT NOT NULL,
        purpose TEXT NOT NULL,
        calls INTEGER NOT NULL DEFAULT 0,
        failed INTEGER NOT NULL DEFAULT 0,
        input INTEGER NOT NULL DEFAULT 0,
        output INTEGER NOT NULL DEFAULT 0,
        cost INTEGER NOT NULL DEFAULT 0,
        reserved INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (day, stage, model, purpose)
    ) STRICT, WITHOUT ROWID;
    ",
}];

/// Highest number of rows kept: three years with ten combinations of stage and model a day. The oldest days go first.
pub const SPEND_ROWS_MAX: i64 = 11_000;
/// How far the clock may go back, in days, with calls still counted on the last day seen. Beyond that, the clock was
/// clearly wrong before; what was booked on its future days then counts on top of every day until they are past.
const CLOCK_BACK_DAYS_MAX: i32 = 62;
/// The largest figure of one call, in micro-units or tokens: higher than that of any real call, and low enough to sum
/// up a million.
const FIGURE_MAX: i64 = 1_000_000_000_000;

/// The cost of one day, stage, model and purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpendRow {
    /// Day of the person's calendar.
    pub day: Date,
    /// Stage the calls were made for.
    pub stage: Stage,
    /// Name of the model.
    pub model: String,
    /// Whether the person waited or the work ran in the background.
    pub purpose: Purpose,
    /// Number of calls.
    pub calls: u64,
    /// Number of calls that failed or were lost with their process.
    pub failed: u64,
    /// Tokens sent.
    pub input: u64,
    /// Tokens received.
    pub output: u64,
    /// Cost, in micro-units.
    pub cost_micros: u64,
    /// Amount reserved by running calls, in micro-units.
    pub reserved_micros: u64,
}

/// Identifies the row a call belongs to.
pub(crate) struct Entry {
    pub(crate) day: Date,
    pub(crate) stage: String,
    pub(crate) model: String,
    pub(crate) purpose: Purpose,
}

/// What is added to a row; negative values release reservations.
#[derive(Default)]
pub(crate) struct Change {
    pub(crate) calls: i64,
    pub(crate) failed: i64,
    pub(crate) input: i64,
    pub(crate) output: i64,
    pub(crate) cost: i64,
    pub(crate) reserved: i64,
}

/// Returns the day on which a call counts: today, or the last day seen if the clock has gone back since, so that
/// setting it back (or flying west) frees no money.
pub(crate) fn day_of(connection: &Connection, today: Date) -> Result<Date> {
    let furthest = today.saturating_add(CLOCK_BACK_DAYS_MAX.days());
    let latest: Option<String> = connection
        .prepare_cached("SELECT max(day) FROM spend WHERE day <= ?1")?
        .query_row([furthest.to_string()], |row| row.get(0))?;
    let latest: Option<Date> = latest
        .map(|day| day.parse())
        .transpose()
        .map_err(|error| Fault::other(format!("a day of the spending: {error}")))?;
    Ok(latest.map_or(today, |latest| latest.max(today)))
}

/// Returns the first limit a call would exceed, or `None`. A call that costs nothing always passes.
pub(crate) fn over(
    connection: &Connection,
    day: Date,
    wanted: &Reservation,
    limits: SpendLimits,
) -> Result<Option<OverLimit>> {
    let wanted_micros = wanted.worst_micros;
    if wanted_micros == 0 {
        return Ok(None);
    }
    let used = Used::since(connection, day)?;
    let background = (wanted.purpose == Purpose::Background).then_some((
        Limit::Background,
        limits.background_day,
        used.background,
    ));
    let all = [
        Some((Limit::Call, limits.call, 0)),
        background,
        Some((Limit::Day, limits.day, used.day)),
        Some((Limit::Month, limits.month, used.month)),
    ];
    Ok(all.into_iter().flatten().find_map(|(limit, most, used)| {
        (used.saturating_add(wanted_micros) > most).then_some(OverLimit {
            limit,
            limit_micros: most,
            used_micros: used,
            wanted_micros,
        })
    }))
}

/// Spent and reserved amounts, in micro-units.
#[derive(Default)]
struct Used {
    day: u64,
    month: u64,
    background: u64,
}

impl Used {
    /// Sums from the beginning of the day's month. Later days count too: they were booked while the clock was ahead.
    fn since(connection: &Connection, day: Date) -> Result<Self> {
        let mut statement = connection.prepare_cached(
            "SELECT day >= ?2, purpose = 'background', cost + reserved FROM spend WHERE day >= ?1",
        )?;
        let mut rows =
            statement.query(params![day.first_of_month().to_string(), day.to_string()])?;
        let mut used = Self::default();
        while let Some(row) = rows.next()? {
            let (this_day, background): (bool, bool) = (row.get(0)?, row.get(1)?);
            let micros = read(row.get(2)?);
            used.month = used.month.saturating_add(micros);
            if this_day {
                used.day = used.day.saturating_add(micros);
            }
            if this_day && background {
                used.background = used.background.saturating_add(micros);
            }
        }
        Ok(used)
    }
}

/// Adds to the row of a day. A row that was deleted comes back with just what is added.
pub(crate) fn add(tx: &Tx<'_>, entry: &Entry, change: &Change) -> Result<()> {
    let rows = tx
        .prepare_cached(
            "INSERT INTO spend (day, stage, model, purpose, calls, failed, input, output, cost, reserved)
                VALUES (?1, ?2, ?3, ?4, ?5, max(0, ?6), ?7, ?8, max(0, ?9), max(0, ?10))
             ON CONFLICT DO UPDATE SET calls = calls + ?5, failed = max(0, failed + ?6), input = input + ?7,
                output = output + ?8, cost = max(0, cost + ?9), reserved = max(0, reserved + ?10)
             RETURNING calls",
        )?
        .query_row(
            params![
                entry.day.to_string(),
                entry.stage,
                entry.model,
                name_of(&entry.purpose)?,
                change.calls,
                change.failed,
                change.input,
                change.output,
                change.cost,
                change.reserved,
            ],
            |row| row.get::<_, i64>(0),
        )?;
    // Only the first call of a row can have created it.
    if rows <= 1 {
        trim(tx, entry.day)?;
    }
    Ok(())
}

/// Deletes the oldest days, but never those of the current month.
fn trim(tx: &Tx<'_>, day: Date) -> Result<()> {
    let count: i64 = tx
        .prepare_cached("SELECT count(*) FROM spend")?
        .query_row([], |row| row.get(0))?;
    if count > SPEND_ROWS_MAX {
        tx.execute(
            "DELETE FROM spend WHERE day < ?1 AND day <= (SELECT day FROM spend ORDER BY day LIMIT 1 OFFSET ?2)",
            params![
                day.first_of_month().to_string(),
                count - SPEND_ROWS_MAX - 1
            ],
        )?;
    }
    Ok(())
}

/// Returns the rows of a range of days (both ends inclusive), newest first.
pub(crate) fn list(
    connection: &Connection,
    from: Option<Date>,
    to: Option<Date>,
    limit: Option<usize>,
) -> Result<Vec<SpendRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT day, stage, model, purpose, calls, failed, input, output, cost, reserved FROM spend
            WHERE day >= ?1 AND day <= ?2 ORDER BY day DESC, cost + reserved DESC, stage, model, purpose LIMIT ?3",
    )?;
    let rows = statement.query_map(
        params![
            from.unwrap_or(Date::MIN).max(Date::ZERO).to_string(),
            to.unwrap_or(Date::MAX).max(Date::ZERO).to_string(),
            super::limit(limit)
        ],
        |row| {
            let mut cells = Cells::new(row);
            Ok(SpendRow {
                day: cells.name()?,
                stage: cells.name()?,
                model: cells.take()?,
                purpose: cells.name()?,
                calls: read(cells.take()?),
                failed: read(cells.take()?),
                input: read(cells.take()?),
                output: read(cells.take()?),
                cost_micros: read(cells.take()?),
                reserved_micros: read(cells.take()?),
            })
        },
    )?;
    Ok(readable(rows)?)
}

/// Converts a figure for storage, capped at [`FIGURE_MAX`].
pub(crate) fn stored(figure: u64) -> i64 {
    i64::try_from(figure).unwrap_or(i64::MAX).min(FIGURE_MAX)
}

/// Converts a stored figure back.
pub(crate) fn read(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
