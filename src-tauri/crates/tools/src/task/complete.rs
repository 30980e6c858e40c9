//! `task.complete`

use adjutant_domain::gate::Risk;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Task, TaskStatus};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use adjutant_recurrence::next;
use async_trait::async_trait;
use jiff::civil;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::create::replacement;
use super::find::TaskFilter;
use crate::effect::{CardDraft, Prepared};
use crate::registry::{Acting, spec};
use crate::select::{Ids, Which, targets};
use crate::words;

/// The tool `task.complete`: marks tasks as done.
pub(super) struct Complete;

/// Arguments of `task.complete`.
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
impl Acting for Complete {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "task.complete",
            Domain::Task,
            Risk::LocalReversible,
            "Marks tasks as done; a repeating one moves to its next date.",
            &[
                "mark as done",
                "I finished",
                "I did",
                "I’ve done",
                "check off",
                "tick off",
                "complete the task",
                "done with",
                "cross off",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let before = targets(Which::of(&args.id, &args.ids, &args.target), cx).await?;
        let after: Vec<Task> = before.iter().map(|task| done(task, cx)).collect();
        let sketch = CardDraft::new(
            match before.as_slice() {
                [one] => format!("Mark {} as done", words::quoted(&one.title)),
                many => format!("Mark {} as done", words::plural(many.len(), "task")),
            },
            "Mark as done",
            "Can be undone.",
        );
        let say = say(&before, &after, cx);
        Ok(replacement(&before, &after, sketch, say, cx))
    }
}

fn done(task: &Task, cx: &Cx) -> Task {
    let now = cx.now.timestamp();
    let mut new = task.clone();
    new.updated = now;
    new.completed_at = Some(now);
    let next = match (&task.rrule, &task.due, task.status) {
        (Some(rule), Some(due), TaskStatus::Open) => {
            // A due day counts as passed only when it is over.
            let after = match due {
                Moment::Day(_) => Moment::Day(cx.now.date().yesterday().unwrap_or(cx.now.date()))
                    .starts(&cx.zone()),
                Moment::At(_) => now,
            };
            next(rule, due, after, &cx.zone())
        }
        _ => None,
    };
    match next {
        Some((due, rule)) => {
            if let (Some(Moment::At(old)), Some(remind)) = (&task.due, task.remind_at) {
                let lead = remind.duration_until(old.timestamp());
                new.remind_at = due.starts(&cx.zone()).checked_sub(lead).ok();
            }
            if let Some(start) = task.start {
                new.start = moved_along(start, task.due.as_ref(), &due, cx);
            }
            new.place = None;
            new.due = Some(due);
            new.rrule = Some(rule);
        }
        None => {
            new.status = TaskStatus::Done;
            new.remind_at = None;
        }
    }
    new
}

/// Returns the start day of the next repetition, as many days before its due date as now.
fn moved_along(
    start: civil::Date,
    old: Option<&Moment>,
    new: &Moment,
    cx: &Cx,
) -> Option<civil::Date> {
    let lead = start.until(old?.date(&cx.zone())).ok()?;
    new.date(&cx.zone()).checked_sub(lead).ok()
}

fn say(before: &[Task], after: &[Task], cx: &Cx) -> String {
    let one = |old: &Task, new: &Task| match (&new.due, new.status) {
        (_, TaskStatus::Done) if old.status == TaskStatus::Done => {
            format!("{} was already done", words::inline(&old.title))
        }
        (Some(due), TaskStatus::Open) => format!(
            "{}, next {}",
            words::inline(&old.title),
            words::moment(due, cx)
        ),
        _ => words::inline(&old.title),
    };
    match (before, after) {
        ([old], [new]) => match (&new.due, new.status) {
            (_, TaskStatus::Done) if old.status == TaskStatus::Done => {
                format!("{} was already done.", words::quoted(&old.title))
            }
            (Some(due), TaskStatus::Open) => format!(
                "Done: {}. Next {}.",
                words::quoted(&old.title),
                words::moment(due, cx)
            ),
            _ => format!("Done: {}.", words::quoted(&old.title)),
        },
        _ => {
            let lines: Vec<String> = before.iter().zip(after).map(|(a, b)| one(a, b)).collect();
            format!(
                "{} done.\n\n{}",
                words::plural(after.len(), "task"),
                words::bullets(&lines, lines.len())
            )
        }
    }
}
