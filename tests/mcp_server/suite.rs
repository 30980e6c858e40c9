//! The conformance suite of the protocol, both revisions. What it asks of a server that is made for it (tools of certain
//! names, resources, prompts, logging) Adjutant does not offer; `tests/mcp/not-offered-*.yml` lists that, and a scenario
//! that passes though it is listed fails as well.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::keyring::Keyring;
use crate::serving::Serving;

/// The suite needs Node 22: the one that `scripts/setup test` fetched, where the usual one is older.
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
fn it_conforms_to_the_revision_of_2025() {
    conforms("2025-11-25");
}

#[test]
fn it_conforms_to_the_revision_of_2026() {
    conforms("2026-07-28");
}

#[test]
fn the_token_is_told_once_and_no_process_gets_it_again() {
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
