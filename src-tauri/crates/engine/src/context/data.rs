//! Rows of the person's data that a request is about. Over budget, rows first lose their less relevant fields, then the
//! last rows are dropped. The text of mails is not included: no planner may see it.

use std::collections::HashSet;

use adjutant_domain::event::{DropReason, Dropped};
use adjutant_domain::focus::Focus;
use adjutant_domain::moment::Moment;
use adjutant_domain::record::{Kind, Occurrence, Priority, Task, TaskStatus};

use super::gather::Foreign;
use super::memories::Drops;
use super::people::Person;
use adjutant_domain::model::tokens::estimate;

/// Maximum length of a title or name in characters.
const TITLE_CHARS_MAX: usize = 120;
/// Maximum length of notes, places and similar fields in characters.
const DETAIL_CHARS_MAX: usize = 160;
/// Maximum number of guests to name.
const GUESTS_MAX: usize = 8;
/// Tokens of the marks around one fenced part.
pub(super) const FENCE_TOKENS: u64 = 64;

/// Rows of one kind, each in a full and a brief form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowGroup {
    /// Where the rows come from, in words of ours.
    pub origin: &'static str,
    /// The rows, most important first.
    pub rows: Vec<Row>,
}

/// A row for a model, in a full and a brief form.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    full: String,
    brief: String,
}

/// The rows that a model is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownRows {
    /// Parts that have rows: origin, and one line per row.
    pub parts: Vec<(&'static str, String)>,
    /// Number of rows.
    pub items: u64,
    /// Tokens, marks included.
    pub tokens: u64,
    /// What was dropped or shortened.
    pub dropped: Vec<Dropped>,
}

/// Fits the groups into `budget` tokens, taking rows from each in turn: in full if all fit, else in brief.
#[must_use]
pub fn keep(parts: &[RowGroup], budget: u64) -> ShownRows {
    let full = filled(parts, budget, |row| &row.full);
    if full.dropped.is_empty() {
        return full;
    }
    let mut brief = filled(parts, budget, |row| &row.brief);
    let mut fields = Drops::default();
    for row in parts.iter().flat_map(|part| &part.rows) {
        let saved = estimate(&row.full).saturating_sub(estimate(&row.brief));
        if saved > 0 {
            fields.add(saved);
        }
    }
    brief
        .dropped
        .extend(fields.because(DropReason::FieldsLeftOut));
    brief
}

/// Takes rows from each group in turn, as long as they fit.
fn filled(parts: &[RowGroup], budget: u64, form: impl Fn(&Row) -> &String) -> ShownRows {
    let mut texts = vec![String::new(); parts.len()];
    let mut open: Vec<bool> = parts.iter().map(|part| !part.rows.is_empty()).collect();
    let (mut used, mut full, mut items) = (0, Drops::default(), 0);
    let longest = parts.iter().map(|part| part.rows.len()).max().unwrap_or(0);
    for at in 0..longest {
        for (index, part) in parts.iter().enumerate() {
            let Some(row) = part.rows.get(at) else {
                continue;
            };
            let line = form(row);
            let text = &texts[index];
            let marks = if text.is_empty() { FENCE_TOKENS } else { 0 };
            // Count each line with its line break.
            let cost = estimate(&format!("{line}\n")) + 1 + marks;
            if !open[index] || used + cost > budget {
                open[index] = false;
                full.add(estimate(line));
                continue;
            }
            used += cost;
            items += 1;
            let text = &mut texts[index];
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        }
    }
    ShownRows {
        parts: parts
            .iter()
            .zip(texts)
            .filter(|(_, text)| !text.is_empty())
            .map(|(part, text)| (part.origin, text))
            .collect(),
        items,
        tokens: used,
        dropped: full.because(DropReason::OverBudget).into_iter().collect(),
    }
}

