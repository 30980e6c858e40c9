//! `research.start`

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{Approved, Assessment, Call, Card, CarriesOut, PlannedCall, Risk};
use adjutant_domain::ids::RunId;
use adjutant_domain::job::Job;
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::plan::{AnswerKind, Choice, Question};
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::{Before, Tool, ToolSpec};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::brief::{Ask, ResearchBrief, Sources};
use super::wishes::split;
use crate::registry::spec;
use crate::words;

/// The tool `research.start`: begins a research.
pub(super) struct Start;

/// Arguments of `research.start`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What exactly shall be found out, in the person's words.
    objective: String,
    /// What it is for; only what the person said.
    why: Option<String>,
    /// What a good result looks like, divided by semicolons; only what the person said.
    success: Option<String>,
    /// Where to look; left out: on the web where a search engine is chosen, else in the person's own documents.
    sources: Option<Sources>,
}

impl Args {
    fn brief(&self) -> ResearchBrief {
        ResearchBrief {
            objective: self.objective.trim().to_owned(),
            why: self.why.clone().unwrap_or_default(),
            success: split(self.success.as_deref().unwrap_or_default()),
            sources: self.sources,
            ..ResearchBrief::default()
        }
    }
}

#[async_trait]
impl Tool for Start {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "research.start",
            Domain::Research,
            Risk::LocalReversible,
            "Begins a research in depth: several rounds of searches, and a report whose claims are quoted from their sources. It takes minutes and goes on by itself.",
            &[
                "research [:] {objective:speech}",
                "do [some] research on|into [:] {objective:speech}",
                "start|begin [a] research on|about|into [:] {objective:speech}",
                "look into {objective} in depth",
                "look deeply into {objective}",
                "investigate {objective:speech}",
                "find out everything about {objective:speech}",
            ],
        )
    }

    async fn observe(&self, args: &Args, _: &Cx) -> Result<Before, Stop> {
        match args.brief().ask() {
            Some(ask) => Err(Stop::Ask(question(ask))),
            None => Ok(Before::default()),
        }
    }

    fn assess(&self, args: &Args, _: &Before, _: &Cx) -> Assessment {
        // Queries are made from the objective; nothing leaves if only this computer is searched.
        let outside = args.sources != Some(Sources::Own);
        Assessment {
            reaching: vec!["/objective".to_owned()],
            carries_out: outside.then(|| CarriesOut {
                to: "your search engine".to_owned(),
                texts: vec![args.objective.clone()],
                public_answer: true,
                stays_there: false,
            }),
            ..Assessment::reversible()
        }
    }

    fn card(&self, args: &Args, _: &Before, _: &PlannedCall, _: &Cx) -> Card {
        Card {
            title: format!("Research {}", words::quoted(&args.objective)),
            verb: "Begin".into(),
            undo: "It can be stopped at any time.".into(),
            ..Card::default()
        }
    }

    async fn run(
        &self,
        args: Args,
        _: &Before,
        _: &Approved<Call>,
        cx: &Cx,
    ) -> Result<Outcome, Stop> {
        let brief = args.brief();
        if let Some(ask) = brief.ask() {
            return Err(Stop::Ask(question(ask)));
        }
        let id = RunId::from_bits(cx.entropy.bits());
        let data = serde_json::to_value(&brief).map_err(|error| {
            Stop::Fault(ToolFault::Failed {
                what: format!("the brief cannot be stored ({error})"),
                hint: "Say it in other words.".into(),
            })
        })?;
        let job = Job::research(&id, &brief.objective, data, None, cx.now.timestamp());
        let say = format!(
            "The research {} has started and runs by itself: see Research (`adjutant research show {id}`).",
            words::quoted(&brief.objective)
        );
        let answer = Answer {
            output: json!({ "run": id, "job": job.id, "objective": brief.objective }),
            say,
            ..Answer::default()
        };
        Ok(Outcome::Started {
            job: Box::new(job),
            answer,
        })
    }
}

fn question(ask: Ask) -> Question {
    let slot = match ask.missing {
        "what" => "/objective",
        "why" => "/why",
        _ => "/success",
    };
    Question {
        text: ask.text,
        choices: ask
            .choices
            .into_iter()
            .map(|label| Choice {
                value: Value::String(label.clone()),
                label,
                detail: None,
                taint: Taint::Clean,
            })
            .collect(),
        slot: slot.to_owned(),
        answer: AnswerKind::Text,
    }
}
