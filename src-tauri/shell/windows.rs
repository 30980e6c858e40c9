//! Shows and hides the main window and navigates it to a place. Sizes are in tauri.conf.json.

use tauri::plugin::TauriPlugin;
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Manager, Runtime, WebviewUrl, WebviewWindow, WebviewWindowBuilder};
use tauri_plugin_window_state::{AppHandleExt, StateFlags};

use crate::bridge::Bridge;
use crate::{navigation, profiles, quick_ask};

/// Label of the main window.
pub(crate) const MAIN: &str = "main";

/// Maximum length of a route, which consists of a surface and an id.
const ROUTE_CHARS_MAX: usize = 200;

/// The window state kept between starts. Excludes visibility: a start shows the window.
const REMEMBERED: StateFlags = StateFlags::SIZE
    .union(StateFlags::POSITION)
    .union(StateFlags::MAXIMIZED)
    .union(StateFlags::FULLSCREEN);

/// Creates the plugin that remembers the main window's size and position.
pub(crate) fn remember<R: Runtime>() -> TauriPlugin<R> {
    tauri_plugin_window_state::Builder::default()
        .with_state_flags(REMEMBERED)
        .with_denylist(&[quick_ask::LABEL])
        .build()
}

/// Tells whether the person is looking at the main window.
pub(crate) fn is_main_focused(app: &AppHandle) -> bool {
    app.get_webview_window(MAIN)
        .is_some_and(|window| window.is_focused().unwrap_or(false))
}

/// Shows the main window, at `route` if given.
pub(crate) fn show_main(app: &AppHandle, route: Option<&str>) -> tauri::Result<()> {
    let route = route.filter(|route| is_route(route));
    let Some(window) = app.get_webview_window(MAIN) else {
        create(app, MAIN, route)?;
        return Ok(());
    };
    window.unminimize()?;
    window.show()?;
    window.set_focus()?;
    if let Some(route) = route {
        // Navigate by address rather than by event, which also works for a page that is still loading or was suspended.
        let mut address = window.url()?;
        address.set_fragment(Some(&format!("/{route}")));
        window.navigate(address)?;
    }
    Ok(())
}

/// Creates a window described in tauri.conf.json.
pub(crate) fn create(
    app: &AppHandle,
    label: &str,
    route: Option<&str>,
) -> tauri::Result<WebviewWindow> {
    let described = app
        .config()
        .app
        .windows
        .iter()
        .find(|window| window.label == label);
    let Some(mut described) = described.cloned() else {
        return Err(tauri::Error::WindowNotFound);
    };
    if let Some(route) = route {
        described.url = WebviewUrl::App(format!("index.html#/{route}").into());
    }
    if label == MAIN {
        described.title = title(app);
    }
    WebviewWindowBuilder::from_config(app, &described)?
        .on_navigation(navigation::is_own)
        .on_new_window(|_url, _features| NewWindowResponse::Deny)
        .build()
}

/// Reloads every window for the profile that is open now, since their content belonged to another one.
pub(crate) fn renew(app: &AppHandle) {
    quick_ask::let_go(app);
    if let Some(window) = app.get_webview_window(MAIN)
        && let Err(error) = begin_anew(app, &window)
    {
        eprintln!("The window could not be reloaded: {error}");
    }
}

fn begin_anew(app: &AppHandle, window: &WebviewWindow) -> tauri::Result<()> {
    window.set_title(&title(app))?;
    let mut address = window.url()?;
    address.set_fragment(None);
    // The query forces a new page; with the same address this would be navigation within the current page.
    let opening = app.state::<Bridge>().opening();
    address.set_query(Some(&format!("opening={opening}")));
    window.navigate(address)
}

/// Returns the main window's title, with the profile's name if it is not the default one.
fn title(app: &AppHandle) -> String {
    profiles::named("Adjutant", profiles::shown(app).as_deref())
}

/// Hides a window. Saves the main window's position first, in case the system ends before the app does.
pub(crate) fn hide(app: &AppHandle, label: &str) {
    if label == quick_ask::LABEL {
        quick_ask::hide(app);
        return;
    }
    let Some(window) = app.get_webview_window(label) else {
        return;
    };
    if label == MAIN
        && let Err(error) = app.save_window_state(REMEMBERED)
    {
        eprintln!("The window's position could not be saved: {error}");
    }
    if let Err(error) = window.hide() {
        eprintln!("The window {label} could not be hidden: {error}");
    }
}

/// Handles a second start by showing a window of this instance.
pub(crate) fn second_start(app: &AppHandle, words: &[String]) {
    if words.iter().any(|word| word == "--quick-ask") {
        quick_ask::show(app);
    } else if let Err(error) = show_main(app, None) {
        eprintln!("The window could not be shown: {error}");
    }
}

/// Shows the main window at a place, at a page's request.
#[tauri::command]
pub(crate) fn open_main(app: AppHandle, route: String) -> Result<(), String> {
    show_main(&app, Some(&route)).map_err(|error| error.to_string())
}

/// Hides the calling page's window.
#[tauri::command]
pub(crate) fn hide_window(app: AppHandle, window: WebviewWindow) {
    hide(&app, window.label());
}

/// Sets the height of quick-ask to fit its answer; other windows are sized by the person.
#[tauri::command]
pub(crate) fn set_window_height(window: WebviewWindow, px: f64) -> Result<(), String> {
    if window.label() != quick_ask::LABEL || !px.is_finite() {
        return Ok(());
    }
    let height = px.clamp(quick_ask::HEIGHT_MIN_PX, quick_ask::HEIGHT_MAX_PX);
    quick_ask::set_height(&window, height).map_err(|error| error.to_string())
}

/// Tells whether a route contains only characters of places and ids; any others could lead away from the page.
fn is_route(route: &str) -> bool {
    !route.is_empty()
        && route.len() <= ROUTE_CHARS_MAX
        && route
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || "-_/%.:~".contains(character))
}

#[cfg(test)]
mod tests {
    use super::is_route;

    #[test]
    fn a_place_stays_inside_the_page() {
        for good in [
            "approvals/a1",
            "chat/main",
            "settings/appearance",
            "memory/m%201",
        ] {
            assert!(is_route(good), "{good}");
        }
        for bad in ["", "chat?x=1", "a#b", "a b", "a\"b", "é", &"a".repeat(201)] {
            assert!(!is_route(bad), "{bad}");
        }
    }
}
