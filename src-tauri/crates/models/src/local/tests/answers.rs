//! Tests of several requests that share one process.

use super::*;
use crate::local::process::ProcessEnd;

#[tokio::test]
async fn one_process_answers_requests_in_sequence() {
    let (model, _, folder) = model(&format!(
        "{READY}; n=0; while read line; do n=$((n+1)); {WHOLE}; done"
    ));
    assert_eq!(model.profile().context_tokens, CONTEXT_TOKENS_UNKNOWN);
    let events: Vec<_> = model.stream(request()).collect().await;
    assert_eq!(events.len(), 3);
    assert!(
        matches!(&events[0], Ok(ModelEvent::Answering { model, why: None }) if model == "built-in/small")
    );
    assert!(matches!(
        &events[2],
        Ok(ModelEvent::End {
            stop: StopReason::Complete,
            usage: Usage {
                input: 3,
                output: 1,
                cost_micros: 0,
                ..
            }
        })
    ));
    assert_eq!(model.profile().context_tokens, 256);
    let fast = model.serving(Tier::Fast);
    let both = futures::join!(ask(&model), ask(&fast));
    assert_eq!(both, (Ok("hi".into()), Ok("hi".into())));
    assert_eq!(starts(&folder), 1);
}

#[tokio::test]
async fn an_abandoned_answer_does_not_reach_the_next_caller() {
    // The first answer ends only when it is stopped.
    let script = format!(
        r#"{READY}; read line; echo '{{"say":"token","id":1,"text":"old"}}'; read stop; case "$stop" in *stop*) ;; *) exit 1;; esac
        echo '{{"say":"token","id":1,"text":"older"}}'; echo '{{"say":"end","id":1,"stop":"stopped","input":1,"output":2}}'
        read line; n=2; {WHOLE}; read line"#
    );
    let (model, _, folder) = model(&script);
    let mut given_up = model.stream(request());
    given_up.next().await.unwrap().unwrap();
    assert!(matches!(given_up.next().await, Some(Ok(ModelEvent::Token { text })) if text == "old"));
    drop(given_up);
    assert_eq!(ask(&model).await, Ok("hi".into()));
    assert_eq!(starts(&folder), 1);
}

#[tokio::test]
async fn restarts_a_process_that_ended_when_idle() {
    let (model, _, folder) = model(&format!("{READY}; read line; n=$starts; {WHOLE}; exit 0"));
    assert_eq!(ask(&model).await, Ok("hi".into()));
    let ended = async || model.shared.state.lock().await.process().unwrap().ended();
    while ended().await == ProcessEnd::Not {
        tokio::task::yield_now().await;
    }
    assert_eq!(ask(&model).await, Ok("hi".into()));
    assert_eq!(starts(&folder), 2);
}

#[tokio::test]
async fn the_process_inspects_a_file() {
    let looked =
        r#"[ "$1" = --look ] && echo '{"say":"looked","name":"tiny","window":256,"memory":1000}'"#;
    let (model, _, _folder) = model(looked);
    let facts = look(&model.shared.program, &model.shared.file).await;
    assert_eq!(
        facts,
        Ok(Facts {
            name: "tiny".into(),
            window: 256,
            memory_bytes: 1_000
        })
    );
    model.learn_window(256);
    model.learn_window(4_096);
    assert_eq!(model.profile().context_tokens, 256);
    let fault = r#"echo '{"say":"fault","id":null,"code":"not_a_model","why":"no GGUF"}'; exit 1"#;
    for (script, says) in [(fault, "no GGUF"), ("kill -6 $$", "signal: 6")] {
        let (model, _, _folder) = self::model(script);
        let why = look(&model.shared.program, &model.shared.file).await;
        assert!(why.as_ref().is_err_and(|why| why.contains(says)), "{why:?}");
    }
}

#[tokio::test]
async fn does_not_open_an_open_model_twice() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("process");
    let file = folder.path().join("small.gguf");
    let open = |id, tier| FileModel::shared(id, &program, &file, tier);
    let first = open("own/small", Tier::Fast);
    let second = open("own/small", Tier::Deep);
    assert!(Arc::ptr_eq(&first.shared, &second.shared));
    assert_eq!(
        (first.profile().tier, second.profile().tier),
        (Tier::Fast, Tier::Deep)
    );
    assert!(!Arc::ptr_eq(
        &first.shared,
        &open("other/small", Tier::Fast).shared
    ));
    let before = Arc::downgrade(&first.shared);
    drop((first, second));
    assert!(before.upgrade().is_none());
}
