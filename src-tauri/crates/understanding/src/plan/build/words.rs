//! Selections and people in words: what the restated request says.

use super::super::lexicon::{Noun, State};
use super::super::model::{Pick, Sel, Who};
use super::super::said::Said;
use super::when::Window;

/// "the next meeting with Sofia Ricci, after Thu 30 Nov 2023, 00:00".
pub(in super::super) fn selection(said: &Said<'_>, sel: &Sel, window: &Window) -> String {
    let many = sel.plural
        || sel.all
        || matches!(sel.pick, Some(Pick::First(n) | Pick::Last(n) | Pick::Next(n) | Pick::Latest(n)) if n > 1);
    let mut out = String::new();
    let front = match sel.pick {
        Some(Pick::First(1)) => "the first ".to_owned(),
        Some(Pick::First(n)) => format!("the first {n} "),
        Some(Pick::Last(1)) => "the last ".to_owned(),
        Some(Pick::Last(n)) => format!("the last {n} "),
        Some(Pick::Next(1)) => "the next ".to_owned(),
        Some(Pick::Next(n)) => format!("the next {n} "),
        Some(Pick::Latest(1)) => "the latest ".to_owned(),
        Some(Pick::Latest(n)) => format!("the latest {n} "),
        Some(Pick::Nth(n)) => nth(n),
        Some(Pick::Longest) if sel.noun == Some(Noun::File) => "the biggest ".to_owned(),
        Some(Pick::Shortest) if sel.noun == Some(Noun::File) => "the smallest ".to_owned(),
        Some(Pick::Longest) => "the longest ".to_owned(),
        Some(Pick::Shortest) => "the shortest ".to_owned(),
        None if many => "all ".to_owned(),
        None => "the ".to_owned(),
    };
    out.push_str(&front);
    for state in &sel.states {
        if let Some(word) = state_word(*state) {
            out.push_str(word);
            out.push(' ');
        }
    }
    out.push_str(noun_word(sel.noun, many));
    if let Some(words) = &sel.title {
        out.push_str(&format!(" “{}”", words.text));
    }
    if let Some(words) = &sel.about {
        out.push_str(&format!(" about “{}”", words.text));
    }
    for (list, word) in [(&sel.from, "from"), (&sel.to, "to"), (&sel.with, "with")] {
        let word = if sel.noun == Some(Noun::Event) {
            "with"
        } else {
            word
        };
        if !list.is_empty() {
            out.push_str(&format!(" {word} {}", people(list)));
        }
    }
    if let Some(place) = &sel.place {
        out.push_str(&format!(" at “{}”", place.text));
    }
    if let Some(folder) = sel.folder {
        out.push_str(&format!(" in {folder}"));
    }
    if let Some(minutes) = sel.minutes_min {
        out.push_str(&format!(" of at least {minutes} minutes"));
    }
    if let Some(minutes) = sel.minutes_max {
        out.push_str(&format!(" of at most {minutes} minutes"));
    }
    for words in &window.words {
        out.push_str(&format!(", {words}"));
    }
    for except in &sel.except {
        out.push_str(&format!(
            ", except {}",
            selection(
                said,
                except,
                &super::when::window(said, except).unwrap_or_default()
            )
        ));
    }
    for state in &sel.not {
        if let Some(word) = state_word(*state) {
            out.push_str(&format!(", except {word} ones"));
        }
    }
    out
}

fn nth(n: i64) -> String {
    match n {
        1 => "the first ".to_owned(),
        2 => "the second ".to_owned(),
        3 => "the third ".to_owned(),
        -1 => "the last ".to_owned(),
        -2 => "the second to last ".to_owned(),
        n => format!("number {n} of the "),
    }
}

/// The word for a kind.
pub(in super::super) fn noun_word(noun: Option<Noun>, many: bool) -> &'static str {
    match (noun, many) {
        (Some(Noun::Event), false) => "event",
        (Some(Noun::Event), true) => "events",
        (Some(Noun::Mail), false) => "mail",
        (Some(Noun::Mail), true) => "mails",
        (Some(Noun::Task | Noun::Reminder), false) => "task",
        (Some(Noun::Task | Noun::Reminder), true) => "tasks",
        (Some(Noun::Note), false) => "note",
        (Some(Noun::Note), true) => "notes",
        (Some(Noun::Memory), _) => "what is remembered",
        (Some(Noun::Contact), false) => "contact",
        (Some(Noun::Contact), true) => "contacts",
        (Some(Noun::File), false) => "file",
        (Some(Noun::File), true) => "files",
        (Some(Noun::Slot), _) => "free time",
        (_, false) => "thing",
        (_, true) => "things",
    }
}

fn state_word(state: State) -> Option<&'static str> {
    Some(match state {
        State::Unread => "unread",
        State::Read => "read",
        State::Starred => "starred",
        State::Overdue => "overdue",
        State::Done => "completed",
        State::Open => "open",
        State::High => "high-priority",
        State::Medium => "medium-priority",
        State::Low => "low-priority",
        State::Recurring => "recurring",
        State::AllDay => "all-day",
        State::Attachment => "with-attachment",
        State::Unanswered => "unanswered",
        State::Answered => "answered",
        State::Sent => "sent",
        State::Draft => "draft",
        State::Archived => "archived",
        State::Clashing => "overlapping",
        State::Undated => "undated",
        State::Future | State::Past => return None,
    })
}

/// A list of people in words.
pub(in super::super) fn people(list: &[Who]) -> String {
    let names: Vec<String> = list
        .iter()
        .map(|who| match who {
            Who::Named { name, .. } => name.clone(),
            Who::Address(address) => address.clone(),
            Who::Me => "me".to_owned(),
            Who::They => "them".to_owned(),
            Who::Group(name) => name.clone(),
            Who::GuestsOf(_) => "everyone invited".to_owned(),
            Who::SenderOf(_) => "the sender".to_owned(),
        })
        .collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
