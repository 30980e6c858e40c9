//! Checks of what crates may use and what every crate must have.

use std::collections::BTreeMap;
use std::fs;

use crate::tree::{members, none, quoted, read};

/// Workspace crates that each crate may use outside its tests. Crates not listed here are not part of the workspace.
const MAY_USE: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("recurrence", &["domain"]),
    ("text", &[]),
    ("understanding", &["domain", "recurrence", "text"]),
    ("prompts", &["domain"]),
    ("engine", &["domain", "prompts", "recurrence", "text"]),
    ("net", &["domain"]),
    ("local", &[]),
    ("models", &["domain", "net", "local"]),
    ("sentence", &["domain"]),
    (
        "tools",
        &[
            "domain",
            "interchange",
            "prompts",
            "net",
            "recurrence",
            "research",
            "text",
        ],
    ),
    ("accounts", &["domain", "interchange", "net"]),
    ("interchange", &["domain", "recurrence"]),
    ("mcp", &["domain", "net"]),
    ("research", &["domain", "text"]),
    ("web", &["domain", "net", "text"]),
    ("store", &["domain", "recurrence", "text"]),
    ("settings", &["domain"]),
    ("observe", &["domain"]),
    ("api", &["domain", "engine", "recurrence"]),
    (
        "testkit",
        &["domain", "engine", "prompts", "api", "recurrence", "text"],
    ),
];

/// The crate for tests only; nothing shipped uses it.
const TESTS_ONLY: &str = "testkit";

/// Libraries on which pure crates must not depend.
const IMPURE_CRATES: &[&str] = &[
    "tokio",
    "rusqlite",
    "tantivy",
    "reqwest",
    "rand",
    "getrandom",
    "tempfile",
];

/// Maximum number of packages in the lock file, since each is code to trust and to compile.
const LOCK_PACKAGES_MAX: usize = 900;

#[test]
fn crates_use_only_what_the_architecture_allows() {
    let allowed: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut faults = Vec::new();
    for package in members() {
        let Some(name) = package.name.strip_prefix("adjutant-") else {
            continue;
        };
        let Some(may_use) = allowed.get(name) else {
            faults.push(format!(
                "{name} is not in the table of tests/tidy/crates.rs: decide what it may use"
            ));
            continue;
        };
        for used in package
            .uses_in_product
            .iter()
            .filter_map(|name| name.strip_prefix("adjutant"))
        {
            let used = used.trim_start_matches('-');
            if !may_use.contains(&used) {
                faults.push(format!(
                    "{name} uses {used}; it may use {may_use:?}. Meet through a port in domain"
                ));
            }
        }
    }
    none(faults);
}

#[test]
fn only_tests_use_the_test_crate() {
    let full_name = format!("adjutant-{TESTS_ONLY}");
    none(
        members()
            .iter()
            .filter(|package| package.uses_in_product.contains(&full_name))
            .map(|package| {
                format!(
                    "{} uses {TESTS_ONLY} outside [dev-dependencies]",
                    package.name
                )
            })
            .collect(),
    );
}

#[test]
fn libraries_stay_where_they_belong() {
    let mut faults = Vec::new();
    for package in members() {
        let store = package.name == "adjutant-store";
        let root = package.name == "adjutant";
        let net = package.name == "adjutant-net";
        let pure = ["adjutant-domain", "adjutant-understanding"].contains(&package.name.as_str());
        for library in &package.uses_in_product {
            if library.starts_with("rusqlite") && !store {
                faults.push(format!("{} uses {library}; only store does", package.name));
            }
            if ["reqwest", "hyper", "ureq"].contains(&library.as_str()) && !net {
                faults.push(format!(
                    "{} uses {library}; only net builds HTTP clients",
                    package.name
                ));
            }
            if library.starts_with("tauri") && !root {
                faults.push(format!(
                    "{} uses {library}; only the shell does",
                    package.name
                ));
            }
            if pure && IMPURE_CRATES.contains(&library.as_str()) {
                faults.push(format!("{} is pure and uses {library}", package.name));
            }
        }
        for library in &package.always_uses {
            if library.starts_with("tauri") {
                faults.push(format!(
                    "{library} is not optional: the command line must build without it"
                ));
            }
        }
    }
    none(faults);
}

#[test]
fn the_lock_file_stays_small() {
    let packages = read("Cargo.lock").matches("[[package]]").count();
    assert!(
        packages < LOCK_PACKAGES_MAX,
        "{packages} packages in Cargo.lock; the limit is {LOCK_PACKAGES_MAX}. Find a smaller library, or a feature to turn off"
    );
}

#[test]
fn the_installer_starts_the_window() {
    // Of the programs named after the package or set as its default, Tauri installs the first under the app's name.
    let (package, app) = (read("Cargo.toml"), read("tauri.conf.json"));
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.trim().starts_with(key));
        line.and_then(|line| quoted(line).last().map(str::to_owned))
    };
    let named = value(&app, "\"mainBinaryName\"");
    assert!(named.is_some());
    assert_eq!(value(&package, "default-run"), named);
    let programs = package.split("[[bin]]").nth(1).unwrap_or_default();
    assert_eq!(value(programs, "name"), named);
}

#[test]
fn every_crate_is_on_the_map_and_under_the_same_lints() {
    let map = read("docs/ARCHITECTURE.md");
    let mut faults = Vec::new();
    for package in members() {
        let manifest = fs::read_to_string(&package.manifest).unwrap_or_default();
        if !manifest.contains("[lints]\nworkspace = true") {
            faults.push(format!(
                "{}: [lints] workspace = true is missing",
                package.name
            ));
        }
        if let Some(name) = package.name.strip_prefix("adjutant-")
            && !map.contains(&format!("{name}/"))
            && !map.contains(&format!("`{name}`"))
        {
            faults.push(format!("{name} is not in docs/ARCHITECTURE.md"));
        }
    }
    none(faults);
}
