//! What "it", "them", "that meeting" and "the second one" stand for.

use adjutant_domain::focus::Referent;
use adjutant_domain::ids::StepKey;
use adjutant_domain::record::Kind;
use serde_json::{Value as Json, json};

use super::super::lexicon::Noun;
use super::super::model::{Act, Det, Pron, Sel};
use super::Builder;
use super::at;
use super::filter::{self, Filter, Purpose};

/// What a request acts on.
pub(in super::super) enum Target {
    /// Records by id, or a reference to ids of an earlier step.
    Ids {
        /// A list, or a reference to one.
        ids: Json,
        /// The one id, or a reference to it, where it is one.
        id: Option<Json>,
        /// In words.
        label: String,
        /// The step it comes from.
        from: Option<StepKey>,
    },
    /// Filters.
    Filter(Box<Filter>),
    /// It refers to something, and nothing is there.
    Unknown,
    /// It says something that cannot be said to the tools.
    Unclear,
}

/// What a selection stands for.
pub(in super::super) fn target(
    builder: &Builder<'_, '_, '_>,
    sel: &Sel,
    purpose: Purpose,
) -> Target {
    if let Some(pron) = sel.pron {
        let found = earlier(builder, sel, pron).or_else(|| shown(builder, sel, pron));
        return match found {
            Some(target) => target,
            // "The meeting", with nothing shown: the tool asks which.
            None if pron == Pron::That
                && sel.det == Det::The
                && sel.noun.is_some()
                && sel.noun != Some(Noun::Any) =>
            {
                filtered(
                    builder,
                    &Sel {
                        pron: None,
                        ..sel.clone()
                    },
                    purpose,
                )
            }
            None => Target::Unknown,
        };
    }
    if matches!(sel.noun, None | Some(Noun::Any)) {
        // A title without a kind may still name what was just shown.
        return titled(builder, sel).unwrap_or(Target::Unclear);
    }
    filtered(builder, sel, purpose)
}

fn filtered(builder: &Builder<'_, '_, '_>, sel: &Sel, purpose: Purpose) -> Target {
    filter::filter(builder.said, sel, purpose)
        .map_or(Target::Unclear, |filter| Target::Filter(Box::new(filter)))
}

/// A thing an earlier request of this message chose or made.
fn earlier(builder: &Builder<'_, '_, '_>, sel: &Sel, pron: Pron) -> Option<Target> {
    let done = builder.done.iter().rev().find(|done| {
        compatible(sel.noun, done.noun)
            && done.noun.is_some()
            && !done.each
            && done.act != Act::Delete
    })?;
    let place = match pron {
        // "Move the oldest task and finish the newest one": a place in a list, and none was made.
        Pron::Place(n) if n < 1 || !matches!(done.act, Act::Query(_)) => return None,
        Pron::Place(n) => Some(n - 1),
        // "Mark everything from Kim as read and archive it".
        Pron::It | Pron::That if done.many && !matches!(done.act, Act::Query(_)) => None,
        Pron::It | Pron::That => Some(0),
        _ => None,
    };
    let ids = at(&done.key, "/ids");
    let id = place.map(|n| at(&done.key, &format!("/ids/{n}")));
    Some(Target::Ids {
        ids: id.clone().map_or(ids, |id| json!([id])),
        id,
        label: if place.is_some() {
            "it".to_owned()
        } else {
            "them".to_owned()
        },
        from: Some(done.key.clone()),
    })
}

/// The kind of record of a noun.
pub(in super::super) fn kind_of(noun: Noun) -> Option<Kind> {
    Some(match noun {
        Noun::Event => Kind::Event,
        Noun::Mail => Kind::Mail,
        Noun::Task | Noun::Reminder => Kind::Task,
        Noun::Note => Kind::Note,
        Noun::Memory => Kind::Memory,
        Noun::Contact => Kind::Contact,
        Noun::File | Noun::Slot | Noun::Any => return None,
    })
}

/// The noun of a kind of record.
pub(in super::super) fn noun_of(kind: Kind) -> Noun {
    match kind {
        Kind::Event => Noun::Event,
        Kind::Mail | Kind::Outbox => Noun::Mail,
        Kind::Task => Noun::Task,
        Kind::Note => Noun::Note,
        Kind::Memory => Noun::Memory,
        Kind::Contact => Noun::Contact,
    }
}

