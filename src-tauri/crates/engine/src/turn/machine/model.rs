//! The part of models in a turn: when each stage is asked, and how every reply and failure is handled. The embedded
//! engine goes first, and models are asked only what it cannot do. No model reply approves anything, adds a step to a
//! running plan, or lowers a risk.

use adjutant_domain::event::TurnEvent;
use adjutant_domain::faults::UserFault;
use adjutant_domain::plan::{Plan, PlanDraft, StepDraft, StepState};
use adjutant_domain::reading::Reading;
use adjutant_domain::route::{Route, RouteKind};
use adjutant_domain::source::{Source, Taint};
use serde_json::Value;

use super::resume::first_question;
use super::words::with_end;
use super::{Draw, Effect, Machine};
use crate::stages::complexity;
use crate::stages::extract::{ExtractRequest, READ_IN_PART};
use crate::stages::plan::{self, Planned};
use crate::stages::resume::Classified;
use crate::stages::{Failed, ModelPreferences, StageReply, StageRequest, facts, route};

/// Fault code for a tool that rejects its arguments.
const NOT_TAKEN: &str = "bad_arguments";

/// The state of models' work in a turn.
#[derive(Debug, Default)]
pub(super) struct ModelPart {
    /// What the embedded engine says about a message it did not understand: the answer if no model helps.
    pub(super) unread: Option<String>,
    /// Whether something waits that the message may be about.
    pub(super) may_resume: bool,
    /// Whether the route was published.
    pub(super) route_told: bool,
    /// Whether a model made the plan.
    pub(super) planned: bool,
    /// The answer as far as it was published.
    pub(super) told: String,
    /// Whether pieces are published as they arrive.
    pub(super) streams: bool,
    /// Whether the published text is void, so that the next piece restarts the answer.
    pub(super) void: bool,
    /// The answer that a model gave.
    pub(super) words: Option<String>,
    /// Why no model gave an answer.
    pub(super) fault: Option<UserFault>,
    /// Whether an answer was requested.
    pub(super) answered: bool,
    /// Whether the answer is being written or improved.
    pub(super) writing: bool,
    /// Whether the embedded engine made a plan without understanding the whole message; if the plan fails, a model is
    /// asked.
    pub(super) doubtful: bool,
    /// Whether a model restated the request.
    pub(super) restated: bool,
    /// Whether the request was worded by a model that had read foreign text.
    pub(super) read_others: bool,
    /// Characters of thinking published so far.
    pub(super) thinking: usize,
    /// Taint of what models were shown.
    pub(super) taint: Taint,
    /// Whether the person answered a model's question, so that the plan is made again.
    pub(super) replanning: bool,
    /// The embedded engine's plan, kept while a model plans because a server's tool may suit better. It is used if no
    /// model makes a plan.
    pub(super) instead: Option<PlanDraft>,
    /// Whether a model was asked for a plan in this turn.
    pub(super) plan_tried: bool,
    /// Whether the plan was made again in this turn, which happens once per answer.
    pub(super) replanned: bool,
}

impl ModelPart {
    /// Whether the embedded engine left the message to a model. The model requests then report the gathered context.
    pub(super) fn is_asked(&self) -> bool {
        self.unread.is_some()
    }
}

impl Machine {
    pub(super) fn manner(&self) -> ModelPreferences {
        self.frame.model.clone().unwrap_or_default()
    }

    pub(super) fn ask(&mut self, ask: StageRequest, out: &mut Vec<Effect>) {
        out.push(Effect::Emit(TurnEvent::Status {
            text: ask.status().to_owned(),
        }));
        self.model.writing |= ask.is_answer();
        self.model.plan_tried |= matches!(ask, StageRequest::Plan { .. });
        out.push(Effect::AskModel(Box::new(ask)));
    }

    /// Continues after routing without waiting for context: the embedded planner does not use it, and a model request
    /// takes what is there.
    pub(super) fn routed_with_model(&mut self, route: Route, out: &mut Vec<Effect>) {
        if self.is_sure(&route) {
            self.tell_route(&route, out);
        }
        self.route = Some(route.clone());
        out.push(Effect::MakePlan {
            text: self.text.clone(),
            route,
        });
    }

    /// Whether the embedded route is good enough. It does not know the tools of servers, so with servers only a model
    /// can say that a message needs no tool.
    fn is_sure(&self, route: &Route) -> bool {
        route::is_sure(route, &self.text, self.frame.tools.has_servers())
    }

    fn tell_route(&mut self, route: &Route, out: &mut Vec<Effect>) {
        if !std::mem::replace(&mut self.model.route_told, true) {
            out.push(Effect::Emit(TurnEvent::Routed {
                route: route.clone(),
            }));
        }
    }

