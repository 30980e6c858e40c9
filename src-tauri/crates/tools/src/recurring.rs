//! Rules of repetition among the arguments of a tool.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::moment::Moment;

/// Checks a rule and gives its usual form, without `RRULE:`.
///
/// # Errors
/// When it is none, repeats more often than every hour, or has no instance from `start` on.
pub fn check(rule: &str, start: &Moment) -> Result<String, ToolFault> {
    adjutant_recurrence::check(rule, start).map_err(|invalid| ToolFault::BadArguments {
        reason: format!(
            "“{}” is not a repetition: {invalid}",
            crate::words::cut(rule, 80)
        ),
    })
}
