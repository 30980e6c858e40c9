//! Estimates the cost of model requests before they are made: for a message (`ask --explain`) and before large runs.

use adjutant_api::Fault;
use adjutant_api::models::ConnectionDraft;
use adjutant_api::usage::{EstimateRow, EstimateView};
use adjutant_domain::ids::ConversationId;
use adjutant_domain::model::{ModelProfile, Purpose, Stage, Tier};
use adjutant_engine::Expected;
use adjutant_models::govern::price_micros;
use adjutant_settings::Money;
use adjutant_store::SpendRow;
use jiff::ToSpan as _;

use super::{Service, store_fault, user_fault};
use crate::models::{Connected, Prices};

/// Number of days of usage on which the cost of a comparison is based: a month, including today.
const COMPARED_DAYS: i32 = 31;
/// The stages that a shadow candidate also answers (`adjutant_engine::shadow`), each with the tier used for it.
const COMPARED: [(Stage, Tier); 3] = [
    (Stage::Route, Tier::Fast),
    (Stage::Plan, Tier::Standard),
    (Stage::Resume, Tier::Fast),
];

/// Returns the maximum cost of a message at the person's chosen tier; `None` if no model is connected.
pub(super) async fn of_message(
    service: &Service,
    conversation: &str,
    text: &str,
    tier: Option<Tier>,
) -> Result<Option<EstimateView>, Fault> {
    let prices = service.models.prices();
    if prices.is_empty() {
        return Ok(None);
    }
    let ways = service
        .engine
        .expect(&ConversationId(conversation.to_owned()), text, tier)
        .await
        .map_err(|fault| user_fault(&fault))?;
    let dearest = ways
        .iter()
        .map(|way| way.iter().map(|one| requests(one, &prices)).collect())
        .max_by_key(|way: &Vec<EstimateRow>| total(way))
        .unwrap_or_default();
    let unpriced = (!dearest.is_empty()).then(|| service.models.unpriced_of(&prices));
    Ok(Some(view(service, dearest, unpriced.flatten())))
}

/// Returns the maximum cost of asking a model to route this many messages.
pub(super) fn of_routes(service: &Service, messages: u64, said_tokens: u64) -> EstimateView {
    let prices = service.models.prices();
    let expected = Expected::routes(messages, said_tokens);
    let unpriced = service.models.unpriced_of(&prices);
    view(service, vec![requests(&expected, &prices)], unpriced)
}

/// Returns the cost of comparing a connection: the usage of the compared stages in the last [`COMPARED_DAYS`] days, at
/// its prices.
pub(super) async fn of_comparison(service: &Service, name: &str) -> Result<EstimateView, Fault> {
    let all = service.models.all();
    let one = all
        .iter()
        .find(|one| one.connection.name == name)
        .ok_or_else(super::models::unknown)?;
    let prices = service.models.prices_of(&one.connection);
    service.models.written().await;
    let today = service.now().date();
    let from = today.saturating_sub((COMPARED_DAYS - 1).days());
    let rows = service
        .store
        .spending(Some(from), Some(today), None)
        .await
        .map_err(store_fault)?;
    let of_stage = |(stage, tier)| of_asked(&rows, stage, tier, &prices);
    let requests: Vec<EstimateRow> = COMPARED.into_iter().filter_map(of_stage).collect();
    Ok(EstimateView {
        days: u32::try_from(COMPARED_DAYS).ok(),
        ..background(service, requests, one.unpriced())
    })
}

/// Returns the past usage of a stage at the candidate's prices; `None` if there was none.
fn of_asked(rows: &[SpendRow], stage: Stage, tier: Tier, prices: &Prices) -> Option<EstimateRow> {
    let model = prices.of(tier).into_iter().next()?;
    let asked = |row: &&SpendRow| row.stage == stage && row.purpose == Purpose::Foreground;
    let (calls, input, output) = rows.iter().filter(asked).fold((0, 0, 0), |sum, row| {
        let (calls, input, output): (u64, u64, u64) = sum;
        (
            calls.saturating_add(row.calls),
            input.saturating_add(row.input),
            output.saturating_add(row.output),
        )
    });
    (calls > 0).then(|| EstimateRow {
        stage: stage.name().into(),
        tier: tier.name().into(),
        times: calls,
        input: input.div_ceil(calls),
        output: output.div_ceil(calls),
        at_most_micros: price_micros(&model, input, output),
        model: model.id,
    })
}

/// Returns the cost of making the tool vectors with a connection.
pub(super) async fn of_vectors(
    service: &Service,
    draft: ConnectionDraft,
) -> Result<EstimateView, Fault> {
    let connection = super::models::drafted(&service.models, draft)?;
    let Some((model, missing)) = service.models.vectors_with(&connection).await else {
        return Ok(background(service, Vec::new(), None));
    };
    let request = EstimateRow {
        stage: Stage::Embed.name().into(),
        tier: model.tier.name().into(),
        times: missing.requests,
        input: missing.tokens.div_ceil(missing.requests.max(1)),
        output: 0,
        at_most_micros: price_micros(&model, missing.tokens, 0),
        model: model.id,
    };
    let requests: Vec<EstimateRow> = (missing.requests > 0)
        .then_some(request)
        .into_iter()
        .collect();
    let unpriced = Connected {
        connection,
        from_environment: false,
        problem: None,
    }
    .unpriced();
    Ok(background(service, requests, unpriced))
}

/// Builds the estimate for background work, which has a limit of its own.
fn background(
    service: &Service,
    requests: Vec<EstimateRow>,
    unpriced: Option<String>,
) -> EstimateView {
    let limit = service.settings().models.spend.limits().background_day;
    let unpriced = unpriced.filter(|_| !requests.is_empty());
    EstimateView {
        day_limit_micros: Some(limit),
        day_limit: Some(Money::from_micros(limit).to_string()),
        ..view(service, requests, unpriced)
    }
}

fn view(service: &Service, requests: Vec<EstimateRow>, unpriced: Option<String>) -> EstimateView {
    let limit = service.settings().models.spend.limits().call;
    let at_most_micros = total(&requests);
    EstimateView {
        unpriced,
        at_most_micros,
        at_most: Money::from_micros(at_most_micros).to_string(),
        currency: service.currency(),
        over_call_limit: requests
            .iter()
            .any(|row| row.at_most_micros / row.times.max(1) > limit),
        requests,
        days: None,
        day_limit_micros: None,
        day_limit: None,
    }
}

fn total(way: &[EstimateRow]) -> u64 {
    way.iter()
        .fold(0, |sum, row| sum.saturating_add(row.at_most_micros))
}

/// Prices a stage's requests with the most expensive model that may answer, so that fallbacks are included.
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
