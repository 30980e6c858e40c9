//! `note.read`

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

use super::find::NoteFilter;
use crate::registry::{Reading, spec};
use crate::select::{Ids, Row, referents, target_one};
use crate::words;

/// The tool `note.read`: reads a note.
pub(super) struct Read;

/// Arguments of `note.read`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The note.
    id: Option<Ids>,
    /// Or: which note, by description.
    target: Option<NoteFilter>,
}

#[async_trait]
impl Reading for Read {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "note.read",
            Domain::Note,
            Risk::Read,
            "Shows one note in full.",
            &[
                "read my note",
                "show the note",
                "open the note",
                "what does my note say",
                "what is on my shopping list",
            ],
        )
    }

    async fn read(&self, args: Args, cx: &Cx) -> Result<Answer, Stop> {
        let note = target_one(args.id.as_ref(), args.target.as_ref(), cx).await?;
        let mut output = note.value(cx);
        output["body"] = json!(note.body);
        let body = note.body.trim();
        let head = words::inline(&note.title);
        let say = if body.is_empty() {
            format!("**{head}**\n\nThe note is empty.")
        } else if body.starts_with(note.title.trim()) {
            body.to_owned()
        } else {
            format!("**{head}**\n\n{body}")
        };
        Ok(Answer {
            output,
            say,
            referents: referents(&[note]),
            taint: Taint::Clean,
            used_memories: Vec::new(),
        })
    }
}
