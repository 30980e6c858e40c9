//! Access to the disk. Every path is made canonical and must be in an opened folder; links that lead outside and hidden
//! names are refused. All file work runs on the blocking pool.

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use adjutant_domain::canonical::sha256;
use adjutant_domain::faults::{ToolFault, io_reason};
use adjutant_domain::gate::escape;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use jiff::Timestamp;

use super::FileRow;
use super::blocking::blocking;
use crate::words;

/// Maximum numbers tried for a free name: `report (99).pdf`.
const NAMES_TRIED_MAX: usize = 99;
/// Maximum characters of a file name; most file systems allow 255 bytes.
const NAME_CHARS_MAX: usize = 120;
/// Bytes that are inspected to distinguish text from other files.
const SNIFF_BYTES: usize = 8_192;
/// Extensions of files that are not text.
const OTHER_ENDINGS: &[&str] = &[
    "7z", "a", "avi", "bin", "bmp", "class", "db", "dll", "doc", "docx", "dylib", "exe", "flac",
    "gif", "gz", "heic", "ico", "iso", "jar", "jpeg", "jpg", "mkv", "mov", "mp3", "mp4", "o",
    "odp", "ods", "odt", "ogg", "otf", "pdf", "png", "ppt", "pptx", "rar", "so", "sqlite", "tar",
    "tiff", "ttf", "wav", "webm", "webp", "woff", "woff2", "xls", "xlsx", "xz", "zip", "zst",
];

/// A file read in order to be attached to a mail.
pub(crate) struct Loaded {
    /// File name.
    pub(crate) name: String,
    /// Contents.
    pub(crate) bytes: Vec<u8>,
}

/// Returns the opened folders in canonical form, without missing ones.
pub(super) fn roots(folders: &[String]) -> Result<Vec<PathBuf>, Stop> {
    Ok(roots_and_absent(folders)?.0)
}

/// Returns the opened folders in canonical form, and the names of the missing ones, such as a folder on a drive that is
/// not connected.
///
/// # Errors
/// Returns a fault if no folder is open, or none of them exists.
pub(super) fn roots_and_absent(folders: &[String]) -> Result<(Vec<PathBuf>, Vec<String>), Stop> {
    if folders.is_empty() {
        return Err(ToolFault::NotAllowed {
            what: "No folder is open to Adjutant.".into(),
            hint: "Add one in Settings, Folders.".into(),
        }
        .into());
    }
    let (mut found, mut absent) = (Vec::new(), Vec::new());
    for folder in folders {
        let there = Path::new(folder)
            .is_absolute()
            .then(|| fs::canonicalize(folder).ok())
            .flatten()
            .filter(|folder| folder.is_dir());
        match there {
            Some(there) if found.contains(&there) => {}
            Some(there) => found.push(there),
            None => absent.push(folder.clone()),
        }
    }
    if found.is_empty() {
        return Err(ToolFault::NotFound {
            what: "None of the open folders can be found.".into(),
        }
        .into());
    }
    Ok((found, absent))
}

/// Returns the canonical path and the opened folder it is in.
///
/// # Errors
/// Returns a fault if the path does not exist, is outside, or is hidden. "Outside" and "missing" give the same message,
/// so that nothing can be learnt about other folders.
pub(super) fn inside(path: &str, roots: &[PathBuf]) -> Result<(PathBuf, PathBuf), Stop> {
    let outside = || -> Stop {
        ToolFault::NotAllowed {
            what: format!("{} is not in an open folder.", words::quoted(path)),
            hint: "Only files in the folders of Settings, Folders can be read.".into(),
        }
        .into()
    };
    if path.contains('\0') {
        return Err(outside());
    }
    let given = Path::new(path);
    let mut candidates: Vec<PathBuf> = Vec::new();
    if given.is_absolute() {
        candidates.push(given.to_owned());
    } else {
        candidates.extend(roots.iter().map(|root| root.join(given)));
        // "Documents" may also be the name of an opened folder itself.
        candidates.extend(
            roots
                .iter()
                .filter(|root| {
                    root.file_name()
                        .is_some_and(|name| name.eq_ignore_ascii_case(path))
                })
                .cloned(),
        );
    }
    for candidate in candidates {
        let Ok(canonical) = fs::canonicalize(&candidate) else {
            continue;
        };
        if let Some(root) = roots.iter().find(|root| canonical.starts_with(root)) {
            if is_hidden(&canonical, root) {
                return Err(ToolFault::NotAllowed {
                    what: format!(
                        "{} is hidden, and hidden files are not opened.",
                        words::quoted(path)
                    ),
                    hint: String::new(),
                }
                .into());
            }
            return Ok((canonical, root.clone()));
        }
    }
    Err(outside())
}

