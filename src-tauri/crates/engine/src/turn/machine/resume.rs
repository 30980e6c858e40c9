//! The cyclic flow: what a message or button means for what waits.

use std::collections::BTreeSet;

use adjutant_domain::conversation::{Past, Turn, TurnState};
use adjutant_domain::gate::{ActionState, AskedBefore, PendingAction};
use adjutant_domain::ids::{ActionId, StepKey};
use adjutant_domain::plan::reference::uses;
use adjutant_domain::plan::{AnswerKind, Plan, Question, Step, StepDraft, StepState};
use adjutant_domain::reading::{Reply, Resume};
use serde_json::Value;

use super::{Effect, Former, Machine, decide};
use crate::stages::plan::CLARIFY;

/// Maximum number of lines of a card that a "yes" in words approves. A longer list may not have been seen to its end.
const ITEMS_BY_WORD_MAX: usize = 8;

/// Maximum number of waiting actions that an answer lists by their titles.
const WAITING_LISTED_MAX: usize = 12;

impl Machine {
    /// Handles a stored message: it is a reply to what waits, or a new request.
    pub(super) fn stored(&mut self, past: Past, elsewhere: Vec<String>, out: &mut Vec<Effect>) {
        self.begin(past, out);
        self.elsewhere = elsewhere;
        if self.frame.instead_of.is_some() {
            // Read it as if it had come before what is shown now, so it is not a reply to that.
            self.supersede = self.past.waiting_replaced;
            return self.read_afresh(out);
        }
        if let Some((turn, plan)) = self.waiting() {
            out.push(Effect::Classify {
                request: plan.asked.clone().unwrap_or_else(|| turn.text.clone()),
                question: first_question(&plan),
                plan: Box::new(plan),
            });
            return;
        }
        match self.past.pending.first() {
            // Something waits that was set aside or has expired: do not take a bare "yes" for a request.
            Some(action) => out.push(Effect::Confirm {
                prompt: action.card.title.clone(),
            }),
            None => self.read_afresh(out),
        }
    }

    /// Continues the plan of the waiting turn after a button was pressed.
    pub(super) fn reopened(&mut self, past: Past, turn: Turn, out: &mut Vec<Effect>) {
        self.begin(past, out);
        self.route.clone_from(&turn.route);
        if turn.id != self.frame.turn && turn.state == TurnState::Waiting {
            self.former = Former::Ends(turn.id);
        }
        self.plan = turn.plan;
    }

    /// Returns the waiting turn and its plan, if anything in it can still be answered.
    pub(super) fn waiting(&self) -> Option<(Turn, Plan)> {
        let turn = self.past.waiting.clone()?;
        let plan = turn.plan.clone()?;
        let answerable = plan.steps.iter().any(|step| match &step.state {
            StepState::NeedsAnswer { .. } => true,
            StepState::NeedsApproval { action } => self
                .past
                .pending
                .iter()
                .any(|one| one.id == *action && self.is_live(one)),
            _ => false,
        });
        answerable.then_some((turn, plan))
    }

    /// Returns the actions of this conversation that can still be answered.
    fn live(&self) -> Vec<PendingAction> {
        self.past
            .pending
            .iter()
            .filter(|action| self.is_live(action))
            .cloned()
            .collect()
    }

    /// Handles a "yes" or "no" although nothing was just asked.
    pub(super) fn confirmed(&mut self, reply: Reply, out: &mut Vec<Effect>) {
        if reply == Reply::Neither {
            self.read_afresh(out);
            return;
        }
        let text = match self.live().as_slice() {
            [] => "What was waiting here has expired unanswered; nothing was done. Ask again if you still want it done."
                .to_owned(),
            // Whether it was just asked matters for a yes only: dropping the one thing that waits here does nothing.
            [only] if reply == Reply::No => {
                self.moves
                    .push((only.id.clone(), ActionState::Pending, ActionState::Cancelled));
                format!("Dropped: {}. Nothing was done.", only.card.title)
            }
            _ => self.unclear_reply(reply),
        };
        self.say(text, out);
    }

    /// Handles how the message relates to the waiting plan.
    pub(super) fn classified(&mut self, resume: Resume, out: &mut Vec<Effect>) {
        let Some((turn, plan)) = self.waiting() else {
            return self.read_afresh(out);
        };
        match resume {
            Resume::Yes => self.yes(turn, out),
            Resume::No => self.no(turn, out),
            Resume::Answer(value) => self.exact_answer(turn, value, out),
            Resume::Modify { text } => {
                self.text = text;
                self.former = Former::Stays;
                self.supersede = true;
                self.read_afresh(out);
            }
            Resume::Abandon => self.abandon(&turn, &plan, out),
            Resume::TakeBack => self.withdraw(&turn, &plan, out),
            Resume::New => {
                // If the embedded engine cannot read it as a request either, a model may know what it is.
                self.model.may_resume = self.frame.model.is_some();
                self.read_afresh(out);
            }
        }
    }

