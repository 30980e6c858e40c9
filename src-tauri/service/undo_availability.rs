//! Checks whether an effect can still be undone: its inverse expects the rows as the effect left them.

use adjutant_api::Fault;
use adjutant_api::convert::turns;
use adjutant_api::rows::{ActivityRow, UndoState};
use adjutant_domain::change::Expect;
use adjutant_domain::conversation::Effect;
use adjutant_domain::ports::Records as _;
use jiff::tz::TimeZone;

use super::{Service, store_fault};

/// Maximum number of effects checked, newest first; older ones are checked when opened.
const LOOKED_AT_MAX: usize = 200;
/// Maximum number of rows compared per inverse; the rest is compared when it runs.
const ROWS_COMPARED_MAX: usize = 50;

/// Returns effects as rows. Marks those whose rows changed since instead of offering to undo them.
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

/// Tells whether the rows are still as the inverse expects.
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
