//! `calendar.delete`

use adjutant_domain::gate::{Assessment, NoteKind, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::announced::Announced;
use super::find::EventFilter;
use super::scope::{Edits, Meant, Scope, Scoped, events};
use super::{EventRow, guests};
use crate::effect::{CardDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{self, Ids, Row, Which};
use crate::words;

/// The tool `calendar.delete`: deletes events.
pub(super) struct Delete;

/// Arguments of `calendar.delete`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The event.
    id: Option<Ids>,
    /// Several events.
    ids: Option<Ids>,
    /// Or: which event, by description.
    target: Option<EventFilter>,
    /// Which instance of a repeating event, by its original start.
    instance: Option<Moment>,
    /// How much of a repeating event.
    scope: Option<Scope>,
}

#[async_trait]
impl Acting for Delete {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "calendar.delete",
            Domain::Calendar,
            Risk::Destroys,
            "Deletes events, single instances of repeating ones, or whole series.",
            &[
                "cancel the meeting",
                "cancel my next meeting with",
                "delete the event",
                "remove from my calendar",
                "clear my afternoon",
                "take … off my calendar",
                "drop the call",
                "call off",
                "get rid of the meeting",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let scoped = events(
            &Meant {
                which: Which::of(&args.id, &args.ids, &args.target),
                instance: args.instance.as_ref(),
                scope: args.scope,
                spread: true,
            },
            cx,
        )
        .await?;
        let mut edits = Edits::default();
        for one in &scoped {
            edits.load(&one.row, cx).await?;
            delete(&mut edits, one, cx);
        }
        let (targets, change) = edits.finish();
        let rows: Vec<EventRow> = scoped.iter().map(|one| one.row.clone()).collect();
        let what = what(&scoped);
        let mut sketch = CardDraft::new(
            format!("Delete {what}"),
            "Delete",
            "Can be undone from Activity.",
        );
        sketch.items = scoped
            .iter()
            .map(|one| {
                let mut item = one.row.item(cx);
                if let Some(words) = scope_words(one.scope) {
                    item.detail = Some(format!("{} · {words}", item.detail.unwrap_or_default()));
                }
                item
            })
            .collect();
        let has_guests = rows.iter().any(|row| !guests(&row.0.event, cx).is_empty());
        let told = Announced::of(&change, cx).await?;
        let heard = has_guests.then(|| told.guests());
        if let Some(words) = heard {
            sketch.note(NoteKind::Info, words);
        }
        Ok(Prepared {
            targets,
            operations: local(change),
            answer: select::answer(&rows, rows.len(), say(&scoped, heard, cx), cx),
            assessment: Assessment::deletes(rows.len()),
            sketch,
        })
    }
}

fn delete(edits: &mut Edits, one: &Scoped, cx: &Cx) {
    let event = &one.row.0.event;
    match one.scope {
        None => edits.remove(&event.id),
        Some(Scope::This) => edits.take_out(&one.row, cx),
        Some(Scope::Series) => edits.remove_series(&event.uid),
        Some(Scope::Following) => {
            let from = one.row.0.instance_of.as_ref().unwrap_or(&one.row.0.start);
            if !edits.end_before(&event.uid, from, cx) {
                edits.remove_series(&event.uid);
            }
        }
    }
}

fn what(scoped: &[Scoped]) -> String {
    match scoped {
        [one] => {
            let title = words::quoted(&one.row.0.event.summary);
            match one.scope {
                None => format!("the event {title}"),
                Some(Scope::This) => format!("one instance of {title}"),
                Some(Scope::Following) => format!("{title} from one instance on"),
                Some(Scope::Series) => format!("the series {title}"),
            }
        }
        many => words::plural(many.len(), "event"),
    }
}

/// Returns how much of a series a card deletes; `None` for an event that does not repeat.
pub(super) fn scope_words(scope: Option<Scope>) -> Option<&'static str> {
    match scope {
        None => None,
        Some(Scope::This) => Some("only this instance"),
        Some(Scope::Following) => Some("this instance and all later ones"),
        Some(Scope::Series) => Some("the whole series"),
    }
}

fn say(scoped: &[Scoped], heard: Option<&str>, cx: &Cx) -> String {
    let line = |one: &Scoped| {
        let when = words::range(&one.row.0.start, &one.row.0.end, cx);
        let title = words::quoted(&one.row.0.event.summary);
        match one.scope {
            Some(Scope::Series) => format!("{title}, the whole series"),
            Some(Scope::Following) => format!("{title}, from {when} on"),
            _ => format!("{title}, {when}"),
        }
    };
    let mut said = match scoped {
        [one] => format!("Deleted {}.", line(one)),
        many => {
            let lines: Vec<String> = many.iter().map(line).collect();
            format!(
                "Deleted {}.\n\n{}",
                words::plural(many.len(), "event"),
                words::bullets(&lines, lines.len())
            )
        }
    };
    if let Some(words) = heard {
        said.push_str(if scoped.len() == 1 { " " } else { "\n\n" });
        said.push_str(words);
    }
    said
}
