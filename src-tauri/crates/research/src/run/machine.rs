//! The state machine of a run.

use super::{Outstanding, Run, Status};
use crate::document::{Cut, QuestionId};
use crate::stage::{Stage, StageContext};
use crate::step::{AskStep, Command, Event, Fault, FaultKind, Input, StepKey};

/// Maximum notes of a run; later ones add nothing.
const NOTES_MAX: usize = 40;

/// The commands and events that one input leads to.
#[derive(Default)]
pub(super) struct Outcome {
    pub commands: Vec<Command>,
    pub events: Vec<Event>,
}

/// The owner of a step, read from its key.
pub(super) enum Owner {
    /// The researcher of this question.
    Question(QuestionId),
    /// The run itself.
    Brain,
}

/// How a step ended; its credits are settled.
pub(super) enum Ended {
    Done(Input),
    Failed(Fault),
    /// Nobody knows how it ended.
    Unknown,
}

impl Run {
    /// Moves the run by one input and returns the commands that follow. An input that changes nothing returns none;
    /// otherwise the first command is [`Command::Save`].
    ///
    /// Results of steps that are not outstanding are ignored: giving a result twice is harmless.
    pub fn next(&mut self, input: Input) -> Vec<Command> {
        let mut outcome = Outcome::default();
        if !self.take(input, &mut outcome) {
            return Vec::new();
        }
        self.version += 1;
        outcome.events.push(Event::DocUpdated {
            version: self.version,
        });
        let mut commands = vec![Command::Save {
            version: self.version,
            events: outcome.events,
        }];
        let stopped = self.stopped;
        outcome
            .commands
            .retain(|command| !stopped || matches!(command, Command::Cancel(_)));
        commands.append(&mut outcome.commands);
        commands
    }

    /// Handles an input; returns whether it changed anything.
    fn take(&mut self, input: Input, outcome: &mut Outcome) -> bool {
        match input {
            Input::Begin => {
                if self.status != Status::New {
                    return false;
                }
                self.kickoff(outcome);
            }
            Input::Tick {
                running_ms,
                day_credits,
            } => return self.tick(running_ms, day_credits, outcome),
            Input::Stop => {
                if self.stopped || self.status == Status::Complete {
                    return false;
                }
                self.stopped = true;
            }
            Input::Resume => {
                if !self.stopped {
                    return false;
                }
                self.stopped = false;
                if self.status == Status::New {
                    self.kickoff(outcome);
                } else {
                    for step in self.outstanding.values_mut() {
                        step.begun = true;
                    }
                    outcome.commands = self.outstanding();
                }
            }
            Input::WriteNow => {
                if !matches!(self.status, Status::New | Status::Running) {
                    return false;
                }
                self.stopped = false;
                self.cut(Cut::WriteNow, outcome);
            }
            result => return self.result(result, outcome),
        }
        true
    }

    fn tick(&mut self, running_ms: u64, day_credits: u32, outcome: &mut Outcome) -> bool {
        let before = self.spending;
        // Running time never decreases, even if the clock jumps back.
        self.spending.running_ms = before.running_ms.max(running_ms);
        self.spending.day_left = day_credits;
        let over = self.spending.running_ms >= self.limits.running_ms;
        let cut = over && self.status == Status::Running && !self.stopped;
        if cut {
            self.cut(Cut::Time, outcome);
        }
        cut || self.spending != before
    }

    fn result(&mut self, input: Input, outcome: &mut Outcome) -> bool {
        let Some(key) = input.key().cloned() else {
            return false;
        };
        let Some(step) = self.outstanding.get(&key) else {
            return false;
        };
        if !fits(&step.command, &input) {
            return false;
        }
        let Some(step) = self.outstanding.remove(&key) else {
            return false;
        };
        let (ended, spent) = match input {
            Input::Failed { fault, credits, .. } => {
                if fault.kind == FaultKind::NoCredits {
                    self.refused_credits(step.credits, outcome);
                    return true;
                }
                (Ended::Failed(fault), credits)
            }
            Input::Unknown { .. } => (Ended::Unknown, step.credits),
            Input::Searched { credits, .. }
            | Input::Opened { credits, .. }
            | Input::Replied { credits, .. } => (Ended::Done(input), credits),
            _ => return false,
        };
        self.settle(step.credits, spent);
        match owner(&key) {
            Owner::Question(id) => self.researcher_step(&id, &step.command, ended, outcome),
            Owner::Brain => self.brain_step(&step.command, ended, outcome),
        }
        true
    }

