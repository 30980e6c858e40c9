//! The filters of each kind of thing: events, mails, tasks, notes, files.

use super::super::lexicon::State;
use super::super::model::{Pick, Sel, Who};
use super::super::said::Said;
use super::filter::{Filter, Purpose, choose, name_of, names, needle, sender, strip_article};
use super::when::{self};
use serde_json::json;

pub(super) fn event(
    said: &Said<'_>,
    sel: &Sel,
    purpose: Purpose,
    filter: &mut Filter,
) -> Option<()> {
    let now = said.utterance.now;
    let mut people = names(&sel.with);
    people.extend(names(&sel.from));
    people.extend(names(&sel.to));
    let groups: Vec<&str> = sel
        .with
        .iter()
        .filter_map(|who| match who {
            Who::Group(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let mut text: Vec<String> = Vec::new();
    text.extend(sel.title.as_ref().map(needle));
    text.extend(sel.about.as_ref().map(needle));
    text.extend(groups.iter().map(|name| strip_article(name).to_owned()));
    let future = sel.states.contains(&State::Future) || matches!(sel.pick, Some(Pick::Next(_)));
    let past = sel.states.contains(&State::Past);
    let timed = filter.window.from.is_some() || filter.window.to.is_some();
    let latest = matches!(sel.pick, Some(Pick::Last(_) | Pick::Latest(_)));
    if !timed && latest && !future && purpose == Purpose::Read || past && !timed {
        filter.window.to = Some(when::moment_of(now));
        filter
            .window
            .words
            .push(format!("before {}", when::instant_words(now)));
    } else if (future
        || !timed && purpose == Purpose::Act && (sel.plural || sel.all || sel.pick.is_some()))
        && filter
            .window
            .from
            .as_ref()
            .is_none_or(|from| from.starts(now.time_zone()) < now.timestamp())
    {
        // "Next", "future", and everything that is taken away without a time: from now on.
        filter.window.from = Some(adjutant_domain::moment::Moment::At(now.clone()));
        filter.window.starts = true;
        filter
            .window
            .words
            .push(format!("after {}", when::instant_words(now)));
    }
    let window = filter.window.clone();
    when::put(&mut filter.args, &window, "from", "to");
    let args = &mut filter.args;
    if window.starts {
        args.insert("starts_from".into(), json!(true));
    }
    if !window.weekdays.is_empty() {
        args.insert("weekdays".into(), json!(window.weekdays));
    }
    for (key, clock) in [
        ("starts_after", window.after),
        ("starts_before", window.before),
    ] {
        if let Some(clock) = clock {
            args.insert(key.into(), json!(clock.strftime("%H:%M").to_string()));
        }
    }
    if !text.is_empty() {
        args.insert("text".into(), json!(text.join(" ")));
    }
    if !people.is_empty() {
        if people.len() > 1 && !sel.plural && !sel.all {
            args.insert("everyone".into(), json!(true));
        }
        args.insert("person".into(), json!(people));
    } else if !sel.with.is_empty()
        && groups.is_empty()
        && !sel.with.iter().all(|who| matches!(who, Who::Me))
    {
        return None;
    }
    if let Some(place) = &sel.place {
        args.insert("location".into(), json!(needle(place)));
    }
    if let Some(minutes) = sel.minutes_min {
        args.insert("min_minutes".into(), json!(minutes));
    }
    if let Some(minutes) = sel.minutes_max {
        args.insert("max_minutes".into(), json!(minutes));
    }
    for (states, value) in [(&sel.states, true), (&sel.not, false)] {
        for state in states {
            match state {
                State::Recurring => args.insert("recurring".into(), json!(value)),
                State::AllDay => args.insert("all_day".into(), json!(value)),
                State::Clashing if value => args.insert("overlapping".into(), json!(true)),
                State::Future | State::Past | State::Open if value => None,
                _ => return None,
            };
        }
    }
    choose(sel, filter, purpose, "start", "-start");
    Some(())
}

pub(super) fn mail(sel: &Sel, purpose: Purpose, filter: &mut Filter) -> Option<()> {
    let window = filter.window.clone();
    when::put(&mut filter.args, &window, "since", "until");
    let args = &mut filter.args;
    for (list, key) in [(&sel.from, "from"), (&sel.to, "to"), (&sel.with, "person")] {
        let mut said: Vec<String> = names(list);
        if key == "from" {
            said.extend(list.iter().filter_map(sender));
        }
        let others = list.iter().filter(|who| !matches!(who, Who::Me)).count();
        if said.len() != others && !(said.is_empty() && others == 0) {
            return None;
        }
        if !said.is_empty() {
            args.insert(key.into(), json!(said));
        }
    }
    let about: Vec<String> = sel.title.iter().chain(&sel.about).map(needle).collect();
    if !about.is_empty() {
        // What is acted on must say it in its subject; what is only read may say it anywhere.
        let key = if purpose == Purpose::Act || sel.title.is_some() {
            "subject"
        } else {
            "text"
        };
        args.insert(key.into(), json!(about.join(" ")));
    }
    let mut folder = sel.folder;
    if sel.mine {
        folder = Some("sent");
    }
    if let Some(label) = &sel.label {
        args.insert("label".into(), json!(label.text));
    }
    for (states, value) in [(&sel.states, true), (&sel.not, false)] {
        for state in states {
            match state {
                State::Unread => args.insert("unread".into(), json!(value)),
                State::Read => args.insert("unread".into(), json!(!value)),
                State::Starred | State::High => args.insert("starred".into(), json!(value)),
                State::Attachment => args.insert("has_attachment".into(), json!(value)),
                State::Unanswered => args.insert("answered".into(), json!(!value)),
                State::Answered => args.insert("answered".into(), json!(value)),
                State::Sent if value => {
                    folder = Some("sent");
                    None
                }
                State::Draft if value => {
                    folder = Some("drafts");
                    None
                }
                State::Archived if value => {
                    folder = Some("archive");
                    None
                }
                State::Past if value => None,
                _ => return None,
            };
        }
    }
    if let Some(folder) = folder {
        args.insert("folder".into(), json!(folder));
    }
    if sel.place.is_some() || sel.minutes_min.is_some() || sel.minutes_max.is_some() {
        return None;
    }
    choose(sel, filter, purpose, "date", "-date");
    Some(())
}

pub(super) fn task(sel: &Sel, filter: &mut Filter) -> Option<()> {
    let done = sel.states.contains(&State::Done);
    let window = filter.window.clone();
    if done {
        when::put(&mut filter.args, &window, "completed_from", "completed_to");
    } else {
        when::put(&mut filter.args, &window, "due_from", "due_to");
    }
    let args = &mut filter.args;
    let text: Vec<String> = sel.title.iter().chain(&sel.about).map(needle).collect();
    let mut text = text.join(" ");
    for who in sel
        .with
        .iter()
        .chain(&sel.from)
        .chain(&sel.to)
        .filter_map(name_of)
    {
        text = format!("{text} {who}");
    }
    if !text.trim().is_empty() {
        args.insert("text".into(), json!(text.trim()));
    }
    for (states, value) in [(&sel.states, true), (&sel.not, false)] {
        for state in states {
            match (state, value) {
                (State::Overdue, value) => args.insert("overdue".into(), json!(value)),
                (State::Done, true) | (State::Open, false) => {
                    args.insert("status".into(), json!("done"))
                }
                (State::Open | State::Future | State::Unread, true) | (State::Done, false) => None,
                (State::High, true) => args.insert("priority".into(), json!("high")),
                (State::Medium, true) => args.insert("priority".into(), json!("medium")),
                (State::Low, true) => args.insert("priority".into(), json!("low")),
                (State::Recurring, value) => args.insert("recurring".into(), json!(value)),
                (State::Undated, true) => args.insert("has_due".into(), json!(false)),
                (State::Past, true) => args.insert("status".into(), json!("any")),
                _ => return None,
            };
        }
    }
    // How old a task is cannot be asked for.
    if sel.place.is_some()
        || sel.minutes_min.is_some()
        || sel.minutes_max.is_some()
        || sel.age.is_some()
    {
        return None;
    }
    let purpose = Purpose::Act;
    let asked = filter.pick.clone();
    match sel.pick {
        Some(Pick::Latest(_)) => choose(sel, filter, purpose, "created", "-created"),
        _ => choose(sel, filter, purpose, "due", "-due"),
    }
    let _ = asked;
    Some(())
}

pub(super) fn note(sel: &Sel, filter: &mut Filter) -> Option<()> {
    let window = filter.window.clone();
    when::put(&mut filter.args, &window, "changed_from", "changed_to");
    if let Some(words) = &sel.title {
        filter.args.insert("title".into(), json!(needle(words)));
    }
    let mut text: Vec<String> = sel.about.iter().map(needle).collect();
    text.extend(sel.with.iter().chain(&sel.from).filter_map(name_of));
    if !text.is_empty() {
        filter.args.insert("text".into(), json!(text.join(" ")));
    }
    if let Some(label) = &sel.label {
        filter.args.insert("tag".into(), json!(label.text));
    }
    if sel
        .states
        .iter()
        .any(|state| *state != State::Past && *state != State::Future)
        || !sel.not.is_empty()
    {
        return None;
    }
    choose(sel, filter, Purpose::Act, "updated", "-updated");
    Some(())
}

pub(super) fn file(sel: &Sel, filter: &mut Filter) -> Option<()> {
    let window = filter.window.clone();
    when::put(&mut filter.args, &window, "modified_from", "modified_to");
    let kinds = sel
        .file
        .as_ref()
        .and_then(|file| file.strip_prefix("*.{")?.strip_suffix('}'));
    if let Some(kinds) = kinds {
        filter.args.insert(
            "extensions".into(),
            json!(kinds.split(',').collect::<Vec<_>>()),
        );
        if let Some(words) = &sel.title {
            filter.args.insert("name".into(), json!(words.text));
        }
    } else if let Some(file) = &sel.file {
        // "The contract pdf": of that kind, with that word in its name.
        let name = match (file.strip_prefix('*'), &sel.title) {
            (Some(kind), Some(words)) if !words.text.to_lowercase().contains("file") => {
                format!("*{}*{kind}", words.text)
            }
            _ => file.clone(),
        };
        filter.args.insert("name".into(), json!(name));
    } else if let Some(words) = &sel.title {
        filter.args.insert("name".into(), json!(words.text));
    }
    if let Some(place) = &sel.place {
        filter.args.insert("folder".into(), json!(place.text));
    }
    match sel.pick {
        Some(Pick::Longest) => {
            filter.args.insert("order".into(), json!("-size"));
            filter.pick = Some(json!("first"));
        }
        _ => choose(sel, filter, Purpose::Act, "modified", "-modified"),
    }
    Some(())
}
