//! The conformance suite of the protocol, in both revisions. It expects a server made for it, with certain tools,
//! resources, prompts and logging. `tests/mcp/not-offered-*.yml` lists what Adjutant does not offer; a listed scenario
//! that passes fails the test as well.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::keyring::Keyring;
use crate::serving::Serving;

/// Returns a Node for the suite, which needs version 22: the one installed by `scripts/setup test` if the usual one is
/// older.
fn node() -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "where the tools of tests are")]
    let home = std::env::var_os("HOME").unwrap();
    let fetched = Path::new(&home).join(".cache/adjutant/tools/node-22/bin/node");
    if fetched.exists() {
        fetched
    } else {
        "node".into()
    }
}

fn conforms(revision: &str) {
    let (home, keyring) = (tempfile::tempdir().unwrap(), Keyring::start());
    let serving = Serving::start(home.path(), &keyring, &[]);
    let results = tempfile::tempdir().unwrap();
    let script = std::env::current_dir()
        .unwrap()
        .join("tests/mcp/conformance.mjs");
    let output = Command::new(node())
        .arg(script)
        .args([&serving.address, revision])
        .env("ADJUTANT_MCP_TOKEN", serving.token.as_ref().unwrap())
        .current_dir(results.path())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn conforms_to_the_2025_revision() {
    conforms("2025-11-25");
}

#[test]
fn conforms_to_the_2026_revision() {
    conforms("2026-07-28");
}

#[test]
fn shows_the_token_only_once() {
    let (home, keyring) = (tempfile::tempdir().unwrap(), Keyring::start());
    let first = Serving::start(home.path(), &keyring, &[]);
    assert!(first.token.as_ref().unwrap().starts_with("adj_"));
    let second = Serving::start(home.path(), &keyring, &[]);
    assert_eq!(second.token, None, "it was told already");
    drop((first, second));
    let third = Serving::start(home.path(), &keyring, &["--new-token"]);
    assert!(third.token.is_some());
    assert_eq!(keyring.entries(home.path()), ["mcp-serve-token"]);
}
