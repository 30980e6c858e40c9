//! Starts the app with the system if the setting `desktop.autostart` is on.

use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Wry};
use tauri_plugin_autostart::ManagerExt;

/// Creates the autostart plugin, which starts the app hidden in the tray.
pub(crate) fn plugin() -> TauriPlugin<Wry> {
    tauri_plugin_autostart::Builder::new()
        .arg("--hidden")
        .build()
}

/// Applies the setting to the system. The error is a message for the person.
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
        let what = if wanted { "added to" } else { "removed from" };
        format!("Adjutant could not be {what} the programs that start with the system ({error}). Change it in the system's settings.")
    })
}
