//! Carries out the effects of the machine.

use adjutant_domain::faults::{StoreFault, UserFault};
use adjutant_domain::gate::{Channel, Observed, Unasked};
use adjutant_domain::ids::StepKey;
use adjutant_domain::outcome::Stop;
use adjutant_domain::reading::{Reading, Reply, Resume, Utterance};
use adjutant_domain::route::{Route, RouteKind};

use super::{Driver, Finished};
use crate::context::{self, SOURCE_DEADLINE};
use crate::core::Core;
use crate::panics;
use crate::stages::StageRequest;
use crate::stopwatch::Stopwatch;
use crate::turn::again::look_again;
use crate::turn::carry_out::{StepContext, carry_out};
use crate::turn::machine::Draw;
use crate::turn::machine::{Effect, Input, Proposed};
use crate::turn::perform;
use crate::turn::reading::{Scene, read_aside};

/// The result of an effect.
pub(super) enum Performed {
    Nothing,
    Input(Box<Input>),
    Closed,
}

impl Driver {
    /// Carries out an effect. Whatever takes time runs as a task of the turn and returns as an input.
    pub(super) async fn perform(&mut self, effect: Effect) -> Performed {
        let input = match effect {
            Effect::Emit(event) => {
                self.tell(event);
                return Performed::Nothing;
            }
            Effect::Confirm { prompt } => {
                let reply = panics::contained("resume", || {
                    self.core.parts.resumer.confirm(&self.text, &prompt)
                });
                Input::Confirmed(reply.unwrap_or(Reply::Neither))
            }
            Effect::Classify {
                request,
                plan,
                question,
            } => {
                self.know_names(&self.text.clone()).await;
                let resume = self.read("resume", &self.text, |core, said| {
                    core.parts
                        .resumer
                        .resume(said, &request, &plan, question.as_ref())
                });
                Input::Classified(resume.unwrap_or(Resume::New))
            }
            Effect::Route { text } => {
                self.know_names(&text).await;
                match self.route(&text).await {
                    Some(route) => {
                        self.try_router(&text, &route);
                        Input::Routed(route)
                    }
                    // The turn was stopped; the main loop handles that next.
                    None => return Performed::Nothing,
                }
            }
            Effect::GatherContext => {
                if self.core.models().is_some() {
                    // Load the secrets to mask before a model is asked.
                    let core = self.core.clone();
                    self.tasks.spawn(async move {
                        drop(core.secrets.get(&*core.parts.records).await);
                        Finished::Gathered
                    });
                }
                let records = self.core.parts.records.clone();
                let text = self.text.clone();
                self.gathering = Some(self.tasks.spawn(async move {
                    Finished::Context(context::memories(records, text, SOURCE_DEADLINE).await)
                }));
                return Performed::Nothing;
            }
            Effect::DropContext => {
                if let Some(gathering) = self.gathering.take() {
                    gathering.abort();
                }
                return Performed::Nothing;
            }
            Effect::MakePlan { text, route } => {
                let unnamed = self.mentioned.0 == text && self.mentioned.1.is_none();
                let reading = self.read("plan", &text, |core, said| {
                    let reading = core.parts.planner.plan(said, &route);
                    match unnamed {
                        true => {
                            context::names::without_names(reading, |tool| said.only_reads(tool))
                        }
                        false => reading,
                    }
                });
                Input::Planned {
                    reading: self.mark_found(reading.unwrap_or_else(unread)).await,
                    draw: Draw::of(&*self.core.parts.entropy),
                }
            }
            Effect::AskModel(ask) => {
                if let StageRequest::Extract(wanted) = &*ask {
                    self.begin_step(&wanted.step);
                }
                self.ask_model(ask);
                return Performed::Nothing;
            }
            Effect::ReadAnswer { text, question } => {
                Input::AnswerRead(self.read_answer(&text, &question))
            }
            Effect::SavePlan(plan) => {
                self.kept_all().await;
                let journal = std::mem::take(&mut self.unsaved);
                let log = &self.core.parts.log;
                match log.save_plan(&self.turn, &plan, &journal).await {
                    Ok(()) => {
                        self.feed.saved(self.seq - 1);
                        return Performed::Nothing;
                    }
                    Err(fault) => {
                        self.unsaved = journal;
                        Input::Faulted(UserFault::from(&fault))
                    }
                }
            }
            Effect::Observe { step, calls } => {
                self.begin_step(&step);
                self.spawn_look(calls, move |looks, core| {
                    Finished::Input(Box::new(Input::Observed {
                        step,
                        looks,
                        draw: Draw::of(&*core.parts.entropy),
                    }))
                });
                return Performed::Nothing;
            }
            Effect::Resolve(action) => {
                let (core, cx) = (self.core.clone(), self.core.cx(self.now.clone()));
                self.tasks.spawn(async move {
                    let watch = Stopwatch::start();
                    let again = look_again(core, &action, cx).await;
                    watch.stage("observe");
                    Finished::Looked { action, again }
                });
                return Performed::Nothing;
            }
            Effect::Deny(ids) => {
                let (ids, problem) = self.deny(ids, Channel::Chat).await;
                Input::Denied { ids, problem }
            }
            Effect::Run {
                step,
                calls,
                leaving,
            } => {
                self.begin_step(&step);
                let core = self.core.clone();
                let cx = core.cx(self.now.clone());
                self.tasks.spawn(async move {
                    let watch = Stopwatch::start();
                    let outcomes = match note_leaving(&core, &leaving).await {
                        Ok(()) => perform::run(core.clone(), &calls, cx).await,
                        Err(fault) => vec![Err(Stop::Fault(fault.into()))],
                    };
                    watch.stage("run");
                    Finished::Input(Box::new(Input::Ran {
                        step,
                        args: calls
                            .into_iter()
                            .map(|call| call.get().args.clone())
                            .collect(),
                        outcomes,
                        draw: Draw::of(&*core.parts.entropy),
                        at: core.parts.clock.now().timestamp(),
                    }))
                });
                return Performed::Nothing;
            }
            Effect::CarryOut {
                step,
                items,
                standby,
            } => {
                self.carrying
                    .insert(step.clone(), items.iter().find_map(|one| one.claim.clone()));
                let context = StepContext {
                    conversation: self.conversation.clone(),
                    turn: self.turn.clone(),
                    step,
                };
                let (core, cx) = (self.core.clone(), self.core.cx(self.now.clone()));
                let stop = self.stop.clone();
                self.tasks.spawn(async move {
                    let watch = Stopwatch::start();
                    let work = (items, standby);
                    let carried = carry_out(&core, &cx, &context, work, &stop).await;
                    watch.stage("carry_out");
                    Finished::Input(Box::new(Input::CarriedOut {
                        step: context.step,
                        carried,
                    }))
                });
                return Performed::Nothing;
            }
            Effect::Commit(commit) => {
                let step = commit.step.clone();
                Input::Committed {
                    step,
                    receipt: self.commit(*commit).await,
                }
            }
            Effect::Close { end, events } => {
                self.close(*end, events).await;
                return Performed::Closed;
            }
        };
        Performed::Input(Box::new(input))
    }

