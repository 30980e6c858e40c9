//! The rules that a person is offered for an event or a task.

use adjutant_api::reply::RepeatView;
use adjutant_api::{Fault, Reply};
use adjutant_domain::faults::sentence;
use adjutant_domain::moment::Moment;
use adjutant_domain::settings::DateOrder;
use adjutant_recurrence::usual;
use jiff::civil::Date;

/// The usual rules and the present one, each with its words.
///
/// # Errors
/// `usage` when the start or the last day cannot be read.
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
