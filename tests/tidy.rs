//! The architecture, checked: what may depend on what, where Tauri, SQL, clocks and files may appear, and how the
//! sources are kept. Each test names the rule it guards; docs/ARCHITECTURE.md gives the reasons.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a check that cannot look has failed"
)]

#[path = "tidy/tree.rs"]
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use adjutant_domain::ports::Toolbox as _;

use tree::{
    lines_with, members, names, none, numbered, quoted, read, repository, resolve, sources,
};

/// Which of our crates each one may use, besides in its tests. Absent from here means not a crate of this workspace.
const MAY_USE: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("recurrence", &["domain"]),
    ("text", &[]),
    ("understanding", &["domain", "recurrence", "text"]),
    ("prompts", &["domain"]),
    ("engine", &["domain", "prompts", "text"]),
    ("net", &["domain"]),
    ("local", &[]),
    ("models", &["domain", "net", "local"]),
    ("sentence", &["domain"]),
    ("tools", &["domain", "prompts", "net", "recurrence", "text"]),
    ("accounts", &["domain", "net"]),
    ("interchange", &["domain"]),
    ("store", &["domain", "recurrence", "text"]),
    ("settings", &["domain"]),
    ("observe", &["domain"]),
    ("api", &["domain", "engine"]),
    (
        "testkit",
        &["domain", "engine", "prompts", "api", "recurrence", "text"],
    ),
];

/// The crate for tests only: nothing that is shipped uses it.
const TESTS_ONLY: &str = "testkit";

/// Sources that decide and do nothing else: time, chance, files, network and processes reach them as arguments.
const PURE: &[&str] = &[
    "src-tauri/crates/domain/src/",
    "src-tauri/crates/text/src/",
    "src-tauri/crates/understanding/src/",
    "src-tauri/crates/engine/src/turn/machine",
];

/// What pure sources do not name.
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

/// Libraries that pure crates do not depend on.
const IMPURE_CRATES: &[&str] = &[
    "tokio",
    "rusqlite",
    "tantivy",
    "reqwest",
    "rand",
    "getrandom",
    "tempfile",
];

/// Lines a source file has at most; about 400 is the aim.
const LINES_MAX: usize = 600;

/// The planner of the embedded engine is frozen: it will be replaced, and until then it only shrinks. Lower these
/// numbers when it does.
const PLANNER: &str = "src-tauri/crates/understanding/src/plan/";
/// Source files of the planner.
const PLANNER_FILES_MAX: usize = 120;
/// Lines of the planner, blank ones and comments included.
const PLANNER_LINES_MAX: usize = 30_575;

/// Packages the lock file has at most: every one is code to trust and to compile.
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
                "{name} is not in the table of tests/tidy.rs: decide what it may use"
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
fn the_crate_for_tests_is_used_by_tests_only() {
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
    // Of the programs named as the package or as its default, Tauri installs the first one under the name of the app.
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

#[test]
fn only_the_shell_knows_tauri() {
    let allowed = [
        "src-tauri/shell/",
        "src-tauri/build.rs",
        "examples/",
        "tests/tidy.rs",
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
            "Engine::new(",
        ],
        "src-tauri/compose.rs chooses adapters and hands them out",
    ));
}

/// Modules of the root package that use each other can only be read, tested and changed together.
#[test]
fn modules_of_the_app_have_no_import_cycles() {
    let module = |path: &str| {
        let inside = path.strip_prefix("src-tauri/")?;
        let of_programs = ["crates/", "cli/", "shell/", "build.rs", "lib.rs"];
        let name = inside.split('/').next()?;
        let ours = !of_programs.iter().any(|start| inside.starts_with(start));
        (ours && !inside.contains("test")).then(|| name.trim_end_matches(".rs").to_owned())
    };
    let all: BTreeSet<String> = sources(&["rs"])
        .filter_map(|(path, _)| module(path))
        .collect();
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in sources(&["rs"]) {
        let Some(own) = module(path) else { continue };
        let product = text.split("#[cfg(test)]\nmod tests {").next();
        let code = product.unwrap_or_default();
        // `use crate::{a, b::c};` names several at once.
        let groups = code.split("use crate::{").skip(1);
        let grouped = groups.filter_map(|rest| rest.split(';').next());
        let single = code.split("crate::").skip(1);
        for place in grouped.flat_map(|group| group.split(',')).chain(single) {
            let name: String = place
                .trim()
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            if name != own && all.contains(&name) {
                uses.entry(own.clone()).or_default().insert(name);
            }
        }
    }
    // Whatever uses nothing that is left comes out; what stays is on a cycle, or uses one.
    let mut left = all;
    loop {
        let free = |name: &&String| {
            uses.get(*name)
                .is_none_or(|used| used.iter().all(|one| !left.contains(one)))
        };
        let out: Vec<String> = left.iter().filter(free).cloned().collect();
        if out.is_empty() {
            break;
        }
        for name in out {
            left.remove(&name);
        }
    }
    none(
        left.into_iter()
            .map(|name| {
                format!(
                    "src-tauri/{name} is on an import cycle: {:?}",
                    uses.get(&name)
                )
            })
            .collect(),
    );
}

