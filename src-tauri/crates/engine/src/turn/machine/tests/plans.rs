//! Tests that run a plan and check the order of effects.

use adjutant_domain::conversation::TurnState;
use adjutant_domain::plan::StepDraft;
use adjutant_domain::source::Taint;
use serde_json::json;

use super::super::{Effect, Input, WAITING_MAX};
use super::{check, step, world};

#[test]
fn reads_run_concurrently() {
    check(
        vec![step("s1", "read.a", &[]), step("s2", "read.b", &[])],
        &["look s1", "look s2", "run s1", "run s2", "close done"],
    );
}

#[test]
fn writes_run_in_order_and_reads_do_not_overtake_them() {
    check(
        vec![
            step("s1", "write.a", &[]),
            step("s2", "read.a", &[]),
            step("s3", "write.b", &[]),
        ],
        &[
            "save",
            "look s1",
            "run s1",
            "commit s1",
            "look s2",
            "run s2",
            "look s3",
            "run s3",
            "commit s3",
            "close done",
        ],
    );
}

#[test]
fn steps_run_after_those_they_need() {
    check(
        vec![
            step("s1", "read.a", &["s3"]),
            step("s2", "read.b", &[]),
            step("s3", "read.a", &[]),
        ],
        &[
            "look s2",
            "look s3",
            "run s2",
            "run s3",
            "look s1",
            "run s1",
            "close done",
        ],
    );
}

#[test]
fn a_fault_blocks_only_dependent_steps() {
    let world = check(
        vec![
            step("s1", "bad.read", &[]),
            step("s2", "read.a", &["s1"]),
            step("s3", "read.b", &["s2"]),
            step("s4", "read.a", &[]),
        ],
        &["look s1", "look s4", "run s4", "close done"],
    );
    assert_eq!(
        world.states(),
        ["s1 failed", "s2 blocked", "s3 blocked", "s4 done"]
    );
}

#[test]
fn a_waiting_step_delays_only_dependent_steps() {
    let world = check(
        vec![
            step("s1", "send.a", &[]),
            step("s2", "write.a", &["s1"]),
            step("s3", "write.b", &[]),
            step("s4", "ask.read", &[]),
            step("s5", "send.b", &[]),
        ],
        &[
            "save",
            "look s1",
            "look s3",
            "run s3",
            "commit s3",
            "look s4",
            "look s5",
            "close waiting",
        ],
    );
    assert_eq!(
        world.states(),
        [
            "s1 waiting",
            "s2 next",
            "s3 done",
            "s4 needs_answer",
            "s5 waiting"
        ]
    );
    assert_eq!(world.pending.len(), 2);
}

#[test]
fn a_change_refused_by_storage_is_a_failed_step() {
    let world = check(
        vec![step("s1", "lost.a", &[]), step("s2", "write.a", &["s1"])],
        &["save", "look s1", "run s1", "commit s1", "close done"],
    );
    assert_eq!(world.states(), ["s1 failed", "s2 blocked"]);
}

#[test]
fn each_is_expanded_once_for_equal_items() {
    let each = |path: &str| StepDraft {
        args: json!({"id": {"$item": "/id"}}),
        each: Some(adjutant_domain::plan::Reference {
            from: "s1".into(),
            path: path.into(),
        }),
        ..step("s2", "send.a", &[])
    };
    let world = check(
        vec![step("s1", "read.a", &[]), each("/list")],
        &["look s1", "run s1", "look s2", "close waiting"],
    );
    assert_eq!(world.pending.len(), 1);
    assert_eq!(world.pending[0].calls.len(), 2);
    for (path, state) in [("/none", "left_out"), ("/gone", "failed"), ("", "failed")] {
        let world = check(
            vec![step("s1", "read.a", &[]), each(path)],
            &["look s1", "run s1", "close done"],
        );
        assert_eq!(world.states()[1], format!("s2 {state}"), "{path}");
    }
}

#[test]
fn asks_about_equal_actions_once_and_caps_floods() {
    let same = |key: &str| StepDraft {
        args: json!({"to": "bob"}),
        ..step(key, "send.a", &[])
    };
    let world = world().plan(vec![same("s1"), same("s2")]).play();
    assert_eq!(world.states(), ["s1 waiting", "s2 left_out"]);

    let many: Vec<StepDraft> = (0..WAITING_MAX + 2)
        .map(|number| step(&format!("s{number}"), "send.a", &[]))
        .collect();
    let world = super::world().plan(many).play();
    assert_eq!(world.pending.len(), WAITING_MAX);
    let failed = world
        .states()
        .iter()
        .filter(|one| one.ends_with("failed"))
        .count();
    assert_eq!(failed, 2);
}

