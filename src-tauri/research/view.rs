//! Runs in the form that front ends show.

use adjutant_api::research::{
    AnswerView, ClaimView, ContradictionView, HitView, LaneDocument, LaneStep, LaneView,
    ReportView, ResearchAsks, ResearchRow, ResearchSources, ResearchState as WireState,
    ResearchView, SourceRow,
};
use adjutant_domain::job::Job;
use adjutant_domain::moment::rfc3339;
use adjutant_research::{
    Claim, Decision, DocumentSource, Entry, Question, QuestionState, Report, ReportSource, Run,
    Verdict,
};
use adjutant_store::{ResearchRun, ResearchState};
use adjutant_tools::research::{Ask, ResearchBrief, Sources};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use serde_json::Value;

/// Returns the wire name of a value that serialises to one JSON string; empty for any other value.
pub(super) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

pub(crate) fn state(state: ResearchState) -> WireState {
    match state {
        ResearchState::Asking => WireState::Asking,
        ResearchState::Waiting => WireState::Waiting,
        ResearchState::Running => WireState::Running,
        ResearchState::Stopped => WireState::Stopped,
        ResearchState::Paused => WireState::Paused,
        ResearchState::Done => WireState::Done,
        ResearchState::Failed => WireState::Failed,
    }
}

pub(super) fn at(instant: Timestamp, zone: &TimeZone) -> String {
    rfc3339(&instant.to_zoned(zone.clone()))
}

/// Price of one credit, in micro-units of the person's currency; 0 if the person set no price.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credit(pub(crate) u64);

impl Credit {
    fn cost(self, credits: u32) -> Option<u64> {
        (self.0 > 0).then(|| self.0.saturating_mul(u64::from(credits)))
    }
}

/// Returns a run as a row of a list; `job` is the job that works on it.
pub(crate) fn row(
    run: &ResearchRun,
    job: Option<&Job>,
    credit: Credit,
    zone: &TimeZone,
) -> ResearchRow {
    let summary = run.summary.as_ref();
    let number = |key: &str| {
        let value = summary.and_then(|summary| summary.get(key));
        value.and_then(Value::as_u64).unwrap_or_default()
    };
    let small = |key: &str| u32::try_from(number(key)).unwrap_or(u32::MAX);
    let count = |key: &str| usize::try_from(number(key)).unwrap_or(usize::MAX);
    let text = |key: &str| {
        let value = summary.and_then(|summary| summary.get(key));
        value.and_then(Value::as_str).map(str::to_owned)
    };
    let objective = run.brief.get("objective").and_then(Value::as_str);
    let repeats = job.filter(|job| job.schedule.is_some());
    ResearchRow {
        id: run.id.0.clone(),
        objective: objective.unwrap_or_default().to_owned(),
        state: state(run.state),
        why: run.why.clone(),
        started: at(run.begun, zone),
        updated: at(run.updated, zone),
        ended: run.ended.map(|ended| at(ended, zone)),
        round: small("round"),
        questions: count("questions"),
        answered: count("answered"),
        searches: count("searches"),
        pages: count("pages"),
        credits: small("credits"),
        cost_micros: credit.cost(small("credits")),
        credits_max: small("credits_max"),
        running_ms: number("running_ms"),
        running_ms_max: number("running_ms_max"),
        answer: text("answer"),
        confidence: text("confidence"),
        repeats: repeats.and_then(Job::next_at).map(|next| at(next, zone)),
        previous: run.previous.as_ref().map(|id| id.0.clone()),
    }
}

/// Returns the question to the person that a run waits for before it begins.
pub(crate) fn asking(brief: &ResearchBrief) -> ResearchAsks {
    let whole = || Ask {
        missing: "confirm",
        text: format!(
            "Start this research? What to find out: {}. What it is for: {}. A good result: {}.",
            unended(&brief.objective),
            unended(&brief.why),
            unended(&brief.success.join("; "))
        ),
        choices: vec!["Yes".into(), "No".into()],
    };
    let Ask {
        missing,
        text,
        choices,
    } = brief.ask().unwrap_or_else(whole);
    ResearchAsks {
        missing: missing.to_owned(),
        text,
        choices,
    }
}

/// Returns a text without the full stop at its end, for use inside a sentence.
fn unended(text: &str) -> &str {
    text.trim_end_matches(['.', '?', '!', ' '])
}

/// Returns everything that is shown of a run.
pub(crate) fn view(
    run: &ResearchRun,
    document: Option<&Run>,
    job: Option<&Job>,
    credit: Credit,
    zone: &TimeZone,
) -> ResearchView {
    let brief: ResearchBrief = serde_json::from_value(run.brief.clone()).unwrap_or_default();
    let row = row(run, job, credit, zone);
    ResearchView {
        left_ms: document.and_then(left_ms),
        why: brief.why.clone(),
        success: brief.success.clone(),
        sources: match brief.sources.unwrap_or(Sources::Web) {
            Sources::Web => ResearchSources::Web,
            Sources::Own => ResearchSources::Own,
            Sources::Both => ResearchSources::Both,
        },
        asks: (run.state == ResearchState::Asking).then(|| asking(&brief)),
        strategy: document.and_then(Run::strategy).map(str::to_owned),
        lanes: document.map_or_else(Vec::new, |run| {
            run.questions().iter().map(|one| lane(one, zone)).collect()
        }),
        decisions: document.map_or_else(Vec::new, |run| {
            run.decisions().iter().map(decision).collect()
        }),
        rounds_max: document.map_or(0, |run| run.limits().rounds),
        version: run.version,
        report: document
            .and_then(Run::report)
            .map(|report| report_view(report, zone)),
        since: None,
        row,
    }
}

