//! Who hears of a change: where an event lives decides that, not the tool.

use adjutant_domain::change::Change;
use adjutant_domain::operation::{Operation, operations};
use adjutant_domain::outcome::Stop;
use adjutant_domain::ports::Cx;

use crate::effect::failed;
use crate::places::{not_possible, reaches_people};

/// Who hears of a change of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Nobody: the events are only on this computer.
    Nobody,
    /// Whoever is invited, by the provider.
    Everybody,
    /// Whoever is invited to those events that live in an account.
    Some,
}

impl Told {
    /// What becomes of a change where its events live.
    ///
    /// # Errors
    /// When it cannot be made there.
    pub(super) async fn of(change: &Change, cx: &Cx) -> Result<Self, Stop> {
        let origins = cx.records.origins(change).await.map_err(failed)?;
        let all = operations(change, &origins).map_err(not_possible)?;
        let here = all.iter().any(|one| matches!(one, Operation::Local { .. }));
        let there = all.iter().any(reaches_people);
        Ok(match (here, there) {
            (false, true) => Self::Everybody,
            (true, true) => Self::Some,
            (_, false) => Self::Nobody,
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
        }
    }
}
