//! `calendar.list`

use std::collections::BTreeMap;

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop, lines_shown};
use adjutant_domain::ports::{Cx, UnexpandedSeries};
use adjutant_domain::record::Kind;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use jiff::civil;
use serde_json::{Value, json};

use super::find::{EventFilter, EventQuestion};
use super::{EventRow, guests, push_details};
use crate::recall::closest;
use crate::registry::{Reading, spec};
use crate::select::{Chosen, Filter, Row, listed, output, referents};
use crate::words;

/// The tool `calendar.list`: lists events and answers questions about them.
pub(super) struct List;

#[async_trait]
impl Reading for List {
    type Args = EventFilter;

    fn spec(&self) -> ToolSpec {
        spec(
            "calendar.list",
            Domain::Calendar,
            Risk::Read,
            "Lists events by time, words, people or place, and answers how many, when, who, where, how long.",
            &[
                "what is on my calendar",
                "what’s on today",
                "my schedule",
                "my agenda",
                "what do I have tomorrow",
                "my meetings",
                "my next meeting",
                "when is my meeting with",
                "when did I last meet",
                "who is in the meeting",
                "where is the meeting",
                "how many meetings",
                "longest meeting",
                "how long am I in meetings",
                "do I have anything on",
                "am I meeting",
            ],
        )
    }

    async fn read(&self, filter: EventFilter, cx: &Cx) -> Result<Answer, Stop> {
        let chosen = listed(&filter, cx).await?;
        let rows = &chosen.rows;
        let mut map = output(rows, chosen.total, cx);
        map.insert("total_minutes".into(), json!(total_minutes(rows, cx)));
        map.insert("people".into(), people(rows, cx));
        map.insert("first".into(), json!(rows.first().map(|row| row.value(cx))));
        map.insert("last".into(), json!(rows.last().map(|row| row.value(cx))));
        let unexpanded = filter.unexpanded(cx).await?;
        map.insert("not_worked_out".into(), json!(unexpanded.len()));
        let named = sought(&filter);
        let named = named.as_deref();
        let (closest, taint) = closest(
            named.filter(|_| rows.is_empty() && filter.except.is_none()),
            cx,
        )
        .await?;
        Ok(Answer {
            say: say(&filter, &chosen, cx) + &closest + &not_worked_out(&unexpanded),
            output: Value::Object(map),
            referents: referents(rows),
            taint,
            used_memories: Vec::new(),
        })
    }
}

/// Returns the words by which events are described, for a search of what comes closest; `None` if they are not called
/// anything.
fn sought(filter: &EventFilter) -> Option<String> {
    let name = filter.text.as_deref().or(filter.summary_is.as_deref())?;
    let people = filter.person.iter().flat_map(|people| people.texts());
    let place = filter.location.clone();
    let words: Vec<String> = std::iter::once(name.to_owned())
        .chain(people)
        .chain(place)
        .collect();
    Some(words.join(" "))
}

/// Returns a note about series whose repetition cannot be expanded: "One series may have more dates than are shown:
/// “Ping”, as …".
fn not_worked_out(series: &[UnexpandedSeries]) -> String {
    let lines: Vec<String> = series
        .iter()
        .map(|one| format!("{}, as {}", words::quoted(&one.event.summary), one.reason))
        .collect();
    match lines.as_slice() {
        [] => String::new(),
        [one] => format!("\n\nOne series may have more dates than are shown: {one}."),
        many => format!(
            "\n\n{} may have more dates than are shown:\n\n{}",
            format_args!("{} series", many.len()),
            words::bullets(many, many.len())
        ),
    }
}

fn total_minutes(rows: &[EventRow], cx: &Cx) -> i64 {
    rows.iter()
        .filter(|row| !row.0.start.is_day())
        .map(|row| row.minutes(cx))
        .sum()
}

fn people(rows: &[EventRow], cx: &Cx) -> Value {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for row in rows {
        for guest in guests(&row.0.event, cx) {
            let name = found.entry(guest.email.to_lowercase()).or_default();
            if name.is_empty() {
                name.clone_from(&guest.name);
            }
        }
    }
    found
        .into_iter()
        .map(|(email, name)| json!({"name": name, "email": email}))
        .collect()
}

