use adjutant_api::Reply;
use adjutant_api::reply::Applied;
use adjutant_domain::ids::EffectId;
use adjutant_domain::ports::TurnLog as _;
use adjutant_engine::Op;
use serde_json::{Value, json};

use super::*;
use crate::service::tests::profile;

/// Makes a direct call, and returns its effect and the row it wrote.
async fn applied(service: &Service, tool: &str, args: Value) -> (EffectId, String) {
    let op = Op::Apply {
        tool: tool.into(),
        args,
    };
    let reply = super::super::turns::apply(service, op).await.expect("done");
    let Reply::Applied {
        outcome: Applied::Done {
            effect: Some(effect),
            ..
        },
    } = reply
    else {
        panic!("{tool}: {reply:?}");
    };
    let id = EffectId(effect);
    let effect = service.store.effect(&id).await.expect("read");
    let receipt = effect.expect("the effect").receipt.expect("a receipt");
    (id, receipt.rows[0].id.clone())
}

async fn undo_of(service: &Service, effect: &EffectId) -> Option<UndoState> {
    let effects = service.store.effects(None).await.expect("effects");
    let rows = rows(service, &effects, &TimeZone::UTC).await.expect("rows");
    let row = rows.into_iter().find(|row| row.id == effect.0);
    row.expect("the effect is listed").undo
}

#[tokio::test]
async fn offers_an_undo_while_the_row_is_unchanged() {
    let (_home, service) = profile().await;
    let (first, id) = applied(&service, "task.create", json!({"title": "Milk"})).await;
    assert_eq!(undo_of(&service, &first).await, Some(UndoState::Available));

    let change = json!({"id": id, "changes": {"title": "Oat milk"}});
    let (second, _) = applied(&service, "task.update", change).await;
    assert_eq!(undo_of(&service, &first).await, Some(UndoState::Changed));
    assert_eq!(undo_of(&service, &second).await, Some(UndoState::Available));

    // Undoing the later change does not offer anything twice.
    let undo = Op::Undo {
        effect: second.clone(),
    };
    super::super::turns::apply(&service, undo)
        .await
        .expect("undone");
    assert_eq!(undo_of(&service, &second).await, Some(UndoState::Used));
}

#[tokio::test]
async fn offers_no_undo_after_later_changes() {
    let (_home, service) = profile().await;
    let note = json!({"title": "A", "body": "b"});
    let (first, id) = applied(&service, "note.create", note).await;
    applied(&service, "note.append", json!({"id": id, "text": "more"})).await;
    assert_eq!(undo_of(&service, &first).await, Some(UndoState::Changed));
}
