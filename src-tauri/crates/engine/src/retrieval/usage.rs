//! Learns from the fate of suggested tools: a tool that served a similar message is on the page again, whatever its
//! description says.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use adjutant_domain::conversation::ToolUse;
use adjutant_domain::plan::{Plan, StepState};

use super::words::terms;

/// Number of turns to remember.
pub const TURNS_MAX: usize = 300;
/// Maximum number of tools to add to a page because they served before.
const FITTING_MAX: usize = 3;
/// Minimum similarity of two messages: the words they share as a fraction of all their words.
const ALIKE_MIN: f32 = 0.4;
/// Weight of a tool being suggested and not taken, relative to being used. It is below 1 because most suggestions are
/// not taken.
const REJECTED_PART: f32 = 0.5;

/// Returns what happened to the suggested tools, given the present plan. `refused` holds tools that the person
/// rejected.
#[must_use]
pub fn tool_use(suggested: &[String], plan: Option<&Plan>, refused: &BTreeSet<String>) -> ToolUse {
    let steps = || plan.into_iter().flat_map(|plan| &plan.steps);
    let approved: BTreeSet<String> = steps().map(|step| step.draft.tool.clone()).collect();
    let used: BTreeSet<String> = steps()
        .filter(|step| {
            matches!(
                step.state,
                StepState::Done | StepState::Failed { .. } | StepState::Unknown
            )
        })
        .map(|step| step.draft.tool.clone())
        .collect();
    let rejected: BTreeSet<String> = suggested
        .iter()
        .filter(|name| !approved.contains(*name))
        .chain(refused)
        .cloned()
        .collect();
    ToolUse {
        suggested: suggested.to_vec(),
        approved: approved.difference(refused).cloned().collect(),
        rejected: rejected.into_iter().collect(),
        used: used.into_iter().collect(),
    }
}

/// The latest turns that had tools, in memory.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    /// The turns, newest first.
    turns: VecDeque<Habit>,
}

#[derive(Clone, Debug)]
struct Habit {
    words: BTreeSet<String>,
    used: Vec<String>,
    rejected: Vec<String>,
}

impl Habits {
    /// Creates the habits from stored turns, given newest first.
    #[must_use]
    pub fn new(latest: Vec<(String, ToolUse)>) -> Self {
        let mut habits = Self::default();
        for (text, tools) in latest.into_iter().rev() {
            habits.note(&text, &tools);
        }
        habits
    }

    /// Records a finished turn.
    pub fn note(&mut self, text: &str, tools: &ToolUse) {
        let words: BTreeSet<String> = terms(text).into_iter().collect();
        if words.is_empty() || (tools.used.is_empty() && tools.rejected.is_empty()) {
            return;
        }
        self.turns.push_front(Habit {
            words,
            used: tools.used.clone(),
            rejected: tools.rejected.clone(),
        });
        self.turns.truncate(TURNS_MAX);
    }

    /// Returns tools that were used for similar messages more than they were passed over, best first.
    #[must_use]
    pub fn fitting(&self, text: &str) -> Vec<String> {
        let wanted: BTreeSet<String> = terms(text).into_iter().collect();
        let mut scores: BTreeMap<&str, f32> = BTreeMap::new();
        for habit in &self.turns {
            let alike = alike(&wanted, &habit.words);
            if alike < ALIKE_MIN {
                continue;
            }
            for tool in &habit.used {
                *scores.entry(tool).or_default() += alike;
            }
            for tool in &habit.rejected {
                *scores.entry(tool).or_default() -= alike * REJECTED_PART;
            }
        }
        let mut found: Vec<(&str, f32)> = scores
            .into_iter()
            .filter(|(_, score)| *score > 0.0)
            .collect();
        found.sort_by(|(a, x), (b, y)| y.total_cmp(x).then(a.cmp(b)));
        found
            .into_iter()
            .take(FITTING_MAX)
            .map(|(tool, _)| tool.to_owned())
            .collect()
    }
}

#[expect(clippy::cast_precision_loss, reason = "words of one message")]
fn alike(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f32 {
    let common = one.intersection(other).count() as f32;
    let all = one.union(other).count().max(1) as f32;
    common / all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(tools: &[&str], rejected: &[&str]) -> ToolUse {
        let names = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
        ToolUse {
            used: names(tools),
            rejected: names(rejected),
            ..ToolUse::default()
        }
    }

    #[test]
    fn what_served_a_message_like_this_serves_again() {
        let mut habits = Habits::default();
        habits.note(
            "sync the sprint board",
            &used(&["mcp.work.pull"], &["task.list"]),
        );
        habits.note("what is the weather", &used(&["web.search"], &[]));
        assert_eq!(
            habits.fitting("please sync my sprint board"),
            ["mcp.work.pull"]
        );
        assert!(habits.fitting("write to Bob about the board").is_empty());
        assert!(habits.fitting("").is_empty());
    }

    #[test]
    fn what_was_passed_over_more_often_does_not() {
        let mut habits = Habits::default();
        habits.note("sync the sprint board", &used(&["mcp.work.pull"], &[]));
        for _ in 0..3 {
            habits.note(
                "sync the sprint board",
                &used(&["task.list"], &["mcp.work.pull"]),
            );
        }
        assert_eq!(habits.fitting("sync the sprint board"), ["task.list"]);
    }

    #[test]
    fn only_the_latest_turns_are_remembered() {
        let many = (0..TURNS_MAX + 50).map(|number| {
            let tool = format!("tool.{number}");
            (format!("word{number} other{number}"), used(&[&tool], &[]))
        });
        let habits = Habits::new(many.collect());
        // The list begins with the newest.
        assert_eq!(habits.fitting("word0 other0"), ["tool.0"]);
        assert!(habits.fitting("word340 other340").is_empty());
        assert_eq!(habits.turns.len(), TURNS_MAX);
    }
}
