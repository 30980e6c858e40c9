//! Pauses or ends a turn: determines what is stored and what is published afterwards.

use adjutant_domain::conversation::{TurnEnd, TurnState};
use adjutant_domain::event::{StepOutcome, TurnEvent};
use adjutant_domain::faults::UserFault;
use adjutant_domain::focus::{Focus, Referent, Shown};
use adjutant_domain::gate::ActionState;
use adjutant_domain::ids::ActionId;
use adjutant_domain::model::Usage;
use adjutant_domain::plan::{Plan, StepState};
use serde_json::Value;

use super::{Effect, Former, Machine, plan_event};
use crate::respond;
use crate::retrieval::tool_use;

impl Machine {
    /// Decides what follows once nothing is running any more.
    pub(super) fn finish(&mut self, out: &mut Vec<Effect>) {
        self.drop_answered();
        if self.is_writing() {
            return;
        }
        if self.was_a_bad_guess() {
            return self.answer_instead(out);
        }
        if self.wants_words() {
            return self.ask_for_words(out);
        }
        self.pause(out);
    }

    /// Ends or pauses the turn with the results of its plan.
    pub(super) fn pause(&mut self, out: &mut Vec<Effect>) {
        let Some(plan) = self.plan.clone() else {
            return;
        };
        let approvals: Vec<ActionId> = plan
            .steps
            .iter()
            .filter_map(|step| match &step.state {
                StepState::NeedsApproval { action } if !self.later.contains(action) => {
                    Some(action.clone())
                }
                _ => None,
            })
            .collect();
        // Looks may finish in any order; sort the cards by step.
        self.proposed.sort_by_key(|action| {
            let mut steps = plan.steps.iter();
            steps.position(|step| step.draft.key == action.step)
        });
        let mut questions = Vec::new();
        let mut events = vec![];
        if plan
            .steps
            .iter()
            .any(|step| !matches!(step.state, StepState::Done | StepState::Failed { .. }))
        {
            events.push(plan_event(&plan));
        }
        for action in &self.proposed {
            events.push(TurnEvent::ApprovalNeeded {
                id: action.id.clone(),
                step: action.step.clone(),
                digest: action.digest.0.clone(),
                tool: action.tool.clone(),
                args: super::batch::one_or_list(
                    action.calls.iter().map(|call| call.args.clone()).collect(),
                ),
                shown: Box::new(action.card.clone()),
                risk: action.risk,
                sources: action
                    .calls
                    .first()
                    .map(|call| call.sources.clone())
                    .unwrap_or_default(),
            });
        }
        for step in &plan.steps {
            if let StepState::NeedsAnswer { question } = &step.state {
                let id = question_id(&self.frame.turn, &step.draft.key);
                questions.push(id.clone());
                events.push(TurnEvent::Question {
                    id,
                    step: step.draft.key.clone(),
                    text: question.text.clone(),
                    choices: question.choices.clone(),
                });
            }
        }
        let cards = respond::Cards {
            tools: &self.frame.tools,
            proposed: &self.proposed,
            pending: &self.past.pending,
        };
        let text = match self.words() {
            // Never leave it to a model to report failures and what waits.
            Some(words) => respond::with_rest(words, &plan, &self.fresh, &cards),
            None => respond::answer(&plan, &self.fresh, &cards),
        };
        let answer = self.with_remarks(text);
        events.extend(self.rest_of(&answer));
        let results = respond::outcomes(&plan);
        if approvals.is_empty() && questions.is_empty() {
            events.push(self.done_event(answer.clone(), results));
            self.close(TurnState::Done, answer, events, out);
        } else {
            events.push(TurnEvent::Waiting {
                answer: answer.clone(),
                approvals,
                questions,
                results,
            });
            self.close(TurnState::Waiting, answer, events, out);
        }
    }

    /// Ends the turn with words alone; no step ran.
    pub(super) fn say(&mut self, text: String, out: &mut Vec<Effect>) {
        let text = self.with_remarks(text);
        let mut events = Vec::from_iter(self.rest_of(&text));
        events.push(self.done_event(text.clone(), Vec::new()));
        self.plan = None;
        self.close(TurnState::Done, text, events, out);
    }

