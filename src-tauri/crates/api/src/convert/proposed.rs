//! What an approval would do, read from the action's frozen operations: the resulting events, whether it can be undone,
//! and the places its values come from.

use adjutant_domain::change::{Expect, RowOp};
use adjutant_domain::gate::{Call, PendingAction};
use adjutant_domain::moment::Moment;
use adjutant_domain::operation::Operation;
use adjutant_domain::record::{Event, OutboxState, Record};
use adjutant_domain::tool::Target;

use super::turns::card;
use crate::event::{CardView, SourceTarget, SourceView};
use crate::rows::ProposedEvent;

/// Maximum number of events per action that the calendar shows.
pub const PROPOSED_MAX: usize = 200;

/// Returns the events as they will be after approval, at most [`PROPOSED_MAX`].
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

/// Returns the card of an action, with its kind of undo and the places its values come from.
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

/// Returns `yes`, `until_sent` or `no`, whichever is worst among the calls; empty if one of them has no frozen
/// operations and none is `no`.
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
        // A change of rows is stored with its inverse; a mail can only be taken back until it is sent.
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

/// Returns the frozen operations of a call; empty if it has none.
fn operations(call: &Call) -> &[Operation] {
    let frozen = call.before.frozen.as_ref();
    frozen.map_or(&[], |frozen| frozen.operations.as_slice())
}

/// Returns the place that a value comes from, if the action identifies exactly one.
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
            // With several records, the source does not say which one it means.
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

/// Returns the record kind's name on the wire: `task`, `event`, …
fn kind_word(target: &Target) -> Option<String> {
    serde_json::to_value(target.kind)
        .ok()?
        .as_str()
        .map(str::to_owned)
}

#[cfg(test)]
#[path = "proposed_tests.rs"]
mod tests;
