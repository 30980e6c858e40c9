//! Tests of turns, messages, actions and the journal.

use adjutant_domain::conversation::{ConversationFilter, JournalEntry, Role, TurnState};
use adjutant_domain::faults::StoreFault;
use adjutant_domain::focus::{Focus, Referent, Shown};
use adjutant_domain::gate::{ActionState, Channel};
use adjutant_domain::plan::Plan;
use adjutant_domain::ports::TurnLog as _;
use adjutant_domain::record::Kind;
use adjutant_domain::source::Taint;
use serde_json::json;

use super::{action, at, end, fresh, noon, open, turn};

fn entry(seq: i64, turn: &str) -> JournalEntry {
    JournalEntry {
        seq,
        turn: turn.into(),
        body: json!({"event": "status", "n": seq}),
    }
}

#[tokio::test]
async fn a_turn_sees_earlier_messages_but_not_itself() {
    let (_folder, store) = fresh();
    let (past, next) = store
        .open_turn(&turn("a", "Hello\nthere"))
        .await
        .expect("opened");
    assert_eq!((past.messages.len(), next), (0, 1));
    let mut closing = end("a", TurnState::Done, "Hi.");
    closing.journal = vec![entry(1, "a"), entry(2, "a")];
    closing.taint = Taint::Tainted;
    closing.focus = Focus {
        shown: vec![Shown {
            items: vec![Referent {
                kind: Kind::Task,
                id: "t1".into(),
                instance: None,
                label: "Milk".into(),
                people: Vec::new(),
            }],
            acted: true,
        }],
        ..Focus::default()
    };
    store.close_turn(&closing).await.expect("closed");
    let (past, next) = store
        .open_turn(&turn("b", "And now?"))
        .await
        .expect("opened");
    let said: Vec<_> = past
        .messages
        .iter()
        .map(|m| (m.role, m.text.as_str()))
        .collect();
    assert_eq!(
        said,
        [(Role::User, "Hello\nthere"), (Role::Assistant, "Hi.")]
    );
    assert_eq!((past.taint, next), (Taint::Tainted, 3));
    assert_eq!(past.focus, closing.focus);
    let all = ConversationFilter::default();
    let listed = store.conversations(&all).await.expect("listed");
    assert_eq!(
        (listed[0].title.as_str(), listed[0].messages),
        ("And now?", 3)
    );
}

#[tokio::test]
async fn a_turn_without_words_does_not_hide_those_with_words() {
    let (_folder, store) = fresh();
    for (id, text, answer) in [("a", "Send it", "Held."), ("b", "", "")] {
        store.open_turn(&turn(id, text)).await.expect("opened");
        store
            .close_turn(&end(id, TurnState::Done, answer))
            .await
            .expect("closed");
    }
    let conversation = turn("a", "").conversation;
    let found = store.turns_with_words(&conversation, Some(1)).await;
    let texts: Vec<String> = found
        .expect("read")
        .into_iter()
        .map(|one| one.text)
        .collect();
    assert_eq!(texts, ["Send it"]);
}

#[tokio::test]
async fn limits_the_past_to_some_messages() {
    let (_folder, store) = fresh();
    for number in 0..30 {
        let id = format!("t{number}");
        store.open_turn(&turn(&id, &id)).await.expect("opened");
        store
            .close_turn(&end(&id, TurnState::Done, "ok"))
            .await
            .expect("closed");
    }
    let (past, _) = store.past(&"main".into()).await.expect("read");
    assert_eq!(past.messages.len(), crate::PAST_MESSAGES_MAX);
    assert_eq!(past.messages[0].text, "t20");
    assert_eq!(
        store
            .messages(&"main".into(), None)
            .await
            .expect("read")
            .len(),
        60
    );
    assert_eq!(
        store.turns(None, Some(2)).await.expect("read")[0].id.0,
        "t29"
    );
}

#[tokio::test]
async fn a_turn_opens_and_ends_once() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let again = store.open_turn(&turn("a", "x")).await;
    assert!(matches!(again, Err(StoreFault::Conflict { .. })));
    assert_eq!(
        store
            .messages(&"main".into(), None)
            .await
            .expect("read")
            .len(),
        1
    );
    store
        .close_turn(&end("a", TurnState::Done, "y"))
        .await
        .expect("closed");
    let again = store.close_turn(&end("a", TurnState::Failed, "z")).await;
    assert!(matches!(again, Err(StoreFault::Conflict { .. })));
    let unknown = store.close_turn(&end("nope", TurnState::Done, "z")).await;
    assert!(matches!(unknown, Err(StoreFault::Missing { .. })));
    assert_eq!(
        store
            .messages(&"main".into(), None)
            .await
            .expect("read")
            .len(),
        2
    );
}

