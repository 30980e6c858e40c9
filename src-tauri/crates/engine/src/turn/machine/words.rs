//! Answers of models in a turn: requested, published piece by piece, improved, and replaced by text built from the
//! results if no answer arrives.

use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::UserFault;
use adjutant_domain::plan::{Plan, StepState};

use super::{Effect, Machine};
use crate::respond;
use crate::respond::claims::{self, Grounds, Happened};
use crate::stages::complexity::Complexity;
use crate::stages::{ANSWER_CHARS_MAX, Failed, StageRequest, WayOut};

/// Maximum number of characters of thinking to publish; more is of no use to the person.
const THINKING_CHARS_MAX: usize = 20_000;

impl Machine {
    pub(super) fn respond(
        &mut self,
        results: Option<Box<Plan>>,
        complexity: Complexity,
        out: &mut Vec<Effect>,
    ) {
        let manner = self.manner();
        let complexity = if manner.no_critique || results.is_some() {
            Complexity::Simple
        } else {
            complexity
        };
        self.model.answered = true;
        // Hold back a draft that is to be improved.
        self.model.streams = complexity == Complexity::Simple && manner.tone.is_empty();
        let way_out = if results.is_none() && !self.model.plan_tried {
            WayOut::Plan
        } else {
            WayOut::None
        };
        let ask = StageRequest::Respond {
            text: self.text.clone(),
            results,
            complexity,
            way_out,
        };
        self.ask(ask, out);
    }

    /// Whether a model should still put the results of its plan into words. If nothing succeeded, a model could add
    /// nothing to the failures.
    pub(super) fn wants_words(&self) -> bool {
        self.model.planned
            && !self.model.answered
            && self.frame.model.is_some()
            && self.plan.as_ref().is_some_and(|plan| {
                plan.steps.iter().any(|step| {
                    step.state == StepState::Done && self.fresh.contains(&step.draft.key)
                })
            })
    }

    /// Whether the answer is being written.
    pub(super) fn is_writing(&self) -> bool {
        self.model.writing
    }

    pub(super) fn ask_for_words(&mut self, out: &mut Vec<Effect>) {
        let results = self.plan.clone().map(Box::new);
        self.respond(results, Complexity::Simple, out);
    }

    /// Returns a model's words about what was done.
    pub(super) fn words(&self) -> Option<&str> {
        self.model.words.as_deref()
    }

    /// Publishes a piece of the answer, unless it is held back.
    pub(super) fn piece(&mut self, text: String, out: &mut Vec<Effect>) {
        if !self.model.streams || self.model.told.len() > ANSWER_CHARS_MAX {
            return;
        }
        let fresh = self.model.void || self.model.told.is_empty();
        let text = if fresh {
            text.trim_start().to_owned()
        } else {
            text
        };
        if text.is_empty() {
            return;
        }
        let mut restart = std::mem::take(&mut self.model.void);
        if restart {
            self.model.told.clear();
        }
        self.model.told.push_str(&text);
        // Never publish the word that completes a false claim before the line that corrects it.
        let told = &self.model.told;
        let line = match self.unfinished() {
            Some(line) => (!told.starts_with(line)).then_some(line),
            None => claims::correction_at_end(told, text.len(), self.happened(), &self.grounds()),
        };
        let text = if let Some(line) = line {
            restart |= *told != text;
            self.model.told = claims::with_line(line, told);
            self.model.told.clone()
        } else {
            text
        };
        out.push(Effect::Emit(TurnEvent::Token { text, restart }));
    }

    /// Returns a model's words as they may be shown. A text that claims what this turn has no receipt for begins with a
    /// correction.
    pub(super) fn honest(&self, text: &str) -> String {
        let line = match self.unfinished() {
            Some(line) => (!text.starts_with(line)).then_some(line),
            None => claims::correction(text, self.happened(), &self.grounds()),
        };
        line.map_or_else(|| text.to_owned(), |line| claims::with_line(line, text))
    }

