//! What another program may do without approval: read, and see what it is going to propose. Reads are not recorded.

use adjutant_domain::faults::{StoreFault, ToolFault};
use adjutant_domain::gate::{Circumstances, Observed, Policy, Proposal, Risk, Verdict, gate};
use adjutant_domain::ids::StepKey;
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::program::ProgramName;
use adjutant_domain::source::Taint;
use serde_json::Value;

use crate::engine::Engine;
use crate::secrets;
use crate::turn::machine::{Draw, Proposed};
use crate::turn::perform;

impl Engine {
    /// Carries out a call of another program if it only reads. Secrets of the person are removed from the answer.
    ///
    /// # Errors
    /// Returns the fault or question if the arguments do not fit the tool, the call does more than read, it cannot be
    /// done, or it is ambiguous.
    pub async fn read_for(
        &self,
        program: &ProgramName,
        tool: &str,
        args: Value,
    ) -> Result<Answer, Stop> {
        let observed = self.look_for(program, tool, args).await?;
        let now = self.core.parts.clock.now();
        let draw = Draw::of(&*self.core.parts.entropy);
        let proposal = Proposal {
            id: draw.action,
            nonce: draw.nonce,
            conversation: program.conversation(),
            turn: self.core.turn_id(),
            step: StepKey("s1".into()),
            now: now.timestamp(),
        };
        if observed.assessment.carries_out.is_some() {
            return Err(not_reading(tool));
        }
        let circumstances = Circumstances {
            policy: Policy {
                unasked_max: Risk::Read,
                by_hand: false,
            },
            taint: Taint::Tainted,
            ..Circumstances::default()
        };
        let Verdict::Allowed(calls) = gate(vec![observed], &circumstances, &proposal) else {
            return Err(not_reading(tool));
        };
        let cx = self.core.cx(now);
        let mut outcomes = perform::run(self.core.clone(), &calls, cx).await;
        match outcomes.pop() {
            Some(Ok(Outcome::Read(answer))) => self.without_secrets(answer).await,
            Some(Err(stop)) => Err(stop),
            Some(Ok(Outcome::Effects { .. } | Outcome::Started { .. })) | None => {
                Err(not_reading(tool))
            }
        }
    }

    /// Returns what a call of another program would touch. Stores and does nothing.
    ///
    /// # Errors
    /// Returns the fault or question if the arguments do not fit the tool, the call cannot be done, or it is ambiguous.
    pub async fn look_for(
        &self,
        program: &ProgramName,
        tool: &str,
        args: Value,
    ) -> Result<Observed, Stop> {
        let cx = self.core.cx(self.core.parts.clock.now());
        let proposed = Proposed {
            tool: tool.to_owned(),
            args,
            sources: program.sources(),
        };
        let looks = perform::look(self.core.clone(), vec![proposed], cx).await;
        looks.into_iter().next().unwrap_or_else(|| {
            Err(Stop::Fault(ToolFault::UnknownTool {
                name: tool.to_owned(),
            }))
        })
    }

    async fn without_secrets(&self, mut answer: Answer) -> Result<Answer, Stop> {
        let known = self.core.secrets.get(&*self.core.parts.records).await;
        let known = known.map_err(|fault: StoreFault| Stop::Fault(fault.into()))?;
        secrets::take_out(&mut answer, &known);
        Ok(answer)
    }
}

fn not_reading(tool: &str) -> Stop {
    Stop::Fault(ToolFault::NotAllowed {
        what: format!("{tool} would do more than read with these arguments."),
        hint: "Ask for less, or let the person do it in Adjutant.".into(),
    })
}
