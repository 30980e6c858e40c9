//! Quick-ask: a small window on a global shortcut. It is made when first asked for, because a second web view costs
//! memory that most minutes do not need, and let go a while after it was hidden.
//!
//! Shortcut, tray, a second start and the page itself all show and hide it, from several threads. Everything is decided
//! on the main one, in the order in which it was asked for: otherwise a late "hide" ends a window that was asked for
//! since.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tauri::async_runtime::JoinHandle;
use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Emitter, LogicalPosition, LogicalSize, Manager, WebviewWindow, Wry};
use tauri_plugin_global_shortcut::{GlobalShortcutExt, Shortcut, ShortcutState};

use crate::presence::{LOSS_LASTS, Mark, Presence, RESTS_AFTER};
use crate::windows;

/// Label of the window.
pub(crate) const LABEL: &str = "quick-ask";

/// Size in logical pixels: as wide as in tauri.conf.json, as high as its answer.
pub(crate) const WIDTH_PX: f64 = 720.0;
pub(crate) const HEIGHT_MIN_PX: f64 = 64.0;
pub(crate) const HEIGHT_MAX_PX: f64 = 420.0;

/// Its top edge, as a part of the screen's height.
const FROM_TOP: f64 = 0.22;

/// Used until the person chooses another in `desktop.quick_ask_shortcut`.
pub(crate) const SHORTCUT_DEFAULT: &str = "Ctrl+Shift+Space";

/// Told to the page each time the window is shown again.
const SHOWN: &str = "adjutant://shown";

/// How long a hidden window keeps what was typed.
const KEPT: Duration = Duration::from_secs(60);

/// The shortcut in force, whether the window is wanted, and the end of a hidden one.
#[derive(Default)]
pub(crate) struct QuickAsk {
    shortcut: Mutex<Option<Shortcut>>,
    presence: Mutex<Presence>,
    letting_go: Mutex<Option<JoinHandle<()>>>,
}

