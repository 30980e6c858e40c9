//! `calendar.read`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::find::EventFilter;
use super::{EventRow, guests};
use crate::registry::{Reading, spec};
use crate::select::{Ids, Row, referents, target_one};
use crate::words;

/// The tool `calendar.read`: shows one event in full.
pub(super) struct Read;

/// Arguments of `calendar.read`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The event.
    id: Option<Ids>,
    /// Or: which event, by description.
    target: Option<EventFilter>,
}

#[async_trait]
impl Reading for Read {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "calendar.read",
            Domain::Calendar,
            Risk::Read,
            "Shows one event with its description, guests, place and repetition.",
            &[
                "details of the meeting",
                "tell me about the event",
                "show me the invitation",
                "what is the meeting about",
                "open the event",
            ],
        )
    }

    async fn read(&self, args: Args, cx: &Cx) -> Result<Answer, Stop> {
        let row = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let mut output = row.value(cx);
        output["description"] = json!(row.0.event.description);
        let rows = [row];
        Ok(Answer {
            output,
            say: say(&rows[0], cx),
            referents: referents(&rows),
            taint: Taint::Clean,
            used_memories: Vec::new(),
        })
    }
}

fn say(row: &EventRow, cx: &Cx) -> String {
    let event = &row.0.event;
    let mut lines = vec![format!(
        "**{}**, {}",
        words::inline(&event.summary),
        words::range(&row.0.start, &row.0.end, cx)
    )];
    let mut add = |label: &str, value: String| {
        if !value.is_empty() {
            lines.push(format!("- {label}: {value}"));
        }
    };
    if let Some(rule) = &event.rrule {
        add("Repeats", words::repeats(rule, cx));
    }
    add("Where", words::inline(&event.location));
    let people: Vec<String> = guests(event, cx)
        .iter()
        .map(|guest| {
            let who = words::person(&guest.name, &guest.email);
            match guest.status.as_str() {
                "" | "needs-action" => who,
                status => format!("{who}, {status}"),
            }
        })
        .collect();
    add("Guests", people.join("; "));
    if let Some(who) = &event.organizer {
        add("Called by", words::person(&who.name, &who.email));
    }
    add("Calendar", words::inline(&event.calendar));
    if !event.description.trim().is_empty() {
        lines.push(format!("\n{}", event.description.trim()));
    }
    // Markdown needs an empty line before a list.
    if lines.len() > 1 {
        lines[0].push('\n');
    }
    lines.join("\n")
}
