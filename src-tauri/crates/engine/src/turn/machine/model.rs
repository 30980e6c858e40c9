//! The part of models in a turn: which stage is asked when, and what becomes of every reply and of every failure. The
//! embedded engine goes first; nothing is asked that it can do. No reply of a model is an approval, adds a step to a plan
//! that runs, or lowers a risk.

use adjutant_domain::event::TurnEvent;
use adjutant_domain::gate::{Policy, Risk};
use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{Plan, Step, StepDraft, StepState};
use adjutant_domain::reading::Reading;
use adjutant_domain::route::{Route, RouteKind};
use adjutant_domain::source::{Source, Sources, Taint};
use serde_json::Value;

use super::resume::first_question;
use super::{Draw, Effect, Machine, Proposed};
use crate::stages::complexity::{self, Complexity};
use crate::stages::plan::{self, Planned};
use crate::stages::resume::Classified;
use crate::stages::{
    ANSWER_CHARS_MAX, Ask, Failed, Manner, PROPOSALS_MAX, Said, ToolProposal, facts, route,
};

/// Characters of thinking that are told; the rest of it is of no use to a person.
const THINKING_CHARS_MAX: usize = 20_000;

/// What models have done in a turn.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// What the embedded engine said when it did not understand: the answer when no model helps.
    unread: Option<String>,
    /// Something waits, and the message may be about it.
    pub(super) may_resume: bool,
    /// The route was told.
    route_told: bool,
    /// The plan is a model's.
    planned: bool,
    /// The answer as far as it was told.
    told: String,
    /// Pieces are told as they come.
    streams: bool,
    /// What was told is void: the next piece begins the answer again.
    void: bool,
    /// The answer a model gave.
    words: Option<String>,
    /// An answer was asked for.
    answered: bool,
    /// The answer is being written or worked on.
    writing: bool,
    /// The request was restated by a model.
    restated: bool,
    /// Characters of thinking told so far.
    thinking: usize,
    /// Steps that no plan has: calls a model wanted in an answer.
    strangers: Vec<StepKey>,
    /// Text of others was shown to a model.
    pub(super) taint: Taint,
    /// A question of a model to the person was answered; the plan is made again.
    replanning: bool,
    /// It was made again in this turn: that happens once for an answer.
    replanned: bool,
}

impl Part {
    /// Whether the embedded engine left the message to a model. Then a model's requests say what was gathered.
    pub(super) fn is_asked(&self) -> bool {
        self.unread.is_some()
    }
}

impl Machine {
    fn manner(&self) -> Manner {
        self.frame.model.clone().unwrap_or_default()
    }

    fn ask(&mut self, ask: Ask, out: &mut Vec<Effect>) {
        out.push(Effect::Emit(TurnEvent::Status {
            text: ask.status().to_owned(),
        }));
        self.model.writing |= ask.is_answer();
        out.push(Effect::AskModel(Box::new(ask)));
    }

    /// With a model there is no need to wait for context: the embedded planner does not use it, and a request to a model
    /// takes what there is.
    pub(super) fn routed_with_model(&mut self, route: Route, out: &mut Vec<Effect>) {
        if route::is_sure(&route, &self.text) {
            self.tell_route(&route, out);
        }
        self.route = Some(route.clone());
        out.push(Effect::MakePlan {
            text: self.text.clone(),
            route,
        });
    }

    fn tell_route(&mut self, route: &Route, out: &mut Vec<Effect>) {
        if !std::mem::replace(&mut self.model.route_told, true) {
            out.push(Effect::Emit(TurnEvent::Routed {
                route: route.clone(),
            }));
        }
    }

    /// Gives the reading back where the embedded engine read the message; asks a model where it did not.
    pub(super) fn unread(&mut self, reading: Reading, out: &mut Vec<Effect>) -> Option<Reading> {
        let Some(route) = self.route.clone().filter(|_| self.frame.model.is_some()) else {
            return Some(reading);
        };
        let text = match reading {
            Reading::NotUnderstood { text, .. } => text,
            // Another language was recognised, and said so; a model may know it.
            Reading::Say { text, .. } if route::is_foreign(&route) => text,
            read => {
                self.tell_route(&route, out);
                if matches!(read, Reading::Say { .. }) {
                    out.push(Effect::DropContext);
                }
                return Some(self.as_said(read));
            }
        };
        self.model.unread = Some(text);
        if std::mem::take(&mut self.model.may_resume)
            && let Some((turn, plan)) = self.waiting()
        {
            self.ask(
                Ask::Resume {
                    request: turn.text,
                    question: first_question(&plan),
                    plan: Box::new(plan),
                },
                out,
            );
        } else {
            self.go_by_route(route, out);
        }
        None
    }

