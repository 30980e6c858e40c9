//! `note.list`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Kind, Note};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;

use super::find::{NoteFilter, NoteQuestion};
use crate::registry::{Reading, spec};
use crate::select::{Filter, Row, answer, listed};
use crate::words;

/// Maximum notes shown in full in one answer.
const WHOLE_MAX: usize = 3;
/// Maximum characters shown of each.
const WHOLE_CHARS_MAX: usize = 2_000;

/// The tool `note.list`: lists notes.
pub(super) struct List;

#[async_trait]
impl Reading for List {
    type Args = NoteFilter;

    fn spec(&self) -> ToolSpec {
        spec(
            "note.list",
            Domain::Note,
            Risk::Read,
            "Lists notes by words, label or date.",
            &[
                "my notes",
                "list my notes",
                "show my notes",
                "which notes do I have",
                "how many notes",
                "latest note",
            ],
        )
    }

    async fn read(&self, filter: NoteFilter, cx: &Cx) -> Result<Answer, Stop> {
        let chosen = listed(&filter, cx).await?;
        let sought = filter.sought(cx);
        let lines: Vec<String> = chosen.rows.iter().map(|note| note.line(cx)).collect();
        let count = words::plural(chosen.total, "note");
        let listed = words::found(&lines, chosen.total, filter.limit, Kind::Note);
        let ask = filter.ask.unwrap_or_default();
        let say = match (ask, chosen.rows.as_slice()) {
            (NoteQuestion::Count, []) => format!("0 {sought}."),
            (NoteQuestion::Any, []) => format!("No, there are no {sought}."),
            (_, []) => format!("No {sought}."),
            (NoteQuestion::Text, [_, ..]) if chosen.total <= WHOLE_MAX => whole(&chosen.rows),
            (NoteQuestion::When, [one]) => format!(
                "{} was changed {}.",
                words::quoted(&one.title),
                words::instant(one.updated, cx)
            ),
            (NoteQuestion::Any, [_]) => format!("Yes: {}.", lines[0]),
            (NoteQuestion::Any, _) => format!("Yes, {count}.\n\n{listed}"),
            (NoteQuestion::List, [_]) => format!("{}.", lines[0]),
            _ => format!("{count}.\n\n{listed}"),
        };
        Ok(answer(&chosen.rows, chosen.total, say, cx))
    }
}

/// Returns the text of a few notes, each under its title.
fn whole(rows: &[Note]) -> String {
    let texts = rows.iter().map(|note| match note.body.trim() {
        "" => format!("**{}**\n\nThe note is empty.", words::inline(&note.title)),
        body => format!(
            "**{}**\n\n{}",
            words::inline(&note.title),
            words::cut(body, WHOLE_CHARS_MAX)
        ),
    });
    texts.collect::<Vec<_>>().join("\n\n")
}
