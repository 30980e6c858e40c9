//! The embedded renderer: builds an answer from results, and never says more than the receipts.

pub mod claims;

use adjutant_domain::event::StepOutcome;
use adjutant_domain::gate::{PendingAction, Risk};
use adjutant_domain::ids::StepKey;
use adjutant_domain::plan::{Plan, Step, StepOrigin, StepState};
use adjutant_domain::route::Domain;
use adjutant_domain::source::Source;

use crate::stages::extract;
use crate::stages::plan::CLARIFY;
use crate::tools::Tools;
use claims::Happened;

/// The cards that may wait for the person, and the tools behind them.
#[derive(Clone, Copy)]
pub struct Cards<'a> {
    /// The tools of the turn.
    pub tools: &'a Tools,
    /// Actions that this turn proposed.
    pub proposed: &'a [PendingAction],
    /// Actions that waited before.
    pub pending: &'a [PendingAction],
}

/// Returns the answer of a turn that succeeded or waits: what was found and done, what was not and why, and what waits.
/// `fresh` names the steps that ended in this turn; earlier turns have reported the others.
#[must_use]
pub fn answer(plan: &Plan, fresh: &[StepKey], cards: &Cards<'_>) -> String {
    let told_now: Vec<&Step> = plan
        .steps
        .iter()
        .filter(|step| !step.state.is_over() || fresh.contains(&step.draft.key))
        .filter(|step| !is_groundwork(step, plan))
        .collect();
    let mixed = told_now.iter().any(|step| step.state == StepState::Done);
    let mut parts: Vec<String> = told_now
        .into_iter()
        .filter_map(|step| told(step, plan, mixed))
        .collect();
    parts.extend(waiting(plan, cards));
    join(&parts)
}

/// Returns a model's words followed by what is not left to a model: failures, questions, what waits, and which text was
/// read only in part.
#[must_use]
pub fn with_rest(words: &str, plan: &Plan, fresh: &[StepKey], cards: &Cards<'_>) -> String {
    let mut parts = vec![words.trim().to_owned()];
    parts.extend(
        plan.steps
            .iter()
            .filter(|step| !step.state.is_over() || fresh.contains(&step.draft.key))
            .filter(|step| {
                read_in_part(step)
                    || !matches!(step.state, StepState::Done | StepState::LeftOut { .. })
            })
            .filter_map(|step| told(step, plan, true)),
    );
    parts.extend(waiting(plan, cards));
    parts.join("\n\n")
}

/// Returns the answer of a turn that was stopped: what was done and what was not.
#[must_use]
pub fn stopped(plan: &Plan) -> String {
    let done: Vec<&str> = plan
        .steps
        .iter()
        .filter(|step| acted(step))
        .filter_map(|step| step.result.as_ref().map(|result| result.say.as_str()))
        .collect();
    let told = |wanted: fn(&StepState) -> bool| -> Vec<String> {
        plan.steps
            .iter()
            .filter(|step| wanted(&step.state) && !acted(step))
            .map(|step| plain(&step.draft.say))
            .collect()
    };
    let unknown = told(|state| *state == StepState::Unknown);
    let open = told(|state| {
        !matches!(
            state,
            StepState::Done | StepState::Unknown | StepState::LeftOut { .. }
        )
    });
    let mut text = match (done.is_empty(), unknown.is_empty()) {
        (false, _) => format!("Stopped. Done: {}", done.join(" ")),
        (true, true) => "Stopped. Nothing was done.".to_owned(),
        (true, false) => "Stopped.".to_owned(),
    };
    if !unknown.is_empty() {
        let unknown = unknown.join("; ");
        text.push_str(&format!(
            " This may have happened, please check: {unknown}."
        ));
    }
    if !open.is_empty() {
        text.push_str(&format!(" Not done: {}.", open.join("; ")));
    }
    text
}

/// Returns one line per step, for events and lists.
#[must_use]
pub fn outcomes(plan: &Plan) -> Vec<StepOutcome> {
    plan.steps
        .iter()
        .map(|step| StepOutcome {
            step: step.draft.key.clone(),
            tool: step.draft.tool.clone(),
            status: step.state.word().to_owned(),
            say: told(step, plan, false).unwrap_or_else(|| step.draft.say.clone()),
            error: match &step.state {
                StepState::Failed { fault } => Some(fault.clone()),
                _ => None,
            },
        })
        .collect()
}

/// Whether any step had an effect.
#[must_use]
pub fn has_effects(plan: &Plan) -> bool {
    plan.steps.iter().any(acted)
}

/// Returns who may see what was changed. Events count as visible to others, because they may have guests.
#[must_use]
pub fn happened(plan: &Plan, tools: &Tools) -> Happened {
    let seen = |step: &&Step| {
        tools.get(&step.draft.tool).is_none_or(|spec| {
            spec.server.is_some()
                || spec.risk > Risk::LocalIrreversible
                || spec.domain == Domain::Calendar
        })
    };
    let mut acted = plan.steps.iter().filter(|step| acted(step)).peekable();
    match (acted.peek().is_some(), acted.any(|step| seen(&step))) {
        (false, _) => Happened::Nothing,
        (true, false) => Happened::Here,
        (true, true) => Happened::Elsewhere,
    }
}