fn is_hidden(path: &Path, root: &Path) -> bool {
    path.strip_prefix(root).is_ok_and(|inner| {
        inner.components().any(|part| match part {
            Component::Normal(name) => name.to_string_lossy().starts_with('.'),
            _ => true,
        })
    })
}

/// Returns a row for a path that is known to be inside; `None` if it is not a file.
pub(super) fn row_of(path: PathBuf, root: &Path) -> Option<FileRow> {
    let meta = fs::metadata(&path).ok()?;
    if !meta.is_file() {
        return None;
    }
    let name = path.file_name()?.to_string_lossy().into_owned();
    let folder = path
        .parent()
        .and_then(|parent| parent.strip_prefix(root.parent().unwrap_or(root)).ok())
        .map(|folder| folder.display().to_string())
        .unwrap_or_default();
    Some(FileRow {
        text: looks_like_text(&name),
        name,
        folder,
        size: meta.len(),
        modified: meta
            .modified()
            .ok()
            .and_then(|at| Timestamp::try_from(at).ok()),
        snippets: Vec::new(),
        path,
    })
}

fn looks_like_text(name: &str) -> bool {
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_lowercase());
    ending.is_none_or(|ending| !OTHER_ENDINGS.contains(&ending.as_str()))
}

/// Returns the row of a path in an opened folder.
pub(super) async fn row(path: &str, cx: &Cx) -> Result<FileRow, Stop> {
    let (path, folders) = (path.to_owned(), cx.settings.folders.clone());
    blocking(move |_| {
        let (canonical, root) = inside(&path, &roots(&folders)?)?;
        row_of(canonical, &root).ok_or_else(|| {
            ToolFault::NotFound {
                what: format!("{} is not a file.", words::quoted(&path)),
            }
            .into()
        })
    })
    .await
}

/// Returns the text of a file, at most `bytes_max` bytes of it, and whether it was cut.
///
/// # Errors
/// Returns a fault if the file is not text or cannot be read.
pub(super) fn text_of(row: &FileRow, bytes_max: usize) -> Result<(String, bool), Stop> {
    text_in(row, bytes_max)?.ok_or_else(|| {
        ToolFault::Failed {
            what: format!("{} is not a text file.", words::quoted(&row.name)),
            hint: "Open it in the program it belongs to.".into(),
        }
        .into()
    })
}

/// Like [`text_of`], but returns `None` for a file that is not text.
///
/// # Errors
/// Returns a fault if the file cannot be read.
pub(super) fn text_in(row: &FileRow, bytes_max: usize) -> Result<Option<(String, bool)>, Stop> {
    let bytes = read_some(&row.path, bytes_max + 4)?;
    let cut = bytes.len() > bytes_max;
    let text = decode(&bytes[..bytes.len().min(bytes_max)], cut);
    Ok(text.map(|text| (text, cut)))
}

/// Decodes UTF-8, UTF-16 with a byte order mark, or Windows-1252; `None` for anything else.
fn decode(bytes: &[u8], cut: bool) -> Option<String> {
    match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            let encoding = if bytes[0] == 0xFF {
                encoding_rs::UTF_16LE
            } else {
                encoding_rs::UTF_16BE
            };
            return Some(encoding.decode(bytes).0.into_owned());
        }
        _ => {}
    }
    if bytes[..bytes.len().min(SNIFF_BYTES)].contains(&0) {
        return None;
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.to_owned()),
        // The cut split a character.
        Err(error) if cut && error.error_len().is_none() => {
            Some(String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned())
        }
        Err(_) => {
            let text = encoding_rs::WINDOWS_1252.decode(bytes).0;
            let odd = text
                .chars()
                .filter(|c| c.is_control() && !c.is_whitespace())
                .count();
            (odd * 20 < text.len()).then(|| text.into_owned())
        }
    }
}

