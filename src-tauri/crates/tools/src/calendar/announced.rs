//! Who is told about a change of events. That depends on where the events live, not on the tool.

use std::collections::BTreeSet;

use adjutant_domain::change::{Change, RowOp};
use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::Risk;
use adjutant_domain::operation::{Operation, operations};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;
use adjutant_domain::record::Record;

use crate::effect::failed;

/// Returns the UIDs of the events whose organizer or guests a provider informs of a change.
///
/// # Errors
/// Returns a fault if the change cannot be made where its events live, or storage fails.
pub(super) async fn announced(change: &Change, cx: &Cx) -> Result<BTreeSet<String>, Stop> {
    let origins = cx.records.origins(change).await.map_err(failed)?;
    let all = operations(change, &origins).map_err(ToolFault::from)?;
    let told = all
        .iter()
        .filter(|one| one.risk() == Risk::ReachesPeople && !origins.is_silent(&one.account()));
    let ops = told
        .filter_map(Operation::change)
        .flat_map(|change| &change.ops);
    Ok(ops
        .filter_map(|op| match op {
            RowOp::Put { record, .. } => match record.as_ref() {
                Record::Event(event) => Some(event.uid.clone()),
                _ => None,
            },
            RowOp::Delete { .. } | RowOp::Mark { .. } => None,
        })
        .collect())
}

/// Who is told about a change of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announced {
    /// Nobody: the events exist only on this computer.
    Nobody,
    /// Everybody who is invited; the provider tells them.
    Everybody,
    /// Those invited to the events that live in an account.
    Some,
    /// Nobody: the server of these events sends no invitations.
    Unsent,
    /// Those invited to the events whose server sends invitations.
    Partly,
}

impl Announced {
    /// Returns who will be told about a change, given where its events live.
    ///
    /// # Errors
    /// Returns a fault if the change cannot be made where its events live, or storage fails.
    pub(super) async fn of(change: &Change, cx: &Cx) -> Result<Self, Stop> {
        let origins = cx.records.origins(change).await.map_err(failed)?;
        let all = operations(change, &origins).map_err(ToolFault::from)?;
        let here = all.iter().any(|one| matches!(one, Operation::Local { .. }));
        let unheard = all.iter().any(|one| origins.is_silent(&one.account()));
        let reaching = all.iter().filter(|one| one.risk() == Risk::ReachesPeople);
        let (unsent, sent): (Vec<_>, Vec<_>) =
            reaching.partition(|one| origins.is_silent(&one.account()));
        Ok(match (here, !sent.is_empty(), !unsent.is_empty()) {
            (_, true, true) => Self::Partly,
            (_, false, true) => Self::Unsent,
            (false, true, false) => Self::Everybody,
            (true, true, false) => Self::Some,
            (false, false, false) if unheard => Self::Unsent,
            (_, false, false) => Self::Nobody,
        })
    }

    /// Returns the sentence about the guests.
    pub(super) fn guests(self) -> &'static str {
        match self {
            Self::Nobody => "Nobody is told: this calendar is only on this computer.",
            Self::Everybody => "The guests are told.",
            Self::Some => {
                "Guests are told, except for events in calendars that are only on this computer."
            }
            Self::Unsent => {
                "The guests are not told: the server of this calendar sends no invitations. Write to them."
            }
            Self::Partly => {
                "Some guests are not told: not every server of these calendars sends invitations. Write to them."
            }
        }
    }

    /// Returns the sentence about the organizer.
    pub(super) fn organizer(self) -> &'static str {
        match self {
            Self::Nobody => "The organizer is not told: this calendar is only on this computer.",
            Self::Everybody => "The organizer is told.",
            Self::Some => {
                "Organizers are told, except for events in calendars that are only on this computer."
            }
            Self::Unsent => {
                "The organizer is not told: the server of this calendar sends no answers. Write to them."
            }
            Self::Partly => {
                "Some organizers are not told: not every server of these calendars sends answers. Write to them."
            }
        }
    }
}