    /// What a model restated is not the person's word: only what stands in what they said stays theirs.
    fn as_said(&self, reading: Reading) -> Reading {
        let Reading::Plan { mut plan, trace } = reading else {
            return reading;
        };
        if self.model.restated {
            let former = self.past.waiting.as_ref().map(|turn| turn.text.as_str());
            let said: Vec<&str> = [self.frame.text.as_str()]
                .into_iter()
                .chain(former)
                .collect();
            for source in plan
                .steps
                .iter_mut()
                .flat_map(|step| step.sources.values_mut())
            {
                if let Source::Person { words } = source
                    && !words
                        .as_ref()
                        .is_some_and(|words| said.iter().any(|said| plan::stands_in(said, words)))
                {
                    *source = Source::Derived;
                }
            }
        }
        Reading::Plan { plan, trace }
    }

    /// The embedded route, where it is sure; else that of the fast model.
    fn go_by_route(&mut self, route: Route, out: &mut Vec<Effect>) {
        if route::is_sure(&route, &self.text) {
            self.go(route, out);
        } else {
            let text = self.text.clone();
            self.ask(Ask::Route { text }, out);
        }
    }

    /// Plain conversation is answered at once; anything else is planned.
    fn go(&mut self, route: Route, out: &mut Vec<Effect>) {
        self.tell_route(&route, out);
        self.route = Some(route.clone());
        if route::needs_tools(&route, &self.frame.served) {
            let ask = Ask::Plan {
                text: self.text.clone(),
                route,
                said: Vec::new(),
                again: None,
            };
            self.ask(ask, out);
        } else {
            self.converse(out);
        }
    }

    fn converse(&mut self, out: &mut Vec<Effect>) {
        let complexity = complexity::of(&self.text);
        self.respond(None, complexity, out);
    }

