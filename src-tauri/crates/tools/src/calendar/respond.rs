//! `calendar.respond`

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{AskReason, Assessment, NoteKind, Risk};
use adjutant_domain::moment::Moment;
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Attendee, Event};
use adjutant_domain::route::Domain;
use adjutant_domain::tool::ToolSpec;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EventRow;
use super::announced::Announced;
use super::delete::scope_words;
use super::find::EventFilter;
use super::own_response;
use super::scope::{Edits, Meant, Scope, Scoped, events, touch};
use crate::address::is_own;
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::registry::{Acting, spec};
use crate::select::{self, Ids, Row, Which};
use crate::words;

/// The tool `calendar.respond`: answers invitations.
pub(super) struct Respond;

/// Arguments of `calendar.respond`.
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
    /// The answer.
    response: Response,
}

/// Answers to an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Response {
    /// Comes.
    Accepted,
    /// Does not come.
    Declined,
    /// Perhaps comes.
    Tentative,
}

impl Response {
    fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Tentative => "tentative",
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Accepted => "Accept",
            Self::Declined => "Decline",
            Self::Tentative => "Answer “maybe” to",
        }
    }
}

#[async_trait]
impl Acting for Respond {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "calendar.respond",
            Domain::Calendar,
            Risk::LocalReversible,
            "Notes whether the person comes to an event: accepted, declined or tentative.",
            &[
                "accept the invitation",
                "decline the meeting",
                "say yes to the invite",
                "say no to the invite",
                "RSVP",
                "I can’t make it to",
                "maybe for the meeting",
                "tentatively accept",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let scoped = events(
            &Meant {
                which: Which::of(&args.id, &args.ids, &args.target),
                instance: args.instance.as_ref(),
                scope: args.scope,
                spread: false,
            },
            cx,
        )
        .await?;
        let Some(own) = cx.settings.owner.emails.first() else {
            return Err(ToolFault::NotAllowed {
                what: "Adjutant does not know your own mail address, so it cannot note an answer for you."
                    .into(),
                hint: "Add it in Settings, You.".into(),
            }
            .into());
        };
        let mut edits = Edits::default();
        let mut rows = Vec::with_capacity(scoped.len());
        for one in &scoped {
            edits.load(&one.row, cx).await?;
            rows.push(answer(&mut edits, one, args.response, own, cx));
        }
        let (targets, change) = edits.finish();
        let told = Announced::of(&change, cx).await?;
        Ok(Prepared {
            targets,
            operations: local(change),
            answer: select::answer(&rows, rows.len(), say(&scoped, args.response, told, cx), cx),
            assessment: Assessment {
                risk: Risk::LocalReversible,
                ask: Some(AskReason::ChangesEvent),
                count: rows.len(),
                reaching: Vec::new(),
                looked_up: Vec::new(),
                ..Assessment::read()
            },
            sketch: sketch(&scoped, args.response, told, cx),
        })
    }
}

fn answer(edits: &mut Edits, one: &Scoped, response: Response, own: &str, cx: &Cx) -> EventRow {
    let row = &one.row.0;
    let mut event = edits.get(&row.event.id).unwrap_or(&row.event).clone();
    match one.scope {
        Some(Scope::This) => event = edits.own_row(&one.row, cx),
        Some(Scope::Series | Scope::Following) => {
            for mut other in edits.exceptions(&event.uid) {
                set(&mut other, response, own, cx);
                edits.put(other);
            }
            if let Some(master) = edits.master(&event.uid) {
                event = master.clone();
            }
        }
        _ => {}
    }
    set(&mut event, response, own, cx);
    edits.put(event.clone());
    EventRow::whole(event)
}

fn set(event: &mut Event, response: Response, own: &str, cx: &Cx) {
    let status = response.word().to_owned();
    match event
        .attendees
        .iter_mut()
        .find(|guest| is_own(&guest.email, cx))
    {
        Some(guest) => guest.status = status,
        None => event.attendees.push(Attendee {
            name: cx.settings.owner.name.clone(),
            email: own.to_owned(),
            status,
        }),
    }
    touch(event, cx);
}

fn sketch(scoped: &[Scoped], response: Response, told: Announced, cx: &Cx) -> CardDraft {
    let title = match scoped {
        [one] => format!(
            "{} {}",
            response.verb(),
            words::quoted(&one.row.0.event.summary)
        ),
        many => format!(
            "{} {}",
            response.verb(),
            words::plural(many.len(), "invitation")
        ),
    };
    let mut sketch = CardDraft::new(title, "Note it", "Can be undone from Activity.");
    let old = scoped
        .first()
        .and_then(|one| own_response(&one.row.0.event, cx))
        .unwrap_or_else(|| "no answer".into());
    sketch
        .facts
        .push(FactDraft::from_arg("Your answer", response.word(), "/response").was(old));
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
    sketch.note(NoteKind::Info, told.organizer());
    sketch
}

fn say(scoped: &[Scoped], response: Response, told: Announced, cx: &Cx) -> String {
    let heard = told.organizer();
    let lines: Vec<String> = scoped.iter().map(|one| one.row.line(cx)).collect();
    let noted = match response {
        Response::Accepted => "Accepted",
        Response::Declined => "Declined",
        Response::Tentative => "Answered “maybe”",
    };
    match lines.as_slice() {
        [one] => format!("{noted}: {one}. {heard}"),
        many => format!(
            "{noted}: {}.\n\n{}\n\n{heard}",
            words::plural(many.len(), "event"),
            words::bullets(many, many.len())
        ),
    }
}