fn read_some(path: &Path, bytes_max: usize) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(bytes_max as u64).read_to_end(&mut bytes))
        .map_err(|error| unreadable(path, &error))?;
    Ok(bytes)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Stop {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    ToolFault::Failed {
        what: format!(
            "{} cannot be read: {}.",
            words::quoted(&name),
            io_reason(error)
        ),
        hint: "Check that it is still there and may be read.".into(),
    }
    .into()
}

/// Reads a whole file to be attached to a mail.
pub(crate) async fn for_mail(path: &str, bytes_max: usize, cx: &Cx) -> Result<Loaded, Stop> {
    let row = row(path, cx).await?;
    blocking(move |_| {
        let bytes = read_some(&row.path, bytes_max + 1)?;
        if bytes.len() > bytes_max {
            return Err(ToolFault::TooMuch {
                what: format!(
                    "{} has {}; the limit for a mail is {}.",
                    words::quoted(&row.name),
                    words::bytes(row.size),
                    words::bytes(bytes_max as u64)
                ),
                hint: "Attach a smaller file.".into(),
            }
            .into());
        }
        Ok(Loaded {
            name: row.name,
            bytes,
        })
    })
    .await
}

/// Returns a path for a new file in an opened folder. An existing file with the same bytes keeps its name.
pub(crate) async fn free_name(
    folder: Option<&str>,
    name: &str,
    bytes: &[u8],
    cx: &Cx,
) -> Result<PathBuf, Stop> {
    let folder = folder.map(str::to_owned);
    let (name, bytes) = (safe_name(name), bytes.to_vec());
    let folders = cx.settings.folders.clone();
    blocking(move |_| {
        let roots = roots(&folders)?;
        let folder = match &folder {
            Some(folder) => inside(folder, &roots)?.0,
            None => roots[0].clone(),
        };
        if !folder.is_dir() {
            return Err(ToolFault::NotFound {
                what: format!(
                    "{} is not a folder.",
                    words::quoted(&folder.display().to_string())
                ),
            }
            .into());
        }
        let (stem, ending) = match name.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() => (stem.to_owned(), format!(".{ending}")),
            _ => (name.clone(), String::new()),
        };
        for number in 1..=NAMES_TRIED_MAX {
            let name = match number {
                1 => format!("{stem}{ending}"),
                number => format!("{stem} ({number}){ending}"),
            };
            let path = folder.join(name);
            match fs::symlink_metadata(&path) {
                Err(_) => return Ok(path),
                Ok(_) if holds(&path, &bytes) => return Ok(path),
                Ok(_) => {}
            }
        }
        Err(ToolFault::TooMuch {
            what: format!(
                "There are already {NAMES_TRIED_MAX} files called {}.",
                words::quoted(&name)
            ),
            hint: "Choose another folder.".into(),
        }
        .into())
    })
    .await
}

/// Writes a new file, never over another one, and reads it back.
pub(crate) async fn write_new(path: &str, bytes: Vec<u8>, cx: &Cx) -> Result<(), Stop> {
    let path = PathBuf::from(path);
    let folders = cx.settings.folders.clone();
    blocking(move |stopped| {
        stopped.check()?;
        let roots = roots(&folders)?;
        let parent = path.parent().map(|parent| parent.display().to_string());
        let (folder, _) = inside(&parent.unwrap_or_default(), &roots)?;
        let name = path
            .file_name()
            .ok_or_else(|| unwritable(&path, "it has no name"))?;
        let path = folder.join(name);
        if holds(&path, &bytes) {
            return Ok(());
        }
        let failed = |error: std::io::Error| unwritable(&path, &error.to_string());
        let mut file = tempfile::NamedTempFile::new_in(&folder).map_err(failed)?;
        file.write_all(&bytes).map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        file.persist_noclobber(&path)
            .map_err(|error| failed(error.error))?;
        // The file's name is in the folder, so the folder is synced as well, as far as possible: not every folder can
        // be opened and not every file system supports it. The file exists in any case.
        #[cfg(unix)]
        let _synced = fs::File::open(&folder).and_then(|folder| folder.sync_all());
        if holds(&path, &bytes) {
            return Ok(());
        }
        Err(unwritable(&path, "reading it back gave something else"))
    })
    .await
}

