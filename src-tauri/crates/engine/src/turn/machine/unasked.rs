//! Tracks calls that run without asking: counts them, and determines what a read could carry out of the conversation.

use std::collections::BTreeSet;

use adjutant_domain::conversation::Role;
use adjutant_domain::gate::rate::GRANT_PER_HOUR;
use adjutant_domain::gate::{Approved, Call, Observed, Permit, Risk, Unasked};
use adjutant_domain::ids::{AccountId, GrantId, StepKey};
use adjutant_domain::plan::StepState;
use adjutant_domain::route::Domain;
use adjutant_domain::server::ServerName;

use super::Machine;

/// Properties of a step's calls that their permits do not record.
pub(super) struct CallProperties {
    by_hand: bool,
    /// For each call: whether it changes something, whether it carries something out, and whether its answer is public.
    calls: Vec<(bool, bool, bool)>,
}

impl CallProperties {
    pub(super) fn of(batch: &[Observed], by_hand: bool) -> Self {
        let calls = batch.iter().map(|one| {
            let out = one.assessment.carries_out.as_ref();
            let changes = one.assessment.risk > Risk::Read;
            let public = !changes && out.is_some_and(|out| out.public_answer);
            (changes, out.is_some(), public)
        });
        Self {
            by_hand,
            calls: calls.collect(),
        }
    }
}

impl Machine {
    /// Returns the person's messages and answers in this conversation, including this message. Restatements by a model
    /// are not among them.
    pub(super) fn typed(&self) -> Vec<String> {
        let said = self
            .past
            .messages
            .iter()
            .filter(|one| one.role == Role::User);
        let said = said.map(|one| one.text.clone());
        said.chain([self.frame.text.clone()])
            .chain(self.answered.iter().cloned())
            .collect()
    }

    /// Records which calls of a step run without asking, so that the transaction that begins them counts them.
    pub(super) fn note_unasked(
        &mut self,
        step: &StepKey,
        seen: &CallProperties,
        calls: &[Approved<Call>],
    ) {
        if seen.calls.iter().all(|(_, _, public)| *public) {
            self.public.insert(step.clone());
        }
        let mut changing = Vec::new();
        let mut leaving = Vec::new();
        for ((changes, leaves, _), call) in seen.calls.iter().zip(calls) {
            let (grant, most) = match call.permit() {
                Permit::Grant(id) => (Some(id.clone()), GRANT_PER_HOUR),
                Permit::Policy if !seen.by_hand => (None, self.past.rates.most),
                Permit::Policy | Permit::Person(_) => continue,
            };
            let run = Unasked {
                tool: call.get().tool.clone(),
                account: call.get().account.clone(),
                grant,
                most,
            };
            if *changes || *leaves {
                self.past.rates.note(&run, self.frame.now);
            }
            if *changes {
                changing.push(run);
            } else if *leaves {
                leaving.push(run);
            }
        }
        let mut ids = changing
            .iter()
            .chain(&leaving)
            .filter_map(|run| run.grant.clone());
        if let Some(grant) = ids.next() {
            self.by_grant.insert(step.clone(), grant);
        }
        self.unasked.insert(step.clone(), changing);
        self.leaving_unasked.insert(step.clone(), leaving);
    }

    /// Returns a sentence that names the standing permissions under which something was done without asking.
    pub(super) fn allowed_before(&mut self) -> Option<String> {
        let ran = std::mem::take(&mut self.by_grant).into_iter();
        let done: BTreeSet<GrantId> = ran
            .filter(|(step, _)| self.is_done(step))
            .map(|(_, grant)| grant)
            .collect();
        let grants = self.past.grants.iter().filter(|one| done.contains(&one.id));
        let words: Vec<&str> = grants.map(|one| one.scope.words.as_str()).collect();
        (!words.is_empty()).then(|| {
            format!(
                "Not asked, because you have allowed it: {}. Standing permissions are in Settings, Approvals (`adjutant grants`).",
                words.join("; ")
            )
        })
    }

    fn is_done(&self, step: &StepKey) -> bool {
        let mut steps = self.plan.iter().flat_map(|plan| &plan.steps);
        steps.any(|one| one.draft.key == *step && one.state == StepState::Done)
    }

    /// Returns the account whose data a step reads: a server's tool reads that server, all others read local data.
    pub(super) fn account_of(&self, step: &StepKey) -> AccountId {
        let mut steps = self.plan.iter().flat_map(|plan| &plan.steps);
        let tool = steps
            .find(|one| one.draft.key == *step)
            .and_then(|one| self.frame.tools.get(&one.draft.tool));
        let server = tool.and_then(|tool| tool.server.as_ref());
        server.map_or_else(AccountId::local, ServerName::account)
    }

    /// Whether the result of a step is not personal: a calculation, or a page that everybody can read.
    pub(super) fn is_public(&self, step: &StepKey) -> bool {
        let mut steps = self.plan.iter().flat_map(|plan| &plan.steps);
        let tool = steps
            .find(|one| one.draft.key == *step)
            .map(|one| &one.draft.tool);
        let spec = tool.and_then(|tool| self.frame.tools.get(tool));
        self.public.contains(step) || spec.is_some_and(|spec| spec.domain == Domain::Calc)
    }
}
