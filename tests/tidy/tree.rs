//! Input of the checks: the crates of the workspace, and every source file, read once.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::Value;

/// A crate of the workspace, as Cargo sees it.
pub struct Package {
    pub name: String,
    pub manifest: PathBuf,
    /// Dependencies outside tests, including optional ones.
    pub uses_in_product: BTreeSet<String>,
    /// Dependencies that do not require a feature.
    pub always_uses: BTreeSet<String>,
}

pub fn members() -> &'static [Package] {
    static MEMBERS: LazyLock<Vec<Package>> = LazyLock::new(|| {
        let output = Command::new(env!("CARGO"))
            .args([
                "metadata",
                "--format-version",
                "1",
                "--no-deps",
                "--offline",
            ])
            .current_dir(repository())
            .output()
            .expect("cargo metadata runs");
        let metadata: Value =
            serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
        let packages = metadata["packages"].as_array().expect("packages");
        packages.iter().map(package).collect()
    });
    assert!(!MEMBERS.is_empty(), "cargo metadata named no crates");
    &MEMBERS
}

pub fn package(value: &Value) -> Package {
    let dependencies = value["dependencies"].as_array().expect("dependencies");
    let names = |keep: &dyn Fn(&Value) -> bool| {
        dependencies
            .iter()
            .filter(|dependency| dependency["kind"] != "dev" && keep(dependency))
            .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
            .collect()
    };
    Package {
        name: value["name"].as_str().expect("a name").to_owned(),
        manifest: value["manifest_path"].as_str().expect("a path").into(),
        uses_in_product: names(&|_| true),
        always_uses: names(&|dependency| dependency["optional"] == false),
    }
}

/// Returns every text file of the repository with these extensions, with its path from the root, separated by `/`.
pub fn sources(extensions: &'static [&str]) -> impl Iterator<Item = (&'static str, &'static str)> {
    static FILES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
        let mut files = Vec::new();
        for folder in [
            "src-tauri",
            "tests",
            "ui/src",
            "examples",
            "scripts",
            "docs",
            "prompts",
            "fuzz",
        ] {
            collect(&repository().join(folder), &mut files);
        }
        for file in ["Cargo.toml", "Makefile", "README.md", "tauri.conf.json"] {
            if let Ok(text) = fs::read_to_string(repository().join(file)) {
                files.push((file.to_owned(), text));
            }
        }
        files
    });
    FILES
        .iter()
        .filter(|(path, _)| {
            let extension = Path::new(path).extension().unwrap_or_default();
            extensions.iter().any(|wanted| extension == *wanted)
        })
        .map(|(path, text)| (path.as_str(), text.as_str()))
}

pub fn collect(folder: &Path, files: &mut Vec<(String, String)>) {
    const GENERATED: &[&str] = &[
        "node_modules",
        "target",
        "dist",
        "corpus",
        "artifacts",
        "shots",
    ];
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let generated = GENERATED
            .iter()
            .any(|name| entry.file_name().to_str() == Some(name));
        if path.is_dir() && !generated {
            collect(&path, files);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let inside = path.strip_prefix(repository()).unwrap_or(&path);
            files.push((inside.to_string_lossy().replace('\\', "/"), text));
        }
    }
}

/// Returns lines outside comments that contain one of `words`, each as a fault message that ends with `rule`.
pub fn lines_with(
    extensions: &'static [&str],
    in_scope: impl Fn(&str) -> bool,
    words: &[&str],
    rule: &str,
) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, text) in sources(extensions).filter(|(path, _)| in_scope(path)) {
        for (number, line) in numbered(text) {
            let code = line.split("//").next().unwrap_or_default();
            if let Some(word) = words.iter().find(|word| names(code, word)) {
                faults.push(format!("{path}:{number}: {word}: {rule}"));
            }
        }
    }
    faults
}

/// Returns whether `word` occurs in `code` and is not the end of a longer name (`operand::` is not `rand::`).
pub fn names(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !word.starts_with(char::is_alphanumeric)
            || before.is_none_or(|before| !before.is_alphanumeric() && before != '_')
    })
}

pub fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

/// Returns the quoted texts on one line.
pub fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split(['"', '\'']).skip(1).step_by(2)
}

/// Resolves a relative import to a path from the repository's root; returns other targets unchanged.
pub fn resolve(from: &str, target: &str) -> String {
    if !target.starts_with('.') {
        return target.to_owned();
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

pub fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the repository in which Cargo started this test, not where it was compiled, because clones may share a
/// target folder.
pub fn repository() -> &'static Path {
    static ROOT: LazyLock<PathBuf> =
        LazyLock::new(|| std::env::current_dir().expect("the folder of the package"));
    &ROOT
}

pub fn none(faults: Vec<String>) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
