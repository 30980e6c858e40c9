//! Reads and checks replies of models. The embedded step replaces a reply that fails.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::claims::{self, Snapshot};
use crate::document::{
    Answered, Claim, DocumentSource, NextStep, Question, QuestionDocument, Reflection, Report,
    WrittenBy,
};
use crate::embedded::{self, View};
use crate::lexicon::stems;
use crate::stage::{
    DocumentReply, EvaluateReply, KickoffReply, PlannedQuestion, ReflectReply, ReplyClaim,
    SearchReply, SynthesiseReply,
};

/// Maximum bytes of one text of a reply.
const TEXT_BYTES_MAX: usize = 8_000;
/// Maximum bytes of a query (an engine takes 400 characters and 50 words).
const QUERY_BYTES_MAX: usize = 300;
const QUERY_WORDS_MAX: usize = 40;
/// Maximum claims of one reply.
const CLAIMS_MAX: usize = 24;
/// Minimum claims of a model's report; the documents supply missing ones.
const CLAIMS_MIN: usize = 3;

/// A model's document after the check.
pub(super) struct Checked {
    pub document: QuestionDocument,
    /// Number of claims that were dropped.
    pub dropped: u32,
}

fn read<T: DeserializeOwned>(reply: Value) -> Option<T> {
    // Some models wrap their JSON in a string.
    match reply {
        Value::String(text) => serde_json::from_str(text.trim()).ok(),
        other => serde_json::from_value(other).ok(),
    }
}

fn cut(text: &str) -> String {
    adjutant_text::cut(text.trim(), TEXT_BYTES_MAX).to_owned()
}

/// Returns whether two texts share a distinctive word.
fn touches(text: &str, known: &str) -> bool {
    let known = stems(known);
    stems(text).iter().any(|stem| known.contains(stem))
}

pub(super) fn kickoff(objective: &str, reply: Value) -> Option<KickoffReply> {
    let reply: KickoffReply = read(reply)?;
    let questions = planned(reply.questions, objective);
    (!questions.is_empty()).then(|| KickoffReply {
        strategy: cut(&reply.strategy),
        questions,
    })
}

pub(super) fn evaluation(
    objective: &str,
    asked: &[Question],
    reply: Value,
) -> Option<EvaluateReply> {
    let reply: EvaluateReply = read(reply)?;
    let mut known = objective.to_owned();
    for document in asked.iter().filter_map(|one| one.document.as_ref()) {
        known.push('\n');
        known.push_str(&document.answer);
    }
    let new = |one: &PlannedQuestion| {
        let key = embedded::query_key(&one.question);
        asked
            .iter()
            .all(|old| embedded::query_key(&old.question) != key)
    };
    let questions: Vec<_> = planned(reply.questions, &known)
        .into_iter()
        .filter(new)
        .collect();
    if reply.action == NextStep::SpawnNew && questions.is_empty() {
        return None;
    }
    Some(EvaluateReply {
        action: reply.action,
        reasoning: cut(&reply.reasoning),
        questions,
    })
}

fn planned(questions: Vec<PlannedQuestion>, known: &str) -> Vec<PlannedQuestion> {
    let kept = questions.into_iter().map(|one| PlannedQuestion {
        name: cut(&one.name),
        question: cut(&one.question),
        goal: cut(&one.goal),
    });
    kept.filter(|one| !one.question.is_empty() && touches(&one.question, known))
        .take(3)
        .collect()
}

/// Returns the query of a reply if it relates to the question or to what was found.
pub(super) fn query(view: &View<'_>, reply: Value) -> Option<String> {
    let reply: SearchReply = read(reply)?;
    let words: Vec<&str> = reply
        .query
        .split_whitespace()
        .take(QUERY_WORDS_MAX)
        .collect();
    let query = adjutant_text::cut(&words.join(" "), QUERY_BYTES_MAX)
        .trim()
        .to_owned();
    touches(&query, &known(view)).then_some(query)
}

/// Returns everything a researcher has seen, as one text.
fn known(view: &View<'_>) -> String {
    let mut known = format!("{} {}", view.question, view.goal);
    for search in &view.searches {
        for hit in search.hits {
            known.push(' ');
            known.push_str(&hit.title);
        }
        for sheet in &search.sheets {
            known.push(' ');
            known.push_str(sheet.text);
        }
    }
    known
}

/// Returns the reflection of a reply, and whether the question is done, if it relates to the question or to what was
/// found.
pub(super) fn reflection(view: &View<'_>, reply: Value) -> Option<(Reflection, bool)> {
    let reply: ReflectReply = read(reply)?;
    let thought = cut(&reply.thought);
    touches(&thought, &known(view)).then_some((
        Reflection {
            thought,
            delta: reply.delta,
        },
        reply.done,
    ))
}

