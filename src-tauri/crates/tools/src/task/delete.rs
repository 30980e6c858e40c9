//! `task.delete`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::find::TaskFilter;
use crate::effect::Prepared;
use crate::registry::{Acting, spec};
use crate::removal::deletion;
use crate::select::{Ids, Which, targets};

/// The tool `task.delete`: deletes tasks.
pub(super) struct Delete;

/// Arguments of `task.delete`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The task.
    id: Option<Ids>,
    /// Several tasks.
    ids: Option<Ids>,
    /// Or: which task, by description.
    target: Option<TaskFilter>,
}

#[async_trait]
impl Acting for Delete {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "task.delete",
            Domain::Task,
            Risk::Destroys,
            "Deletes tasks and reminders.",
            &[
                "delete the task",
                "remove the reminder",
                "cancel the reminder",
                "drop the task",
                "take … off my to-do list",
                "clear my tasks",
                "get rid of the task",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let rows = targets(Which::of(&args.id, &args.ids, &args.target), cx).await?;
        Ok(deletion(&rows, cx))
    }
}