/// Returns the line of ours that precedes a model's words about a plan that should have acted and has not, whatever the
/// words are. `None` if everything was done.
#[must_use]
pub fn unfinished(plan: &Plan, tools: &Tools) -> Option<&'static str> {
    let was_to_act = |step: &&Step| {
        step.origin == StepOrigin::Plan
            && step.draft.tool != CLARIFY
            && !tools.reads(&step.draft.tool)
    };
    let mut open = plan
        .steps
        .iter()
        .filter(was_to_act)
        .filter(|step| step.state != StepState::Done)
        .peekable();
    open.peek()?;
    let unknown = open.any(|step| step.state == StepState::Unknown);
    Some(match (unknown, has_effects(plan)) {
        (true, _) => claims::NOT_KNOWN,
        (false, true) => claims::NOT_ALL_DONE,
        (false, false) => claims::NOTHING_SO_FAR,
    })
}

/// Returns what did not happen, by tool: "Nothing was sent."
#[must_use]
pub fn not_done(tools: &Tools, tool: &str) -> String {
    format!("Nothing was {}.", tools.participle(tool))
}

/// Returns what waits for the person. `None` if no action waits.
fn waiting(plan: &Plan, cards: &Cards<'_>) -> Option<String> {
    let actions: Vec<&PendingAction> = plan
        .steps
        .iter()
        .filter_map(|step| match &step.state {
            StepState::NeedsApproval { action } => {
                let mut shown = cards.proposed.iter().chain(cards.pending);
                shown.find(|one| one.id == *action)
            }
            _ => None,
        })
        .collect();
    let (first, rest) = actions.split_first()?;
    let participle = cards.tools.participle(&first.tool);
    let same = |one: &&PendingAction| cards.tools.participle(&one.tool) == participle;
    let participle = if rest.iter().all(same) {
        participle
    } else {
        "done"
    };
    // "Nothing" must be true of the whole turn.
    let fact = if has_effects(plan) {
        format!("This has not been {participle} yet.")
    } else {
        format!("Nothing has been {participle}.")
    };
    Some(if rest.is_empty() {
        format!("Waiting for you: {}. {fact}", plain(&first.card.title))
    } else {
        let list: Vec<String> = actions
            .iter()
            .map(|one| format!("- {}", one.card.title))
            .collect();
        format!("Waiting for you. {fact}\n\n{}", list.join("\n"))
    })
}

/// Returns what one step reports. `None` if it has nothing to say.
fn told(step: &Step, plan: &Plan, mixed: bool) -> Option<String> {
    let text = match &step.state {
        StepState::Done => step.result.as_ref()?.say.clone(),
        // It was done in part, and the fault says which part was not.
        StepState::Failed { fault } if acted(step) => {
            format!("{}\n{fault}", step.result.as_ref()?.say)
        }
        StepState::Failed { fault } if mixed => {
            format!("Not done: {}. {fault}", plain(&step.draft.say))
        }
        StepState::Failed { fault } => fault.to_string(),
        StepState::Blocked { by } => {
            let cause = plan.steps.iter().find(|one| one.draft.key == *by);
            // Name the first cause of a chain only once.
            match cause.map(|cause| &cause.state) {
                Some(StepState::Cancelled { .. } | StepState::Blocked { .. }) => return None,
                _ => format!(
                    "Not done, because an earlier step did not work: {}.",
                    plain(&step.draft.say)
                ),
            }
        }
        StepState::LeftOut { reason } | StepState::Cancelled { reason } => reason.clone(),
        StepState::NeedsAnswer { question } => {
            let choices: Vec<String> = question
                .choices
                .iter()
                .enumerate()
                .map(|(index, choice)| format!("{}. {}", index + 1, choice.line()))
                .collect();
            if choices.is_empty() {
                question.text.clone()
            } else {
                format!("{}\n\n{}", question.text, choices.join("\n"))
            }
        }
        StepState::Unknown => format!(
            "This may have happened, please check: {}.",
            plain(&step.draft.say)
        ),
        StepState::NeedsApproval { .. } | StepState::Next | StepState::Running => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Whether a step is a read whose result another step used, so that it is not an answer of its own. If that other step
/// was left out, the result explains why and is reported.
fn is_groundwork(step: &Step, plan: &Plan) -> bool {
    step.state == StepState::Done
        && !acted(step)
        && !read_in_part(step)
        && plan.steps.iter().any(|other| {
            other.draft.needs.contains(&step.draft.key)
                // "Who is at the signing, and where is it?" asks twice.
                && !(is_asked(step) && other.draft.args.get("ask").is_some())
                && !matches!(
                    other.state,
                    StepState::LeftOut { .. } | StepState::Next | StepState::Blocked { .. }
                )
        })
}

/// Whether a step answers a question in the person's words.
fn is_asked(step: &Step) -> bool {
    matches!(step.draft.sources.get("/ask"), Some(Source::Person { .. }))
}

/// Whether a step took values out of a text of which it read only the beginning. No other step tells this.
fn read_in_part(step: &Step) -> bool {
    let said = step.result.as_ref().map(|result| result.say.as_str());
    step.draft.tool == extract::TOOL && said == Some(extract::READ_IN_PART)
}

fn acted(step: &Step) -> bool {
    step.result
        .as_ref()
        .is_some_and(|result| !result.effects.is_empty())
}

/// Removes the full stop, for use inside a sentence.
fn plain(text: &str) -> String {
    text.trim().trim_end_matches('.').to_owned()
}

/// Joins the parts: single lines one below the other, anything longer as a separate paragraph.
fn join(parts: &[String]) -> String {
    let mut text = String::new();
    let mut before_long = false;
    for part in parts {
        let long = part.contains('\n');
        if !text.is_empty() {
            text.push_str(if long || before_long { "\n\n" } else { "\n" });
        }
        text.push_str(part);
        before_long = long;
    }
    text
}
