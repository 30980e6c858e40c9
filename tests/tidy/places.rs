//! Checks of where things may be named: Tauri, SQL, clocks, adapters, tools and texts for models.

use std::collections::BTreeSet;
use std::sync::Arc;

use adjutant_domain::ports::Toolbox as _;

use crate::tree::{lines_with, names, none, numbered, quoted, resolve, sources};

/// Sources that only compute. They receive time, randomness, files, network and processes as arguments.
const PURE: &[&str] = &[
    "src-tauri/crates/domain/src/",
    "src-tauri/crates/text/src/",
    "src-tauri/crates/understanding/src/",
    "src-tauri/crates/engine/src/turn/machine",
    "src-tauri/crates/engine/src/sound.rs",
];

/// What pure sources must not name.
const IMPURE: &[&str] = &[
    "SystemTime::now",
    "Instant::now",
    "Zoned::now",
    "Timestamp::now",
    "TimeZone::system",
    "Utc::now",
    "Local::now",
    "thread::sleep",
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "tokio::",
    "rand::",
    "getrandom",
];

#[test]
fn only_the_shell_knows_tauri() {
    let allowed = [
        "src-tauri/shell/",
        "src-tauri/build.rs",
        "examples/",
        "tests/tidy/",
    ];
    none(lines_with(
        &["rs"],
        |path| !allowed.iter().any(|start| path.starts_with(start)),
        &["tauri::", "tauri_plugin", "tauri_build"],
        "only src-tauri/shell/ uses Tauri",
    ));
}

#[test]
fn only_the_host_folder_of_the_ui_knows_tauri() {
    none(lines_with(
        &["ts", "svelte", "js"],
        |path| {
            path.starts_with("ui/src/")
                && !path.starts_with("ui/src/host/")
                && !path.ends_with(".test.ts")
        },
        &["@tauri-apps/", "__TAURI"],
        "only ui/src/host/ imports @tauri-apps",
    ));
}

#[test]
fn features_of_the_ui_do_not_import_each_other() {
    let mut faults = Vec::new();
    for (path, text) in sources(&["ts", "svelte"]) {
        let Some(inside) = path.strip_prefix("ui/src/features/") else {
            continue;
        };
        let Some((feature, _)) = inside.split_once('/') else {
            continue;
        };
        for (number, line) in numbered(text) {
            for target in quoted(line).filter(|quoted| quoted.contains('/')) {
                let resolved = resolve(path, target);
                if let Some(rest) = resolved.split("features/").nth(1)
                    && rest.split('/').next() != Some(feature)
                    && line.contains("import")
                {
                    faults.push(format!(
                        "{path}:{number}: {feature} imports {rest}; share it through kit/ or a store"
                    ));
                }
            }
        }
    }
    none(faults);
}

#[test]
fn adapters_are_chosen_in_one_place() {
    let composing = ["src-tauri/compose.rs", "src-tauri/network/"];
    none(lines_with(
        &["rs"],
        |path| {
            path.starts_with("src-tauri/")
                && !path.starts_with("src-tauri/crates/")
                && !path.contains("test")
                && !composing.iter().any(|start| path.starts_with(start))
        },
        &[
            "Store::open(",
            "Keyring::of(",
            "CredentialStore::new(",
            "Network::new(",
            "NetClient::new(",
            "Registry::new(",
            "Registry::with_accounts(",
            "Engine::new(",
        ],
        "src-tauri/compose.rs chooses adapters and hands them out",
    ));
}

#[test]
fn sql_is_written_in_the_store_only() {
    // IMAP has a SELECT command too.
    let elsewhere = |path: &str| {
        path.starts_with("src-tauri/")
            && !path.starts_with("src-tauri/crates/store/")
            && !path.starts_with("src-tauri/crates/accounts/")
    };
    none(lines_with(
        &["rs"],
        elsewhere,
        &[
            "\"SELECT ",
            "INSERT INTO ",
            "DELETE FROM ",
            "CREATE TABLE ",
            "\"PRAGMA ",
        ],
        "only crates/store writes SQL",
    ));
}

#[test]
fn pure_sources_touch_nothing_outside() {
    none(lines_with(
        &["rs"],
        |path| PURE.iter().any(|start| path.starts_with(start)),
        IMPURE,
        "this source is pure: take it as an argument, or meet it through a port",
    ));
}

#[test]
fn text_for_models_is_built_from_prompt_files_only() {
    let allowed = [
        "src-tauri/crates/prompts/src/",
        "src-tauri/crates/domain/src/model/",
        "src-tauri/crates/testkit/",
        // A request for the tests of the layers in front of models.
        "src-tauri/crates/models/src/tiers/script.rs",
    ];
    let product = |path: &str| {
        path.starts_with("src-tauri/")
            && !path.contains("/tests/")
            && !path.ends_with("/tests.rs")
            && !allowed.iter().any(|start| path.starts_with(start))
    };
    let mut faults = Vec::new();
    for (path, text) in sources(&["rs"]).filter(|(path, _)| product(path)) {
        let lines = numbered(text).take_while(|(_, line)| !line.contains("#[cfg(test)]"));
        for (number, _) in lines.filter(|(_, line)| names(line, "Prompted {")) {
            faults.push(format!(
                "{path}:{number}: text for a model is a file under prompts/, rendered by adjutant_prompts::render"
            ));
        }
    }
    none(faults);
}

/// A tool's specification must say everything the engine needs to know, so that tools of servers are treated alike.
#[test]
fn the_engine_names_no_tool() {
    let tools = adjutant_tools::Registry::new(Arc::new(adjutant_understanding::Embedded)).catalog();
    let own = |path: &str| {
        path.starts_with("src-tauri/crates/engine/src/")
            && !path.contains("/test")
            && !path.contains("_tests.rs")
    };
    let mut faults = Vec::new();
    for (path, text) in sources(&["rs"]).filter(|(path, _)| own(path)) {
        let lines = numbered(text).take_while(|(_, line)| !line.contains("#[cfg(test)]"));
        for (number, line) in lines {
            for name in quoted(line).filter(|name| tools.get(name).is_some()) {
                faults.push(format!(
                    "{path}:{number}: the engine names the tool {name}; what it must know of a tool is on its ToolSpec"
                ));
            }
        }
    }
    none(faults);
}

#[test]
fn every_prompt_has_its_context_and_every_context_its_prompt() {
    let named: BTreeSet<&str> = sources(&["rs"])
        .filter(|(path, _)| path.starts_with("src-tauri/"))
        .flat_map(|(_, text)| text.lines())
        .filter_map(|line| line.split_once("const FILE: &'static str = "))
        .filter_map(|(_, value)| value.split('"').nth(1))
        .collect();
    let files: BTreeSet<&str> = sources(&["md"])
        .filter_map(|(path, _)| path.strip_prefix("prompts/")?.strip_suffix(".md"))
        .filter(|name| {
            !["partials/", "specialists/", "README"]
                .iter()
                .any(|start| name.starts_with(start))
        })
        .collect();
    let orphans = files
        .difference(&named)
        .map(|name| format!("prompts/{name}.md: no struct has it as Prompt::FILE"));
    let missing = named
        .difference(&files)
        .map(|name| format!("prompts/{name}.md: a struct names it, and it is not there"));
    none(orphans.chain(missing).collect());
}
