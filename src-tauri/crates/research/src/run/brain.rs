//! The brain: kickoff, evaluation after each round, and the report.

use super::machine::{Ended, Outcome};
use super::{Run, Status, replies};
use crate::document::{
    Cut, Decision, NextStep, Phase, Question, QuestionId, QuestionState, Report, WrittenBy,
};
use crate::embedded;
use crate::stage::{EvaluateReply, KickoffReply, PlannedQuestion, Stage, StageContext};
use crate::step::{Command, Event, Input};

impl Run {
    pub(super) fn kickoff(&mut self, outcome: &mut Outcome) {
        self.status = Status::Running;
        outcome.events.push(Event::BrainInitialized {
            objective: self.objective.clone(),
            success_criteria: self.success_criteria.clone(),
            version: self.form,
        });
        let view = StageContext::Kickoff {
            objective: self.objective.clone(),
        };
        if !self.ask("kickoff", Stage::Kickoff, view, outcome) {
            let plan = embedded::kickoff(&self.objective);
            self.planned(plan, outcome);
        }
    }

    /// Handles the result of a step of the brain.
    pub(super) fn brain_step(&mut self, command: &Command, ended: Ended, outcome: &mut Outcome) {
        let Command::Ask(step) = command else {
            return;
        };
        let reply = match ended {
            Ended::Done(Input::Replied { reply, .. }) => Some(reply),
            Ended::Failed(fault) => {
                self.note(format!("The model did not answer: {}", fault.said));
                None
            }
            _ => None,
        };
        match step.stage {
            Stage::Kickoff => {
                let plan = reply.and_then(|reply| replies::kickoff(&self.objective, reply));
                let plan = plan.unwrap_or_else(|| embedded::kickoff(&self.objective));
                self.planned(plan, outcome);
            }
            Stage::Evaluate => {
                let next = reply
                    .and_then(|reply| replies::evaluation(&self.objective, &self.questions, reply));
                self.evaluated(next, outcome);
            }
            Stage::Synthesise => {
                let report = reply.and_then(|reply| self.checked_report(reply));
                match report {
                    Some(report) => self.finish(report, outcome),
                    None => self.write_embedded(outcome),
                }
            }
            Stage::Intake | Stage::Search | Stage::Reflect | Stage::Document => {}
        }
    }

    fn planned(&mut self, plan: KickoffReply, outcome: &mut Outcome) {
        outcome.events.push(Event::BrainStrategy {
            strategy: plan.strategy.clone(),
        });
        self.research_strategy = Some(plan.strategy.clone());
        self.spawn(plan.questions, plan.strategy, outcome);
    }

    /// Begins a round, or writes the report if the rounds are used up.
    fn spawn(&mut self, planned: Vec<PlannedQuestion>, reasoning: String, outcome: &mut Outcome) {
        if self.research_round >= self.limits.rounds {
            return self.cut(Cut::Rounds, outcome);
        }
        let mut ids = Vec::new();
        for one in planned.into_iter().take(self.limits.parallel as usize) {
            let id = QuestionId(format!("q{}", self.questions.len() + 1));
            ids.push(id.clone());
            self.questions.push(Question {
                id,
                round: self.research_round + 1,
                name: one.name,
                question: one.question,
                goal: one.goal,
                state: QuestionState::Pending,
                phase: Phase::Choosing,
                memory: Vec::new(),
                document: None,
            });
        }
        self.brain_log.push(Decision {
            round: self.research_round,
            action: NextStep::SpawnNew,
            questions: ids.clone(),
            reasoning,
        });
        self.research_round += 1;
        for id in &ids {
            if self.status != Status::Running {
                break;
            }
            self.start_question(id, outcome);
        }
    }

    pub(super) fn evaluate(&mut self, outcome: &mut Outcome) {
        let view = self.evaluate_view();
        let key = format!("evaluate/{}", self.research_round);
        if !self.ask(&key, Stage::Evaluate, view, outcome) {
            self.evaluated(None, outcome);
        }
    }

    fn evaluated(&mut self, next: Option<EvaluateReply>, outcome: &mut Outcome) {
        let next = next.unwrap_or_else(|| {
            let questions = &self.questions;
            let views: Vec<_> = questions.iter().map(|one| self.view(&one.id)).collect();
            embedded::evaluate(&self.objective, questions, &views, self.research_round)
        });
        match next.action {
            NextStep::SpawnNew if !next.questions.is_empty() => {
                self.spawn(next.questions, next.reasoning, outcome);
            }
            _ => {
                self.brain_log.push(Decision {
                    round: self.research_round,
                    action: NextStep::Synthesize,
                    questions: Vec::new(),
                    reasoning: next.reasoning,
                });
                self.synthesise(outcome);
            }
        }
    }

    pub(super) fn synthesise(&mut self, outcome: &mut Outcome) {
        self.status = Status::Synthesizing;
        outcome.events.push(Event::SynthesizingStarted {});
        let nothing = self
            .questions
            .iter()
            .all(|one| one.pages().next().is_none());
        let view = self.synthesise_view();
        if nothing || !self.ask("synthesise", Stage::Synthesise, view, outcome) {
            self.write_embedded(outcome);
        }
    }

    /// Writes the report without a model.
    pub(super) fn write_embedded(&mut self, outcome: &mut Outcome) {
        let views: Vec<_> = self
            .questions
            .iter()
            .map(|one| self.view(&one.id))
            .collect();
        let report = embedded::report(
            &self.objective,
            &self.success_criteria,
            &views,
            &self.questions,
        );
        self.finish(report, outcome);
    }

    /// Checks the claims of a model's report; returns `None` if none of them holds.
    fn checked_report(&mut self, reply: serde_json::Value) -> Option<Report> {
        let views: Vec<_> = self
            .questions
            .iter()
            .map(|one| self.view(&one.id))
            .collect();
        let (report, dropped) = replies::report(&self.objective, &views, &self.questions, reply)?;
        self.dropped_claims = self.dropped_claims.saturating_add(dropped);
        Some(report)
    }

    fn finish(&mut self, mut report: Report, outcome: &mut Outcome) {
        if let Some(cut) = self.cut {
            report.limitations.insert(0, cut.said().to_owned());
        }
        report.limitations.extend(self.notes.iter().cloned());
        let mut said = std::collections::BTreeSet::new();
        report.limitations.retain(|one| said.insert(one.clone()));
        report.cut = self.cut;
        report.dropped = self.dropped_claims;
        if self.by == WrittenBy::Model && report.written_by == WrittenBy::Embedded {
            report.limitations.push(
                "No model wrote this report: its reply did not arrive, could not be paid for, or could not be used.".to_owned(),
            );
        }
        self.status = Status::Complete;
        outcome.events.push(Event::ResearchComplete {
            total_research_questions: u32::try_from(self.questions.len()).unwrap_or(u32::MAX),
            total_memory: self
                .questions
                .iter()
                .map(|one| u32::try_from(one.memory.len()).unwrap_or(u32::MAX))
                .sum(),
            confidence: report.confidence,
        });
        outcome
            .commands
            .push(Command::Finish(Box::new(report.clone())));
        self.report = Some(report);
    }
}
