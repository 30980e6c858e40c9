use super::*;
use adjutant_domain::faults::UserFault;
use adjutant_domain::ids::{EffectId, PlanId, StepKey};
use adjutant_domain::plan::{StepDraft, StepResult};
use proptest::prelude::*;
use serde_json::json;

fn plan(steps: Vec<(StepState, Option<StepResult>)>) -> Plan {
    Plan {
        id: PlanId("plan_1".into()),
        request: String::new(),
        asked: None,
        asked_tools: Default::default(),
        planner: Default::default(),
        steps: steps
            .into_iter()
            .enumerate()
            .map(|(at, (state, result))| Step {
                state,
                result,
                ..Step::new(StepDraft {
                    key: StepKey(format!("s{at}")),
                    say: "Do it".into(),
                    tool: "task.create".into(),
                    ..StepDraft::default()
                })
            })
            .collect(),
        taint: Default::default(),
    }
}

#[test]
fn only_a_receipt_proves_an_effect() {
    let with = StepResult {
        effects: vec![EffectId("eff_1".into())],
        ..StepResult::default()
    };
    let failed = StepState::Failed {
        fault: UserFault::new("gone", "It is\ngone.", "Look again."),
    };
    let plan = plan(vec![
        (StepState::Done, Some(with)),
        (StepState::Done, Some(StepResult::default())),
        (StepState::Done, None),
        (failed, None),
        (StepState::Unknown, None),
        (StepState::Running, None),
    ]);
    let states: Vec<_> = lines(&plan, 2_000).iter().map(|line| line.state).collect();
    assert_eq!(
        states,
        [
            "done, with receipt",
            "found",
            "found",
            "failed",
            "unknown",
            "not done"
        ]
    );
    let why = lines(&plan, 2_000)[3].why.clone().expect("a reason");
    assert!(why.contains("It is gone.") && !why.contains('\n'), "{why}");
}

#[test]
fn shortens_outputs_before_dropping_them() {
    let output = json!({"items": (0..300).map(|at| json!({"id": at, "text": "word ".repeat(40), "none": null})).collect::<Vec<_>>()});
    let plan = plan(vec![(
        StepState::Done,
        Some(StepResult {
            output,
            ..StepResult::default()
        }),
    )]);
    let seen = lines(&plan, 2_000);
    let output = seen[0]
        .output
        .as_ref()
        .expect("an output")
        .text()
        .to_owned();
    assert!(
        output.contains("more\"]") && !output.contains("none"),
        "{output}"
    );
    assert!(lines(&plan, 60)[0].output.is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn stays_within_the_budget_if_the_states_fit(
        texts in prop::collection::vec((".{0,400}", ".{0,900}"), 0..8),
        budget in 0_u64..3_000,
    ) {
        let plan = plan(texts.iter().map(|(say, text)| (StepState::Done, Some(StepResult {
            say: say.clone(),
            output: json!({"text": text}),
            ..StepResult::default()
        }))).collect());
        let seen = lines(&plan, budget);
        prop_assert_eq!(seen.len(), plan.steps.len());
        let least = (LINE_TOKENS + estimate("task.create")) * plan.steps.len() as u64;
        prop_assert!(cost(&seen) <= budget.max(least));
    }
}
