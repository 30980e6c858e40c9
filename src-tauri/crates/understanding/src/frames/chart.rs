//! The parser: reads a stretch of the message by the rules of a category and returns the readings, best first.
//!
//! A rule is followed from left to right and must read every word of its stretch. Between its parts may stand whatever
//! its category allows anywhere ("tomorrow", "with Ana") and, in whole requests, filler words and marks. Free text ends
//! where the next part begins; an adjunct inside free text is taken out of it. The parser keeps several readings at
//! every position, so that one with a bad start can still win in the end.

mod between;
mod partial_reading;
mod text;

use std::collections::HashMap;
use std::rc::Rc;

use super::binding::{Binding, Value};
use super::grammar::{Category, GRAMMAR, RulePart, SlotType};
use super::lattice::times::words;
use super::lattice::{Lattice, PhraseMatch};
use partial_reading::{PartialReading, RoleEntry};

/// Maximum number of partial readings for each place in a rule at each token.
const BEAM: usize = 6;
/// Maximum number of readings of one category from one token.
const READINGS_MAX: usize = 48;
/// Maximum number of those readings that end at the same token.
const ENDS_MAX: usize = 4;
/// Maximum nesting of categories.
const DEPTH_MAX: usize = 6;
/// Maximum number of parsing steps for a message: one that is longer or more ambiguous is not a request.
const STEPS_MAX: usize = 400_000;

/// The readings of stretches of one message.
pub(super) struct Chart<'a, 'm> {
    lattice: &'a Lattice<'m>,
    /// The first token after the stretch being read.
    limit: usize,
    /// Known readings by limit, category and first token.
    memo: HashMap<(usize, usize, usize), Readings>,
    /// For each category, in their order, the rules whose fixed words occur in the message; `None` until first needed.
    rules: Vec<Option<Rc<[usize]>>>,
    /// The score of each token as a word of free text.
    costs: Vec<f32>,
    depth: usize,
    steps: usize,
}

/// Readings, best first.
type Readings = Rc<Vec<Rc<Binding>>>;

/// The token that a partial reading has reached, and the partial reading.
type Continuation = (usize, PartialReading);

impl<'a, 'm> Chart<'a, 'm> {
    /// Creates a chart over a message.
    pub fn new(lattice: &'a Lattice<'m>) -> Self {
        Self {
            lattice,
            limit: lattice.len(),
            memo: HashMap::new(),
            rules: vec![None; GRAMMAR.categories.len()],
            costs: text::costs(lattice),
            depth: 0,
            steps: 0,
        }
    }

    /// Reports whether the message has more readings than the parser tries; the best one may not be among those found.
    pub fn is_exhausted(&self) -> bool {
        self.steps > STEPS_MAX
    }

    /// Returns the readings of all tokens from `start` to `end` as a request, best first.
    pub fn requests(&mut self, start: usize, end: usize, frames: &[usize]) -> Vec<Rc<Binding>> {
        self.limit = end;
        let mut found = Vec::new();
        for frame in frames {
            for number in self.rules(*frame).iter() {
                found.extend(self.follow((*frame, *number), 0, start, true));
            }
        }
        sorted(found)
    }

    /// Returns the readings of all tokens from `start` to `end` by a rule without one or more of its leading words,
    /// which an earlier request already said.
    pub fn shortened(
        &mut self,
        start: usize,
        end: usize,
        rule: (usize, usize),
    ) -> Vec<Rc<Binding>> {
        self.limit = end;
        let parts = &self.lattice.rules(rule.0)[rule.1].parts;
        let fixed = parts
            .iter()
            .take_while(|part| !matches!(part, RulePart::Slot { .. }));
        let mut found = Vec::new();
        for skipped in 1..=fixed.count() {
            found.extend(self.follow(rule, skipped, start, true));
        }
        sorted(found)
    }

    /// Returns the readings by a category that begin at a token, best first.
    fn readings(&mut self, category: usize, start: usize) -> Readings {
        let key = (self.limit, category, start);
        if let Some(known) = self.memo.get(&key) {
            return Rc::clone(known);
        }
        if self.depth >= DEPTH_MAX {
            return Rc::default();
        }
        // A category that begins with itself finds nothing new, so the inner call gets an empty result.
        self.memo.insert(key, Rc::default());
        self.depth += 1;
        let mut found = Vec::new();
        for number in self.rules(category).iter() {
            found.extend(self.follow((category, *number), 0, start, false));
        }
        self.depth -= 1;
        let mut found = sorted(found);
        // Keeping few readings per end leaves room for short ones, after which the rest may read better.
        let mut ends: HashMap<usize, usize> = HashMap::new();
        found.retain(|one| {
            let known = ends.entry(one.span.end).or_default();
            *known += 1;
            *known <= ENDS_MAX
        });
        found.truncate(READINGS_MAX);
        let found = Rc::new(found);
        self.memo.insert(key, Rc::clone(&found));
        found
    }

