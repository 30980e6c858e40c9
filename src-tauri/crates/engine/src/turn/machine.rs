//! The turn as a fold over inputs that yields effects. It has no clock, no randomness and no I/O: the driver feeds in
//! what it needs to know as [`Input`] and performs what it wants as [`Effect`].

mod batch;
mod carried;
mod decide;
mod edit;
mod finish;
mod flow;
mod io;
mod kept_draft;
mod model;
mod reached;
mod rest;
mod resume;
mod run;
mod schedule;
mod slot;
mod standby;
mod strangers;
#[cfg(test)]
mod tests;
mod unasked;
mod words;

pub(crate) use edit::edited;
pub use finish::question_id;

pub use io::{Carried, Carry, Draw, Effect, Frame, Input, Proposed, Waits};

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::conversation::Past;
use adjutant_domain::event::{ContextSection, PlanLine, TurnEvent};
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::{ActionState, AskedBefore, Denial, PendingAction, Unasked};
use adjutant_domain::ids::{AccountId, ActionId, GrantId, PlanId, StepKey, TurnId};
use adjutant_domain::outcome::Answer;
use adjutant_domain::plan::{Plan, PlanDraft, Step, StepDraft, StepResult};
use adjutant_domain::reading::Reading;
use adjutant_domain::route::{Route, RouteKind};
use adjutant_domain::source::Taint;

use crate::{sound, undo};

/// Maximum number of actions that may wait in one conversation; further ones must wait until some are answered.
pub const WAITING_MAX: usize = 20;

/// The state of one turn.
#[derive(Debug)]
pub struct Machine {
    frame: Frame,
    past: Past,
    /// Titles of the actions that wait in other conversations.
    elsewhere: Vec<String>,
    route: Option<Route>,
    /// The text to plan for: the message, or its restatement after a change to a waiting request.
    text: String,
    plan: Option<Plan>,
    context_ready: bool,
    /// Whether planning waits for the context.
    wants_plan: bool,
    /// What this turn does to the turn that waited before it.
    former: Former,
    /// Approvals in use by running steps.
    approved: BTreeMap<StepKey, ActionId>,
    /// Running steps whose arguments contain foreign text.
    carrying: BTreeSet<StepKey>,
    /// Results that count once their change is stored.
    unstored: BTreeMap<StepKey, StepResult>,
    /// Answers, one per call, of steps whose operations are being carried out outside storage.
    leaving: BTreeMap<StepKey, Vec<Answer>>,
    /// The actions as which steps that nobody was asked about wait if there is no connection.
    standby: BTreeMap<StepKey, PendingAction>,
    /// Approvals that wait for the end of their hold or for a connection; a job continues their steps.
    later: BTreeSet<ActionId>,
    /// Actions proposed in this run; stored when the turn pauses.
    proposed: Vec<PendingAction>,
    /// State changes of stored actions; made when the turn pauses or ends.
    moves: Vec<(ActionId, ActionState, ActionState)>,
    /// Steps that ended in this run, in order.
    fresh: Vec<StepKey>,
    /// Sentences before the plan's answer, about what changed and what was refused.
    remarks: Vec<String>,
    /// Requests that may have been meant, if nothing was understood.
    near: Vec<String>,
    /// Sentence after the answer, about what was set aside.
    remark_last: Option<String>,
    /// Whether the message changes the waiting request, so that the new plan replaces its actions.
    supersede: bool,
    /// Tools for which the changed request had asked approval.
    asked_tools: BTreeSet<String>,
    /// Calls that change something without asking, by step.
    unasked: BTreeMap<StepKey, Vec<Unasked>>,
    /// Calls that read but also carry something out without asking, by step.
    leaving_unasked: BTreeMap<StepKey, Vec<Unasked>>,
    /// Steps that ran under a standing grant.
    by_grant: BTreeMap<StepKey, GrantId>,
    /// Steps whose answers contain only public data.
    public: BTreeSet<StepKey>,
    /// The private data that has reached the conversation.
    private: reached::Reached,
    /// The person's words in answers to questions of the plan.
    answered: Vec<String>,
    used_tools: BTreeSet<String>,
    used_memories: BTreeSet<String>,
    /// Tools shown to a planning model, best first.
    suggested: Vec<String>,
    /// Tools of actions that the person rejected.
    refused: BTreeSet<String>,
    /// The models' part in this turn.
    model: model::ModelPart,
    closed: bool,
}

