//! Builds the request for a stage from gathered data, within its budget. The wording is in `prompts/`.

use std::sync::Arc;
use std::time::Duration;

use adjutant_domain::event::ContextSection;
use adjutant_domain::ids::RecordId;
use adjutant_domain::model::{ModelMessage, ModelRequest, ModelTool, Purpose};
use adjutant_domain::plan::Plan;
use adjutant_domain::source::Taint;
use adjutant_prompts::{Fenced, Prompt, Texts, request};
use tokio::sync::watch;

use super::model::Scene;
use crate::context::history::{ROUTE_WINDOW, latest, said};
use crate::context::prompts::{
    AgainView, CritiquePrompt, ExtractPrompt, FieldLine, PlanPrompt, RefinePrompt, RespondPrompt,
    ResumePrompt, RoutePrompt, TonePrompt,
};
use crate::context::results::{self, ResultLine};
use crate::context::{Budgets, ContextPack, Gathered, Ingredients, Pull, Reader, pack};
use crate::core::Models;
use crate::retrieval::{Meant, Selection, specialist};
use crate::secrets::scrub;
use crate::stages::{NEEDS_PLAN, StageRequest, WayOut, chosen, extract, route};
use adjutant_domain::model::tokens::estimate;

/// How long a plan waits for unfinished sources. Whatever arrives later is left out: a slow source never holds up a
/// request.
const PLAN_GRACE: Duration = Duration::from_millis(10);
/// Like [`PLAN_GRACE`], for an answer: conversation needs little of what is gathered.
const ANSWER_GRACE: Duration = Duration::from_millis(3);

/// Data being gathered for models; `None` before the first request.
pub(super) type Gathering = Option<watch::Receiver<Option<Arc<Gathered>>>>;

/// A request and a description of what it shows.
pub(super) struct Shown {
    pub(super) request: ModelRequest,
    /// Sections of the context. `None` if the request holds none of the person's data.
    pub(super) sections: Option<Vec<ContextSection>>,
    /// Whether it contains foreign text.
    pub(super) taint: Taint,
    /// Whether it contains typed fields of foreign rows.
    pub(super) fields_of_others: bool,
    /// Memories it contains.
    pub(super) memories: Vec<RecordId>,
}

/// Returns which rows to gather for a request. `None` for stages without context.
pub(super) fn pull(ask: &StageRequest, text: &str) -> Option<Pull> {
    match ask {
        // The route is not known yet: fetch everything while the model determines it.
        StageRequest::Route { .. } => Some(Pull::ALL),
        StageRequest::Plan { route, .. } => {
            Some(Pull::of(route, route::is_sure(route, text, false)))
        }
        StageRequest::Respond { .. } => Some(Pull::default()),
        _ => None,
    }
}

/// Returns the gathered data if it is ready or becomes ready within a short grace period.
pub(super) async fn wait(gathering: Gathering, ask: &StageRequest) -> Option<Arc<Gathered>> {
    let grace = match ask {
        StageRequest::Plan { .. } => PLAN_GRACE,
        StageRequest::Respond { .. } => ANSWER_GRACE,
        _ => return None,
    };
    let mut gathering = gathering?;
    let found = tokio::time::timeout(grace, gathering.wait_for(Option::is_some)).await;
    found.ok()?.ok()?.clone()
}

/// Returns tools by the meaning of the message, if known or available within a short grace period.
pub(super) async fn meant(scene: &Scene, ask: &StageRequest) -> Option<Meant> {
    let core = &scene.core;
    match ask {
        StageRequest::Plan { text, .. } => {
            // Load which tools served before within the same time.
            let habits = tokio::time::timeout(PLAN_GRACE, core.read_habits());
            futures::join!(core.meant(&scene.tools, text, PLAN_GRACE), habits).0
        }
        _ => None,
    }
}

