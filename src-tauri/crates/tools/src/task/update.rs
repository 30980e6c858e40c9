//! `task.update`

use adjutant_domain::gate::Risk;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Priority, Task, TaskStatus};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use jiff::civil;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::create::{NOTES_CHARS_MAX, TITLE_CHARS_MAX, replacement};
use super::due::{follows_due, keep_time, set_time, shift};
use super::find::{Status, TaskFilter};
use crate::effect::{CardDraft, FactDraft, Prepared};
use crate::registry::{Acting, spec};
use crate::select::{Ids, Row, Which, bad, check_amounts, check_length, targets};
use crate::{labels, recurring, words};

/// The tool `task.update`: changes tasks.
pub(super) struct Update;

/// Arguments of `task.update`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The task.
    id: Option<Ids>,
    /// Several tasks.
    ids: Option<Ids>,
    /// Or: which task, by description.
    target: Option<TaskFilter>,
    /// What changes.
    changes: Changes,
}

/// What changes in a task; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Changes {
    /// New title.
    title: Option<String>,
    /// New due date or time. A day keeps the time of day of a task that had one.
    due: Option<Moment>,
    /// New time of day where the person is, on the day it is due. Without a date: the next time the clock shows it.
    #[schemars(with = "Option<String>")]
    due_time: Option<civil::Time>,
    /// Takes the due date away.
    clear_due: bool,
    /// Moves due date and reminder by so many minutes; negative is earlier.
    pub(super) shift_minutes: Option<i64>,
    /// Moves due date and reminder by so many days; negative is earlier.
    pub(super) shift_days: Option<i64>,
    /// Moves due date and reminder by so many months of the calendar; negative is earlier.
    pub(super) shift_months: Option<i64>,
    /// New time of the reminder.
    remind_at: Option<Moment>,
    /// Takes the reminder away.
    clear_reminder: bool,
    /// New text, replacing the old.
    notes: Option<String>,
    /// Text added to the notes.
    add_notes: Option<String>,
    /// The day before which nothing is to be done about it, such as `2026-01-31`.
    #[schemars(with = "Option<String>")]
    start: Option<civil::Date>,
    /// Takes that day away.
    clear_start: bool,
    /// Labels to add.
    add_tags: Option<Vec<String>>,
    /// Labels to take away.
    remove_tags: Option<Vec<String>>,
    /// Keeps the tasks in the order of `ids` among those of their day.
    in_order: bool,
    /// New priority.
    priority: Option<Priority>,
    /// New repetition.
    rrule: Option<String>,
    /// Stops repeating.
    clear_rrule: bool,
    /// Opens a completed task again.
    reopen: bool,
}

#[async_trait]
impl Acting for Update {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "task.update",
            Domain::Task,
            Risk::LocalReversible,
            "Changes title, date, reminder, priority, notes or repetition of tasks, or opens them again.",
            &[
                "move the task to",
                "postpone",
                "snooze",
                "push back",
                "rename the task",
                "change the due date",
                "make it high priority",
                "remind me later",
                "reopen",
                "not done after all",
                "set the reminder to",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        if args.changes == Changes::default() {
            return Err(bad("Say what should change."));
        }
        let target = meant(args);
        let before = targets(Which::of(&args.id, &args.ids, &target), cx).await?;
        let mut after = Vec::with_capacity(before.len());
        for (place, task) in (1..).zip(&before) {
            let mut new = apply(task, &args.changes, cx)?;
            if args.changes.in_order {
                new.place = Some(place);
            }
            after.push(new);
        }
        let mut sketch = CardDraft::new(
            match before.as_slice() {
                [one] => format!("Change the task {}", words::quoted(&one.title)),
                many => format!("Change {}", words::plural(many.len(), "task")),
            },
            "Change",
            "Can be undone.",
        );
        sketch.facts = facts(&before[0], &after[0], cx);
        let say = say(&before, &after, cx);
        Ok(replacement(&before, &after, sketch, say, cx))
    }
}

/// Returns the described target: only a completed task can be opened again.
fn meant(args: &Args) -> Option<TaskFilter> {
    let mut target = args.target.clone();
    if let Some(filter) = target.as_mut().filter(|_| args.changes.reopen) {
        filter.status.get_or_insert(Status::Done);
    }
    target
}

