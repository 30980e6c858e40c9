//! Carries out one step: a search, a page, or a question to a model.

use std::collections::BTreeSet;
use std::time::Duration;

use adjutant_domain::faults::UserFault;
use adjutant_domain::model::Stage as ModelStage;
use adjutant_domain::ports::source_fault::SourceFault;
use adjutant_domain::ports::web::{FOUND_MAX, QUERY_CHARS_MAX, SearchResult, SourceAddress};
use adjutant_prompts::schema_of;
use adjutant_research::{
    AskStep, Command, DocumentReply, EvaluateReply, Fault, FaultKind, Hit, Input, IntakeReply,
    KickoffReply, OpenStep, Page, ReflectReply, SearchReply, SearchStep, Stage, StepKey,
    SynthesiseReply,
};
use adjutant_store::ResearchPage;
use adjutant_tools::research::Sources;
use serde_json::Value;

use super::ResearchDeps;

/// Time limit of one search.
const SEARCH_MAX: Duration = Duration::from_secs(20);
/// Time limit of opening one page, including the wait for a turn at its host.
const PAGE_MAX: Duration = Duration::from_secs(45);
/// Longest wait for a source that asks for fewer requests.
const LIMITED_WAIT_MAX: Duration = Duration::from_secs(30);
/// Maximum retries of a query while the source asks for fewer requests.
const LIMITED_TRIES: u32 = 4;
/// Wait for a source that does not say how long to wait.
const LIMITED_WAIT: Duration = Duration::from_secs(2);

/// A step that was carried out.
pub(super) struct Performed {
    pub(super) key: StepKey,
    pub(super) came: Came,
}

/// The result of a step.
pub(super) enum Came {
    /// An input for the machine.
    Result {
        input: Box<Input>,
        credits: u32,
        page: Option<Box<ResearchPage>>,
    },
    /// The search engine could not be reached.
    OutOfReach { credits: u32, said: String },
    /// No search works until the person does something.
    NeedsPerson(String),
}

/// Carries out a step.
pub(super) async fn perform(deps: &ResearchDeps, sources: Sources, command: Command) -> Performed {
    match command {
        Command::Search(step) => Performed {
            key: step.key.clone(),
            came: search(deps, sources, &step).await,
        },
        Command::Open(step) => Performed {
            key: step.key.clone(),
            came: open(deps, &step).await,
        },
        Command::Ask(step) => Performed {
            key: step.key.clone(),
            came: ask(deps, &step).await,
        },
        Command::Save { .. } | Command::Cancel(_) | Command::Finish(_) => Performed {
            key: StepKey(String::new()),
            came: Came::NeedsPerson("This is not a step.".to_owned()),
        },
    }
}

async fn search(deps: &ResearchDeps, sources: Sources, step: &SearchStep) -> Came {
    let query: String = step.query.chars().take(QUERY_CHARS_MAX).collect();
    let limit = usize::try_from(step.limit)
        .unwrap_or(FOUND_MAX)
        .min(FOUND_MAX);
    let own = async {
        match sources {
            Sources::Web => Ok(Vec::new()),
            Sources::Own | Sources::Both => {
                deps.lookup.own().search(&query, limit, SEARCH_MAX).await
            }
        }
    };
    let outside = async {
        match sources {
            Sources::Own => Ok(Vec::new()),
            Sources::Web | Sources::Both => outside(deps, &query, limit).await,
        }
    };
    let (own, outside) = tokio::join!(own, outside);
    let asked_outside = sources != Sources::Own;
    let found = match (outside, own) {
        (Err(fault), _) if fault.concerns_engine() && !is_offline(&fault) => {
            return Came::NeedsPerson(UserFault::from(&fault).to_string());
        }
        (Err(fault), _) if is_out_of_reach(&fault) => {
            return Came::OutOfReach {
                credits: if fault.was_sent() { step.credits } else { 0 },
                said: fault.to_string(),
            };
        }
        (Err(fault), Ok(own)) if own.is_empty() => return failed(&step.key, &fault, step.credits),
        (Err(fault), Err(_)) => return failed(&step.key, &fault, step.credits),
        (Err(_), Ok(own)) => own,
        (Ok(outside), own) => {
            if let (Err(fault), false) = (&own, asked_outside) {
                return failed(&step.key, fault, 0);
            }
            merged(outside, own.unwrap_or_default(), limit)
        }
    };
    let credits = if asked_outside { step.credits } else { 0 };
    let input = Input::Searched {
        key: step.key.clone(),
        hits: found.into_iter().map(hit).collect(),
        credits,
    };
    result(input, credits)
}

/// Sends a query to the outside search engine; repeats it only after a reply that the request was refused for its rate.
async fn outside(
    deps: &ResearchDeps,
    query: &str,
    limit: usize,
) -> Result<Vec<SearchResult>, SourceFault> {
    let mut wait = LIMITED_WAIT;
    for _ in 0..LIMITED_TRIES {
        let engine = deps.lookup.outside()?;
        match engine.search(query, limit, SEARCH_MAX).await {
            Err(SourceFault::Limited { retry_after, .. })
                if retry_after.is_none_or(|after| after <= LIMITED_WAIT_MAX) =>
            {
                tokio::time::sleep(retry_after.unwrap_or(wait).max(LIMITED_WAIT / 4)).await;
                wait *= 2;
            }
            answer => return answer,
        }
    }
    deps.lookup
        .outside()?
        .search(query, limit, SEARCH_MAX)
        .await
}

