//! Which tasks.

use std::cmp::Reverse;

use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::{Cx, TaskFilter as StoreFilter, Window};
use adjutant_domain::record::{Priority, Task, TaskStatus};
use adjutant_text::{all_words, fold_line, same};
use async_trait::async_trait;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_overdue;
use crate::effect::failed;
use crate::select::{
    Except, Filter, Ids, Pick, check_range, except_words, prefer, window_words, without,
};
use crate::words;

/// Which tasks are meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TaskFilter {
    /// Words that all occur in title or notes; titles come first.
    pub text: Option<String>,
    /// The whole title.
    pub title_is: Option<String>,
    /// Open, done or any; open when left out.
    pub status: Option<Status>,
    /// Due from here on.
    pub due_from: Option<Moment>,
    /// Due before this.
    pub due_to: Option<Moment>,
    /// Only those past their due date, or only those that are not.
    pub overdue: Option<bool>,
    /// Only those with a due date, or only those without.
    pub has_due: Option<bool>,
    /// Only of this priority.
    pub priority: Option<Priority>,
    /// Only those that repeat, or only those that do not.
    pub recurring: Option<bool>,
    /// Completed from here on.
    pub completed_from: Option<Moment>,
    /// Completed before this.
    pub completed_to: Option<Moment>,
    /// Only these.
    pub ids: Option<Ids>,
    /// Left out: whatever fits any of these filters.
    pub except: Option<Except<TaskFilter>>,
    /// Order.
    pub order: Option<Order>,
    /// Which of those that fit.
    pub pick: Option<Pick>,
    /// At most so many.
    pub limit: Option<usize>,
    /// Which question the words answer; only `task.list` reads it.
    pub ask: Option<TaskQuestion>,
}

/// Questions about tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
// The name is part of the schema, and its hash of every approval that waits.
#[schemars(rename = "Ask")]
pub enum TaskQuestion {
    /// Which ones.
    #[default]
    List,
    /// How many.
    Count,
    /// Whether there are any.
    Any,
    /// When they are due.
    When,
}

/// State of tasks looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// To do.
    Open,
    /// Completed.
    Done,
    /// Both.
    Any,
}

/// Orders of tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Order {
    /// Earliest due first, those without due date last.
    #[default]
    #[serde(rename = "due")]
    Due,
    /// Latest due first, those without due date last.
    #[serde(rename = "-due")]
    DueDown,
    /// Least urgent first.
    #[serde(rename = "priority")]
    Priority,
    /// Most urgent first.
    #[serde(rename = "-priority")]
    PriorityDown,
    /// Oldest first.
    #[serde(rename = "created")]
    Created,
    /// Newest first.
    #[serde(rename = "-created")]
    CreatedDown,
    /// By title.
    #[serde(rename = "title")]
    Title,
}

#[async_trait]
impl Filter for TaskFilter {
    type Row = Task;

    fn pick(&self) -> Option<Pick> {
        self.pick
    }

    fn limit(&self) -> Option<usize> {
        self.limit
    }

    async fn find(&self, _acting: bool, cx: &Cx) -> Result<Vec<Task>, Stop> {
        let due = check_range(self.due_from.as_ref(), self.due_to.as_ref(), cx)?;
        let completed = check_range(self.completed_from.as_ref(), self.completed_to.as_ref(), cx)?;
        let rows = cx
            .records
            .tasks(&StoreFilter {
                text: None,
                status: self.wanted_status(),
                due,
                limit: None,
            })
            .await
            .map_err(failed)?;
        let rows = rows
            .into_iter()
            .filter(|task| self.fits(task, completed, cx))
            .collect();
        let rows = without(
            by_text(rows, self.text.as_deref()),
            self.except.as_ref(),
            cx,
        );
        let mut rows = rows.await?.rows;
        self.sort(&mut rows, cx);
        Ok(rows)
    }

    async fn among(&self, rows: &[Task], cx: &Cx) -> Result<Vec<Task>, Stop> {
        let due = check_range(self.due_from.as_ref(), self.due_to.as_ref(), cx)?;
        let completed = check_range(self.completed_from.as_ref(), self.completed_to.as_ref(), cx)?;
        let in_range = |task: &Task| {
            let at = task.due.as_ref().map(|due| due.starts(&cx.zone()));
            due.is_open() || at.is_some_and(|at| due.holds(at))
        };
        // Unlike a search, an exception that says nothing about the state means any.
        let status = self.status.and_then(|_| self.wanted_status());
        let fitting = rows
            .iter()
            .filter(|task| status.is_none_or(|status| status == task.status))
            .filter(|task| in_range(task) && self.fits(task, completed, cx))
            .cloned()
            .collect();
        let mut fitting = by_text(fitting, self.text.as_deref());
        self.sort(&mut fitting, cx);
        Ok(fitting)
    }

