//! Compiles every text under `prompts/` into a list of (name without `.md`, text), sorted by name.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a build that cannot read its sources has failed; Cargo tells it where they are by its folder and variables"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    // The path is relative and the list holds the texts themselves, because several clones may share a target folder.
    let root = Path::new("../../../prompts");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let inside = file.strip_prefix(root).expect("found below the root");
        let name = inside
            .with_extension("")
            .to_string_lossy()
            .replace('\\', "/");
        let text =
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        writeln!(list, "({name:?}, {text:?}),").expect("writing to a string");
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by Cargo")).join("texts.rs");
    fs::write(out, list).expect("the output folder can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            // Watch the folder too, so that a new file triggers a rebuild.
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "md")
            && path.file_stem().is_some_and(|stem| stem != "README")
        {
            files.push(path);
        }
    }
}