#[test]
fn sql_is_written_in_the_store_only() {
    none(lines_with(
        &["rs"],
        |path| path.starts_with("src-tauri/") && !path.starts_with("src-tauri/crates/store/"),
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
        // A request for the tests of what stands in front of models.
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

/// What the engine must know of a tool is on its specification: a tool of a server is one like all others.
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

#[test]
fn files_stay_short() {
    let faults = sources(&["rs", "ts", "svelte", "js", "mjs", "py"])
        .filter(|(path, _)| !path.starts_with("ui/src/gen/") && !path.contains("/data/"))
        .filter_map(|(path, text)| {
            let lines = text.lines().count();
            (lines > LINES_MAX).then(|| {
                format!("{path}: {lines} lines; the limit is {LINES_MAX}, 400 the aim. One subject a file")
            })
        })
        .collect();
    none(faults);
}

#[test]
fn the_planner_only_shrinks() {
    let planner = || sources(&["rs"]).filter(|(path, _)| path.starts_with(PLANNER));
    let (files, lines) = planner().fold((0, 0), |(files, lines), (_, text)| {
        (files + 1, lines + text.lines().count())
    });
    assert!(files > 0, "{PLANNER} is not where this test looks for it");
    assert!(
        files <= PLANNER_FILES_MAX && lines <= PLANNER_LINES_MAX,
        "{PLANNER} has {files} files and {lines} lines; it is frozen at {PLANNER_FILES_MAX} and {PLANNER_LINES_MAX}. Teach a tool, the route or a model instead"
    );
}

/// What is said by every front end names a place in the window, and the command beside it in brackets.
#[test]
fn advice_for_everybody_names_a_command_in_brackets_only() {
    const FOR_EVERYBODY: &[&str] = &[
        "src-tauri/crates/domain/src/",
        "src-tauri/crates/engine/src/",
        "src-tauri/crates/models/src/",
        "src-tauri/crates/store/src/",
        "src-tauri/crates/tools/src/",
        "src-tauri/models/",
        "src-tauri/service/",
    ];
    let said = sources(&["rs"]).filter(|(path, _)| {
        FOR_EVERYBODY.iter().any(|start| path.starts_with(start))
            && !path.contains("test")
            && !path.contains("/contract")
    });
    let mut faults = Vec::new();
    for (path, text) in said {
        for (number, line) in numbered(text) {
            let code = line.split("//").next().unwrap_or_default();
            let named = ["`adjutant ", "`--", " --"].iter();
            let bare = named
                .filter_map(|flag| code.find(flag))
                .any(|at| code.contains('"') && !code[..at].contains('('));
            if bare {
                faults.push(format!(
                    "{path}:{number}: name the place in the window, and the command in brackets"
                ));
            }
        }
    }
    none(faults);
}

#[test]
fn nothing_is_left_for_later_in_a_comment() {
    let marks = [
        concat!("TO", "DO:"),
        concat!("TO", "DO("),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
        concat!("HA", "CK:"),
    ];
    let mut faults = Vec::new();
    for (path, text) in sources(&["rs", "ts", "svelte", "js", "mjs", "py", "css", "md", "toml"]) {
        for (number, line) in numbered(text) {
            if let Some(mark) = marks.iter().find(|mark| line.contains(**mark)) {
                faults.push(format!("{path}:{number}: {mark} Do it, or open an issue"));
            }
        }
    }
    none(faults);
}

#[test]
fn no_path_of_a_single_machine_is_written_down() {
    let root = repository().to_string_lossy().into_owned();
    let mut faults = Vec::new();
    for (path, text) in sources(&[
        "rs", "ts", "svelte", "js", "mjs", "py", "sh", "md", "toml", "json", "",
    ]) {
        for (number, line) in numbered(text) {
            // In a container the root can be as short as "/src", which says nothing about a machine.
            if root.matches('/').count() >= 2 && line.contains(&root) {
                faults.push(format!(
                    "{path}:{number}: {root} exists on this machine only"
                ));
            }
        }
    }
    none(faults);
}
