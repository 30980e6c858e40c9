//! The process played by a shell, so that it can fall over where it should.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Mutex as StdMutex;

use adjutant_domain::model::{Prompted, Purpose, Stage as ModelStage};
use tempfile::TempDir;

use super::*;
use crate::tiers::Chain;

const READY: &str = r#"echo '{"say":"ready","name":"tiny","window":256}'"#;
const WHOLE: &str = r#"echo "{\"say\":\"token\",\"id\":$n,\"text\":\"hi\"}"; echo "{\"say\":\"end\",\"id\":$n,\"stop\":\"complete\",\"input\":3,\"output\":1}""#;

struct Clock(StdMutex<Duration>);

impl Ticks for Clock {
    fn elapsed(&self) -> Duration {
        *self.0.lock().unwrap()
    }
}

/// A model whose process is `script`, which may count its starts in the file `starts`.
fn model(script: &str) -> (FileModel, Arc<Clock>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("process");
    let starts = folder.path().join("starts").display().to_string();
    fs::write(
        &program,
        format!("#!/bin/sh\necho >> {starts}\nstarts=$(wc -l < {starts})\n{script}\n"),
    )
    .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    let clock = Arc::new(Clock(StdMutex::default()));
    let file = folder.path().join("small.gguf");
    (
        FileModel::new(
            "built-in/small",
            &program,
            &file,
            Tier::Standard,
            clock.clone(),
        ),
        clock,
        folder,
    )
}

fn request() -> Arc<ModelRequest> {
    Arc::new(ModelRequest {
        stage: ModelStage::Respond,
        tier: Tier::Standard,
        purpose: Purpose::Foreground,
        turn: None,
        system: Prompted {
            text: "Be brief.".into(),
            revision: "test".into(),
        },
        messages: vec![adjutant_domain::model::ModelMessage {
            role: Role::User,
            text: "hello".into(),
        }],
        tools: Vec::new(),
        reply: ReplyShape::Text,
        max_output_tokens: 20,
        within: Default::default(),
    })
}

async fn ask(model: &FileModel) -> Result<String, ModelFault> {
    let mut text = String::new();
    let mut stream = model.stream(request());
    while let Some(event) = stream.next().await {
        if let ModelEvent::Token { text: piece } = event? {
            text.push_str(&piece);
        }
    }
    Ok(text)
}

fn cut() -> Result<String, ModelFault> {
    Err(ModelFault::Cut {
        model: "built-in/small".into(),
    })
}

#[tokio::test]
async fn one_process_answers_one_request_after_the_other() {
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
    assert_eq!(
        fs::read_to_string(folder.path().join("starts"))
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_process_that_falls_over_cuts_the_answer_and_rests_longer_each_time() {
    let (model, clock, _folder) = model(&format!(
        "{READY}; read line; n=1; [ $starts -lt 3 ] && exit 1; {WHOLE}; read line"
    ));
    let advance = |by: u64| *clock.0.lock().unwrap() += Duration::from_secs(by);
    let resting = |rest: u64| {
        Err(ModelFault::Resting {
            model: "built-in/small".into(),
            rest: Duration::from_secs(rest),
        })
    };
    assert_eq!(ask(&model).await, cut());
    assert_eq!(ask(&model).await, resting(1));
    advance(1);
    // The number of the request goes on.
    assert_eq!(ask(&model).await, cut());
    assert_eq!(ask(&model).await, resting(2));
}

#[tokio::test]
async fn a_process_that_ended_for_want_of_work_is_started_again_at_once() {
    let (model, _, folder) = model(&format!("{READY}; read line; n=$starts; {WHOLE}; exit 0"));
    assert_eq!(ask(&model).await, Ok("hi".into()));
    while model
        .shared
        .state
        .lock()
        .await
        .process
        .as_mut()
        .unwrap()
        .child
        .try_wait()
        .unwrap()
        .is_none()
    {
        tokio::task::yield_now().await;
    }
    assert_eq!(ask(&model).await, Ok("hi".into()));
    assert_eq!(
        fs::read_to_string(folder.path().join("starts"))
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn an_answer_that_is_given_up_does_not_reach_the_next_who_asks() {
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
    assert_eq!(
        fs::read_to_string(folder.path().join("starts"))
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn what_makes_no_sense_is_a_fall_and_what_cannot_be_loaded_is_told() {
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
    let clock = Arc::new(Clock(StdMutex::default()));
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
async fn a_process_that_falls_over_while_loading_says_what_that_may_mean() {
    let (model, _clock, _folder) = model("kill -9 $$");
    let Err(ModelFault::Broken { why, .. }) = ask(&model).await else {
        panic!("it loaded")
    };
    assert!(why.contains("memory") && why.contains("signal: 9"), "{why}");
    assert!(matches!(ask(&model).await, Err(ModelFault::Resting { .. })));
}

#[tokio::test]
async fn the_next_model_answers_where_the_process_falls_over() {
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

#[tokio::test]
async fn a_file_is_looked_at_by_the_process() {
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
async fn a_model_that_is_open_is_not_opened_twice() {
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
