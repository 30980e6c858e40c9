//! Prepares deletions: records leave storage, and the card lists every one of them.

use adjutant_domain::change::{Change, Expect, RowOp};
use adjutant_domain::gate::Assessment;
use adjutant_domain::outcome::Answer;
use adjutant_domain::ports::Cx;
use adjutant_domain::tool::Target;

use crate::effect::{CardDraft, Prepared, local};
use crate::select::{AsTarget, Row, answer};
use crate::words;

/// Prepares the deletion of records, called by their kind and name: "Delete the note “Garden”", "Delete 3 notes".
pub(crate) fn deletion<R: Row + AsTarget>(rows: &[R], cx: &Cx) -> Prepared {
    let what = match rows {
        [one] => format!("the {} {}", R::NOUN, words::quoted(&one.target().label)),
        many => words::plural(many.len(), R::NOUN),
    };
    let card = CardDraft::new(
        format!("Delete {what}"),
        "Delete",
        "Can be undone from Activity.",
    );
    let lines: Vec<String> = rows.iter().map(|row| row.line(cx)).collect();
    let say = words::done(&format!("Deleted {what}"), &lines);
    removal(rows, card, answer(rows, rows.len(), say, cx), cx)
}

/// Prepares a call that removes these rows and does nothing else. The card gets its items here.
pub(crate) fn removal<R: Row + AsTarget>(
    rows: &[R],
    mut sketch: CardDraft,
    answer: Answer,
    cx: &Cx,
) -> Prepared {
    sketch.items = rows.iter().map(|row| row.item(cx)).collect();
    let targets: Vec<Target> = rows.iter().map(AsTarget::target).collect();
    let delete = |target: &Target| RowOp::Delete {
        kind: target.kind,
        id: target.id.clone(),
        expect: Expect::Version(target.version),
    };
    let change = Change {
        ops: targets.iter().map(delete).collect(),
        ..Change::default()
    };
    Prepared {
        targets,
        operations: local(change),
        answer,
        assessment: Assessment::deletes(rows.len()),
        sketch,
    }
}