/// Builds a request, in the wording of `texts` or, if `None`, in that of the compiled-in texts.
///
/// # Errors
/// Returns the reason if a prompt and its context do not match, which is a bug of ours.
pub(super) fn build(
    ask: &StageRequest,
    scene: &Scene,
    models: &Models,
    found: &RequestData,
    texts: Option<&Texts>,
) -> Result<Shown, String> {
    let maker = Maker {
        ask,
        scene,
        models,
        gathered: found.gathered.as_deref(),
        meant: found.meant.as_ref(),
        texts,
    };
    let mut shown = maker.make()?;
    scrub(&mut shown.request, &found.secrets);
    Ok(shown)
}

/// Data found for a request.
#[derive(Default)]
pub(super) struct RequestData {
    pub(super) gathered: Option<Arc<Gathered>>,
    pub(super) meant: Option<Meant>,
    /// Values to mask.
    pub(super) secrets: Arc<Vec<String>>,
}

/// The tool by which a model in plain conversation says that a plan is needed.
fn needs_plan() -> ModelTool {
    ModelTool {
        name: NEEDS_PLAN.to_owned(),
        description: String::new(),
        schema: serde_json::json!({
            "type": "object", "properties": {}, "required": [], "additionalProperties": false,
        }),
    }
}

struct Maker<'a> {
    ask: &'a StageRequest,
    scene: &'a Scene,
    models: &'a Models,
    gathered: Option<&'a Gathered>,
    meant: Option<&'a Meant>,
    /// A wording to try. `None`: the compiled-in texts.
    texts: Option<&'a Texts>,
}

