//! Tests of connections: set up, ordered, tested, inspected, priced, and removed.

use serde_json::{Value, json};

use crate::program::{ADD_FAR, CHAT, FAR, bytes, connections, plain, run, said};
use crate::server::{Reply, Server, structured, text};

#[test]
fn connects_orders_asks_and_removes_models() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let (first, second) = (
        Server::start(vec![("respond", Reply::Status(500, "oops"))]),
        Server::start(vec![("respond", text("From the second."))]),
    );
    assert!(connections(&plain(home, &["models"])).is_empty());
    for (name, server) in [("one", &first), ("two", &second)] {
        let words = ["models", "add", name, "--url", &server.url, "--model", "m"];
        plain(home, &words);
    }
    assert_eq!(connections(&plain(home, &["models"])), ["one", "two"]);

    // The first one fails, the second one answers, and the person is told.
    let output = plain(home, &["ask", CHAT]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("From the second."), "{told}");
    assert_eq!(first.stages(), ["respond"]);
    assert_eq!(second.stages(), ["respond"]);

    assert_eq!(
        connections(&plain(home, &["models", "prefer", "two"])),
        ["two", "one"]
    );
    assert_eq!(
        connections(&plain(home, &["models", "remove", "two"])),
        ["one"]
    );
    for wrong in [
        &["models", "remove", "two"][..],
        &["models", "prefer", "two"],
        &["models", "test", "two"],
        &[
            "models",
            "add",
            "three",
            "--url",
            "file:///etc",
            "--model",
            "m",
        ],
        &[
            "models",
            "add",
            "a/b",
            "--url",
            "http://127.0.0.1:9",
            "--model",
            "m",
        ],
        &[
            "models",
            "add",
            "three",
            "--kind",
            "telepathy",
            "--model",
            "m",
        ],
    ] {
        let output = plain(home, wrong);
        assert_ne!(output.status.code(), Some(0), "{wrong:?}");
        assert!(!output.stderr.is_empty(), "{wrong:?}");
    }
    assert_eq!(connections(&plain(home, &["models"])), ["one"]);
}

