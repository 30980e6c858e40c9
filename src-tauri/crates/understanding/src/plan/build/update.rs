//! Steps that change or take away what there is.

use super::moved::{moved, rename, resize};
use adjutant_domain::plan::{AnswerKind, Reference};
use adjutant_domain::source::Source;
use serde_json::{Map, Value as Json, json};

use super::super::change::missing;
use super::super::clause::{Unread, Why};
use super::super::lexicon::{Noun, State};
use super::super::model::{Act, Pron, Request, Sel};
use super::filter::Purpose;
use super::refer::{self, Target};
use super::{Builder, Draft, when, words};

/// Minutes of a day.
pub(super) const DAY_MINUTES: i64 = 24 * 60;

/// Builds the step of a changing request.
pub(super) fn build(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let mut request = request.clone();
    // Named without a kind: the kind of what was shown, or the one the verb suggests.
    let said = request.sel.noun.filter(|noun| *noun != Noun::Any);
    let guess = match request.act {
        Act::Complete | Act::Reopen | Act::SetPriority => Some(Noun::Task),
        _ => request.sel.guess,
    };
    let titled = said.is_none() && request.sel.pron.is_none();
    let noun = match request.act {
        Act::Forget => Some(Noun::Memory),
        _ if titled => refer::kind_titled(builder, &request.sel).or(guess),
        _ => refer::kind_meant(builder, &request.sel)
            .filter(|noun| said.is_some() || tool(&request, *noun).is_ok())
            .or(guess),
    };
    let Some(noun) = noun else {
        return Err(missing(if request.sel.pron.is_some() {
            "referent"
        } else {
            "kind"
        }));
    };
    if !titled || refer::kind_titled(builder, &request.sel).is_none() {
        request.sel.noun = Some(noun);
    }
    let tool = tool(&request, noun)?;
    let mut draft = Draft::new(tool, String::new());
    let words = target(builder, &request, &mut draft, single(tool))?;
    change(builder, &request, noun, &mut draft, &words)?;
    let each = draft.each.is_some();
    let key = builder.push(draft, Some(&request))?;
    builder.did(key, &request, Some(noun), each);
    Ok(())
}

/// Tools that take one thing only.
fn single(tool: &str) -> bool {
    matches!(
        tool,
        "note.update" | "note.append" | "memory.update" | "contact.update" | "email.attachment"
    )
}

fn tool(request: &Request, noun: Noun) -> Result<&'static str, Unread> {
    Ok(match (request.act, noun) {
        (Act::Delete, Noun::Event) => "calendar.delete",
        (Act::Delete, Noun::Mail) => "email.delete",
        (Act::Delete, Noun::Task | Noun::Reminder) => "task.delete",
        (Act::Delete, Noun::Note) => "note.delete",
        (Act::Delete | Act::Forget, Noun::Memory) => "memory.forget",
        (
            Act::Move
            | Act::Rename
            | Act::Resize
            | Act::Relocate
            | Act::AddPeople
            | Act::RemovePeople
            | Act::Repeat
            | Act::Describe,
            Noun::Event,
        ) => "calendar.update",
        (
            Act::Move
            | Act::Rename
            | Act::Repeat
            | Act::Describe
            | Act::AddNotes
            | Act::Reopen
            | Act::SetPriority,
            Noun::Task | Noun::Reminder,
        ) => "task.update",
        (Act::Label | Act::Unlabel, Noun::Note) => "note.update",
        (Act::Attachment, Noun::Mail) => "email.attachment",
        (Act::Rename | Act::Describe, Noun::Note) => "note.update",
        (Act::Complete, Noun::Task | Noun::Reminder) => "task.complete",
        (Act::Respond(_), Noun::Event) => "calendar.respond",
        (Act::File(_), Noun::Mail) => "email.archive",
        (Act::MarkRead(_) | Act::Star(_), Noun::Mail) => "email.mark",
        (Act::Label | Act::Unlabel, Noun::Mail) => "email.label",
        (act, noun) => {
            return Err(Unread {
                span: None,
                why: Why::CanNot(format!(
                    "That cannot be done with {}: {}.",
                    many(noun),
                    verb(act)
                )),
            });
        }
    })
}

fn many(noun: Noun) -> &'static str {
    words::noun_word(Some(noun), true)
}

