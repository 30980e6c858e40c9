//! Conversion of a reading step's output to rows.

use adjutant_domain::record::Kind;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::found::{
    Found, FoundBusy, FoundContact, FoundEvent, FoundFile, FoundMail, FoundMemory, FoundNote,
    FoundRows, FoundTask, FoundTime,
};

/// Returns the rows of a tool's result. Returns `None` if it has no rows or one of them is malformed; the answer then
/// shows only the words.
#[must_use]
pub fn found(result: &Value) -> Option<Found> {
    let say = result.get("say")?.as_str()?;
    let output = result.get("output")?;
    let items = output.get("items")?.as_array()?;
    let rows = rows(items)?;
    let total = output.get("total").or_else(|| output.get("count"));
    let names = match items.as_slice() {
        [only] => names(only),
        _ => Vec::new(),
    };
    let busy = match rows {
        FoundRows::Free(_) => output.get("busy"),
        _ => None,
    };
    let in_the_way = output.get("in_the_way").and_then(Value::as_array);
    let in_the_way = in_the_way.and_then(|events| all(events, event));
    let in_the_way = in_the_way.unwrap_or_default();
    let (mut head, note) = parts(say, &names);
    if let ([_], Some((no, _))) = (in_the_way.as_slice(), head.split_once(": ")) {
        head = format!("{no}.");
    }
    Some(Found {
        say: say.to_owned(),
        head,
        note,
        total: total
            .and_then(Value::as_u64)
            .unwrap_or(0)
            .max(items.len() as u64),
        busy: busy.and_then(taken).unwrap_or_default(),
        in_the_way,
        rows,
    })
}

fn rows(items: &[Value]) -> Option<FoundRows> {
    let first = items.first()?;
    let is = |kind: Kind| {
        let prefix = format!("{}_", kind.prefix());
        first
            .get("id")
            .and_then(Value::as_str)
            .is_some_and(|id| id.starts_with(&prefix))
    };
    Some(if is(Kind::Task) {
        FoundRows::Tasks(all(items, task)?)
    } else if is(Kind::Event) {
        FoundRows::Events(all(items, event)?)
    } else if is(Kind::Mail) || is(Kind::Outbox) {
        FoundRows::Mail(all(items, mail)?)
    } else if is(Kind::Note) {
        FoundRows::Notes(all(items, note)?)
    } else if is(Kind::Contact) {
        FoundRows::Contacts(all(items, contact)?)
    } else if is(Kind::Memory) {
        FoundRows::Memories(all(items, memory)?)
    } else if first.get("path").is_some() {
        FoundRows::Files(all(items, file)?)
    } else if first.get("minutes").is_some() {
        FoundRows::Free(all(items, time)?)
    } else {
        return None;
    })
}

fn all<T>(items: &[Value], read: fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    items.iter().map(read).collect()
}

fn task(item: &Value) -> Option<FoundTask> {
    Some(FoundTask {
        id: text(item, "id")?,
        title: text(item, "title")?,
        due: text(item, "due").map(|at| plain_time(&at)),
        priority: field(item, "priority")?,
        status: field(item, "status")?,
        repeats: text(item, "rrule").is_some(),
    })
}

fn event(item: &Value) -> Option<FoundEvent> {
    Some(FoundEvent {
        id: text(item, "id")?,
        row: text(item, "event_id")?,
        summary: text(item, "summary")?,
        start: plain_time(&text(item, "start")?),
        end: plain_time(&text(item, "end")?),
        all_day: field(item, "all_day")?,
        location: text(item, "location").unwrap_or_default(),
        people: people(item.get("people")),
        calendar: text(item, "calendar").unwrap_or_default(),
        repeats: field(item, "recurring")?,
    })
}

fn mail(item: &Value) -> Option<FoundMail> {
    let id = text(item, "id")?;
    let from = item.get("from");
    let of_sender = |key| from.and_then(|from| text(from, key)).unwrap_or_default();
    Some(FoundMail {
        outgoing: id.starts_with(&format!("{}_", Kind::Outbox.prefix())),
        id,
        subject: text(item, "subject")?,
        from: of_sender("email"),
        from_name: of_sender("name"),
        to: people(item.get("to")),
        folder: text(item, "folder")?,
        date: plain_time(&text(item, "date")?),
        unread: field(item, "unread")?,
        attachments: item
            .get("attachments")
            .and_then(Value::as_array)
            .map_or(0, Vec::len),
    })
}

