//! Takes a step from the first look at its calls to its receipt.

use adjutant_domain::change::Change;
use adjutant_domain::conversation::{DIRECT, EffectCommit, Receipt};
use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::{StoreFault, UserFault, sentence};
use adjutant_domain::gate::{
    ActionState, Approved, AskedBefore, Call, CardNote, Circumstances, Exposure, NoteKind,
    Observed, PendingAction, Permit, Proposal, Verdict, gate, to_wait,
};
use adjutant_domain::ids::{ActionId, StepKey};
use adjutant_domain::operation::Operation;
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::plan::{Step, StepDraft, StepResult, StepState};
use adjutant_domain::program::is_of_program;
use adjutant_domain::source::{Source, Taint};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::batch::{all, merge, one_or_list};
use super::standby::STANDBY_MAX;
use super::unasked::CallProperties;
use super::{Carry, Draw, Effect, Machine, WAITING_MAX, flow, refusal};

/// Returns the taint that a card brings into the plan: the answer describes what waits in the words of its rows.
pub(super) fn shown_taint(action: &PendingAction) -> Taint {
    let calls = action.calls.iter();
    let shown = calls.filter_map(|call| call.before.frozen.as_ref());
    shown.fold(Taint::Clean, |taint, one| taint.join(one.answer.taint))
}

impl Machine {
    /// Passes the observed calls of a step through the gate.
    pub(super) fn observed(
        &mut self,
        step: &StepKey,
        looks: Vec<Result<Observed, Stop>>,
        draw: &Draw,
        out: &mut Vec<Effect>,
    ) {
        if !self.is_running(step) {
            return;
        }
        match all(looks) {
            Err(stop) => self.stopped(step, stop, out),
            Ok(batch) => self.pass_gate(step, batch, draw, out),
        }
    }

    /// Passes a batch through the gate: it runs, waits, or is refused.
    pub(super) fn pass_gate(
        &mut self,
        step: &StepKey,
        mut batch: Vec<Observed>,
        draw: &Draw,
        out: &mut Vec<Effect>,
    ) {
        self.note_steering(step, &mut batch);
        self.note_planner(&mut batch);
        let stranger = self.is_stranger(step);
        if stranger && let Some(first) = batch.first_mut() {
            first.card.notes.push(CardNote {
                kind: NoteKind::Untrusted,
                text: "The model proposed this on its own; you did not ask for it.".into(),
            });
        }
        let left_out = self.step_of(step).and_then(|step| left_out(&step.draft));
        if let Some(note) = left_out
            && let Some(first) = batch.first_mut()
        {
            first.card.notes.push(note);
        }
        let taint = if stranger {
            Taint::Tainted
        } else {
            self.taint()
        };
        let proposal = Proposal {
            id: draw.action.clone(),
            nonce: draw.nonce.clone(),
            conversation: self.frame.conversation.clone(),
            turn: self.frame.turn.clone(),
            step: step.clone(),
            now: self.frame.now,
        };
        let typed = self.typed();
        let circumstances = Circumstances {
            policy: self.policy_for(step),
            taint,
            asked: self.asked_before(step),
            guessed: self.is_guessed(step),
            exposure: Exposure {
                private: self.private.as_gate_sees(),
                typed: &typed,
            },
            grants: &self.past.grants,
            rates: self.past.rates.clone(),
        };
        let seen = CallProperties::of(&batch, circumstances.policy.by_hand);
        let leaves = batch.iter().any(Observed::leaves_for_account);
        let kept = (leaves && self.past.approved.len() < STANDBY_MAX).then(|| batch.clone());
        match gate(batch, &circumstances, &proposal) {
            // Do not even run reads that nobody asked for: nothing would use them any more.
            Verdict::Allowed(_) if stranger => self.set(
                step,
                StepState::LeftOut {
                    reason: String::new(),
                },
            ),
            Verdict::Allowed(calls) => {
                let standby =
                    kept.and_then(|kept| to_wait(kept, &calls, &circumstances, &proposal));
                if let Some(reason) = standby.as_ref().and_then(|one| self.waits_already(one)) {
                    return self.set(step, StepState::LeftOut { reason });
                }
                self.standby.extend(standby.map(|one| (step.clone(), one)));
                self.note_unasked(step, &seen, &calls);
                self.start(step, calls, out);
            }
            Verdict::Ask(action) => self.propose(step, *action, out),
            Verdict::Denied(denial) => self.fail(step, refusal(&denial), out),
        }
    }

