//! The environment of this process, read in one place.

use std::collections::BTreeMap;

/// All of it that is text; the settings pick what is theirs.
pub(crate) fn all() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// What it says of models, and nothing else of it.
pub(crate) fn of_models() -> BTreeMap<String, String> {
    all()
        .filter(|(name, _)| name.starts_with("ADJUTANT_MODEL"))
        .collect()
}

/// Variables without which programs do not run, and none that could hold a secret.
const BARE: &[&str] = &[
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    // Windows.
    "SystemRoot",
    "SystemDrive",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PATHEXT",
    "TEMP",
];

/// The environment that programs of others are started with.
pub(crate) fn of_programs() -> BTreeMap<String, String> {
    all()
        .filter(|(name, _)| BARE.contains(&name.as_str()))
        .collect()
}