/// What happens to the turn that waited before this one.
#[derive(Clone, Debug, Default, PartialEq)]
enum Former {
    /// There was none, or it keeps waiting.
    #[default]
    Stays,
    /// Its plan continues in this turn, or this turn drops or replaces it.
    Ends(TurnId),
}

impl Machine {
    /// Creates a turn that has not begun.
    #[must_use]
    pub fn new(frame: Frame) -> Self {
        Self {
            text: frame.text.clone(),
            frame,
            past: Past::default(),
            elsewhere: Vec::new(),
            route: None,
            plan: None,
            context_ready: false,
            wants_plan: false,
            former: Former::Stays,
            approved: BTreeMap::new(),
            carrying: BTreeSet::new(),
            unstored: BTreeMap::new(),
            leaving: BTreeMap::new(),
            standby: BTreeMap::new(),
            later: BTreeSet::new(),
            proposed: Vec::new(),
            moves: Vec::new(),
            fresh: Vec::new(),
            remarks: Vec::new(),
            near: Vec::new(),
            remark_last: None,
            supersede: false,
            asked_tools: BTreeSet::new(),
            unasked: BTreeMap::new(),
            leaving_unasked: BTreeMap::new(),
            by_grant: BTreeMap::new(),
            public: BTreeSet::new(),
            private: reached::Reached::default(),
            answered: Vec::new(),
            used_tools: BTreeSet::new(),
            used_memories: BTreeSet::new(),
            suggested: Vec::new(),
            refused: BTreeSet::new(),
            model: model::ModelPart::default(),
            closed: false,
        }
    }

