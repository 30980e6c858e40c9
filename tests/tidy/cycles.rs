//! Checks that modules of a crate do not depend on each other in cycles, because such modules can only be read, tested
//! and changed together.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{members, none, sources};

/// Parts of the root package that are programs of their own, or their entry points.
const PROGRAMS: &[&str] = &["crates/", "cli/", "shell/", "build.rs", "lib.rs"];

/// The modules of one crate, and their dependencies.
#[derive(Default)]
struct Modules {
    /// Names re-exported by `lib.rs`, with the module of each.
    handed_on: BTreeMap<String, String>,
    uses: BTreeMap<String, BTreeSet<String>>,
}

impl Modules {
    /// Reads sources, each with its path inside the crate.
    fn of<'a>(sources: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let sources: Vec<_> = sources
            .filter(|(path, _)| !path.contains("test"))
            .map(|(path, text)| (path, in_product(text)))
            .collect();
        let mut modules = Self::default();
        for (path, _) in sources.iter().filter(|(path, _)| *path != "lib.rs") {
            modules.uses.entry(top(path)).or_default();
        }
        for (_, text) in sources.iter().filter(|(path, _)| *path == "lib.rs") {
            for path in paths(text) {
                if let (Some(module), Some(name)) = (first(&path), path.split("::").last()) {
                    modules.handed_on.insert(name.to_owned(), module);
                }
            }
        }
        for (path, text) in sources.iter().filter(|(path, _)| *path != "lib.rs") {
            let own = top(path);
            for name in named_in_crate(path, text) {
                let module = modules.handed_on.get(&name).unwrap_or(&name).clone();
                if module != own && modules.uses.contains_key(&module) {
                    modules.uses.entry(own.clone()).or_default().insert(module);
                }
            }
        }
        modules
    }

    /// Returns the modules on a cycle, or dependent on one: what is left after repeatedly removing every module that
    /// uses none of the others left.
    fn cycles(&self) -> Vec<String> {
        let mut left: BTreeSet<&String> = self.uses.keys().collect();
        loop {
            let stays = |name: &&String| self.uses[*name].iter().any(|used| left.contains(used));
            let staying: BTreeSet<&String> = left.iter().copied().filter(stays).collect();
            if staying.len() == left.len() {
                break;
            }
            left = staying;
        }
        left.into_iter()
            .map(|name| {
                let used = self.uses[name]
                    .iter()
                    .filter(|used| self.reaches(used, name));
                (name, used.collect::<Vec<_>>())
            })
            .filter(|(_, back)| !back.is_empty())
            .map(|(name, back)| format!("{name} is on an import cycle through {back:?}"))
            .collect()
    }

    fn reaches(&self, from: &str, to: &str) -> bool {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(name) = open.pop() {
            if name == to {
                return true;
            }
            if seen.insert(name) {
                open.extend(self.uses[name].iter().map(String::as_str));
            }
        }
        false
    }
}

/// Returns the top-level module of the crate that a file belongs to.
fn top(path: &str) -> String {
    let first = path.split('/').next().unwrap_or_default();
    first.trim_end_matches(".rs").to_owned()
}

