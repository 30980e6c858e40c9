//! The embedded engine behind the domain's traits.

use std::sync::Arc;

use adjutant_domain::conversation::Role;
use adjutant_domain::faults::ToolFault;
use adjutant_domain::plan::{AnswerKind, Choice, Plan, Question};
use adjutant_domain::ports::{Calculated, Calculator};
use adjutant_domain::reading::{Planner, Reading, Reply, Resume, Resumer, Router, Utterance};
use adjutant_domain::route::Route;
use adjutant_domain::settings::Settings;
use jiff::Zoned;
use serde_json::Value;

use crate::route::Similarity;
use crate::{calc, frames, more, plan, resume, route};

/// Routes, plans and reads replies without a model. It holds nothing: everything comes with the message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Router for Embedded {
    fn route(&self, said: &Utterance<'_>) -> Route {
        more::route(said).unwrap_or_else(|| route::route(said.text, &before(said)).route)
    }
}

/// The router of [`Embedded`], which compares with our own examples what it is unsure of.
#[derive(Clone)]
pub struct ComparingRouter(pub Arc<dyn Similarity>);

impl Router for ComparingRouter {
    fn route(&self, said: &Utterance<'_>) -> Route {
        more::route(said)
            .unwrap_or_else(|| route::route_with(said.text, &before(said), self.0.as_ref()).route)
    }
}

/// What was said before, as routing reads it.
fn before<'a>(said: &Utterance<'a>) -> Vec<route::EarlierMessage<'a>> {
    said.history
        .iter()
        .map(|message| route::EarlierMessage {
            by_person: message.role == Role::User,
            text: &message.text,
        })
        .collect()
}

impl Calculator for Embedded {
    fn evaluate(
        &self,
        text: &str,
        now: &Zoned,
        settings: &Settings,
    ) -> Result<Calculated, ToolFault> {
        calc::port::evaluate(text, now, settings)
    }
}

impl Planner for Embedded {
    fn plan(&self, said: &Utterance<'_>, route: &Route) -> Reading {
        // What frames do not read whole, the old planner may understand; what it does not either, a phrase of a tool.
        let known = more::plan(said).or_else(|| frames::plan(said));
        known.unwrap_or_else(|| match plan::plan(said, route) {
            none @ Reading::NotUnderstood { .. } => {
                frames::plan_own(said).unwrap_or_else(|| in_one_line(none))
            }
            read => read,
        })
    }
}

/// What was not understood is said in a line: what can be asked is told where somebody asks for it.
fn in_one_line(reading: Reading) -> Reading {
    /// Where the old planner goes on to tell everything it can do.
    const ABILITIES: &str = " I keep your calendar,";
    match reading {
        Reading::NotUnderstood { text, trace } => {
            let line = text.split_once(ABILITIES).map(|(line, _)| line);
            let text = line.map_or(text.clone(), |line| {
                format!("{line} Say “help” to see what I can do.")
            });
            Reading::NotUnderstood { text, trace }
        }
        other => other,
    }
}

impl Resumer for Embedded {
    fn confirm(&self, text: &str, prompt: &str) -> Reply {
        resume::confirm(text, prompt)
    }

    fn resume(
        &self,
        said: &Utterance<'_>,
        request: &str,
        plan: &Plan,
        question: Option<&Question>,
    ) -> Resume {
        resume::resume(said, request, plan, question, || self.route(said))
    }

    fn answer(&self, said: &Utterance<'_>, kind: AnswerKind, choices: &[Choice]) -> Option<Value> {
        resume::answer(said, kind, choices)
    }
}
