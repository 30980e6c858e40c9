//! Determines what "more" continues with: the items of this turn's lists that its answer did not show.

use adjutant_domain::focus::Rest;
use adjutant_domain::ids::StepKey;
use adjutant_domain::outcome::lines_shown;
use adjutant_domain::plan::reference::{Outputs, resolve};
use adjutant_domain::plan::{Plan, Step, StepState};
use serde_json::{Value, json};

/// Returns the rest of each list that this run read. `None` if it listed nothing, so that the previous rest stays.
pub(super) fn of(plan: &Plan, fresh: impl Fn(&StepKey) -> bool) -> Option<Vec<Rest>> {
    let listed = |step: &Step| {
        let over = step.state == StepState::Done && fresh(&step.draft.key);
        let result = step
            .result
            .as_ref()
            .filter(|result| over && result.effects.is_empty())?;
        result.output.get("ids")?.as_array().cloned()
    };
    let lists: Vec<(&Step, Vec<Value>)> = plan
        .steps
        .iter()
        .filter_map(|step| Some((step, listed(step)?)))
        .collect();
    if lists.is_empty() {
        return None;
    }
    let outputs: Outputs = plan
        .steps
        .iter()
        .filter_map(|step| Some((step.draft.key.clone(), step.result.as_ref()?.output.clone())))
        .collect();
    let rest = lists
        .into_iter()
        .filter_map(|(step, ids)| rest_of(step, &ids, &outputs));
    Some(rest.collect())
}

fn rest_of(step: &Step, ids: &[Value], outputs: &Outputs) -> Option<Rest> {
    if step.draft.each.is_some() {
        return None;
    }
    let mut args = resolve(&step.draft.args, outputs, None).ok()?;
    let given = args.as_object_mut()?;
    let asked = given.get("limit").and_then(Value::as_u64);
    let asked = asked.map(|asked| usize::try_from(asked).unwrap_or(usize::MAX));
    let unseen = ids
        .get(lines_shown(asked)..)
        .filter(|ids| !ids.is_empty())?;
    // These rows were already selected; applying an exception by position again would drop another one.
    given.remove("except");
    given.insert("ids".into(), json!(unseen));
    Some(Rest {
        tool: step.draft.tool.clone(),
        args,
    })
}
