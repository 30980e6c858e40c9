//! `file.list`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::source::Taint;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use serde_json::Value;

use super::find::{FileFilter, FileQuestion};
use crate::registry::{Reading, spec};
use crate::select::{Filter, Row, chosen, output};
use crate::words;

/// The tool `file.list`: lists files.
pub(super) struct List;

#[async_trait]
impl Reading for List {
    type Args = FileFilter;

    fn spec(&self) -> ToolSpec {
        spec(
            "file.list",
            Domain::Files,
            Risk::Read,
            "Lists files in the open folders by name, type, date or size.",
            &[
                "list the files in",
                "what files are in",
                "show my documents",
                "which PDFs do I have",
                "latest file",
                "newest document",
                "largest files",
                "find the file called",
            ],
        )
    }

    async fn read(&self, filter: FileFilter, cx: &Cx) -> Result<Answer, Stop> {
        let walked = filter.look(cx).await?;
        let chosen = chosen(&filter, walked.rows.into(), cx)?;
        let sought = filter.sought(cx);
        let lines: Vec<String> = chosen.rows.iter().map(|row| row.line(cx)).collect();
        let count = words::plural(chosen.total, "file");
        let ask = filter.ask.unwrap_or_default();
        let listed = words::bullets(&lines, chosen.total);
        let say = match (ask, lines.as_slice()) {
            (FileQuestion::Count, []) => format!("0 {sought}."),
            (FileQuestion::Any, []) => format!("No, there are no {sought}."),
            (FileQuestion::List, []) => format!("No {sought}."),
            (FileQuestion::List, [one]) => format!("{one}."),
            (FileQuestion::Any, [one]) => format!("Yes: {one}."),
            (FileQuestion::Any, _) => format!("Yes, {count}.\n\n{listed}"),
            _ => format!("{count}.\n\n{listed}"),
        };
        let mut output = output(&chosen.rows, chosen.total, cx);
        output.insert("complete".into(), walked.missed.nothing().into());
        Ok(Answer {
            output: Value::Object(output),
            say: say + &walked.missed.words(),
            referents: Vec::new(),
            // File names are foreign text.
            taint: Taint::Tainted,
            used_memories: Vec::new(),
        })
    }
}
