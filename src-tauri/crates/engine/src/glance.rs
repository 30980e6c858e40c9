//! Answers a question while it is still being typed: free time and sums, computed at once and not stored.

use adjutant_domain::conversation::DIRECT;
use adjutant_domain::faults::UserFault;
use adjutant_domain::gate::{Circumstances, Policy, Proposal, Risk, Verdict, gate};
use adjutant_domain::outcome::{Answer, Outcome};
use adjutant_domain::plan::StepDraft;
use adjutant_domain::reading::Reading;

use crate::engine::Engine;
use crate::turn::machine::{Draw, Proposed};
use crate::turn::perform;

impl Engine {
    /// Answers a message that only asks for free time or a sum. `None` for every other message, and if there is no such
    /// answer. It starts no turn and stores nothing, so it can run on every keystroke.
    ///
    /// # Errors
    /// Returns a fault if the message is empty or too long, or storage cannot be read.
    pub async fn glance(&self, text: &str) -> Result<Option<Answer>, UserFault> {
        let (_, reading) = self.explain(&DIRECT.into(), text).await?;
        let Reading::Plan { plan, .. } = reading else {
            return Ok(None);
        };
        let Ok([step]) = <[StepDraft; 1]>::try_from(plan.steps) else {
            return Ok(None);
        };
        let repeats = step.when.is_some() || step.each.is_some() || step.question.is_some();
        let glances = |tool: &str| self.core.tools().get(tool).is_some_and(|spec| spec.glances);
        if repeats || !glances(&step.tool) {
            return Ok(None);
        }
        Ok(self.read_once(step).await)
    }

    /// Runs one step, provided the gate allows it as a pure read.
    async fn read_once(&self, step: StepDraft) -> Option<Answer> {
        let now = self.core.parts.clock.now();
        let at = now.timestamp();
        let cx = self.core.cx(now);
        let draw = Draw::of(&*self.core.parts.entropy);
        let proposal = Proposal {
            id: draw.action,
            nonce: draw.nonce,
            conversation: DIRECT.into(),
            turn: self.core.turn_id(),
            step: step.key,
            now: at,
        };
        let proposed = Proposed {
            tool: step.tool,
            args: step.args,
            sources: step.sources,
        };
        let looks = perform::look(self.core.clone(), vec![proposed], cx.clone()).await;
        let observed = looks.into_iter().next()?.ok()?;
        if observed.assessment.carries_out.is_some() {
            return None;
        }
        let circumstances = Circumstances {
            policy: Policy {
                unasked_max: Risk::Read,
                by_hand: false,
            },
            ..Circumstances::default()
        };
        let Verdict::Allowed(calls) = gate(vec![observed], &circumstances, &proposal) else {
            return None;
        };
        let mut outcomes = perform::run(self.core.clone(), &calls, cx).await;
        match outcomes.pop()? {
            Ok(Outcome::Read(answer)) => Some(answer),
            _ => None,
        }
    }
}
