//! `note.delete`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Record;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer;
use super::find::NoteFilter;
use crate::effect::{CardDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget, Ids, Row, Which, targets};
use crate::words;

/// The tool `note.delete`: deletes notes.
pub(super) struct Delete;

/// Arguments of `note.delete`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The note.
    id: Option<Ids>,
    /// Several notes.
    ids: Option<Ids>,
    /// Or: which notes, by description.
    target: Option<NoteFilter>,
}

#[async_trait]
impl Acting for Delete {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "note.delete",
            Domain::Note,
            Risk::Destroys,
            "Deletes notes.",
            &[
                "delete the note",
                "remove my note",
                "throw the note away",
                "get rid of the note",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let rows = targets(
            Which {
                id: args.id.as_ref(),
                ids: args.ids.as_ref(),
                target: args.target.as_ref(),
            },
            cx,
        )
        .await?;
        let change = rows.iter().fold(Change::default(), |change, note| {
            change.and_remove(&Record::Note(note.clone()))
        });
        let what = match rows.as_slice() {
            [one] => format!("the note {}", words::quoted(&one.title)),
            many => words::plural(many.len(), "note"),
        };
        let mut sketch = CardDraft::new(
            format!("Delete {what}"),
            "Delete",
            "Can be undone from Activity.",
        );
        sketch.items = rows.iter().map(|note| note.item(cx)).collect();
        let lines: Vec<String> = rows.iter().map(|note| note.line(cx)).collect();
        let say = match lines.as_slice() {
            [_] => format!("Deleted {what}."),
            many => format!("Deleted {what}.\n\n{}", words::bullets(many, many.len())),
        };
        Ok(Prepared {
            targets: rows.iter().map(AsTarget::target).collect(),
            operations: local(change),
            answer: answer(&rows, say, cx),
            assessment: Assessment::deletes(rows.len()),
            sketch,
        })
    }
}
