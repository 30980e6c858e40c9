//! The environment of this process, read in one place.

use std::collections::BTreeMap;

/// Returns every variable whose name and value are valid Unicode; the settings pick out their own.
pub(crate) fn all() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// Returns only the variables that configure models.
pub(crate) fn of_models() -> BTreeMap<String, String> {
    all()
        .filter(|(name, _)| name.starts_with("ADJUTANT_MODEL"))
        .collect()
}

/// Variables that programs need in order to run. None of them can hold a secret.
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

/// The environment for external programs that Adjutant starts.
pub(crate) fn of_programs() -> BTreeMap<String, String> {
    all()
        .filter(|(name, _)| BARE.contains(&name.as_str()))
        .collect()
}
