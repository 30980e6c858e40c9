//! Calculations for the domain's port.

use adjutant_domain::faults::ToolFault;
use adjutant_domain::ports::Calculated;
use adjutant_domain::settings::Settings;
use jiff::Zoned;

use super::CalculationKind;
use super::written::written;
use crate::time::Policy;

/// Computes a text and returns the result in the form of the domain's port.
///
/// # Errors
/// Returns [`ToolFault::BadArguments`] if the text has no result.
pub(crate) fn evaluate(
    text: &str,
    now: &Zoned,
    settings: &Settings,
) -> Result<Calculated, ToolFault> {
    let policy = Policy::of(settings);
    let found = super::calculate(text, now, &policy)
        .map_err(|none| ToolFault::BadArguments { reason: none.say() })?;
    let asked = match found.kind {
        CalculationKind::Sum => written(&found.expression),
        _ => found.expression.clone(),
    };
    let say = match &found.note {
        Some(note) => format!("{asked} = {} ({note})", found.value),
        None => format!("{asked} = {}", found.value),
    };
    Ok(Calculated {
        number: found.value.replace(',', "").parse().ok(),
        text: found.expression,
        result: found.value,
        say,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_days_is_told_with_the_days_it_lies_between() {
        let now: Zoned = "2026-01-12T10:00:00+01:00[Europe/Berlin]"
            .parse()
            .expect("a time");
        let done = evaluate("how many days until June 3", &now, &Settings::default());
        assert_eq!(
            done.expect("a number").say,
            "Monday, 12 January 2026 to Wednesday, 3 June 2026 = 142 days"
        );
    }
}
