//! `task.delete`

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

use super::create::{answer, targets_of};
use super::find::TaskFilter;
use crate::effect::{CardDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{Ids, Row, Which, targets};
use crate::words;

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
        let which = Which {
            id: args.id.as_ref(),
            ids: args.ids.as_ref(),
            target: args.target.as_ref(),
        };
        let rows = targets(which, cx).await?;
        let change = rows.iter().fold(Change::default(), |change, task| {
            change.and_remove(&Record::Task(task.clone()))
        });
        let what = match rows.as_slice() {
            [one] => format!("the task {}", words::quoted(&one.title)),
            many => words::plural(many.len(), "task"),
        };
        let mut sketch = CardDraft::new(
            format!("Delete {what}"),
            "Delete",
            "Can be undone from Activity.",
        );
        sketch.items = rows.iter().map(|task| task.item(cx)).collect();
        let lines: Vec<String> = rows.iter().map(|task| task.line(cx)).collect();
        let say = match lines.as_slice() {
            [_] => format!("Deleted {what}."),
            many => format!("Deleted {what}.\n\n{}", words::bullets(many, many.len())),
        };
        Ok(Prepared {
            targets: targets_of(&rows),
            operations: local(change),
            answer: answer(&rows, say, cx),
            assessment: Assessment::deletes(rows.len()),
            sketch,
        })
    }
}
