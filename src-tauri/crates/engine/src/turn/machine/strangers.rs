//! Calls that a model wants although no plan has them. Each is put before the person as if a stranger had asked for it.

use std::collections::BTreeSet;

use adjutant_domain::gate::{AskedBefore, Policy, Risk};
use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{Plan, Step, StepDraft, StepOrigin, StepState};
use adjutant_domain::source::{Source, Sources, Taint};

use super::{Draw, Effect, Machine, Proposed};
use crate::stages::{PROPOSALS_MAX, ToolProposal};

impl Machine {
    /// Calls a model wants besides its answer are put before the person, each as if a stranger had asked for it.
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

    /// How strict the gate is with a step: with what nobody asked for, as strict as it can be.
    pub(super) fn policy_for(&self, step: &StepKey) -> Policy {
        if self.is_stranger(step) {
            Policy {
                unasked_max: Risk::Read,
            }
        } else {
            self.frame.policy.clone()
        }
    }

    pub(super) fn is_stranger(&self, step: &StepKey) -> bool {
        let mut steps = self.plan.iter().flat_map(|plan| &plan.steps);
        steps.any(|one| one.draft.key == *step && one.origin == StepOrigin::Proposal)
    }
}
