//! Implements the domain's traits with the embedded engine.

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
use crate::{calc, frames, more, resume, route, unread, which_day};

/// Routes, plans and reads replies without a model. Holds no state: everything comes with the message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Router for Embedded {
    fn route(&self, said: &Utterance<'_>) -> Route {
        more::route(said).unwrap_or_else(|| route::route(said.text, &before(said)).route)
    }
}

/// A router like [`Embedded`] that also compares what it is unsure of with the built-in examples.
#[derive(Clone)]
pub struct ComparingRouter(pub Arc<dyn Similarity>);

impl Router for ComparingRouter {
    fn route(&self, said: &Utterance<'_>) -> Route {
        more::route(said)
            .unwrap_or_else(|| route::route_with(said.text, &before(said), self.0.as_ref()).route)
    }
}

/// Returns the earlier messages in the form that routing reads.
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
        if let Some(plain) = frames::without_hesitation(said) {
            let text = plain.as_str();
            return without_spans(self.plan(&Utterance { text, ..*said }, route));
        }
        let read = |said: &Utterance<'_>| read(said, route);
        which_day::ask_which_day(said, read(said), read)
    }
}

/// Reads a message by the first stage that can.
fn read(said: &Utterance<'_>, route: &Route) -> Reading {
    more::plan(said)
        .or_else(|| unread::at_once(said))
        .or_else(|| frames::plan(said))
        .or_else(|| unread::repair(said))
        // Anything that nothing else reads may be a phrase that a tool brings itself.
        .or_else(|| frames::plan_own(said))
        .or_else(|| frames::without_remarks(said))
        .or_else(|| frames::look_loosely(said))
        .or_else(|| frames::last_request(said))
        .or_else(|| frames::question_alone(said, unread::is_of_the_world(said, route)))
        .or_else(|| frames::plan_last(said, unread::is_of_the_world(said, route)))
        .or_else(|| frames::likely(said))
        .or_else(|| unread::sum(said, route))
        .or_else(|| frames::guessed(said))
        .or_else(|| frames::loosely(said))
        .or_else(|| unread::sought(said, route))
        .unwrap_or_else(|| unread::not_understood(said, route))
}

/// Returns a reading of another text than the message, whose trace points to no part of the message.
fn without_spans(mut reading: Reading) -> Reading {
    if let Reading::Plan { trace, .. } = &mut reading {
        trace.iter_mut().for_each(|line| line.span = None);
    }
    reading
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
        resume::resume(said, request, plan, question)
    }

    fn answer(&self, said: &Utterance<'_>, kind: AnswerKind, choices: &[Choice]) -> Option<Value> {
        resume::answer(said, kind, choices)
    }
}