    /// Returns the rules of a category whose fixed words occur in the message.
    fn rules(&mut self, category: usize) -> Rc<[usize]> {
        if let Some(Some(known)) = self.rules.get(category) {
            return Rc::clone(known);
        }
        let rules = self.lattice.rules(category).iter().enumerate();
        let length = self.lattice.len();
        let held: Rc<[usize]> = rules
            .filter(|(_, rule)| self.may_hold(&rule.parts, 0, length))
            .map(|(number, _)| number)
            .collect();
        if let Some(place) = self.rules.get_mut(category) {
            *place = Some(Rc::clone(&held));
        }
        held
    }

    /// Follows a rule from a token on and returns its readings. In whole requests they must end at the limit.
    fn follow(
        &mut self,
        (category, number): (usize, usize),
        skipped: usize,
        start: usize,
        whole: bool,
    ) -> Vec<Rc<Binding>> {
        let kind = &GRAMMAR.categories[category];
        let rule = &self.lattice.rules(category)[number];
        let parts = &rule.parts[skipped..];
        let begins = whole || parts.first().is_some_and(|first| self.begins(first, start));
        if !begins || !self.may_hold(parts, start, self.limit) {
            return Vec::new();
        }
        let first = PartialReading::new(skipped, &rule.constants, rule.weight + kind.weight);
        let mut cells = vec![vec![first]];
        let mut found = Vec::new();
        let mut at = start;
        while let Some(cell) = cells.get_mut(at - start) {
            for partial in best(std::mem::take(cell), rule.parts.len()) {
                self.steps += 1;
                if self.is_exhausted() {
                    return Vec::new();
                }
                // A reading must not end with something that was passed over: the same reading already ended before it.
                let ends = match whole {
                    true => at == self.limit,
                    false => partial.end().is_none_or(|end| end == at),
                };
                if partial.done == rule.parts.len() && ends {
                    let binding = partial.binding((category, number), start, self.lattice);
                    found.push(Rc::new(binding));
                }
                if at < self.limit {
                    for (end, next) in self.steps_from(kind, &rule.parts, &partial, at, whole) {
                        if cells.len() <= end - start {
                            cells.resize_with(end - start + 1, Vec::new);
                        }
                        cells[end - start].push(next);
                    }
                }
            }
            at += 1;
        }
        found
    }

    /// Returns everything that may come next.
    fn steps_from(
        &mut self,
        kind: &Category,
        parts: &[RulePart],
        partial: &PartialReading,
        at: usize,
        whole: bool,
    ) -> Vec<Continuation> {
        let mut next = Vec::new();
        if let Some(part) = parts.get(partial.done) {
            self.part(kind, part, partial, at, &mut next);
        }
        if partial.text.is_some() {
            next.extend(self.more_text(kind, partial, at, whole));
        }
        if whole || partial.done > 0 {
            for adjunct in &kind.adjuncts {
                self.adjunct(*adjunct, partial, at, &mut next);
            }
        }
        self.passed(kind, parts, partial, (at, whole), &mut next);
        next
    }

