//! System functions for pages: links, files and the clipboard. Each call results from a click by the person.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use tauri::{AppHandle, Url, async_runtime};
use tauri_plugin_dialog::{DialogExt, FilePath};
use tauri_plugin_opener::OpenerExt;
use tokio::sync::oneshot;

use adjutant_api::{Fault, Reply, Request};

use crate::bridge::{self, fault};
use crate::desk;

/// Maximum number of bytes in an address to open; browsers also reject longer ones.
const LINK_BYTES_MAX: usize = 8_192;

/// Maximum size in bytes of copied text.
const COPY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Maximum size in bytes of text saved as a file: larger than any report, and the most a page may send at once.
const SAVED_BYTES_MAX: usize = 64 * 1024 * 1024;

/// What the file chooser selects.
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

/// Opens the system's file chooser. Returns an empty list if the person cancels.
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

/// Saves a text where the person chooses in the system's dialog. Returns the path, or `None` if they cancel.
#[tauri::command]
pub(crate) async fn save_text(
    app: AppHandle,
    name: String,
    title: String,
    text: String,
) -> Result<Option<PathBuf>, Fault> {
    if text.len() > SAVED_BYTES_MAX {
        return Err(not_saved("The text is too long for one file."));
    }
    let (answer, chosen) = oneshot::channel();
    let dialog = app.dialog().file().set_title(title);
    dialog
        .set_file_name(file_name(&name))
        .save_file(move |path| drop(answer.send(path)));
    let Some(path) = chosen.await.ok().flatten() else {
        return Ok(None);
    };
    let path = path
        .into_path()
        .map_err(|_| not_saved("A file cannot be saved there."))?;
    let written = async_runtime::spawn_blocking(move || {
        std::fs::write(&path, text)
            .map(|()| path)
            .map_err(|error| not_saved(&format!("The file could not be saved: {error}.")))
    });
    written
        .await
        .unwrap_or_else(|_| Err(not_saved("The file could not be saved.")))
        .map(Some)
}

/// Returns the last segment of a proposed file name: the person chooses the folder, not the page.
fn file_name(proposed: &str) -> String {
    let last = proposed.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = last.chars().filter(|one| !one.is_control()).collect();
    match name.trim_start_matches('.') {
        "" => "report".to_owned(),
        name => name.to_owned(),
    }
}

fn not_saved(what: &str) -> Fault {
    fault("save", what, "Choose another folder and save it again.")
}

/// Shows a file in the system's file manager, or opens a folder there. Allowed only inside readable folders and the
/// profile's folder. Never opens a file, so nothing is executed.
#[tauri::command]
pub(crate) async fn show_path(app: AppHandle, path: PathBuf) -> Result<(), Fault> {
    let folders = desk::setting(&app, "folders").await?;
    let mut allowed: Vec<PathBuf> = folders.split(',').map(|one| one.trim().into()).collect();
    if let Reply::Status { status } = bridge::ask(&app, Request::Status {}).await? {
        allowed.push(status.folder.into());
    }
    let shown = async_runtime::spawn_blocking(move || {
        let path = within(&path, &allowed)?;
        let opener = app.opener();
        let done = if path.is_dir() {
            opener.open_path(path.to_string_lossy(), None::<&str>)
        } else {
            opener.reveal_item_in_dir(&path)
        };
        done.map_err(|error| not_shown(&format!("The file manager could not show it: {error}.")))
    });
    shown
        .await
        .unwrap_or_else(|_| Err(not_shown("The file manager could not show it.")))
}

/// Resolves a path, following links, and checks that it is inside one of the folders.
fn within(path: &Path, folders: &[PathBuf]) -> Result<PathBuf, Fault> {
    let real = path
        .canonicalize()
        .map_err(|_| not_shown("It is no longer there."))?;
    let inside = folders
        .iter()
        .filter(|folder| folder.is_absolute())
        .filter_map(|folder| folder.canonicalize().ok())
        .any(|folder| real.starts_with(folder));
    if inside {
        Ok(real)
    } else {
        Err(not_shown("It is not in a folder that Adjutant may read."))
    }
}

fn not_shown(what: &str) -> Fault {
    fault("path", what, "Look for it in the file manager.")
}

/// Copies text to the clipboard.
#[tauri::command]
pub(crate) async fn copy_text(app: AppHandle, text: String) -> Result<(), Fault> {
    if text.len() > COPY_BYTES_MAX {
        return Err(fault(
            "copy",
            "The text is too long for the clipboard.",
            "Copy part of it.",
        ));
    }
    let (answer, done) = oneshot::channel();
    let asked = app.run_on_main_thread(move || {
        // If the page is gone, nobody receives the result.
        let _gone = answer.send(copy(text));
    });
    match (asked, done.await) {
        (Ok(()), Ok(true)) => Ok(()),
        _ => Err(fault(
            "copy",
            "The text could not be copied.",
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

/// Accepts only links for a browser or mail program: a file or a custom scheme could do more than show a page.
fn link(text: &str) -> Result<Url, Fault> {
    let refused = || {
        fault(
            "link",
            "This link is not the address of a page or a mail address.",
            "Copy it if you trust it.",
        )
    };
    if text.len() > LINK_BYTES_MAX {
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
    use super::{file_name, link, within};

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

    #[test]
    fn a_proposed_name_names_no_folder() {
        for (proposed, name) in [
            ("heat pump.md", "heat pump.md"),
            ("../../.bashrc", "bashrc"),
            ("a\\b\\c.html", "c.html"),
            ("a\nb.md", "ab.md"),
            ("/", "report"),
        ] {
            assert_eq!(file_name(proposed), name);
        }
    }

    #[test]
    fn only_what_lies_in_an_allowed_folder_is_shown() {
        let home = tempfile::tempdir().expect("a folder");
        let (notes, other) = (home.path().join("notes"), home.path().join("other"));
        for folder in [&notes, &other] {
            std::fs::create_dir(folder).expect("a folder");
            std::fs::write(folder.join("a.md"), "a").expect("a file");
        }
        let allowed = [notes.clone(), "".into(), "relative".into()];
        assert!(within(&notes, &allowed).is_ok());
        assert!(within(&notes.join("a.md"), &allowed).is_ok());
        for bad in [
            other.join("a.md"),
            notes.join("../other/a.md"),
            notes.join("gone.md"),
            home.path().to_path_buf(),
        ] {
            assert!(within(&bad, &allowed).is_err(), "{}", bad.display());
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(other.join("a.md"), notes.join("link")).expect("a link");
            assert!(within(&notes.join("link"), &allowed).is_err());
        }
    }
}
