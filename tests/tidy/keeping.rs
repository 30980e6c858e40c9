//! Checks of how sources are kept: their size, and what must not be in them.

use crate::tree::{none, numbered, repository, sources};

/// Maximum number of lines of a source file; the aim is about 400.
const LINES_MAX: usize = 600;

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

/// Texts shown by every front end name a place in the window, followed by the command in brackets.
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
        "src-tauri/session/",
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
            let named = ["`adjutant ", " adjutant config ", "`--"].iter();
            let option = code.match_indices(" --").find(|(at, dashes)| {
                // A line of dashes does not count.
                code[at + dashes.len()..].starts_with(|next: char| next.is_ascii_lowercase())
            });
            let bare = named
                .filter_map(|flag| code.find(flag))
                .chain(option.map(|(at, _)| at))
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
fn comments_contain_no_unfinished_work() {
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
fn sources_contain_no_machine_specific_paths() {
    let root = repository().to_string_lossy().into_owned();
    let mut faults = Vec::new();
    for (path, text) in sources(&[
        "rs", "ts", "svelte", "js", "mjs", "py", "sh", "md", "toml", "json", "",
    ]) {
        for (number, line) in numbered(text) {
            // In a container the root can be as short as "/src", which does not identify a machine.
            if root.matches('/').count() >= 2 && line.contains(&root) {
                faults.push(format!(
                    "{path}:{number}: {root} exists on this machine only"
                ));
            }
        }
    }
    none(faults);
}
