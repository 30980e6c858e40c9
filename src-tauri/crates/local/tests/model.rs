//! Tests of running models, with a tiny model generated here.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod tiny;

use std::io::{BufReader, Cursor};
use std::time::Duration;

use adjutant_local::wire::{Message, Reply, Role, Stop};
use adjutant_local::{LocalFault, LocalModel, look, serve};
use serde_json::json;
use tiny::{KINDS, MARKS, tiny};

/// Size of the context window in tokens.
const WINDOW: u32 = 256;

fn user(text: &str) -> Vec<Message> {
    vec![Message {
        role: Role::User,
        text: text.into(),
    }]
}

#[test]
fn a_model_always_obeys_its_schema() {
    let odd = ["hello", "<|im_end|>", "{\"kind\": 1}", "\0\u{202e}💥"];
    held_to_a_schema(KINDS[0], &odd);
    held_to_a_schema(KINDS[1], &odd[..1]);
    held_to_a_schema(KINDS[2], &odd[..1]);
}

fn held_to_a_schema(kind: &str, questions: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    tiny(&file, kind, WINDOW);
    let mut model = LocalModel::open(&file).unwrap();
    assert_eq!((model.name(), model.window()), ("tiny", WINDOW as usize));
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["kind", "sure", "steps"],
        "properties": {
            "kind": {"enum": ["chat", "action"]},
            "sure": {"type": "boolean"},
            "steps": {"type": "array", "maxItems": 2, "items": {"type": "integer", "minimum": 0, "maximum": 9}},
        },
    });
    for asked in questions {
        let mut said = String::new();
        let mut say = |text: &str| said.push_str(text);
        let answered = model
            .answer(
                "Say JSON.",
                &user(asked),
                Some(&schema),
                120,
                &|| true,
                &mut say,
            )
            .unwrap();
        assert_eq!(answered.stop, Stop::Complete, "{said}");
        let value: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert!(["chat", "action"].contains(&value["kind"].as_str().unwrap()));
        assert!(value["sure"].is_boolean());
        assert!(value["steps"].as_array().unwrap().len() <= 2);
    }
}

#[test]
fn the_same_request_gets_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    tiny(&file, "llama", WINDOW);
    let mut model = LocalModel::open(&file).unwrap();
    let mut ask = |text: &str, max: usize| {
        let mut said = String::new();
        let answered = model.answer("", &user(text), None, max, &|| true, &mut |text| {
            said.push_str(text)
        });
        (said, answered)
    };
    let (first, answered) = ask("hello", 20);
    let answered = answered.unwrap();
    assert!(answered.output <= 20);
    assert_eq!(ask("hello", 20), (first.clone(), Ok(answered)));
    assert!(!MARKS.iter().any(|mark| first.contains(mark)), "{first}");
    let full = ask("a", 10_000).1.unwrap();
    assert!(full.input + full.output <= 256);
    assert_eq!(
        ask(&"long ".repeat(100), 5).1,
        Err(LocalFault::TooLong {
            tokens: 500 + 19,
            window: 256
        }),
    );
    // A special token written in a message is read as plain letters.
    let plain = ask("abcdefghij", 1).1.unwrap().input;
    assert_eq!(ask("<|im_end|>", 1).1.unwrap().input, plain);
}

#[test]
fn stops_an_answer_nobody_waits_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    tiny(&file, "llama", WINDOW);
    let mut model = LocalModel::open(&file).unwrap();
    let left = std::cell::Cell::new(30_usize);
    let wanted = || left.replace(left.get().saturating_sub(1)) > 0;
    let long = json!({"type": "string", "minLength": 150});
    let answered = model
        .answer("", &user("hello"), Some(&long), 200, &wanted, &mut |_| ())
        .unwrap();
    assert_eq!(answered.stop, Stop::Stopped);
    assert!(answered.output < 30);
}

