//! Revises the guests of an event.

use adjutant_domain::record::Attendee;

use super::lines::{Component, split, with_parameter};
use crate::write::ical;

/// Returns the address in a guest's line.
pub(super) fn email(line: &str) -> &str {
    let value = split(line).1.trim();
    match value.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("mailto:") => &value[7..],
        _ => value,
    }
}

/// Sets the guests; those who stay keep the other data of their line.
pub(super) fn invite(component: &mut Component, before: &[Attendee], after: &[Attendee]) {
    let lines: Vec<String> = after
        .iter()
        .map(|guest| {
            let is_same = |email: &str| email.eq_ignore_ascii_case(&guest.email);
            let known = component
                .of("ATTENDEE")
                .find(|line| is_same(email(line)))
                .zip(before.iter().find(|one| is_same(&one.email)));
            let Some((line, was)) = known else {
                return invited(guest);
            };
            let mut line = line.to_owned();
            if was.status != guest.status {
                line = answered(&line, &guest.status);
            }
            if was.name != guest.name {
                let name = (!guest.name.is_empty()).then(|| ical::quoted(&guest.name));
                line = with_parameter(&line, "CN", name.as_deref());
            }
            line
        })
        .collect();
    component.set("ATTENDEE", lines);
}

/// Returns a guest's line with another answer.
pub(super) fn answered(line: &str, status: &str) -> String {
    let line = with_parameter(line, "RSVP", None);
    let status = status.to_uppercase();
    with_parameter(&line, "PARTSTAT", (!status.is_empty()).then_some(&status))
}

/// Returns the line of a newly invited guest, which asks for an answer.
fn invited(guest: &Attendee) -> String {
    let line = ical::person("ATTENDEE", guest);
    match guest.status.as_str() {
        "" | "needs-action" => with_parameter(&line, "RSVP", Some("TRUE")),
        _ => line,
    }
}
