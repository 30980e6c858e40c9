//! Reads documents in opened folders. Every path is canonicalised and must be inside an opened folder. Links are not
//! followed, and hidden files are skipped.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use adjutant_domain::faults::io_reason;
use adjutant_domain::ports::SourceFault;
use ignore::WalkBuilder;

use crate::text::Media;

/// Maximum number of documents read.
pub(super) const DOCUMENTS_MAX: usize = 20_000;
/// Maximum number of files examined to find documents.
const FILES_MAX: usize = 200_000;
/// Maximum depth of nested folders.
const DEPTH_MAX: usize = 24;

/// A loaded document.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) media: Media,
}

/// A document's state in the file system: size in bytes and modification time in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    pub(super) size: u64,
    pub(super) modified: i64,
}

/// The documents found in the folders.
#[derive(Debug, Default)]
pub(super) struct FolderListing {
    pub(super) documents: BTreeMap<String, FileStamp>,
    /// Opened folders that do not exist at the moment.
    pub(super) absent: Vec<String>,
    /// Whether a limit stopped the search before everything was found.
    pub(super) cut: bool,
}

/// Reads a document inside one of these folders.
pub(super) fn load(path: &str, folders: &[String]) -> Result<Loaded, SourceFault> {
    // Files outside and missing files give the same fault, so that it reveals nothing about other folders.
    let gone = || SourceFault::Gone {
        what: "A document of that name in an open folder".into(),
    };
    let canonical = fs::canonicalize(path).map_err(|_| gone())?;
    if !is_inside(&canonical, folders) {
        return Err(gone());
    }
    let name = canonical
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name = name.ok_or_else(gone)?;
    let media = Media::of_name(&name).ok_or_else(|| SourceFault::NotText {
        what: format!("“{name}”"),
        media: "a kind of file that is not read".into(),
    })?;
    let bytes = bytes(&canonical, media).map_err(|fault| match fault {
        NotLoaded::TooLarge => SourceFault::TooLarge {
            what: format!("“{name}”"),
            limit_mb: media.bytes_max() as u64 / (1024 * 1024),
        },
        NotLoaded::Failed(why) => SourceFault::Failed {
            what: format!("“{name}” cannot be read: {why}."),
        },
    })?;
    Ok(Loaded { name, bytes, media })
}

/// Why a file was not read.
#[derive(Debug)]
pub(super) enum NotLoaded {
    TooLarge,
    Failed(String),
}

/// Reads a file that is known to be inside an opened folder.
pub(super) fn bytes(path: &Path, media: Media) -> Result<Vec<u8>, NotLoaded> {
    let failed = |error: &std::io::Error| NotLoaded::Failed(io_reason(error));
    let file = fs::File::open(path).map_err(|error| failed(&error))?;
    let is_file = file.metadata().map_err(|error| failed(&error))?.is_file();
    if !is_file {
        return Err(NotLoaded::Failed("it is not a file".into()));
    }
    let mut bytes = Vec::new();
    let limit = media.bytes_max() as u64;
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(&error))?;
    match bytes.len() as u64 > limit {
        true => Err(NotLoaded::TooLarge),
        false => Ok(bytes),
    }
}

fn is_inside(path: &Path, folders: &[String]) -> bool {
    let roots = folders
        .iter()
        .filter_map(|folder| fs::canonicalize(folder).ok());
    let inner = roots.filter_map(|root| path.strip_prefix(root).ok().map(Path::to_path_buf));
    let visible = |part: Component<'_>| match part {
        Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
        _ => false,
    };
    inner
        .into_iter()
        .any(|inner: PathBuf| inner.components().all(visible))
}

/// Lists the documents in these folders.
pub(super) fn list(folders: &[String]) -> FolderListing {
    let mut listed = FolderListing::default();
    let mut looked_at = 0;
    for folder in folders {
        let root = Path::new(folder)
            .is_absolute()
            .then(|| fs::canonicalize(folder).ok());
        let Some(root) = root.flatten().filter(|root| root.is_dir()) else {
            listed.absent.push(folder.clone());
            continue;
        };
        let entries = WalkBuilder::new(&root)
            .standard_filters(false)
            .hidden(true)
            .follow_links(false)
            .max_depth(Some(DEPTH_MAX))
            .sort_by_file_name(std::cmp::Ord::cmp)
            .build();
        for entry in entries.filter_map(Result::ok) {
            looked_at += 1;
            if looked_at > FILES_MAX || listed.documents.len() >= DOCUMENTS_MAX {
                listed.cut = true;
                return listed;
            }
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let is_read = Media::of_name(&entry.file_name().to_string_lossy()).is_some();
            if !is_file || !is_read {
                continue;
            }
            if let (Some(path), Ok(meta)) = (entry.path().to_str(), entry.metadata()) {
                let modified = meta.modified().ok();
                let modified = modified.and_then(|at| jiff::Timestamp::try_from(at).ok());
                let seen = FileStamp {
                    size: meta.len(),
                    modified: modified.map_or(0, |at| at.as_microsecond()),
                };
                listed.documents.insert(path.to_owned(), seen);
            }
        }
    }
    listed
}

/// Tells whether an indexed document is inside a folder that is open now.
pub(super) fn is_open(path: &str, folders: &[String]) -> bool {
    is_inside(Path::new(path), folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_an_open_folder_is_read() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(dir.path()).expect("a path");
        for folder in ["open/inner", "open/.hidden", "closed"] {
            fs::create_dir_all(root.join(folder)).expect("a folder");
        }
        for file in [
            "open/a.txt",
            "open/inner/b.md",
            "open/.hidden/c.txt",
            "closed/d.txt",
        ] {
            fs::write(root.join(file), "text").expect("a file");
        }
        fs::write(root.join("open/e.exe"), "MZ").expect("a file");
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.join("closed/d.txt"), root.join("open/link.txt"))
            .expect("a link");
        let folders = [
            root.join("open").display().to_string(),
            "/not/there".to_owned(),
        ];
        let listed = list(&folders);
        let names: Vec<&str> = listed
            .documents
            .keys()
            .filter_map(|path| path.rsplit('/').next())
            .collect();
        assert_eq!(names, ["a.txt", "b.md"]);
        assert_eq!(listed.absent, ["/not/there"]);
        let load = |file: &str| load(&root.join(file).display().to_string(), &folders);
        assert_eq!(load("open/a.txt").expect("read").bytes, b"text");
        for file in [
            "open/.hidden/c.txt",
            "closed/d.txt",
            "open/link.txt",
            "open/../closed/d.txt",
            "open/none.txt",
        ] {
            assert!(
                matches!(load(file), Err(SourceFault::Gone { .. })),
                "{file}"
            );
        }
        assert!(matches!(
            load("open/e.exe"),
            Err(SourceFault::NotText { .. })
        ));
    }
}
