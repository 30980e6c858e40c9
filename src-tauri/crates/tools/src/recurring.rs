//! Checks recurrence rules in the arguments of a tool.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::moment::Moment;

/// Checks a rule and returns it in its usual form, without `RRULE:`.
///
/// # Errors
/// Returns a fault if it is not a rule, repeats more often than hourly, or has no instance from `start` on.
pub fn check(rule: &str, start: &Moment) -> Result<String, ToolFault> {
    adjutant_recurrence::check(rule, start).map_err(|invalid| ToolFault::BadArguments {
        reason: format!(
            "“{}” is not a repetition: {invalid}",
            crate::words::cut(rule, 80)
        ),
    })
}
