//! Tests of `eval route --model`: a model is asked only where the embedded engine is unsure.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::program::{command, plain, said};
use crate::server::{Reply, Server, structured};

const SURE: &str = "Add a task to call mom tomorrow at 5pm";
const UNSURE: &str = "I had a rough day at work";

fn eval(home: &Path, url: &str, suite: &str, cases: &[Value]) -> (Output, Vec<Value>) {
    let (input, output) = (home.join("in.jsonl"), home.join("out.jsonl"));
    let lines: Vec<String> = cases.iter().map(Value::to_string).collect();
    std::fs::write(&input, lines.join("\n")).unwrap();
    let ended = command(home, url)
        .args(["--offline", "eval", suite, "--model", "--in"])
        .args([&input, Path::new("--out"), &output])
        .output()
        .unwrap();
    let written = std::fs::read_to_string(&output).unwrap_or_default();
    let predictions = written
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    (ended, predictions.collect())
}

#[test]
fn asks_a_model_if_the_embedded_engine_is_unsure() {
    let home = tempfile::tempdir().unwrap();
    let reply =
        json!({"type": "action", "domains": ["note"], "is_followup": false, "confidence": 0.9});
    let server = Server::start(vec![("route", structured(&reply))]);
    let cases = [
        json!({"id": 1, "text": SURE}),
        json!({"id": "b", "text": UNSURE, "history": [
            {"role": "user", "text": "Remind me of the harbour"},
            {"role": "assistant", "text": "When?"}
        ]}),
        json!({"id": 3, "text": SURE}),
    ];
    let (ended, predictions) = eval(home.path(), &server.url, "route", &cases);
    assert_eq!(ended.status.code(), Some(0), "{}", said(&ended));
    let ids: Vec<&Value> = predictions.iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&json!(1), &json!("b"), &json!(3)]);
    let by: Vec<&Value> = predictions.iter().map(|one| &one["by"]).collect();
    assert_eq!(by, ["embedded", "quick/lab-model", "embedded"]);
    assert_eq!(predictions[0]["domains"], json!(["task"]));
    assert_eq!(predictions[1]["domains"], json!(["note"]));
    assert_eq!(predictions[1]["type"], "action");
    assert!(predictions.iter().all(|one| one["micros"].is_u64()));
    // One request, with the earlier messages and nothing of the other cases.
    let arrived = server.arrived();
    let [asked] = arrived.as_slice() else {
        panic!("{arrived:?}");
    };
    assert_eq!(asked.shape(), Some("route"));
    let sent = asked.body["messages"].to_string();
    assert!(sent.contains(UNSURE) && sent.contains("harbour"), "{sent}");
    assert!(!sent.contains("call mom"), "{sent}");
    let told = said(&ended);
    assert!(told.contains("1 requests to quick/lab-model"), "{told}");
    assert!(told.contains("A model answered 1 of 1"), "{told}");
    // It appears in the usage, but creates no conversation.
    let usage = plain(home.path(), &["show", "usage"]);
    let rows: Value = serde_json::from_slice(&usage.stdout).unwrap();
    assert_eq!(
        (&rows[0]["stage"], &rows[0]["calls"]),
        (&json!("route"), &json!(1))
    );
    let conversations = plain(home.path(), &["show", "conversations"]);
    assert_eq!(String::from_utf8_lossy(&conversations.stdout).trim(), "[]");
}

#[test]
fn asks_cases_concurrently_and_writes_them_in_order() {
    let home = tempfile::tempdir().unwrap();
    let reply = json!({"type": "chat", "domains": [], "is_followup": false, "confidence": 0.9});
    let server = Server::start(vec![("route", structured(&reply)); 9]);
    let cases: Vec<Value> = (0..9)
        .map(|number| json!({"id": number, "text": format!("{UNSURE} {number}")}))
        .collect();
    let (ended, predictions) = eval(home.path(), &server.url, "route", &cases);
    assert_eq!(ended.status.code(), Some(0), "{}", said(&ended));
    let ids: Vec<Value> = predictions.iter().map(|one| one["id"].clone()).collect();
    assert_eq!(ids, (0..9).map(|number| json!(number)).collect::<Vec<_>>());
    assert!(predictions.iter().all(|one| one["by"] == "quick/lab-model"));
    assert_eq!(server.stages().len(), 9);
}

#[test]
fn reports_a_missing_route_and_assumes_conversation() {
    let home = tempfile::tempdir().unwrap();
    let refusal = "{\"error\":{\"message\":\"wrong key\"}}";
    let server = Server::start(vec![("route", Reply::Status(401, refusal))]);
    let case = json!({"id": 1, "text": UNSURE});
    let (ended, predictions) = eval(home.path(), &server.url, "route", &[case]);
    assert_eq!(ended.status.code(), Some(1), "{}", said(&ended));
    assert_eq!(predictions[0]["domains"], json!([]));
    assert_eq!(predictions[0]["by"], "embedded");
    let told = said(&ended);
    assert!(told.contains("0 of 1") && told.contains("key"), "{told}");
}

#[test]
fn pays_nothing_for_predictions_that_cannot_be_written() {
    let home = tempfile::tempdir().unwrap();
    let reply = json!({"type": "chat", "domains": [], "is_followup": false, "confidence": 0.9});
    let server = Server::start(vec![("route", structured(&reply))]);
    // A folder with that name is in the way.
    std::fs::create_dir(home.path().join("out.jsonl")).unwrap();
    let case = json!({"id": 1, "text": UNSURE});
    let (ended, _) = eval(home.path(), &server.url, "route", &[case]);
    assert_eq!(ended.status.code(), Some(1), "{}", said(&ended));
    assert!(said(&ended).contains("out.jsonl"), "{}", said(&ended));
    assert_eq!(server.stages().len(), 0);
}

#[test]
fn says_when_no_model_is_connected_or_needed() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("in.jsonl");
    std::fs::write(&file, json!({"id": 1, "text": UNSURE}).to_string()).unwrap();
    let input = file.display().to_string();
    let run = |suite| {
        let words = [
            "eval",
            suite,
            "--model",
            "--in",
            &input,
            "--out",
            "/dev/null",
        ];
        plain(home.path(), &words)
    };
    let none = run("route");
    assert_eq!(none.status.code(), Some(1), "{}", said(&none));
    assert!(
        said(&none).contains("No model is connected"),
        "{}",
        said(&none)
    );
    assert!(
        said(&none).contains("adjutant models add"),
        "{}",
        said(&none)
    );
    for suite in ["when", "confirm", "repair", "own"] {
        let refused = run(suite);
        assert_eq!(refused.status.code(), Some(2), "{suite}");
        assert!(
            said(&refused).contains("This suite uses no model"),
            "{suite}"
        );
    }
}
