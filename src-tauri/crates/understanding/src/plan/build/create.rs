//! Steps that make something new.

use super::event::event;
use adjutant_domain::moment::Moment;
use adjutant_domain::plan::AnswerKind;
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

use super::super::change::missing;
use super::super::clause::Unread;
use super::super::lexicon::{Noun, State};
use super::super::model::{Act, Request, Value};
use super::super::speech::capitalised;
use super::when::{self};
use super::{Builder, Draft, at, filter, update};

/// Builds the steps of a creating request.
pub(super) fn build(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    match request.act {
        Act::CreateEvent => event(builder, request),
        Act::CreateTask => task(builder, request),
        Act::CreateNote => note(builder, request),
        Act::AppendNote => append(builder, request),
        Act::Store => store(builder, request),
        Act::UpdateContact => contact_detail(builder, request),
        _ => contact(builder, request),
    }
}

fn task(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let mut request = request.clone();
    if request.vals.reminder && !request.vals.times.is_empty() {
        super::event::day_of_condition(builder, &mut request);
    }
    let request = &request;
    let vals = &request.vals;
    if !when::two_times(builder.said, &vals.times) || vals.day_before.is_some() {
        return single_task(builder, request);
    }
    let Some(days) = when::each_day(builder.said, &vals.times) else {
        return Err(Unread {
            span: builder.said.span(&request.span),
            why: super::super::clause::Why::CanNot(
                "More than one time was said. Please ask for one reminder or task at a time."
                    .to_owned(),
            ),
        });
    };
    for times in days {
        let mut one = request.clone();
        one.vals.times = times;
        single_task(builder, &one)?;
    }
    Ok(())
}

fn single_task(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let vals = &request.vals;
    let mut draft = Draft::new("task.create", String::new());
    let title = match &vals.title {
        Some(Value::Words(title)) => {
            let text = capitalised(&title.text);
            draft.set(
                "title",
                json!(text),
                Source::Person {
                    words: Some(title.text.clone()),
                },
            );
            text
        }
        Some(Value::TitleOf(sel)) => {
            let key = builder.one_of(sel)?;
            draft.set(
                "title",
                at(&key, super::event_title::title_path(sel)),
                Source::Step { key: key.clone() },
            );
            "its title".to_owned()
        }
        None => {
            draft.set("title", Json::Null, Source::Derived);
            let text = if vals.reminder {
                "What shall I remind you of?"
            } else {
                "What is to be done?"
            };
            draft.ask("/title", text.to_owned(), AnswerKind::Text, Vec::new());
            String::new()
        }
    };
    let mut point = when::due(builder.said, &vals.times);
    if point.clash {
        return Err(missing("when"));
    }
    not_past(builder, request, &mut point);
    woken(builder, &title, request, &mut point);
    the_day_before(builder, request, &mut point);
    let source = builder.time_words(&vals.times);
    let mut words = String::new();
    let beside = match &vals.beside {
        Some(beside) => Some(super::beside::found(builder, beside)?),
        None => None,
    };
    match point.moment() {
        _ if beside.is_some() => {
            if let Some(found) = beside {
                words = format!(", {}", found.words);
                draft.set("due", found.value, found.source);
            }
        }
        Some(due) => {
            words = format!(", due {}", when::moment_words(&due));
            if let (true, Moment::Day(day)) = (vals.reminder, &due) {
                // A reminder for a day rings when work begins.
                let settings = builder.said.utterance.settings;
                if let Ok(at) = day
                    .to_datetime(settings.work_start)
                    .to_zoned(builder.said.utterance.now.time_zone().clone())
                    && at > *builder.said.utterance.now
                {
                    draft.set("remind_at", json!(at.to_string()), Source::Settings);
                    words = format!(
                        "{words}, reminder at {}",
                        settings.work_start.strftime("%H:%M")
                    );
                }
            }
            draft.set("due", json!(due), source.clone());
        }
        None if vals.reminder => {
            draft.set("due", Json::Null, Source::Derived);
            draft.ask(
                "/due",
                "When shall I remind you?".to_owned(),
                AnswerKind::Moment,
                Vec::new(),
            );
        }
        None => {}
    }
    if let Some(rrule) = &point.rrule {
        draft.set("rrule", json!(rrule), source);
        words = format!("{words}, repeated: {rrule}");
    }
    if let Some(priority) = vals.priority {
        let word = match priority {
            State::Low => "low",
            State::Medium => "medium",
            _ => "high",
        };
        draft.set("priority", json!(word), builder.person(&request.span));
        words = format!("{words}, {word} priority");
    }
    if let Some(body) = &vals.body {
        draft.set(
            "notes",
            json!(body.text),
            Source::Person {
                words: Some(body.text.clone()),
            },
        );
    }
    draft.say = if vals.reminder {
        format!("Remind you: “{title}”{words}")
    } else {
        format!("Add the task “{title}”{words}")
    };
    let mut key = builder.push(draft, Some(request))?;
    if let Some(beside) = &vals.beside {
        let lead = super::beside::lead(beside);
        key = super::beside::moved_by(builder, &key, lead, request, Noun::Task)?;
    }
    builder.did(key, request, Some(Noun::Task), false);
    Ok(())
}

