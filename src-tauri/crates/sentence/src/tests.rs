//! Tests of loading, with a tiny random model generated here and with the published model if available.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use adjutant_domain::model::{Embedder as _, ModelFault};
use candle_core::{Device, Tensor};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot::error::TryRecvError;

use crate::examples::Examples;
use crate::fault::SentenceFault;
use crate::files::{Contents, PinnedFile, WEIGHTS, read_one};
use crate::{DIMENSIONS, FOLDER, LocalEmbedder, SentenceModel, TEXTS_MAX, TOKENS_MAX, are_there};

/// Longer than any test takes, so that whatever is sent arrives earlier.
const WAIT: Duration = Duration::from_secs(3_600);
const WIDTH: usize = 16;
const WORDS: [&str; 8] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "meet", "ana", "##s", "today",
];

/// Returns a complete model of the same kind with pseudo-random numbers that never change.
fn tiny() -> Contents {
    let mut seed = 7_u64;
    let mut tensor = |name: String, shape: &[usize]| {
        let values: Vec<f32> = (0..shape.iter().product::<usize>())
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let random = (seed >> 40) as f32 / (1_u32 << 24) as f32 - 0.5;
                // As in trained models: scales near one, shifts near zero.
                if name.ends_with("LayerNorm.weight") {
                    1.0 + random / 10.0
                } else if name.ends_with("bias") {
                    random / 10.0
                } else {
                    random
                }
            })
            .collect();
        (name, Tensor::from_vec(values, shape, &Device::Cpu).unwrap())
    };
    let mut tensors = vec![
        tensor(
            "embeddings.word_embeddings.weight".into(),
            &[WORDS.len(), WIDTH],
        ),
        tensor(
            "embeddings.position_embeddings.weight".into(),
            &[TOKENS_MAX, WIDTH],
        ),
        tensor(
            "embeddings.token_type_embeddings.weight".into(),
            &[2, WIDTH],
        ),
    ];
    let mut pair = |name: &str, shape: &[usize]| {
        tensors.push(tensor(format!("{name}.weight"), shape));
        tensors.push(tensor(format!("{name}.bias"), &shape[..1]));
    };
    pair("embeddings.LayerNorm", &[WIDTH]);
    for layer in 0..2 {
        let at = |part: &str| format!("encoder.layer.{layer}.{part}");
        for part in ["query", "key", "value"] {
            pair(&at(&format!("attention.self.{part}")), &[WIDTH, WIDTH]);
        }
        pair(&at("attention.output.dense"), &[WIDTH, WIDTH]);
        pair(&at("attention.output.LayerNorm"), &[WIDTH]);
        pair(&at("intermediate.dense"), &[WIDTH * 2, WIDTH]);
        pair(&at("output.dense"), &[WIDTH, WIDTH * 2]);
        pair(&at("output.LayerNorm"), &[WIDTH]);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tiny.safetensors");
    let tensors: HashMap<String, Tensor> = tensors.into_iter().collect();
    candle_core::safetensors::save(&tensors, &file).unwrap();
    let vocabulary: HashMap<&str, usize> = WORDS.iter().copied().zip(0..).collect();
    Contents {
        config: serde_json::to_vec(&json!({
            "vocab_size": WORDS.len(), "hidden_size": WIDTH, "num_hidden_layers": 2, "num_attention_heads": 4,
            "intermediate_size": WIDTH * 2, "hidden_act": "gelu", "hidden_dropout_prob": 0.1,
            "max_position_embeddings": TOKENS_MAX, "type_vocab_size": 2, "initializer_range": 0.02,
            "layer_norm_eps": 1e-12, "pad_token_id": 0, "model_type": "bert",
        }))
        .unwrap(),
        tokenizer: serde_json::to_vec(&json!({
            "version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
            "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                           "strip_accents": null, "lowercase": true},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                      "max_input_chars_per_word": 100, "vocab": vocabulary},
        }))
        .unwrap(),
        tensors: fs::read(file).unwrap(),
    }
}

fn model() -> SentenceModel {
    SentenceModel::from_contents(tiny()).unwrap()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn vectors_have_unit_length_and_are_independent_of_the_batch() {
    let model = model();
    let texts = ["Ana", "Meet Anas today, meet Ana today", "", "\0\u{202e}💥"];
    let together = model.embed(&texts).unwrap();
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(vector.len(), WIDTH);
        assert!((dot(vector, vector) - 1.0).abs() < 1e-5, "{text:?}");
        let alone = &model.embed(&[text]).unwrap()[0];
        assert!(dot(vector, alone) > 1.0 - 1e-5, "{text:?} beside others");
    }
    let apart = dot(&together[0], &together[2]);
    assert!(apart < 0.99, "{apart}");
    assert_eq!(model.embed::<&str>(&[]).unwrap(), Vec::<Vec<f32>>::new());
}

