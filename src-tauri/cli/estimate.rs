//! Shows the possible cost of a large run before it begins.

use adjutant::session::Session;
use adjutant_api::models::ConnectionDraft;
use adjutant_api::usage::EstimateView;
use adjutant_api::{Fault, Reply, Request};

use crate::{End, print, reply, unexpected};

/// The setting that names the connection that is only compared.
const SHADOW: &str = "models.shadow";

/// Cost of vectors, in millionths of the currency, from which it is shown. The tools take a few thousand tokens, once.
const WORTH_TELLING_MICROS: u64 = 10_000;

/// `models compare NAME`.
pub(crate) async fn comparison(session: &Session, name: String, json: bool) -> Result<End, Fault> {
    let estimate = ask(session, Request::EstimateComparison { name: name.clone() }).await?;
    if json {
        print::json(&estimate);
        return Ok(End::Finished);
    }
    for line in compared(&name, &estimate) {
        print::line(&line);
    }
    print::aside(&format!(
        "Start with `adjutant config set {SHADOW} \"{name}\"`; stop with `adjutant config set {SHADOW}`."
    ));
    Ok(End::Finished)
}

/// Shows the possible cost before a setting is changed that begins the comparison of a connection.
pub(crate) async fn tell_comparison(session: &Session, key: &str, value: Option<&str>) {
    let name = value.map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name.filter(|_| key == SHADOW) else {
        return;
    };
    let asked = Request::EstimateComparison { name: name.into() };
    // The change itself reports an invalid name.
    if let Ok(estimate) = ask(session, asked).await {
        for line in compared(name, &estimate) {
            print::aside(&line);
        }
    }
}

/// Shows the possible cost of all tool vectors before a connection is added that would make them.
pub(crate) async fn tell_vectors(session: &Session, connection: &ConnectionDraft) {
    if connection.embedding.is_none() {
        return;
    }
    let connection = connection.clone();
    // Connecting itself reports problems.
    let Ok(estimate) = ask(session, Request::EstimateVectors { connection }).await else {
        return;
    };
    let worth = estimate.at_most_micros >= WORTH_TELLING_MICROS;
    for row in estimate.requests.iter().filter(|_| worth) {
        print::aside(&format!(
            "{} makes vectors of all tools once, in the background. This costs about {} {}.",
            row.model, estimate.at_most, estimate.currency
        ));
        unpriced(&estimate)
            .iter()
            .for_each(|line| print::aside(line));
    }
}

async fn ask(session: &Session, request: Request) -> Result<EstimateView, Fault> {
    match reply(session, request).await? {
        Reply::Estimated { estimate } => Ok(estimate),
        _ => Err(unexpected()),
    }
}

/// Describes the cost of a comparison.
fn compared(name: &str, estimate: &EstimateView) -> Vec<String> {
    let calls: u64 = estimate.requests.iter().map(|row| row.times).sum();
    let days = estimate.days.unwrap_or_default();
    let mut lines = vec![if calls == 0 {
        format!("The last {days} days had no requests to compare.")
    } else {
        format!(
            "A comparison would have covered {calls} requests in the last {days} days. Asking {name} as well would have cost about {} {}.",
            estimate.at_most, estimate.currency
        )
    }];
    if let Some(limit) = &estimate.day_limit {
        lines.push(format!(
            "Background work may cost at most {limit} {} a day (models.spend.background_day). At that limit, comparing stops until the next day.",
            estimate.currency
        ));
    }
    lines.extend(unpriced(estimate));
    lines
}

fn unpriced(estimate: &EstimateView) -> Option<String> {
    estimate.unpriced.clone()
}
