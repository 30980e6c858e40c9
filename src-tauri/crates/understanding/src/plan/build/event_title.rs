//! What a new event is called.

use super::super::clause::Unread;
use super::super::lexicon::Noun;
use super::super::model::{Request, Sel, Value, Who};
use super::super::speech::capitalised;
use super::{Builder, at, words};
use adjutant_domain::source::Source;
use serde_json::{Value as Json, json};

/// The title of a new event from what was said, and where it comes from.
pub(super) fn summary(
    builder: &mut Builder<'_, '_, '_>,
    request: &Request,
) -> Result<Option<(Json, Source, String)>, Unread> {
    match &request.vals.title {
        Some(Value::Words(title)) => {
            return Ok(Some((
                json!(title.text),
                Source::Person {
                    words: Some(title.text.clone()),
                },
                title.text.clone(),
            )));
        }
        Some(Value::TitleOf(sel)) => {
            let key = builder.one_of(sel)?;
            return Ok(Some((
                at(&key, title_path(sel)),
                Source::Step { key: key.clone() },
                "the same title".to_owned(),
            )));
        }
        None => {}
    }
    // "Block my calendar from 2 till 5": the time is taken, and nothing says for what.
    if names_calendar(request) {
        return Ok(Some((json!(BLOCKED), Source::Derived, BLOCKED.to_owned())));
    }
    let topic = request.sel.label.as_ref().map(|words| words.text.as_str());
    // "Something with Ana" is a meeting.
    let named = request
        .sel
        .title
        .as_ref()
        .map(|words| words.text.as_str())
        .filter(|text| {
            request.vals.people.is_empty()
                || !matches!(
                    text.to_lowercase().as_str(),
                    "something" | "some time" | "time" | "stuff" | "one"
                )
        });
    let plain = request.sel.about.as_ref().map(|words| words.text.as_str());
    let people: Vec<Who> = request
        .vals
        .people
        .iter()
        .filter(|who| !matches!(who, Who::GuestsOf(_) | Who::SenderOf(_) | Who::They))
        .cloned()
        .collect();
    let with = if people.is_empty() {
        String::new()
    } else {
        format!(" with {}", words::people(&people))
    };
    let text = match (named, plain, topic) {
        (Some(named), _, Some(topic)) => format!("{}: {topic}", capitalised(named)),
        (Some(named), _, None) if is_company(named) => format!("{}{with}", capitalised(named)),
        (Some(named), _, None) => capitalised(named),
        (None, Some(plain), Some(topic)) => format!("{}{with}: {topic}", capitalised(plain)),
        (None, Some(plain), None)
            if !with.is_empty()
                || request.vals.times.len() + usize::from(request.vals.free_slot) > 0 =>
        {
            format!("{}{with}", capitalised(plain))
        }
        (None, Some(plain), None) => capitalised(plain),
        (None, None, Some(topic)) => capitalised(topic),
        (None, None, None) if !with.is_empty() => format!("Meeting{with}"),
        (None, None, None) => return Ok(None),
    };
    let source = if named.is_some() && topic.is_none() {
        Source::Person {
            words: named.map(str::to_owned),
        }
    } else {
        Source::Derived
    };
    Ok(Some((json!(text), source, text)))
}

/// The title of time that is kept free of anything else.
pub(super) const BLOCKED: &str = "Blocked";

/// Whether the calendar itself is all that names a new event.
pub(super) fn names_calendar(request: &Request) -> bool {
    let names = |words: &super::super::model::Words| {
        !words.quoted
            && matches!(
                words.text.to_lowercase().as_str(),
                "calendar"
                    | "my calendar"
                    | "schedule"
                    | "my schedule"
                    | "diary"
                    | "my diary"
                    | "time"
                    | "my time"
                    | "out time"
                    | "some time"
                    | "agenda"
                    | "my agenda"
                    | "off time"
                    | "out"
            )
    };
    request.sel.label.is_none()
        && request.vals.people.is_empty()
        && (request.sel.title.as_ref().is_some_and(names)
            || request.sel.title.is_none() && request.sel.about.as_ref().is_some_and(names))
}

/// Where the title of a thing stands in what its tool gives.
pub(super) fn title_path(sel: &Sel) -> &'static str {
    if sel.noun == Some(Noun::Mail) {
        "/items/0/subject"
    } else {
        "/items/0/summary"
    }
}

/// Words that are said of company and take it into the title ("lunch with Ana").
pub(super) fn is_company(title: &str) -> bool {
    title.split_whitespace().count() == 1
}