/// The hour of an evening, when a reminder rings that was asked for in the evening.
const EVENING_HOUR: i8 = 18;

/// A reminder for the day before an event: its own time of day, else the evening or the beginning of work.
fn the_day_before(builder: &Builder<'_, '_, '_>, request: &Request, point: &mut when::Point) {
    let Some(before) = &request.vals.day_before else {
        return;
    };
    let Some(day) = when::point(builder.said, &before.of)
        .date
        .and_then(|day| day.yesterday().ok())
    else {
        return;
    };
    let settings = builder.said.utterance.settings;
    let clock = match point.clock {
        Some(clock) => clock,
        None if before.evening => jiff::civil::time(EVENING_HOUR, 0, 0, 0),
        None => settings.work_start,
    };
    point.date = Some(day);
    point.clock = Some(clock);
    point.at = day
        .to_datetime(clock)
        .to_zoned(builder.said.utterance.now.time_zone().clone())
        .ok();
}

/// "In the morning", said in the morning: what would be over already is tomorrow's, where no day was said.
fn not_past(builder: &Builder<'_, '_, '_>, request: &Request, point: &mut when::Point) {
    let now = builder.said.utterance.now;
    // "This week", said in the middle of it: by its end.
    if point.at.is_none()
        && point.clock.is_none()
        && point.rrule.is_none()
        && let Some((start, end)) = &point.loose
        && start < now
        && now < end
        && point.date.is_some_and(|day| day < now.date())
    {
        point.date = end.date().yesterday().ok();
    }
    let said = request
        .vals
        .times
        .iter()
        .filter_map(|index| builder.said.times.get(*index))
        .all(|found| !found.has_day && !matches!(found.value, crate::time::Value::Set { .. }));
    if let Some(at) = point.at.clone().filter(|at| said && at < now)
        && let Ok(next) = at.checked_add(jiff::ToSpan::day(1))
    {
        point.date = Some(next.date());
        point.at = Some(next);
    }
}

/// Hours at which people get up: an alarm for one of them that says nothing else is in the morning.
const RISING_HOURS: std::ops::RangeInclusive<i8> = 4..=11;

/// An alarm for "6:30" that says nothing else is one in the morning, the next one where no day was said.
fn woken(builder: &Builder<'_, '_, '_>, title: &str, request: &Request, point: &mut when::Point) {
    let now = builder.said.utterance.now;
    let assumed = |found: &&crate::time::Found| {
        found
            .notes
            .iter()
            .any(|note| matches!(note, crate::time::Note::HourAssumed(_)))
    };
    let Some(open) = request
        .vals
        .times
        .iter()
        .filter_map(|index| builder.said.times.get(*index))
        .find(assumed)
    else {
        return;
    };
    let Some(at) = point.at.clone().filter(|at| {
        RISING_HOURS.contains(&(at.hour() - 12)) && matches!(title, "Alarm" | "Wake up")
    }) else {
        return;
    };
    let Ok(earlier) = at.checked_sub(jiff::ToSpan::hours(12)) else {
        return;
    };
    let next = if earlier > *now {
        Some(earlier).filter(|earlier| earlier.date() == at.date())
    } else if open.has_day {
        None
    } else {
        earlier.checked_add(jiff::ToSpan::day(1)).ok()
    };
    if let Some(next) = next {
        point.clock = Some(next.time());
        point.date = point.date.map(|_| next.date());
        point.at = Some(next);
    }
}