    /// Processes one input and returns the resulting effects. After [`Effect::Close`] there are none.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        if self.closed {
            return out;
        }
        match input {
            Input::Stored { past, elsewhere } => self.stored(*past, elsewhere, &mut out),
            Input::Reopened { past, turn } => self.reopened(*past, *turn, &mut out),
            Input::Direct { past, draft, draw } => {
                self.begin(*past, &mut out);
                self.adopt(draft, draw.plan, &mut out);
            }
            Input::Confirmed(reply) => self.confirmed(reply, &mut out),
            Input::Classified(resume) => self.classified(resume, &mut out),
            Input::Routed(route) => self.routed(route, &mut out),
            Input::ContextReady(sections) => self.context(sections, &mut out),
            Input::Planned { reading, draw } => self.planned(reading, draw, &mut out),
            Input::Observed { step, looks, draw } => {
                self.observed(&step, looks, &draw, &mut out);
                self.advance(&mut out);
            }
            Input::Resolved {
                action,
                verdict,
                looks,
                draw,
            } => {
                self.resolved(&action, verdict, looks, &draw, &mut out);
                self.advance(&mut out);
            }
            Input::Denied { ids, problem } => {
                self.remarks.extend(problem.map(|fault| fault.to_string()));
                self.denied(&ids);
                self.advance(&mut out);
            }
            Input::NotStored(fault) => {
                self.remarks.push(fault.to_string());
                self.advance(&mut out);
            }
            Input::Edited {
                action,
                looks,
                draw,
            } => {
                self.edited(&action, looks, &draw, &mut out);
                self.advance(&mut out);
            }
            Input::PlanEdited(edit) => self.replanned_by_hand(&edit, &mut out),
            Input::Answered { step, value, words } => {
                self.answer(&step, value, words);
                self.advance(&mut out);
            }
            Input::Ran {
                step,
                args,
                outcomes,
                draw,
                at,
            } => {
                self.ran(&step, (args, outcomes), &draw, at, &mut out);
                self.advance(&mut out);
            }
            Input::Committed { step, receipt } => {
                self.committed(&step, receipt, &mut out);
                self.advance(&mut out);
            }
            Input::CarriedOut { step, carried } => {
                self.carried_out(&step, &carried, &mut out);
                self.advance(&mut out);
            }
            Input::Piece { text } => self.piece(text, &mut out),
            Input::Thought { text } => self.thought(text, &mut out),
            Input::Answering { why } => self.answering(why, &mut out),
            Input::Shown {
                sections,
                taint,
                memories,
            } => {
                self.context_ready = true;
                self.used_memories
                    .extend(memories.into_iter().map(|memory| memory.0));
                self.model.taint = self.model.taint.join(taint);
                if sections.iter().any(shows_private) {
                    self.private.came_from(AccountId::local());
                }
                for section in sections.iter().filter(|section| section.name == "tools") {
                    self.suggested.clone_from(&section.names);
                }
                out.push(Effect::Emit(TurnEvent::Context { sections, taint }));
            }
            Input::ModelSaid { ask, said, draw } => self.model_said(*ask, said, draw, &mut out),
            Input::AnswerRead(value) => self.answer_read(value, &mut out),
            Input::Faulted(fault) => self.fail_turn(fault, &mut out),
            Input::Interrupted => self.interrupted(&mut out),
        }
        out
    }

    fn begin(&mut self, past: Past, out: &mut Vec<Effect>) {
        self.later
            .extend(past.approved.iter().map(|one| one.id.clone()));
        if past.private {
            self.private.came_before();
        }
        self.past = past;
        out.push(Effect::Emit(TurnEvent::TurnStarted {
            text: self.frame.text.clone(),
            instead_of: self.frame.instead_of.clone(),
        }));
    }

    /// Starts reading the message as a new request: routing and context in parallel.
    fn read_afresh(&mut self, out: &mut Vec<Effect>) {
        out.push(Effect::GatherContext);
        out.push(Effect::Route {
            text: self.text.clone(),
        });
    }

    fn routed(&mut self, route: Route, out: &mut Vec<Effect>) {
        if self.frame.model.is_some() {
            return self.routed_with_model(route, out);
        }
        out.push(Effect::Emit(TurnEvent::Routed {
            route: route.clone(),
        }));
        // Early exit: plain conversation needs nothing from the records.
        let chat = route.kind == RouteKind::Chat && route.domains.is_empty();
        self.route = Some(route);
        if chat && !self.context_ready {
            self.context_ready = true;
            out.push(Effect::DropContext);
        }
        self.wants_plan = true;
        self.plan_if_ready(out);
    }

    fn context(&mut self, sections: Vec<ContextSection>, out: &mut Vec<Effect>) {
        if self.context_ready || self.model.is_asked() {
            return;
        }
        self.context_ready = true;
        let taint = Taint::Clean;
        out.push(Effect::Emit(TurnEvent::Context { sections, taint }));
        self.plan_if_ready(out);
    }

    fn plan_if_ready(&mut self, out: &mut Vec<Effect>) {
        if !(self.wants_plan && self.context_ready) {
            return;
        }
        if let Some(route) = self.route.clone() {
            self.wants_plan = false;
            out.push(Effect::MakePlan {
                text: self.text.clone(),
                route,
            });
        }
    }

    fn planned(&mut self, reading: Reading, draw: Draw, out: &mut Vec<Effect>) {
        let reading = match self.unread(reading, out) {
            Some(reading) => reading,
            None => return,
        };
        match reading {
            Reading::Plan { plan, .. } => {
                self.replace_former();
                self.adopt(plan, draw.plan, out);
            }
            Reading::Say { text, .. } => {
                let text = text.replace("{waiting}", &self.what_waits());
                self.say(text, out);
            }
            Reading::Undo { .. } => {
                self.remark_last = self.still_waiting();
                self.adopt(self.take_back(), draw.plan, out);
            }
            Reading::NotUnderstood { text, near, .. } => {
                self.near = near;
                self.say_not_understood(text, out);
            }
        }
    }

    /// Returns the plan that undoes the latest effect of the conversation.
    fn take_back(&self) -> PlanDraft {
        let which = undo::Which::Latest(self.frame.conversation.clone());
        PlanDraft {
            request: self.text.clone(),
            steps: vec![StepDraft {
                key: "s1".into(),
                say: "Take back what was done last".into(),
                tool: undo::TOOL.into(),
                args: serde_json::json!(which),
                ..StepDraft::default()
            }],
        }
    }

    /// Adopts a plan and starts it, or fails the turn if the plan is not sound.
    fn adopt(&mut self, draft: PlanDraft, id: PlanId, out: &mut Vec<Effect>) {
        match sound::plan(draft, id) {
            Ok(mut plan) => {
                if self.model.read_others {
                    Self::distrust(&mut plan);
                }
                self.keep_asked(&mut plan);
                self.keep_done(&mut plan);
                plan.asked = (self.text != self.frame.text).then(|| self.text.clone());
                self.plan = Some(plan);
                self.emit_plan(out);
                self.save_if_several(out);
                self.advance(out);
            }
            Err(fault) => self.fail_turn(fault, out),
        }
    }

    /// Makes sure that what was shown for approval before a change to the request, or before a question of the planner
    /// was answered, is shown again before the new plan runs it.
    fn keep_asked(&mut self, plan: &mut Plan) {
        plan.asked_tools = std::mem::take(&mut self.asked_tools);
        // The plan was made again, with the answer.
        let asked = self.plan.as_ref().map(resume::asked_tools);
        plan.asked_tools.extend(asked.into_iter().flatten());
        for step in &mut plan.steps {
            if plan.asked_tools.contains(&step.draft.tool) {
                step.asked = AskedBefore::Yes;
            }
        }
    }

    /// Stores a plan with several effects before the first, so that a restart can say what was not done.
    fn save_if_several(&self, out: &mut Vec<Effect>) {
        let Some(plan) = &self.plan else { return };
        let writes = plan
            .steps
            .iter()
            .filter(|step| !self.frame.tools.reads(&step.draft.tool))
            .count();
        if writes > 1 {
            out.push(Effect::SavePlan(Box::new(plan.clone())));
        }
    }

    fn emit_plan(&self, out: &mut Vec<Effect>) {
        if let Some(plan) = &self.plan {
            out.push(Effect::Emit(plan_event(plan)));
        }
    }

    fn step_at(&mut self, key: &StepKey) -> Option<&mut Step> {
        self.plan
            .as_mut()?
            .steps
            .iter_mut()
            .find(|step| step.draft.key == *key)
    }
}

