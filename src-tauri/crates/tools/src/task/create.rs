//! `task.create`

use adjutant_domain::change::Change;
use adjutant_domain::gate::{Assessment, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Priority, Record, Task, TaskStatus};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use jiff::civil;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_overdue;
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{AsTarget, Row, answer, bad, check_length};
use crate::{labels, recurring, words};

/// Maximum characters of a title.
pub(super) const TITLE_CHARS_MAX: usize = 1_000;

/// Maximum characters of a task's notes.
pub(super) const NOTES_CHARS_MAX: usize = 500_000;

/// The tool `task.create`: creates a task or reminder.
pub(super) struct Create;

/// Arguments of `task.create`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to do, in the person's words.
    title: String,
    /// When it is due: a day, or an instant.
    due: Option<Moment>,
    /// When to remind; follows `due` when that is an instant.
    remind_at: Option<Moment>,
    /// Further text.
    notes: Option<String>,
    /// The day before which nothing is to be done about it, such as `2026-01-31`.
    #[schemars(with = "Option<String>")]
    start: Option<civil::Date>,
    /// Labels.
    tags: Option<Vec<String>>,
    /// How urgent.
    priority: Option<Priority>,
    /// Repetition as an RFC 5545 rule, from `due` on.
    rrule: Option<String>,
}

#[async_trait]
impl Acting for Create {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "task.create",
            Domain::Task,
            Risk::LocalReversible,
            "Creates a task or a reminder, once or repeating.",
            &[
                "remind me to",
                "add a task",
                "new task",
                "create a to-do",
                "put … on my to-do list",
                "don’t let me forget to",
                "I need to",
                "I have to",
                "note to self",
                "set a reminder",
                "set an alarm",
                "ping me",
                "every Monday remind me to",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let title = args.title.trim();
        if title.is_empty() {
            return Err(bad("A task needs a title."));
        }
        if title.chars().count() > TITLE_CHARS_MAX {
            return Err(bad(format!(
                "A title has at most {TITLE_CHARS_MAX} characters; put the rest into the notes."
            )));
        }
        let notes = args.notes.as_deref().unwrap_or_default();
        check_length("The text of a task", notes, NOTES_CHARS_MAX)?;
        let task = task(args, title, cx)?;
        let mut sketch = CardDraft::new("Add a task", "Add", "Can be undone: it is removed again.");
        sketch
            .facts
            .push(FactDraft::from_arg("Task", title, "/title"));
        if let Some(due) = &task.due {
            sketch
                .facts
                .push(FactDraft::from_arg("Due", words::moment(due, cx), "/due"));
        }
        if let Some(rule) = &task.rrule {
            sketch.facts.push(FactDraft::from_arg(
                "Repeats",
                words::repeats(rule, cx),
                "/rrule",
            ));
        }
        sketch.body = args.notes.clone().filter(|notes| !notes.trim().is_empty());
        let say = say(&task, cx);
        Ok(Prepared {
            targets: Vec::new(),
            answer: answer(std::slice::from_ref(&task), 1, say, cx),
            operations: local(Change::add(Record::Task(task))),
            assessment: Assessment::reversible(),
            sketch,
        })
    }
}

fn task(args: &Args, title: &str, cx: &Cx) -> Result<Task, Stop> {
    let now = cx.now.timestamp();
    let remind_at = match (&args.remind_at, &args.due) {
        (Some(Moment::At(at)), _) => Some(at.timestamp()),
        (Some(Moment::Day(_)), _) => {
            return Err(bad("A reminder needs a time of day, not only a date."));
        }
        (None, Some(Moment::At(at))) => Some(at.timestamp()),
        (None, _) => None,
    };
    // A repeating task needs a first date: the reminder's, or else today.
    let due = match (&args.due, &args.rrule) {
        (None, Some(_)) => Some(args.remind_at.clone().unwrap_or(Moment::Day(cx.now.date()))),
        (due, _) => due.clone(),
    };
    let rrule = match (&args.rrule, &due) {
        (Some(rule), Some(start)) => Some(recurring::check(rule, start)?),
        _ => None,
    };
    let mut tags = Vec::new();
    labels::add(&mut tags, args.tags.as_deref().unwrap_or_default())?;
    Ok(Task {
        id: cx.new_id(Kind::Task),
        title: title.to_owned(),
        notes: args.notes.clone().unwrap_or_default(),
        due,
        remind_at,
        priority: args.priority.unwrap_or_default(),
        status: TaskStatus::Open,
        rrule,
        start: args.start,
        tags,
        place: None,
        completed_at: None,
        created: now,
        updated: now,
        version: 0,
    })
}

fn say(task: &Task, cx: &Cx) -> String {
    let mut said = format!("Added {}", words::quoted(&task.title));
    if let Some(due) = &task.due {
        said.push_str(&format!(", due {}", words::moment(due, cx)));
    }
    let due_instant = match &task.due {
        Some(Moment::At(at)) => Some(at.timestamp()),
        _ => None,
    };
    if let Some(at) = task.remind_at.filter(|at| Some(*at) != due_instant) {
        said.push_str(&format!(", reminder {}", words::instant(at, cx)));
    }
    if let Some(rule) = &task.rrule {
        said.push_str(&format!(", {}", words::repeats(rule, cx)));
    }
    if task.priority == Priority::High {
        said.push_str(", high priority");
    }
    said.push('.');
    if is_overdue(task, cx) {
        said.push_str(" That date is already past.");
    }
    said
}

/// Prepares the replacement of tasks by their new versions. The card gets its items here.
pub(super) fn replacement(
    before: &[Task],
    after: &[Task],
    mut sketch: CardDraft,
    say: String,
    cx: &Cx,
) -> Prepared {
    sketch.items = before.iter().map(|task| task.item(cx)).collect();
    let change = after.iter().fold(Change::default(), |change, task| {
        change.and_replace(Record::Task(task.clone()))
    });
    let mut assessment = Assessment::reversible();
    assessment.count = before.len();
    Prepared {
        targets: before.iter().map(AsTarget::target).collect(),
        operations: local(change),
        answer: answer(after, after.len(), say, cx),
        assessment,
        sketch,
    }
}
