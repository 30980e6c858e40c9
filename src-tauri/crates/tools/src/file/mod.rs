//! Files in the folders that the person opened, and nowhere else.

mod access;
mod blocking;
mod find;
mod list;
mod read;
mod search;
mod walk;

#[cfg(test)]
mod contract;

use adjutant_domain::focus::Referent;
use adjutant_domain::gate::Item;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::tool::AnyTool;
use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) use access::{for_mail, free_name, lies_there, write_new};
pub use find::FileFilter;
pub(crate) use search::passages;

use crate::registry::{Reads, any};
use crate::select::{Row, Said};
use crate::words;

/// Returns the tools of this family.
pub fn tools() -> Vec<Arc<dyn AnyTool>> {
    vec![
        any(Reads(search::Search)),
        any(Reads(read::Read)),
        any(Reads(list::List)),
    ]
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRow {
    /// Canonical path.
    pub path: PathBuf,
    /// File name.
    pub name: String,
    /// Folder of the file, starting with the opened folder.
    pub folder: String,
    /// Size in bytes.
    pub size: u64,
    /// When it was last changed; `None` if unknown.
    pub modified: Option<Timestamp>,
    /// Whether its name looks like that of a text file.
    pub text: bool,
    /// Line numbers, from 1, and texts of matching lines.
    pub snippets: Vec<(usize, String)>,
}

#[async_trait]
impl Row for FileRow {
    const NOUN: &'static str = "file";

    fn ref_id(&self) -> String {
        self.path.display().to_string()
    }

    fn referent(&self) -> Option<Referent> {
        None
    }

    fn said(&self) -> Said {
        Said {
            title: format!("{} {}", self.name, self.folder),
            ..Said::default()
        }
    }

    fn value(&self, cx: &Cx) -> Value {
        json!({
            "id": self.ref_id(), "path": self.ref_id(), "name": self.name, "folder": self.folder, "size": self.size,
            "modified": self.modified.map(|at| at.to_zoned(cx.zone()).to_string()),
            "kind": if self.text { "text" } else { "other" },
            "snippets": self.snippets.iter().map(|(line, text)| json!({"line": line, "text": text})).collect::<Vec<_>>(),
        })
    }

    fn line(&self, cx: &Cx) -> String {
        let mut line = format!(
            "{} · {}",
            words::inline(&self.name),
            words::bytes(self.size)
        );
        if let Some(at) = self.modified {
            line.push_str(&format!(" · {}", words::instant(at, cx)));
        }
        if !self.folder.is_empty() {
            line.push_str(&format!(" · {}", words::inline(&self.folder)));
        }
        line
    }

    fn item(&self, cx: &Cx) -> Item {
        Item {
            id: self.ref_id(),
            label: self.name.clone(),
            detail: Some(self.modified.map_or_else(
                || self.folder.clone(),
                |at| format!("{} · {}", self.folder, words::instant(at, cx)),
            )),
            ..Item::default()
        }
    }

    async fn load(id: &str, cx: &Cx) -> Result<Option<Self>, Stop> {
        access::row(id, cx).await.map(Some)
    }
}
