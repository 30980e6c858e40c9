//! What became of the tools that were suggested: kept with the turn, so that retrieval can be judged.

use std::collections::BTreeSet;

use adjutant_domain::plan::{Plan, StepState};
use serde::{Deserialize, Serialize};

use super::Selection;

/// Tools of one turn. Names only, sorted but for `suggested`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolUse {
    /// Shown to the planner, best first.
    pub suggested: Vec<String>,
    /// In the plan.
    pub approved: Vec<String>,
    /// Suggested, and not in the plan.
    pub rejected: Vec<String>,
    /// Really ran, well or not.
    pub used: Vec<String>,
}

impl ToolUse {
    /// What was suggested, and what became of it in the plan as it stands.
    #[must_use]
    pub fn of(selection: Option<&Selection>, plan: Option<&Plan>) -> Self {
        let suggested = selection.map_or_else(Vec::new, |one| one.suggested.clone());
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
            .cloned()
            .collect();
        Self {
            suggested,
            approved: approved.into_iter().collect(),
            rejected: rejected.into_iter().collect(),
            used: used.into_iter().collect(),
        }
    }
}
