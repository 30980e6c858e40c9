//! What an approval would do, read from what was fixed when it was proposed: the events as they will be, whether there is
//! a way back, and the places its values come from.

use adjutant_domain::change::{Expect, RowOp};
use adjutant_domain::gate::{Call, PendingAction};
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::Operation;
use adjutant_domain::record::{Event, OutboxState, Record};
use adjutant_domain::tool::Target;

use super::turns::card;
use crate::event::{CardView, SourceTarget, SourceView};
use crate::rows::ProposedEvent;

/// Events of one action that are shown in the calendar.
pub const PROPOSED_MAX: usize = 200;

/// Events as they will be once the action is approved.
#[must_use]
pub fn events(action: &PendingAction) -> Vec<ProposedEvent> {
    if !action.tool.starts_with("calendar.") {
        return Vec::new();
    }
    action
        .calls
        .iter()
        .flat_map(operations)
        .filter_map(Operation::change)
        .flat_map(|change| &change.ops)
        .filter_map(|op| match op {
            RowOp::Put { record, expect } => match record.as_ref() {
                Record::Event(event) if !event.cancelled => {
                    Some(proposed(event, *expect != Expect::Absent))
                }
                _ => None,
            },
            RowOp::Delete { .. } | RowOp::Mark { .. } => None,
        })
        .take(PROPOSED_MAX)
        .collect()
}

fn proposed(event: &Event, is_there: bool) -> ProposedEvent {
    ProposedEvent {
        id: is_there.then(|| event.id.0.clone()),
        uid: event.uid.clone(),
        instance: event.recurrence_id.as_ref().map(ToString::to_string),
        summary: event.summary.clone(),
        start: event.start.rfc3339(),
        end: event.end.rfc3339(),
        all_day: matches!(event.start, Moment::Day(_)),
    }
}

/// The card of an action, with what the action itself knows beyond its words.
#[must_use]
pub fn card_of(action: &PendingAction) -> CardView {
    let mut shown = card(&action.card);
    undo_kind(action).clone_into(&mut shown.undo_kind);
    for fact in &mut shown.facts {
        if let Some(source) = &mut fact.source {
            source.target = target_of(source, action);
        }
    }
    shown
}

/// `yes`, `until_sent`, `no`, or empty where nothing was fixed that says so. Of several calls the worst counts.
fn undo_kind(action: &PendingAction) -> &'static str {
    let kinds: Vec<&str> = action.calls.iter().map(undo_of).collect();
    ["no", "", "until_sent"]
        .into_iter()
        .find(|worst| kinds.contains(worst))
        .unwrap_or(if kinds.is_empty() { "" } else { "yes" })
}

fn undo_of(call: &Call) -> &'static str {
    let held = call
        .before
        .frozen
        .as_ref()
        .is_some_and(|one| one.hold_seconds > 0 || one.not_before.is_some());
    if held {
        return "until_sent";
    }
    let mut worst = "";
    for operation in operations(call) {
        let Some(change) = operation.change().filter(|_| operation.is_reversible()) else {
            return "no";
        };
        // A change of rows is stored with its inverse; a mail can only be called back before it has left.
        let leaves = change.ops.iter().any(|op| {
            matches!(op, RowOp::Put { record, .. }
                if matches!(&**record, Record::Outbox(mail) if mail.state != OutboxState::Draft))
        });
        if leaves {
            worst = "until_sent";
        } else if worst.is_empty() {
            worst = "yes";
        }
    }
    worst
}

/// What a call does; nothing where it only reads, or where what was fixed cannot be read any more.
fn operations(call: &Call) -> &[Operation] {
    let frozen = call.before.frozen.as_ref();
    frozen.map_or(&[], |frozen| frozen.operations.as_slice())
}

/// The place a value comes from, where the action alone knows it.
fn target_of(source: &SourceView, action: &PendingAction) -> Option<SourceTarget> {
    let place = |kind: &str, id: &str| SourceTarget {
        kind: kind.into(),
        id: id.into(),
        words: None,
    };
    match source.kind.as_str() {
        "data" => {
            let mut targets = action.calls.iter().flat_map(|call| &call.before.targets);
            let first: &Target = targets.next()?;
            // Of several records nobody can say which one is meant.
            if !targets.all(|other| other.id == first.id) {
                return None;
            }
            Some(place(&kind_word(first)?, &first.id.0))
        }
        "step" => Some(place("step", source.detail.as_deref()?)),
        "person" if action.conversation.as_str() != "direct" => {
            Some(place("message", action.turn.as_str()))
        }
        _ => None,
    }
}

/// `task`, `event`, …: the name the record has on the wire.
fn kind_word(target: &Target) -> Option<String> {
    serde_json::to_value(target.kind)
        .ok()?
        .as_str()
        .map(str::to_owned)
}

#[cfg(test)]
#[path = "proposed_tests.rs"]
mod tests;