    /// Handles a "yes". It counts only if exactly one action waits anywhere, it was the last thing shown here, and it
    /// could be seen as a whole.
    fn yes(&mut self, turn: Turn, out: &mut Vec<Effect>) {
        let live = self.live();
        match live.as_slice() {
            [only] if only.card.items.len() > ITEMS_BY_WORD_MAX => {
                let text = format!(
                    "“{}” lists {} things, too many to approve with a word. Nothing was approved. Look at the whole list and approve it on its card (`adjutant approve`).",
                    only.card.title,
                    only.card.items.len()
                );
                self.say(text, out);
            }
            [only]
                if self.elsewhere.is_empty() && self.past.shown_last.as_ref() == Some(&only.id) =>
            {
                let action = Box::new(only.clone());
                self.take_over(turn, out);
                out.push(Effect::Resolve(action));
            }
            [] => self.say(
                "That question needs its own answer; nothing was done.".to_owned(),
                out,
            ),
            _ => {
                let text = self.unclear_reply(Reply::Yes);
                self.say(text, out);
            }
        }
    }

    fn no(&mut self, turn: Turn, out: &mut Vec<Effect>) {
        let mine: Vec<ActionId> = self
            .live()
            .into_iter()
            .filter(|action| owns(&turn, &action.id))
            .map(|action| action.id)
            .collect();
        if mine.is_empty() {
            let plan = turn.plan.clone();
            if let Some(plan) = plan {
                self.abandon(&turn, &plan, out);
            }
            return;
        }
        self.take_over(turn, out);
        out.push(Effect::Deny(mine));
    }

    pub(super) fn exact_answer(&mut self, turn: Turn, value: Value, out: &mut Vec<Effect>) {
        let key = turn.plan.as_ref().and_then(|plan| {
            plan.steps
                .iter()
                .find(|step| matches!(step.state, StepState::NeedsAnswer { .. }))
                .map(|step| step.draft.key.clone())
        });
        let Some(key) = key else {
            return self.read_afresh(out);
        };
        let words = Some(self.frame.text.clone());
        self.take_over(turn, out);
        self.answer(&key, value, words);
        self.advance(out);
    }

    /// Drops the plan: cancels what waits; what was done stays done.
    pub(super) fn abandon(&mut self, turn: &Turn, plan: &Plan, out: &mut Vec<Effect>) {
        self.cancel_waiting(turn);
        let text = if acted(plan) {
            "Dropped. What was already done stays as it is; nothing more happens."
        } else {
            "Dropped. Nothing was done."
        };
        self.say(text.to_owned(), out);
    }

    /// Drops the plan like [`Self::abandon`] because the person wants the last thing undone. They may mean something that
    /// was done before it, so the answer says which of the two happened.
    fn withdraw(&mut self, turn: &Turn, plan: &Plan, out: &mut Vec<Effect>) {
        let titles = self.cancel_waiting(turn);
        let what = match titles.is_empty() {
            true => format!("“{}”", turn.text),
            false => titles.join(" · "),
        };
        let what = what.trim_end_matches('.');
        let text = if acted(plan) {
            format!(
                "Withdrawn: {what}. What was already done for this stays as it is; to take that back too, say “undo” again."
            )
        } else {
            format!(
                "Withdrawn, nothing was done: {what}. If you meant something that was done before it, say “undo” again."
            )
        };
        self.say(text, out);
    }

    /// Cancels the actions of a waiting turn, ends it, and returns the titles of their cards.
    fn cancel_waiting(&mut self, turn: &Turn) -> Vec<String> {
        let mut titles = Vec::new();
        for action in self.live() {
            if owns(turn, &action.id) {
                titles.push(action.card.title);
                self.moves
                    .push((action.id, ActionState::Pending, ActionState::Cancelled));
            }
        }
        self.former = Former::Ends(turn.id.clone());
        titles
    }

    /// Continues the waiting plan in this turn.
    fn take_over(&mut self, turn: Turn, out: &mut Vec<Effect>) {
        self.former = Former::Ends(turn.id);
        self.route = turn.route;
        self.plan = turn.plan;
        self.drop_expired();
        self.emit_plan(out);
    }

    /// Expires steps whose approval ran out.
    pub(super) fn drop_expired(&mut self) {
        let Some(plan) = &self.plan else { return };
        let gone: Vec<_> = plan
            .steps
            .iter()
            .filter_map(|step| match &step.state {
                StepState::NeedsApproval { action } => {
                    Some((step.draft.key.clone(), action.clone()))
                }
                _ => None,
            })
            .filter(|(_, id)| {
                !self
                    .past
                    .pending
                    .iter()
                    .any(|one| one.id == *id && self.is_live(one))
            })
            .collect();
        for (key, id) in gone {
            if self.past.pending.iter().any(|one| one.id == id) {
                self.moves
                    .push((id, ActionState::Pending, ActionState::Expired));
            }
            self.set(&key, decide::expired());
        }
    }

