//! Tests of a process that crashes before, during or after an answer.

use super::*;
use crate::tiers::Chain;

#[tokio::test]
async fn a_crash_cuts_the_answer_and_lengthens_the_pause() {
    let (model, clock, _folder) = model(&format!(
        "{READY}; read line; n=1; [ $starts -lt 3 ] && exit 1; {WHOLE}; read line"
    ));
    let resting = |rest: u64| {
        Err(ModelFault::Resting {
            model: "built-in/small".into(),
            rest: Duration::from_secs(rest),
        })
    };
    assert_eq!(ask(&model).await, cut());
    assert_eq!(ask(&model).await, resting(1));
    clock.advance(1);
    // Request numbers continue after a restart.
    assert_eq!(ask(&model).await, cut());
    assert_eq!(ask(&model).await, resting(2));
}

#[tokio::test]
async fn a_crash_while_loading_explains_its_likely_cause() {
    let (model, _clock, _folder) = model("kill -9 $$");
    let Err(ModelFault::Broken { why, .. }) = ask(&model).await else {
        panic!("it loaded")
    };
    assert!(why.contains("memory") && why.contains("signal: 9"), "{why}");
    assert!(matches!(ask(&model).await, Err(ModelFault::Resting { .. })));
}

#[tokio::test]
async fn nonsense_counts_as_a_crash_and_load_faults_are_reported() {
    for nonsense in [r#"echo '{"say":"token","id":1,"text":"early"}'"#] {
        assert_eq!(ask(&model(nonsense).0).await, cut(), "{nonsense}");
    }
    let (broken, _clock, _folder) =
        model(r#"echo '{"say":"fault","id":null,"code":"not_a_model","why":"no GGUF"}'; exit 1"#);
    assert_eq!(
        ask(&broken).await,
        Err(ModelFault::Broken {
            model: "built-in/small".into(),
            why: "no GGUF".into()
        })
    );
    let clock = Arc::new(Clock::default());
    let nobody = FileModel::new(
        "built-in/x",
        Path::new("/nowhere/at/all"),
        Path::new("x.gguf"),
        Tier::Fast,
        clock,
    );
    assert!(matches!(
        ask(&nobody).await,
        Err(ModelFault::Unreachable { .. })
    ));
}

#[tokio::test]
async fn the_next_model_answers_after_a_crash() {
    let falls = [
        "exit 1",
        r#"echo '{"say":"fault","id":null,"code":"no_memory","why":"no memory"}'; exit 1"#,
        &format!(
            "{READY}; read line; echo '{{\"say\":\"token\",\"id\":1,\"text\":\"half\"}}'; exit 1"
        ),
    ];
    for fall in falls {
        let (first, _clock, _folder) = model(fall);
        let (second, _, _kept) = model(&format!("{READY}; read line; n=1; {WHOLE}; read line"));
        let second: Arc<dyn ChatModel> = Arc::new(second);
        let chain = Chain::new(Arc::new(first), vec![second], Duration::from_secs(60));
        let events: Vec<_> = chain.stream(request()).collect().await;
        let why = events.iter().find_map(|event| match event {
            Ok(ModelEvent::Answering { why, .. }) => why.clone(),
            _ => None,
        });
        assert!(why.is_some(), "{fall}: {events:?}");
        let last = events.last();
        assert!(
            matches!(last, Some(Ok(ModelEvent::End { .. }))),
            "{fall}: {events:?}"
        );
    }
}