/// Returns whether a file of this size and digest (SHA-256, hexadecimal) exists; `None` if that cannot be determined,
/// for example because its folder is on a drive that is not connected.
pub(crate) async fn lies_there(path: &str, bytes: u64, digest: &str) -> Option<bool> {
    let (path, digest) = (PathBuf::from(path), digest.to_owned());
    let looked = blocking(move |_| {
        let meta = match fs::symlink_metadata(&path) {
            Ok(meta) => meta,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let folder = path.parent().is_some_and(Path::is_dir);
                return Ok(folder.then_some(false));
            }
            Err(_) => return Ok(None),
        };
        if !meta.is_file() || meta.len() != bytes {
            return Ok(Some(false));
        }
        Ok(fs::read(&path).ok().map(|there| sha256(&there).0 == digest))
    });
    looked.await.ok().flatten()
}

/// Returns whether a path is a file with these bytes. Reads neither files of another size nor anything but files.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|there| there == bytes)
}

fn unwritable(path: &Path, reason: &str) -> Stop {
    ToolFault::Failed {
        what: format!(
            "{} cannot be written: {reason}.",
            words::quoted(&path.display().to_string())
        ),
        hint: "Check the folder, then try again.".into(),
    }
    .into()
}

/// Returns a file name without path, control characters and leading dots.
fn safe_name(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let clean: String = base
        .chars()
        .map(|c| {
            // A mark that reverses the reading direction can disguise the extension `exe`.
            let hidden = c.is_control() || escape::needs_escape(c.encode_utf8(&mut [0; 4]));
            if hidden || "<>:\"|?*".contains(c) {
                '_'
            } else {
                c
            }
        })
        .collect();
    let clean = clean
        .trim()
        .trim_start_matches('.')
        .trim_end_matches(['.', ' ']);
    if clean.is_empty() {
        return "attachment".into();
    }
    match clean.rsplit_once('.') {
        Some((stem, ending)) if clean.chars().count() > NAME_CHARS_MAX && ending.len() < 12 => {
            let keep = NAME_CHARS_MAX - ending.len() - 1;
            format!("{}.{ending}", stem.chars().take(keep).collect::<String>())
        }
        _ => clean.chars().take(NAME_CHARS_MAX).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_folder() {
        for (name, safe) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("..\\..\\boot.ini", "boot.ini"),
            (".bashrc", "bashrc"),
            ("a\nb.txt", "a_b.txt"),
            ("invoice_\u{202E}fdp.exe", "invoice__fdp.exe"),
            ("two\twords\u{200B}.txt", "two_words_.txt"),
            ("...", "attachment"),
            ("", "attachment"),
            ("x/", "attachment"),
        ] {
            assert_eq!(safe_name(name), safe, "{name}");
        }
        assert!(safe_name(&format!("{}.pdf", "a".repeat(500))).ends_with(".pdf"));
    }

    #[cfg(unix)]
    #[test]
    fn only_a_file_of_the_same_size_is_compared() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("there");
        assert!(!holds(&path, b"mine"), "nothing is there");
        fs::write(&path, "mine").expect("written");
        assert!(holds(&path, b"mine") && !holds(&path, b"more") && !holds(&path, b"m"));
        // Whoever reads this waits for somebody who writes.
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("made").success());
        assert!(!holds(&pipe, b""));
    }

    #[test]
    fn text_is_told_from_other_bytes() {
        assert_eq!(decode(b"caf\xC3\xA9", false).as_deref(), Some("café"));
        assert_eq!(decode(b"caf\xE9", false).as_deref(), Some("café"));
        assert_eq!(decode(b"\xFF\xFEh\0i\0", false).as_deref(), Some("hi"));
        assert_eq!(decode(b"cut \xC3", true).as_deref(), Some("cut "));
        assert_eq!(decode(b"\x7fELF\0\0\0", false), None);
    }
}