    /// Proposes an action to the person. The same call twice makes one card, here and across conversations. An action
    /// from a surface shows its own card, because the person looks for it there.
    fn propose(&mut self, step: &StepKey, action: PendingAction, out: &mut Vec<Effect>) {
        if let Some(reason) = self.asked_already(&action) {
            self.reach(shown_taint(&action));
            self.set(step, StepState::LeftOut { reason });
            return;
        }
        let older: Vec<ActionId> = self
            .past
            .pending
            .iter()
            .filter(|one| self.is_live(one) && one.is_same_as(&action))
            .map(|one| one.id.clone())
            .collect();
        for id in older {
            self.moves
                .push((id, ActionState::Pending, ActionState::Superseded));
        }
        let waiting = self
            .past
            .pending
            .iter()
            .filter(|one| self.is_live(one))
            .count();
        if waiting + self.proposed.len() >= WAITING_MAX {
            let fault = UserFault::new(
                "too_much",
                format!(
                    "{WAITING_MAX} actions are already waiting for you, so no other one was added."
                ),
                "Approve or reject some of them, then ask again.",
            );
            self.fail(step, fault, out);
            return;
        }
        self.set(
            step,
            StepState::NeedsApproval {
                action: action.id.clone(),
            },
        );
        self.was_asked(step);
        self.reach(shown_taint(&action));
        self.proposed.push(action);
    }

    /// Returns why the person is not asked about an action: the same one is shown already, or approved and not done yet.
    /// Outside this turn, proposals of programs are exempt: their cards are marked as theirs, and a program must not
    /// learn what else waits.
    fn asked_already(&self, action: &PendingAction) -> Option<String> {
        let here = &self.frame.conversation;
        if let Some(twin) = self.proposed.iter().find(|one| one.is_same_as(action)) {
            return Some(format!(
                "The same as “{}”, so you are asked only once.",
                twin.card.title
            ));
        }
        if is_of_program(here) {
            return None;
        }
        if let Some(reason) = self.waits_already(action) {
            return Some(reason);
        }
        let mut elsewhere = self.past.elsewhere.iter();
        let waits = elsewhere.any(|one| {
            !is_of_program(&one.conversation) && self.is_live(one) && one.is_same_as(action)
        });
        (waits && here.as_str() != DIRECT).then(|| {
            format!(
                "“{}” is already waiting for you in another conversation, so you are not asked again. It is in Approvals.",
                action.card.title
            )
        })
    }

    /// Returns why an action is not done now: the same one is approved already and waits.
    fn waits_already(&self, action: &PendingAction) -> Option<String> {
        let mut approved = self.past.approved.iter();
        let is_over = |id: &ActionId| self.moves.iter().any(|(moved, _, _)| moved == id);
        let waits = approved.any(|one| one.is_same_as(action) && !is_over(&one.id));
        waits.then(|| {
            format!(
                "“{}” is approved already and waits to be done, so it is not done twice. The outbox shows it; do it now or take it back there.",
                action.card.title
            )
        })
    }

    /// Marks a step as shown for approval: from now on it never runs without one.
    pub(super) fn was_asked(&mut self, key: &StepKey) {
        if let Some(step) = self.step_at(key) {
            step.asked = AskedBefore::Yes;
        }
    }