#[tokio::test]
async fn a_waiting_turn_keeps_its_plan_and_last_card() {
    let (_folder, store) = fresh();
    store
        .open_turn(&turn("a", "Delete it"))
        .await
        .expect("opened");
    let plan = Plan {
        id: "p".into(),
        request: "Delete it".into(),
        asked: None,
        asked_tools: Default::default(),
        planner: Default::default(),
        steps: Vec::new(),
        taint: Taint::Clean,
    };
    let entries = [entry(1, "a")];
    store
        .save_plan(&"a".into(), &plan, &entries)
        .await
        .expect("saved");
    let mut waiting = end("a", TurnState::Waiting, "May I?");
    waiting.pending = vec![action("act1", "a", ActionState::Pending)];
    store.close_turn(&waiting).await.expect("closed");
    let (past, next) = store.open_turn(&turn("b", "yes")).await.expect("opened");
    assert_eq!(past.shown_last, Some("act1".into()));
    assert_eq!(
        (past.pending.len(), past.pending_everywhere, next),
        (1, 1, 2)
    );
    assert_eq!(past.waiting.and_then(|turn| turn.plan), Some(plan));
    // After another message it is no longer the last thing shown.
    let (past, _) = store.past(&"main".into()).await.expect("read");
    assert_eq!(past.shown_last, None);
    let reopened = store.reopen_turn(&"a".into()).await.expect("reopened");
    assert_eq!(reopened.state, TurnState::Open);
    let again = store.reopen_turn(&"a".into()).await;
    assert!(matches!(again, Err(StoreFault::Conflict { .. })));
}

#[tokio::test]
async fn ending_a_turn_is_all_or_nothing() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut closing = end("a", TurnState::Done, "y");
    closing.pending = vec![action("act1", "a", ActionState::Pending)];
    closing.actions = vec![("nope".into(), ActionState::Pending, ActionState::Denied)];
    closing.journal = vec![entry(1, "a")];
    assert!(store.close_turn(&closing).await.is_err());
    assert_eq!(store.action(&"act1".into()).await, Ok(None));
    let stored = store.turn(&"a".into()).await.expect("read").expect("there");
    assert_eq!(stored.state, TurnState::Open);
    assert_eq!(store.journal(&"main".into(), 0, 10).await, Ok(Vec::new()));
    closing.actions.clear();
    store.close_turn(&closing).await.expect("closed");
}

#[tokio::test]
async fn opening_a_new_turn_sets_the_old_one_and_its_action_aside() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut waiting = end("a", TurnState::Waiting, "May I?");
    waiting.pending = vec![action("act1", "a", ActionState::Pending)];
    store.close_turn(&waiting).await.expect("closed");
    store
        .open_turn(&turn("b", "at 4 instead"))
        .await
        .expect("opened");
    let mut other = end("b", TurnState::Waiting, "May I, at 4?");
    other.pending = vec![action("act2", "b", ActionState::Pending)];
    other.actions = vec![("act1".into(), ActionState::Pending, ActionState::Superseded)];
    other.sets_aside = Some("a".into());
    store.close_turn(&other).await.expect("closed");
    let old = store
        .action(&"act1".into())
        .await
        .expect("read")
        .expect("there");
    assert_eq!(
        (old.state, old.superseded_by),
        (ActionState::Superseded, Some("act2".into()))
    );
    let set_aside = store.turn(&"a".into()).await.expect("read").expect("there");
    assert_eq!(set_aside.state, TurnState::SetAside);
}

#[tokio::test]
async fn the_answer_links_a_change_that_led_to_a_question() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut waiting = end("a", TurnState::Waiting, "May I?");
    waiting.pending = vec![action("act1", "a", ActionState::Pending)];
    store.close_turn(&waiting).await.expect("closed");
    store
        .open_turn(&turn("b", "rather the other"))
        .await
        .expect("opened");
    let mut asks = end("b", TurnState::Waiting, "Which one?");
    asks.actions = vec![("act1".into(), ActionState::Pending, ActionState::Superseded)];
    asks.sets_aside = Some("a".into());
    store.close_turn(&asks).await.expect("closed");
    store
        .open_turn(&turn("c", "the first"))
        .await
        .expect("opened");
    let mut answered = end("c", TurnState::Waiting, "May I?");
    answered.pending = vec![action("act2", "c", ActionState::Pending)];
    answered.sets_aside = Some("b".into());
    store.close_turn(&answered).await.expect("closed");
    let old = store
        .action(&"act1".into())
        .await
        .expect("read")
        .expect("there");
    assert_eq!(old.superseded_by, Some("act2".into()));
}

