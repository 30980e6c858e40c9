//! One card for several calls. Everything a call's own card would show appears under its item.

use super::{Card, CardNote, Item, Observed};

/// Builds the card for a batch. A single call keeps its own card.
pub(super) fn card(batch: &[Observed]) -> Card {
    let [first, rest @ ..] = batch else {
        return Card::default();
    };
    if rest.is_empty() {
        return first.card.clone();
    }
    let shared = shared_notes(batch);
    let mut undo: Vec<&str> = batch.iter().map(|one| one.card.undo.as_str()).collect();
    undo.dedup();
    Card {
        title: format!("{}, and {} more", first.card.title, rest.len()),
        verb: first.card.verb.clone(),
        icon: first.card.icon,
        account: first.card.account.clone().filter(|_| {
            rest.iter()
                .all(|one| one.card.account == first.card.account)
        }),
        facts: Vec::new(),
        items: batch.iter().flat_map(|one| items(one, &shared)).collect(),
        body: None,
        attachments: Vec::new(),
        undo: undo.join(" "),
        digest_line: first.card.digest_line.clone(),
        notes: shared,
    }
}

/// Returns the notes common to all calls, which the batch card shows once, at its head.
fn shared_notes(batch: &[Observed]) -> Vec<CardNote> {
    let [first, rest @ ..] = batch else {
        return Vec::new();
    };
    let everywhere = |note: &&CardNote| rest.iter().all(|other| other.card.notes.contains(note));
    first
        .card
        .notes
        .iter()
        .filter(everywhere)
        .cloned()
        .collect()
}

/// Returns the items for one call. A call without items becomes an item itself; if it has several, its own notes,
/// facts, attachments and body go under the first.
fn items(one: &Observed, shared: &[CardNote]) -> Vec<Item> {
    let card = &one.card;
    let mut items = card.items.clone();
    if items.is_empty() {
        let target = one.before.targets.first();
        items.push(Item {
            id: target.map(|target| target.id.0.clone()).unwrap_or_default(),
            label: card.title.clone(),
            ..Item::default()
        });
    }
    if let Some(item) = items.first_mut() {
        let own = card.notes.iter().filter(|note| !shared.contains(note));
        item.notes.extend(own.cloned());
        item.facts.extend(card.facts.iter().cloned());
        item.attachments.extend(card.attachments.iter().cloned());
        item.body = item.body.take().or_else(|| card.body.clone());
    }
    items
}
