//! Steps that only read.

use adjutant_domain::moment::Moment;
use adjutant_domain::source::Source;
use jiff::ToSpan;
use serde_json::{Map, Value as Json, json};

use super::super::change::missing;
use super::super::clause::{Unread, Why};
use super::super::lexicon::Noun;
use super::super::model::{Act, Ask, Request, Sel};
use super::super::said::Said;
use super::filter::{self, Purpose};
use super::refer::{self, Target};
use super::{Builder, Draft, ask_word, when};

/// Days that are searched for free time when none is said.
const FREE_DAYS: i64 = 14;

/// Builds the steps of a reading request.
pub(super) fn build(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    match request.act {
        Act::Free | Act::IsFree => free(builder, request),
        Act::Recall => recall(builder, request),
        Act::Compute => compute(builder, request),
        Act::SearchFiles => files(builder, request),
        Act::Read => open(builder, request),
        Act::Query(ask) => query(builder, request, ask),
        _ => Err(missing("what")),
    }
}

fn unread(builder: &Builder<'_, '_, '_>, request: &Request) -> Unread {
    let span = builder
        .said
        .span(&request.sel.span)
        .or_else(|| builder.said.span(&request.span));
    Unread {
        span,
        why: Why::Words(builder.text(span)),
    }
}

fn query(builder: &mut Builder<'_, '_, '_>, request: &Request, ask: Ask) -> Result<(), Unread> {
    let sel = &request.sel;
    if sel.noun == Some(Noun::Contact) {
        return contacts(builder, request, ask);
    }
    let noun = refer::kind_meant(builder, sel);
    let mut sel = sel.clone();
    sel.noun = noun;
    // What files are about stands in them.
    if noun == Some(Noun::File) && sel.about.is_some() {
        return files(builder, request);
    }
    if matches!(noun, Some(Noun::Task | Noun::Reminder)) && sel.pick.is_none() {
        sel.plural = true;
    }
    let tool = match noun {
        Some(Noun::Event) => "calendar.list",
        Some(Noun::Mail) => "email.search",
        Some(Noun::Task | Noun::Reminder) => "task.list",
        Some(Noun::Note) => "note.list",
        Some(Noun::File) => "file.list",
        Some(Noun::Memory) => return recall(builder, request),
        _ => {
            return Err(missing(if sel.pron.is_some() {
                "referent"
            } else {
                "what"
            }));
        }
    };
    let known: &[Ask] = match noun {
        Some(Noun::Event) => &[
            Ask::List,
            Ask::Count,
            Ask::Any,
            Ask::When,
            Ask::Who,
            Ask::Where,
            Ask::Longest,
            Ask::Shortest,
            Ask::Total,
        ],
        Some(Noun::Mail) => &[Ask::List, Ask::Count, Ask::Any, Ask::When, Ask::Who],
        Some(Noun::File) => &[Ask::List, Ask::Count, Ask::Any],
        _ => &[Ask::List, Ask::Count, Ask::Any, Ask::When],
    };
    let ask = if known.contains(&ask) { ask } else { Ask::List };
    let mut draft = Draft::new(tool, String::new());
    let source = builder.person(&sel.span);
    let words = match refer::target(builder, &sel, Purpose::Read) {
        Target::Ids { ids, label, .. } => {
            draft.set(
                "ids",
                ids,
                Source::OwnData {
                    what: "what was shown".into(),
                },
            );
            label
        }
        Target::Filter(filter) => {
            let filter = *filter;
            for (key, value) in filter.args {
                draft.set(&key, value, source.clone());
            }
            if let Some(pick) = filter.pick.filter(|pick| pick != "one" && pick != "all") {
                draft.set("pick", pick, source.clone());
            }
            filter.words
        }
        Target::Unknown => return Err(missing("referent")),
        Target::Unclear => return Err(unread(builder, request)),
    };
    if ask != Ask::List {
        draft.set("ask", json!(ask_word(ask)), Source::Derived);
    }
    draft.say = match ask {
        Ask::Count => format!("Count {words}"),
        Ask::Any => format!("Check for {words}"),
        Ask::When => format!("Look up when: {words}"),
        Ask::Who => format!("Look up who: {words}"),
        Ask::Where => format!("Look up where: {words}"),
        Ask::Total => format!("Add up the time of {words}"),
        _ => format!("Show {words}"),
    };
    let key = builder.push(draft, Some(request))?;
    builder.did(
        key,
        &Request {
            sel,
            ..request.clone()
        },
        noun,
        false,
    );
    Ok(())
}