    /// Adds the readings of the rule's next part at a token.
    fn part(
        &mut self,
        kind: &Category,
        part: &RulePart,
        partial: &PartialReading,
        at: usize,
        next: &mut Vec<Continuation>,
    ) {
        let mut read = |end: usize, score: f32, filled: Option<RoleEntry>| {
            next.push((end, partial.read((at, end), score, filled)));
        };
        match part {
            RulePart::Words(words) => {
                let costs = words
                    .iter()
                    .filter_map(|word| self.lattice.cost_of(at, *word));
                if let Some(cost) = costs.reduce(f32::min) {
                    read(at + 1, self.lattice.worth(at) - cost, None);
                }
            }
            RulePart::Class(class) => {
                for hit in self.phrases(*class, at) {
                    read(hit.end, hit.score, None);
                }
            }
            RulePart::Value { role, class } => {
                for hit in self.phrases(*class, at) {
                    let filled = RoleEntry::By(role, Value::Constant(hit.value));
                    read(hit.end, hit.score, Some(filled));
                }
            }
            RulePart::Slot {
                role,
                takes: takes @ (SlotType::Text | SlotType::Speech),
            } => {
                if partial.fills(|filled| filled == *role) {
                    return;
                }
                let opened = partial.opened(role, *takes == SlotType::Speech);
                next.extend(self.more_text(kind, &opened, at, true));
            }
            RulePart::Slot {
                role,
                takes: SlotType::Category(category),
            } => {
                // The target of a request may also be a pair of things.
                let pair = GRAMMAR.category("pair").filter(|_| *role == "target");
                for category in std::iter::once(*category).chain(pair) {
                    for inner in self.readings(category, at).iter() {
                        // A reading that fills only this role is replaced by its value: "to Kim" read as "to whom".
                        let value = match inner.roles.as_slice() {
                            [(same, value)] if same == role => value.clone(),
                            _ => Value::Inner(Rc::clone(inner)),
                        };
                        let filled = RoleEntry::By(role, value);
                        read(inner.span.end, inner.score, Some(filled));
                    }
                }
            }
            RulePart::Slot {
                role,
                takes: SlotType::Sum,
            } => next.extend(self.sum(role, partial, at)),
            RulePart::Slot { role, takes } => {
                let edges = self.lattice.edges(at).iter().enumerate();
                for (number, edge) in edges {
                    if edge.filler.fits(*takes) && edge.end <= self.limit {
                        let filled = RoleEntry::Edge(role, at, number);
                        read(edge.end, edge.score, Some(filled));
                    }
                }
            }
        }
    }

    /// Reads everything that is left, if the calculator can compute it.
    fn sum(&self, role: &'static str, partial: &PartialReading, at: usize) -> Option<Continuation> {
        let sum = at..self.limit;
        if partial.end().is_some() || !self.lattice.is_sum(sum.clone()) {
            return None;
        }
        let score = words(sum.len());
        let filled = RoleEntry::By(role, Value::Text(vec![sum]));
        let read = partial.read((at, self.limit), score, Some(filled));
        Some((self.limit, read))
    }

    /// Iterates over the phrases of a class that begin at a token and end within the stretch.
    fn phrases(&self, class: usize, at: usize) -> impl Iterator<Item = &'a PhraseMatch> + use<'a> {
        let limit = self.limit;
        let hits = self.lattice.phrases_at(class, at).iter();
        hits.filter(move |hit| hit.end <= limit)
    }

    /// Reports whether a part could begin at a token.
    fn begins(&self, part: &RulePart, at: usize) -> bool {
        match part {
            RulePart::Words(words) => words
                .iter()
                .any(|word| self.lattice.cost_of(at, *word).is_some()),
            RulePart::Class(class) | RulePart::Value { class, .. } => {
                self.phrases(*class, at).next().is_some()
            }
            RulePart::Slot {
                takes: SlotType::Text | SlotType::Speech | SlotType::Category(_),
                ..
            } => true,
            RulePart::Slot { takes, .. } => {
                let mut edges = self.lattice.edges(at).iter();
                edges.any(|edge| edge.filler.fits(*takes))
            }
        }
    }

    /// Reports whether the fixed words of a rule occur in their order between two tokens.
    fn may_hold(&self, parts: &[RulePart], start: usize, limit: usize) -> bool {
        let mut at = start;
        parts.iter().all(|part| {
            let found = match part {
                RulePart::Words(words) => {
                    let places = words.iter().filter_map(|word| self.lattice.next(*word, at));
                    places.min()
                }
                RulePart::Class(class) | RulePart::Value { class, .. } => {
                    let hits = self.lattice.phrases_from(*class, at).iter();
                    let mut within = hits.filter(|hit| hit.end <= limit);
                    within.next().map(|hit| hit.start)
                }
                RulePart::Slot { .. } => Some(at),
            };
            at = found.map_or(limit, |found| found + 1);
            found.is_some_and(|found| found < limit)
        })
    }
}

/// Sorts readings, best first.
fn sorted(mut found: Vec<Rc<Binding>>) -> Vec<Rc<Binding>> {
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// Keeps the best partial readings for each place of a rule with the given number of parts.
fn best(mut partials: Vec<PartialReading>, parts: usize) -> Vec<PartialReading> {
    if partials.len() > 1 {
        partials.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut counts = vec![0; (parts + 1) * 2];
        partials.retain(|partial| {
            let count = &mut counts[partial.place()];
            *count += 1;
            *count <= BEAM
        });
    }
    partials
}
