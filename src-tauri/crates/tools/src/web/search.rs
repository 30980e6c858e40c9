//! `web.search`

use std::time::Duration;

use adjutant_domain::gate::{Approved, Assessment, Call, Card, PlannedCall, Risk};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::ports::web::FOUND_MAX;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::{Before, Tool, ToolSpec};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{carries_out, inert, stopped};
use crate::registry::spec;
use crate::words;

/// Time limit of a search.
const WITHIN: Duration = Duration::from_secs(15);
/// Default number of results.
const RESULTS: usize = 5;
/// Maximum characters of a result that are shown.
const SHOWN_CHARS_MAX: usize = 400;

/// The tool `web.search`: searches the web once.
pub(super) struct Search;

/// Arguments of `web.search`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to search for, as it is sent to the search engine.
    query: String,
    /// How many results, at most 20.
    limit: Option<usize>,
}

#[async_trait]
impl Tool for Search {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "web.search",
            Domain::Research,
            Risk::Read,
            "Searches the web once and shows the best results with their addresses.",
            &[
                "search the web for {query}",
                "search online|internet for {query}",
                "search the internet for {query}",
                "web search for {query}",
                "look up {query} online",
                "look up {query} on the web|internet",
                "find {query} online",
                "find {query} on the web|internet",
                "google {query}",
                "what does the web|internet say about {query}",
            ],
        )
    }

    async fn observe(&self, _: &Self::Args, cx: &Cx) -> Result<Before, Stop> {
        // Without a search engine there is nothing to approve.
        cx.lookup.outside().map_err(|fault| stopped(&fault))?;
        Ok(Before::default())
    }

    fn assess(&self, args: &Self::Args, _: &Before, cx: &Cx) -> Assessment {
        let engine = cx.lookup.outside();
        let name = engine.as_ref().map_or("a search engine", |one| one.name());
        carries_out(name, &args.query)
    }

    fn card(&self, args: &Self::Args, _: &Before, _: &PlannedCall, _: &Cx) -> Card {
        Card {
            title: format!("Search the web for {}", words::quoted(&args.query)),
            verb: "Search".into(),
            undo: "Nothing is changed. What was sent cannot be taken back.".into(),
            ..Card::default()
        }
    }

    async fn run(
        &self,
        args: Self::Args,
        _: &Before,
        _: &Approved<Call>,
        cx: &Cx,
    ) -> Result<Outcome, Stop> {
        let engine = cx.lookup.outside().map_err(|fault| stopped(&fault))?;
        let limit = args.limit.unwrap_or(RESULTS).clamp(1, FOUND_MAX);
        let found = engine.search(&args.query, limit, WITHIN).await;
        let found = found.map_err(|fault| stopped(&fault))?;
        let about = words::quoted(&args.query);
        let mut said = match found.len() {
            0 => format!("{} found nothing on the web for {about}.", engine.name()),
            _ => format!("What the web says about {about}, by {}:", engine.name()),
        };
        for (number, one) in (1..).zip(&found) {
            let snippet: String = one.snippet.chars().take(SHOWN_CHARS_MAX).collect();
            said.push_str(&format!("\n\n{number}. {}", inert(&one.title)));
            if !snippet.is_empty() {
                said.push_str(&format!(": “{}”", inert(&snippet)));
            }
            said.push_str(&format!("\n   {}", one.at));
        }
        let items: Vec<_> = found
            .iter()
            .map(|one| json!({"title": one.title, "url": one.at, "snippet": one.snippet}))
            .collect();
        Ok(Outcome::Read(Answer {
            output: json!({"count": items.len(), "items": items, "engine": engine.name()}),
            say: said,
            taint: Taint::Tainted,
            ..Answer::default()
        }))
    }
}