#[tokio::test]
async fn a_rejected_action_appears_in_activity_without_undo() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut waiting = end("a", TurnState::Waiting, "May I?");
    waiting.pending = vec![action("act_1", "a", ActionState::Pending)];
    store.close_turn(&waiting).await.expect("closed");
    let (id, channel) = ("act_1".into(), Some(Channel::Window));
    store
        .move_action(
            &id,
            ActionState::Pending,
            ActionState::Denied,
            channel,
            noon(),
        )
        .await
        .expect("moved");
    store.open_turn(&turn("b", "no")).await.expect("opened");
    for state in [TurnState::Waiting, TurnState::Done] {
        store
            .close_turn(&end("b", state, "Not done."))
            .await
            .expect("closed");
    }
    let rows = store.effects(None).await.expect("read");
    let [row] = rows.as_slice() else {
        panic!("exactly one row: {rows:?}");
    };
    assert_eq!(
        (row.outcome.as_str(), row.action.as_ref()),
        ("denied", Some(&id))
    );
    assert_eq!(row.say, "Rejected, nothing done: Delete an event");
    assert!(row.inverse.is_none() && row.receipt.is_none());
    assert_eq!(row.id.as_str(), "eff_1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_many_concurrent_transitions_wins() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut waiting = end("a", TurnState::Waiting, "May I?");
    waiting.pending = vec![action("act1", "a", ActionState::Pending)];
    store.close_turn(&waiting).await.expect("closed");
    let mut tries = tokio::task::JoinSet::new();
    for number in 0..16 {
        let store = store.clone();
        let to = if number % 2 == 0 {
            ActionState::Approved
        } else {
            ActionState::Denied
        };
        tries.spawn(async move {
            let channel = Some(Channel::Window);
            store
                .move_action(&"act1".into(), ActionState::Pending, to, channel, noon())
                .await
        });
    }
    let results = tries.join_all().await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    let lost = |result: &Result<(), StoreFault>| matches!(result, Err(StoreFault::Conflict { .. }));
    assert_eq!(results.iter().filter(|result| lost(result)).count(), 15);
    let stored = store
        .action(&"act1".into())
        .await
        .expect("read")
        .expect("there");
    assert_eq!(stored.channel, Some(Channel::Window));
}

#[tokio::test]
async fn actions_follow_only_the_gates_transitions() {
    let (_folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut waiting = end("a", TurnState::Waiting, "May I?");
    waiting.pending = vec![action("act1", "a", ActionState::Pending)];
    store.close_turn(&waiting).await.expect("closed");
    let skip = store
        .move_action(
            &"act1".into(),
            ActionState::Pending,
            ActionState::Succeeded,
            None,
            noon(),
        )
        .await;
    assert!(matches!(skip, Err(StoreFault::Other(_))));
    let early = store
        .expire_actions(at("2026-01-12T12:14:59Z"), true)
        .await
        .expect("ran");
    assert!(early.is_empty());
    let expired = store
        .expire_actions(at("2026-01-12T12:15:00Z"), false)
        .await
        .expect("ran");
    assert_eq!(expired[0].state, ActionState::Expired);
    let pending = store.actions(Some(ActionState::Pending), None).await;
    assert_eq!(pending, Ok(Vec::new()));
}

#[tokio::test]
async fn the_journal_has_each_number_once() {
    let (folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut closing = end("a", TurnState::Done, "y");
    closing.journal = (1..=5).map(|seq| entry(seq, "a")).collect();
    store.close_turn(&closing).await.expect("closed");
    store.open_turn(&turn("b", "x")).await.expect("opened");
    let mut double = end("b", TurnState::Done, "y");
    double.journal = vec![entry(5, "b")];
    assert!(matches!(
        store.close_turn(&double).await,
        Err(StoreFault::Conflict { .. })
    ));
    drop(store);
    let store = open(folder.path());
    let tail = store.journal(&"main".into(), 4, 10).await.expect("read");
    assert_eq!(tail, [entry(4, "a"), entry(5, "a")]);
}

#[tokio::test]
async fn an_unreadable_entry_does_not_hide_the_rest() {
    let (folder, store) = fresh();
    for id in ["a", "b"] {
        store.open_turn(&turn(id, "x")).await.expect("opened");
        let mut waiting = end(id, TurnState::Waiting, "May I?");
        waiting.pending = vec![action(&format!("act-{id}"), id, ActionState::Pending)];
        store.close_turn(&waiting).await.expect("closed");
    }
    drop(store);
    let file = rusqlite::Connection::open(folder.path().join("adjutant.db")).expect("a file");
    file.execute_batch(
        r#"UPDATE turns SET plan = '{"steps": 7}' WHERE id = 'b';
           UPDATE actions SET body = '{}' WHERE id = 'act-b';
           UPDATE conversations SET focus = '[1]';"#,
    )
    .expect("changed");
    drop(file);
    let store = open(folder.path());
    assert_eq!(store.turns(None, None).await.expect("read").len(), 2);
    let pending = store.actions(None, None).await.expect("read");
    assert_eq!(pending.len(), 1);
    assert_eq!(pending[0].id.0, "act-a");
    let (past, _) = store.open_turn(&turn("c", "and?")).await.expect("opened");
    assert_eq!(past.waiting.expect("a turn").id.0, "b");
    assert!(
        store.action(&"act-b".into()).await.is_err(),
        "asked for by name, it is said"
    );
}