    /// Decides what happens to the waiting plan when a new one was made. A changed request replaces its actions.
    /// Another request leaves them in the inbox until they expire; a question stays open, unless any text would answer
    /// it, in which case it is set aside.
    pub(super) fn replace_former(&mut self) {
        let Some((turn, plan)) = self.waiting() else {
            if let Some(turn) = &self.past.waiting {
                self.former = Former::Ends(turn.id.clone());
            }
            return;
        };
        if self.supersede {
            self.asked_tools.extend(asked_tools(&plan));
            for action in self.live() {
                if owns(&turn, &action.id) {
                    self.moves
                        .push((action.id, ActionState::Pending, ActionState::Superseded));
                }
            }
        } else if let Some(question) = self.stays_open(&turn, &plan) {
            self.remark_last = Some(format!("Still open: {}", question.text));
            self.former = Former::Stays;
            return;
        } else {
            self.remark_last = self.set_aside_line(&turn);
        }
        self.former = Former::Ends(turn.id);
    }

    /// Keeps what a changed request has already done: effects that the new plan repeats are not carried out again, and
    /// the answer says so. An effect whose arguments depend on a changed step counts as different, however similar. If
    /// the planner asks a question first, the effects, and the steps whose results they read, are carried along until
    /// the answer has led to a plan.
    pub(super) fn keep_done(&mut self, plan: &mut Plan) {
        let former = match (&self.plan, &self.past.waiting) {
            // The plan was made again, with the answer.
            (Some(asked), _) => Some(asked.clone()),
            (None, Some(turn)) if self.supersede => turn.plan.clone(),
            _ => None,
        };
        let Some(former) = former else { return };
        let mut left: Vec<&Step> = former
            .steps
            .iter()
            .filter(|step| step.state == StepState::Done)
            .filter(|step| {
                let result = step.result.as_ref();
                result.is_some_and(|result| !result.effects.is_empty())
            })
            .collect();
        let said = |step: &Step| {
            let say = step.result.as_ref().map(|result| result.say.as_str());
            let say = say.filter(|say| !say.is_empty()).unwrap_or(&step.draft.say);
            say.to_owned()
        };
        if plan.steps.iter().all(|step| step.draft.tool == CLARIFY) {
            let done = left.iter().map(|step| step.draft.key.clone()).collect();
            let taken = with_what_is_read(done, &former);
            let along = |step: &&Step| step.state.is_over() && taken.contains(&step.draft.key);
            let along: Vec<Step> = former.steps.iter().filter(along).cloned().collect();
            plan.steps.splice(..0, along);
            return;
        }
        let same = unchanged(plan, &former);
        let mut kept = Vec::new();
        for step in &mut plan.steps {
            // Keep each earlier effect only once.
            let as_before =
                |one: &&Step| same.contains(&(step.draft.key.clone(), one.draft.key.clone()));
            if let Some(at) = left.iter().position(as_before) {
                let one = left.remove(at);
                step.state = StepState::Done;
                step.result.clone_from(&one.result);
                kept.push(said(one));
            }
        }
        if !kept.is_empty() {
            self.remarks
                .push(format!("Done before, not done again: {}", kept.join(" ")));
        }
        if !left.is_empty() {
            let left: Vec<String> = left.into_iter().map(said).collect();
            self.remarks
                .push(format!("Done before, left as it is: {}", left.join(" ")));
        }
    }

    /// Returns the question that can still be answered after another request came in between.
    fn stays_open(&self, turn: &Turn, plan: &Plan) -> Option<Question> {
        let question = first_question(plan)?;
        let acts = self.live().iter().any(|action| owns(turn, &action.id));
        (question.answer != AnswerKind::Text && !acts).then_some(question)
    }

    fn set_aside_line(&self, turn: &Turn) -> Option<String> {
        let left: Vec<String> = self
            .live()
            .iter()
            .filter(|action| owns(turn, &action.id))
            .map(|action| action.card.title.clone())
            .collect();
        Some(if left.is_empty() {
            format!("Set aside: “{}”. Ask again to take it up.", turn.text)
        } else {
            format!("Still waiting for you in Approvals: {}.", left.join(" · "))
        })
    }

    /// Returns what still waits here although the person turned to something else; `None` if nothing does.
    pub(super) fn still_waiting(&self) -> Option<String> {
        let titles: Vec<String> = self.live().into_iter().map(|one| one.card.title).collect();
        (!titles.is_empty()).then(|| {
            format!(
                "Still waiting for you in Approvals: {}.",
                titles.join(" · ")
            )
        })
    }