fn is_offline(fault: &SourceFault) -> bool {
    matches!(fault, SourceFault::Offline { .. })
}

fn is_out_of_reach(fault: &SourceFault) -> bool {
    is_offline(fault) || matches!(fault, SourceFault::Unreachable { .. })
}

/// Merges the results of both lists alternately; drops repeated places.
fn merged(outside: Vec<SearchResult>, own: Vec<SearchResult>, limit: usize) -> Vec<SearchResult> {
    let (mut outside, mut own) = (outside.into_iter(), own.into_iter());
    let mut seen: BTreeSet<SourceAddress> = BTreeSet::new();
    let mut all = Vec::new();
    loop {
        let pair = [outside.next(), own.next()];
        if pair.iter().all(Option::is_none) || all.len() >= limit {
            all.truncate(limit);
            return all;
        }
        let new = pair.into_iter().flatten();
        all.extend(new.filter(|one| seen.insert(one.at.clone())));
    }
}

fn hit(found: SearchResult) -> Hit {
    Hit {
        address: found.at.to_string(),
        title: found.title,
        snippet: found.snippet,
    }
}

async fn open(deps: &ResearchDeps, step: &OpenStep) -> Came {
    let Ok(place) = step.address.parse::<SourceAddress>() else {
        let fault = SourceFault::BadAddress {
            address: step.address.chars().take(200).collect(),
        };
        return failed(&step.key, &fault, 0);
    };
    let mut tries = LIMITED_TRIES;
    let snapshot = loop {
        tries -= 1;
        match deps.lookup.pages().open(&place, PAGE_MAX).await {
            Ok(snapshot) => break snapshot,
            Err(SourceFault::Limited { retry_after, .. })
                if tries > 0 && retry_after.is_none_or(|after| after <= LIMITED_WAIT_MAX) =>
            {
                tokio::time::sleep(retry_after.unwrap_or(LIMITED_WAIT)).await;
            }
            Err(fault) => return failed(&step.key, &fault, 0),
        }
    };
    let page = ResearchPage {
        sha256: snapshot.sha256.clone(),
        address: step.address.clone(),
        title: snapshot.title.clone(),
        text: snapshot.text.clone(),
        media: snapshot.media,
        fetched: snapshot.fetched_at,
    };
    let read = Page {
        title: snapshot.title,
        text: snapshot.text,
        sha256: snapshot.sha256,
        fetched_at: snapshot.fetched_at,
        cut: snapshot.cut,
    };
    Came::Result {
        input: Box::new(Input::Opened {
            key: step.key.clone(),
            page: Box::new(read),
            credits: 0,
        }),
        credits: 0,
        page: Some(Box::new(page)),
    }
}

async fn ask(deps: &ResearchDeps, step: &AskStep) -> Came {
    let (stage, schema) = form_of(step.stage);
    let context = serde_json::to_string(&step.context).unwrap_or_default();
    let said = deps.engine.ask_research(stage, &context, schema).await;
    let input = match said {
        Ok(reply) => Input::Replied {
            key: step.key.clone(),
            reply,
            credits: step.credits,
        },
        Err(why) => Input::Failed {
            key: step.key.clone(),
            fault: Fault {
                kind: FaultKind::Unreadable,
                said: why.to_string(),
            },
            credits: step.credits,
        },
    };
    result(input, step.credits)
}

/// Returns the stage of the model contract and the schema of its reply, with all definitions inlined.
fn form_of(stage: Stage) -> (ModelStage, Value) {
    match stage {
        Stage::Intake => (ModelStage::Intake, schema_of::<IntakeReply>()),
        Stage::Kickoff => (ModelStage::Kickoff, schema_of::<KickoffReply>()),
        Stage::Evaluate => (ModelStage::Evaluate, schema_of::<EvaluateReply>()),
        Stage::Search => (ModelStage::Search, schema_of::<SearchReply>()),
        Stage::Reflect => (ModelStage::Reflect, schema_of::<ReflectReply>()),
        Stage::Document => (ModelStage::Document, schema_of::<DocumentReply>()),
        Stage::Synthesise => (ModelStage::Synthesise, schema_of::<SynthesiseReply>()),
    }
}

fn result(input: Input, credits: u32) -> Came {
    Came::Result {
        input: Box::new(input),
        credits,
        page: None,
    }
}

/// Returns the failure of a source as a step result. A request that was never sent costs nothing.
fn failed(key: &StepKey, fault: &SourceFault, credits: u32) -> Came {
    let credits = if fault.was_sent() { credits } else { 0 };
    let kind = match fault {
        SourceFault::NotConfigured { .. } => FaultKind::NotConfigured,
        SourceFault::Limited { .. } => FaultKind::Limited,
        SourceFault::Unreachable { .. }
        | SourceFault::Offline { .. }
        | SourceFault::TimedOut { .. }
        | SourceFault::Down { .. } => FaultKind::Unreachable,
        SourceFault::Garbled { .. } => FaultKind::Unreadable,
        _ => FaultKind::Refused,
    };
    let input = Input::Failed {
        key: key.clone(),
        fault: Fault {
            kind,
            said: fault.to_string(),
        },
        credits,
    };
    result(input, credits)
}