/// Returns a source without its tests and comments.
fn in_product(text: &str) -> String {
    let mut product = String::new();
    let mut rest = text;
    while let Some((before, tests)) = rest.split_once("#[cfg(test)]\nmod ") {
        product.push_str(before);
        // A module in a file of its own ends with its name, an inline one with a brace at the beginning of a line.
        let end = if tests.lines().next().is_some_and(|line| line.ends_with(';')) {
            ";\n"
        } else {
            "\n}"
        };
        rest = tests.split_once(end).map_or("", |(_, after)| after);
    }
    product.push_str(rest);
    let code = product
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

/// Returns the names directly below the crate root that a file uses: `crate::a::b` names `a`, and so does `super::a`
/// one level down.
fn named_in_crate(path: &str, text: &str) -> BTreeSet<String> {
    let inside = path.trim_end_matches(".rs").trim_end_matches("/mod");
    let to_root = "super::".repeat(inside.split('/').count());
    let paths = paths(text);
    let from_root = paths.iter().filter_map(|path| {
        let above = path.strip_prefix(to_root.as_str());
        path.strip_prefix("crate::").or(above)
    });
    from_root.filter_map(first).collect()
}

fn first(path: &str) -> Option<String> {
    path.split("::").next().map(str::to_owned)
}

/// Returns every path in a source: those of `use` statements one by one, and those in code.
fn paths(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut statements = text.split_inclusive(';');
    for statement in &mut statements {
        let at = statement.rfind("use ").filter(|at| {
            let before = statement[..*at].chars().next_back();
            before.is_none_or(char::is_whitespace) && statement.ends_with(';')
        });
        if let Some(at) = at {
            let tree = statement[at + "use ".len()..].trim_end_matches(';');
            one_by_one("", tree, &mut paths);
        }
        let code = &statement[..at.unwrap_or(statement.len())];
        paths.extend(
            code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
                .filter(|word| word.contains("::"))
                .map(str::to_owned),
        );
    }
    paths
}

/// Expands `a::{b, c::{d, e}}` to `a::b`, `a::c::d` and `a::c::e`.
fn one_by_one(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let mut depth = 0_u32;
    let parts = tree.split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let whole = part.strip_suffix('}').unwrap_or(part);
        match whole.split_once('{') {
            Some((before, inner)) => one_by_one(&format!("{prefix}{before}"), inner, paths),
            None => {
                let name = part.split(" as ").next().unwrap_or_default();
                paths.push(format!("{prefix}{name}"));
            }
        }
    }
}

/// Returns the files of a crate, each with its path inside it.
fn inside(folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    sources(&["rs"]).filter_map(move |(path, text)| Some((path.strip_prefix(folder)?, text)))
}

#[test]
fn modules_have_no_import_cycles() {
    let mut faults = Vec::new();
    let mut look = |crate_name: &str, modules: Modules| {
        assert!(
            modules.uses.len() > 1,
            "{crate_name} is not where this test looks for it"
        );
        let cycles = modules.cycles().into_iter();
        faults.extend(cycles.map(|cycle| format!("{crate_name}: {cycle}")));
    };
    for package in members() {
        let Some(name) = package.name.strip_prefix("adjutant-") else {
            continue;
        };
        let modules = Modules::of(inside(&format!("src-tauri/crates/{name}/src/")));
        look(name, modules);
    }
    let app = inside("src-tauri/");
    let app = app.filter(|(path, _)| !PROGRAMS.iter().any(|start| path.starts_with(start)));
    look("adjutant", Modules::of(app));
    none(faults);
}

#[test]
fn finds_a_cycle_however_it_is_written() {
    let of = |b: &'static str| {
        Modules::of(
            [
                (
                    "lib.rs",
                    "mod a;\nmod b;\npub use a::{Deep as _, Handed};\n",
                ),
                ("a.rs", "use crate::c::{x, y};\npub struct Handed;\n"),
                ("b/mod.rs", b),
                ("c.rs", "use std::fmt;\nfn f() { super::b::go() }\n"),
            ]
            .into_iter(),
        )
    };
    assert_eq!(of("use std::fs;\n").cycles(), Vec::<String>::new());
    for back in [
        "use crate::a::Handed;",
        "use crate::{c::d, Handed};",
        "use super::{c::{d, e}, a};",
        "fn go() { crate::a::f(1); }",
        "impl crate::Handed {}",
        "#[cfg(test)]\nmod tests;\nuse crate::a::Handed;\n",
        "#[cfg(test)]\nmod tests {\n    fn go() {}\n}\nuse crate::a::Handed;\n",
    ] {
        assert!(of(back).cycles().len() >= 2, "{back}: {:?}", of(back).uses);
    }
    let only_a_test = "pub fn go() {}\n#[cfg(test)]\nmod tests {\n    use crate::a::Handed;\n}\n";
    assert_eq!(of(only_a_test).cycles(), Vec::<String>::new());
}