    /// Returns the line that must precede any words about a plan with unfinished parts, whether or not they claim
    /// otherwise.
    fn unfinished(&self) -> Option<&'static str> {
        let plan = self.plan.as_ref()?;
        respond::unfinished(plan, &self.frame.tools)
    }

    fn grounds(&self) -> Grounds<'_> {
        Grounds {
            said: &self.text,
            plan: self.plan.as_ref(),
        }
    }

    fn happened(&self) -> Happened {
        self.plan.as_ref().map_or(Happened::Nothing, |plan| {
            respond::happened(plan, &self.frame.tools)
        })
    }

    pub(super) fn thought(&mut self, text: String, out: &mut Vec<Effect>) {
        if self.model.thinking < THINKING_CHARS_MAX {
            self.model.thinking += text.chars().count();
            out.push(Effect::Emit(TurnEvent::Thinking { text }));
        }
    }

    /// Restarts the answer, because another model takes over.
    pub(super) fn answering(&mut self, why: Option<String>, out: &mut Vec<Effect>) {
        self.model.void |= !self.model.told.is_empty();
        if let Some(text) = why {
            out.push(Effect::Emit(TurnEvent::Status { text }));
        }
    }

    /// Returns the event that completes what was published, so that all pieces together are the answer.
    pub(super) fn rest_of(&mut self, answer: &str) -> Option<TurnEvent> {
        let told = std::mem::take(&mut self.model.told);
        let void = std::mem::take(&mut self.model.void);
        // Trailing white space of what was published is not part of the answer.
        match answer.strip_prefix(told.trim_end()) {
            Some(rest) if !void => (!rest.is_empty()).then(|| TurnEvent::token(rest)),
            _ => Some(TurnEvent::Token {
                text: answer.to_owned(),
                restart: !told.is_empty(),
            }),
        }
    }

    /// Ends without an answer of a model: with text built from the results, or with an honest sentence.
    pub(super) fn no_words(&mut self, why: Option<Failed>, out: &mut Vec<Effect>) {
        if self.model.planned && self.plan.is_some() {
            self.model.words = None;
            self.model.void |= !self.model.told.is_empty();
            return self.pause(out);
        }
        self.model.fault = why.as_ref().map(UserFault::from);
        let text = match &why {
            // Keep what was published and say that it is incomplete.
            Some(failed) if !self.model.told.is_empty() && !self.model.void => format!(
                "{}\n\n({} The answer ends here; ask for the rest.)",
                self.model.told.trim_end(),
                failed.sentence()
            ),
            _ => self.without_model(why.as_ref()),
        };
        self.say_not_understood(text, out);
    }

    /// Returns what can be said without a model, and why no model answered.
    pub(super) fn without_model(&self, why: Option<&Failed>) -> String {
        let own = self.model.unread.clone();
        let why = why.map(|failed| format!("{} {}", failed.sentence(), failed.hint()));
        let parts: Vec<String> = why.into_iter().chain(own).collect();
        if parts.is_empty() {
            "No answer came from the model, and nothing was done. Ask again.".to_owned()
        } else {
            parts.join("\n\n")
        }
    }

    /// Handles a draft: critique if the request is hard, then the tone if one is set.
    pub(super) fn drafted(&mut self, draft: String, complexity: Complexity, out: &mut Vec<Effect>) {
        if complexity == Complexity::Complex {
            let text = self.text.clone();
            self.ask(StageRequest::Critique { text, draft }, out);
        } else {
            self.tone(draft, out);
        }
    }

    pub(super) fn tone(&mut self, draft: String, out: &mut Vec<Effect>) {
        if self.manner().tone.is_empty() {
            return self.finished_words(draft, out);
        }
        // Whether the facts were kept is known only at the end.
        self.model.streams = false;
        self.ask(StageRequest::Tone { draft }, out);
    }

    pub(super) fn finished_words(&mut self, text: String, out: &mut Vec<Effect>) {
        let text = self.honest(&text);
        if self.plan.is_some() {
            self.model.words = Some(text);
            // Look at the proposed calls first.
            self.advance(out);
        } else {
            self.say(text, out);
        }
    }
}

/// Appends a note to an answer that was cut off at its limit.
pub(super) fn with_end(text: String, cut: bool) -> String {
    if cut {
        format!(
            "{text} …\n\n(The answer ends here because it reached its limit. Ask for the rest.)"
        )
    } else {
        text
    }
}
