//! Parses a model's reply for its request. How strictly depends on the consequences: plans, and values from foreign
//! text, must match exactly.

use adjutant_domain::conversation::Role;
use adjutant_domain::route::{Domain, Route, RouteKind};
use serde_json::Value;

use super::model::Scene;
use crate::listen::Spoken;
use crate::stages::plan::Origin;
use crate::stages::{
    Again, Failed, NEEDS_PLAN, StageReply, StageRequest, WayOut, extract, plan, read, resume,
};

/// Parses a whole reply to `ask`. For `fields_of_others` see [`Origin`].
pub(super) fn said(
    ask: &StageRequest,
    reply: Spoken,
    scene: &Scene,
    fields_of_others: bool,
) -> Result<StageReply, Failed> {
    let unusable = |error: String| {
        Failed::Unusable(Again {
            reply: reply.text.clone(),
            error,
        })
    };
    match ask {
        StageRequest::Route { .. } => {
            let value = read::lenient(&reply.text).map_err(unusable)?;
            let route = route_of(&value, &reply.model).map_err(unusable)?;
            Ok(StageReply::Route(route))
        }
        StageRequest::Plan { text, said, .. } => {
            let history = scene
                .past
                .messages
                .iter()
                .filter(|message| message.role == Role::User)
                .map(|message| message.text.as_str());
            let origin = Origin {
                said: [scene.text.as_str()]
                    .into_iter()
                    .chain(said.iter().map(String::as_str))
                    .chain(history)
                    .collect(),
                people: scene.people.own(),
                fields_of_others,
            };
            let tools = &*scene.core.parts.toolbox;
            let planned = if reply.calls.is_empty() {
                read::strict(&reply.text).and_then(|value| plan::read(&value, tools, &origin))
            } else {
                plan::of_calls(reply.calls.clone(), text, tools, &origin)
            };
            planned.map(StageReply::Plan).map_err(unusable)
        }
        StageRequest::Resume { .. } => {
            let value = read::lenient(&reply.text).map_err(unusable)?;
            resume::read(&value)
                .map(StageReply::Resume)
                .map_err(unusable)
        }
        StageRequest::Extract(wanted) => {
            // It read foreign text, so its reply must match exactly; a call is not a value.
            let value = read::strict(&reply.text).map_err(unusable)?;
            let values = extract::read(&value, &wanted.fields).map_err(unusable)?;
            Ok(StageReply::Values {
                step: wanted.step.clone(),
                values,
            })
        }
        StageRequest::Critique { .. } => {
            let value = read::lenient(&reply.text).map_err(unusable)?;
            problems(&value).map(StageReply::Critique).map_err(unusable)
        }
        StageRequest::Respond {
            way_out: WayOut::Plan,
            ..
        } if reply.calls.iter().any(|call| call.tool == NEEDS_PLAN) => Ok(StageReply::NeedsPlan),
        StageRequest::Respond { .. } => Ok(StageReply::Text {
            text: reply.text.trim().to_owned(),
            cut: reply.cut,
            proposals: reply.calls,
        }),
        StageRequest::Refine { .. } | StageRequest::Tone { .. } if reply.text.trim().is_empty() => {
            Err(unusable("it is empty".into()))
        }
        StageRequest::Refine { .. } | StageRequest::Tone { .. } => Ok(StageReply::Text {
            text: reply.text.trim().to_owned(),
            cut: reply.cut,
            proposals: Vec::new(),
        }),
    }
}

#[derive(serde::Deserialize)]
struct RouteReply {
    #[serde(alias = "type")]
    kind: RouteKind,
    #[serde(default)]
    domains: Vec<Domain>,
    #[serde(default)]
    is_followup: bool,
}

/// Confidence assigned to a model's route: models report none, and nothing uses it further.
const MODEL_CONFIDENCE: f64 = 0.8;

fn route_of(value: &Value, model: &str) -> Result<Route, String> {
    let reply: RouteReply =
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    let mut domains = reply.domains;
    domains.sort_by_key(|domain| domain.as_str());
    domains.dedup();
    Ok(Route {
        kind: reply.kind,
        domains,
        is_followup: reply.is_followup || reply.kind == RouteKind::Followup,
        confidence: MODEL_CONFIDENCE,
        by: model.to_owned(),
    })
}

/// Maximum number of problems of a draft to work in.
const PROBLEMS_MAX: usize = 8;
/// Maximum length of one problem in characters.
const PROBLEM_CHARS_MAX: usize = 500;

#[derive(serde::Deserialize)]
struct CritiqueReply {
    #[serde(default)]
    good: bool,
    #[serde(default)]
    problems: Vec<Problem>,
}

#[derive(serde::Deserialize)]
struct Problem {
    #[serde(default)]
    kind: String,
    what: String,
}

fn problems(value: &Value) -> Result<Vec<String>, String> {
    let reply: CritiqueReply =
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    if reply.good {
        return Ok(Vec::new());
    }
    Ok(reply
        .problems
        .into_iter()
        .filter(|problem| !problem.what.trim().is_empty())
        .map(|problem| {
            let line = format!("{}: {}", problem.kind, problem.what.trim());
            line.chars().take(PROBLEM_CHARS_MAX).collect()
        })
        .take(PROBLEMS_MAX)
        .collect())
}
