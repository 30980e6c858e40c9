//! Describes research in words.

use std::fmt::Write as _;

use adjutant_api::EventBody;
use adjutant_api::research::{
    ClaimView, Compared, ReportView, ResearchRow, ResearchSources, ResearchState, ResearchView,
};

use adjutant_settings::Money;

use crate::print::one_line;

/// What to do next after a research on this computer that found nothing.
const ONLY_HERE: &str = "Only this computer was searched. Allow a folder with documents (`adjutant config set folders PATH`), or choose a search engine (`adjutant config set web.search.engine wikipedia`).";

/// Describes a research in one line.
pub(super) fn row(row: &ResearchRow) -> String {
    let answer = match &row.answer {
        Some(answer) => format!(" → {}", one_line(answer)),
        None => row
            .why
            .as_ref()
            .map_or_else(String::new, |why| format!(" ({})", one_line(why))),
    };
    format!(
        "{}  {:<8} {}{answer}",
        row.id,
        row.state.as_str(),
        one_line(&row.objective)
    )
}

/// Announces a started research with its id and objective.
pub(super) fn begun(view: &ResearchView) -> String {
    format!("{}: {}", view.row.id, one_line(&view.row.objective))
}

/// Describes everything about a research.
pub(super) fn whole(view: &ResearchView) -> String {
    let row = &view.row;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}: {} ({})",
        row.id,
        one_line(&row.objective),
        row.state.as_str()
    );
    if let Some(why) = &row.why {
        let _ = writeln!(out, "{}", one_line(why));
    }
    if let Some(asks) = &view.asks {
        let _ = writeln!(out, "\n{}", one_line(&asks.text));
        for choice in &asks.choices {
            let _ = writeln!(out, "  - {}", one_line(choice));
        }
        let _ = write!(
            out,
            "\nAnswer with: adjutant research answer {} TEXT",
            row.id
        );
        return out;
    }
    if row.credits_max > 0 {
        let _ = writeln!(out, "{}", spent(row));
    }
    if let Some(left) = view.left_ms {
        let _ = writeln!(
            out,
            "About {} more, if the open questions take as long as the others did.",
            counted(minutes(left).max(1), "minute")
        );
    }
    if let Some(micros) = row.cost_micros {
        let _ = writeln!(
            out,
            "Credits so far cost {}, at the price in your settings.",
            Money::from_micros(micros)
        );
    }
    if let Some(next) = &row.repeats {
        let _ = writeln!(out, "Repeats every week, next on {next}.");
    }
    if let Some(since) = &view.since {
        let day = since.started.get(..10).unwrap_or_default();
        let _ = writeln!(
            out,
            "\nSince the run of {day} ({}): {}",
            since.id,
            compared(&since.compared)
        );
    }
    if let Some(report) = &view.report {
        let _ = write!(out, "\n{}", report_of(report));
        if report.sources.is_empty() && view.sources == ResearchSources::Own {
            let _ = write!(out, "\n\n{ONLY_HERE}");
        }
    } else if matches!(row.state, ResearchState::Stopped | ResearchState::Paused) {
        let _ = write!(out, "\nTo continue: adjutant research resume {}", row.id);
    }
    out.trim_end().to_owned()
}

/// Describes what a research has done and used so far.
fn spent(row: &ResearchRow) -> String {
    let searches = match row.searches {
        1 => "1 search".to_owned(),
        many => format!("{many} searches"),
    };
    format!(
        "{} of {} answered, {searches} and {} read, {} of {} credits, {} of {} minutes",
        row.answered,
        counted(row.questions, "question"),
        counted(row.pages, "page"),
        row.credits,
        row.credits_max,
        minutes(row.running_ms),
        minutes(row.running_ms_max),
    )
}

/// Tells whether an event changes the progress.
pub(super) fn moves_on(body: &EventBody) -> bool {
    matches!(
        body,
        EventBody::ResearchQuestionStarted { .. }
            | EventBody::ResearchQuestionReflection { .. }
            | EventBody::ResearchQuestionCompleted { .. }
    )
}

/// Describes the progress and the remaining time, as far as known.
pub(super) fn standing(view: &ResearchView) -> String {
    let row = &view.row;
    let left = match view.left_ms {
        Some(ms) => format!("about {} min more", minutes(ms).max(1)),
        None => format!(
            "at most {} min",
            minutes(row.running_ms_max.saturating_sub(row.running_ms))
        ),
    };
    format!("{} of {} answered, {left} · ", row.answered, row.questions)
}

