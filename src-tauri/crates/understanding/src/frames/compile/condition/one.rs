//! Conditions about one thing: "if my first meeting tomorrow is before 9", "if the mail from Ana is unread". One step
//! looks for the thing, and another tests what it found.

use adjutant_domain::moment::Moment;
use adjutant_domain::plan::StepDraft;
use serde_json::json;

use super::super::super::binding::{Binding, Value};
use super::super::super::lattice::Lattice;
use super::super::{EarlierRequest, Unfit, convert, steps as compiled};

/// Roles that test the thing, with the roles that express the same in a filter.
const TESTS: &[(&str, &str)] = &[
    ("at", "when"),
    ("guest", "with"),
    ("is_about", "about"),
    ("is_older", "older"),
    ("is_state", "state"),
];

/// Returns the steps that look for the thing, and the one that tests it.
pub(super) fn steps(
    lattice: &Lattice<'_>,
    frame: &Binding,
    earlier: &[EarlierRequest<'_>],
    made: usize,
) -> Result<Vec<StepDraft>, Unfit> {
    let is_test = |role: &str| {
        TESTS.iter().any(|(test, _)| *test == role) || matches!(role, "longer" | "shorter")
    };
    let (tests, things): (Vec<_>, Vec<_>) = frame
        .roles
        .iter()
        .cloned()
        .partition(|(role, _)| is_test(role));
    let with = |roles: Vec<(&'static str, Value)>| Binding {
        roles,
        ..frame.clone()
    };
    let mut found = compiled(lattice, &with(things), earlier, made)?;
    let thing = found.last_mut().ok_or(Unfit("nothing to read"))?;
    let named = [
        "text",
        "summary_is",
        "subject_is",
        "subject",
        "person",
        "from",
        "pick",
        "starts_from",
    ];
    if !named.iter().any(|field| thing.args.get(field).is_some()) {
        return Err(Unfit("no one thing"));
    }
    if thing.tool == "calendar.list" && thing.args.get("from").is_none() {
        // The thing that is meant is still to come.
        thing.args["from"] = json!(Moment::At(lattice.said.now.clone()));
    }
    let ids = json!({"$from": thing.key.0, "path": "/ids"});
    let key = thing.key.clone();
    let lengths = tests.clone();
    let renamed = tests.into_iter().filter_map(|(role, value)| {
        let (_, filter) = TESTS.iter().find(|(test, _)| *test == role)?;
        Some((*filter, value))
    });
    let any_day = ("any_day", Value::Constant("yes"));
    let asked = with(renamed.chain([any_day]).collect());
    let mut test = compiled(lattice, &asked, &[], made + found.len())?;
    let step = test.last_mut().ok_or(Unfit("nothing to ask"))?;
    for (role, value) in lengths {
        let Value::Filler(super::Filler::Length(time), _) = value else {
            continue;
        };
        let minutes = convert::minutes(lattice, time).ok_or(Unfit("no length"));
        match role {
            "longer" => step.args["min_minutes"] = json!(minutes? + 1),
            "shorter" => step.args["max_minutes"] = json!(minutes? - 1),
            _ => {}
        }
    }
    step.args["ids"] = ids;
    step.args["ask"] = json!("any");
    step.needs.push(key);
    found.extend(test);
    Ok(found)
}
