//! Tests of the beginning of a turn, and of what a reply means for waiting actions.

use adjutant_domain::conversation::Past;
use adjutant_domain::gate::{ActionState, Item, PendingAction};
use adjutant_domain::plan::PlanDraft;
use adjutant_domain::reading::{Reading, Resume};
use adjutant_domain::route::{Route, RouteKind};
use serde_json::json;

use super::super::{Effect, Input, Machine};
use super::{look, step, world};

#[test]
fn routing_and_context_start_together_and_chat_ends_early() {
    let mut machine = world().machine;
    let begun = machine.step(Input::Stored {
        past: Box::default(),
        elsewhere: Vec::new(),
    });
    assert_eq!(begun[1], Effect::GatherContext);
    assert!(matches!(begun[2], Effect::Route { .. }));
    let route = |kind, domains| Route {
        kind,
        domains,
        is_followup: false,
        confidence: 1.0,
        by: "embedded".into(),
    };
    let action = route(
        RouteKind::Action,
        vec![adjutant_domain::route::Domain::Task],
    );
    assert_eq!(
        machine.step(Input::Routed(action)).len(),
        1,
        "waits for context"
    );
    let planning = machine.step(Input::ContextReady(Vec::new()));
    assert!(matches!(planning[1], Effect::MakePlan { .. }));

    let mut machine = world().machine;
    machine.step(Input::Stored {
        past: Box::default(),
        elsewhere: Vec::new(),
    });
    let leaving = machine.step(Input::Routed(route(RouteKind::Chat, Vec::new())));
    assert_eq!(leaving[1], Effect::DropContext);
    assert!(matches!(leaving[2], Effect::MakePlan { .. }));
    let late = machine.step(Input::ContextReady(Vec::new()));
    assert!(late.is_empty());
}

/// Returns a machine that reads the next message of a conversation in which one action waits, and that action.
fn waiting(change: impl FnOnce(&mut Past)) -> (Machine, PendingAction) {
    waiting_beside(Vec::new(), change)
}

/// The same, with actions of these titles in other conversations.
fn waiting_beside(
    elsewhere: Vec<String>,
    change: impl FnOnce(&mut Past),
) -> (Machine, PendingAction) {
    let world = world().plan(vec![step("s1", "send.a", &[])]).play();
    let end = world.closed.expect("a close");
    let action = end.pending[0].clone();
    let mut past = Past {
        waiting: Some(adjutant_domain::conversation::Turn {
            id: end.turn.clone(),
            conversation: end.conversation.clone(),
            text: "do it".into(),
            at: end.at,
            instead_of: None,
            state: end.state,
            route: None,
            plan: end.plan.clone(),
            answer: None,
        }),
        pending: vec![action.clone()],
        pending_everywhere: 1,
        shown_last: Some(action.id.clone()),
        ..Past::default()
    };
    change(&mut past);
    let mut machine = super::world().machine;
    machine.frame.turn = "turn_2".into();
    machine.step(Input::Stored {
        past: Box::new(past),
        elsewhere,
    });
    (machine, action)
}

#[test]
fn a_yes_approves_only_a_single_card_shown_last() {
    let (mut machine, action) = waiting(|_| {});
    let effects = machine.step(Input::Classified(Resume::Yes));
    assert_eq!(effects.last(), Some(&Effect::Resolve(Box::new(action))));

    let changes: [fn(&mut Past); 4] = [
        |past| past.pending[0].card.items = vec![Item::default(); 9],
        |past| past.shown_last = None,
        |past| past.shown_last = Some("act_other".into()),
        |past| {
            let mut second = past.pending[0].clone();
            second.id = "act_second".into();
            past.pending.push(second);
        },
    ];
    for change in changes {
        let (mut machine, _) = waiting(change);
        let effects = machine.step(Input::Classified(Resume::Yes));
        let Some(Effect::Close { end, .. }) = effects.last() else {
            panic!("{effects:?}");
        };
        assert!(end.actions.is_empty() && end.sets_aside.is_none());
        assert!(
            end.answer
                .as_ref()
                .is_some_and(|text| text.contains("Nothing was approved"))
        );
    }
}

#[test]
fn an_unclear_yes_lists_everything_that_waits_by_its_title() {
    let elsewhere = ["Move “Choir”", "Delete “Old list”"].map(str::to_owned);
    let (mut machine, action) = waiting_beside(elsewhere.into(), |_| {});
    let effects = machine.step(Input::Classified(Resume::Yes));
    let Some(Effect::Close { end, .. }) = effects.last() else {
        panic!("{effects:?}");
    };
    let answer = end.answer.as_deref().unwrap_or_default();
    assert!(answer.starts_with("3 actions are waiting"), "{answer}");
    let list = format!(
        "- {}\n- Move “Choir”, in another conversation\n- Delete “Old list”, in another conversation\n",
        action.card.title
    );
    assert!(answer.contains(&list), "{answer}");
    assert!(!answer.contains(action.id.as_str()), "{answer}");
}