    /// Returns what waits for the person, here and in other conversations.
    pub(super) fn what_waits(&self) -> String {
        let mut lines = self.waiting_lines();
        let open = self
            .past
            .waiting
            .as_ref()
            .and_then(|turn| turn.plan.as_ref());
        lines.extend(
            open.and_then(first_question)
                .map(|question| format!("- {}", question.text)),
        );
        match lines.is_empty() {
            true => "Nothing is waiting for you.".to_owned(),
            false => format!("Waiting for you:\n\n{}", lines.join("\n")),
        }
    }

    /// Returns the titles of the waiting actions as a list: those of this conversation, then those of others.
    fn waiting_lines(&self) -> Vec<String> {
        let here = self.live().into_iter();
        let here = here.map(|action| format!("- {}", action.card.title));
        let others = self.elsewhere.iter();
        let others = others.map(|title| format!("- {title}, in another conversation"));
        let mut lines: Vec<String> = here.chain(others).collect();
        let more = lines.len().saturating_sub(WAITING_LISTED_MAX);
        if more > 1 {
            lines.truncate(WAITING_LISTED_MAX);
            lines.push(format!("- {more} more"));
        }
        lines
    }

    /// Returns why a "yes" approved nothing, or a "no" dropped nothing.
    fn unclear_reply(&self, reply: Reply) -> String {
        let everywhere = self.live().len() + self.elsewhere.len();
        let why = if everywhere > 1 {
            format!(
                "{everywhere} actions are waiting for you, so it is not clear which one you mean. Nothing was approved or rejected."
            )
        } else {
            "A yes counts only right after the action was shown. Nothing was approved.".to_owned()
        };
        let list = self.waiting_lines().join("\n");
        let how = match reply {
            Reply::No => "Reject each one on its card (`adjutant reject`).",
            _ => "Approve each one on its card (`adjutant approve`).",
        };
        format!("{why}\n\n{list}\n\n{how}")
    }
}

/// Returns the tools whose calls were shown for approval, in this plan or in the request that it changed.
pub(super) fn asked_tools(plan: &Plan) -> BTreeSet<String> {
    let shown = plan.steps.iter().filter(|step| {
        step.asked == AskedBefore::Yes || matches!(step.state, StepState::NeedsApproval { .. })
    });
    let tools = shown.map(|step| step.draft.tool.clone());
    tools.chain(plan.asked_tools.iter().cloned()).collect()
}

/// Whether a step of the plan has changed something already.
fn acted(plan: &Plan) -> bool {
    let mut results = plan.steps.iter().filter_map(|step| step.result.as_ref());
    results.any(|result| !result.effects.is_empty())
}

/// Whether the plan of `turn` waits for this action.
fn owns(turn: &Turn, id: &ActionId) -> bool {
    turn.plan.as_ref().is_some_and(|plan| {
        plan.steps
            .iter()
            .any(|step| matches!(&step.state, StepState::NeedsApproval { action } if action == id))
    })
}

/// Returns pairs of steps, by key, that do the same in both plans: the same call, equally often and under the same
/// condition, reading only steps that are the same too. References name steps by key, so equal references name the same
/// key. A step reads only earlier steps, so one pass suffices.
fn unchanged<'a>(plan: &'a Plan, former: &'a Plan) -> BTreeSet<(StepKey, StepKey)> {
    let mut same = BTreeSet::new();
    for new in plan.steps.iter().map(|step| &step.draft) {
        if !read_by(new)
            .iter()
            .all(|key| same.contains(&(key.clone(), key.clone())))
        {
            continue;
        }
        let call = |step: &'a StepDraft| (&step.tool, &step.args, &step.each, &step.when);
        let equal = former
            .steps
            .iter()
            .filter(|old| call(&old.draft) == call(new));
        same.extend(equal.map(|old| (new.key.clone(), old.draft.key.clone())));
    }
    same
}

/// Returns the steps whose results a step reads.
fn read_by(draft: &StepDraft) -> Vec<StepKey> {
    let mut read = uses(&draft.args).0;
    read.extend(draft.each.iter().map(|each| each.from.clone()));
    read.extend(draft.when.iter().flat_map(|when| when.uses()));
    read
}

/// Returns these steps and all steps whose results they read, directly or indirectly. A step reads only earlier steps,
/// so one pass from the end suffices.
fn with_what_is_read(mut keys: BTreeSet<StepKey>, plan: &Plan) -> BTreeSet<StepKey> {
    for step in plan.steps.iter().rev() {
        if keys.contains(&step.draft.key) {
            keys.extend(read_by(&step.draft));
        }
    }
    keys
}

pub(super) fn first_question(plan: &Plan) -> Option<Question> {
    plan.steps.iter().find_map(|step| match &step.state {
        StepState::NeedsAnswer { question } => Some(question.clone()),
        _ => None,
    })
}
