//! Tests with a shell script in place of the model's process, so that it can crash on demand.

mod answers;
mod falls;
mod loading;
mod queue;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Mutex as StdMutex;
use std::sync::atomic::AtomicUsize;

use adjutant_domain::model::{ModelMessage, Prompted, Purpose, Stage as ModelStage};
use tempfile::TempDir;

use super::*;

const READY: &str = r#"echo '{"say":"ready","name":"tiny","window":256}'"#;
const WHOLE: &str = r#"echo "{\"say\":\"token\",\"id\":$n,\"text\":\"hi\"}"; echo "{\"say\":\"end\",\"id\":$n,\"stop\":\"complete\",\"input\":3,\"output\":1}""#;

/// Time that a test advances, with the number of times it was read.
#[derive(Default)]
struct Clock(StdMutex<Duration>, AtomicUsize);

impl Clock {
    fn advance(&self, seconds: u64) {
        *self.0.lock().unwrap() += Duration::from_secs(seconds);
    }
}

impl Ticks for Clock {
    fn elapsed(&self) -> Duration {
        self.1.fetch_add(1, Ordering::Relaxed);
        *self.0.lock().unwrap()
    }
}

/// Returns a model whose process runs `script`, which may count its starts in the file `starts`.
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
    let clock = Arc::new(Clock::default());
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
        messages: vec![ModelMessage {
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

/// Returns how often the process was started.
fn starts(folder: &TempDir) -> usize {
    let starts = fs::read_to_string(folder.path().join("starts"));
    starts.unwrap_or_default().len()
}