fn contacts(builder: &mut Builder<'_, '_, '_>, request: &Request, ask: Ask) -> Result<(), Unread> {
    if request.vals.people.is_empty() {
        let mut draft = Draft::new("contact.find", "Show the contacts".to_owned());
        if let Some(place) = &request.sel.place {
            draft.say = format!("Show the contacts of “{}”", place.text);
            draft.set(
                "organisation",
                json!(place.text),
                Source::Person {
                    words: Some(place.text.clone()),
                },
            );
        }
        if ask == Ask::Count {
            draft.set("ask", json!("count"), Source::Derived);
        }
        let key = builder.push(draft, Some(request))?;
        builder.did(key, request, Some(Noun::Contact), false);
        return Ok(());
    }
    for who in &request.vals.people {
        let (names, sources, missing_one) =
            builder.people(std::slice::from_ref(who), &Source::person())?;
        let (Some(name), false) = (names.into_iter().next(), missing_one) else {
            return Err(missing("who"));
        };
        let text = name.as_str().unwrap_or("").to_owned();
        let mut draft = Draft::new(
            "contact.find",
            match ask {
                Ask::Email => format!("Look up the mail address of {text}"),
                Ask::Phone => format!("Look up the telephone number of {text}"),
                _ => format!("Look up {text}"),
            },
        );
        draft.set(
            "name",
            name,
            sources
                .into_iter()
                .next()
                .map_or(Source::Derived, |(_, source)| source),
        );
        if matches!(ask, Ask::Email | Ask::Phone | Ask::Any) {
            draft.set("ask", json!(ask_word(ask)), Source::Derived);
        }
        let key = builder.push(draft, Some(request))?;
        builder.did(key, request, Some(Noun::Contact), false);
    }
    Ok(())
}

fn open(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let mut sel = request.sel.clone();
    sel.noun = refer::kind_meant(builder, &sel);
    let tool = match sel.noun {
        Some(Noun::Mail) => "email.read",
        Some(Noun::Event) => "calendar.read",
        Some(Noun::Note) => "note.read",
        Some(Noun::File) => "file.read",
        Some(Noun::Task | Noun::Reminder) => {
            return query(
                builder,
                &Request {
                    act: Act::Query(Ask::List),
                    ..request.clone()
                },
                Ask::List,
            );
        }
        Some(Noun::Memory) => return recall(builder, request),
        _ => {
            return Err(missing(if sel.pron.is_some() {
                "referent"
            } else {
                "what"
            }));
        }
    };
    // "Open the file about taxes": which one that is, is found first.
    if sel.noun == Some(Noun::File)
        && sel.about.is_some()
        && sel.file.as_ref().is_none_or(|file| file.starts_with('*'))
    {
        return files(builder, request);
    }
    let mut draft = Draft::new(tool, String::new());
    let source = builder.person(&sel.span);
    if let (Some(Noun::File), Some(path)) = (
        sel.noun,
        sel.file
            .as_ref()
            .filter(|path| path.starts_with(['/', '~', '.'])),
    ) {
        draft.set("path", json!(path), source);
        draft.say = format!("Read {path}");
    } else {
        match refer::target(builder, &sel, Purpose::Read) {
            Target::Ids {
                id: Some(id),
                label,
                ..
            } => {
                draft.set(
                    "id",
                    id,
                    Source::OwnData {
                        what: "what was shown".into(),
                    },
                );
                draft.say = format!("Read {label}");
            }
            Target::Ids { id: None, .. } => {
                return query(
                    builder,
                    &Request {
                        act: Act::Query(Ask::List),
                        ..request.clone()
                    },
                    Ask::List,
                );
            }
            Target::Filter(filter) => {
                let filter = *filter;
                if filter.many && sel.noun != Some(Noun::File) {
                    return query(
                        builder,
                        &Request {
                            act: Act::Query(Ask::List),
                            ..request.clone()
                        },
                        Ask::List,
                    );
                }
                draft.say = format!("Read {}", filter.words);
                let mut target = filter.args;
                target.insert("pick".into(), filter.pick.unwrap_or_else(|| json!("one")));
                draft.set("target", Json::Object(target), source);
            }
            Target::Unknown => return Err(missing("referent")),
            Target::Unclear => return Err(unread(builder, request)),
        }
    }
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, sel.noun, false);
    Ok(())
}

