//! The embedded engine behind the domain's traits.

use adjutant_domain::conversation::Role;
use adjutant_domain::plan::{AnswerKind, Choice, Plan, Question};
use adjutant_domain::reading::{Planner, Reading, Reply, Resume, Resumer, Router, Utterance};
use adjutant_domain::route::Route;
use serde_json::Value;

use crate::{plan, resume, route};

/// Routes, plans and reads replies without a model. It holds nothing: everything comes with the message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Router for Embedded {
    fn route(&self, said: &Utterance<'_>) -> Route {
        let history: Vec<route::Said<'_>> = said
            .history
            .iter()
            .map(|message| route::Said {
                by_person: message.role == Role::User,
                text: &message.text,
            })
            .collect();
        route::route(said.text, &history).route
    }
}

impl Planner for Embedded {
    fn plan(&self, said: &Utterance<'_>, route: &Route) -> Reading {
        plan::plan(said, route)
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
