//! `calendar.enter`

use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::{AskReason, Assessment, NoteKind, Risk};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::{Event, Mail};
use adjutant_domain::route::Domain;
use adjutant_domain::source::{Source, Taint};
use adjutant_domain::tool::ToolSpec;
use adjutant_interchange::Method;
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::EventRow;
use super::announced::Announced;
use super::create::{conflict_words, conflicts};
use super::invited::{self, Invited, Standing};
use super::scope::Edits;
use crate::effect::{CardDraft, FactDraft, Prepared, local};
use crate::email::{MailFilter, MailRow, found_in};
use crate::registry::{Acting, spec};
use crate::select::{self, Ids, Row as _, bad, not_found, target_one};
use crate::words;

/// The tool `calendar.enter`: brings the calendar in line with what a mail carries for it.
pub(super) struct Enter;

/// Arguments of `calendar.enter`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The mail.
    id: Option<Ids>,
    /// Or: which mail, by description.
    target: Option<MailFilter>,
}

#[async_trait]
impl Acting for Enter {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "calendar.enter",
            Domain::Calendar,
            Risk::LocalReversible,
            "Enters in the calendar what a mail carries for it: events, new times, a cancellation, a guest’s answer. Answers nobody.",
            &[
                "add the event in the email to my calendar",
                "put the attached event in my calendar",
                "enter the invitation in my calendar",
                "save the calendar file of the mail",
            ],
        )
    }

    async fn prepare(&self, args: &Args, cx: &Cx) -> Result<Prepared, Stop> {
        let target = args.target.clone().map(|target| MailFilter {
            has_attachment: target.has_attachment.or(Some(true)),
            ..target
        });
        let row = target_one(args.id.as_ref(), target.as_ref(), cx).await?;
        let MailRow::Mail(mail) = row else {
            return Err(bad(
                "A mail that has not been sent carries nothing for the calendar.",
            ));
        };
        let invited = invited::complete(&mail, cx).await?;
        let invited = invited.filter(|one| !one.rows.is_empty()).ok_or_else(|| {
            not_found(format!(
                "The mail {} carries nothing for the calendar that can be read.",
                words::quoted(&mail.subject)
            ))
        })?;
        if !invited.can_be_entered() {
            return Err(nothing_to_enter(&invited));
        }
        prepared(&mail, &invited, cx).await
    }
}

/// Says why there is nothing to enter.
fn nothing_to_enter(invited: &Invited) -> Stop {
    let what = match (invited.method, invited.standing) {
        (_, Standing::Own) => "That is your own event; nothing is to be entered.",
        (_, Standing::Outdated) => "Your calendar has a later version of that event.",
        (Method::Cancel, _) => "Your calendar does not show that event.",
        (Method::Reply, Standing::New) => "Your calendar does not have that event.",
        _ => "Your calendar has that already.",
    };
    ToolFault::NotAllowed {
        what: what.into(),
        hint: "Nothing was changed.".into(),
    }
    .into()
}

async fn prepared(mail: &Mail, invited: &Invited, cx: &Cx) -> Result<Prepared, Stop> {
    let mut edits = Edits::default();
    for row in invited.known() {
        edits.load(&EventRow::whole(row.clone()), cx).await?;
    }
    for row in &invited.rows {
        edits.put(row.clone());
    }
    let (targets, change) = edits.finish();
    let told = Announced::of(&change, cx).await?;
    let rows: Vec<EventRow> = invited.rows.iter().cloned().map(EventRow::whole).collect();
    let mut overlaps = String::new();
    if invited.method != Method::Cancel && invited.answered.is_none() {
        for row in &rows {
            overlaps.push_str(&conflict_words(&conflicts(row, cx).await?, cx));
        }
    }
    let said = say(&rows, invited, cx) + &overlaps;
    let mut answer = select::answer(&rows, rows.len(), said, cx);
    answer.taint = Taint::Tainted;
    let mut sketch = sketch(mail, invited, &rows, cx);
    if told != Announced::Nobody && told != Announced::Unsent {
        sketch.note(NoteKind::Info, told.guests());
    }
    if !overlaps.is_empty() {
        sketch.note(NoteKind::Warn, overlaps.trim().to_owned());
    }
    Ok(Prepared {
        targets,
        operations: local(change),
        answer,
        assessment: Assessment {
            ask: (invited.standing == Standing::Changed).then_some(AskReason::ChangesEvent),
            count: rows.len(),
            ..Assessment::reversible()
        },
        sketch,
    })
}

/// Returns what is done, as the title of a card, and its verb.
fn title(invited: &Invited, first: Option<&Event>) -> (String, &'static str) {
    let name = words::quoted(first.map_or("", |row| row.summary.as_str()));
    match (invited.method, &invited.answered) {
        (Method::Cancel, _) => (format!("Mark {name} as cancelled"), "Mark as cancelled"),
        (_, Some(guest)) => {
            let who = words::who(&guest.name, &guest.email);
            (format!("Note the answer of {who} to {name}"), "Note it")
        }
        _ if invited.standing == Standing::Changed => (format!("Change {name}"), "Change"),
        _ => match invited.rows.len() {
            0 | 1 => (format!("Enter {name} in the calendar"), "Enter"),
            many => (format!("Enter {many} events in the calendar"), "Enter"),
        },
    }
}

fn sketch(mail: &Mail, invited: &Invited, rows: &[EventRow], cx: &Cx) -> CardDraft {
    let (title, verb) = title(invited, invited.first());
    let mut sketch = CardDraft::new(title, verb, "Can be undone from Activity.");
    let found = Source::Untrusted {
        origin: found_in(mail, cx),
    };
    if let Some(guest) = &invited.answered {
        let answer = words::inline(&guest.status);
        sketch
            .facts
            .push(FactDraft::with("Answer", answer, Some(found.clone())));
    }
    sketch.items = rows.iter().map(|row| row.item(cx)).collect();
    invited::note(mail, invited, &mut sketch, cx);
    sketch
}

fn say(rows: &[EventRow], invited: &Invited, cx: &Cx) -> String {
    let lines: Vec<String> = rows.iter().map(|row| row.line(cx)).collect();
    let done = match (invited.method, &invited.answered) {
        (Method::Cancel, _) => "Marked as cancelled".to_owned(),
        (_, Some(guest)) => {
            let who = words::who(&guest.name, &guest.email);
            format!(
                "Noted that {who} has answered “{}”",
                words::inline(&guest.status)
            )
        }
        _ if invited.standing == Standing::Changed => "Changed".to_owned(),
        _ => "Entered".to_owned(),
    };
    match lines.as_slice() {
        [one] => format!("{done}: {one}."),
        many => format!(
            "{done}: {}.\n\n{}",
            words::plural(many.len(), "event"),
            words::bullets(many, many.len())
        ),
    }
}