/// Whether a section shown to a model may contain data of the person besides their messages.
fn shows_private(section: &ContextSection) -> bool {
    let open = ["system", "profile", "tools", "messages"];
    section.items > 0 && !open.contains(&section.name.as_str())
}

/// Returns the event that shows the plan.
fn plan_event(plan: &Plan) -> TurnEvent {
    TurnEvent::Plan {
        id: plan.id.clone(),
        request: plan.request.clone(),
        steps: plan
            .steps
            .iter()
            .map(|step| PlanLine {
                key: step.draft.key.clone(),
                say: step.draft.say.clone(),
                why: step.draft.why.clone(),
                tool: step.draft.tool.clone(),
                status: step.state.word().to_owned(),
            })
            .collect(),
    }
}

/// Returns what a refusal says to the person.
#[must_use]
pub fn refusal(denial: &Denial) -> UserFault {
    use adjutant_domain::faults::sentence;
    let (code, hint) = match denial {
        Denial::NotPending { .. } => ("not_pending", ""),
        Denial::Expired => ("expired", "Ask again if you still want it done."),
        Denial::WrongDigest => (
            "wrong_digest",
            "Look at it again, and approve it with the digest shown there.",
        ),
        Denial::Altered => ("altered", "Reject it and ask again."),
        Denial::TargetChanged { .. } => ("changed", "Ask again to see it as it is now."),
        Denial::Nothing => ("nothing", ""),
        Denial::NotCanonical => ("not_canonical", "Say it another way."),
    };
    UserFault::new(code, sentence(&denial.to_string()), hint)
}