fn note(item: &Value) -> Option<FoundNote> {
    Some(FoundNote {
        id: text(item, "id")?,
        title: text(item, "title")?,
        preview: text(item, "preview").unwrap_or_default(),
        updated: plain_time(&text(item, "updated")?),
    })
}

fn contact(item: &Value) -> Option<FoundContact> {
    Some(FoundContact {
        id: text(item, "id")?,
        name: text(item, "name")?,
        organisation: text(item, "organisation").unwrap_or_default(),
        relation: text(item, "relation").unwrap_or_default(),
        emails: field(item, "emails")?,
        phones: field(item, "phones")?,
    })
}

fn memory(item: &Value) -> Option<FoundMemory> {
    Some(FoundMemory {
        id: text(item, "id")?,
        key: text(item, "key")?,
        value: text(item, "value")?,
    })
}

fn file(item: &Value) -> Option<FoundFile> {
    Some(FoundFile {
        path: text(item, "path")?,
        name: text(item, "name")?,
        folder: text(item, "folder").unwrap_or_default(),
        size: field(item, "size")?,
        modified: text(item, "modified").map(|at| plain_time(&at)),
    })
}

fn time(item: &Value) -> Option<FoundTime> {
    Some(FoundTime {
        start: plain_time(&text(item, "start")?),
        end: plain_time(&text(item, "end")?),
        minutes: field(item, "minutes")?,
    })
}

/// Returns the events that take up the time, or `None` if one of them is malformed.
fn taken(busy: &Value) -> Option<Vec<FoundBusy>> {
    let one = |item: &Value| {
        Some(FoundBusy {
            summary: text(item, "summary")?,
            start: plain_time(&text(item, "start")?),
            end: plain_time(&text(item, "end")?),
        })
    };
    all(busy.as_array()?, one)
}

/// Returns the names with which the words for a single row may begin: its own name, or its sender.
fn names(item: &Value) -> Vec<String> {
    let own = ["title", "summary", "name", "key"].map(|key| text(item, key));
    let sender = ["name", "email"].map(|key| item.get("from").and_then(|from| text(from, key)));
    let all = own.into_iter().chain(sender).flatten();
    all.filter(|name| !name.trim().is_empty()).collect()
}

/// Splits the words of a result into the sentence above the rows and the note. Leaves out what the rows show: bullets,
/// headings of days, and the number of rows left out. The sentence is empty if it begins with the name of the only row.
fn parts(say: &str, only: &[String]) -> (String, String) {
    let (first, rest) = say.split_once("\n\n").unwrap_or((say, ""));
    let bullet = |line: &&str| line.starts_with("- ") || line.starts_with("**");
    let more = |line: &&str| line.starts_with("and ") && line.contains(" more");
    let note: Vec<&str> = rest
        .lines()
        .filter(|line| !line.trim().is_empty() && !bullet(line) && !more(line))
        .collect();
    let repeats = rest.is_empty() && only.iter().any(|name| first.starts_with(name.trim()));
    let head = if repeats {
        String::new()
    } else {
        first.trim().to_owned()
    };
    (head, note.join("\n"))
}

fn people(list: Option<&Value>) -> Vec<String> {
    list.and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|one| {
            text(one, "name")
                .filter(|name| !name.trim().is_empty())
                .or_else(|| text(one, "email"))
        })
        .collect()
}

fn text(item: &Value, key: &str) -> Option<String> {
    item.get(key)?.as_str().map(str::to_owned)
}

fn field<T: DeserializeOwned>(item: &Value, key: &str) -> Option<T> {
    T::deserialize(item.get(key)?).ok()
}

/// Removes the bracketed zone name that tools append to RFC 3339 times.
fn plain_time(at: &str) -> String {
    at.split('[').next().unwrap_or(at).to_owned()
}

#[cfg(test)]
#[path = "found_tests.rs"]
mod tests;