    fn asked_before(&self, key: &StepKey) -> AskedBefore {
        self.step_of(key).map_or(AskedBefore::No, |step| step.asked)
    }

    /// Whether the planner only guesses that the person asked for a step.
    fn is_guessed(&self, key: &StepKey) -> bool {
        self.step_of(key).is_some_and(|step| step.draft.guessed)
    }

    fn step_of(&self, key: &StepKey) -> Option<&Step> {
        let mut steps = self.plan.iter().flat_map(|plan| &plan.steps);
        steps.find(|step| step.draft.key == *key)
    }

    /// Whether a stored action still waits: pending, not expired, and not moved by this turn.
    pub(super) fn is_live(&self, action: &PendingAction) -> bool {
        action.state == ActionState::Pending
            && action.expires > self.frame.now
            && !self.moves.iter().any(|(id, _, _)| *id == action.id)
    }

    /// Starts calls that the gate allowed.
    pub(super) fn start(
        &mut self,
        step: &StepKey,
        calls: Vec<Approved<Call>>,
        out: &mut Vec<Effect>,
    ) {
        if let Some(Permit::Person(id)) = calls.first().map(Approved::permit) {
            self.approved.insert(step.clone(), id.clone());
        }
        let carries = calls
            .iter()
            .any(|call| call.get().sources.values().any(Source::is_untrusted));
        if carries {
            self.carrying.insert(step.clone());
            self.reach(Taint::Tainted);
        }
        self.set(step, StepState::Running);
        let tool = calls
            .first()
            .map(|call| call.get().tool.clone())
            .unwrap_or_default();
        out.push(Effect::Emit(TurnEvent::ToolCall {
            step: step.clone(),
            tool,
            args: one_or_list(calls.iter().map(|call| call.get().args.clone()).collect()),
        }));
        out.push(Effect::Run {
            step: step.clone(),
            calls,
            leaving: self.leaving_unasked.remove(step).unwrap_or_default(),
        });
    }

    /// Handles the outcomes of a step's calls: a read is done, a change goes to storage or to the executors.
    pub(super) fn ran(
        &mut self,
        step: &StepKey,
        ran: (Vec<Value>, Vec<Result<Outcome, Stop>>),
        draw: &Draw,
        at: Timestamp,
        out: &mut Vec<Effect>,
    ) {
        if !self.is_running(step) {
            return;
        }
        let (args, outcomes) = ran;
        let outcomes = match all(outcomes) {
            Ok(outcomes) => outcomes,
            Err(stop) => return self.stopped(step, stop, out),
        };
        let claim = self.approved.get(step).cloned();
        let unasked = self.unasked.remove(step).unwrap_or_default();
        let mut items = Vec::new();
        let mut answers = Vec::with_capacity(outcomes.len());
        for (call, outcome) in outcomes.into_iter().enumerate() {
            let (operations, answer, undoes) = match outcome {
                // The driver has stored the job that the call started.
                Outcome::Read(answer) | Outcome::Started { answer, .. } => {
                    (Vec::new(), answer, None)
                }
                Outcome::Effects {
                    operations,
                    answer,
                    undoes,
                } => (operations, answer, undoes),
            };
            let several = operations.len() > 1;
            let mut unasked = unasked.get(call).cloned();
            items.extend(operations.into_iter().map(|operation| Carry {
                unasked: unasked.take(),
                call,
                tool: self.tool_of(step),
                args: args.get(call).cloned().unwrap_or_default(),
                say: if several {
                    sentence(&operation.words())
                } else {
                    answer.say.clone()
                },
                operation,
                undoes: undoes.clone(),
                claim: claim.clone(),
            }));
            answers.push(answer);
        }
        if items.iter().any(|item| item.operation.leaves_storage()) {
            self.leaving.insert(step.clone(), answers);
            out.push(Effect::CarryOut {
                standby: self.standby_of(step),
                step: step.clone(),
                items,
            });
            return;
        }
        self.standby.remove(step);
        let (mut change, mut undoes) = (Change::default(), None);
        for item in items {
            if let Operation::Local { change: one } = item.operation {
                change.ops.extend(one.ops);
                undoes = undoes.or(item.undoes);
            }
        }
        let answer = merge(answers);
        let mut result = self.result_of(step, answer);
        if change.ops.is_empty() {
            if let Some(id) = self.approved.remove(step) {
                self.moves
                    .push((id.clone(), ActionState::Approved, ActionState::Executing));
                self.moves
                    .push((id, ActionState::Executing, ActionState::Succeeded));
            }
            self.done(step, result, None, out);
            return;
        }
        result.effects.push(draw.effect.clone());
        let args = one_or_list(args);
        let mut commit = self.commit(step, &result, args, change, draw, at);
        commit.unasked = unasked;
        commit.undoes = undoes;
        self.unstored.insert(step.clone(), result);
        out.push(Effect::Commit(Box::new(commit)));
    }