/// Returns a number with its noun: "1 page", "2 pages".
fn counted<N: std::fmt::Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let ending = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

fn minutes(ms: u64) -> u64 {
    ms.div_ceil(60_000)
}

fn report_of(report: &ReportView) -> String {
    let mut out = String::new();
    if let Some(answer) = &report.answer {
        let _ = writeln!(out, "{}", one_line(&answer.text));
        if !answer.because.is_empty() {
            let _ = writeln!(out, "{}", one_line(&answer.because));
        }
        out.push('\n');
    }
    if !report.summary.is_empty() {
        let _ = writeln!(out, "{}\n", report.summary);
    }
    for claim in &report.claims {
        let _ = writeln!(out, "{}", claim_of(claim, number(report, claim)));
    }
    for one in &report.contradictions {
        let about = one_line(&one.about);
        let _ = writeln!(
            out,
            "Claims {} and {} contradict each other: {about}",
            one.one, one.other
        );
    }
    for one in &report.limitations {
        let _ = writeln!(out, "Note: {}", one_line(one));
    }
    for source in &report.sources {
        let _ = writeln!(
            out,
            "[{}] {} {}{}",
            source.number,
            one_line(&source.title),
            one_line(&source.address),
            match &source.changed {
                Some(at) => format!(" (page has changed since: {})", at.get(..10).unwrap_or(at)),
                None => String::new(),
            }
        );
    }
    let by = match report.written_by.as_str() {
        "model" => "Written by a model. Adjutant checked each quote against the stored page.",
        _ => "Made of sentences from the sources, without a model.",
    };
    let _ = write!(out, "Confidence: {}. {by}", report.confidence);
    out
}

fn number(report: &ReportView, claim: &ClaimView) -> u32 {
    let source = report
        .sources
        .iter()
        .find(|one| one.address == claim.source);
    source.map_or(0, |source| source.number)
}

fn claim_of(claim: &ClaimView, source: u32) -> String {
    let doubt = claim.doubt.as_ref();
    let doubt = doubt.map_or_else(String::new, |why| format!(" (in doubt: {})", one_line(why)));
    let quote = match claim.quote == claim.text {
        true => String::new(),
        false => format!("\n   “{}”", one_line(&claim.quote)),
    };
    format!(
        "{}. {} [{source}]{doubt}{quote}",
        claim.number,
        one_line(&claim.text)
    )
}

/// Describes an event in one line; `None` for events that only update stored data.
pub(super) fn event(body: &EventBody) -> Option<String> {
    Some(match body {
        EventBody::ResearchBrainStrategy { strategy, .. } => strategy.clone(),
        EventBody::ResearchQuestionStarted {
            question_id, name, ..
        } => format!("{question_id}: {name}"),
        EventBody::ResearchQuestionSearchCompleted {
            question_id,
            queries,
            results,
            ..
        } => format!(
            "{question_id}: “{}”, {}",
            queries.join("”, “"),
            counted(*results, "result")
        ),
        EventBody::ResearchQuestionReflection {
            question_id,
            thought,
            ..
        } => format!("{question_id}: {thought}"),
        EventBody::ResearchQuestionCompleted {
            question_id,
            confidence,
            ..
        } => format!("{question_id}: answered, confidence {confidence}"),
        EventBody::ResearchSynthesizingStarted { .. } => "Writing the report".to_owned(),
        EventBody::ResearchState { state, why, .. } => {
            let why = why
                .as_ref()
                .map_or_else(String::new, |why| format!(". {why}"));
            format!("{}{why}", state.as_str())
        }
        _ => return None,
    })
}

/// Describes how the later of two reports differs.
pub(super) fn compared(two: &Compared) -> String {
    let Compared {
        new,
        gone,
        changed,
        same,
    } = two;
    if two.is_same() {
        return match same {
            1 => "Nothing changed: the claim is the same.".to_owned(),
            same => format!("Nothing changed: all {same} claims are the same."),
        };
    }
    let mut out = match same {
        1 => "1 claim is the same.".to_owned(),
        same => format!("{same} claims are the same."),
    };
    for one in changed {
        let (before, after) = (one_line(&one.before.text), one_line(&one.after.text));
        let _ = write!(out, "\nChanged: {before}\n    now: {after}");
    }
    for one in new {
        let _ = write!(out, "\nNew: {}", one_line(&one.text));
    }
    for one in gone {
        let _ = write!(out, "\nNo longer there: {}", one_line(&one.text));
    }
    out
}
