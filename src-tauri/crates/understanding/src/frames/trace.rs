//! Explains for `--explain` how a message was read.

use adjutant_domain::reading::TraceLine;

use super::binding::{Binding, Value};
use super::lattice::Lattice;

/// Returns one line for the frame, one for each of its roles and one for each word left out.
pub(super) fn lines(lattice: &Lattice<'_>, frame: &Binding) -> Vec<TraceLine> {
    let own = lattice.own.and_then(|own| own.phrase(frame.rule));
    let action = own.map_or(frame.category().name, |phrase| &phrase.tool);
    let mut lines = vec![TraceLine {
        span: None,
        what: "action".into(),
        value: action.into(),
    }];
    for (role, value) in &frame.roles {
        let role = own.map_or(*role, |phrase| phrase.argument(role));
        let tokens = match value {
            Value::Text(stretches) => match (stretches.first(), stretches.last()) {
                (Some(first), Some(last)) => first.start..last.end,
                _ => continue,
            },
            Value::Filler(_, tokens) => tokens.clone(),
            Value::Inner(inner) => inner.span.clone(),
            Value::Constant(word) => {
                lines.push(TraceLine {
                    span: None,
                    what: role.into(),
                    value: (*word).into(),
                });
                continue;
            }
        };
        lines.push(TraceLine {
            span: lattice
                .text
                .span(tokens.clone())
                .map(|span| (span.start, span.end)),
            what: role.into(),
            value: lattice.slice(tokens).into(),
        });
    }
    let left_out = frame.left_out.iter().map(|at| TraceLine {
        span: lattice
            .text
            .span(*at..at + 1)
            .map(|span| (span.start, span.end)),
        what: "not understood".into(),
        value: lattice.slice(*at..at + 1).into(),
    });
    lines.extend(left_out);
    lines
}
