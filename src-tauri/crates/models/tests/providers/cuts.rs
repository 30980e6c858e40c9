//! Tests that a reply is either complete or a fault, wherever it breaks off.

use crate::replies::{SAID, ask, good, head};
use crate::support::{Scripted, Step, connection, model, net, request};
use adjutant_domain::model::{ModelFault, Stage, StopReason};
use adjutant_models::ProviderKind;
use futures::StreamExt;

#[tokio::test]
async fn delivers_a_good_reply_with_its_usage() {
    let net = net();
    for kind in ProviderKind::ALL {
        let (media, body, _) = good(kind);
        let heard = ask(
            &net,
            kind,
            vec![head("200 OK", media, ""), Step::Send(body)],
        )
        .await;
        assert_eq!(heard.fault, None, "{kind:?}");
        assert_eq!(heard.text, SAID, "{kind:?}");
        assert_eq!(heard.answering, ["peer/test-model"]);
        assert_eq!(heard.stop, Some(StopReason::Complete));
        let usage = heard.usage;
        assert_eq!(
            (usage.input, usage.output, usage.estimated),
            (21, 12, false),
            "{kind:?}"
        );
        // 21 tokens at 3 and 12 at 15 per million. A given price counts on this computer too.
        assert_eq!(usage.cost_micros, 243);
    }
}

#[tokio::test]
async fn a_reply_cut_at_any_byte_is_never_an_answer() {
    let net = net();
    for kind in ProviderKind::ALL {
        let (media, body, whole_at) = good(kind);
        for cut in 0..=body.len() {
            let script = vec![head("200 OK", media, ""), Step::Send(body[..cut].to_vec())];
            let heard = ask(&net, kind, script).await;
            // A reader of lines does not need the last line break of a frame.
            let lines = kind == ProviderKind::Ollama && cut + 1 == whole_at;
            if cut >= whole_at || lines {
                assert_eq!(heard.text, SAID, "{kind:?} cut at {cut}");
                assert_eq!(
                    heard.stop,
                    Some(StopReason::Complete),
                    "{kind:?} cut at {cut}"
                );
            } else {
                assert!(
                    matches!(heard.fault, Some(ModelFault::Cut { .. })),
                    "{kind:?} cut at {cut}: {heard:?}"
                );
                assert!(SAID.starts_with(&heard.text), "{kind:?} cut at {cut}");
            }
        }
    }
}

#[tokio::test]
async fn a_reset_connection_is_a_cut() {
    let net = net();
    for kind in ProviderKind::ALL {
        let (media, body, whole_at) = good(kind);
        let half = body[..whole_at / 2].to_vec();
        let script = vec![
            head("200 OK", media, "content-length: 100000\r\n"),
            Step::Send(half),
            Step::Reset,
        ];
        let heard = ask(&net, kind, script).await;
        // The reset may arrive before the head of the reply.
        assert!(
            matches!(
                heard.fault,
                Some(ModelFault::Cut { .. } | ModelFault::Unreachable { .. })
            ),
            "{kind:?}: {heard:?}"
        );
    }
}

#[tokio::test]
async fn a_complete_reply_ends_on_an_open_connection() {
    let net = net();
    for kind in ProviderKind::ALL {
        let (media, body, _) = good(kind);
        let script = vec![head("200 OK", media, ""), Step::Send(body), Step::Silence];
        let heard = ask(&net, kind, script).await;
        assert_eq!(heard.stop, Some(StopReason::Complete), "{kind:?}");
    }
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connection() {
    for kind in ProviderKind::ALL {
        let (media, body, whole_at) = good(kind);
        let half = body[..whole_at].to_vec();
        let server = Scripted::start(vec![vec![
            head("200 OK", media, ""),
            Step::Send(half),
            Step::Silence,
        ]])
        .await;
        let model = model(&connection(kind, &server.base));
        let mut stream = model.stream(std::sync::Arc::new(request(Stage::Respond, "hello")));
        stream.next().await.unwrap().unwrap();
        stream.next().await.unwrap().unwrap();
        drop(stream);
        let mut hung_up = server.hung_up.clone();
        hung_up.wait_for(|count| *count > 0).await.unwrap();
    }
}
