//! Tests that connections are reused, and replaced once they have been closed.

use crate::replies::{SAID, good};
use crate::support::{Scripted, Step, connection, hear, model, request};
use adjutant_domain::model::{ModelFault, Stage};
use adjutant_models::ProviderKind;

#[tokio::test]
async fn reuses_the_connection_after_a_complete_reply() {
    for kind in ProviderKind::ALL {
        let (media, body, _) = good(kind);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {media}\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n",
            body.len()
        );
        let whole = [head.as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
        let server = Scripted::start(vec![vec![
            Step::Send(whole.clone()),
            Step::NextRequest,
            Step::Send(whole.clone()),
            Step::NextRequest,
            Step::Send(whole),
            Step::Silence,
        ]])
        .await;
        let model = model(&connection(kind, &server.base));
        for _ in 0..3 {
            assert_eq!(
                hear(&*model, request(Stage::Respond, "hello")).await.text,
                SAID
            );
        }
        assert_eq!(server.asked.lock().unwrap().len(), 3, "{kind:?}");
        let made = server.accepted.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(made, 1, "{kind:?} made {made} connections");
    }
}

#[tokio::test]
async fn replaces_a_closed_connection_and_reports_repeated_cuts() {
    let kind = ProviderKind::Compatible;
    let (media, body, _) = good(kind);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {media}\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n",
        body.len()
    );
    let whole = [head.as_bytes(), &body, b"\r\n0\r\n\r\n"].concat();
    // The second request is sent on the first connection, which ends before a reply begins.
    let server = Scripted::start(vec![
        vec![Step::Send(whole.clone()), Step::NextRequest, Step::Reset],
        vec![Step::Send(whole), Step::NextRequest, Step::Reset],
        vec![Step::Reset],
    ])
    .await;
    let model = model(&connection(kind, &server.base));
    for _ in 0..2 {
        let heard = hear(&*model, request(Stage::Respond, "hello")).await;
        assert_eq!((heard.text.as_str(), heard.fault), (SAID, None));
    }
    let made = || server.accepted.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(made(), 2);
    let heard = hear(&*model, request(Stage::Respond, "hello")).await;
    assert!(
        matches!(heard.fault, Some(ModelFault::Cut { .. })),
        "{heard:?}"
    );
    assert_eq!(made(), 3, "asked once more, not again and again");
}