    /// Handles a step that was not begun because the credits of the day are used up.
    fn refused_credits(&mut self, credits: u32, outcome: &mut Outcome) {
        self.settle(credits, 0);
        self.spending.day_left = 0;
        if self.status == Status::Running {
            self.cut(Cut::DayCredits, outcome);
        } else if self.status == Status::Synthesizing {
            self.write_embedded(outcome);
        }
    }

    /// Reserves credits; fails with the limit that prevents it. `keep` credits must stay free for the report.
    pub(super) fn reserve(&mut self, credits: u32, keep: u32) -> Result<(), Cut> {
        let used = self.spending.reserved.saturating_add(self.spending.spent);
        let wanted = credits.saturating_add(keep);
        if used.saturating_add(wanted) > self.limits.credits {
            return Err(Cut::Credits);
        }
        if wanted > self.spending.day_left {
            return Err(Cut::DayCredits);
        }
        self.spending.reserved += credits;
        self.spending.day_left -= credits;
        Ok(())
    }

    /// Ends a reservation: `spent` credits count as spent, and the rest is free again.
    fn settle(&mut self, reserved: u32, spent: u32) {
        self.spending.reserved = self.spending.reserved.saturating_sub(reserved);
        self.spending.spent = self.spending.spent.saturating_add(spent);
        let left = self.spending.day_left.saturating_add(reserved);
        self.spending.day_left = left.saturating_sub(spent);
    }

    /// Commands a step whose credits are reserved.
    pub(super) fn begin(
        &mut self,
        key: StepKey,
        command: Command,
        credits: u32,
        outcome: &mut Outcome,
    ) {
        outcome.commands.push(command.clone());
        let begun = !self.stopped;
        self.outstanding.insert(
            key,
            Outstanding {
                command,
                credits,
                begun,
            },
        );
    }

    /// Asks a model if the run has one and the credits can be reserved. Returns whether it was asked.
    pub(super) fn ask(
        &mut self,
        key: &str,
        stage: Stage,
        context: StageContext,
        outcome: &mut Outcome,
    ) -> bool {
        let price = self.limits.prices.stage;
        let keep = if stage == Stage::Synthesise { 0 } else { price };
        if self.by == crate::document::WrittenBy::Embedded || self.reserve(price, keep).is_err() {
            return false;
        }
        let key = StepKey(key.to_owned());
        let step = AskStep {
            key: key.clone(),
            stage,
            context,
            credits: price,
        };
        self.begin(key, Command::Ask(Box::new(step)), price, outcome);
        true
    }

    /// Cancels all steps in progress and writes with what there is. Steps that were begun count in full.
    pub(super) fn cut(&mut self, cut: Cut, outcome: &mut Outcome) {
        self.cut = Some(cut);
        for command in std::mem::take(&mut outcome.commands) {
            if let Some(step) = command.key().and_then(|key| self.outstanding.remove(key)) {
                self.settle(step.credits, 0);
            }
        }
        let mut dropped = std::mem::take(&mut self.outstanding);
        for step in dropped.values() {
            let spent = if step.begun { step.credits } else { 0 };
            self.settle(step.credits, spent);
        }
        dropped.retain(|_, step| step.begun);
        if !dropped.is_empty() {
            let keys = dropped.into_keys().collect();
            outcome.commands.push(Command::Cancel(keys));
        }
        self.close_questions(outcome);
        self.synthesise(outcome);
    }

    /// Notes a problem for the report.
    pub(super) fn note(&mut self, note: String) {
        if self.notes.len() < NOTES_MAX && !note.is_empty() && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Returns the owner of the step with this key.
fn owner(key: &StepKey) -> Owner {
    match key.0.split_once('/') {
        Some((id, _)) if id.starts_with('q') => Owner::Question(QuestionId(id.to_owned())),
        _ => Owner::Brain,
    }
}

/// Returns whether an input can be the result of a command.
const fn fits(command: &Command, input: &Input) -> bool {
    match input {
        Input::Searched { .. } => matches!(command, Command::Search(_)),
        Input::Opened { .. } => matches!(command, Command::Open(_)),
        Input::Replied { .. } => matches!(command, Command::Ask(_)),
        _ => true,
    }
}
