//! Costs of models: `show usage` by day and feature, or the single calls of a turn.

use adjutant_api::Fault;
use adjutant_api::convert::records;
use adjutant_api::rows::Rows;
use adjutant_api::usage::{CallRow, UsageRow};
use adjutant_domain::filter::Window;
use adjutant_domain::ids::TurnId;
use adjutant_domain::model::{CallRecord, CallState, Ledger as _, Purpose, Usage};
use adjutant_settings::Money;
use adjutant_store::SpendRow;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::show::ShowParams;
use super::{Service, store_fault};

/// Maximum number of calls shown for one turn. A turn with more was a loop, and its first calls tell enough.
const CALLS_MAX: usize = 500;

pub(super) async fn rows(
    service: &Service,
    asked: &ShowParams,
    window: Window,
    zone: &TimeZone,
) -> Result<Rows, Fault> {
    service.models.written().await;
    let currency = service.currency();
    let Some(turn) = asked.id.clone() else {
        let (from, to) = days(window, zone);
        let rows = service
            .store
            .spending(from, to, asked.limit)
            .await
            .map_err(store_fault)?;
        let rows = rows.into_iter().map(|row| of_day(row, &currency)).collect();
        return Ok(Rows::Usage(rows));
    };
    let limit = asked.limit.unwrap_or(CALLS_MAX).min(CALLS_MAX);
    let calls = service
        .store
        .calls(Some(TurnId(turn)), limit)
        .await
        .map_err(store_fault)?;
    let rows = calls.into_iter().map(|call| of_call(call, zone, &currency));
    Ok(Rows::Calls(rows.collect()))
}

/// Returns the first and last day that a time range touches.
fn days(window: Window, zone: &TimeZone) -> (Option<Date>, Option<Date>) {
    let date = |at: Timestamp| at.to_zoned(zone.clone()).date();
    // The end is exclusive: midnight belongs to the day before.
    let last = |to: Timestamp| to.checked_sub(SignedDuration::from_nanos(1)).unwrap_or(to);
    (window.from.map(date), window.to.map(|to| date(last(to))))
}

fn of_day(row: SpendRow, currency: &str) -> UsageRow {
    UsageRow {
        day: row.day.to_string(),
        stage: row.stage.name().into(),
        model: row.model,
        purpose: purpose(row.purpose).into(),
        calls: row.calls,
        failed: row.failed,
        input: row.input,
        output: row.output,
        cost_micros: row.cost_micros,
        reserved_micros: row.reserved_micros,
        cost: Money::from_micros(row.cost_micros).to_string(),
        currency: currency.into(),
    }
}

fn of_call(call: CallRecord, zone: &TimeZone, currency: &str) -> CallRow {
    let CallRecord {
        id,
        reserved,
        spent,
    } = call;
    let usage = spent.as_ref().map_or(Usage::default(), |spent| spent.usage);
    CallRow {
        id,
        at: records::at(reserved.at.timestamp(), zone),
        turn: reserved.turn.map(|turn| turn.0),
        stage: reserved.stage.name().into(),
        tier: reserved.tier.name().into(),
        purpose: purpose(reserved.purpose).into(),
        model: reserved.model,
        prompt: reserved.prompt,
        state: state(
            spent
                .as_ref()
                .map_or(CallState::Running, |spent| spent.state),
        )
        .into(),
        input_chars: reserved.input_chars,
        input: usage.input,
        output: usage.output,
        worst_micros: reserved.worst_micros,
        cost_micros: usage.cost_micros,
        estimated: usage.estimated,
        cost: Money::from_micros(usage.cost_micros).to_string(),
        currency: currency.into(),
        first_ms: spent.as_ref().and_then(|spent| spent.first_ms),
        ms: spent.as_ref().map(|spent| spent.ms),
        fault: spent.and_then(|spent| spent.fault),
    }
}

const fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Foreground => "foreground",
        Purpose::Background => "background",
    }
}

const fn state(state: CallState) -> &'static str {
    match state {
        CallState::Running => "running",
        CallState::Done => "done",
        CallState::Failed => "failed",
        CallState::Cancelled => "cancelled",
        CallState::Lost => "lost",
    }
}

impl Service {
    /// Returns the currency from the settings.
    pub(super) fn currency(&self) -> String {
        let layers = self
            .layers
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        layers.all().models.currency
    }
}