impl Maker<'_> {
    fn make(&self) -> Result<Shown, String> {
        let scene = self.scene;
        match self.ask {
            StageRequest::Route { text } => {
                let conversation = latest(&scene.past.messages, ROUTE_WINDOW, text);
                self.bare(&RoutePrompt {}, conversation)
            }
            StageRequest::Resume {
                request,
                plan,
                question,
            } => self.bare(
                &ResumePrompt::new(request, plan, question.as_ref()),
                vec![said(&scene.text)],
            ),
            StageRequest::Plan {
                text, route, again, ..
            } => {
                let budgets = self.budgets::<PlanPrompt<'_>>(text);
                let served = scene.core.tools_that_served(text);
                let mut always: Vec<&str> = served.iter().map(String::as_str).collect();
                always.push(extract::TOOL);
                let words = || scene.tools.retriever();
                let retriever = self.meant.map_or_else(words, Meant::retriever);
                let vector = self.meant.map(Meant::vector);
                let tools = retriever.select(text, &route.domains, &always, vector, budgets.tools);
                let pack = self.pack(Reader::Planner, text, Some(&tools), &budgets);
                let again = again
                    .as_ref()
                    .map(|again| AgainView::new(&again.reply, &again.error));
                let prompt = PlanPrompt {
                    pack: &pack,
                    domains: route.domains.clone(),
                    again,
                };
                let mut shown = self.packed(&prompt, &pack, text)?;
                let sections = shown.sections.iter_mut().flatten();
                for section in sections.filter(|section| section.name == "tools") {
                    section.names.clone_from(&tools.suggested);
                }
                Ok(shown)
            }
            StageRequest::Respond {
                text,
                results,
                way_out,
                ..
            } => {
                let budgets = self.budgets::<RespondPrompt<'_>>(text);
                let pack = self.pack(Reader::Answerer, text, None, &budgets);
                let lines = self.lines(results.as_deref(), &budgets);
                // A model without tool support is asked as if there were no way out.
                let offered = *way_out == WayOut::Plan && self.models.chat.profile().tools;
                let prompt = RespondPrompt::new(&pack, lines, specialist(text))
                    .with_way_out(offered.then_some(NEEDS_PLAN));
                let mut shown = self.packed(&prompt, &pack, text)?;
                if offered {
                    shown.request.tools.push(needs_plan());
                }
                Ok(shown)
            }
            StageRequest::Critique { text, draft } => {
                self.bare(&CritiquePrompt::new(text, draft, Vec::new()), Vec::new())
            }
            StageRequest::Refine {
                text,
                draft,
                problems,
            } => self.bare(
                &RefinePrompt::new(text, draft, problems, Vec::new(), specialist(text)),
                Vec::new(),
            ),
            StageRequest::Tone { draft } => self.bare(
                &TonePrompt::new(&self.models.manner.tone, draft),
                Vec::new(),
            ),
            StageRequest::Extract(wanted) => {
                let fields = wanted
                    .fields
                    .iter()
                    .map(|field| FieldLine::new(&field.name, field.kind.name(), &field.meaning))
                    .collect();
                let prompt = ExtractPrompt {
                    fields,
                    today: scene.now.date().to_string(),
                    zone: scene
                        .now
                        .time_zone()
                        .iana_name()
                        .unwrap_or("no named zone")
                        .to_owned(),
                    text: Fenced::new(&wanted.origin, &wanted.text),
                    schema: extract::schema(&wanted.fields),
                };
                self.bare(&prompt, Vec::new())
            }
        }
    }

    fn budgets<P: Prompt>(&self, text: &str) -> Budgets {
        Budgets::default().within(
            &self.models.chat.profile(),
            estimate(text),
            u64::from(P::REPLY_TOKENS_MAX),
        )
    }

    fn pack(
        &self,
        reader: Reader,
        text: &str,
        tools: Option<&Selection>,
        budgets: &Budgets,
    ) -> ContextPack {
        let settings = self.scene.core.settings();
        let from = Ingredients {
            reader,
            now: &self.scene.now,
            settings: &settings,
            text,
            past: &self.scene.past,
            people: self.scene.people.own(),
            gathered: self.gathered,
            tools,
            system_tokens: 0,
        };
        pack(&from, budgets)
    }

    fn lines(&self, results: Option<&Plan>, budgets: &Budgets) -> Vec<ResultLine> {
        results.map_or_else(Vec::new, |plan| results::lines(plan, budgets.data))
    }

    /// Builds a request with the conversation and the gathered context.
    fn packed<P: Prompt>(
        &self,
        prompt: &P,
        pack: &ContextPack,
        text: &str,
    ) -> Result<Shown, String> {
        let mut conversation = pack.history.clone();
        conversation.push(said(text));
        let mut shown = self.bare(prompt, conversation)?;
        let mut sections = pack.sections.clone();
        let listed: u64 = sections
            .iter()
            .filter(|section| !matches!(section.name.as_str(), "messages" | "system"))
            .map(|section| section.tokens)
            .sum();
        if let Some(system) = sections.iter_mut().find(|section| section.name == "system") {
            // Count only the part of the instructions that is in no other section.
            system.tokens = estimate(&shown.request.system.text).saturating_sub(listed);
        }
        shown.sections = Some(sections);
        shown.taint = pack.taint;
        shown.fields_of_others = pack.fields_of_others;
        shown.memories.clone_from(&pack.used_memories);
        Ok(shown)
    }

    fn bare<P: Prompt>(
        &self,
        prompt: &P,
        conversation: Vec<ModelMessage>,
    ) -> Result<Shown, String> {
        let ask = adjutant_prompts::RequestOptions {
            tier: chosen(self.ask.stage(), self.ask.tier(), self.scene.tier),
            purpose: Purpose::Foreground,
            turn: Some(self.scene.turn.clone()),
        };
        let request = match self.texts {
            Some(texts) => texts.request(prompt, ask, conversation),
            None => request(prompt, ask, conversation),
        }
        .map_err(|fault| fault.to_string())?;
        Ok(Shown {
            request,
            sections: None,
            taint: Taint::Clean,
            fields_of_others: false,
            memories: Vec::new(),
        })
    }
}