#[test]
fn replies_change_waiting_actions_as_the_gate_allows() {
    let cases: [(Resume, Option<ActionState>); 3] = [
        (Resume::Abandon, Some(ActionState::Cancelled)),
        (Resume::TakeBack, Some(ActionState::Cancelled)),
        (
            Resume::Modify {
                text: "do it later".into(),
            },
            Some(ActionState::Superseded),
        ),
    ];
    for (resume, expect) in cases.into_iter().chain([(Resume::New, None)]) {
        let (mut machine, action) = waiting(|_| {});
        let mut effects = machine.step(Input::Classified(resume.clone()));
        if effects.first() == Some(&Effect::GatherContext) {
            machine.step(Input::ContextReady(Vec::new()));
            machine.route = Some(Route {
                kind: RouteKind::Action,
                domains: Vec::new(),
                is_followup: false,
                confidence: 1.0,
                by: "embedded".into(),
            });
            let draft = PlanDraft {
                request: "something".into(),
                steps: vec![step("s1", "bad.read", &[])],
            };
            machine.step(Input::Planned {
                reading: Reading::Plan {
                    plan: draft,
                    trace: Vec::new(),
                },
                draw: super::world().draw(),
            });
            effects = machine.step(Input::Observed {
                step: "s1".into(),
                looks: vec![look("bad.read", &json!({}))],
                draw: super::world().draw(),
            });
        }
        let Some(Effect::Close { end, .. }) = effects.last() else {
            panic!("{resume:?}: {effects:?}");
        };
        let moves: Vec<_> = expect
            .map(|to| (action.id.clone(), ActionState::Pending, to))
            .into_iter()
            .collect();
        assert_eq!(end.actions, moves, "{resume:?}");
        assert_eq!(end.sets_aside, Some("turn_1".into()), "{resume:?}");
        assert!(
            moves.iter().all(|(_, from, to)| from.may_become(*to)),
            "{resume:?}"
        );
    }
}

#[test]
fn an_undo_withdraws_what_waits_and_says_so() {
    let (mut machine, action) = waiting(|_| {});
    let effects = machine.step(Input::Classified(Resume::TakeBack));
    let Some(Effect::Close { end, .. }) = effects.last() else {
        panic!("{effects:?}");
    };
    let expected = format!(
        "Withdrawn, nothing was done: {}. If you meant something that was done before it, say “undo” again.",
        action.card.title
    );
    assert_eq!(end.answer, Some(expected));
}

#[test]
fn a_no_to_the_one_card_that_was_set_aside_drops_it() {
    use adjutant_domain::reading::Reply;

    let said = |reply, more: usize| {
        let (mut machine, action) = waiting(|past| {
            past.waiting = None;
            for number in 0..more {
                let mut other = past.pending[0].clone();
                other.id = format!("act_more_{number}").into();
                past.pending.push(other);
            }
        });
        let effects = machine.step(Input::Confirmed(reply));
        let Some(Effect::Close { end, .. }) = effects.last() else {
            panic!("{effects:?}");
        };
        (
            end.answer.clone().unwrap_or_default(),
            end.actions.clone(),
            action.id,
        )
    };
    let (answer, moves, id) = said(Reply::No, 0);
    assert_eq!(moves, [(id, ActionState::Pending, ActionState::Cancelled)]);
    assert!(answer.starts_with("Dropped"), "{answer}");
    // With several, nobody knows which one is meant; and a yes still counts only right after the card.
    for (reply, more) in [(Reply::No, 1), (Reply::Yes, 0)] {
        let (answer, moves, _) = said(reply, more);
        assert!(moves.is_empty(), "{answer}");
    }
}

#[test]
fn approving_a_finished_step_runs_nothing() {
    let (_, action) = waiting(|_| {});
    let observed = [adjutant_domain::gate::Present::from(&action.calls[0])];
    let decision = adjutant_domain::gate::Decision {
        id: action.id.clone(),
        digest: action.digest.clone(),
        channel: adjutant_domain::gate::Channel::Window,
    };
    let verdict = || adjutant_domain::gate::resolve(&action, &decision, &observed, action.created);
    for (over, runs) in [(false, true), (true, false)] {
        let mut turn = adjutant_domain::conversation::Turn {
            id: "turn_1".into(),
            conversation: "c".into(),
            text: "do it".into(),
            at: action.created,
            instead_of: None,
            state: adjutant_domain::conversation::TurnState::Waiting,
            route: None,
            plan: world()
                .plan(vec![step("s1", "send.a", &[])])
                .play()
                .closed
                .and_then(|end| end.plan),
            answer: None,
        };
        if over && let Some(plan) = &mut turn.plan {
            plan.steps[0].state = adjutant_domain::plan::StepState::Done;
        }
        let mut machine = world().machine;
        machine.step(Input::Reopened {
            past: Box::default(),
            turn: Box::new(turn),
        });
        let effects = machine.step(Input::Resolved {
            action: Box::new(action.clone()),
            verdict: verdict(),
            looks: Vec::new(),
            draw: world().draw(),
        });
        let ran = effects
            .iter()
            .any(|effect| matches!(effect, Effect::Run { .. }));
        assert_eq!(ran, runs);
        if over {
            let Some(Effect::Close { end, .. }) = effects.last() else {
                panic!("{effects:?}");
            };
            let moved = (
                action.id.clone(),
                ActionState::Approved,
                ActionState::Cancelled,
            );
            assert_eq!(end.actions, [moved]);
        }
    }
}
