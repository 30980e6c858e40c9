//! `task.update`

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Priority, Task, TaskStatus};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use jiff::{Span, civil};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::create::{NOTES_CHARS_MAX, TITLE_CHARS_MAX, answer, replace_all, targets_of};
use super::find::TaskFilter;
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{Ids, Row, Which, at_time, bad, check_amounts, check_length, targets};
use crate::{recurring, words};

/// Changes tasks.
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
    shift_minutes: Option<i64>,
    /// Moves due date and reminder by so many days; negative is earlier.
    shift_days: Option<i64>,
    /// Moves due date and reminder by so many months of the calendar; negative is earlier.
    shift_months: Option<i64>,
    /// New time of the reminder.
    remind_at: Option<Moment>,
    /// Takes the reminder away.
    clear_reminder: bool,
    /// New text, replacing the old.
    notes: Option<String>,
    /// Text added to the notes.
    add_notes: Option<String>,
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
            return Err(bad("Say what shall change."));
        }
        let which = Which {
            id: args.id.as_ref(),
            ids: args.ids.as_ref(),
            target: args.target.as_ref(),
        };
        let before = targets(which, cx).await?;
        let mut after = Vec::with_capacity(before.len());
        for task in &before {
            after.push(apply(task, &args.changes, cx)?);
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
        sketch.items = before.iter().map(|task| task.item(cx)).collect();
        let mut assessment = Assessment::reversible();
        assessment.count = before.len();
        Ok(Prepared {
            targets: targets_of(&before),
            operations: local(replace_all(&after)),
            answer: answer(&after, say(&before, &after, cx), cx),
            assessment,
            sketch,
        })
    }
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

/// Whether the reminder is the due time itself, or there is none yet.
fn follows_due(task: &Task) -> bool {
    match (&task.due, task.remind_at) {
        (Some(Moment::At(at)), Some(remind)) => at.timestamp() == remind,
        (_, None) => true,
        _ => false,
    }
}

fn keep_time(old: Option<&Moment>, new: &Moment) -> Moment {
    match (old, new) {
        (Some(Moment::At(at)), Moment::Day(day)) => day
            .to_datetime(at.time())
            .to_zoned(at.time_zone().clone())
            .map_or_else(|_| new.clone(), Moment::At),
        _ => new.clone(),
    }
}

/// Another time of day. A task that has nothing but a reminder is reminded at that time.
fn set_time(task: &mut Task, time: civil::Time, cx: &Cx) -> Result<(), Stop> {
    match (&task.due, task.remind_at) {
        (Some(due), _) => task.due = Some(at_time(due, time, cx)?),
        (None, Some(at)) => {
            let reminder = at_time(&Moment::At(at.to_zoned(cx.zone())), time, cx)?;
            task.remind_at = Some(reminder.starts(&cx.zone()));
        }
        (None, None) => {
            let today = cx.now.date();
            let day = if time > cx.now.time() {
                today
            } else {
                today.tomorrow().unwrap_or(today)
            };
            task.due = Some(at_time(&Moment::Day(day), time, cx)?);
        }
    }
    Ok(())
}

fn shift(task: &mut Task, changes: &Changes, cx: &Cx) -> Result<(), Stop> {
    let (minutes, days, months) = (
        changes.shift_minutes.unwrap_or(0),
        changes.shift_days.unwrap_or(0),
        changes.shift_months.unwrap_or(0),
    );
    if minutes == 0 && days == 0 && months == 0 {
        return Ok(());
    }
    let too_far = |_| -> Stop {
        ToolFault::BadArguments {
            reason: "That date is too far away.".into(),
        }
        .into()
    };
    let span = |days: i64| Span::new().try_days(days)?.try_months(months);
    match &task.due {
        None if task.remind_at.is_none() => {
            return Err(bad(format!(
                "{} has no date that could be moved.",
                words::quoted(&task.title)
            )));
        }
        None => {}
        Some(Moment::At(at)) => {
            let moved = span(days)
                .and_then(|days| at.checked_add(days))
                .and_then(|at| at.checked_add(jiff::SignedDuration::from_mins(minutes)))
                .map_err(too_far)?;
            task.due = Some(Moment::At(moved));
        }
        Some(Moment::Day(day)) => {
            if minutes % 1_440 == 0 {
                let moved = span(days + minutes / 1_440)
                    .and_then(|days| day.checked_add(days))
                    .map_err(too_far)?;
                task.due = Some(Moment::Day(moved));
            } else {
                // "In two hours" on something due today: it gets a time, counted from now.
                let at = cx
                    .now
                    .checked_add(jiff::SignedDuration::from_mins(minutes))
                    .map_err(too_far)?;
                task.due = Some(Moment::At(at));
            }
        }
    }
    if let Some(at) = task.remind_at {
        let moved = span(days)
            .and_then(|days| at.to_zoned(cx.zone()).checked_add(days))
            .and_then(|at| at.checked_add(jiff::SignedDuration::from_mins(minutes)))
            .map_err(too_far)?;
        task.remind_at = Some(moved.timestamp());
    }
    Ok(())
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
                    None => "has no due date any more".into(),
                });
            }
            if old.remind_at != new.remind_at && old.due == new.due {
                parts.push(match new.remind_at {
                    Some(at) => format!("reminds {}", words::instant(at, cx)),
                    None => "has no reminder any more".into(),
                });
            }
            if old.priority != new.priority {
                parts.push(format!("has {} priority", priority(new.priority)));
            }
            if old.rrule != new.rrule {
                parts.push(match &new.rrule {
                    Some(rule) => format!("repeats {}", words::repeats(rule, cx)),
                    None => "does not repeat any more".into(),
                });
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
