//! `note.append`

use adjutant_domain::gate::Risk;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Note;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::BODY_CHARS_MAX;
use super::create::{new_note, prepared};
use super::find::NoteFilter;
use super::update::changed;
use crate::effect::Prepared;
use crate::registry::{Acting, spec};
use crate::select::{Filter as _, Ids, bad, target_one};
use crate::words;

/// The tool `note.append`: adds to a note.
pub(super) struct Append;

/// Arguments of `note.append`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The note.
    id: Option<Ids>,
    /// Or: which note, by description.
    target: Option<NoteFilter>,
    /// Or: words of its title.
    title: Option<String>,
    /// What is added at the end.
    text: String,
    /// The same as single entries, for a note that is a list: each gets a line of its own.
    items: Option<Vec<String>>,
    /// Makes the note when there is none of that title.
    create: Option<bool>,
}

#[async_trait]
impl Acting for Append {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "note.append",
            Domain::Note,
            Risk::LocalReversible,
            "Adds text to the end of a note.",
            &[
                "add to my note",
                "add … to my shopping list",
                "append to the note",
                "put … on the list",
                "also write down in",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let text = args.text.trim_end();
        if text.trim().is_empty() {
            return Err(bad("Say what to add."));
        }
        let items = args.items.as_deref().unwrap_or_default();
        let by_title = args.title.as_ref().map(|title| NoteFilter {
            title: Some(title.clone()),
            ..NoteFilter::default()
        });
        let target = args.target.as_ref().or(by_title.as_ref());
        if args.create == Some(true)
            && args.id.is_none()
            && let (Some(filter), Some(title)) = (&by_title, &args.title)
            && filter.find(true, Some(1), cx).await?.rows.is_empty()
        {
            return Ok(prepared(
                new_note(Some(title), &entries("", text, items), &[], cx)?,
                cx,
            ));
        }
        let note = target_one(args.id.as_ref(), target, cx).await?;
        let mut new: Note = note.clone();
        new.body = entries(&note.body, text, items);
        if new.body.chars().count() > BODY_CHARS_MAX {
            return Err(bad(format!(
                "A note has at most {BODY_CHARS_MAX} characters; this would be more."
            )));
        }
        let say = format!(
            "Added to {}: {}.",
            words::quoted(&note.title),
            words::inline(text.trim_end_matches('.'))
        );
        Ok(changed(&note, new, say, "/text", cx))
    }
}

/// Returns the body with the items added: one line each if the body is a list, otherwise the text as a whole.
fn entries(body: &str, text: &str, items: &[String]) -> String {
    let list = body.trim().is_empty() || list_mark(body).is_some();
    if items.is_empty() || !list {
        return entry(body, text);
    }
    let begun = if body.trim().is_empty() { "- " } else { "" };
    items.iter().fold(body.to_owned(), |body, item| {
        let item = item.trim();
        match body.trim().is_empty() {
            true => format!("{begun}{item}"),
            false => entry(&body, item),
        }
    })
}

/// Returns the mark for a new entry of a list; `None` if the body does not end in a list.
fn list_mark(body: &str) -> Option<&'static str> {
    let last = body.trim_end().lines().last()?.trim_start();
    let marks = ["- [ ] ", "- [x] ", "- ", "* ", "• "];
    let mark = marks.into_iter().find(|mark| last.starts_with(mark))?;
    Some(if mark == "- [x] " { "- [ ] " } else { mark })
}

/// Returns the body with the text added: as an entry if the body is a list, otherwise on a line of its own.
fn entry(body: &str, text: &str) -> String {
    let already = text.trim_start().starts_with(['-', '*', '•']);
    let line = match list_mark(body) {
        Some(mark) if !already && !text.contains('\n') => format!("{mark}{text}"),
        _ => text.to_owned(),
    };
    if body.trim().is_empty() {
        line
    } else {
        format!("{}\n{line}", body.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_go_on_as_lists() {
        assert_eq!(entry("- milk", "bread"), "- milk\n- bread");
        assert_eq!(entry("- [x] milk\n", "bread"), "- [x] milk\n- [ ] bread");
        assert_eq!(entry("- milk", "- bread"), "- milk\n- bread");
        assert_eq!(entry("Plain.", "More."), "Plain.\nMore.");
        assert_eq!(entry("", "First"), "First");
    }

    #[test]
    fn items_get_lines_of_their_own_in_a_list_only() {
        let items = ["milk".to_owned(), "eggs".to_owned()];
        let added = |body| entries(body, "milk and eggs", &items);
        assert_eq!(added(""), "- milk\n- eggs");
        assert_eq!(added("* tea\n"), "* tea\n* milk\n* eggs");
        assert_eq!(added("Plain."), "Plain.\nmilk and eggs");
        assert_eq!(
            entries("- tea", "milk and eggs", &[]),
            "- tea\n- milk and eggs"
        );
    }
}
