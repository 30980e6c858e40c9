//! Asks a model to route a message.

use adjutant_api::convert::turns::routed_by_model;
use adjutant_api::{Fault, Reply, SaidBefore};
use adjutant_domain::conversation::Role;
use adjutant_engine::Engine;

use crate::service::user_fault;

/// Asks the model. Stores nothing except the cost.
pub(in crate::service) async fn route(
    engine: &Engine,
    text: &str,
    history: Vec<SaidBefore>,
) -> Result<Reply, Fault> {
    let role = |by_person| {
        if by_person {
            Role::User
        } else {
            Role::Assistant
        }
    };
    let before = history
        .into_iter()
        .map(|said| (role(said.by_person), said.text))
        .collect();
    let routed = engine.route_by_model(text, before).await;
    let (route, usage) = routed.map_err(|fault| user_fault(&fault))?;
    Ok(Reply::RoutedByModel {
        routed: routed_by_model(&route, usage.cost_micros),
    })
}