/// Replaces foreign text. Of foreign rows, models see only ids, times, counts and addresses: a planner must not read
/// foreign text, and an answer becomes part of the history that a planner reads next.
const WITHHELD: &str = "(text of others)";

/// Formats events, earliest first.
#[must_use]
pub fn agenda(found: &[Occurrence], foreign: &Foreign) -> RowGroup {
    let rows = found
        .iter()
        .map(|one| {
            let withheld = foreign.holds(&one.event.id);
            let title = if withheld {
                WITHHELD.to_owned()
            } else {
                cut(&one.event.summary, TITLE_CHARS_MAX)
            };
            let id = match &one.instance_of {
                Some(instance) => format!("{}@{}", one.event.id.0, instance.rfc3339()),
                None => one.event.id.0.clone(),
            };
            let brief = format!("{} | {title} | {id}", span(&one.start, &one.end));
            let guests: Vec<_> = one
                .event
                .attendees
                .iter()
                .take(GUESTS_MAX)
                .map(|guest| match withheld {
                    true => found_address(&guest.email),
                    false => named(&guest.name, &guest.email),
                })
                .filter(|guest| !guest.is_empty())
                .collect();
            let mut full = brief.clone();
            more(&mut full, "with", &guests.join(", "));
            if !withheld {
                more(&mut full, "at", &cut(&one.event.location, DETAIL_CHARS_MAX));
            }
            if one.instance_of.is_some() {
                full.push_str(" | repeats");
            }
            Row { full, brief }
        })
        .collect();
    RowGroup {
        origin: "the calendar",
        rows,
    }
}

/// Formats tasks in the given order: most pressing first.
#[must_use]
pub fn tasks(found: &[Task], foreign: &Foreign) -> RowGroup {
    let rows = found
        .iter()
        .map(|task| {
            let due = match &task.due {
                Some(due) => format!("due {}", due.rfc3339()),
                None => "no date".to_owned(),
            };
            let withheld = foreign.holds(&task.id);
            let title = if withheld {
                WITHHELD.to_owned()
            } else {
                cut(&task.title, TITLE_CHARS_MAX)
            };
            let brief = format!("{title} | {due} | {}", task.id.0);
            let mut full = format!("{brief} | {}", urgency(task.priority));
            if task.status == TaskStatus::Done {
                full.push_str(" | done");
            }
            if task.rrule.is_some() {
                full.push_str(" | repeats");
            }
            if !withheld {
                more(&mut full, "notes", &cut(&task.notes, DETAIL_CHARS_MAX));
            }
            Row { full, brief }
        })
        .collect();
    RowGroup {
        origin: "the task list",
        rows,
    }
}

const fn urgency(priority: Priority) -> &'static str {
    match priority {
        Priority::Low => "low",
        Priority::Medium => "medium",
        Priority::High => "high",
    }
}

/// Formats the people in the address book that the message names.
#[must_use]
pub fn people(known: &[Person], text: &str) -> RowGroup {
    let said: HashSet<String> = words(text).collect();
    let rows = known
        .iter()
        .filter(|(name, _)| words(name).any(|word| said.contains(&word)))
        .take(PEOPLE_MAX)
        .map(|(name, addresses)| {
            let name = cut(name, TITLE_CHARS_MAX);
            let all: Vec<_> = addresses
                .iter()
                .take(GUESTS_MAX)
                .map(|one| cut(one, TITLE_CHARS_MAX))
                .collect();
            Row {
                full: format!("{name}: {}", all.join(", ")),
                brief: format!("{name}: {}", all.first().cloned().unwrap_or_default()),
            }
        })
        .collect();
    RowGroup {
        origin: "the address book",
        rows,
    }
}

