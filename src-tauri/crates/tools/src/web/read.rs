//! `web.read`

use std::time::Duration;

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{Approved, Assessment, Call, Card, PlannedCall, Risk};
use adjutant_domain::outcome::{Answer, Outcome, Stop};
use adjutant_domain::ports::{Cx, SourceAddress};
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

/// Time limit of opening a page.
const WITHIN: Duration = Duration::from_secs(25);
/// Maximum characters of a page that are shown.
const SHOWN_CHARS_MAX: usize = 1_200;
/// Maximum bytes of a page that later steps get.
const TEXT_BYTES_MAX: usize = 16 * 1024;

/// The tool `web.read`: reads one page.
pub(super) struct Read;

/// Arguments of `web.read`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The address of the page, with `https://`.
    #[schemars(extend("format" = "uri"))]
    url: String,
}

impl Args {
    /// Returns the page to open.
    ///
    /// # Errors
    /// Returns a fault if the argument is not the address of a page.
    fn place(&self) -> Result<SourceAddress, Stop> {
        let text = self.url.trim().trim_matches(['<', '>']);
        let bad = || ToolFault::BadArguments {
            reason: format!(
                "{} is not the address of a page. Write it in full, like https://example.org/page.",
                words::quoted(text)
            ),
        };
        match text.parse() {
            Ok(place @ SourceAddress::Page { .. }) if !text.contains(char::is_whitespace) => {
                Ok(place)
            }
            _ => Err(bad().into()),
        }
    }

    /// Returns the host of the address, as the person knows it.
    fn host(&self) -> &str {
        let rest = self.url.split_once("://").map_or("", |(_, rest)| rest);
        rest.split(['/', '?', '#']).next().unwrap_or_default()
    }
}

#[async_trait]
impl Tool for Read {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            judges: true,
            ..spec(
                "web.read",
                Domain::Research,
                Risk::Read,
                "Reads a page of the web and shows its text in short.",
                &[
                    "read {url}",
                    "open {url}",
                    "read the page|article|website [at] {url}",
                    "summarize {url}",
                    "what does {url} say",
                    "what is on {url}",
                ],
            )
        }
    }

    async fn observe(&self, args: &Self::Args, _: &Cx) -> Result<Before, Stop> {
        args.place()?;
        Ok(Before::default())
    }

    fn assess(&self, args: &Self::Args, _: &Before, _: &Cx) -> Assessment {
        carries_out(args.host(), &args.url)
    }

    fn card(&self, args: &Self::Args, _: &Before, _: &PlannedCall, _: &Cx) -> Card {
        Card {
            title: format!("Read the page {}", words::quoted(&args.url)),
            verb: "Read".into(),
            undo: "Nothing is changed. The request itself cannot be taken back.".into(),
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
        let opened = cx.lookup.pages().open(&args.place()?, WITHIN).await;
        let page = opened.map_err(|fault| stopped(&fault))?;
        let shown: String = page.text.chars().take(SHOWN_CHARS_MAX).collect();
        let more = page.cut || shown.len() < page.text.len();
        let quoted: Vec<String> = inert(&shown)
            .lines()
            .map(|line| format!("> {line}").trim_end().to_owned())
            .collect();
        let say = format!(
            "{}\n\n{}{}\n\nSource: {}",
            inert(&page.title),
            quoted.join("\n"),
            if more { " …" } else { "" },
            page.final_address
        );
        Ok(Outcome::Read(Answer {
            output: json!({
                "url": page.final_address,
                "title": page.title,
                "text": adjutant_text::cut(&page.text, TEXT_BYTES_MAX),
                "cut": page.cut || page.text.len() > TEXT_BYTES_MAX,
                "fetched_at": page.fetched_at.to_string(),
                "sha256": page.sha256,
            }),
            say: say.trim_start().to_owned(),
            taint: Taint::Tainted,
            ..Answer::default()
        }))
    }
}