    /// Starts the time of a step, which runs from the first look at its calls.
    fn begin_step(&mut self, step: &StepKey) {
        self.steps
            .entry(step.clone())
            .or_insert_with(Stopwatch::start);
    }

    fn spawn_look(
        &mut self,
        calls: Vec<Proposed>,
        done: impl FnOnce(Vec<Result<Observed, Stop>>, &Core) -> Finished + Send + 'static,
    ) {
        let core = self.core.clone();
        let cx = core.cx(self.now.clone());
        self.tasks.spawn(async move {
            let watch = Stopwatch::start();
            let looks = perform::look(core.clone(), calls, cx).await;
            watch.stage("observe");
            done(looks, &core)
        });
    }

    /// Loads the names of people and the records that a message mentions. People are normally cached; records are
    /// looked up once per message.
    async fn know_names(&mut self, text: &str) {
        let core = self.core.clone();
        let records = &*core.parts.records;
        let people = core.people.get(records);
        let people = context::source("people", SOURCE_DEADLINE, people, |people| {
            context::tokens(people.iter().map(|(name, _)| name.as_str()))
        });
        let (known, now) = (self.mentioned.0 == text, self.now.timestamp());
        let things = async {
            match known {
                true => None,
                false => Some(context::names::mentioned(records, text, now).await),
            }
        };
        tokio::select! {
            ((section, people), things) = async { tokio::join!(people, things) } => {
                self.people = people.unwrap_or_default();
                self.people_section = Some(section);
                if let Some(things) = things {
                    self.mentioned = (text.to_owned(), things);
                }
            }
            () = self.stop.cancelled() => {}
        }
    }

    /// Routes the message. `None` if the turn is stopped.
    async fn route(&self, text: &str) -> Option<Route> {
        let scene = self.scene(text);
        let names = self.mentioned.1.clone().unwrap_or_default();
        let given = (self.people.clone(), names, self.tools.clone());
        let route = read_aside(&self.core, &scene, given, "route", |core, said| {
            core.parts.router.route(said)
        });
        let route = self.stop.run_until_cancelled(route).await?;
        Some(route.unwrap_or_else(unrouted))
    }

    /// Runs a stage of understanding on a text. `None` if it panics.
    pub(super) fn read<T>(
        &self,
        stage: &'static str,
        text: &str,
        work: impl FnOnce(&Core, &Utterance<'_>) -> T,
    ) -> Option<T> {
        self.scene(text).read(&self.core, stage, work)
    }

    fn scene<'a>(&'a self, text: &'a str) -> Scene<'a> {
        Scene {
            text,
            now: &self.now,
            past: &self.past,
            people: &self.people,
            names: self.mentioned.1.as_deref().unwrap_or_default(),
            tools: &self.tools,
        }
    }
}

/// Counts reads that carry something out before their first byte leaves.
async fn note_leaving(core: &Core, leaving: &[Unasked]) -> Result<(), StoreFault> {
    for run in leaving {
        let at = core.parts.clock.now().timestamp();
        core.parts.log.note_unasked(run, at).await?;
    }
    Ok(())
}

fn unrouted() -> Route {
    Route {
        kind: RouteKind::Action,
        domains: Vec::new(),
        is_followup: false,
        confidence: 0.0,
        by: "embedded".into(),
    }
}

fn unread() -> Reading {
    Reading::NotUnderstood {
        text: "Reading this message failed inside Adjutant. Nothing was done. Say it another way."
            .into(),
        near: Vec::new(),
        trace: Vec::new(),
    }
}
