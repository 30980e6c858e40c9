//! CSV: tasks, one per row. A header row names the columns: `title` (or `task`, `name`), `notes`, `due`, `priority`,
//! `status`, `rrule`.

use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Kind, Priority, Record, Task, TaskStatus};
use jiff::{civil, tz::TimeZone};

use super::{Incoming, Items, Refused, Seed, instant, line};

/// Highest number of rows that are read.
const ROWS_MAX: usize = 100_000;

struct Columns {
    title: usize,
    notes: Option<usize>,
    due: Option<usize>,
    priority: Option<usize>,
    status: Option<usize>,
    rrule: Option<usize>,
    start: Option<usize>,
    tags: Option<usize>,
    completed: Option<usize>,
}

pub(super) fn read(text: &str, file: &str, seed: &Seed) -> Items {
    let refuse = |item: String, reason: String| {
        Err(Refused {
            file: file.to_owned(),
            item,
            reason,
        })
    };
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let columns = match reader.headers() {
        Ok(head) => columns(head),
        Err(error) => return Box::new(std::iter::once(refuse("row 1".into(), error.to_string()))),
    };
    let Some(columns) = columns else {
        return Box::new(std::iter::once(refuse(
            "row 1".into(),
            "has no column “title”; the first row must name the columns (title, notes, due, priority, status, rrule, start, tags, completed_at)".into(),
        )));
    };
    let mut items = Vec::new();
    for (index, row) in reader.records().take(ROWS_MAX).enumerate() {
        let name = format!("row {}", index + 2);
        items.push(match row {
            Ok(row) => match task(&row, &columns, seed) {
                Ok(task) => Ok(Incoming {
                    record: Record::Task(task),
                    raw: None,
                    provenance: None,
                }),
                Err(reason) => refuse(name, reason),
            },
            Err(error) => refuse(name, error.to_string()),
        });
    }
    Box::new(items.into_iter())
}

fn columns(head: &csv::StringRecord) -> Option<Columns> {
    let find = |names: &[&str]| {
        head.iter()
            .position(|cell| names.contains(&cell.to_lowercase().as_str()))
    };
    Some(Columns {
        title: find(&["title", "task", "name", "summary", "content"])?,
        notes: find(&["notes", "note", "description"]),
        due: find(&["due", "due date", "deadline", "date"]),
        priority: find(&["priority"]),
        status: find(&["status", "done", "completed"]),
        rrule: find(&["rrule", "repeat"]),
        start: find(&["start", "start date"]),
        tags: find(&["tags", "labels"]),
        completed: find(&[
            "completed_at",
            "completed at",
            "completed on",
            "date completed",
        ]),
    })
}

fn task(row: &csv::StringRecord, columns: &Columns, seed: &Seed) -> Result<Task, String> {
    let cell = |column: Option<usize>| {
        column
            .and_then(|column| row.get(column))
            .unwrap_or_default()
    };
    let title = line(cell(Some(columns.title)), 1000);
    if title.is_empty() {
        return Err("has no title".into());
    }
    let zone = seed.now.time_zone();
    let due = moment("is due", cell(columns.due), zone)?;
    let status = match cell(columns.status).to_lowercase().as_str() {
        "" | "open" | "todo" | "to do" | "false" | "no" | "needs-action" => TaskStatus::Open,
        "done" | "completed" | "complete" | "true" | "yes" | "x" => TaskStatus::Done,
        other => {
            return Err(format!(
                "has the status “{}”, but it must be open or done",
                line(other, 40)
            ));
        }
    };
    let priority = match cell(columns.priority).to_lowercase().as_str() {
        "" | "medium" | "normal" | "none" | "2" => Priority::Medium,
        "low" | "3" => Priority::Low,
        "high" | "urgent" | "1" => Priority::High,
        other => {
            return Err(format!(
                "has the priority “{}”, but it must be low, medium or high",
                line(other, 40)
            ));
        }
    };
    let start = match cell(columns.start) {
        "" => None,
        day => Some(
            day.parse()
                .map_err(|_| format!("starts on “{}”; days look like 2026-01-31", line(day, 40)))?,
        ),
    };
    let rrule = line(cell(columns.rrule), 500);
    let completed = moment("was done on", cell(columns.completed), zone)?;
    let completed = completed.filter(|_| status == TaskStatus::Done);
    Ok(Task {
        id: seed.id(Kind::Task),
        title,
        notes: cell(columns.notes).to_owned(),
        remind_at: match &due {
            Some(Moment::At(at)) if status == TaskStatus::Open => Some(at.timestamp()),
            _ => None,
        },
        due,
        priority,
        status,
        rrule: (!rrule.is_empty()).then(|| rrule.trim_start_matches("RRULE:").to_owned()),
        start,
        tags: labels(cell(columns.tags)),
        place: None,
        completed_at: completed.and_then(|at| instant(&at, seed)),
        created: seed.at(),
        updated: seed.at(),
        version: 0,
    })
}

/// Splits labels at commas, without duplicates; keeps at most 50, of 100 characters each, as the tools do.
fn labels(cell: &str) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for label in cell.split(',').map(|label| line(label, 100)) {
        if !label.is_empty() && !labels.contains(&label) && labels.len() < 50 {
            labels.push(label);
        }
    }
    labels
}

fn moment(what: &str, text: &str, zone: &TimeZone) -> Result<Option<Moment>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    if let Ok(moment) = text.parse::<Moment>() {
        return Ok(Some(moment));
    }
    let at = text
        .replace(' ', "T")
        .parse::<civil::DateTime>()
        .ok()
        .and_then(|at| at.to_zoned(zone.clone()).ok());
    at.map(|at| Some(Moment::At(at))).ok_or_else(|| {
        format!(
            "{what} “{}”; dates look like 2026-01-31 or 2026-01-31 15:00",
            line(text, 40)
        )
    })
}