    fn commit(
        &self,
        step: &StepKey,
        result: &StepResult,
        args: Value,
        change: Change,
        draw: &Draw,
        at: Timestamp,
    ) -> EffectCommit {
        let mut plan = self.stored_plan();
        let mut tool = String::new();
        for one in plan.iter_mut().flat_map(|plan| &mut plan.steps) {
            if one.draft.key == *step {
                one.state = StepState::Done;
                one.result = Some(result.clone());
                tool.clone_from(&one.draft.tool);
            }
        }
        EffectCommit {
            id: draw.effect.clone(),
            turn: self.frame.turn.clone(),
            step: step.clone(),
            conversation: self.frame.conversation.clone(),
            tool,
            args,
            say: result.say.clone(),
            change,
            claim: self.approved.get(step).cloned(),
            settles_claim: true,
            unasked: Vec::new(),
            undoes: None,
            at,
            plan,
            journal: Vec::new(),
        }
    }

    /// Handles the result of storing a change.
    pub(super) fn committed(
        &mut self,
        step: &StepKey,
        receipt: Result<Receipt, StoreFault>,
        out: &mut Vec<Effect>,
    ) {
        let result = self.unstored.remove(step);
        match (receipt, result) {
            (Ok(receipt), Some(result)) => {
                // The same transaction used up the claim.
                self.approved.remove(step);
                self.done(step, result, Some(receipt), out);
            }
            (Ok(_), None) => {}
            (Err(fault), _) => self.fail(step, UserFault::from(&fault), out),
        }
    }

    /// Completes a step with the values that a model extracted from foreign text. `note` is what the answer says of it.
    pub(super) fn read_out(
        &mut self,
        step: &StepKey,
        values: Value,
        note: &str,
        out: &mut Vec<Effect>,
    ) {
        if !self.is_running(step) {
            return;
        }
        let result = StepResult {
            output: values,
            say: note.to_owned(),
            taint: Taint::Tainted,
            ..StepResult::default()
        };
        self.done(step, result, None, out);
    }

    pub(super) fn done(
        &mut self,
        step: &StepKey,
        result: StepResult,
        receipt: Option<Receipt>,
        out: &mut Vec<Effect>,
    ) {
        self.reach(result.taint);
        if !self.is_public(step) {
            let account = self.account_of(step);
            self.private.came_from(account);
        }
        out.push(Effect::Emit(TurnEvent::ToolResult {
            step: step.clone(),
            ok: true,
            result: Some(json!({ "output": result.output, "say": result.say })),
            error: None,
            receipt,
            ms: None,
        }));
        if let Some(one) = self.step_at(step) {
            one.result = Some(result);
            let tool = one.draft.tool.clone();
            self.used_tools.insert(tool);
        }
        self.set(step, StepState::Done);
    }

