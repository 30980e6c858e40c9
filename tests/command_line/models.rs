//! Tests of `models`: a refusal names the option at fault, and the cost of a large run is stated in advance.

use serde_json::Value;

use super::{code, errors, run};

/// A connection that could never be used is not stored, and the message says what to do instead.
#[cfg(not(feature = "local-model"))]
#[test]
fn refuses_a_model_file_that_nothing_can_run() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path();
    let file = home.join("small.gguf");
    std::fs::write(&file, "GGUF").expect("a file");
    let file = file.to_str().expect("a path");
    let refused = run(home, &["models", "add", "small", "--gguf", file]);
    assert_eq!(code(&refused), 2);
    let said = errors(&refused);
    assert!(said.contains("adjutant-local"), "{said}");
    // Nor is a file downloaded that could never run, and the person is not asked about it.
    let refused = run(home, &["models", "fetch", "qwen2.5-0.5b", "--yes"]);
    assert_eq!(code(&refused), 2);
    assert!(errors(&refused).contains("adjutant-local"));
    let listed = run(home, &["models", "fetch"]);
    assert_eq!(code(&listed), 0);
    assert!(errors(&listed).contains("adjutant-local"));
    assert!(!home.join("models").exists());
    let kept = run(home, &["--json", "models", "list"]);
    let kept: Value = serde_json::from_slice(&kept.stdout).expect("JSON");
    assert_eq!(kept["connections"], serde_json::json!([]));
}

#[test]
fn a_fault_of_a_connection_names_the_option() {
    let home = tempfile::tempdir().expect("a folder");
    let add = |words: &[&str]| {
        let add = ["models", "add", "work", "--model", "m"];
        let output = run(home.path(), &[&add[..], words].concat());
        (code(&output), errors(&output))
    };
    for (words, option) in [
        (["--url", "nowhere"], "--url"),
        (["--kind", "telepathy"], "--kind"),
        (["--proxy", "proxy.example:3128"], "--proxy"),
        (["--header-env", "Host=PATH"], "--header"),
    ] {
        let url = ["--url", "https://models.example/v1"];
        let more = if option == "--url" { &[][..] } else { &url };
        let (code, said) = add(&[&words, more].concat());
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(&format!("Check {option}")), "{said}");
    }
}

#[test]
fn states_the_cost_of_comparisons_and_vectors_in_advance() {
    let home = tempfile::tempdir().expect("a folder");
    // Nothing is contacted, and no model needs to be reachable for it.
    let offline = |words: &[&str]| {
        let output = run(home.path(), &[&["--offline"], words].concat());
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        (code(&output), told, errors(&output))
    };
    let add = |name, more: &[&str]| {
        let add = ["models", "add", name, "--model", "m"];
        let url = ["--url", "https://models.example/v1"];
        offline(&[&add[..], &url, more].concat())
    };
    assert_eq!(add("live", &[]).0, 0);
    let (code, _, said) = add("other", &["--embedding", "v", "--input-price", "2000"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("other/v makes vectors"), "{said}");
    // A fraction of a cent is not a large run.
    let (_, _, said) = add("other", &["--input-price", "0.02"]);
    assert!(!said.contains("makes vectors"), "{said}");
    let (code, told, _) = offline(&["models", "compare", "other"]);
    assert_eq!(code, 0);
    assert!(told.contains("last 31 days"), "{told}");
    assert!(told.contains("0.25 USD a day"), "{told}");
    let (code, _, said) = offline(&["config", "set", "models.shadow", "other"]);
    assert_eq!(code, 0);
    assert!(said.contains("last 31 days"), "{said}");
    let (code, ..) = offline(&["models", "compare", "nobody"]);
    assert_eq!(code, 1);
}