    /// Ends the turn after a failure outside a step: effects stay, the rest is cancelled, and the answer reports both.
    pub(super) fn fail_turn(&mut self, fault: UserFault, out: &mut Vec<Effect>) {
        self.cancel_open("Adjutant could not continue.");
        let answer = match &self.plan {
            Some(plan) if respond::has_effects(plan) => {
                format!("{fault}\n\n{}", respond::stopped(plan))
            }
            _ => fault.to_string(),
        };
        self.close(
            TurnState::Failed,
            answer,
            vec![TurnEvent::Error { fault }],
            out,
        );
    }

    /// Ends a turn that the person stopped, with its results.
    pub(super) fn interrupted(&mut self, out: &mut Vec<Effect>) {
        self.cancel_open("Stopped by you.");
        let (end, results) = match &self.plan {
            Some(plan) => (respond::stopped(plan), respond::outcomes(plan)),
            None => ("Stopped. Nothing was done.".to_owned(), Vec::new()),
        };
        let told = self.model.told.trim().to_owned();
        let mut events = Vec::new();
        // Keep what was published and add the end, so that a later look at the conversation shows the same.
        let answer = if told.is_empty() || self.model.void {
            end
        } else if self.plan.is_some() {
            format!("{told}\n\n{end}")
        } else {
            format!("{told}\n\nStopped here by you.")
        };
        if !self.model.told.is_empty() {
            events.extend(self.rest_of(&answer));
        }
        events.push(TurnEvent::Interrupted { results });
        self.close(TurnState::Interrupted, answer, events, out);
    }

    /// Cancels everything that is not over: running steps, future steps, and the approvals they hold.
    fn cancel_open(&mut self, reason: &str) {
        let leaving = std::mem::take(&mut self.leaving);
        for (step, id) in std::mem::take(&mut self.approved) {
            // Operations outside storage are settled by the code that carries them out.
            if !leaving.contains_key(&step) {
                self.moves
                    .push((id, ActionState::Approved, ActionState::Cancelled));
            }
        }
        self.proposed.clear();
        self.unstored.clear();
        let stored: Vec<ActionId> = self
            .past
            .pending
            .iter()
            .filter(|action| self.is_live(action))
            .map(|action| action.id.clone())
            .collect();
        let Some(plan) = &mut self.plan else { return };
        for step in &mut plan.steps {
            if step.state.is_over() {
                continue;
            }
            if leaving.contains_key(&step.draft.key) {
                step.state = StepState::Unknown;
                continue;
            }
            if let StepState::NeedsApproval { action } = &step.state
                && stored.contains(action)
            {
                self.moves
                    .push((action.clone(), ActionState::Pending, ActionState::Cancelled));
            }
            step.state = StepState::Cancelled {
                reason: reason.to_owned(),
            };
        }
    }

    /// Expires steps whose action was answered elsewhere or ran out.
    fn drop_answered(&mut self) {
        let proposed: Vec<ActionId> = self.proposed.iter().map(|one| one.id.clone()).collect();
        let live: Vec<ActionId> = self
            .past
            .pending
            .iter()
            .filter(|one| self.is_live(one))
            .map(|one| one.id.clone())
            .collect();
        let Some(plan) = &mut self.plan else { return };
        for step in &mut plan.steps {
            if let StepState::NeedsApproval { action } = &step.state
                && !proposed.contains(action)
                && !live.contains(action)
                && !self.later.contains(action)
            {
                step.state = super::decide::expired();
                self.fresh.push(step.draft.key.clone());
            }
        }
    }

    fn with_remarks(&mut self, answer: String) -> String {
        let mut parts = std::mem::take(&mut self.remarks);
        if !answer.is_empty() {
            parts.push(answer);
        }
        parts.extend(self.allowed_before());
        parts.extend(self.remark_last.take());
        parts.join("\n\n")
    }