fn verb(act: Act) -> &'static str {
    match act {
        Act::Move => "moving to another time",
        Act::Rename => "renaming",
        Act::Resize => "changing the length",
        Act::Relocate => "changing the place",
        Act::Complete | Act::Reopen => "completing",
        Act::Respond(_) => "accepting or declining",
        Act::File(_) => "filing",
        Act::Delete => "deleting",
        _ => "this change",
    }
}

/// Says which things; gives them in words.
pub(super) fn target(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    draft: &mut Draft,
    single: bool,
) -> Result<String, Unread> {
    let sel = &request.sel;
    let source = builder.person(&sel.span);
    match refer::target(builder, sel, Purpose::Act) {
        Target::Ids {
            ids,
            id,
            label,
            from,
        } => {
            let source = from.clone().map_or(
                Source::OwnData {
                    what: "what was shown".into(),
                },
                |key| Source::Step { key },
            );
            match (id, single) {
                (Some(id), _) => draft.set("id", id, source),
                (None, false) => draft.set("ids", ids, source),
                (None, true) => match from {
                    Some(key) => each(draft, &key, source),
                    None => return each_shown(builder, sel, draft, label),
                },
            }
            Ok(label)
        }
        Target::Filter(filter) => {
            let filter = *filter;
            if single && filter.many {
                let tool = match sel.noun {
                    Some(Noun::Mail) => "email.search",
                    Some(Noun::Note) => "note.list",
                    _ => "calendar.list",
                };
                let key = builder.read(
                    tool,
                    filter.args,
                    format!("Look for {}", filter.words),
                    Some(builder.text(builder.said.span(&sel.span))),
                    "",
                )?;
                each(draft, &key, Source::Step { key: key.clone() });
                return Ok(filter.words);
            }
            let mut target: Map<String, Json> = filter.args;
            target.insert("pick".into(), filter.pick.unwrap_or_else(|| json!("one")));
            draft.set("target", Json::Object(target), source);
            Ok(filter.words)
        }
        Target::Unknown => {
            let kind = words::noun_word(sel.noun, false);
            if matches!(sel.pron, Some(Pron::Both | Pron::Place(_))) || sel.noun.is_none() {
                return Err(missing("referent"));
            }
            draft.set("target", json!({ "pick": "one" }), source);
            draft.ask(
                "/target/text",
                format!("Which {kind} do you mean?"),
                AnswerKind::Text,
                Vec::new(),
            );
            Ok(format!("a {kind}"))
        }
        Target::Unclear => {
            let span = builder.said.span(&sel.span);
            Err(Unread {
                span,
                why: Why::Words(builder.text(span)),
            })
        }
    }
}

pub(super) fn each(draft: &mut Draft, key: &adjutant_domain::ids::StepKey, source: Source) {
    draft.each = Some(Reference {
        from: key.clone(),
        path: "/items".to_owned(),
    });
    draft.set("id", json!({ "$item": "/id" }), source);
}

/// Several things shown, for a tool that takes one: they are read again as a list.
fn each_shown(
    builder: &mut Builder<'_, '_, '_>,
    sel: &Sel,
    draft: &mut Draft,
    label: String,
) -> Result<String, Unread> {
    let Some(pron) = sel.pron else {
        return Err(missing("referent"));
    };
    let ids: Vec<Json> = refer::referents(builder, sel, pron)
        .iter()
        .map(|one| json!(refer::id_of(one)))
        .collect();
    let tool = match sel.noun {
        Some(Noun::Mail) => "email.search",
        Some(Noun::Note) => "note.list",
        _ => return Err(missing("referent")),
    };
    let mut args = Map::new();
    args.insert("ids".into(), Json::Array(ids));
    let key = builder.read(tool, args, format!("Look up {label}"), None, "")?;
    each(draft, &key, Source::Step { key: key.clone() });
    Ok(label)
}

