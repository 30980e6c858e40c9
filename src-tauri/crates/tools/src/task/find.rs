//! Finds tasks by a filter.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::filter::{self, RowFlag, Test, Time};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Priority, Task, TaskStatus};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::select::{
    Aim, Except, Ids, Loosened, Narrowing, Pick, StorageFilter, check_range, loosened,
    titles_first, window_words,
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
// The name is part of the schema, whose hash is part of every waiting approval.
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
impl StorageFilter for TaskFilter {
    type Row = Task;
    const KIND: Kind = Kind::Task;

    fn narrowing(&self) -> Narrowing<'_, Self> {
        Narrowing::of(&self.except, self.pick, self.limit)
    }

    async fn loosened(&self, _: &Cx) -> Result<Vec<Loosened<Self>>, Stop> {
        let said = [&self.text, &self.title_is].into_iter().flatten();
        let filter = Self {
            text: None,
            title_is: None,
            ..self.clone()
        };
        // A day beside a task is often the day on which it was done, not the day it is due.
        let any_day = Self {
            due_from: None,
            due_to: None,
            ..filter.clone()
        };
        let mut forms = loosened(filter.clone(), said.clone(), self.ids.is_none());
        if any_day != filter {
            forms.extend(loosened(any_day, said, self.ids.is_none()));
        }
        Ok(forms)
    }

    async fn searches(&self, aim: Aim, cx: &Cx) -> Result<Vec<filter::Filter>, Stop> {
        let status = match (aim, self.status) {
            // Unlike a search, an exception without a state matches tasks in any state.
            (Aim::LeaveOut, None) => None,
            _ => self.wanted_status(),
        };
        let unworded = self.unworded(status, cx)?;
        Ok(titles_first(unworded, self.text.as_deref()))
    }

    async fn rows(search: &filter::Filter, cx: &Cx) -> Result<Vec<Task>, StoreFault> {
        cx.records.tasks(search).await
    }

    fn described(&self, cx: &Cx) -> String {
        let mut said = String::new();
        match self.status.unwrap_or(Status::Open) {
            Status::Open if self.overdue == Some(true) => said.push_str("overdue tasks"),
            Status::Open => said.push_str("open tasks"),
            Status::Done => said.push_str("completed tasks"),
            Status::Any => said.push_str("tasks"),
        }
        let about = self.text.as_deref().or(self.title_is.as_deref());
        words::add_quoted(&mut said, "about", about);
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
        said
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

    /// Returns the search for all that the filter says but `text`, in the requested order.
    fn unworded(&self, status: Option<TaskStatus>, cx: &Cx) -> Result<filter::Filter, Stop> {
        let due = check_range(self.due_from.as_ref(), self.due_to.as_ref(), cx)?;
        let completed = check_range(self.completed_from.as_ref(), self.completed_to.as_ref(), cx)?;
        let overdue = self.overdue.map(|is| Test::Overdue {
            now: cx.now.timestamp(),
            today: Moment::Day(cx.now.date()).starts(&cx.zone()),
            is,
        });
        Ok(filter::Filter::all()
            .is(
                RowFlag::Done,
                status.map(|status| status == TaskStatus::Done),
            )
            .within(Time::Due, due)
            .within(Time::Completed, completed)
            .is(RowFlag::HasDue, self.has_due)
            .is(RowFlag::Repeats, self.recurring)
            .maybe(self.priority.map(Test::Priority))
            .maybe(overdue)
            .maybe(self.ids.as_ref().map(Ids::test))
            .maybe(self.title_is.clone().map(Test::Called))
            .ordered(match self.order.unwrap_or_default() {
                Order::Due => filter::Order::Earliest,
                Order::DueDown => filter::Order::Latest,
                Order::Priority => filter::Order::LeastUrgent,
                Order::PriorityDown => filter::Order::MostUrgent,
                Order::Created => filter::Order::Oldest,
                Order::CreatedDown => filter::Order::Newest,
                Order::Title => filter::Order::Title,
            }))
    }
}