    /// Handles a look or run that stopped with a question to the person or with a fault.
    fn stopped(&mut self, step: &StepKey, stop: Stop, out: &mut Vec<Effect>) {
        match stop {
            Stop::Ask(question) | Stop::Closest(question) => {
                if let Some(id) = self.approved.remove(step) {
                    self.moves
                        .push((id, ActionState::Approved, ActionState::Cancelled));
                }
                self.reach(question.taint());
                self.set(step, StepState::NeedsAnswer { question });
            }
            Stop::Fault(fault) => self.fail(step, UserFault::from(&fault), out),
        }
    }

    /// Ends a step with a fault, which affects only the steps that need it.
    pub(super) fn fail(&mut self, step: &StepKey, fault: UserFault, out: &mut Vec<Effect>) {
        self.reach(self.taint_of_fault(step, &fault));
        if let Some(id) = self.approved.remove(step) {
            self.moves
                .push((id.clone(), ActionState::Approved, ActionState::Executing));
            self.moves
                .push((id, ActionState::Executing, ActionState::Failed));
        }
        let fault = UserFault {
            what: sentence(&fault.what),
            ..fault
        };
        out.push(Effect::Emit(TurnEvent::ToolResult {
            step: step.clone(),
            ok: false,
            result: None,
            error: Some(fault.clone()),
            receipt: None,
            ms: None,
        }));
        self.set(step, StepState::Failed { fault });
    }

    pub(super) fn set(&mut self, key: &StepKey, state: StepState) {
        let over = state.is_over();
        if let Some(step) = self.step_at(key) {
            step.state = state;
        }
        if over && !self.fresh.contains(key) {
            self.fresh.push(key.clone());
        }
    }

    pub(super) fn is_running(&mut self, key: &StepKey) -> bool {
        self.step_at(key)
            .is_some_and(|step| step.state == StepState::Running)
    }

    /// Returns the result of a step and records the memories it used.
    pub(super) fn result_of(&mut self, step: &StepKey, answer: Answer) -> StepResult {
        self.used_memories.extend(answer.used_memories);
        StepResult {
            output: answer.output,
            say: answer.say,
            referents: answer.referents,
            effects: Vec::new(),
            taint: answer.taint.join(self.carried(step)),
        }
    }

    fn tool_of(&self, step: &StepKey) -> String {
        let mut steps = self.plan.iter().flat_map(|plan| &plan.steps);
        steps
            .find(|one| one.draft.key == *step)
            .map(|one| one.draft.tool.clone())
            .unwrap_or_default()
    }

    /// Whether the arguments of a step contain foreign text, or such text decided about the step, so that its result is
    /// tainted too. Times and identifiers from a tainted result are harmless.
    fn carried(&self, step: &StepKey) -> Taint {
        let steered = self.plan.as_ref().is_some_and(|plan| {
            let mut steps = plan.steps.iter();
            steps.any(|one| one.draft.key == *step && flow::is_steered_by_others(&one.draft, plan))
        });
        if steered || self.carrying.contains(step) {
            Taint::Tainted
        } else {
            Taint::Clean
        }
    }

    /// Adds a taint to the plan.
    pub(super) fn reach(&mut self, taint: Taint) {
        if let Some(plan) = &mut self.plan {
            plan.taint = plan.taint.join(taint);
        }
    }

    /// Returns the taint of conversation and plan together, as the gate and the next turn need it.
    pub(super) fn taint(&self) -> Taint {
        self.plan
            .as_ref()
            .map_or(self.past.taint, |plan| plan.taint.join(self.past.taint))
    }
}

/// Returns the note for the card with the words of the message that were passed over.
fn left_out(step: &StepDraft) -> Option<CardNote> {
    let words = step.left_out.iter().map(|words| format!("“{words}”"));
    let words = words.collect::<Vec<_>>().join(" and ");
    (!words.is_empty()).then(|| CardNote {
        kind: NoteKind::Warn,
        text: format!("I did not understand {words}."),
    })
}