/// The plugin that hears the shortcut; `bind` says which one.
pub(crate) fn shortcut_plugin() -> TauriPlugin<Wry> {
    tauri_plugin_global_shortcut::Builder::new()
        .with_handler(|app, _shortcut, event| {
            if event.state() == ShortcutState::Pressed {
                on_main(app, toggle);
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
pub(crate) fn show(app: &AppHandle) {
    on_main(app, |app| {
        if let Err(error) = reveal(app) {
            eprintln!("Quick-ask could not be shown: {error}");
        }
    });
}

/// Hides the window; what was typed is kept for a minute.
pub(crate) fn hide(app: &AppHandle) {
    on_main(app, conceal);
}

/// Lets the window go with what was typed in it.
pub(crate) fn let_go(app: &AppHandle) {
    on_main(app, |app| {
        presence(app).hide();
        keep(app);
        end(app);
    });
}

/// The keyboard came to the window or left it; when it stays away, the person went to another one.
pub(crate) fn focus_changed(app: &AppHandle, focused: bool) {
    let Some(mark) = presence(app).focus(focused) else {
        return;
    };
    later(app, LOSS_LASTS, move |app| {
        let gone = presence(app).is_gone(mark);
        if gone {
            conceal(app);
        }
    });
}

fn toggle(app: &AppHandle) {
    let wanted = presence(app).is_wanted();
    if wanted { hide(app) } else { show(app) }
}

fn reveal(app: &AppHandle) -> tauri::Result<()> {
    keep(app);
    let mark = presence(app).show();
    let window = match app.get_webview_window(LABEL) {
        Some(window) => window,
        None => {
            let window = windows::create(app, LABEL, None)?;
            set_height(&window, HEIGHT_MIN_PX)?;
            window
        }
    };
    present(&window, place(app)?)?;
    later(app, RESTS_AFTER, move |app| rest(app, mark));
    window.emit_to(LABEL, SHOWN, ())
}

fn rest(app: &AppHandle, mark: Mark) {
    let focused = app
        .get_webview_window(LABEL)
        .is_some_and(|window| window.is_focused().unwrap_or(false));
    presence(app).rest(mark, focused);
}

fn conceal(app: &AppHandle) {
    presence(app).hide();
    if let Some(window) = app.get_webview_window(LABEL)
        && let Err(error) = withdraw(&window)
    {
        eprintln!("Quick-ask could not be hidden: {error}");
    }
    let end = delayed(app, KEPT, end);
    let before = letting_go(app).replace(end);
    if let Some(before) = before {
        before.abort();
    }
}

fn end(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL)
        && let Err(error) = window.destroy()
    {
        eprintln!("Quick-ask could not be let go: {error}");
    }
}

/// A window that is wanted again is not let go.
fn keep(app: &AppHandle) {
    let end = letting_go(app).take();
    if let Some(end) = end {
        end.abort();
    }
}

/// Where the window goes: in the middle of the screen the pointer is on, high enough that its answer fits below. Worked
/// out from the width it has when it stands there; before it does, the system tells another one.
fn place(app: &AppHandle) -> tauri::Result<Option<LogicalPosition<f64>>> {
    let pointer = app.cursor_position()?;
    let screen = match app.monitor_from_point(pointer.x, pointer.y)? {
        Some(screen) => Some(screen),
        None => app.primary_monitor()?,
    };
    Ok(screen.map(|screen| {
        let scale = screen.scale_factor();
        let at = screen.position().to_logical::<f64>(scale);
        let size = screen.size().to_logical::<f64>(scale);
        LogicalPosition::new(
            at.x + (size.width - WIDTH_PX) / 2.0,
            at.y + size.height * FROM_TOP,
        )
    }))
}

/// Makes the window so high. By what it holds: GTK gives a window that cannot be resized the size of its content, and 200
/// pixels where that asks for nothing.
#[cfg(target_os = "linux")]
pub(crate) fn set_height(window: &WebviewWindow, px: f64) -> tauri::Result<()> {
    use gtk::prelude::WidgetExt as _;
    let held = window.clone();
    window.run_on_main_thread(move || match held.default_vbox() {
        Ok(content) => {
            let size = LogicalSize::new(WIDTH_PX, px).cast::<i32>();
            content.set_size_request(size.width, size.height);
        }
        Err(error) => eprintln!("Quick-ask could not be made higher: {error}"),
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn set_height(window: &WebviewWindow, px: f64) -> tauri::Result<()> {
    window.set_size(LogicalSize::new(WIDTH_PX, px))
}

/// Brings the window up with the keyboard. Directly: Tauri's way queues the showing and gives a window that does not
/// stand there yet no keyboard, so one that was hidden before would come back without it.
#[cfg(target_os = "linux")]
fn present(window: &WebviewWindow, place: Option<LogicalPosition<f64>>) -> tauri::Result<()> {
    use gtk::prelude::{GtkWindowExt as _, WidgetExt as _};
    let window = window.gtk_window()?;
    if let Some(place) = place {
        let at = place.cast::<i32>();
        window.move_(at.x, at.y);
    }
    window.show_all();
    window.present();
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn present(window: &WebviewWindow, place: Option<LogicalPosition<f64>>) -> tauri::Result<()> {
    if let Some(place) = place {
        window.set_position(place)?;
    }
    window.show()?;
    window.set_focus()
}

/// The same way as [`present`], so that the order of the two is kept.
#[cfg(target_os = "linux")]
fn withdraw(window: &WebviewWindow) -> tauri::Result<()> {
    use gtk::prelude::WidgetExt as _;
    window.gtk_window()?.hide();
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn withdraw(window: &WebviewWindow) -> tauri::Result<()> {
    window.hide()
}

/// Does something on the main thread: at once when this is it.
fn on_main(app: &AppHandle, work: impl FnOnce(&AppHandle) + Send + 'static) {
    let to = app.clone();
    if let Err(error) = app.run_on_main_thread(move || work(&to)) {
        eprintln!("Quick-ask could not be reached: {error}");
    }
}

/// Does something on the main thread after a while.
fn later(app: &AppHandle, wait: Duration, work: impl FnOnce(&AppHandle) + Send + 'static) {
    drop(delayed(app, wait, work));
}

fn delayed(
    app: &AppHandle,
    wait: Duration,
    work: impl FnOnce(&AppHandle) + Send + 'static,
) -> JoinHandle<()> {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(wait).await;
        on_main(&app, work);
    })
}

fn presence(app: &AppHandle) -> MutexGuard<'_, Presence> {
    let state = app.state::<QuickAsk>().inner();
    state
        .presence
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

fn letting_go(app: &AppHandle) -> MutexGuard<'_, Option<JoinHandle<()>>> {
    let state = app.state::<QuickAsk>().inner();
    state
        .letting_go
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}
