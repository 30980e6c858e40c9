//! What is not taken as the person's word: calls that a model proposes outside of a plan, plans of a model that had
//! read foreign text, and steps steered by such text. Their cards say so.

use std::collections::BTreeSet;

use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::{AskedBefore, CardNote, NoteKind, Observed, Policy, Risk};
use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{Plan, Step, StepDraft, StepOrigin, StepState};
use adjutant_domain::source::{Source, Sources, Taint};

use super::{Draw, Effect, Machine, Proposed, flow};
use crate::stages::{PROPOSALS_MAX, ToolProposal};

impl Machine {
    /// Proposes calls that a model wants besides its answer, each as if a stranger had asked for it.
    pub(super) fn take_proposals(
        &mut self,
        wanted: Vec<ToolProposal>,
        draw: &Draw,
        out: &mut Vec<Effect>,
    ) {
        if wanted.is_empty() {
            return;
        }
        let stranger = Source::Untrusted {
            origin: "proposed by the model, not asked for by you".into(),
        };
        let text = self.text.clone();
        let plan = self.plan.get_or_insert_with(|| Plan {
            id: draw.plan.clone(),
            request: text,
            asked: None,
            asked_tools: BTreeSet::new(),
            steps: Vec::new(),
            taint: Taint::Clean,
            planner: Taint::Clean,
        });
        for (index, call) in wanted.into_iter().take(PROPOSALS_MAX).enumerate() {
            let key = StepKey(format!("proposed{}", index + 1));
            let sources = Sources::from([(String::new(), stranger.clone())]);
            plan.steps.push(Step {
                draft: StepDraft {
                    key: key.clone(),
                    say: format!("Proposed by the model: {}", call.tool),
                    tool: call.tool.clone(),
                    args: call.args.clone(),
                    sources: sources.clone(),
                    ..StepDraft::default()
                },
                state: StepState::Running,
                result: None,
                asked: AskedBefore::No,
                origin: StepOrigin::Proposal,
            });
            out.push(Effect::Observe {
                step: key,
                calls: vec![Proposed {
                    tool: call.tool,
                    args: call.args,
                    sources,
                }],
            });
        }
    }

    /// Returns the policy for a step. It is strictest for calls that nobody asked for and for plans of a model that had
    /// read foreign text.
    pub(super) fn policy_for(&self, step: &StepKey) -> Policy {
        if self.is_stranger(step) || self.is_distrusted() {
            Policy {
                unasked_max: Risk::Read,
                by_hand: false,
            }
        } else {
            self.frame.policy.clone()
        }
    }

    /// Whether the plan was made by a model that had read foreign text.
    pub(super) fn is_distrusted(&self) -> bool {
        let planner = self.plan.as_ref().map(|plan| plan.planner);
        planner == Some(Taint::Tainted)
    }

    /// Marks a plan as made by a model that had read foreign text. Only values that the person said remain trusted.
    pub(super) fn distrust(plan: &mut Plan) {
        plan.planner = Taint::Tainted;
        plan.taint = Taint::Tainted;
        let found = Source::Untrusted {
            origin: "planned by a model that had read text by others".into(),
        };
        for step in &mut plan.steps {
            let said = |source: &Source| matches!(source, Source::Person { .. });
            let sources = &mut step.draft.sources;
            for source in sources.values_mut().filter(|source| !said(source)) {
                *source = found.clone();
            }
            sources.entry(String::new()).or_insert(found.clone());
        }
    }

    /// Adds a note to the card if foreign content decides if or how often the step runs.
    pub(super) fn note_steering(&self, step: &StepKey, batch: &mut [Observed]) {
        let steered = self.plan.as_ref().is_some_and(|plan| {
            plan.steps
                .iter()
                .any(|one| one.draft.key == *step && flow::is_steered_by_others(&one.draft, plan))
        });
        if !steered {
            return;
        }
        if let Some(first) = batch.first_mut()
            && !first
                .card
                .notes
                .iter()
                .any(|note| note.kind == NoteKind::Untrusted)
        {
            first.card.notes.push(CardNote {
                kind: NoteKind::Untrusted,
                text: "What this applies to was chosen from what messages or pages say.".into(),
            });
        }
    }

    /// Adds a note to the card if foreign text may have influenced the whole plan.
    pub(super) fn note_planner(&self, batch: &mut [Observed]) {
        if self.is_distrusted()
            && let Some(first) = batch.first_mut()
        {
            first.card.notes.push(CardNote {
                kind: NoteKind::Untrusted,
                text: "The model that planned this had read text by others.".into(),
            });
        }
    }

    /// Returns the taint of a fault, which may quote names of rows that others have chosen: a quoted name counts as
    /// foreign unless the person or the step mentioned it.
    pub(super) fn taint_of_fault(&self, step: &StepKey, fault: &UserFault) -> Taint {
        let mut said = vec![self.text.clone()];
        if let Some(plan) = &self.plan {
            let steps = plan.steps.iter().filter(|one| one.draft.key == *step);
            said.extend(steps.map(|one| one.draft.args.to_string()));
            said.push(plan.request.clone());
        }
        let mut names = fault
            .what
            .split('“')
            .skip(1)
            .filter_map(|rest| rest.split('”').next());
        if names.all(|name| said.iter().any(|said| said.contains(name))) {
            Taint::Clean
        } else {
            Taint::Tainted
        }
    }

    pub(super) fn is_stranger(&self, step: &StepKey) -> bool {
        let mut steps = self.plan.iter().flat_map(|plan| &plan.steps);
        steps.any(|one| one.draft.key == *step && one.origin == StepOrigin::Proposal)
    }
}