/// Estimates the remaining time in milliseconds: the open questions are taken to need as long as the answered ones did
/// on average, and the result never exceeds the remaining running time. `None` if no question is answered yet or the
/// report exists.
fn left_ms(run: &Run) -> Option<u64> {
    let done = |one: &&Question| one.state == QuestionState::Done;
    let answered = u64::try_from(run.questions().iter().filter(done).count()).ok()?;
    let all = u64::try_from(run.questions().len()).ok()?;
    let (spent, limits) = (run.spending(), run.limits());
    if answered == 0 || run.report().is_some() {
        return None;
    }
    let open = all.saturating_sub(answered);
    let expected = (spent.running_ms / answered).saturating_mul(open);
    Some(expected.min(limits.running_ms.saturating_sub(spent.running_ms)))
}

fn decision(one: &Decision) -> String {
    one.reasoning.clone()
}

fn lane(one: &Question, zone: &TimeZone) -> LaneView {
    LaneView {
        id: one.id.0.clone(),
        round: one.round,
        name: one.name.clone(),
        question: one.question.clone(),
        goal: one.goal.clone(),
        state: word(&one.state),
        phase: word(&one.phase),
        steps: one.memory.iter().map(|entry| step(entry, zone)).collect(),
        document: one.document.as_ref().map(|document| LaneDocument {
            answer: document.answer.clone(),
            findings: document
                .key_findings
                .iter()
                .map(|finding| claim(0, finding))
                .collect(),
            sources: document.sources.iter().map(lane_source).collect(),
            limitations: document.limitations.clone(),
            confidence: word(&document.confidence),
            recommendation: word(&document.recommendation),
        }),
    }
}

fn step(entry: &Entry, zone: &TimeZone) -> LaneStep {
    match entry {
        Entry::Search { query } => LaneStep::Search {
            query: query.clone(),
        },
        Entry::Result { hits, fault } => LaneStep::Result {
            hits: hits
                .iter()
                .map(|hit| HitView {
                    address: hit.address.clone(),
                    title: hit.title.clone(),
                    snippet: hit.snippet.clone(),
                })
                .collect(),
            fault: fault.clone(),
        },
        Entry::Page { page } => LaneStep::Page {
            address: page.address.clone(),
            title: page.title.clone(),
            sha256: page.sha256.clone(),
            at: at(page.fetched_at, zone),
        },
        Entry::Closed { address, fault } => LaneStep::Closed {
            address: address.clone(),
            fault: fault.clone(),
        },
        Entry::Reflect(reflection) => LaneStep::Reflect {
            thought: reflection.thought.clone(),
            delta: word(&reflection.delta),
        },
    }
}

fn lane_source(source: &DocumentSource) -> SourceRow {
    SourceRow {
        number: 0,
        address: source.address.clone(),
        title: source.title.clone(),
        sha256: String::new(),
        at: String::new(),
        contribution: source.contribution.clone(),
        changed: None,
    }
}

/// Returns a claim with its number in the report.
pub(super) fn claim(number: u32, one: &Claim) -> ClaimView {
    ClaimView {
        number,
        text: one.text.clone(),
        quote: one.quote.clone(),
        source: one.source.clone(),
        sha256: one.sha256.clone(),
        doubt: match &one.verdict {
            Verdict::Supported => None,
            Verdict::Doubtful { why } => Some(why.clone()),
        },
        sources: one.sources,
    }
}

/// Returns the number, from 1, of a zero-based index.
fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX).saturating_add(1)
}

fn source((place, one): (usize, &ReportSource), zone: &TimeZone) -> SourceRow {
    SourceRow {
        number: number(place),
        address: one.address.clone(),
        title: one.title.clone(),
        sha256: one.sha256.clone(),
        at: at(one.fetched_at, zone),
        contribution: one.contribution.clone(),
        changed: None,
    }
}

/// Returns a report in the form that front ends show.
pub(super) fn report_view(report: &Report, zone: &TimeZone) -> ReportView {
    let claims = report.claims.iter().enumerate();
    let sources = report.sources.iter().enumerate();
    ReportView {
        answer: report.answer.as_ref().map(|answer| AnswerView {
            text: answer.text.clone(),
            because: answer.because.clone(),
            claims: answer.claims.iter().copied().map(number).collect(),
        }),
        summary: report.summary.clone(),
        claims: claims
            .map(|(place, one)| claim(number(place), one))
            .collect(),
        sources: sources.map(|one| source(one, zone)).collect(),
        contradictions: report
            .contradictions
            .iter()
            .map(|one| ContradictionView {
                one: number(one.one),
                other: number(one.other),
                about: one.about.clone(),
            })
            .collect(),
        limitations: report.limitations.clone(),
        confidence: word(&report.confidence),
        written_by: word(&report.written_by),
        cut: report.cut.as_ref().map(word),
        dropped: report.dropped,
    }
}
