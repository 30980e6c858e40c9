//! The recurrence rules offered to the person for an event or a task.

use adjutant_api::reply::RepeatView;
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::sentence;
use adjutant_domain::moment::Moment;
use adjutant_domain::settings::DateOrder;
use adjutant_recurrence::usual;
use jiff::civil::Date;

/// Returns the usual rules and the current one, each with a description.
///
/// # Errors
/// Returns `usage` if the start or the last day cannot be parsed.
pub(super) fn offered(
    start: &str,
    rule: Option<&str>,
    last: Option<&str>,
    order: DateOrder,
) -> Result<Reply, Fault> {
    let start: Moment = start.parse().map_err(unreadable)?;
    let last = last
        .map(str::parse::<Date>)
        .transpose()
        .map_err(unreadable)?;
    let rules = usual(&start, rule, last, order);
    Ok(Reply::Repeats {
        rules: rules
            .into_iter()
            .map(|one| RepeatView {
                rule: one.rule,
                say: one.words,
            })
            .collect(),
    })
}

fn unreadable(error: impl std::fmt::Display) -> Fault {
    Fault {
        code: "usage".into(),
        message: sentence(&error.to_string()),
        hint: String::new(),
    }
}