#[test]
fn keeps_the_order_over_several_batches() {
    let model = model();
    let texts: Vec<String> = (0..70).map(|n| "meet ana ".repeat(70 - n)).collect();
    let vectors = model.embed(&texts).unwrap();
    for at in [0, 33, 69] {
        let alone = &model.embed(&texts[at..=at]).unwrap()[0];
        assert!(dot(&vectors[at], alone) > 1.0 - 1e-5, "text {at}");
    }
}

#[test]
fn cuts_long_texts_and_refuses_too_many() {
    let model = model();
    // Two of the tokens mark the beginning and the end.
    let full = "meet ".repeat(TOKENS_MAX - 2);
    let longer = full.clone() + &"ana ".repeat(20_000);
    let vectors = model.embed(&[full, longer]).unwrap();
    assert!(dot(&vectors[0], &vectors[1]) > 1.0 - 1e-5);
    let strange: String = "é\u{301}👩\u{200d}👩".repeat(8_000);
    assert_eq!(model.embed(&[strange]).unwrap()[0].len(), WIDTH);
    assert_eq!(
        model.embed(&vec![""; TEXTS_MAX + 1]),
        Err(SentenceFault::TooMany {
            asked: TEXTS_MAX + 1,
            at_most: TEXTS_MAX
        })
    );
}

#[test]
fn distinguishes_contents_that_are_not_a_model() {
    type Spoil = fn(&mut Contents);
    let spoils: [Spoil; 4] = [
        |contents| contents.config = b"{}".to_vec(),
        |contents| contents.tokenizer = b"\xff".to_vec(),
        |contents| contents.tensors.truncate(100),
        |contents| contents.tensors = vec![0xff; 64],
    ];
    for spoil in spoils {
        let mut contents = tiny();
        spoil(&mut contents);
        assert!(matches!(
            SentenceModel::from_contents(contents),
            Err(SentenceFault::NotAModel { .. })
        ));
    }
}

#[test]
fn accepts_a_file_only_as_published() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = PinnedFile {
        name: "config.json",
        bytes: 5,
        sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    };
    let file = || wanted.name.to_owned();
    let path = folder.path().join(wanted.name);
    let read = || read_one(folder.path(), wanted);
    assert_eq!(read(), Err(SentenceFault::Missing { file: file() }));
    for content in ["hell", "hello!", "hellO"] {
        fs::write(&path, content).unwrap();
        assert_eq!(read(), Err(SentenceFault::Damaged { file: file() }));
    }
    fs::write(&path, "hello").unwrap();
    assert_eq!(read(), Ok(b"hello".to_vec()));
    assert_eq!(Sha256::digest(b"hello")[..2], [0x2c, 0xf2]);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(read().is_err());
    assert!(!are_there(folder.path()));
    assert!(LocalEmbedder::find(folder.path(), Vec::new(), Duration::ZERO).is_none());
}

#[test]
fn the_script_that_fetches_the_model_pins_the_same_files() {
    let script = include_str!("../../../../scripts/sentence-model");
    for file in WEIGHTS {
        assert!(script.contains(file.sha256), "{}", file.name);
    }
    assert!(script.contains(FOLDER));
}

fn none() -> Examples {
    Examples::new(Vec::new(), "nowhere/examples".into())
}

/// Returns a model on its own thread, and how often it was loaded.
fn lane(idle: Duration) -> (LocalEmbedder, Arc<AtomicUsize>) {
    let loads = Arc::new(AtomicUsize::new(0));
    let counted = loads.clone();
    let load = move || {
        counted.fetch_add(1, Ordering::SeqCst);
        SentenceModel::from_contents(tiny())
    };
    (LocalEmbedder::loading(Box::new(load), none(), idle), loads)
}

