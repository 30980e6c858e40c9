//! Tests that silence is detected wherever it begins, and that a single limit covers the time until the first piece.

use std::sync::Arc;
use std::time::Duration;

use crate::replies::{good, head};
use crate::support::{Scripted, Step, connection, hear, model, request};
use adjutant_domain::model::{ModelEvent, ModelFault, Stage};
use adjutant_models::ProviderKind;
use adjutant_models::tiers::{SinceStart, Ticks as _};
use futures::StreamExt as _;
use tokio::sync::Notify;

#[tokio::test]
async fn detects_silence_before_during_and_instead_of_a_reply() {
    for kind in ProviderKind::ALL {
        let (media, body, whole_at) = good(kind);
        let half = body[..whole_at / 2].to_vec();
        for script in [
            vec![Step::Silence],
            vec![head("200 OK", media, ""), Step::Silence],
            vec![head("200 OK", media, ""), Step::Send(half), Step::Silence],
        ] {
            let server = Scripted::start(vec![script.clone()]).await;
            let mut connection = connection(kind, &server.base);
            connection.first_piece_seconds = Some(1);
            connection.between_pieces_seconds = Some(1);
            let heard = hear(&*model(&connection), request(Stage::Respond, "hello")).await;
            assert_eq!(
                heard.fault,
                Some(ModelFault::Stalled {
                    model: "peer/test-model".to_owned(),
                    waited: Duration::from_secs(1)
                }),
                "{kind:?}"
            );
            // The client closes the connection instead of leaving it open.
            let mut hung_up = server.hung_up.clone();
            hung_up.wait_for(|count| *count > 0).await.unwrap();
        }
    }
}

#[tokio::test]
async fn keep_alive_signals_do_not_count_as_text() {
    let comments = b": OPENROUTER PROCESSING\n\n".repeat(5);
    let server = Scripted::start(vec![vec![
        head("200 OK", "text/event-stream", ""),
        Step::Send(comments),
        Step::Silence,
    ]])
    .await;
    let mut connection = connection(ProviderKind::Compatible, &server.base);
    connection.first_piece_seconds = Some(1);
    let heard = hear(&*model(&connection), request(Stage::Respond, "hello")).await;
    assert!(
        matches!(heard.fault, Some(ModelFault::Stalled { .. })),
        "{heard:?}"
    );
}

/// While this is held, paused time does not advance on its own when only a socket is awaited.
fn hold_time() -> std::sync::mpsc::Sender<()> {
    let (held, holds) = std::sync::mpsc::channel();
    tokio::runtime::Handle::current().spawn_blocking(move || holds.recv());
    held
}

#[tokio::test]
async fn the_reply_head_does_not_restart_the_first_piece_limit() {
    for kind in ProviderKind::ALL {
        let (media, _, _) = good(kind);
        let (asked, answers) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let server = Scripted::start(vec![vec![
            Step::Tell(asked.clone()),
            Step::Wait(answers.clone()),
            head("200 OK", media, ""),
            Step::Silence,
        ]])
        .await;
        let mut connection = connection(kind, &server.base);
        connection.first_piece_seconds = Some(90);
        let model = model(&connection);
        let held = hold_time();
        tokio::time::pause();
        let watch = SinceStart::new();
        let mut stream = model.stream(Arc::new(request(Stage::Respond, "hello")));
        let late = async {
            asked.notified().await;
            tokio::time::advance(Duration::from_secs(80)).await;
            answers.notify_one();
        };
        let (first, ()) = futures::join!(stream.next(), late);
        assert!(
            matches!(first, Some(Ok(ModelEvent::Answering { .. }))),
            "{kind:?}: {first:?}"
        );
        drop(held);
        let stalled = ModelFault::Stalled {
            model: "peer/test-model".to_owned(),
            waited: Duration::from_secs(90),
        };
        assert_eq!(stream.next().await, Some(Err(stalled)), "{kind:?}");
        assert_eq!(watch.elapsed().as_secs(), 90, "{kind:?}");
        tokio::time::resume();
    }
}
