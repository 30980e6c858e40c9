//! How a message was read: which bytes stand for what.

use adjutant_domain::reading::TraceLine;

use super::clause::{Parse, Unread};
use super::model::{Request, Value, Who};
use super::said::{Form, Said};
use crate::time;

/// The reading of a planned message.
pub(super) fn trace(parse: &Parse<'_, '_>) -> Vec<TraceLine> {
    let mut out = times(parse.said);
    for cond in &parse.conds {
        out.push(TraceLine {
            span: cond.span,
            what: "condition".into(),
            value: format!("{:?}", cond.test),
        });
    }
    for request in &parse.requests {
        out.extend(of_request(parse.said, request));
    }
    out
}

/// How far an unread message was read.
pub(super) fn unread(said: &Said<'_>, unread: &Unread) -> Vec<TraceLine> {
    let mut out = times(said);
    if let Some((start, end)) = unread.span {
        out.push(TraceLine {
            span: Some((start, end)),
            what: "not understood".into(),
            value: said.source.get(start..end).unwrap_or("").to_owned(),
        });
    }
    out
}

fn times(said: &Said<'_>) -> Vec<TraceLine> {
    let mut out: Vec<TraceLine> = said
        .times
        .iter()
        .map(|found| TraceLine {
            span: Some((found.span.start, found.span.end)),
            what: "time".into(),
            value: time::describe(&found.value, said.utterance.now),
        })
        .collect();
    for piece in &said.pieces {
        if let Form::Quote(at) = piece.form {
            out.push(TraceLine {
                span: Some((piece.span.start, piece.span.end)),
                what: "quoted".into(),
                value: said.quoted(at).to_owned(),
            });
        }
    }
    out
}

fn of_request(said: &Said<'_>, request: &Request) -> Vec<TraceLine> {
    let mut out = vec![TraceLine {
        span: said.span(&request.span),
        what: "action".into(),
        value: format!("{:?}", request.act),
    }];
    let sel = &request.sel;
    if let Some(noun) = sel.noun {
        out.push(TraceLine {
            span: said.span(&sel.span),
            what: "object".into(),
            value: format!("{noun:?}"),
        });
    }
    for words in [&sel.title, &sel.about, &sel.place].into_iter().flatten() {
        out.push(TraceLine {
            span: words.span,
            what: "filter".into(),
            value: words.text.clone(),
        });
    }
    for who in sel
        .from
        .iter()
        .chain(&sel.to)
        .chain(&sel.with)
        .chain(&request.vals.people)
        .chain(&request.vals.cc)
    {
        if let Who::Named {
            name,
            said: words,
            known,
        } = who
        {
            out.push(TraceLine {
                span: None,
                what: if *known { "person" } else { "name" }.into(),
                value: format!("{words} → {name}"),
            });
        }
    }
    if let Some(pick) = sel.pick {
        out.push(TraceLine {
            span: None,
            what: "which".into(),
            value: format!("{pick:?}"),
        });
    }
    for value in [&request.vals.title, &request.vals.subject]
        .into_iter()
        .flatten()
    {
        if let Value::Words(words) = value {
            out.push(TraceLine {
                span: words.span,
                what: "title".into(),
                value: words.text.clone(),
            });
        }
    }
    if let Some(body) = &request.vals.body {
        out.push(TraceLine {
            span: body.span,
            what: "text".into(),
            value: body.text.clone(),
        });
    }
    out
}