fn apply(task: &Task, changes: &Changes, cx: &Cx) -> Result<Task, Stop> {
    check_amounts(&[
        changes.shift_minutes,
        changes.shift_days,
        changes.shift_months,
    ])?;
    let mut new = task.clone();
    new.updated = cx.now.timestamp();
    if let Some(title) = changes.title.as_deref().map(str::trim) {
        if title.is_empty() || title.chars().count() > TITLE_CHARS_MAX {
            return Err(bad(format!(
                "A title has 1 to {TITLE_CHARS_MAX} characters."
            )));
        }
        new.title = title.to_owned();
    }
    let follows = follows_due(task);
    if let Some(due) = &changes.due {
        new.due = Some(keep_time(task.due.as_ref(), due));
    }
    if let Some(time) = changes.due_time {
        set_time(&mut new, time, cx)?;
    }
    if changes.clear_due {
        new.due = None;
    }
    shift(&mut new, changes, cx)?;
    if day(&new, cx) != day(task, cx) {
        new.place = None;
    }
    if follows && changes.remind_at.is_none() {
        new.remind_at = match &new.due {
            Some(Moment::At(at)) => Some(at.timestamp()),
            _ if changes.shift_minutes.is_some()
                || changes.shift_days.is_some()
                || changes.shift_months.is_some() =>
            {
                new.remind_at
            }
            _ => None,
        };
    }
    match &changes.remind_at {
        Some(Moment::At(at)) => new.remind_at = Some(at.timestamp()),
        Some(Moment::Day(_)) => {
            return Err(bad("A reminder needs a time of day, not only a date."));
        }
        None => {}
    }
    if changes.clear_reminder {
        new.remind_at = None;
    }
    if let Some(notes) = &changes.notes {
        new.notes.clone_from(notes);
    }
    if let Some(more) = &changes.add_notes {
        if !new.notes.is_empty() {
            new.notes.push('\n');
        }
        new.notes.push_str(more);
    }
    if changes.notes.is_some() || changes.add_notes.is_some() {
        check_length("The text of a task", &new.notes, NOTES_CHARS_MAX)?;
    }
    if changes.start.is_some() || changes.clear_start {
        new.start = changes.start;
    }
    labels::remove(
        &mut new.tags,
        changes.remove_tags.as_deref().unwrap_or_default(),
    );
    labels::add(
        &mut new.tags,
        changes.add_tags.as_deref().unwrap_or_default(),
    )?;
    new.priority = changes.priority.unwrap_or(new.priority);
    if let Some(rule) = &changes.rrule {
        let start = new.due.clone().unwrap_or(Moment::Day(cx.now.date()));
        new.rrule = Some(recurring::check(rule, &start)?);
        new.due = Some(start);
    }
    if changes.clear_rrule {
        new.rrule = None;
    }
    if changes.reopen {
        new.status = TaskStatus::Open;
        new.completed_at = None;
    }
    Ok(new)
}

/// Returns the day a task is due; `None` without a due date.
fn day(task: &Task, cx: &Cx) -> Option<civil::Date> {
    task.due.as_ref().map(|due| due.date(&cx.zone()))
}

fn starts(task: &Task, cx: &Cx) -> String {
    task.start
        .map_or_else(|| "at any time".into(), |day| words::day(day, cx))
}

fn facts(before: &Task, after: &Task, cx: &Cx) -> Vec<FactDraft> {
    let due = |task: &Task| {
        task.due
            .as_ref()
            .map_or_else(|| "no date".into(), |due| words::moment(due, cx))
    };
    let rule = |task: &Task| {
        task.rrule
            .as_deref()
            .map_or_else(|| "once".into(), |rule| words::repeats(rule, cx))
    };
    let mut facts = Vec::new();
    let mut changed = |label: &str, old: String, new: String, pointer: &str| {
        if old != new {
            facts.push(FactDraft::from_arg(label, new, pointer).was(old));
        }
    };
    changed(
        "Task",
        before.title.clone(),
        after.title.clone(),
        "/changes/title",
    );
    changed("Due", due(before), due(after), "/changes/due");
    changed(
        "Starts",
        starts(before, cx),
        starts(after, cx),
        "/changes/start",
    );
    changed(
        "Labels",
        before.tags.join(", "),
        after.tags.join(", "),
        "/changes/add_tags",
    );
    changed(
        "Priority",
        priority(before.priority).into(),
        priority(after.priority).into(),
        "/changes/priority",
    );
    changed("Repeats", rule(before), rule(after), "/changes/rrule");
    changed(
        "Notes",
        before.notes.clone(),
        after.notes.clone(),
        "/changes/notes",
    );
    facts
}

fn priority(priority: Priority) -> &'static str {
    match priority {
        Priority::Low => "low",
        Priority::Medium => "medium",
        Priority::High => "high",
    }
}

fn say(before: &[Task], after: &[Task], cx: &Cx) -> String {
    let lines: Vec<String> = after.iter().map(|task| task.line(cx)).collect();
    match (before, after) {
        ([old], [new]) => {
            let mut parts = Vec::new();
            if old.title != new.title {
                parts.push(format!("is now {}", words::quoted(&new.title)));
            }
            if old.due != new.due {
                parts.push(match &new.due {
                    Some(due) => format!("is due {}", words::moment(due, cx)),
                    None => "no longer has a due date".into(),
                });
            }
            if old.remind_at != new.remind_at && old.due == new.due {
                parts.push(match new.remind_at {
                    Some(at) => format!("reminds {}", words::instant(at, cx)),
                    None => "no longer has a reminder".into(),
                });
            }
            if old.priority != new.priority {
                parts.push(format!("has {} priority", priority(new.priority)));
            }
            if old.rrule != new.rrule {
                parts.push(match &new.rrule {
                    Some(rule) => format!("repeats {}", words::repeats(rule, cx)),
                    None => "no longer repeats".into(),
                });
            }
            if old.start != new.start {
                parts.push(match new.start {
                    Some(day) => format!("starts {}", words::day(day, cx)),
                    None => "starts at any time".into(),
                });
            }
            if old.tags != new.tags {
                parts.push(if new.tags.is_empty() {
                    "no longer has labels".into()
                } else {
                    format!("is labelled {}", words::inline(&new.tags.join(", ")))
                });
            }
            if old.place != new.place && old.due == new.due {
                parts.push("is in its new place".into());
            }
            if old.notes != new.notes {
                parts.push("has new notes".into());
            }
            if old.status != new.status {
                parts.push("is open again".into());
            }
            if parts.is_empty() {
                parts.push("is as it was".into());
            }
            format!("{} {}.", words::quoted(&old.title), words::join(&parts))
        }
        _ => format!(
            "Changed {}.\n\n{}",
            words::plural(after.len(), "task"),
            words::bullets(&lines, lines.len())
        ),
    }
}
