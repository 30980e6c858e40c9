//! What a page asks of the system: links, files, the clipboard. Each is a person's click.

use std::path::PathBuf;

use serde::Deserialize;
use tauri::{AppHandle, Url};
use tauri_plugin_dialog::{DialogExt, FilePath};
use tauri_plugin_opener::OpenerExt;
use tokio::sync::oneshot;

use adjutant_api::Fault;

use crate::bridge::fault;

/// Longest address that is opened, in characters; browsers refuse longer ones too.
const LINK_CHARS_MAX: usize = 8_192;

/// Longest text that is copied, in bytes.
const COPY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// What the file chooser is for.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Choice {
    Files,
    Folder,
}

/// Opens an address in the system's browser or mail program.
#[tauri::command]
pub(crate) fn open_link(app: AppHandle, url: String) -> Result<(), Fault> {
    let url = link(&url)?;
    app.opener().open_url(url, None::<&str>).map_err(|error| {
        fault(
            "link",
            format!("The link could not be opened: {error}"),
            "Copy it and open it in your browser.",
        )
    })
}

/// The system's own file chooser; empty when the person cancels.
#[tauri::command]
pub(crate) async fn choose_paths(
    app: AppHandle,
    kind: Choice,
    title: String,
) -> Result<Vec<PathBuf>, Fault> {
    let (answer, chosen) = oneshot::channel();
    let dialog = app.dialog().file().set_title(title);
    match kind {
        Choice::Files => {
            dialog.pick_files(move |paths| drop(answer.send(paths.unwrap_or_default())))
        }
        Choice::Folder => {
            dialog.pick_folder(move |path| drop(answer.send(path.into_iter().collect())))
        }
    }
    let chosen: Vec<FilePath> = chosen.await.unwrap_or_default();
    Ok(chosen
        .into_iter()
        .filter_map(|path| path.into_path().ok())
        .collect())
}

/// Puts text on the clipboard.
#[tauri::command]
pub(crate) async fn copy_text(app: AppHandle, text: String) -> Result<(), Fault> {
    if text.len() > COPY_BYTES_MAX {
        return Err(fault(
            "copy",
            "The text is too long for the clipboard.",
            "Copy a part of it.",
        ));
    }
    let (answer, done) = oneshot::channel();
    let asked = app.run_on_main_thread(move || {
        // A page that has gone wants no answer.
        let _gone = answer.send(copy(text));
    });
    match (asked, done.await) {
        (Ok(()), Ok(true)) => Ok(()),
        _ => Err(fault(
            "copy",
            "The clipboard did not take the text.",
            "Select it and copy it by hand.",
        )),
    }
}

#[cfg(target_os = "linux")]
fn copy(text: String) -> bool {
    gtk::Clipboard::get(&gtk::gdk::SELECTION_CLIPBOARD).set_text(&text);
    true
}

#[cfg(not(target_os = "linux"))]
fn copy(text: String) -> bool {
    arboard::Clipboard::new()
        .and_then(|mut clipboard| clipboard.set_text(text))
        .is_ok()
}

/// Only what a browser or a mail program opens: a file or a program's own scheme could do more than show a page.
fn link(text: &str) -> Result<Url, Fault> {
    let refused = || {
        fault(
            "link",
            "This link is not an address of a page or a mail address.",
            "Copy it if you trust it.",
        )
    };
    if text.len() > LINK_CHARS_MAX {
        return Err(refused());
    }
    let url = Url::parse(text).map_err(|_| refused())?;
    match url.scheme() {
        "https" | "http" if url.has_host() => Ok(url),
        "mailto" => Ok(url),
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::link;

    #[test]
    fn only_pages_and_mail_addresses_are_opened() {
        for good in [
            "https://example.org/a?b=c#d",
            "http://127.0.0.1:8080/",
            "mailto:ana@example.org",
        ] {
            assert!(link(good).is_ok(), "{good}");
        }
        for bad in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "ssh://host",
            "example.org",
            "data:text/html,x",
            "",
        ] {
            assert!(link(bad).is_err(), "{bad}");
        }
    }
}
