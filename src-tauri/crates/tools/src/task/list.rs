//! `task.list`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Task};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use serde_json::{Value, json};

use super::find::{TaskFilter, TaskQuestion};
use super::is_overdue;
use crate::recall::closest;
use crate::registry::{Reading, spec};
use crate::select::{Chosen, Filter, Row, listed, output, referents};
use crate::words;

/// The tool `task.list`: lists tasks.
pub(super) struct List;

#[async_trait]
impl Reading for List {
    type Args = TaskFilter;

    fn spec(&self) -> ToolSpec {
        spec(
            "task.list",
            Domain::Task,
            Risk::Read,
            "Lists tasks and reminders by words, date, state or priority, and answers how many and when.",
            &[
                "what do I have to do",
                "my tasks",
                "my to-dos",
                "my reminders",
                "what is on my to-do list",
                "what is due",
                "which tasks are overdue",
                "how many tasks",
                "when is … due",
                "did I finish",
                "what have I completed",
            ],
        )
    }

    async fn read(&self, filter: TaskFilter, cx: &Cx) -> Result<Answer, Stop> {
        let chosen = listed(&filter, cx).await?;
        let mut map = output(&chosen.rows, chosen.total, cx);
        let overdue = chosen
            .rows
            .iter()
            .filter(|task| is_overdue(task, cx))
            .count();
        map.insert("overdue".into(), json!(overdue));
        let named = filter.text.as_deref();
        let (closest, taint) = closest(
            named.filter(|_| chosen.rows.is_empty() && filter.except.is_none()),
            cx,
        )
        .await?;
        Ok(Answer {
            say: say(&filter, filter.ask.unwrap_or_default(), &chosen, cx) + &closest,
            output: Value::Object(map),
            referents: referents(&chosen.rows),
            taint,
            used_memories: Vec::new(),
        })
    }
}

fn say(filter: &TaskFilter, ask: TaskQuestion, chosen: &Chosen<Task>, cx: &Cx) -> String {
    let sought = filter.sought(cx);
    if chosen.rows.is_empty() {
        return match ask {
            TaskQuestion::Count => format!("0 {sought}."),
            TaskQuestion::Any => format!("No, there are no {sought}."),
            _ => format!("No {sought}."),
        };
    }
    let lines: Vec<String> = chosen.rows.iter().map(|task| task.line(cx)).collect();
    let count = words::plural(chosen.total, "task");
    match (ask, chosen.rows.as_slice()) {
        (TaskQuestion::When, [one]) => match (&one.due, one.remind_at) {
            (Some(due), _) => format!(
                "{} is due {}.",
                words::quoted(&one.title),
                words::moment(due, cx)
            ),
            (None, Some(at)) => format!(
                "{} has no due date; its reminder comes {}.",
                words::quoted(&one.title),
                words::instant(at, cx)
            ),
            (None, None) => format!("{} has no due date.", words::quoted(&one.title)),
        },
        (TaskQuestion::Count, _) => format!(
            "{count}.\n\n{}",
            words::found(&lines, chosen.total, filter.limit, Kind::Task)
        ),
        (TaskQuestion::Any, _) => format!(
            "Yes, {count}.\n\n{}",
            words::found(&lines, chosen.total, filter.limit, Kind::Task)
        ),
        (_, [_]) => format!("{}.", lines[0]),
        _ => format!(
            "{count}{}.\n\n{}",
            overdue_words(&chosen.rows, cx),
            words::found(&lines, chosen.total, filter.limit, Kind::Task)
        ),
    }
}

fn overdue_words(rows: &[Task], cx: &Cx) -> String {
    match rows.iter().filter(|task| is_overdue(task, cx)).count() {
        0 => String::new(),
        number => format!(", {number} overdue"),
    }
}