/// Things the conversation showed, for a pronoun.
pub(in super::super) fn referents<'f>(
    builder: &Builder<'_, 'f, '_>,
    sel: &Sel,
    pron: Pron,
) -> Vec<&'f Referent> {
    let focus = builder.said.utterance.focus;
    let kind = sel.noun.and_then(kind_of);
    let list = focus.latest_list(kind);
    match pron {
        Pron::It | Pron::That => focus.latest_one(kind).into_iter().collect(),
        Pron::Them => list,
        Pron::Both if list.len() == 2 => list,
        Pron::Both => Vec::new(),
        Pron::Place(n) => {
            let at = if n > 0 {
                usize::try_from(n - 1).ok()
            } else {
                usize::try_from(-n)
                    .ok()
                    .and_then(|back| list.len().checked_sub(back))
            };
            at.and_then(|at| list.get(at).copied())
                .into_iter()
                .collect()
        }
    }
}

fn shown(builder: &Builder<'_, '_, '_>, sel: &Sel, pron: Pron) -> Option<Target> {
    let found = referents(builder, sel, pron);
    by_id(&found)
}

fn by_id(found: &[&Referent]) -> Option<Target> {
    let first = found.first()?;
    let ids: Vec<Json> = found.iter().map(|one| json!(id_of(one))).collect();
    let label = if found.len() == 1 {
        format!("“{}”", first.label)
    } else {
        format!("the {} {}s shown", found.len(), first.kind.word())
    };
    Some(Target::Ids {
        id: (found.len() == 1).then(|| ids.first().cloned()).flatten(),
        ids: Json::Array(ids),
        label,
        from: None,
    })
}

/// The id, with the instance of a recurring event.
pub(in super::super) fn id_of(one: &Referent) -> String {
    match &one.instance {
        Some(instance) if !one.id.0.contains('@') => format!("{}@{instance}", one.id.0),
        _ => one.id.0.clone(),
    }
}

fn titled(builder: &Builder<'_, '_, '_>, sel: &Sel) -> Option<Target> {
    let words = adjutant_text::fold(&sel.title.as_ref().or(sel.about.as_ref())?.text);
    let wanted: Vec<&str> = words.split_whitespace().collect();
    for group in &builder.said.utterance.focus.shown {
        let fitting: Vec<&Referent> = group
            .items
            .iter()
            .filter(|item| {
                let label = adjutant_text::fold(&item.label);
                wanted.iter().all(|word| {
                    label
                        .split(|ch: char| !ch.is_alphanumeric())
                        .any(|part| part == *word)
                })
            })
            .collect();
        if fitting.len() == 1 {
            return by_id(&fitting);
        }
    }
    None
}

/// The kind of what a pronoun stands for, where the sentence does not say it.
pub(in super::super) fn kind_meant(builder: &Builder<'_, '_, '_>, sel: &Sel) -> Option<Noun> {
    if let Some(noun) = sel.noun.filter(|noun| *noun != Noun::Any) {
        return Some(noun);
    }
    let pron = sel.pron?;
    if let Some(done) = builder
        .done
        .iter()
        .rev()
        .find(|done| done.noun.is_some() && !done.each && done.act != Act::Delete)
    {
        return done.noun;
    }
    referents(builder, sel, pron)
        .first()
        .map(|one| noun_of(one.kind))
}

/// The kind of what a title without a noun stands for, from what was shown.
pub(in super::super) fn kind_titled(builder: &Builder<'_, '_, '_>, sel: &Sel) -> Option<Noun> {
    let words = adjutant_text::fold(&sel.title.as_ref().or(sel.about.as_ref())?.text);
    let focus = builder.said.utterance.focus;
    focus
        .shown
        .iter()
        .flat_map(|group| &group.items)
        .find(|item| adjutant_text::fold(&item.label).contains(&words))
        .map(|item| noun_of(item.kind))
}

/// Whether a pronoun for one kind may stand for a thing of another.
pub(super) fn compatible(refers: Option<Noun>, noun: Option<Noun>) -> bool {
    matches!(refers, None | Some(Noun::Any))
        || refers == noun
        || refers == Some(Noun::Mail) && noun == Some(Noun::Any)
}
