//! Who hears of a change: where an event lives decides that, not the tool.

use adjutant_domain::change::Change;
use adjutant_domain::faults::ToolFault;
use adjutant_domain::gate::Risk;
use adjutant_domain::operation::{Operation, operations};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;

use crate::effect::failed;

/// Who hears of a change of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announced {
    /// Nobody: the events are only on this computer.
    Nobody,
    /// Whoever is invited, by the provider.
    Everybody,
    /// Whoever is invited to those events that live in an account.
    Some,
    /// Nobody: the server that has the events sends no invitations.
    Unsent,
    /// Whoever is invited to those events whose server sends invitations.
    Partly,
}

impl Announced {
    /// What becomes of a change where its events live.
    ///
    /// # Errors
    /// When it cannot be made there.
    pub(super) async fn of(change: &Change, cx: &Cx) -> Result<Self, Stop> {
        let origins = cx.records.origins(change).await.map_err(failed)?;
        let all = operations(change, &origins).map_err(ToolFault::from)?;
        let here = all.iter().any(|one| matches!(one, Operation::Local { .. }));
        let reaching = all.iter().filter(|one| one.risk() == Risk::ReachesPeople);
        let (unsent, sent): (Vec<_>, Vec<_>) =
            reaching.partition(|one| origins.is_silent(&one.account()));
        Ok(match (here, !sent.is_empty(), !unsent.is_empty()) {
            (_, true, true) => Self::Partly,
            (_, false, true) => Self::Unsent,
            (false, true, false) => Self::Everybody,
            (true, true, false) => Self::Some,
            (_, false, false) => Self::Nobody,
        })
    }

    /// To be said of guests.
    pub(super) fn guests(self) -> &'static str {
        match self {
            Self::Nobody => "Nobody is told: this calendar is only on this computer.",
            Self::Everybody => "The guests are told.",
            Self::Some => {
                "Guests are told, but for events of calendars that are only on this computer."
            }
            Self::Unsent => {
                "The guests are not told: the server of this calendar sends no invitations. Write to them."
            }
            Self::Partly => {
                "Some guests are not told: not every server of these calendars sends invitations. Write to them."
            }
        }
    }

    /// To be said of whoever called the meeting.
    pub(super) fn organizer(self) -> &'static str {
        match self {
            Self::Nobody => "The organizer is not told: this calendar is only on this computer.",
            Self::Everybody => "The organizer is told.",
            Self::Some => {
                "Organizers are told, but for events of calendars that are only on this computer."
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
