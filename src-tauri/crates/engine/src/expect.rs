//! An upper bound of the model requests that a message could cause, computed before any is made.

use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::ConversationId;
use adjutant_domain::model::tokens::estimate;
use adjutant_domain::model::{Stage, Tier};
use adjutant_domain::reading::Reading;
use adjutant_prompts::Prompt;

use crate::context::Budgets;
use crate::context::prompts::{
    CritiquePrompt, PlanPrompt, RefinePrompt, RespondPrompt, RoutePrompt, TonePrompt,
};
use crate::stages::complexity::{self, Complexity};
use crate::stages::{ModelPreferences, chosen, route};

/// Maximum number of plans: one, one more if it was unusable, and one after the person's answer.
const PLANS_MAX: u64 = 3;

/// Model requests of one stage that a message could cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// Stage of the requests.
    pub stage: Stage,
    /// Tier the requests ask for.
    pub tier: Tier,
    /// Maximum number of requests.
    pub times: u64,
    /// Maximum tokens sent per request.
    pub input_tokens: u64,
    /// Maximum tokens received per request.
    pub output_tokens: u64,
}

impl Expected {
    /// Returns the upper bound for routing `messages` messages that hold `said_tokens` tokens in all, including the
    /// earlier messages sent with each.
    #[must_use]
    pub fn routes(messages: u64, said_tokens: u64) -> Self {
        Self {
            times: messages,
            ..route_of(said_tokens.div_ceil(messages.max(1)))
        }
    }
}

impl crate::Engine {
    /// Returns the ways a message could go, each with the model requests it could take at most if the person chooses
    /// `tier`. Empty if the embedded engine answers alone or no model is connected. Stores and asks nothing.
    ///
    /// # Errors
    /// Returns a fault if the message is empty or too long, or storage cannot be read.
    pub async fn expect(
        &self,
        conversation: &ConversationId,
        text: &str,
        tier: Option<Tier>,
    ) -> Result<Vec<Vec<Expected>>, UserFault> {
        let (route, reading) = self.explain(conversation, text).await?;
        let Some(models) = self.core.models() else {
            return Ok(Vec::new());
        };
        let tools = self.core.tools();
        let read = match &reading {
            Reading::NotUnderstood { .. } => false,
            Reading::Say { .. } => !route::is_foreign(&route),
            Reading::Plan { plan, .. } => !tools.are_contested(plan, &route),
            Reading::Undo { .. } => true,
        };
        Ok(if read {
            Vec::new()
        } else {
            let servers = tools.has_servers();
            let is_sure = route::is_sure(&route, text, servers);
            let needs_tools = route::needs_tools(&route, tools.served(), servers);
            let mut ways = ways(text, (is_sure, needs_tools), &models.manner);
            for one in ways.iter_mut().flatten() {
                one.tier = chosen(one.stage, one.tier, tier);
            }
            ways
        })
    }
}

/// Returns the ways that remain open: both, if the router is unsure, else the one with or the one without tools.
fn ways(
    text: &str,
    (is_sure, needs_tools): (bool, bool),
    manner: &ModelPreferences,
) -> Vec<Vec<Expected>> {
    let said = estimate(text);
    let budgets = Budgets::default();
    let first = (!is_sure).then(|| route_of(said + budgets.history));
    let packed = said + budgets.total();
    let answer = |tier| one::<RespondPrompt<'_>>(Stage::Respond, tier, packed);
    let mut ways = Vec::new();
    if !is_sure || needs_tools {
        let plan = one::<PlanPrompt<'_>>(Stage::Plan, Tier::Standard, packed);
        let mut way: Vec<Expected> = first.into_iter().collect();
        way.push(Expected {
            times: PLANS_MAX,
            ..plan
        });
        way.push(answer(Tier::Standard));
        way.extend(tone(manner));
        ways.push(way);
    }
    if !is_sure || !needs_tools {
        let mut way: Vec<Expected> = first.into_iter().collect();
        let draft = u64::from(RespondPrompt::REPLY_TOKENS_MAX) + said + budgets.system;
        let remarks = u64::from(CritiquePrompt::REPLY_TOKENS_MAX);
        if complexity::of(text) == Complexity::Complex && !manner.no_critique {
            way.push(answer(Tier::Deep));
            way.push(one::<CritiquePrompt>(
                Stage::Critique,
                Tier::Standard,
                draft,
            ));
            way.push(one::<RefinePrompt>(
                Stage::Refine,
                Tier::Deep,
                draft + remarks,
            ));
        } else {
            way.push(answer(Tier::Standard));
        }
        way.extend(tone(manner));
        ways.push(way);
    }
    ways
}

fn route_of(said_tokens: u64) -> Expected {
    let sent = said_tokens + Budgets::default().system;
    one::<RoutePrompt>(Stage::Route, Tier::Fast, sent)
}

fn tone(manner: &ModelPreferences) -> Option<Expected> {
    let draft = u64::from(RefinePrompt::REPLY_TOKENS_MAX) + Budgets::default().system;
    (!manner.tone.is_empty()).then(|| one::<TonePrompt>(Stage::Tone, Tier::Fast, draft))
}

fn one<P: Prompt>(stage: Stage, tier: Tier, input_tokens: u64) -> Expected {
    Expected {
        stage,
        tier,
        times: 1,
        input_tokens,
        output_tokens: u64::from(P::REPLY_TOKENS_MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use adjutant_domain::route::{Domain, Route, RouteKind};

    fn stages(route: &Route, text: &str, manner: &ModelPreferences) -> Vec<Vec<&'static str>> {
        let served = [Domain::Calendar].into();
        let is_sure = route::is_sure(route, text, false);
        let needs_tools = route::needs_tools(route, &served, false);
        ways(text, (is_sure, needs_tools), manner)
            .iter()
            .map(|way| way.iter().map(|one| one.stage.name()).collect())
            .collect()
    }

    #[test]
    fn every_way_a_message_can_go_is_told() {
        let mut route = Route {
            kind: RouteKind::Action,
            domains: vec![Domain::Calendar],
            is_followup: false,
            confidence: 0.2,
            by: "embedded".into(),
        };
        let usual = ModelPreferences::default();
        assert_eq!(
            stages(&route, "sort out the thing with Ana", &usual),
            [vec!["route", "plan", "respond"], vec!["route", "respond"]]
        );
        route.confidence = 0.9;
        assert_eq!(
            stages(&route, "sort it out", &usual),
            [vec!["plan", "respond"]]
        );
        route.kind = RouteKind::Chat;
        route.domains.clear();
        let hard = "Write a detailed report that compares the pros and cons of both, step by step, in depth";
        assert_eq!(complexity::of(hard), Complexity::Complex);
        assert_eq!(
            stages(&route, hard, &usual),
            [vec!["respond", "critique", "refine"]]
        );
        let toned = ModelPreferences {
            tone: "like a pirate".into(),
            no_critique: true,
            ..usual
        };
        assert_eq!(stages(&route, hard, &toned), [vec!["respond", "tone"]]);
    }
}