pub(super) fn change(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
    noun: Noun,
    draft: &mut Draft,
    words: &str,
) -> Result<(), Unread> {
    let person = builder.person(&request.span);
    match request.act {
        Act::Delete => {
            draft.say = format!(
                "{} {words}",
                if noun == Noun::Event {
                    "Cancel"
                } else {
                    "Delete"
                }
            )
        }
        Act::Forget => {
            // "The what is remembered about X" is no English.
            draft.say = format!("Forget {}", words.strip_prefix("the ").unwrap_or(words));
        }
        Act::Complete => draft.say = format!("Complete {words}"),
        Act::Reopen => {
            draft.change("reopen", json!(true), person);
            draft.say = format!("Reopen {words}");
        }
        Act::SetPriority => {
            let word = match request.vals.priority {
                Some(State::Low) => "low",
                Some(State::Medium) => "medium",
                _ => "high",
            };
            draft.change("priority", json!(word), person);
            draft.say = format!("Set the priority of {words} to {word}");
        }
        Act::Rename => rename(builder, request, noun, draft, words)?,
        Act::Move => moved(builder, request, noun, draft, words)?,
        Act::Resize => resize(builder, request, draft, words)?,
        Act::Relocate => match &request.vals.place {
            Some(place) => {
                draft.change(
                    "location",
                    json!(place.text),
                    Source::Person {
                        words: Some(place.text.clone()),
                    },
                );
                draft.say = format!("Change the place of {words} to “{}”", place.text);
            }
            None => {
                draft.change("location", Json::Null, Source::Derived);
                draft.ask(
                    "/changes/location",
                    "Where should it be?".to_owned(),
                    AnswerKind::Text,
                    Vec::new(),
                );
                draft.say = format!("Change the place of {words}");
            }
        },
        Act::AddPeople | Act::RemovePeople => {
            let (people, _, missing_one) = builder.people(&request.vals.people, &person)?;
            if missing_one || people.is_empty() {
                return Err(missing("who"));
            }
            let add = request.act == Act::AddPeople;
            draft.say = format!(
                "{} {} {} {words}",
                if add { "Add" } else { "Remove" },
                super::words::people(&request.vals.people),
                if add { "to" } else { "from" }
            );
            draft.change(
                if add { "add_people" } else { "remove_people" },
                Json::Array(people),
                person,
            );
        }
        Act::Repeat => {
            let point = when::point(builder.said, &request.vals.times);
            let Some(rrule) = point.rrule else {
                return Err(missing("when"));
            };
            draft.change(
                "rrule",
                json!(rrule),
                builder.time_words(&request.vals.times),
            );
            draft.say = format!("Repeat {words}: {rrule}");
        }
        Act::Describe => {
            let key = match noun {
                Noun::Event => "description",
                Noun::Note => "body",
                _ => "notes",
            };
            match &request.vals.body {
                Some(body) => draft.change(
                    key,
                    json!(body.text),
                    Source::Person {
                        words: Some(body.text.clone()),
                    },
                ),
                None => draft.ask(
                    &format!("/changes/{key}"),
                    "What should it say?".to_owned(),
                    AnswerKind::Text,
                    Vec::new(),
                ),
            }
            draft.say = format!("Change the text of {words}");
        }
        Act::Respond(response) => {
            draft.set("response", json!(response), person);
            draft.say = format!("Answer {words}: {response}");
        }
        Act::File(into) => {
            if into != "archive" {
                draft.set("into", json!(into), person);
            }
            draft.say = if into == "archive" {
                format!("Archive {words}")
            } else {
                format!("Move {words} to {into}")
            };
        }
        Act::MarkRead(value) => {
            draft.set("read", json!(value), person);
            draft.say = format!("Mark {words} as {}", if value { "read" } else { "unread" });
        }
        Act::Star(value) => {
            draft.set("starred", json!(value), person);
            draft.say = format!(
                "{} {words}",
                if value { "Star" } else { "Take the star off" }
            );
        }
        Act::Attachment => draft.say = format!("Save what hangs on {words}"),
        Act::AddNotes => match &request.vals.body {
            Some(body) => {
                draft.change(
                    "add_notes",
                    json!(body.text),
                    Source::Person {
                        words: Some(body.text.clone()),
                    },
                );
                draft.say = format!("Add “{}” to the notes of {words}", body.text);
            }
            None => return Err(missing("what")),
        },
        Act::Label | Act::Unlabel if noun == Noun::Note => {
            let key = if request.act == Act::Label {
                "add_tags"
            } else {
                "remove_tags"
            };
            draft.change(key, json!(request.vals.details), person);
            draft.say = format!(
                "{} the tag “{}”: {words}",
                if key == "add_tags" {
                    "Put on"
                } else {
                    "Take off"
                },
                request.vals.details.join(", ")
            );
        }
        Act::Label | Act::Unlabel => {
            let key = if request.act == Act::Label {
                "add"
            } else {
                "remove"
            };
            draft.set(key, json!(request.vals.details), person);
            draft.say = format!(
                "{} the label “{}”: {words}",
                if key == "add" { "Put on" } else { "Take off" },
                request.vals.details.join(", ")
            );
        }
        _ => return Err(missing("what")),
    }
    Ok(())
}