/// Maximum number of people to list.
const PEOPLE_MAX: usize = 20;
/// Minimum length in characters of a word that can be a name; shorter ones are particles.
const NAME_CHARS_MIN: usize = 2;
/// Names that are far more often ordinary words; such a name counts only together with another word of the name.
const COMMON: &[&str] = &[
    "will", "may", "mark", "bill", "art", "rob", "sue", "grace", "hope", "april", "june", "the",
    "and", "for", "my", "me", "to", "is", "in", "on", "of", "at", "it", "an", "do",
];

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-')
        .map(|word| word.trim_end_matches("'s").to_lowercase())
        .filter(|word| word.chars().count() >= NAME_CHARS_MIN && !COMMON.contains(&word.as_str()))
}

/// Numbers the items that the conversation mentioned, to which "it" and "the second one" may refer. `None` if there are
/// none. For mails it shows the people but not the subject, which is the sender's text.
#[must_use]
pub fn spoken_of(focus: &Focus, foreign: &Foreign, budget: u64) -> Option<String> {
    let mut text = String::new();
    let mut number = 0;
    'groups: for group in &focus.shown {
        for item in &group.items {
            number += 1;
            let withheld = foreign.holds(&item.id);
            let people: Vec<_> = item
                .people
                .iter()
                .take(GUESTS_MAX)
                .map(|(name, address)| match withheld {
                    true => found_address(address),
                    false => named(name, address),
                })
                .filter(|who| !who.is_empty())
                .collect();
            let id = match &item.instance {
                Some(instance) => format!("{}@{instance}", item.id.0),
                None => item.id.0.clone(),
            };
            let mut line = format!("{number}. {} {id}", kind(item.kind));
            if !withheld && !matches!(item.kind, Kind::Mail | Kind::Outbox) {
                more(&mut line, "", &cut(&item.label, TITLE_CHARS_MAX));
            }
            more(&mut line, "with", &people.join(", "));
            let longer = if text.is_empty() {
                line
            } else {
                format!("{text}\n{line}")
            };
            if estimate(&longer) + FENCE_TOKENS > budget {
                break 'groups;
            }
            text = longer;
        }
    }
    (!text.is_empty()).then_some(text)
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Task => "task",
        Kind::Event => "event",
        Kind::Note => "note",
        Kind::Contact => "person",
        Kind::Mail => "mail",
        Kind::Outbox => "outgoing mail",
        Kind::Memory => "memory",
    }
}

fn span(start: &Moment, end: &Moment) -> String {
    match (start, end) {
        (Moment::Day(from), Moment::Day(to)) => match to.yesterday() {
            Ok(last) if last > *from => format!("{from} to {last}, all day"),
            _ => format!("{from}, all day"),
        },
        (from, Moment::At(to)) => format!("{} to {}", from.rfc3339(), to.strftime("%H:%M")),
        (from, to) => format!("{} to {}", from.rfc3339(), to.rfc3339()),
    }
}

fn named(name: &str, address: &str) -> String {
    let (name, address) = (cut(name, TITLE_CHARS_MAX), cut(address, TITLE_CHARS_MAX));
    match (name.is_empty(), address.is_empty()) {
        (true, _) => address,
        (_, true) => name,
        _ => format!("{name} <{address}>"),
    }
}

/// Returns a foreign address marked as found. Empty if the text is anything but a plain address.
fn found_address(address: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "@._+-".contains(char);
    if address.contains('@') && address.chars().all(plain) {
        format!("{} (found)", cut(address, TITLE_CHARS_MAX))
    } else {
        String::new()
    }
}

fn more(line: &mut String, label: &str, text: &str) {
    if !text.is_empty() {
        line.push_str(" | ");
        line.push_str(label);
        if !label.is_empty() {
            line.push(' ');
        }
        line.push_str(text);
    }
}

/// Returns the beginning of a text on one line.
fn cut(text: &str, chars: usize) -> String {
    let mut line: String = text
        .trim()
        .chars()
        .take(chars)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.trim().chars().count() > chars {
        line.push('…');
    }
    line
}

#[cfg(test)]
#[path = "data_tests.rs"]
mod tests;
