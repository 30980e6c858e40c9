//! `file.read`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::access::{row, text_of};
use super::blocking::blocking;
use super::find::FileFilter;
use crate::registry::{Reading, spec};
use crate::select::{Row, target_one};
use crate::words;

/// Maximum bytes of a file that are read.
const READ_BYTES_MAX: usize = 256 * 1_024;
/// Maximum characters of a file in the answer's words; the output has everything that was read.
const SAID_CHARS_MAX: usize = 4_000;

/// The tool `file.read`: reads a text file.
pub(super) struct Read;

/// Arguments of `file.read`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Path of the file, absolute or inside an open folder.
    path: Option<String>,
    /// The file, as an earlier output gave it.
    id: Option<String>,
    /// Or: which file, by description.
    target: Option<FileFilter>,
}

#[async_trait]
impl Reading for Read {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "file.read",
            Domain::Files,
            Risk::Read,
            "Reads a text file in an open folder.",
            &[
                "read the file",
                "open the document",
                "show me the contents of",
                "what is in the file",
                "what does the file say",
            ],
        )
    }

    async fn read(&self, args: Args, cx: &Cx) -> Result<Answer, Stop> {
        let found = match args.id.as_ref().or(args.path.as_ref()) {
            Some(path) => row(path, cx).await?,
            None => target_one(None, args.target.as_ref(), cx).await?,
        };
        let file = found.clone();
        let (text, cut) = blocking(move |_| text_of(&file, READ_BYTES_MAX)).await?;
        let mut output = found.value(cx);
        output["text"] = json!(text);
        output["cut"] = json!(cut);
        let shown = words::cut(text.trim_end(), SAID_CHARS_MAX);
        let rest = if cut {
            format!(
                "\n\nOnly the first {} are read.",
                words::bytes(READ_BYTES_MAX as u64)
            )
        } else {
            String::new()
        };
        Ok(Answer {
            output,
            say: format!(
                "**{}**\n\n{}{rest}",
                words::inline(&found.name),
                quoted(&shown)
            ),
            referents: Vec::new(),
            taint: Taint::Tainted,
            used_memories: Vec::new(),
        })
    }
}

/// Returns text as a Markdown quotation: these are the file's words.
fn quoted(text: &str) -> String {
    if text.trim().is_empty() {
        return "The file is empty.".into();
    }
    text.lines()
        .map(|line| format!("> {line}").trim_end().to_owned())
        .collect::<Vec<_>>()
        .join("\n")
}