    fn done_event(&self, answer: String, results: Vec<StepOutcome>) -> TurnEvent {
        TurnEvent::Done {
            answer,
            results,
            used_tools: self.used_tools.iter().cloned().collect(),
            used_memories: self.used_memories.iter().cloned().collect(),
            decision: self.frame.turn.0.clone(),
            // The driver fills these in.
            usage: Usage::default(),
            ms: 0,
            fault: self.model.fault.clone(),
            near: self.near.clone(),
        }
    }

    fn close(
        &mut self,
        state: TurnState,
        answer: String,
        events: Vec<TurnEvent>,
        out: &mut Vec<Effect>,
    ) {
        self.closed = true;
        let end = TurnEnd {
            turn: self.frame.turn.clone(),
            conversation: self.frame.conversation.clone(),
            state,
            route: self.route.clone(),
            plan: self.stored_plan(),
            answer: (!answer.is_empty()).then_some(answer),
            pending: std::mem::take(&mut self.proposed),
            actions: std::mem::take(&mut self.moves),
            sets_aside: match std::mem::take(&mut self.former) {
                Former::Stays => None,
                Former::Ends(turn) => Some(turn),
            },
            focus: self.focus(),
            taint: self.taint().join(self.model.taint),
            private: self.private.is_any(),
            at: self.frame.now,
            journal: Vec::new(),
            tools: tool_use(&self.suggested, self.plan.as_ref(), &self.refused),
        };
        out.push(Effect::Close {
            end: Box::new(end),
            events,
        });
    }

    /// Returns the new focus: what this run showed or touched comes first.
    fn focus(&self) -> Focus {
        let mut focus = self.past.focus.clone();
        let Some(plan) = &self.plan else { return focus };
        for step in &plan.steps {
            let fresh = self.fresh.contains(&step.draft.key);
            match (&step.state, &step.result) {
                (StepState::Done, Some(result)) if fresh => focus.push(Shown {
                    items: result.referents.clone(),
                    acted: !result.effects.is_empty(),
                }),
                _ => {}
            }
        }
        let acted = |step: &adjutant_domain::plan::Step| {
            let changed = step
                .result
                .as_ref()
                .map(|result| !result.effects.is_empty());
            self.fresh.contains(&step.draft.key) && changed == Some(true)
        };
        focus.acted = plan.steps.iter().any(acted);
        if let Some(rest) = super::rest::of(plan, |key| self.fresh.contains(key)) {
            focus.rest = rest;
        }
        let asked: Vec<Referent> = self
            .proposed_targets()
            .map(|target| Referent {
                kind: target.kind,
                id: target.id.clone(),
                instance: None,
                label: target.label.clone(),
                people: Vec::new(),
            })
            .collect();
        focus.push(Shown {
            items: asked,
            acted: false,
        });
        focus
    }

    fn proposed_targets(&self) -> impl Iterator<Item = &adjutant_domain::tool::Target> {
        self.proposed
            .iter()
            .flat_map(|action| &action.calls)
            .flat_map(|call| &call.before.targets)
    }

    /// Returns the plan to store, without outputs that no open step reads. While the plan waits, the outputs of effects
    /// stay, because a step added by a change to the request may read them.
    pub(super) fn stored_plan(&self) -> Option<Plan> {
        let mut plan = self.plan.clone()?;
        let needed: Vec<_> = plan
            .steps
            .iter()
            .filter(|step| !step.state.is_over())
            .flat_map(|step| step.draft.needs.clone())
            .collect();
        let waits = plan.steps.iter().any(|step| !step.state.is_over());
        for step in &mut plan.steps {
            if let Some(result) = &mut step.result
                && !needed.contains(&step.draft.key)
                && (!waits || result.effects.is_empty())
            {
                result.output = Value::Null;
            }
        }
        Some(plan)
    }
}

/// Returns the id of a question: its turn and step.
#[must_use]
pub fn question_id(
    turn: &adjutant_domain::ids::TurnId,
    step: &adjutant_domain::ids::StepKey,
) -> String {
    format!("{turn}:{step}")
}
