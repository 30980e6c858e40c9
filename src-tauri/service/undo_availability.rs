//! Whether an effect can really be taken back: its inverse counts on the rows being as it left them.

use adjutant_api::Fault;
use adjutant_api::convert::turns;
use adjutant_api::rows::{ActivityRow, UndoState};
use adjutant_domain::change::Expect;
use adjutant_domain::conversation::Effect;
use adjutant_domain::ports::Records as _;
use jiff::tz::TimeZone;

use super::{Service, store_fault};

/// Effects that are looked at, newest first; older ones are looked at when one of them is opened.
const LOOKED_AT_MAX: usize = 200;
/// Rows of one inverse that are compared; a longer one is compared when it runs.
const ROWS_COMPARED_MAX: usize = 50;

/// Effects as rows; one whose rows were changed afterwards says so instead of offering a way back.
pub(super) async fn rows(
    service: &Service,
    effects: &[Effect],
    zone: &TimeZone,
) -> Result<Vec<ActivityRow>, Fault> {
    let mut rows = Vec::with_capacity(effects.len());
    for (place, effect) in effects.iter().enumerate() {
        let mut row = turns::activity(effect, zone);
        let stuck = match row.undo {
            Some(UndoState::Available) => UndoState::Changed,
            Some(UndoState::Partly) => UndoState::PartlyChanged,
            Some(UndoState::Changed | UndoState::Used | UndoState::PartlyChanged) | None => {
                rows.push(row);
                continue;
            }
        };
        if place < LOOKED_AT_MAX && !holds(service, effect).await? {
            row.undo = Some(stuck);
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Whether the rows still are as the inverse expects them.
async fn holds(service: &Service, effect: &Effect) -> Result<bool, Fault> {
    let Some(inverse) = &effect.inverse else {
        return Ok(false);
    };
    for op in inverse.ops.iter().take(ROWS_COMPARED_MAX) {
        let (kind, id) = (op.kind(), op.id());
        let there = service.store.get(kind, id).await.map_err(store_fault)?;
        let holds = match (op.expect(), &there) {
            (Expect::Absent, None) => true,
            (Expect::Version(version), Some(record)) => record.version() == version,
            _ => false,
        };
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
#[path = "undo_availability_tests.rs"]
mod tests;
