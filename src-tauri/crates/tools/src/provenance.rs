//! Marks answers and questions that show foreign text, whichever tool they come from.

use std::collections::{BTreeMap, BTreeSet};

use adjutant_domain::change::{Expect, RowOp};
use adjutant_domain::ids::RecordId;
use adjutant_domain::operation::Operation;
use adjutant_domain::outcome::{Answer, Stop};
use adjutant_domain::ports::Cx;
use adjutant_domain::provenance::{Author, Provenance, is_others};
use adjutant_domain::record::{Kind, Record};
use adjutant_domain::source::{Source, Taint};
use adjutant_domain::tool::Target;
use serde_json::Value;

use crate::address::origin_of;
use crate::effect::{FactDraft, Prepared, failed};
use crate::words;

/// Taints an answer if somebody else wrote one of its rows or foreign text went into one.
///
/// # Errors
/// Returns the fault of storage.
pub(crate) async fn mark(answer: &mut Answer, cx: &Cx) -> Result<(), Stop> {
    mark_but(answer, &BTreeSet::new(), cx).await
}

/// Like [`mark`], for the answer a call would give. Rows that the call adds do not count.
///
/// # Errors
/// Returns the fault of storage.
pub(crate) async fn mark_prepared(prepared: &mut Prepared, cx: &Cx) -> Result<(), Stop> {
    let changes = prepared.operations.iter().filter_map(Operation::change);
    let ops = changes.flat_map(|change| &change.ops);
    let added: BTreeSet<RecordId> = ops
        .filter_map(|op| match op {
            RowOp::Put {
                record,
                expect: Expect::Absent,
            } => Some(record.id().clone()),
            _ => None,
        })
        .collect();
    mark_but(&mut prepared.answer, &added, cx).await
}

async fn mark_but(answer: &mut Answer, added: &BTreeSet<RecordId>, cx: &Cx) -> Result<(), Stop> {
    for (kind, mut ids) in shown(answer) {
        ids.retain(|id| !added.contains(id));
        if answer.taint == Taint::Tainted {
            return Ok(());
        }
        let foreign = cx.records.foreign(kind, &ids).await.map_err(failed)?;
        if !foreign.is_empty() {
            answer.taint = Taint::Tainted;
        }
    }
    Ok(())
}

/// Marks facts that a card takes from a changed row rather than from an argument as found if somebody else wrote that
/// row: they are not the person's own data.
///
/// # Errors
/// Returns the fault of storage.
pub(crate) async fn mark_facts(prepared: &mut Prepared, cx: &Cx) -> Result<(), Stop> {
    let own = |fact: &&mut FactDraft| matches!(fact.source, Some(Source::OwnData { .. }));
    let mut facts: Vec<_> = prepared.sketch.facts.iter_mut().filter(own).collect();
    if facts.is_empty() {
        return Ok(());
    }
    let ids: Vec<_> = prepared.targets.iter().map(|one| one.id.clone()).collect();
    let written = cx.records.provenance(&ids).await.map_err(failed)?;
    for target in &prepared.targets {
        let of = written.get(&target.id);
        let foreign = of.map_or_else(|| is_others(target.kind), |of| of.is_foreign(target.kind));
        if foreign {
            let origin = origin(target, of, cx).await?;
            for fact in &mut facts {
                fact.source = Some(Source::Untrusted {
                    origin: origin.clone(),
                });
            }
        }
    }
    Ok(())
}

/// Returns where a foreign row came from, in words.
async fn origin(target: &Target, of: Option<&Provenance>, cx: &Cx) -> Result<String, Stop> {
    let kind = target.kind.word();
    Ok(match of.map(|of| &of.author) {
        Some(Author::Import { file }) if !file.is_empty() => format!("{kind} imported from {file}"),
        Some(Author::Import { .. }) => format!("imported {kind}"),
        Some(Author::Account { .. }) => match calendar_of(target, cx).await? {
            // It may be the person's own: nothing in an account proves who wrote an event.
            Some(calendar) => format!(
                "the calendar {}, by you or others",
                words::quoted(&calendar)
            ),
            None => format!("{kind} from an account"),
        },
        Some(Author::Server { .. }) => format!("{kind} from a server"),
        Some(Author::Person | Author::Adjutant { .. }) => {
            format!("{kind} made from text by others")
        }
        None => format!("{kind} of unknown origin"),
    })
}

/// Returns the name of the calendar that a row is in; `None` for rows of other kinds.
async fn calendar_of(target: &Target, cx: &Cx) -> Result<Option<String>, Stop> {
    if target.kind != Kind::Event {
        return Ok(None);
    }
    let row = cx.records.get(Kind::Event, &target.id).await;
    Ok(match row.map_err(failed)? {
        Some(Record::Event(event)) if !event.calendar.is_empty() => Some(event.calendar),
        _ => None,
    })
}

/// Marks the choices of a question that stand for foreign rows or addresses. Also marks a choice whose origin cannot be
/// looked up.
pub(crate) async fn mark_question(stop: Stop, cx: &Cx) -> Stop {
    let Stop::Ask(mut question) = stop else {
        return stop;
    };
    for choice in &mut question.choices {
        let own = match (row_of(&choice.value), choice.value.as_str()) {
            (Some((kind, id)), _) => {
                let foreign = cx.records.foreign(kind, &[id]).await;
                foreign.is_ok_and(|foreign| foreign.is_empty())
            }
            (None, Some(email)) if email.contains('@') => {
                let origin = origin_of(email, "", cx).await;
                origin.is_ok_and(|origin| !origin.is_untrusted())
            }
            (None, _) => true,
        };
        if !own {
            choice.taint = Taint::Tainted;
        }
    }
    Stop::Ask(question)
}

/// Returns the row that a choice stands for: an id, or the first of a list or of the `ids` of a filter.
fn row_of(value: &Value) -> Option<(Kind, RecordId)> {
    let listed = value.get(0).or_else(|| value.pointer("/ids/0"));
    let id = value.as_str().or_else(|| listed?.as_str())?;
    let (prefix, _) = id.split_once('_')?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.prefix() == prefix)?;
    Some((kind, row(id)))
}

/// Returns the id of the stored row; an instance of a series has the id of the series before the `@`.
fn row(id: &str) -> RecordId {
    RecordId(id.split('@').next().unwrap_or_default().to_owned())
}

/// Returns the rows of an answer: its referents and the rows it lists.
fn shown(answer: &Answer) -> BTreeMap<Kind, Vec<RecordId>> {
    let mut rows: BTreeMap<Kind, Vec<RecordId>> = BTreeMap::new();
    for referent in &answer.referents {
        rows.entry(referent.kind)
            .or_default()
            .push(referent.id.clone());
    }
    let listed = answer.output.get("ids").and_then(Value::as_array);
    // All rows of a list are of one kind.
    if let Some(ids) = rows.values_mut().next() {
        let listed = listed.into_iter().flatten().filter_map(Value::as_str);
        ids.extend(listed.map(row));
        ids.sort();
        ids.dedup();
    }
    rows
}
