//! Quick-ask: a small window on a global shortcut. It is made when first asked for, because a second web view costs
//! memory that most minutes do not need, and let go a while after it was hidden.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tauri::async_runtime::JoinHandle;
use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Emitter, Manager, Wry};
use tauri_plugin_global_shortcut::{GlobalShortcutExt, Shortcut, ShortcutState};

use crate::windows;

/// Label of the window.
pub(crate) const LABEL: &str = "quick-ask";

/// Size in logical pixels: as wide as in tauri.conf.json, as high as its answer.
pub(crate) const WIDTH_PX: f64 = 720.0;
pub(crate) const HEIGHT_MIN_PX: f64 = 64.0;
pub(crate) const HEIGHT_MAX_PX: f64 = 420.0;

/// Used until the person chooses another in `desktop.quick_ask_shortcut`.
pub(crate) const SHORTCUT_DEFAULT: &str = "Ctrl+Shift+Space";

/// Told to the page each time the window is shown again.
const SHOWN: &str = "adjutant://shown";

/// How long a hidden window keeps what was typed.
const KEPT: Duration = Duration::from_secs(60);

/// The shortcut in force, and the end of a hidden window.
#[derive(Default)]
pub(crate) struct QuickAsk {
    shortcut: Mutex<Option<Shortcut>>,
    letting_go: Mutex<Option<JoinHandle<()>>>,
    /// It has had the keyboard since it was shown: only then does losing it mean that the person went elsewhere.
    had_focus: AtomicBool,
}

/// The plugin that hears the shortcut; `bind` says which one.
pub(crate) fn shortcut_plugin() -> TauriPlugin<Wry> {
    tauri_plugin_global_shortcut::Builder::new()
        .with_handler(|app, _shortcut, event| {
            if event.state() == ShortcutState::Pressed
                && let Err(error) = toggle(app)
            {
                eprintln!("Quick-ask could not be shown: {error}");
            }
        })
        .build()
}

/// Makes `written` (such as `Ctrl+Shift+Space`) the shortcut; empty means none. The error is for the person.
pub(crate) fn bind(app: &AppHandle, written: &str) -> Result<(), String> {
    let state = app.state::<QuickAsk>();
    let mut bound = state
        .shortcut
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let wanted = match written.trim() {
        "" => None,
        text => Some(text.parse::<Shortcut>().map_err(|_| {
            format!("“{text}” is not a shortcut. Write it like {SHORTCUT_DEFAULT}.")
        })?),
    };
    if *bound == wanted {
        return Ok(());
    }
    if let Some(wanted) = wanted {
        app.global_shortcut().register(wanted).map_err(|_| {
            format!("{written} could not be taken; another program may have it. Choose another in Settings.")
        })?;
    }
    if let Some(before) = bound.take()
        && let Err(error) = app.global_shortcut().unregister(before)
    {
        eprintln!("The old shortcut could not be given back: {error}");
    }
    *bound = wanted;
    Ok(())
}

/// Shows the window, ready to type in.
pub(crate) fn show(app: &AppHandle) -> tauri::Result<()> {
    keep(app);
    app.state::<QuickAsk>()
        .had_focus
        .store(false, Ordering::Relaxed);
    let window = match app.get_webview_window(LABEL) {
        Some(window) => window,
        None => windows::create(app, LABEL, None)?,
    };
    window.center()?;
    window.show()?;
    window.set_focus()?;
    window.emit_to(LABEL, SHOWN, ())
}

/// Hides the window; what was typed is kept for a minute.
pub(crate) fn hide(app: &AppHandle) {
    windows::hide(app, LABEL);
    let state = app.state::<QuickAsk>();
    let app = app.clone();
    let end = tauri::async_runtime::spawn(async move {
        tokio::time::sleep(KEPT).await;
        if let Some(window) = app.get_webview_window(LABEL)
            && let Err(error) = window.destroy()
        {
            eprintln!("Quick-ask could not be let go: {error}");
        }
    });
    let mut letting_go = state
        .letting_go
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(before) = letting_go.replace(end) {
        before.abort();
    }
}

/// The keyboard came to the window or left it; when it leaves, the person went to another one.
pub(crate) fn focus_changed(app: &AppHandle, focused: bool) {
    let had_focus = app
        .state::<QuickAsk>()
        .had_focus
        .swap(focused, Ordering::Relaxed);
    if had_focus && !focused && is_visible(app) {
        hide(app);
    }
}

fn is_visible(app: &AppHandle) -> bool {
    app.get_webview_window(LABEL)
        .is_some_and(|window| window.is_visible().unwrap_or(false))
}

fn toggle(app: &AppHandle) -> tauri::Result<()> {
    let focused = app.state::<QuickAsk>().had_focus.load(Ordering::Relaxed);
    if focused && is_visible(app) {
        hide(app);
        return Ok(());
    }
    show(app)
}

/// A window that is wanted again is not let go.
fn keep(app: &AppHandle) {
    let state = app.state::<QuickAsk>();
    let mut letting_go = state
        .letting_go
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(end) = letting_go.take() {
        end.abort();
    }
}
