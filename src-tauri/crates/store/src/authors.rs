//! Records who wrote the rows that an effect adds or changes.

use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::conversation::{DIRECT, EffectCommit};
use adjutant_domain::ids::{ConversationId, TurnId};
use adjutant_domain::operation::Beginning;
use adjutant_domain::provenance::{Author, Provenance};
use adjutant_domain::source::{Source, Taint};

use crate::fault::Result;
use crate::tables::{actions, provenance};
use crate::tx::Tx;

/// Records the author of each new row, and marks every row tainted if foreign text went into the effect.
pub(crate) fn note(tx: &Tx<'_>, effect: &EffectCommit) -> Result<()> {
    let steps = effect.plan.iter().flat_map(|plan| &plan.steps);
    let mut step = steps.filter(|step| step.draft.key == effect.step);
    let carried = step.any(|step| {
        let read = step.result.as_ref().map(|result| result.taint);
        read == Some(Taint::Tainted) || step.draft.sources.values().any(Source::is_untrusted)
    });
    let of = Provenance {
        author: author(&effect.conversation, &effect.turn),
        taint: if carried {
            Taint::Tainted
        } else {
            Taint::Clean
        },
    };
    for op in &effect.change.ops {
        if let RowOp::Put { record, expect } = op
            && (carried || *expect == Expect::Absent)
        {
            provenance::note(tx, record.id(), &of)?;
        }
    }
    Ok(())
}

/// Records the author of each row that a provider has confirmed as new. Without this, something the person added to
/// an account would count as foreign text. Whether foreign text went into the call is taken from its approval.
pub(crate) fn note_confirmed(tx: &Tx<'_>, begun: &Beginning, then: &Change) -> Result<()> {
    let claimed = match &begun.claim {
        Some(action) => actions::get(tx, action)?,
        None => None,
    };
    let of = Provenance {
        author: author(&begun.conversation, &begun.turn),
        taint: claimed.map_or(Taint::Clean, |action| action.taint),
    };
    for op in &then.ops {
        if let RowOp::Put { record, expect } = op
            && *expect == Expect::Absent
        {
            provenance::note(tx, record.id(), &of)?;
        }
    }
    Ok(())
}

fn author(conversation: &ConversationId, turn: &TurnId) -> Author {
    match conversation.0 == DIRECT {
        true => Author::Person,
        false => Author::Adjutant { turn: turn.clone() },
    }
}