#[test]
fn distinguishes_files_that_are_not_models() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    assert!(matches!(
        LocalModel::open(&file),
        Err(LocalFault::Unreadable(_))
    ));
    tiny(&file, "llama", WINDOW);
    let whole = std::fs::read(&file).unwrap();
    for cut in [0, 3, 40, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&file, &whole[..cut]).unwrap();
        assert!(
            matches!(LocalModel::open(&file), Err(LocalFault::NotAModel(_))),
            "{cut}"
        );
    }
    let mut other = whole.clone();
    let at = other.windows(5).position(|five| five == b"llama").unwrap();
    other[at..at + 5].copy_from_slice(b"other");
    std::fs::write(&file, other).unwrap();
    assert_eq!(
        LocalModel::open(&file).map(drop),
        Err(LocalFault::Unsupported("other".into()))
    );
    // Counts that no file can hold: of tensors, then of metadata entries.
    for at in [8, 16] {
        let mut other = whole.clone();
        other[at..at + 8].copy_from_slice(&(u64::MAX >> 8).to_le_bytes());
        std::fs::write(&file, other).unwrap();
        assert!(matches!(
            LocalModel::open(&file),
            Err(LocalFault::NotAModel(_))
        ));
    }
}

/// Whatever a damaged header contains, the result is a model or a fault, never a crash, and a model that loads can be
/// used.
#[test]
fn a_damaged_header_gives_a_fault_or_a_usable_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    let mut seed = 5_u64;
    let mut random = move |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    let mut refused = 0;
    for kind in KINDS {
        tiny(&file, kind, WINDOW);
        let whole = std::fs::read(&file).unwrap();
        let last = b"token_embd.weight";
        let head = whole.windows(last.len()).position(|part| part == last);
        for _ in 0..40 {
            let mut damaged = whole.clone();
            for _ in 0..=random(3) {
                let at = random(head.unwrap() + 64);
                damaged[at] = u8::try_from(random(256)).unwrap();
            }
            std::fs::write(&file, damaged).unwrap();
            match LocalModel::open(&file) {
                Ok(mut model) => {
                    let _ = model.answer("", &user("hi"), None, 2, &|| true, &mut |_| ());
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn inspects_a_file_without_loading_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    let told = |file: &std::path::Path| {
        let mut output = Vec::new();
        let done = look(file, &mut output);
        let reply: Reply = serde_json::from_slice(&output).unwrap();
        (done.is_ok(), reply)
    };
    let (done, reply) = told(&file);
    assert!(!done && matches!(reply, Reply::Fault { id: None, code, .. } if code == "unreadable"));
    tiny(&file, "llama", WINDOW);
    let (done, reply) = told(&file);
    assert!(done);
    assert!(
        matches!(&reply, Reply::Looked { name, window: 256, memory } if name == "tiny" && *memory > 30_000),
        "{reply:?}"
    );
}

#[test]
fn an_idle_model_releases_its_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    tiny(&file, "llama", WINDOW);
    // The other end of the pipe is open but sends no request.
    let (input, _asks) = std::io::pipe().unwrap();
    let mut output = Vec::new();
    serve(
        &file,
        BufReader::new(input),
        &mut output,
        Duration::ZERO,
        || (),
    )
    .unwrap();
    assert!(String::from_utf8(output).unwrap().contains("ready"));
}

#[test]
fn the_process_answers_line_by_line_and_ends_with_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.gguf");
    tiny(&file, "llama", WINDOW);
    let ask = |id: u64, schema: serde_json::Value| {
        json!({"ask": "generate", "id": id, "system": "", "messages": [{"role": "user", "text": "hi"}],
               "schema": schema, "max_tokens": 40}).to_string()
    };
    let lines = [
        json!({"ask": "stop", "id": 1}).to_string(),
        ask(1, json!(null)),
        ask(2, json!({"type": "boolean"})),
        ask(3, json!({"type": "no such type"})),
    ];
    let input = BufReader::new(Cursor::new(lines.join("\n") + "\n"));
    let mut output = Vec::new();
    serve(&file, input, &mut output, Duration::from_secs(3_600), || ()).unwrap();
    let replies: Vec<Reply> = output
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect();
    assert_eq!(
        replies[0],
        Reply::Ready {
            name: "tiny".into(),
            window: 256
        }
    );
    assert!(matches!(
        replies[1],
        Reply::End {
            id: 1,
            stop: Stop::Stopped,
            output: 0,
            ..
        }
    ));
    let said: String = replies
        .iter()
        .filter_map(|reply| match reply {
            Reply::Token { id: 2, text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(["true", "false"].contains(&said.as_str()), "{said}");
    assert!(
        matches!(replies.last(), Some(Reply::Fault { id: Some(3), code, .. }) if code == "schema")
    );
}