/// Returns the claims whose quote is in an opened page, and the number of dropped ones.
fn checked(claims: Vec<ReplyClaim>, views: &[View<'_>]) -> (Vec<Claim>, u32) {
    let (mut kept, mut dropped): (Vec<Claim>, u32) = (Vec::new(), 0);
    for claim in claims {
        let sheet = views
            .iter()
            .flat_map(View::sheets)
            .find(|sheet| sheet.page.address == claim.source);
        let verdict = sheet.and_then(|sheet| {
            let snapshot = Snapshot {
                title: &sheet.page.title,
                text: sheet.text,
            };
            let verdict = claims::check(&claim.text, &claim.quote, snapshot)?;
            Some((sheet.page.sha256.clone(), verdict))
        });
        match verdict {
            Some((sha256, verdict)) if kept.len() < CLAIMS_MAX && !claim.text.trim().is_empty() => {
                kept.push(Claim {
                    text: cut(&claim.text),
                    quote: crate::lexicon::plain_space(&claim.quote),
                    source: claim.source,
                    sha256,
                    verdict,
                    sources: 1,
                })
            }
            _ => dropped = dropped.saturating_add(1),
        }
    }
    (kept, dropped)
}

pub(super) fn document(view: &View<'_>, reply: Value) -> Option<Checked> {
    let reply: DocumentReply = read(reply)?;
    let (key_findings, dropped) = checked(reply.key_findings, std::slice::from_ref(view));
    if !key_findings.iter().any(Claim::supported) {
        return None;
    }
    let answer = cut(&reply.answer);
    let texts: Vec<&str> = view
        .sheets()
        .map(|sheet| sheet.text)
        .chain([view.question])
        .collect();
    let answer = if !answer.is_empty() && claims::grounded(&answer, &texts) {
        answer
    } else {
        key_findings
            .iter()
            .map(|claim| claim.text.as_str())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let mut sources: Vec<DocumentSource> = Vec::new();
    for claim in &key_findings {
        let title = view
            .sheets()
            .find(|sheet| sheet.page.address == claim.source);
        if sources.iter().all(|one| one.address != claim.source) {
            sources.push(DocumentSource {
                address: claim.source.clone(),
                title: title
                    .map(|sheet| sheet.page.title.clone())
                    .unwrap_or_default(),
                contribution: claim.text.clone(),
            });
        }
    }
    let limitations = Some(cut(&reply.limitations)).filter(|text| !text.is_empty());
    Some(Checked {
        document: QuestionDocument {
            answer,
            key_findings,
            sources,
            limitations: limitations.into_iter().collect(),
            confidence: reply.confidence,
            recommendation: reply.recommendation,
        },
        dropped,
    })
}

/// Returns a model's report and the number of dropped claims; `None` if none of its claims is supported.
pub(super) fn report(
    objective: &str,
    views: &[View<'_>],
    questions: &[Question],
    reply: Value,
) -> Option<(Report, u32)> {
    let reply: SynthesiseReply = read(reply)?;
    let (mut claims, dropped) = checked(reply.claims, views);
    if !claims.iter().any(Claim::supported) {
        return None;
    }
    let plain = embedded::report(objective, &[], views, questions);
    if claims.len() < CLAIMS_MIN {
        let new: Vec<Claim> = plain
            .claims
            .iter()
            .filter(|one| claims.iter().all(|old| old.quote != one.quote))
            .cloned()
            .collect();
        claims.extend(new);
    }
    let texts: Vec<&str> = views
        .iter()
        .flat_map(View::sheets)
        .map(|sheet| sheet.text)
        .chain([objective])
        .collect();
    let holds = |text: &str| !text.trim().is_empty() && claims::grounded(text, &texts);
    let answer = if reply.answer.trim().is_empty() || !holds(&reply.answer) {
        // Take the embedded answer, with the claims it rests on.
        plain.answer.as_ref().map(|answer| {
            let rests = answer.claims.iter().filter_map(|at| plain.claims.get(*at));
            let mut places = Vec::new();
            for claim in rests {
                let known = claims.iter().position(|one| one.quote == claim.quote);
                places.push(known.unwrap_or_else(|| {
                    claims.push(claim.clone());
                    claims.len() - 1
                }));
            }
            Answered {
                claims: places,
                ..answer.clone()
            }
        })
    } else {
        Some(Answered {
            text: cut(&reply.answer),
            because: String::new(),
            claims: (0..claims.len()).collect(),
        })
    };
    let summary = if holds(&reply.summary) {
        cut(&reply.summary)
    } else {
        embedded::summary(&claims)
    };
    let mut limitations: Vec<String> = reply
        .limitations
        .iter()
        .map(|one| cut(one))
        .filter(|one| !one.is_empty())
        .collect();
    embedded::complete_notes(&mut limitations, views, questions);
    let mut report = Report {
        answer,
        summary,
        claims,
        limitations,
        written_by: WrittenBy::Model,
        ..plain
    };
    embedded::complete(&mut report, views);
    Some((report, dropped))
}
