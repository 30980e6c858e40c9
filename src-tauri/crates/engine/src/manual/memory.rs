//! Sets whether answers use a memory.

use adjutant_domain::faults::UserFault;
use adjutant_domain::filter::{Filter, Test};
use adjutant_domain::ids::RecordId;
use adjutant_domain::ports::{Cx, Records};
use adjutant_domain::record::{Kind, Memory, Record};

use super::{record, rows};
use crate::prepared::Prepared;

/// Prepares the change that takes a memory out of use or puts it back into use.
pub(super) async fn use_memory(
    records: &dyn Records,
    id: &RecordId,
    on: bool,
    cx: &Cx,
) -> Result<Prepared, UserFault> {
    let Some(Record::Memory(memory)) = record(records, Kind::Memory, id).await? else {
        return Err(UserFault::new(
            "not_found",
            "This is no longer remembered.",
            "",
        ));
    };
    if on != memory.valid_to.is_some() {
        return Err(UserFault::new(
            "same",
            "It is already that way; nothing was done.",
            "",
        ));
    }
    if on {
        let now_said = Filter::used_memories().and(Test::Called(memory.key.clone()));
        let others = records
            .memories(&now_said)
            .await
            .map_err(|fault| UserFault::from(&fault))?;
        if let Some(other) = others.iter().find(|other| other.id != memory.id) {
            return Err(UserFault::new(
                "replaced",
                format!(
                    "“{}” is what Adjutant uses for “{}” now.",
                    other.value, other.key
                ),
                "Stop using that memory first, or correct it.",
            ));
        }
    }
    let now = cx.now.timestamp();
    let say = if on {
        format!("Used again: {}", memory.value)
    } else {
        format!("Kept, but no longer used: {}", memory.value)
    };
    Ok(rows(
        say.clone(),
        say,
        Record::Memory(Memory {
            valid_to: (!on).then_some(now),
            updated: now,
            ..memory
        }),
    ))
}
