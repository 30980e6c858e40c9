use adjutant_domain::conversation::{JournalEntry, ToolUse, Turn, TurnEnd, TurnState};
use adjutant_domain::focus::Focus;
use adjutant_domain::model::Usage;
use adjutant_domain::source::Taint;
use jiff::{Timestamp, ToSpan as _};

use super::*;
use crate::service::tests::profile;

fn done(memories: &[&str]) -> TurnEvent {
    TurnEvent::Done {
        answer: "Yes.".into(),
        results: Vec::new(),
        used_tools: Vec::new(),
        used_memories: memories.iter().map(|id| (*id).to_owned()).collect(),
        usage: Usage::default(),
        decision: String::new(),
        ms: 1,
        fault: None,
        near: Vec::new(),
    }
}

/// Adds a turn that ended with these events, `minute` minutes after the first one.
async fn turn(service: &Service, conversation: &str, minute: i64, events: &[TurnEvent]) {
    let at = Timestamp::UNIX_EPOCH
        .checked_add(minute.minutes())
        .expect("an instant");
    let turn = Turn {
        id: TurnId(format!("turn_{conversation}_{minute}")),
        conversation: conversation.into(),
        text: format!("question {minute}"),
        at,
        instead_of: None,
        state: TurnState::Open,
        route: None,
        plan: None,
        answer: None,
    };
    let (_, next) = service.store.open_turn(&turn).await.expect("opened");
    let journal = (next..)
        .zip(events)
        .map(|(seq, event)| JournalEntry {
            seq,
            turn: turn.id.clone(),
            body: serde_json::to_value(event).expect("JSON"),
        })
        .collect();
    let end = TurnEnd {
        turn: turn.id,
        conversation: turn.conversation,
        state: TurnState::Done,
        route: None,
        plan: None,
        answer: Some("Yes.".into()),
        pending: Vec::new(),
        actions: Vec::new(),
        sets_aside: None,
        focus: Focus::default(),
        taint: Taint::Clean,
        private: false,
        at,
        journal,
        tools: ToolUse::default(),
    };
    service.store.close_turn(&end).await.expect("closed");
}

async fn told(service: &Service, id: &str) -> (Vec<String>, bool) {
    let Reply::Uses { uses, whole } = uses(service, id).await.expect("an answer") else {
        panic!("another reply");
    };
    (uses.into_iter().map(|one| one.text).collect(), whole)
}

#[tokio::test]
async fn lists_turns_that_used_a_memory_newest_first() {
    let (_home, service) = profile().await;
    turn(&service, "a", 1, &[done(&["mem_tea"])]).await;
    turn(&service, "b", 2, &[done(&["mem_wifi"])]).await;
    turn(&service, "b", 3, &[done(&["mem_wifi", "mem_tea"])]).await;
    // Merely mentioning its name is no use of it.
    let status = TurnEvent::Status {
        text: "mem_tea".into(),
    };
    turn(&service, "a", 4, &[status, done(&[])]).await;
    let expect = ["question 3".to_owned(), "question 1".to_owned()];
    assert_eq!(told(&service, "mem_tea").await, (expect.to_vec(), true));
    assert_eq!(told(&service, "mem_none").await, (Vec::new(), true));
}

#[tokio::test]
async fn lists_a_continued_turn_once_and_marks_a_cut_list() {
    let (_home, service) = profile().await;
    turn(&service, "a", 0, &[done(&["mem_tea"]), done(&["mem_tea"])]).await;
    assert_eq!(told(&service, "mem_tea").await.0.len(), 1);
    for minute in 1..=USES_MAX {
        let minute = i64::try_from(minute).expect("a minute");
        turn(&service, "a", minute, &[done(&["mem_tea"])]).await;
    }
    let (uses, whole) = told(&service, "mem_tea").await;
    assert_eq!((uses.len(), whole), (USES_MAX, false));
    assert_eq!(uses[0], format!("question {USES_MAX}"));
}
