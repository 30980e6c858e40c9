//! The results of a plan, for writing the answer: states in words of ours, outputs shortened to fit.

use adjutant_domain::plan::{Plan, Step, StepState};
use adjutant_prompts::Fenced;
use serde::Serialize;
use serde_json::Value;

use super::data::FENCE_TOKENS;
use adjutant_domain::model::tokens::estimate;

/// A step and its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultLine {
    /// Key of the step.
    pub key: String,
    /// Name of the tool.
    pub tool: String,
    /// State: `done, with receipt`, `found`, `failed`, `waits for approval`, …
    pub state: &'static str,
    /// Why the step failed, was left out or waits; in words of ours.
    pub why: Option<String>,
    /// What happened, from the receipt or result; what was planned, if nothing did. The origin of the text says which.
    pub says: Option<Fenced>,
    /// The shortened output.
    pub output: Option<Fenced>,
}

/// Maximum length of a reason in characters.
const WHY_CHARS_MAX: usize = 300;
/// Maximum length of the description of what happened, in characters.
const SAYS_CHARS_MAX: usize = 1_000;
/// Tokens of a line besides its texts.
const LINE_TOKENS: u64 = 24;
/// Ever shorter forms of outputs: maximum characters per text and entries per list.
const FORMS: [(usize, usize); 6] = [
    (6_000, 200),
    (2_000, 60),
    (800, 30),
    (300, 15),
    (120, 8),
    (60, 3),
];

/// Returns one line per step within `budget` tokens. Over budget, outputs are shortened, then dropped; then the
/// descriptions are shortened. The states always stay, even over budget.
#[must_use]
pub fn lines(plan: &Plan, budget: u64) -> Vec<ResultLine> {
    for (text_chars, entries) in FORMS {
        let lines: Vec<_> = plan
            .steps
            .iter()
            .map(|step| line(step, SAYS_CHARS_MAX, Some((text_chars, entries))))
            .collect();
        if cost(&lines) <= budget {
            return lines;
        }
    }
    for says in [SAYS_CHARS_MAX, 300, 100] {
        let lines: Vec<_> = plan
            .steps
            .iter()
            .map(|step| line(step, says, None))
            .collect();
        if cost(&lines) <= budget {
            return lines;
        }
    }
    plan.steps.iter().map(|step| line(step, 0, None)).collect()
}

/// Returns the estimated tokens of the lines, marks included.
#[must_use]
pub fn cost(lines: &[ResultLine]) -> u64 {
    let fenced = |text: &Option<Fenced>| {
        text.as_ref()
            .map_or(0, |text| estimate(text.text()) + FENCE_TOKENS)
    };
    lines
        .iter()
        .map(|line| {
            LINE_TOKENS
                + estimate(&line.tool)
                + line.why.as_deref().map_or(0, estimate)
                + fenced(&line.says)
                + fenced(&line.output)
        })
        .sum()
}

fn line(step: &Step, says_chars: usize, form: Option<(usize, usize)>) -> ResultLine {
    let (state, why) = state(step);
    let origin = match &step.result {
        Some(result) if !result.effects.is_empty() => "the receipt",
        Some(_) => "the result in words",
        None => "the plan",
    };
    let said = step
        .result
        .as_ref()
        .map(|result| result.say.as_str())
        .filter(|say| !say.is_empty())
        .unwrap_or(&step.draft.say);
    let says: String = said.chars().take(says_chars).collect();
    let output = form.and_then(|(text_chars, entries)| {
        let output = &step.result.as_ref()?.output;
        let short = shortened(output, text_chars, entries)?;
        Some(Fenced::new("the result", &short.to_string()))
    });
    ResultLine {
        key: step.draft.key.0.clone(),
        tool: step.draft.tool.clone(),
        state,
        why: why.map(|why| {
            let why: String = why.chars().take(WHY_CHARS_MAX).collect();
            adjutant_prompts::inert(&why).replace('\n', " ")
        }),
        says: (!says.is_empty()).then(|| Fenced::new(origin, &says)),
        output,
    }
}

fn state(step: &Step) -> (&'static str, Option<String>) {
    match &step.state {
        StepState::Done => {
            let effects = step
                .result
                .as_ref()
                .is_some_and(|one| !one.effects.is_empty());
            (
                if effects {
                    "done, with receipt"
                } else {
                    "found"
                },
                None,
            )
        }
        StepState::Failed { fault } => ("failed", Some(fault.to_string())),
        StepState::LeftOut { reason } => ("left out", Some(reason.clone())),
        StepState::Blocked { by } => ("blocked", Some(format!("{by} did not end well"))),
        StepState::Cancelled { reason } => ("cancelled", Some(reason.clone())),
        StepState::NeedsApproval { .. } => ("waits for approval", None),
        StepState::NeedsAnswer { question } => ("needs an answer", Some(question.text.clone())),
        StepState::Unknown => ("unknown", None),
        StepState::Next | StepState::Running => ("not done", None),
    }
}

/// Returns a value without empty parts and with its texts and lists cut. `None` if nothing is left.
fn shortened(value: &Value, text_chars: usize, entries: usize) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) if text.chars().count() > text_chars => {
            let head: String = text.chars().take(text_chars).collect();
            Some(Value::String(format!("{head}…")))
        }
        Value::Array(list) => {
            let mut kept: Vec<_> = list
                .iter()
                .take(entries)
                .filter_map(|one| shortened(one, text_chars, entries))
                .collect();
            if list.len() > entries {
                kept.push(Value::String(format!("… {} more", list.len() - entries)));
            }
            (!kept.is_empty()).then_some(Value::Array(kept))
        }
        Value::Object(map) => {
            let kept: serde_json::Map<_, _> = map
                .iter()
                .filter_map(|(key, one)| Some((key.clone(), shortened(one, text_chars, entries)?)))
                .collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        plain => Some(plain.clone()),
    }
}

#[cfg(test)]
#[path = "results_tests.rs"]
mod tests;