#[test]
fn a_test_reports_what_works() {
    let home = tempfile::tempdir().unwrap();
    let server = Server::start(vec![
        ("probe", text("marigold")),
        ("probe", text("marigold")),
        ("probe", structured(&json!({"word": "marigold"}))),
    ]);
    let words = ["models", "add", "lab", "--url", &server.url, "--model", "m"];
    plain(home.path(), &words);
    let output = plain(home.path(), &["models", "test", "lab"]);
    assert_eq!(output.status.code(), Some(0));
    let test: Value = serde_json::from_slice(&output.stdout).unwrap();
    let verdict = |what: &str| {
        let checks = test["checks"].as_array().unwrap();
        let check = checks.iter().find(|check| check["what"] == what).unwrap();
        check["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!(verdict("chat"), "works");
    assert_eq!(verdict("tools"), "missing", "it said the word in text");
    assert_eq!(verdict("structure"), "works");
    // It is recorded like every other call.
    let usage = plain(home.path(), &["show", "usage"]);
    let rows: Value = serde_json::from_slice(&usage.stdout).unwrap();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(
        (&rows[0]["stage"], &rows[0]["calls"]),
        (&json!("probe"), &json!(3))
    );
}

/// The keyring is reached over the session bus, which the test removes. This works on Linux only.
#[cfg(target_os = "linux")]
#[test]
fn reads_secrets_from_stdin_or_a_variable_and_never_writes_them() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let with = |more: &[&'static str]| [&ADD_FAR[..], more].concat();
    let cases: [(Vec<&str>, &str, &str); 7] = [
        (with(&["--key"]), "s3cret-of-a-gateway\n", "keyring"),
        (
            with(&["--header", "X-Gateway"]),
            "s3cret-of-a-gateway\n",
            "keyring",
        ),
        (
            with(&["--header-env", "X-Gateway=GATEWAY_TOKEN"]),
            "",
            "keyring",
        ),
        (
            with(&["--proxy", "http://me@127.0.0.1:3128", "--proxy-password"]),
            "s3cret-of-a-gateway\n",
            "keyring",
        ),
        (with(&["--header", "X-Gateway"]), "", "pipe it in"),
        (
            with(&["--header-env", "X-Gateway=NO_SUCH_VARIABLE"]),
            "",
            "NO_SUCH_VARIABLE",
        ),
        (
            with(&["--proxy", "http://me:s3cret-of-a-gateway@127.0.0.1:3128"]),
            "",
            "--proxy-password",
        ),
    ];
    for (words, input, holds) in cases {
        let output = run(home, input, &words);
        let told = said(&output);
        assert_ne!(output.status.code(), Some(0), "{words:?}: {told}");
        assert!(told.contains(holds), "{words:?}: {told}");
    }
    let proxy = "http://me:s3cret-of-a-gateway@proxy.example:3128";
    let output = run(home, "", &["config", "set", "network.proxy", proxy]);
    assert_ne!(output.status.code(), Some(0));
    assert!(said(&output).contains("HTTPS_PROXY"), "{}", said(&output));
    assert!(connections(&plain(home, &["models"])).is_empty());
    let all = bytes(home);
    let secret = b"s3cret-of-a-gateway";
    assert!(
        !all.windows(secret.len()).any(|part| part == secret),
        "a secret is on the disk"
    );
}

#[test]
fn the_connection_from_the_environment_keeps_its_name() {
    let home = tempfile::tempdir().unwrap();
    let words = ["models", "add", "quick", "--kind", "ollama", "--model", "m"];
    let output = run(home.path(), "", &words);
    assert_ne!(output.status.code(), Some(0));
    assert!(said(&output).contains("ADJUTANT_MODEL_URL"));
    let output = run(
        home.path(),
        "",
        &[
            "models",
            "add",
            "gate",
            "--url",
            "http://me:pw@127.0.0.1:9/v1",
            "--model",
            "m",
        ],
    );
    assert_ne!(output.status.code(), Some(0));
    assert!(said(&output).contains("password"), "{}", said(&output));
}

#[test]
fn doctor_reports_the_keyring_and_every_connection() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let list = || Reply::Status(200, "{\"data\":[{\"id\":\"lab-model\"},{\"id\":\"m\"}]}");
    let server = Server::start(vec![("", list()), ("", list())]);
    for (name, url, model) in [
        ("near", server.url.as_str(), "m"),
        ("typo", server.url.as_str(), "mm"),
        ("far", FAR, "m"),
    ] {
        let words = ["models", "add", name, "--url", url, "--model", model];
        assert_eq!(plain(home, &words).status.code(), Some(0));
    }
    let output = run(home, "", &["--offline", "--json", "doctor"]);
    let checks: Value = serde_json::from_slice(&output.stdout).unwrap();
    let check = |name: &str| {
        let all = checks.as_array().unwrap();
        let found = all.iter().find(|check| check["name"] == name);
        found.unwrap_or_else(|| panic!("{name}: {checks}")).clone()
    };
    #[cfg(target_os = "linux")]
    assert_eq!(check("Keyring")["state"], "optional");
    assert_eq!(check("Model near")["state"], "ok", "{checks}");
    let typo = check("Model typo");
    assert_eq!(typo["state"], "broken", "{typo}");
    assert!(typo["found"].as_str().unwrap().contains("no model mm"));
    assert!(typo["hint"].as_str().unwrap().contains("lab-model"));
    let far = check("Model far");
    assert_eq!(far["state"], "missing");
    assert!(far["found"].as_str().unwrap().contains("offline"));
    assert_eq!(output.status.code(), Some(1), "something is broken");
    assert_eq!(server.arrived().len(), 2, "nothing but lists was asked for");
    // Nothing listens at the third address.
    drop(server);
    let output = run(home, "", &["--offline", "doctor"]);
    assert!(
        said(&output).contains("could not be reached"),
        "{}",
        said(&output)
    );
}

#[test]
fn explain_states_the_possible_cost_in_the_set_currency() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let server = Server::start(vec![("respond", text("Once upon a time."))]);
    let add = [
        "models",
        "add",
        "lab",
        "--url",
        &server.url,
        "--model",
        "m",
        "--input-price",
        "3",
        "--output-price",
        "15",
    ];
    assert_eq!(run(home, "", &add).status.code(), Some(0));
    run(home, "", &["config", "set", "models.currency", "CHF"]);
    let explained = said(&run(home, "", &["--offline", "ask", "--explain", CHAT]));
    // 8,007 tokens at 3 and 2,000 at 15 per million. A given price counts on this computer too.
    assert!(
        explained.contains("Models: at most 0.054021 CHF"),
        "{explained}"
    );
    assert!(
        explained.contains("respond (standard): lab/m, up to 1 ×"),
        "{explained}"
    );
    let known = "Add a task to call mom tomorrow at 5pm";
    let explained = said(&run(home, "", &["--offline", "ask", "--explain", known]));
    assert!(explained.contains("Models: none needed"), "{explained}");
    let usage = run(home, "", &["--json", "show", "usage"]);
    let rows: Value = serde_json::from_slice(&usage.stdout).unwrap();
    assert_eq!(rows[0]["currency"], "CHF", "{rows}");
}