    fn respond(
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
        let ask = Ask::Respond {
            text: self.text.clone(),
            results,
            complexity,
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
        let restart = std::mem::take(&mut self.model.void);
        if restart {
            self.model.told.clear();
        }
        self.model.told.push_str(&text);
        out.push(Effect::Emit(TurnEvent::Token { text, restart }));
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

    /// What is kept of an answer that was stopped.
    pub(super) fn stopped_words(&self) -> String {
        let told = self.model.told.trim();
        if told.is_empty() || self.model.void {
            "Stopped. Nothing was done.".to_owned()
        } else {
            format!("{told}\n\nStopped here by you.")
        }
    }

    /// A model ended: every reply and every failure has its place.
    pub(super) fn model_said(
        &mut self,
        ask: Ask,
        said: Result<Said, Failed>,
        draw: Draw,
        out: &mut Vec<Effect>,
    ) {
        self.model.writing &= !ask.is_answer();
        match (ask, said) {
            (Ask::Route { .. }, Ok(Said::Route(route))) => self.go(route, out),
            // A bad reply means conversation: the safe reading, which changes nothing.
            (Ask::Route { .. }, _) => {
                let route = self.route.clone().map(|route| Route {
                    kind: RouteKind::Chat,
                    domains: Vec::new(),
                    ..route
                });
                if let Some(route) = &route {
                    self.tell_route(route, out);
                }
                self.converse(out);
            }
            (Ask::Plan { .. }, Ok(Said::Plan(planned))) => self.take_plan(planned, draw, out),
            (
                Ask::Plan {
                    text,
                    route,
                    said,
                    again: None,
                },
                Err(Failed::Unusable(again)),
            ) => self.ask(
                Ask::Plan {
                    text,
                    route,
                    said,
                    again: Some(again),
                },
                out,
            ),
            (Ask::Plan { .. }, said) => self.no_plan(said.err(), out),
            (Ask::Resume { .. }, Ok(Said::Resume(kind))) => self.resumed(kind, out),
            (Ask::Resume { .. }, _) => self.go_by_known_route(out),
            (Ask::Extract(wanted), said) => self.extracted(&wanted.step, said, out),
            (
                Ask::Respond { complexity, .. },
                Ok(Said::Text {
                    text,
                    cut,
                    proposals,
                }),
            ) => {
                self.take_proposals(proposals, &draw, out);
                self.drafted(with_end(text, cut), complexity, out);
            }
            (Ask::Respond { .. }, said) => self.no_words(said.err(), out),
            (Ask::Critique { text, draft }, Ok(Said::Critique(problems)))
                if !problems.is_empty() =>
            {
                self.model.streams = self.manner().tone.is_empty();
                self.ask(
                    Ask::Refine {
                        text,
                        draft,
                        problems,
                    },
                    out,
                );
            }
            (Ask::Critique { draft, .. }, _) => self.tone(draft, out),
            (Ask::Refine { draft, .. }, said) => match said {
                Ok(Said::Text {
                    text, cut: false, ..
                }) => self.tone(text, out),
                _ => self.tone(draft, out),
            },
            (Ask::Tone { draft }, said) => match said {
                Ok(Said::Text {
                    text, cut: false, ..
                }) if facts::kept(&draft, &text) => {
                    self.finished_words(text, out);
                }
                _ => self.finished_words(draft, out),
            },
        }
    }

    fn go_by_known_route(&mut self, out: &mut Vec<Effect>) {
        match self.route.clone() {
            Some(route) => self.go_by_route(route, out),
            None => self.converse(out),
        }
    }

    /// A plan of a model: it runs through the same gate, asks the person, or has nothing to do.
    fn take_plan(&mut self, planned: Planned, draw: Draw, out: &mut Vec<Effect>) {
        let mut draft = planned.draft;
        if draft.request.is_empty() || planned.question.is_some() {
            draft.request.clone_from(&self.text);
        }
        if let Some(question) = planned.question {
            draft.steps = vec![plan::clarify(&question)];
        } else if draft.steps.is_empty() {
            return self.converse(out);
        } else {
            self.model.planned = true;
        }
        // A plan that is made again after a question goes on with its own turn.
        if !std::mem::take(&mut self.model.replanning) {
            self.replace_former();
        }
        self.adopt(draft, draw.plan, out);
    }

    /// No plan came: what the embedded engine would have said, and why no model helped. The message is kept.
    fn no_plan(&mut self, why: Option<Failed>, out: &mut Vec<Effect>) {
        let text = match &why {
            Some(Failed::Model(_) | Failed::Deadline(_)) => self.without_model(why.as_ref()),
            _ => "I had trouble understanding that, so I have done nothing. Please say it in other words, or in smaller steps."
                .to_owned(),
        };
        self.plan = None;
        self.say_not_understood(text, out);
    }

    fn say_not_understood(&mut self, text: String, out: &mut Vec<Effect>) {
        let text = if self.waiting().is_some() {
            format!("{text}\n\nWhat waited before still waits; nothing was done.")
        } else {
            text
        };
        self.say(text, out);
    }

    /// No answer came: text built from the results, or an honest sentence.
    fn no_words(&mut self, why: Option<Failed>, out: &mut Vec<Effect>) {
        if self.model.planned && self.plan.is_some() {
            self.model.words = None;
            self.model.void |= !self.model.told.is_empty();
            return self.pause(out);
        }
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
    fn without_model(&self, why: Option<&Failed>) -> String {
        let why = why.map(|failed| format!("{} {}", failed.sentence(), failed.hint()));
        let own = self.model.unread.clone();
        let parts: Vec<String> = why.into_iter().chain(own).collect();
        if parts.is_empty() {
            "No answer came from the model, and nothing was done. Ask again.".to_owned()
        } else {
            parts.join("\n\n")
        }
    }

    fn resumed(&mut self, kind: Classified, out: &mut Vec<Effect>) {
        let Some((turn, plan)) = self.waiting() else {
            return self.go_by_known_route(out);
        };
        match kind {
            Classified::New => self.go_by_known_route(out),
            Classified::Abandon => self.abandon(&turn, &plan, out),
            Classified::Modify { text } => {
                self.text = text;
                self.supersede = true;
                self.model.restated = true;
                // The embedded engine may well read the restated request.
                out.push(Effect::Route {
                    text: self.text.clone(),
                });
            }
            Classified::Answer { text } => match first_question(&plan) {
                // An answer is the person's: it stands in what they said.
                Some(question) if plan::stands_in(&self.frame.text, &text) => {
                    out.push(Effect::ReadAnswer {
                        text,
                        question: Box::new(question),
                    })
                }
                _ => self.go_by_known_route(out),
            },
        }
    }

    /// The embedded engine has the last word on what an answer means.
    pub(super) fn answer_read(&mut self, value: Option<Value>, out: &mut Vec<Effect>) {
        match (value, self.waiting()) {
            (Some(value), Some((turn, _))) => self.exact_answer(turn, value, out),
            _ => self.go_by_known_route(out),
        }
    }

    /// A draft is there: critique where the request is hard, tone where one is set.
    fn drafted(&mut self, draft: String, complexity: Complexity, out: &mut Vec<Effect>) {
        if complexity == Complexity::Complex {
            let text = self.text.clone();
            self.ask(Ask::Critique { text, draft }, out);
        } else {
            self.tone(draft, out);
        }
    }

    fn tone(&mut self, draft: String, out: &mut Vec<Effect>) {
        if self.manner().tone.is_empty() {
            return self.finished_words(draft, out);
        }
        // Whether the facts were kept is known at the end only.
        self.model.streams = false;
        self.ask(Ask::Tone { draft }, out);
    }

    fn finished_words(&mut self, text: String, out: &mut Vec<Effect>) {
        if self.plan.is_some() {
            self.model.words = Some(text);
            // Calls that were proposed are looked at first.
            self.advance(out);
        } else {
            self.say(text, out);
        }
    }

    /// Values came out of a text, or not.
    fn extracted(&mut self, step: &StepKey, said: Result<Said, Failed>, out: &mut Vec<Effect>) {
        match said {
            Ok(Said::Values { values, .. }) => self.read_out(step, values, out),
            failed => {
                let why = match failed {
                    Err(failed) => failed.sentence(),
                    Ok(_) => "The details could not be taken out of the text.".to_owned(),
                };
                let fault = adjutant_domain::faults::UserFault::new(
                    "not_extracted",
                    why,
                    "Say the details yourself, or ask again.",
                );
                self.fail(step, fault, out);
            }
        }
        self.advance(out);
    }

    /// Calls a model wants besides its answer are put before the person, each as if a stranger had asked for it.
    fn take_proposals(&mut self, wanted: Vec<ToolProposal>, draw: &Draw, out: &mut Vec<Effect>) {
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
            });
            self.model.strangers.push(key.clone());
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
        self.model.strangers.contains(step)
    }

    /// The person answered a question of the planner: the plan is made with the answer.
    pub(super) fn replan(
        &mut self,
        plan: &Plan,
        step: &StepDraft,
        out: &mut Vec<Effect>,
    ) -> StepState {
        if std::mem::replace(&mut self.model.replanned, true) {
            return StepState::Cancelled {
                reason: "The plan came back to the same question.".into(),
            };
        }
        let answer = step
            .args
            .pointer(plan::CLARIFY_SLOT)
            .and_then(Value::as_str)
            .unwrap_or_default();
        self.text = format!("{}\n{} {answer}", plan.request, step.say);
        self.model.replanning = true;
        let route = self.route.clone().unwrap_or(Route {
            kind: RouteKind::Action,
            domains: Vec::new(),
            is_followup: true,
            confidence: 0.0,
            by: "embedded".into(),
        });
        let ask = Ask::Plan {
            text: self.text.clone(),
            route,
            said: vec![answer.to_owned()],
            again: None,
        };
        self.ask(ask, out);
        StepState::Running
    }
}

/// An answer that reached its limit says so.
fn with_end(text: String, cut: bool) -> String {
    if cut {
        format!(
            "{text} …\n\n(The answer ends here because it reached its limit. Ask for the rest.)"
        )
    } else {
        text
    }
}
