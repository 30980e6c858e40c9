//! Tests of cancelled approvals: what was written for them is kept.

use std::sync::Arc;

use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::conversation::TurnState;
use adjutant_domain::filter::Filter;
use adjutant_domain::gate::{ActionState, Call, PendingAction};
use adjutant_domain::operation::Operation;
use adjutant_domain::ports::{Records as _, TurnLog as _};
use adjutant_domain::provenance::Author;
use adjutant_domain::record::{OutboxItem, OutboxState, Record};
use adjutant_domain::source::Taint;
use adjutant_domain::tool::{Before, Frozen};
use serde_json::json;

use super::{action, draft, end, fresh, noon, turn};
use crate::Store;

/// Returns an action that sends a mail, either a new one or a draft of the expected version.
fn sends(expect: Expect) -> PendingAction {
    let mail = OutboxItem {
        state: OutboxState::Queued,
        message_id: "m1@home.example".into(),
        mime: Some("From: me".into()),
        ..draft("o1", "ana@example.org", "Hi")
    };
    let change = Change {
        ops: vec![RowOp::Put {
            record: Box::new(Record::Outbox(mail)),
            expect,
        }],
        ..Change::default()
    };
    let frozen = Frozen {
        operations: vec![Operation::Local { change }],
        answer: adjutant_domain::outcome::Answer::default(),
        undoes: None,
        hold_seconds: 0,
        not_before: None,
    };
    PendingAction {
        calls: vec![Call {
            tool: "email.send".into(),
            account: adjutant_domain::ids::AccountId::local(),
            args: json!({}),
            sources: adjutant_domain::source::Sources::new(),
            definition: adjutant_domain::tool::Definition(String::new()),
            before: Before {
                frozen: Some(frozen),
                ..Before::default()
            },
        }],
        taint: Taint::Tainted,
        ..action("act1", "a", ActionState::Pending)
    }
}

/// Returns a store with a turn that has one approved action.
async fn approved(action: PendingAction) -> (tempfile::TempDir, Arc<Store>) {
    let (folder, store) = fresh();
    store.open_turn(&turn("a", "x")).await.expect("opened");
    let mut waiting = end("a", TurnState::Waiting, "May I?");
    waiting.pending = vec![action];
    store.close_turn(&waiting).await.expect("closed");
    let (from, to) = (ActionState::Pending, ActionState::Approved);
    let moved = store
        .move_action(&"act1".into(), from, to, None, noon())
        .await;
    moved.expect("approved");
    (folder, store)
}

async fn outbox(store: &Store) -> Vec<(OutboxState, Option<String>)> {
    let all = store.outbox(&Filter::all()).await.expect("read");
    all.into_iter()
        .map(|item| (item.state, item.mime))
        .collect()
}

const CANCELLED: (ActionState, ActionState) = (ActionState::Approved, ActionState::Cancelled);

#[tokio::test]
async fn a_cancelled_approval_leaves_its_mail_as_a_draft() {
    for way in ["moved", "ended", "deleted"] {
        let (_folder, store) = approved(sends(Expect::Absent)).await;
        let (from, to) = CANCELLED;
        let cancelled = match way {
            "moved" => {
                store
                    .move_action(&"act1".into(), from, to, None, noon())
                    .await
            }
            "ended" => {
                store.reopen_turn(&"a".into()).await.expect("opened");
                let mut stopped = end("a", TurnState::Interrupted, "Stopped.");
                stopped.actions = vec![("act1".into(), from, to)];
                store.close_turn(&stopped).await
            }
            _ => store.delete_conversation(&"main".into(), noon()).await,
        };
        cancelled.expect(way);
        assert_eq!(outbox(&store).await, [(OutboxState::Draft, None)], "{way}");
        let of = store.provenance(&["o1".into()]).await.expect("read");
        let of = &of[&"o1".into()];
        assert_eq!(of.taint, Taint::Tainted, "{way}");
        assert_eq!(of.author, Author::Adjutant { turn: "a".into() }, "{way}");
    }
}

#[tokio::test]
async fn rejected_and_failed_mail_leaves_only_earlier_drafts() {
    use ActionState::{Approved, Cancelled, Executing, Failed};
    let (_folder, store) = approved(sends(Expect::Absent)).await;
    for (from, to) in [(Approved, Executing), (Executing, Failed)] {
        let moved = store
            .move_action(&"act1".into(), from, to, None, noon())
            .await;
        moved.expect("moved");
    }
    assert_eq!(outbox(&store).await, []);
    let (_folder, store) = approved(sends(Expect::Version(3))).await;
    let id = "act1".into();
    let moved = store
        .move_action(&id, Approved, Cancelled, None, noon())
        .await;
    moved.expect("cancelled");
    assert_eq!(outbox(&store).await, [], "its row is another's business");
}