    /// Returns the reading if the embedded engine understood the message; otherwise asks a model and returns `None`.
    pub(super) fn unread(&mut self, reading: Reading, out: &mut Vec<Effect>) -> Option<Reading> {
        let Some(route) = self.route.clone().filter(|_| self.frame.model.is_some()) else {
            return Some(reading);
        };
        let has_unread = has_unread_words(&reading);
        let text = match reading {
            Reading::NotUnderstood { text, .. } => text,
            // The embedded engine only recognised a foreign language; a model may understand it.
            Reading::Say { text, .. } if route::is_foreign(&route) => text,
            Reading::Plan { plan, .. }
                if has_unread || self.frame.tools.are_contested(&plan, &route) =>
            {
                let request = StageRequest::Plan {
                    text: self.text.clone(),
                    route: route.clone(),
                    said: Vec::new(),
                    again: None,
                };
                self.tell_route(&route, out);
                self.model.unread = Some(String::new());
                self.model.instead = Some(plan);
                self.ask(request, out);
                return None;
            }
            read => {
                self.tell_route(&route, out);
                self.model.doubtful = has_unread;
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
                StageRequest::Resume {
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

    /// Marks values of a restated request as derived, unless they occur in the person's own words.
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

    /// Follows the embedded route if it is sure, otherwise asks the fast model for a route.
    fn go_by_route(&mut self, route: Route, out: &mut Vec<Effect>) {
        if self.is_sure(&route) {
            self.go(route, out);
        } else {
            let text = self.text.clone();
            self.ask(StageRequest::Route { text }, out);
        }
    }

    /// Answers plain conversation directly and plans anything else.
    fn go(&mut self, route: Route, out: &mut Vec<Effect>) {
        self.tell_route(&route, out);
        self.route = Some(route.clone());
        let tools = &self.frame.tools;
        if route::needs_tools(&route, tools.served(), tools.has_servers()) {
            let ask = StageRequest::Plan {
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

    /// Handles the end of a model request, whether a reply or a failure.
    pub(super) fn model_said(
        &mut self,
        ask: StageRequest,
        said: Result<StageReply, Failed>,
        draw: Draw,
        out: &mut Vec<Effect>,
    ) {
        self.model.writing &= !ask.is_answer();
        match (ask, said) {
            (StageRequest::Route { .. }, Ok(StageReply::Route(route))) => self.go(route, out),
            // After a bad reply, assume conversation: the safe reading, which changes nothing.
            (StageRequest::Route { .. }, _) => {
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
            (StageRequest::Plan { .. }, Ok(StageReply::Plan(planned))) => {
                self.take_plan(planned, draw, out)
            }
            (
                StageRequest::Plan {
                    text,
                    route,
                    said,
                    again: None,
                },
                Err(Failed::Unusable(again)),
            ) => self.ask(
                StageRequest::Plan {
                    text,
                    route,
                    said,
                    again: Some(again),
                },
                out,
            ),
            (StageRequest::Plan { .. }, said) => match self.model.instead.take() {
                Some(plan) => {
                    self.replace_former();
                    self.adopt(plan, draw.plan, out);
                }
                None => self.no_plan(said.err(), out),
            },
            (StageRequest::Resume { .. }, Ok(StageReply::Resume(kind))) => self.resumed(kind, out),
            (StageRequest::Resume { .. }, _) => self.go_by_known_route(out),
            (StageRequest::Extract(wanted), said) => self.extracted(&wanted, said, out),
            (
                StageRequest::Respond { complexity, .. },
                Ok(StageReply::Text {
                    text,
                    cut,
                    proposals,
                }),
            ) => {
                self.take_proposals(proposals, &draw, out);
                self.drafted(with_end(text, cut), complexity, out);
            }
            (StageRequest::Respond { text, .. }, Ok(StageReply::NeedsPlan)) => {
                self.plan_instead(text, out)
            }
            (StageRequest::Respond { .. }, said) => self.no_words(said.err(), out),
            (StageRequest::Critique { text, draft }, Ok(StageReply::Critique(problems)))
                if !problems.is_empty() =>
            {
                self.model.streams = self.manner().tone.is_empty();
                self.ask(
                    StageRequest::Refine {
                        text,
                        draft,
                        problems,
                    },
                    out,
                );
            }
            (StageRequest::Critique { draft, .. }, _) => self.tone(draft, out),
            (StageRequest::Refine { draft, .. }, said) => match said {
                Ok(StageReply::Text {
                    text, cut: false, ..
                }) => self.tone(text, out),
                _ => self.tone(draft, out),
            },
            (StageRequest::Tone { draft }, said) => match said {
                Ok(StageReply::Text {
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

    /// Plans a message that was taken for conversation, because the answering model says that it needs a plan.
    fn plan_instead(&mut self, text: String, out: &mut Vec<Effect>) {
        let Some(route) = self.route.clone() else {
            return self.no_plan(None, out);
        };
        self.model.void |= !self.model.told.is_empty();
        self.model.answered = false;
        let ask = StageRequest::Plan {
            text,
            // The route was wrong: show the planner tools and rows of every domain.
            route: Route {
                kind: RouteKind::Action,
                confidence: 0.0,
                ..route
            },
            said: Vec::new(),
            again: None,
        };
        self.ask(ask, out);
    }

    /// Adopts a model's plan: it runs through the same gate, asks the person, or has nothing to do.
    fn take_plan(&mut self, planned: Planned, draw: Draw, out: &mut Vec<Effect>) {
        let mut draft = planned.draft;
        if draft.request.is_empty() || planned.question.is_some() {
            draft.request.clone_from(&self.text);
        }
        if let Some(question) = planned.question {
            draft.steps = vec![plan::clarify(&question)];
        } else if draft.steps.is_empty() {
            // If the person had answered a question first, that question's plan ends here.
            self.plan = None;
            return self.converse(out);
        } else {
            self.model.planned = true;
        }
        // A plan made again after a question continues in the question's own turn.
        if !std::mem::take(&mut self.model.replanning) {
            self.replace_former();
        }
        self.adopt(draft, draw.plan, out);
    }

    /// Whether the embedded engine's guess failed and a model may know better: its tool rejected the arguments, or part
    /// of the message was not understood.
    pub(super) fn was_a_bad_guess(&self) -> bool {
        // Only messages are guessed at; a button means exactly one thing.
        self.model.route_told
            && !self.model.answered
            && !self.model.planned
            && self.plan.as_ref().is_some_and(|plan| {
                plan.steps.iter().all(|step| {
                    let guessed = self.model.doubtful || self.frame.tools.judges(&step.draft.tool);
                    guessed
                        && matches!(&step.state, StepState::Failed { fault } if fault.code == NOT_TAKEN)
                })
            })
    }

    /// Asks a model instead; the failure of the guess becomes the answer if no model helps.
    pub(super) fn answer_instead(&mut self, out: &mut Vec<Effect>) {
        self.model.unread = self.plan.take().and_then(|plan| {
            plan.steps.into_iter().find_map(|step| match step.state {
                StepState::Failed { fault } => Some(fault.to_string()),
                _ => None,
            })
        });
        self.fresh.clear();
        // A server's tool may handle what ours could not.
        if self.frame.tools.has_servers() {
            self.go_by_known_route(out);
        } else {
            self.converse(out);
        }
    }

    /// Ends the turn without a plan: says what the embedded engine would have said and why no model helped. The message
    /// is kept.
    fn no_plan(&mut self, why: Option<Failed>, out: &mut Vec<Effect>) {
        let text = match &why {
            Some(failed @ (Failed::Model(_) | Failed::Deadline(_))) => {
                self.model.fault = Some(failed.into());
                self.without_model(why.as_ref())
            }
            _ => "I had trouble understanding that, so I have done nothing. Please say it in other words, or in smaller steps."
                .to_owned(),
        };
        self.plan = None;
        self.say_not_understood(text, out);
    }

    pub(super) fn say_not_understood(&mut self, text: String, out: &mut Vec<Effect>) {
        let text = if self.waiting().is_some() {
            format!("{text}\n\nWhat was waiting before is still waiting; nothing was done.")
        } else {
            text
        };
        self.say(text, out);
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
                // The model saw the waiting plan with its question and may have taken words from it.
                self.model.read_others = plan.taint.join(plan.planner) == Taint::Tainted;
                // The embedded engine may well understand the restated request.
                out.push(Effect::Route {
                    text: self.text.clone(),
                });
            }
            Classified::Answer { text } => match first_question(&plan) {
                // Accept only an answer that occurs in the person's message.
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

    /// Uses the embedded engine's interpretation of an answer, which is final.
    pub(super) fn answer_read(&mut self, value: Option<Value>, out: &mut Vec<Effect>) {
        match (value, self.waiting()) {
            (Some(value), Some((turn, _))) => self.exact_answer(turn, value, out),
            _ => self.go_by_known_route(out),
        }
    }

    /// Handles the result of an extraction.
    fn extracted(
        &mut self,
        wanted: &ExtractRequest,
        said: Result<StageReply, Failed>,
        out: &mut Vec<Effect>,
    ) {
        let step = &wanted.step;
        let note = if wanted.cut { READ_IN_PART } else { "" };
        match said {
            Ok(StageReply::Values { values, .. }) => self.read_out(step, values, note, out),
            failed => {
                let why = match failed {
                    Err(failed) => failed.sentence(),
                    Ok(_) => "The details could not be read from the text.".to_owned(),
                };
                let why = format!("{why} {note}").trim_end().to_owned();
                let fault = UserFault::new(
                    "not_extracted",
                    why,
                    "Give the details yourself, or ask again.",
                );
                self.fail(step, fault, out);
            }
        }
        self.advance(out);
    }

    /// Makes the plan again after the person answered the planner's question.
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
        self.model.read_others |= plan.planner == Taint::Tainted;
        self.text = format!("{}\n{} {answer}", plan.request, step.say);
        self.model.replanning = true;
        let route = self.route.clone().unwrap_or(Route {
            kind: RouteKind::Action,
            domains: Vec::new(),
            is_followup: true,
            confidence: 0.0,
            by: "embedded".into(),
        });
        let ask = StageRequest::Plan {
            text: self.text.clone(),
            route,
            said: vec![answer.to_owned()],
            again: None,
        };
        self.ask(ask, out);
        StepState::Running
    }
}

/// Whether a plan was made although some words were not understood, as for a sum that only the calculator can judge.
fn has_unread_words(reading: &Reading) -> bool {
    matches!(reading, Reading::Plan { trace, .. } if trace.iter().any(|line| line.what == "not understood"))
}
