//! What a message could make models do at most, told before anything is asked.

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

/// Times a plan is made at most: once, once more when it could not be read, and once for what an answer changed.
const PLANS_MAX: u64 = 3;

/// Requests of one stage that a message could cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// What for.
    pub stage: Stage,
    /// How capable a model is asked for.
    pub tier: Tier,
    /// How often at most.
    pub times: u64,
    /// Tokens sent each time, at most.
    pub input_tokens: u64,
    /// Tokens received each time, at most.
    pub output_tokens: u64,
}

impl Expected {
    /// What it would take at most to ask where so many messages belong, of so many tokens in all, with what was said before
    /// each.
    #[must_use]
    pub fn routes(messages: u64, said_tokens: u64) -> Self {
        Self {
            times: messages,
            ..route_of(said_tokens.div_ceil(messages.max(1)))
        }
    }
}

impl crate::Engine {
    /// The ways a message could go, each with the requests to models it would take at most where the person chooses this
    /// tier for it. None when the embedded engine answers by itself, or no model is connected. Nothing is stored or asked.
    ///
    /// # Errors
    /// When the message is empty or too long, or storage cannot be read.
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

/// Whether the route is trusted, and whether tools are needed for it, say which ways there are.
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
