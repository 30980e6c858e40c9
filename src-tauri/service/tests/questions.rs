//! Tests of how often the person was asked and how they answered, and of many cards of one kind.

use adjutant_api::rows::{ApprovalRow, QuestionsRow, Rows};
use adjutant_api::{EventBody, Fault, Reply, Request, Topic};
use adjutant_domain::gate::Channel;
use adjutant_domain::gate::rate::FLOOD;

use super::profile;
use crate::service::{Frame, Service, Sink};

async fn ask(service: &Service, request: Request) -> Result<Reply, Fault> {
    let (sink, mut frames) = Sink::new();
    service.handle(request, Channel::Window, &sink).await;
    drop(sink);
    let mut answer = None;
    while let Some(frame) = frames.recv().await {
        match frame {
            Frame::Reply(reply) => answer = Some(Ok(*reply)),
            Frame::Fault(fault) => answer = Some(Err(fault)),
            Frame::Event(_) | Frame::End => {}
        }
    }
    answer.expect("an answer")
}

async fn waiting(service: &Service) -> Vec<ApprovalRow> {
    match ask(service, Request::show(Topic::Approvals)).await {
        Ok(Reply::Rows {
            rows: Rows::Approvals(rows),
            ..
        }) => rows,
        other => panic!("{other:?}"),
    }
}

async fn questions(service: &Service) -> Vec<QuestionsRow> {
    match ask(service, Request::show(Topic::Questions)).await {
        Ok(Reply::Rows {
            rows: Rows::Questions(rows),
            ..
        }) => rows,
        other => panic!("{other:?}"),
    }
}

/// Asks to send a mail in a conversation, and returns the answer.
async fn send(service: &Service, conversation: &str, to: &str) -> String {
    let said = Request::Ask {
        conversation: conversation.into(),
        text: format!("send an email to {to}@example.com saying I am late"),
        tier: None,
    };
    let (sink, mut frames) = Sink::new();
    service.handle(said, Channel::Window, &sink).await;
    drop(sink);
    let mut said = None;
    while let Some(frame) = frames.recv().await {
        if let Frame::Event(event) = frame {
            said = match event.body {
                EventBody::Waiting { answer, .. } | EventBody::Done { answer, .. } => Some(answer),
                EventBody::Error { .. } => panic!("{event:?}"),
                _ => said,
            };
        }
    }
    said.expect("an answer")
}

#[tokio::test]
async fn many_cards_of_one_kind_are_a_flood_without_duplicates() {
    let (_home, service) = profile().await;
    let floods = async || -> Vec<Option<usize>> {
        waiting(&service)
            .await
            .iter()
            .map(|row| row.flood)
            .collect()
    };
    for number in 0..FLOOD {
        send(&service, &format!("talk{number}"), &format!("p{number}")).await;
    }
    assert_eq!(floods().await, vec![None; FLOOD]);
    let again = send(&service, "another", "p0").await;
    assert!(again.contains("in another conversation"), "{again}");
    assert_eq!(floods().await, vec![None; FLOOD], "no card more");

    let last = send(&service, "main", "last").await;
    assert!(last.contains("Waiting for you"), "{last}");
    assert_eq!(floods().await, vec![Some(FLOOD + 1); FLOOD + 1]);
    let first = waiting(&service).await.remove(0);
    let reject = Request::Reject { id: first.id };
    ask(&service, reject).await.expect("rejected");
    let left = floods().await.into_iter().flatten().count();
    assert_eq!(left, 0, "few enough to look at one by one");
}

#[tokio::test]
async fn counts_questions_by_tool_and_answer() {
    let (_home, service) = profile().await;
    for to in ["a", "b", "c"] {
        send(&service, to, to).await;
    }
    let mut cards = waiting(&service).await;
    assert_eq!(cards.len(), 3);
    let (id, digest) = cards.pop().map(|row| (row.id, row.digest)).expect("a card");
    ask(&service, Request::Approve { id, digest })
        .await
        .expect("approved");
    let id = cards.pop().map(|row| row.id).expect("a card");
    ask(&service, Request::Reject { id })
        .await
        .expect("rejected");
    let rows = questions(&service).await;
    let [row] = rows.as_slice() else {
        panic!("one tool: {rows:?}");
    };
    assert_eq!(row.id, "email.send");
    assert_eq!(
        (
            row.asked,
            row.approved,
            row.rejected,
            row.expired,
            row.needless
        ),
        (3, 1, 1, 0, 0)
    );
}