    fn sought(&self, cx: &Cx) -> String {
        let mut said = String::new();
        match self.status.unwrap_or(Status::Open) {
            Status::Open if self.overdue == Some(true) => said.push_str("overdue tasks"),
            Status::Open => said.push_str("open tasks"),
            Status::Done => said.push_str("completed tasks"),
            Status::Any => said.push_str("tasks"),
        }
        if let Some(text) = self.text.as_deref().or(self.title_is.as_deref()) {
            said.push_str(&format!(" about {}", words::quoted(text)));
        }
        match self.priority {
            Some(Priority::High) => said.push_str(" with high priority"),
            Some(Priority::Medium) => said.push_str(" with medium priority"),
            Some(Priority::Low) => said.push_str(" with low priority"),
            None => {}
        }
        if self.due_from.is_some() || self.due_to.is_some() {
            said.push_str(" due");
            said.push_str(&window_words(
                self.due_from.as_ref(),
                self.due_to.as_ref(),
                cx,
            ));
        }
        if self.completed_from.is_some() || self.completed_to.is_some() {
            said.push_str(&window_words(
                self.completed_from.as_ref(),
                self.completed_to.as_ref(),
                cx,
            ));
        }
        if self.has_due == Some(false) {
            said.push_str(" without a date");
        }
        said + &except_words(self.except.as_ref(), cx)
    }
}

impl TaskFilter {
    fn wanted_status(&self) -> Option<TaskStatus> {
        let finished = self.completed_from.is_some() || self.completed_to.is_some();
        match self.status {
            Some(Status::Any) => None,
            Some(Status::Done) => Some(TaskStatus::Done),
            None if finished => Some(TaskStatus::Done),
            None if self.ids.is_some() => None,
            Some(Status::Open) | None => Some(TaskStatus::Open),
        }
    }

    fn fits(&self, task: &Task, completed: Window, cx: &Cx) -> bool {
        let finished =
            completed.is_open() || task.completed_at.is_some_and(|at| completed.holds(at));
        finished
            && self
                .title_is
                .as_deref()
                .is_none_or(|title| same(title, &task.title))
            && self
                .overdue
                .is_none_or(|overdue| overdue == is_overdue(task, cx))
            && self.has_due.is_none_or(|has| has == task.due.is_some())
            && self
                .priority
                .is_none_or(|priority| priority == task.priority)
            && self
                .recurring
                .is_none_or(|recurring| recurring == task.rrule.is_some())
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&task.id.0))
    }

    fn sort(&self, rows: &mut [Task], cx: &Cx) {
        let due = |task: &Task| {
            task.due
                .as_ref()
                .map(|due| due.starts(&cx.zone()))
                .or(task.remind_at)
        };
        // The store's order (open first, due, priority) breaks ties: sorting is stable.
        match self.order.unwrap_or_default() {
            Order::Due => rows.sort_by_key(|task| due(task).unwrap_or(Timestamp::MAX)),
            Order::DueDown => {
                rows.sort_by_key(|task| Reverse(due(task).unwrap_or(Timestamp::MIN)));
            }
            Order::Priority => rows.sort_by_key(|task| task.priority),
            Order::PriorityDown => rows.sort_by_key(|task| Reverse(task.priority)),
            Order::Created => rows.sort_by_key(|task| task.created),
            Order::CreatedDown => rows.sort_by_key(|task| Reverse(task.created)),
            Order::Title => rows.sort_by_key(|task| fold_line(&task.title)),
        }
    }
}

/// Titles that are the words, before titles that hold them, before notes that do: the best kind that has any.
fn by_text(rows: Vec<Task>, wanted: Option<&str>) -> Vec<Task> {
    let Some(wanted) = wanted else {
        return rows;
    };
    let somewhere = rows
        .into_iter()
        .filter(|task| all_words(wanted, &format!("{} {}", task.title, task.notes)))
        .collect();
    prefer(somewhere, |task| all_words(wanted, &task.title))
}