#[test]
fn does_not_ask_again_about_actions_waiting_elsewhere() {
    let to = |name: &str| StepDraft {
        args: json!({"to": name}),
        ..step("s1", "send.a", &[])
    };
    let waits = world().plan(vec![to("bob")]).play().pending;
    let states = |name: &str, change: fn(&mut super::super::Machine)| {
        let mut world = world().plan(vec![to(name)]);
        world.machine.past.elsewhere.clone_from(&waits);
        change(&mut world.machine);
        world.play().states()
    };
    assert_eq!(states("bob", |_| {}), ["s1 left_out"]);
    assert_eq!(states("ana", |_| {}), ["s1 waiting"]);
    // An expired action no longer waits; a direct call from a surface shows a card of its own.
    assert_eq!(
        states("bob", |machine| {
            machine.frame.now += jiff::SignedDuration::from_hours(1);
        }),
        ["s1 waiting"]
    );
    assert_eq!(
        states("bob", |machine| {
            machine.frame.conversation = adjutant_domain::conversation::DIRECT.into();
        }),
        ["s1 waiting"]
    );
}

#[test]
fn refuses_unsound_plans_before_anything_runs() {
    let item = StepDraft {
        args: json!({"id": {"$item": "/id"}}),
        ..step("s1", "write.a", &[])
    };
    let reference = StepDraft {
        args: json!({"id": {"$from": "s9"}}),
        ..step("s1", "write.a", &[])
    };
    let many = (0..=adjutant_domain::plan::STEPS_MAX)
        .map(|number| step(&format!("s{number}"), "read.a", &[]))
        .collect();
    for (steps, code) in [
        (Vec::new(), "unsound_plan"),
        (vec![item], "unsound_plan"),
        (vec![reference], "unsound_plan"),
        (many, "too_much"),
        (
            vec![step("s1", "read.a", &[]), step("s1", "read.b", &[])],
            "unsound_plan",
        ),
        (
            vec![step("s1", "read.a", &["s2"]), step("s2", "read.b", &["s1"])],
            "unsound_plan",
        ),
    ] {
        let world = world().plan(steps).play();
        assert_eq!(world.trace, ["close failed"]);
        assert_eq!(world.fault(), Some(code));
    }
}

#[test]
fn stopping_ends_the_turn_at_any_point() {
    let steps = || {
        vec![
            step("s1", "write.a", &[]),
            step("s2", "send.a", &[]),
            step("s3", "write.b", &["s1"]),
        ]
    };
    let whole = world().plan(steps()).play().trace.len();
    for stop_after in 0..40 {
        let mut world = world().plan(steps());
        for _ in 0..stop_after {
            world.one();
        }
        let was_closed = world.machine.closed;
        let closing = world.machine.step(Input::Interrupted);
        if was_closed {
            assert!(closing.is_empty());
            continue;
        }
        let Some(Effect::Close { end, .. }) = closing.last() else {
            panic!("a close");
        };
        assert_eq!(end.state, TurnState::Interrupted);
        assert!(end.pending.is_empty(), "nothing new waits after a stop");
        let plan = end.plan.as_ref().expect("the plan");
        assert!(plan.steps.iter().all(|step| step.state.is_over()));
        // Input that arrives late does not wake it up.
        let draw = world.draw();
        let late = Input::Observed {
            step: "s1".into(),
            looks: Vec::new(),
            draw,
        };
        assert!(world.machine.step(late).is_empty());
    }
    assert!(whole < 40, "every point was tried");
}

/// A model reads the answer later. A title in it that nobody here typed may come from a stranger.
#[test]
fn a_fault_that_names_unsaid_words_counts_as_foreign() {
    let taint = |tool: &str, args| {
        let failing = StepDraft {
            args,
            ..step("s1", tool, &[])
        };
        let world = world().plan(vec![failing]).play();
        world.closed.expect("it ends").taint
    };
    assert_eq!(taint("bad.named", json!({})), Taint::Tainted);
    assert_eq!(
        taint("bad.named", json!({"title": "Buy now"})),
        Taint::Clean
    );
    assert_eq!(taint("bad.read", json!({})), Taint::Clean);
}
