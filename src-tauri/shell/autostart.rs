//! Starting with the system, when the setting `desktop.autostart` says so.

use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Wry};
use tauri_plugin_autostart::ManagerExt;

/// The plugin; what it starts comes up in the tray.
pub(crate) fn plugin() -> TauriPlugin<Wry> {
    tauri_plugin_autostart::Builder::new()
        .arg("--hidden")
        .build()
}

/// Makes the system agree with the setting. The error is for the person.
pub(crate) fn apply(app: &AppHandle, wanted: bool) -> Result<(), String> {
    let autostart = app.autolaunch();
    if autostart.is_enabled().unwrap_or(!wanted) == wanted {
        return Ok(());
    }
    let changed = if wanted {
        autostart.enable()
    } else {
        autostart.disable()
    };
    changed.map_err(|error| {
        let what = if wanted { "added to" } else { "taken from" };
        format!("Adjutant could not be {what} the programs that start with the system ({error}). Do it in the system's settings.")
    })
}
