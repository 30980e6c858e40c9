//! The day's requests as the window makes them, and helpers to read their answers.

use crate::book::Exchange;
use crate::holder::{Profile, Running};
use adjutant_api::models::{ConnectionDraft, ModelView};
use adjutant_api::reply::Applied;
use adjutant_api::rows::Rows;
use adjutant_api::{EventBody, Reply, Request, ResearchAnswer, Topic, WireEvent};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Id of the day's conversation.
pub const MAIN: &str = "day";

/// Returns the path of a file of the day.
pub fn data(name: &str) -> String {
    let path = std::path::absolute("tests/frames/data").expect("the folder of the tests");
    path.join(name).display().to_string()
}

pub fn said(text: &str) -> Request {
    Request::Ask {
        conversation: MAIN.into(),
        text: text.into(),
        tier: None,
    }
}

pub async fn ask(profile: &mut Profile, text: &str) -> Exchange {
    profile.ask(said(text)).await
}

pub async fn set(profile: &mut Profile, key: &str, value: Option<&str>) {
    let value = value.map(str::to_owned);
    profile
        .ask(Request::ConfigSet {
            key: key.into(),
            value,
        })
        .await;
}

pub async fn apply(profile: &mut Profile, tool: &str, args: Value) -> Exchange {
    profile
        .ask(Request::Apply {
            tool: tool.into(),
            args,
        })
        .await
}

pub async fn rows(profile: &mut Profile, what: Topic) -> Vec<Value> {
    shown(profile, what, None).await
}

pub async fn one(profile: &mut Profile, what: Topic, id: &str) {
    shown(profile, what, Some(id.to_owned())).await;
}

pub async fn shown(profile: &mut Profile, what: Topic, id: Option<String>) -> Vec<Value> {
    let show = Request::Show {
        what,
        id,
        from: None,
        to: None,
        limit: None,
        offset: None,
        text: None,
        only: None,
    };
    match profile.ask(show).await.reply {
        Ok(Reply::Rows { rows, .. }) => Rows::to_list(&rows),
        other => panic!("no rows of {what:?}: {other:?}"),
    }
}

pub async fn approve(profile: &mut Profile, waiting: &Exchange) -> Exchange {
    let (id, digest, _) = card_of(waiting);
    profile.ask(Request::Approve { id, digest }).await
}

pub fn draft(name: &str, base_url: &str) -> ConnectionDraft {
    let model = ModelView {
        id: "lab-model".into(),
        context_tokens: 8192,
        tools: true,
        structure: true,
        free: None,
        input_micros_per_million: 0,
        output_micros_per_million: 0,
    };
    ConnectionDraft {
        name: name.into(),
        kind: "compatible".into(),
        base_url: base_url.into(),
        models: BTreeMap::from([("standard".into(), model)]),
        embedding: None,
        headers: BTreeMap::new(),
        no_headers: None,
        proxy: String::new(),
        unencrypted: None,
    }
}

pub async fn subscribed(profile: &Profile, conversation: &str) -> Running {
    let conversation = conversation.to_owned();
    let mut running = profile
        .begin(Request::Subscribe {
            conversation,
            from: 0,
        })
        .await;
    running.answered().await;
    running
}

pub async fn listening(profile: &Profile) -> Running {
    let mut running = profile.begin(Request::Notify {}).await;
    running.answered().await;
    running
}

/// Records what a subscription to the whole profile received, up to the event that `last` accepts. How often an event
/// repeats depends on timing, so one event of each kind is kept, and all changed topics are joined.
pub async fn told(profile: &mut Profile, mut running: Running, last: impl Fn(&EventBody) -> bool) {
    running.until(last).await;
    let mut topics = BTreeSet::new();
    let mut kept: BTreeMap<String, WireEvent> = BTreeMap::new();
    for event in std::mem::take(&mut running.events) {
        let kind = match &event.body {
            EventBody::Changed { kinds } => {
                topics.extend(kinds.iter().cloned());
                continue;
            }
            EventBody::Progress { what, ended, .. } => {
                format!("progress {what} {}", ended.is_some())
            }
            other => json!(other)["event"].to_string(),
        };
        kept.insert(kind, event);
    }
    running.events = kept.into_values().collect();
    if !topics.is_empty() {
        let kinds = topics.into_iter().collect();
        running.events.push(WireEvent {
            body: EventBody::Changed { kinds },
            turn: String::new(),
            seq: 0,
            conversation: String::new(),
        });
    }
    profile.end(running);
}

impl Exchange {
    pub fn turn(&self) -> String {
        match &self.reply {
            Ok(Reply::Turn { turn, .. }) => turn.clone(),
            other => panic!("no turn for {:?}: {other:?}", self.request),
        }
    }

    pub fn find<T>(&self, wanted: impl Fn(&EventBody) -> Option<T>) -> T {
        let found = self
            .events
            .iter()
            .rev()
            .find_map(|event| wanted(&event.body));
        found.unwrap_or_else(|| {
            panic!(
                "{:?} came to something else: {:?}",
                self.request, self.events
            )
        })
    }
}

pub fn card_of(exchange: &Exchange) -> (String, String, Value) {
    exchange.find(|event| match event {
        EventBody::ApprovalNeeded {
            id, digest, args, ..
        } => Some((id.clone(), digest.clone(), args.clone())),
        _ => None,
    })
}

pub fn question_of(exchange: &Exchange) -> (String, Value) {
    exchange.find(|event| match event {
        EventBody::Question { id, choices, .. } => {
            Some((id.clone(), choices.first()?.value.clone()))
        }
        _ => None,
    })
}

/// Returns the first and the last step of its plan.
pub fn steps_of(exchange: &Exchange) -> (String, String) {
    exchange.find(|event| match event {
        EventBody::Plan { steps, .. } => {
            Some((steps.first()?.key.clone(), steps.last()?.key.clone()))
        }
        _ => None,
    })
}

pub fn effect_of(exchange: &Exchange) -> String {
    exchange.find(|event| match event {
        EventBody::ToolResult { receipt, .. } => Some(receipt.as_ref()?["id"].as_str()?.to_owned()),
        _ => None,
    })
}

/// Returns the id of the row that was created.
pub fn id_of(exchange: &Exchange) -> String {
    if let Ok(Reply::Applied {
        outcome: Applied::Done { output, .. },
    }) = &exchange.reply
        && let Some(id) = output["ids"][0].as_str()
    {
        return id.to_owned();
    }
    panic!("not made: {:?}", exchange.reply);
}

/// Returns the id of the run that an act created.
pub fn research_of(exchange: &Exchange) -> String {
    match &exchange.reply {
        Ok(Reply::Research {
            found: ResearchAnswer::Run { run },
        }) => run.row.id.clone(),
        other => panic!("no research: {other:?}"),
    }
}
