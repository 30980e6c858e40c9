//! `note.delete`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::NoteFilter;
use crate::effect::Prepared;
use crate::registry::{Acting, spec};
use crate::removal::deletion;
use crate::select::{Ids, Which, targets};

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
        let rows = targets(Which::of(&args.id, &args.ids, &args.target), cx).await?;
        Ok(deletion(&rows, cx))
    }
}
