//! A command of the person, ready to be looked at by the gate.

use adjutant_domain::change::Change;
use adjutant_domain::ids::EffectId;

/// What a command comes to.
pub(crate) struct Prepared {
    /// What is done, as a title.
    pub(crate) title: String,
    /// The verb on the button, where the person is asked.
    pub(crate) verb: &'static str,
    /// What holds once it is done.
    pub(crate) say: String,
    /// The rows as they shall be, wherever they live.
    pub(crate) change: Change,
    /// The effect that is taken back.
    pub(crate) undoes: Option<EffectId>,
}
