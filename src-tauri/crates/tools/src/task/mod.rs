//! Tasks and reminders.

mod complete;
mod create;
mod delete;
mod due;
mod find;
mod list;
mod update;

#[cfg(test)]
mod contract;

use adjutant_domain::focus::Referent;
use adjutant_domain::gate::Item;
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Priority, Record, Task, TaskStatus};
use adjutant_domain::tool::{AnyTool, Target};
use async_trait::async_trait;
use serde_json::{Value, json};
use std::sync::Arc;

pub use find::TaskFilter;

use crate::registry::{Acts, Reads, any};
use crate::select::{AsTarget, Row, Said, record};
use crate::words;

/// Returns the tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![
        any(Acts(create::Create)),
        any(Reads(list::List)),
        any(Acts(update::Update)),
        any(Acts(complete::Complete)),
        any(Acts(delete::Delete)),
    ]
}

impl AsTarget for Task {
    fn target(&self) -> Target {
        Target {
            kind: Kind::Task,
            id: self.id.clone(),
            version: self.version,
            label: self.title.clone(),
        }
    }
}

#[async_trait]
impl Row for Task {
    const NOUN: &'static str = "task";

    fn ref_id(&self) -> String {
        self.id.0.clone()
    }

    fn referent(&self) -> Option<Referent> {
        Some(self.referred())
    }

    fn said(&self) -> Said {
        Said {
            title: format!("{} {}", self.title, self.tags.join(" ")),
            more: self.notes.clone(),
            ..Said::default()
        }
    }

    fn value(&self, cx: &Cx) -> Value {
        json!({
            "id": self.id, "title": self.title, "notes": self.notes, "due": self.due,
            "remind_at": self.remind_at.map(|at| at.to_zoned(cx.zone()).to_string()),
            "priority": self.priority, "status": self.status, "rrule": self.rrule,
            "start": self.start, "tags": self.tags,
            "overdue": is_overdue(self, cx),
            "completed_at": self.completed_at.map(|at| at.to_zoned(cx.zone()).to_string()),
            "created": self.created.to_zoned(cx.zone()).to_string(),
        })
    }

    fn line(&self, cx: &Cx) -> String {
        let title = words::inline(&self.title);
        match details(self, cx) {
            details if details.is_empty() => title,
            details => format!("{title} · {details}"),
        }
    }

    fn item(&self, cx: &Cx) -> Item {
        Item {
            id: self.ref_id(),
            label: self.title.clone(),
            detail: Some(details(self, cx)).filter(|text| !text.is_empty()),
            ..Item::default()
        }
    }

    async fn load(id: &str, cx: &Cx) -> Result<Option<Self>, Stop> {
        Ok(match record(Kind::Task, id, cx).await? {
            Some(Record::Task(task)) => Some(task),
            _ => None,
        })
    }
}

/// Returns whether a task is overdue: open, and its instant has passed or its day is over.
pub(crate) fn is_overdue(task: &Task, cx: &Cx) -> bool {
    task.status == TaskStatus::Open
        && match &task.due {
            Some(Moment::At(at)) => at.timestamp() < cx.now.timestamp(),
            Some(Moment::Day(day)) => *day < cx.now.date(),
            None => false,
        }
}

fn details(task: &Task, cx: &Cx) -> String {
    let mut parts = Vec::new();
    if task.status == TaskStatus::Done {
        parts.push(match task.completed_at {
            Some(at) => format!("done {}", words::instant(at, cx)),
            None => "done".into(),
        });
    } else if let Some(due) = &task.due {
        let when = words::moment(due, cx);
        parts.push(if is_overdue(task, cx) {
            format!("overdue since {when}")
        } else {
            format!("due {when}")
        });
    } else if let Some(at) = task.remind_at {
        parts.push(format!("reminder {}", words::instant(at, cx)));
    }
    if task.priority == Priority::High {
        parts.push("high priority".into());
    }
    if let Some(rule) = &task.rrule {
        parts.push(words::repeats(rule, cx));
    }
    if !task.tags.is_empty() {
        parts.push(words::inline(&task.tags.join(", ")));
    }
    parts.join(" · ")
}
