//! Quick-ask: a small window opened with a global shortcut. It is created on first use, because a second web view costs
//! memory that is rarely needed, and destroyed some time after it was hidden.
//!
//! The shortcut, the tray, a second start and the page itself show and hide it from several threads. All decisions are
//! made on the main thread in the order of the requests; otherwise a late "hide" could close a window that was
//! requested later.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tauri::async_runtime::JoinHandle;
use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Emitter, LogicalPosition, LogicalSize, Manager, WebviewWindow, Wry};
use tauri_plugin_global_shortcut::{GlobalShortcutExt, Shortcut, ShortcutState};

use crate::presence::{LOSS_LASTS, Presence, RESTS_AFTER, WindowGeneration};
use crate::windows;

/// Label of the window.
pub(crate) const LABEL: &str = "quick-ask";

/// Width and minimum height in logical pixels: the width of tauri.conf.json; the height follows the answer.
pub(crate) const WIDTH_PX: f64 = 720.0;
pub(crate) const HEIGHT_MIN_PX: f64 = 64.0;
pub(crate) const HEIGHT_MAX_PX: f64 = 420.0;

/// Distance of its top edge from the top of the screen, as a fraction of the screen's height.
const FROM_TOP: f64 = 0.22;

/// Default shortcut, until the person chooses another in `desktop.quick_ask_shortcut`.
pub(crate) const SHORTCUT_DEFAULT: &str = "Ctrl+Shift+Space";

/// Event sent to the page each time the window is shown again.
const SHOWN: &str = "adjutant://shown";

/// How long a hidden window keeps what was typed.
const KEPT: Duration = Duration::from_secs(60);

/// The current shortcut, whether the window is wanted, and the timer that destroys a hidden one.
#[derive(Default)]
pub(crate) struct QuickAsk {
    shortcut: Mutex<Option<Shortcut>>,
    presence: Mutex<Presence>,
    letting_go: Mutex<Option<JoinHandle<()>>>,
}

/// Creates the plugin that listens for the shortcut; `bind` sets it.
pub(crate) fn shortcut_plugin() -> TauriPlugin<Wry> {
    tauri_plugin_global_shortcut::Builder::new()
        .with_handler(|app, _shortcut, event| {
            if event.state() == ShortcutState::Pressed {
                on_main(app, toggle);
            }
        })
        .build()
}

/// Makes `written` (such as `Ctrl+Shift+Space`) the shortcut; empty for none. The error is a message for the person.
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
            format!("{written} is not available; another program may be using it. Choose another shortcut in Settings.")
        })?;
    }
    if let Some(before) = bound.take()
        && let Err(error) = app.global_shortcut().unregister(before)
    {
        eprintln!("The old shortcut could not be released: {error}");
    }
    *bound = wanted;
    Ok(())
}

/// Shows the window, ready for typing.
pub(crate) fn show(app: &AppHandle) {
    on_main(app, |app| {
        if let Err(error) = reveal(app) {
            eprintln!("Quick-ask could not be shown: {error}");
        }
    });
}

/// Hides the window; keeps what was typed for a minute.
pub(crate) fn hide(app: &AppHandle) {
    on_main(app, conceal);
}

/// Destroys the window together with what was typed.
pub(crate) fn let_go(app: &AppHandle) {
    on_main(app, |app| {
        presence(app).hide();
        keep(app);
        end(app);
    });
}

/// Handles a focus change; hides the window if a loss of focus lasts.
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

fn rest(app: &AppHandle, mark: WindowGeneration) {
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
        eprintln!("Quick-ask could not be closed: {error}");
    }
}

/// Cancels the destruction of a window that is wanted again.
fn keep(app: &AppHandle) {
    let end = letting_go(app).take();
    if let Some(end) = end {
        end.abort();
    }
}

/// Returns the position of the window: centred on the screen with the pointer, high enough that the answer fits below.
/// Uses the fixed width, because the system reports a different one until the window is shown.
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

/// Sets the window's height through its content: GTK sizes a window that is not resizable by its content, with 200
/// pixels if that requests none.
#[cfg(target_os = "linux")]
pub(crate) fn set_height(window: &WebviewWindow, px: f64) -> tauri::Result<()> {
    use gtk::prelude::WidgetExt as _;
    let held = window.clone();
    window.run_on_main_thread(move || match held.default_vbox() {
        Ok(content) => {
            let size = LogicalSize::new(WIDTH_PX, px).cast::<i32>();
            content.set_size_request(size.width, size.height);
        }
        Err(error) => eprintln!("Quick-ask could not be resized: {error}"),
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn set_height(window: &WebviewWindow, px: f64) -> tauri::Result<()> {
    window.set_size(LogicalSize::new(WIDTH_PX, px))
}

/// Shows the window with the keyboard focus. Calls GTK directly, because Tauri queues the showing and does not focus a
/// window that is not visible yet, so a hidden one would come back without focus.
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

/// Hides the window through GTK like [`present`], so that the order of the two is kept.
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

/// Runs a closure on the main thread; immediately if this is the main thread.
fn on_main(app: &AppHandle, work: impl FnOnce(&AppHandle) + Send + 'static) {
    let to = app.clone();
    if let Err(error) = app.run_on_main_thread(move || work(&to)) {
        eprintln!("Quick-ask could not be reached: {error}");
    }
}

/// Runs a closure on the main thread after a delay.
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