fn recall(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let mut draft = Draft::new("memory.search", "Look up what is remembered".to_owned());
    if let Some(words) = request.sel.about.as_ref().or(request.sel.title.as_ref()) {
        draft.set(
            "text",
            json!(words.text),
            Source::Person {
                words: Some(words.text.clone()),
            },
        );
        draft.set("ask", json!("value"), Source::Derived);
        draft.say = format!("Look up what is remembered about “{}”", words.text);
    }
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Memory), false);
    Ok(())
}

fn compute(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let Some(words) = &request.vals.body else {
        return Err(missing("what"));
    };
    let mut draft = Draft::new("calc.evaluate", format!("Work out {}", words.text));
    draft.set(
        "text",
        json!(words.text),
        Source::Person {
            words: Some(words.text.clone()),
        },
    );
    builder.push(draft, Some(request))?;
    Ok(())
}

fn files(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let filter = filter::filter(builder.said, &request.sel, Purpose::Read)
        .ok_or_else(|| unread(builder, request))?;
    let mut draft = Draft::new("file.search", format!("Search {}", filter.words));
    let source = builder.person(&request.sel.span);
    // A search has its own order, the best first.
    let own = |key: &str| !matches!(key, "order" | "pick" | "limit" | "except");
    for (key, value) in filter.args.into_iter().filter(|(key, _)| own(key)) {
        draft.set(&key, value, source.clone());
    }
    let text = request
        .sel
        .about
        .as_ref()
        .map(|words| words.text.clone())
        .unwrap_or_default();
    draft.set("text", json!(text), source);
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::File), false);
    Ok(())
}

fn free(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let ask = if request.act == Act::IsFree {
        "free"
    } else {
        "slots"
    };
    let Some((args, say)) = free_args(builder.said, &request.sel, request.vals.minutes, ask) else {
        return Err(unread(builder, request));
    };
    let mut draft = Draft::new("calendar.free", say);
    let source = builder.person(&request.span);
    for (key, value) in args {
        draft.set(&key, value, source.clone());
    }
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Slot), false);
    Ok(())
}

/// Arguments of `calendar.free` for a selection of free time, and what it does in words.
pub(super) fn free_args(
    said: &Said<'_>,
    sel: &Sel,
    minutes: Option<i64>,
    ask: &str,
) -> Option<(Map<String, Json>, String)> {
    let now = said.utterance.now;
    let mut span_sel = sel.clone();
    span_sel.noun = Some(Noun::Slot);
    // "From 2 to 4" and "at 3" bound the range; a length is how long it must be.
    let mut length = minutes;
    span_sel.when.retain(
        |index| match said.times.get(*index).map(|found| &found.value) {
            Some(crate::time::Value::Duration(said)) => {
                length = super::super::noun::minutes(said.seconds);
                false
            }
            _ => true,
        },
    );
    let window = when::window(said, &span_sel)?;
    let zone = now.time_zone();
    let mut from = window
        .from
        .clone()
        .unwrap_or_else(|| Moment::At(now.clone()));
    if from.starts(zone) < now.timestamp() {
        from = Moment::At(now.clone());
    }
    let exact = window.starts && window.to.is_some();
    let to = match window.to.clone() {
        Some(Moment::At(to))
            if exact && to.timestamp().as_second() - from.starts(zone).as_second() <= 60 =>
        {
            Moment::At(
                to.checked_add(
                    (length.unwrap_or(i64::from(said.utterance.settings.event_minutes)) - 1)
                        .minutes(),
                )
                .ok()?,
            )
        }
        Some(to) => to,
        None => Moment::Day(from.date(zone).checked_add(FREE_DAYS.days()).ok()?),
    };
    let mut args = Map::new();
    args.insert("from".into(), json!(from));
    args.insert("to".into(), json!(to));
    if let Some(length) = length {
        args.insert("duration_minutes".into(), json!(length));
    }
    if !window.weekdays.is_empty() {
        args.insert("weekdays".into(), json!(window.weekdays));
    }
    if ask == "free" {
        args.insert("ask".into(), json!("free"));
        args.insert("hours".into(), json!("any"));
    }
    if sel.pick.is_some() {
        args.insert("pick".into(), json!("first"));
    }
    let range = format!(
        "{} and {}",
        when::moment_words(&from),
        when::moment_words(&to)
    );
    let length = length.map_or_else(String::new, |length| format!(" of {length} minutes"));
    let say = if ask == "free" {
        format!("Check whether you are free between {range}")
    } else {
        format!("Look for free time{length} between {range}")
    };
    Some((args, say))
}
