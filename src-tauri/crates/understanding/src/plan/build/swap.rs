//! The steps of a swap: both events are read first, so that each gets the start the other one had.

use super::super::change::missing;
use super::super::clause::Unread;
use super::super::lexicon::Noun;
use super::super::model::Request;
use super::{Builder, Draft, at};
use adjutant_domain::source::Source;

pub(super) fn swap(builder: &mut Builder<'_, '_, '_>, request: &Request) -> Result<(), Unread> {
    let Some(other) = request.vals.other.as_deref() else {
        return Err(missing("what"));
    };
    let first = builder.one_of(&request.sel)?;
    let second = builder.one_of(other)?;
    if first == second {
        return Err(missing("what"));
    }
    let said = |builder: &Builder<'_, '_, '_>, key: &adjutant_domain::ids::StepKey| {
        builder
            .steps
            .iter()
            .find(|step| step.key == *key)
            .map_or_else(String::new, |step| {
                step.say.trim_start_matches("Look up ").to_owned()
            })
    };
    let names = [said(builder, &first), said(builder, &second)];
    for (mine, theirs, name, place) in [
        (&first, &second, &names[0], &names[1]),
        (&second, &first, &names[1], &names[0]),
    ] {
        let mut draft = Draft::new(
            "calendar.update",
            format!("Move {name} to the time of {place}"),
        );
        draft.set("id", at(mine, "/ids/0"), Source::Step { key: mine.clone() });
        draft.change(
            "start",
            at(theirs, "/items/0/start"),
            Source::Step {
                key: theirs.clone(),
            },
        );
        let key = builder.push(draft, Some(request))?;
        builder.did(key, request, Some(Noun::Event), false);
    }
    Ok(())
}
