//! A command of the person, prepared for the gate.

use adjutant_domain::change::Change;
use adjutant_domain::ids::EffectId;

/// A prepared command.
pub(crate) struct Prepared {
    /// Title of the card.
    pub(crate) title: String,
    /// Label of the approving button, if the person is asked.
    pub(crate) verb: &'static str,
    /// The sentence that reports success.
    pub(crate) say: String,
    /// The new state of the rows, wherever they live.
    pub(crate) change: Change,
    /// The effect that this undoes, if any.
    pub(crate) undoes: Option<EffectId>,
}