fn note(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let mut draft = Draft::new("note.create", "Write a note".to_owned());
    if let Some(Value::Words(title)) = &request.vals.title {
        draft.set(
            "title",
            json!(title.text),
            Source::Person {
                words: Some(title.text.clone()),
            },
        );
        draft.say = format!("Write the note “{}”", title.text);
    }
    match &request.vals.body {
        Some(body) => {
            let text = if body.quoted {
                body.text.clone()
            } else {
                capitalised(&body.text)
            };
            draft.say = format!("{}: “{text}”", draft.say);
            draft.set(
                "body",
                json!(text),
                Source::Person {
                    words: Some(body.text.clone()),
                },
            );
        }
        None => {
            draft.set("body", Json::Null, Source::Derived);
            draft.ask(
                "/body",
                "What should the note say?".to_owned(),
                AnswerKind::Text,
                Vec::new(),
            );
        }
    }
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Note), false);
    Ok(())
}

fn append(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let mut draft = Draft::new("note.append", String::new());
    let words = match (&request.sel.title, request.sel.pron) {
        (Some(title), None) => {
            draft.set(
                "title",
                json!(filter::strip_article(&title.text)),
                Source::Person {
                    words: Some(title.text.clone()),
                },
            );
            draft.set("create", json!(true), Source::Derived);
            format!("the note “{}”", title.text)
        }
        _ => update::target(builder, request, &mut draft, true)?,
    };
    match &request.vals.body {
        Some(body) => {
            draft.set(
                "text",
                json!(body.text),
                Source::Person {
                    words: Some(body.text.clone()),
                },
            );
            draft.say = format!("Add “{}” to {words}", body.text);
        }
        None => {
            draft.set("text", Json::Null, Source::Derived);
            draft.ask(
                "/text",
                "What shall be added?".to_owned(),
                AnswerKind::Text,
                Vec::new(),
            );
            draft.say = format!("Add to {words}");
        }
    }
    let each = draft.each.is_some();
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Note), each);
    Ok(())
}

fn store(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let Some(body) = &request.vals.body else {
        return Err(missing("fact"));
    };
    let value = request
        .vals
        .details
        .first()
        .cloned()
        .unwrap_or_else(|| body.text.clone());
    let mut draft = Draft::new("memory.store", format!("Remember: “{}”", body.text));
    draft.set(
        "key",
        json!(request.vals.key.clone().unwrap_or_else(|| value.clone())),
        Source::Derived,
    );
    draft.set(
        "value",
        json!(value),
        Source::Person {
            words: Some(body.text.clone()),
        },
    );
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Memory), false);
    Ok(())
}

/// Another number or address for somebody the address book has.
fn contact_detail(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let (Some(Value::Words(name)), Some(value)) =
        (&request.vals.title, request.vals.details.first())
    else {
        return Err(missing("who"));
    };
    let mut draft = Draft::new("contact.update", format!("Note {value} for {}", name.text));
    draft.set(
        "target",
        json!({ "name": name.text }),
        Source::Person {
            words: Some(name.text.clone()),
        },
    );
    let key = if value.contains('@') {
        "add_emails"
    } else {
        "add_phones"
    };
    draft.change(
        key,
        json!([value]),
        Source::Person {
            words: Some(value.clone()),
        },
    );
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Contact), false);
    Ok(())
}

fn contact(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let Some(Value::Words(name)) = &request.vals.title else {
        return Err(missing("who"));
    };
    let mut draft = Draft::new("contact.create", format!("Add the contact “{}”", name.text));
    draft.set(
        "name",
        json!(name.text),
        Source::Person {
            words: Some(name.text.clone()),
        },
    );
    let (emails, phones): (Vec<&String>, Vec<&String>) = request
        .vals
        .details
        .iter()
        .partition(|text| text.contains('@'));
    if !emails.is_empty() {
        draft.set(
            "emails",
            json!(emails),
            Source::Person {
                words: emails.first().map(|text| (*text).clone()),
            },
        );
    }
    if !phones.is_empty() {
        draft.set(
            "phones",
            json!(phones),
            Source::Person {
                words: phones.first().map(|text| (*text).clone()),
            },
        );
    }
    let key = builder.push(draft, Some(request))?;
    builder.did(key, request, Some(Noun::Contact), false);
    Ok(())
}