#[tokio::test]
async fn loads_the_model_at_the_first_request_and_keeps_it() {
    let (embedder, loads) = lane(WAIT);
    assert!(!embedder.is_awake());
    assert_eq!(embedder.embed(Vec::new()).await, Ok(Vec::new()));
    assert_eq!(loads.load(Ordering::SeqCst), 0);
    let both = [
        embedder.embed(vec!["ana".into()]),
        embedder.embed(vec!["ana".into()]),
    ];
    let [first, second] = both;
    assert_eq!(first.await, second.await);
    assert!(embedder.is_awake());
    assert_eq!(loads.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn unloads_an_idle_model_and_loads_it_again() {
    let (embedder, loads) = lane(Duration::ZERO);
    for round in 1..=3 {
        assert!(embedder.embed(vec!["ana".into()]).await.is_ok());
        while embedder.is_awake() {
            tokio::task::yield_now().await;
        }
        assert_eq!(loads.load(Ordering::SeqCst), round);
    }
}

#[tokio::test]
async fn an_abandoned_request_delays_nobody() {
    let (embedder, _) = lane(WAIT);
    let many: Vec<String> = vec!["meet ana today".repeat(60); TEXTS_MAX];
    let given_up = embedder.vectors(many).unwrap();
    drop(given_up);
    assert!(embedder.embed(vec!["ana".into()]).await.is_ok());
}

#[tokio::test]
async fn a_comparison_does_not_wait_for_the_end_of_a_long_request() {
    let (embedder, _) = lane(WAIT);
    let many: Vec<String> = vec!["meet ana today".repeat(60); TEXTS_MAX];
    let mut long = embedder.vectors(many).unwrap();
    assert!(embedder.cosines("Ana", WAIT).is_some());
    // Neither answered nor refused yet: it is still running.
    assert!(matches!(long.try_recv(), Err(TryRecvError::Empty)));
    drop(long);
}

#[tokio::test]
async fn retries_a_failed_load_later() {
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = tries.clone();
    let load = move || match counted.fetch_add(1, Ordering::SeqCst) {
        0 => Err(SentenceFault::Busy),
        _ => SentenceModel::from_contents(tiny()),
    };
    let embedder = LocalEmbedder::loading(Box::new(load), none(), Duration::ZERO);
    assert!(embedder.embed(vec!["ana".into()]).await.is_err());
    while embedder.is_awake() {
        tokio::task::yield_now().await;
    }
    assert!(embedder.embed(vec!["ana".into()]).await.is_ok());
}

#[test]
fn compares_texts_with_examples_and_caches_their_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("examples");
    let cosines = |texts: &[&str]| {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        let load = || SentenceModel::from_contents(tiny());
        let examples = Examples::new(texts, file.clone());
        let embedder = LocalEmbedder::loading(Box::new(load), examples, WAIT);
        embedder.cosines("Ana", WAIT).unwrap()
    };
    let first = cosines(&["meet today", "ana"]);
    assert!(
        first[0] < first[1] && (first[1] - 1.0).abs() < 1e-5,
        "{first:?}"
    );
    let kept = fs::read(&file).unwrap();
    assert_eq!(kept.len(), 32 + 2 * WIDTH * 4);
    assert_eq!(cosines(&["meet today", "ana"]), first, "as kept");
    assert_eq!(
        cosines(&["ana", "meet today"]),
        [first[1], first[0]],
        "others"
    );
    for spoil in [0, 32, kept.len() - 1] {
        let mut spoilt = kept.clone();
        spoilt[spoil] ^= 1;
        fs::write(&file, spoilt).unwrap();
        assert_eq!(cosines(&["meet today", "ana"]), first, "byte {spoil}");
        assert_eq!(fs::read(&file).unwrap(), kept, "mended");
    }
}

#[test]
fn without_the_model_there_is_no_comparison() {
    let load = || Err(SentenceFault::Busy);
    let embedder = LocalEmbedder::loading(Box::new(load), none(), WAIT);
    assert_eq!(embedder.cosines("Ana", WAIT), None);
}

#[tokio::test]
async fn missing_files_are_a_model_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_path_buf();
    let load = Box::new(move || SentenceModel::open(&path));
    let embedder = LocalEmbedder::loading(load, none(), Duration::ZERO);
    assert_eq!(
        embedder.embed(vec!["ana".into()]).await,
        Err(ModelFault::NoSuchModel {
            model: embedder.id()
        })
    );
}

/// The expected figures are those published by the authors for these sentences (sbert.net, Quickstart).
#[test]
fn the_published_model_gives_the_published_figures() {
    let home = directories::ProjectDirs::from("org", "Adjutant", "Adjutant").unwrap();
    let folder = home.data_dir().join(FOLDER);
    if !are_there(&folder) {
        println!("skipped: the sentence model is not installed (make run fetches it)");
        return;
    }
    let model = SentenceModel::open(&folder).unwrap();
    let vectors = model
        .embed(&[
            "The weather is lovely today.",
            "It's so sunny outside!",
            "He drove to the stadium.",
        ])
        .unwrap();
    assert_eq!(vectors[0].len(), DIMENSIONS);
    for (a, b, published) in [(0, 1, 0.6660), (0, 2, 0.1046), (1, 2, 0.1411)] {
        let found = dot(&vectors[a], &vectors[b]);
        assert!((found - published).abs() < 1e-3, "{a} {b}: {found}");
    }
}