fn say(filter: &EventFilter, chosen: &Chosen<EventRow>, cx: &Cx) -> String {
    let rows = chosen.rows.as_slice();
    let ask = filter.ask.unwrap_or_default();
    if rows.is_empty() {
        let sought = filter.sought(cx);
        return match ask {
            EventQuestion::Any => format!("No, there are no {sought}."),
            EventQuestion::Count => format!("0 {sought}."),
            EventQuestion::Total => format!("0 min: no {sought}."),
            _ => format!("No {sought}."),
        };
    }
    let count = words::plural(chosen.total, "event");
    let listed = agenda(rows, chosen.total, filter.limit, cx);
    match (ask, rows) {
        (EventQuestion::When | EventQuestion::List, [one]) => format!("{}.", one.line(cx)),
        (EventQuestion::When | EventQuestion::List, _) => format!("{count}.\n\n{listed}"),
        (EventQuestion::Count, _) => format!("{count}.\n\n{listed}"),
        (EventQuestion::Any, [one]) => format!("Yes: {}.", one.line(cx)),
        (EventQuestion::Any, _) => format!("Yes, {count}.\n\n{listed}"),
        (EventQuestion::Who, _) => each(rows, chosen.total, cx, who),
        (EventQuestion::Where, _) => each(rows, chosen.total, cx, place),
        (EventQuestion::Longest, _) => extreme(rows, "Longest", true, cx),
        (EventQuestion::Shortest, _) => extreme(rows, "Shortest", false, cx),
        (EventQuestion::Total, _) => format!(
            "{} in {count}.\n\n{listed}",
            words::duration(total_minutes(rows, cx))
        ),
    }
}

fn each(
    rows: &[EventRow],
    total: usize,
    cx: &Cx,
    line: impl Fn(&EventRow, &Cx) -> String,
) -> String {
    let lines: Vec<String> = rows.iter().map(|row| line(row, cx)).collect();
    match lines.as_slice() {
        [one] => format!("{one}."),
        many => words::bullets(many, total),
    }
}

fn who(row: &EventRow, cx: &Cx) -> String {
    let names: Vec<String> = guests(&row.0.event, cx)
        .iter()
        .map(|guest| words::person(&guest.name, &guest.email))
        .collect();
    let when = words::range(&row.0.start, &row.0.end, cx);
    let title = words::quoted(&row.0.event.summary);
    if names.is_empty() {
        format!("{title}, {when}: no guests")
    } else {
        format!("{title}, {when}: {}", words::join(&names))
    }
}

fn place(row: &EventRow, cx: &Cx) -> String {
    let title = words::quoted(&row.0.event.summary);
    let when = words::range(&row.0.start, &row.0.end, cx);
    match row.0.event.location.trim() {
        "" => format!("{title}, {when}: no place is noted"),
        location => format!("{title}, {when}: {}", words::inline(location)),
    }
}

fn extreme(rows: &[EventRow], word: &str, longest: bool, cx: &Cx) -> String {
    let length = |row: &&EventRow| row.minutes(cx);
    let best = if longest {
        rows.iter().map(|row| length(&row)).max()
    } else {
        rows.iter().map(|row| length(&row)).min()
    };
    let best = best.unwrap_or(0);
    let lines: Vec<String> = rows
        .iter()
        .filter(|row| length(row) == best)
        .map(|row| row.line(cx))
        .collect();
    match lines.as_slice() {
        [one] => format!("{word}: {one}, {}.", words::duration(best)),
        many => format!(
            "{word}, {} each:\n\n{}",
            words::duration(best),
            words::bullets(many, many.len())
        ),
    }
}

/// Returns the events grouped by day, in the given order, as many lines as [`lines_shown`] allows for `asked`.
pub(super) fn agenda(rows: &[EventRow], total: usize, asked: Option<usize>, cx: &Cx) -> String {
    let zone = cx.zone();
    let lines_max = lines_shown(asked);
    let mut out = String::new();
    let mut day: Option<civil::Date> = None;
    for row in rows.iter().take(lines_max) {
        let date = row.0.start.date(&zone);
        if day != Some(date) {
            if day.is_some() {
                out.push('\n');
            }
            out.push_str(&format!("**{}**\n\n", words::day_heading(date, cx)));
            day = Some(date);
        }
        out.push_str(&format!("- {}\n", line_of_day(row, date, cx)));
    }
    let shown = rows.len().min(lines_max);
    if total > shown && asked.is_none_or(|asked| asked > shown) {
        out.push_str(&words::rest(total - shown, Kind::Event));
    }
    out.trim_end().to_owned()
}

fn line_of_day(row: &EventRow, date: civil::Date, cx: &Cx) -> String {
    // The heading already has the day.
    let when = words::range(&row.0.start, &row.0.end, cx);
    let day = format!("{}, ", words::day(date, cx));
    let when = when.strip_prefix(day.as_str()).unwrap_or(&when);
    let mut line = format!("{when} {}", words::inline(&row.0.event.summary));
    push_details(&mut line, &row.0.event, cx);
    line
}
