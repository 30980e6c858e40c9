//! What models cost: `show usage` by day and feature, with a turn its calls one by one; `ask --explain` what a message
//! could cost at most.

use adjutant_api::Fault;
use adjutant_api::convert::records;
use adjutant_api::rows::Rows;
use adjutant_api::usage::{CallRow, EstimateRow, EstimateView, UsageRow};
use adjutant_domain::ids::{ConversationId, TurnId};
use adjutant_domain::model::{CallRecord, CallState, Ledger as _, ModelProfile, Purpose, Usage};
use adjutant_domain::ports::Window;
use adjutant_engine::Expected;
use adjutant_models::govern::price_micros;
use adjutant_settings::Money;
use adjutant_store::SpendRow;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::show::Asked;
use super::{Service, store_fault, user_fault};
use crate::models::Prices;

/// Calls shown of one turn. One with more of them was a loop, and its first ones tell enough.
const CALLS_MAX: usize = 500;

pub(super) async fn rows(
    service: &Service,
    asked: &Asked,
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

/// What a message could cost at most; none while no model is connected.
pub(super) async fn estimate(
    service: &Service,
    conversation: &str,
    text: &str,
) -> Result<Option<EstimateView>, Fault> {
    let prices = service.models.prices();
    if prices.is_empty() {
        return Ok(None);
    }
    let ways = service
        .engine
        .expect(&ConversationId(conversation.to_owned()), text)
        .await
        .map_err(|fault| user_fault(&fault))?;
    let dearest = ways
        .iter()
        .map(|way| way.iter().map(|one| requests(one, &prices)).collect())
        .max_by_key(|way: &Vec<EstimateRow>| total(way))
        .unwrap_or_default();
    Ok(Some(view(service, dearest)))
}

/// What asking where so many messages belong could cost at most.
pub(super) fn of_routes(service: &Service, messages: u64, said_tokens: u64) -> EstimateView {
    let prices = service.models.prices();
    let expected = Expected::routes(messages, said_tokens);
    view(service, vec![requests(&expected, &prices)])
}

fn view(service: &Service, requests: Vec<EstimateRow>) -> EstimateView {
    let limit = service.settings().models.spend.limits().call;
    let at_most_micros = total(&requests);
    let unpriced = if requests.is_empty() {
        None
    } else {
        service.models.unpriced()
    };
    EstimateView {
        unpriced,
        at_most_micros,
        at_most: Money::from_micros(at_most_micros).to_string(),
        currency: service.currency(),
        over_call_limit: requests
            .iter()
            .any(|row| row.at_most_micros / row.times.max(1) > limit),
        requests,
    }
}

fn total(way: &[EstimateRow]) -> u64 {
    way.iter()
        .fold(0, |sum, row| sum.saturating_add(row.at_most_micros))
}

/// Requests of a stage, priced with the dearest model that may answer: a fallback counts too.
fn requests(expected: &Expected, prices: &Prices) -> EstimateRow {
    let models = prices.of(expected.tier);
    let room = |model: &ModelProfile| u64::from(model.context_tokens);
    let cost = |model: &ModelProfile| {
        let input = expected.input_tokens.min(room(model));
        price_micros(model, input, expected.output_tokens)
    };
    let dearest = models.iter().map(cost).max().unwrap_or(0);
    let first = models.first();
    EstimateRow {
        stage: expected.stage.name().into(),
        tier: expected.tier.name().into(),
        model: first.map_or_else(String::new, |model| model.id.clone()),
        times: expected.times,
        input: first.map_or(expected.input_tokens, |model| {
            expected.input_tokens.min(room(model))
        }),
        output: expected.output_tokens,
        at_most_micros: dearest.saturating_mul(expected.times),
    }
}

/// The days that a range of time touches.
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
    /// The currency of the settings.
    fn currency(&self) -> String {
        let layers = self
            .layers
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        layers.all().models.currency
    }
}
