//! Tests of decisions the person makes by hand about an outgoing mail or a memory.

use adjutant_domain::ports::TurnLog as _;
use adjutant_domain::record::{OutboxState, Record};
use adjutant_engine::{Op, OutboxAct};
use adjutant_testkit::make;

use crate::world::{Script, World};

/// Returns a world with one approved mail, and the mail's id.
async fn with_mail(state: OutboxState) -> (World, adjutant_domain::ids::RecordId) {
    let world = Script::new().world();
    let mut mail = make::draft("out_1", "kim@else.example", "Report", "Here it is.");
    mail.state = state;
    mail.mime = Some("MIME".into());
    mail.message_id = "report@here".into();
    let id = mail.id.clone();
    world.records.put(Record::Outbox(mail));
    (world, id)
}

#[tokio::test]
async fn an_outbox_row_alone_never_permits_sending() {
    let (world, id) = with_mail(OutboxState::Queued).await;
    let act = OutboxAct::SendNow;
    let refused = world.run(Op::Outbox { id, act }).await.end();
    assert_eq!(refused, ("error", "not_held".into()));
    assert_eq!(world.outbox().await[0].state, OutboxState::Queued);
    assert_eq!(world.log.effects(None).await.unwrap(), []);
}

#[tokio::test]
async fn a_mail_turned_draft_keeps_no_approval() {
    let (world, id) = with_mail(OutboxState::Queued).await;
    let draft = || Op::Outbox {
        id: id.clone(),
        act: OutboxAct::ToDraft,
    };
    assert_eq!(world.run(draft()).await.end().0, "done");
    let mail = world.outbox().await.remove(0);
    assert_eq!(
        (mail.state, mail.mime, mail.message_id.as_str()),
        (OutboxState::Draft, None, "")
    );
    assert_eq!(world.run(draft()).await.end(), ("error", "too_late".into()));
}

#[tokio::test]
async fn searches_for_an_uncertain_mail_and_never_makes_it_a_draft() {
    let (world, id) = with_mail(OutboxState::Unknown).await;
    let run = |act| Op::Outbox {
        id: id.clone(),
        act,
    };
    assert_eq!(
        world.run(run(OutboxAct::ToDraft)).await.end(),
        ("error", "too_late".into())
    );
    assert_eq!(
        world.run(run(OutboxAct::CheckAgain)).await.end(),
        ("error", "not_there".into())
    );
    assert_eq!(world.outbox().await[0].state, OutboxState::Unknown);
}

#[tokio::test]
async fn a_memory_put_aside_is_used_again_unless_replaced() {
    let world = Script::new().world();
    world
        .records
        .put(Record::Memory(make::memory("mem_1", "wifi", "tulip")));
    let set = |on| Op::UseMemory {
        id: "mem_1".into(),
        on,
    };
    assert_eq!(world.run(set(true)).await.end(), ("error", "same".into()));
    assert_eq!(world.run(set(false)).await.end().0, "done");
    assert_eq!(world.run(set(true)).await.end().0, "done");
    assert_eq!(world.run(set(false)).await.end().0, "done");
    world
        .records
        .put(Record::Memory(make::memory("mem_2", "wifi", "rose")));
    assert_eq!(
        world.run(set(true)).await.end(),
        ("error", "replaced".into())
    );
}
