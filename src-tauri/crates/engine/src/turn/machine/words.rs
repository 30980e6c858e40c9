//! Answers of models in a turn: asked for, told piece by piece, worked on, and replaced by what the results say where none
//! comes.

use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::UserFault;
use adjutant_domain::plan::{Plan, StepState};

use super::{Effect, Machine};
use crate::respond;
use crate::respond::claims::{self, Grounds, Happened};
use crate::stages::complexity::Complexity;
use crate::stages::{ANSWER_CHARS_MAX, Failed, StageRequest, WayOut};

/// Characters of thinking that are told; the rest of it is of no use to a person.
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
        // A draft that is worked on further is held back.
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

    /// Whether the results of a model's plan still have to be put into words. Where nothing ended well there is nothing
    /// a model could add to what did not work.
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

    /// Whether the answer is on its way.
    pub(super) fn is_writing(&self) -> bool {
        self.model.writing
    }

    pub(super) fn ask_for_words(&mut self, out: &mut Vec<Effect>) {
        let results = self.plan.clone().map(Box::new);
        self.respond(results, Complexity::Simple, out);
    }

    /// The words of a model for what was done.
    pub(super) fn words(&self) -> Option<&str> {
        self.model.words.as_deref()
    }

    /// A piece of the answer is told, if it is not held back.
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
        // The word that makes it a claim is not told before the line that corrects it.
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

    /// The words of a model as they may be shown: a text that claims what this turn has no receipt for says so first.
    pub(super) fn honest(&self, text: &str) -> String {
        let line = match self.unfinished() {
            Some(line) => (!text.starts_with(line)).then_some(line),
            None => claims::correction(text, self.happened(), &self.grounds()),
        };
        line.map_or_else(|| text.to_owned(), |line| claims::with_line(line, text))
    }

    /// Words about a plan of which something was not done do not stand alone, whether they are seen to claim it or not.
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

    /// Another model goes on from the start.
    pub(super) fn answering(&mut self, why: Option<String>, out: &mut Vec<Effect>) {
        self.model.void |= !self.model.told.is_empty();
        if let Some(text) = why {
            out.push(Effect::Emit(TurnEvent::Status { text }));
        }
    }

    /// What is still to be told of an answer, so that all pieces together are the answer.
    pub(super) fn rest_of(&mut self, answer: &str) -> Option<TurnEvent> {
        let told = std::mem::take(&mut self.model.told);
        let void = std::mem::take(&mut self.model.void);
        // White space at the end of what was told is no part of the answer.
        match answer.strip_prefix(told.trim_end()) {
            Some(rest) if !void => (!rest.is_empty()).then(|| TurnEvent::token(rest)),
            _ => Some(TurnEvent::Token {
                text: answer.to_owned(),
                restart: !told.is_empty(),
            }),
        }
    }

    /// No answer came: text built from the results, or an honest sentence.
    pub(super) fn no_words(&mut self, why: Option<Failed>, out: &mut Vec<Effect>) {
        if self.model.planned && self.plan.is_some() {
            self.model.words = None;
            self.model.void |= !self.model.told.is_empty();
            return self.pause(out);
        }
        self.model.fault = why.as_ref().map(UserFault::from);
        let text = match &why {
            // What was told is kept; that it is not the whole answer is said.
            Some(failed) if !self.model.told.is_empty() && !self.model.void => format!(
                "{}\n\n({} The answer ends here; ask for the rest.)",
                self.model.told.trim_end(),
                failed.sentence()
            ),
            _ => self.without_model(why.as_ref()),
        };
        self.say_not_understood(text, out);
    }

    /// What can be said without a model, and why it has to be.
    pub(super) fn without_model(&self, why: Option<&Failed>) -> String {
        let why = why.map(|failed| format!("{} {}", failed.sentence(), failed.hint()));
        let own = self.model.unread.clone();
        let parts: Vec<String> = why.into_iter().chain(own).collect();
        if parts.is_empty() {
            "No answer came from the model, and nothing was done. Ask again.".to_owned()
        } else {
            parts.join("\n\n")
        }
    }

    /// A draft is there: critique where the request is hard, tone where one is set.
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
        // Whether the facts were kept is known at the end only.
        self.model.streams = false;
        self.ask(StageRequest::Tone { draft }, out);
    }

    pub(super) fn finished_words(&mut self, text: String, out: &mut Vec<Effect>) {
        let text = self.honest(&text);
        if self.plan.is_some() {
            self.model.words = Some(text);
            // Calls that were proposed are looked at first.
            self.advance(out);
        } else {
            self.say(text, out);
        }
    }
}

/// An answer that reached its limit says so.
pub(super) fn with_end(text: String, cut: bool) -> String {
    if cut {
        format!(
            "{text} …\n\n(The answer ends here because it reached its limit. Ask for the rest.)"
        )
    } else {
        text
    }
}
