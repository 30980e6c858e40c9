//! The parser: readings of a stretch of the message by the rules of a category, best first.
//!
//! A rule is followed from left to right. Between its parts may stand what its category allows anywhere ("tomorrow", "with
//! Ana"), fillers, and, in whole requests, words that nothing reads: they cost. Free text ends where the next part begins;
//! an adjunct inside it is taken out of it. Several readings are kept at every place, so that what reads badly at first may
//! win in the end.

mod score;
mod text;

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::binding::{Binding, Value};
use super::grammar::{Category, GRAMMAR, Part, Takes};
use super::lattice::{Filler, Lattice};

/// Readings kept for each place of a rule at each token.
const BEAM: usize = 6;
/// Readings of one category from one token.
const READINGS_MAX: usize = 24;
/// Categories inside categories.
const DEPTH_MAX: usize = 6;
/// Steps of one message: what is longer or more ambiguous than this is not a request.
const STEPS_MAX: usize = 400_000;

/// The readings of one stretch of a message.
pub(super) struct Chart<'a, 'm> {
    lattice: &'a Lattice<'m>,
    /// The first token behind the stretch.
    limit: usize,
    memo: HashMap<(usize, usize), Rc<Vec<Rc<Binding>>>>,
    depth: usize,
    steps: usize,
}

/// A rule that is being followed.
#[derive(Clone)]
struct Partial {
    /// Parts of the rule that are read, counting an open text.
    done: usize,
    /// Whether the last part is text that may go on.
    open: bool,
    /// Whether that text is speech: kept word for word, nothing is taken out of it.
    speech: bool,
    roles: Vec<(&'static str, Value)>,
    left: Vec<usize>,
    /// The first and the last token that was read as something.
    span: Option<Range<usize>>,
    score: f32,
}

impl<'a, 'm> Chart<'a, 'm> {
    /// A chart over the tokens before `limit`.
    pub fn new(lattice: &'a Lattice<'m>, limit: usize) -> Self {
        Self {
            lattice,
            limit,
            memo: HashMap::new(),
            depth: 0,
            steps: 0,
        }
    }

    /// Readings of the whole stretch from `start` as a request, best first.
    pub fn requests(&mut self, start: usize, frames: &[usize]) -> Vec<Rc<Binding>> {
        let mut found = Vec::new();
        for frame in frames {
            for number in 0..GRAMMAR.categories[*frame].rules.len() {
                found.extend(self.follow((*frame, number), 0, start, true));
            }
        }
        self.whole(found)
    }

    /// Readings of the whole stretch from `start` by a rule whose first words were said before and are left out.
    pub fn shortened(&mut self, start: usize, rule: (usize, usize)) -> Vec<Rc<Binding>> {
        let parts = &GRAMMAR.categories[rule.0].rules[rule.1].parts;
        let fixed = parts
            .iter()
            .take_while(|part| !matches!(part, Part::Slot { .. }));
        let mut found = Vec::new();
        for skipped in 1..=fixed.count() {
            found.extend(self.follow(rule, skipped, start, true));
        }
        self.whole(found)
    }

    /// Readings that end where the stretch ends, best first.
    fn whole(&self, mut found: Vec<(Rc<Binding>, usize)>) -> Vec<Rc<Binding>> {
        found.retain(|(_, end)| *end == self.limit);
        let mut found: Vec<_> = found.into_iter().map(|(binding, _)| binding).collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found
    }

    /// Readings by a category that begin at a token, best first.
    pub fn readings(&mut self, category: usize, start: usize) -> Rc<Vec<Rc<Binding>>> {
        if let Some(known) = self.memo.get(&(category, start)) {
            return Rc::clone(known);
        }
        if self.depth >= DEPTH_MAX {
            return Rc::default();
        }
        // A category that begins with itself finds nothing new.
        self.memo.insert((category, start), Rc::default());
        self.depth += 1;
        let mut found = Vec::new();
        for number in 0..GRAMMAR.categories[category].rules.len() {
            found.extend(self.follow((category, number), 0, start, false));
        }
        self.depth -= 1;
        let mut found: Vec<_> = found.into_iter().map(|(binding, _)| binding).collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found.truncate(READINGS_MAX);
        let found = Rc::new(found);
        self.memo.insert((category, start), Rc::clone(&found));
        found
    }

    /// Follows one rule from a token on: its readings with the token at which each ends.
    fn follow(
        &mut self,
        (category, number): (usize, usize),
        skipped: usize,
        start: usize,
        whole: bool,
    ) -> Vec<(Rc<Binding>, usize)> {
        let rule = &GRAMMAR.categories[category].rules[number];
        if !self.may_hold(&rule.parts[skipped..], start) {
            return Vec::new();
        }
        let mut cells: Vec<Vec<Partial>> = vec![Vec::new(); self.limit - start + 1];
        let Some(first) = cells.first_mut() else {
            return Vec::new();
        };
        first.push(Partial {
            done: skipped,
            open: false,
            speech: false,
            roles: constants(&rule.constants),
            left: Vec::new(),
            span: None,
            score: rule.weight + GRAMMAR.categories[category].weight,
        });
        let mut found = Vec::new();
        for at in start..=self.limit {
            let here = best(std::mem::take(&mut cells[at - start]));
            for partial in here {
                self.steps += 1;
                if self.steps > STEPS_MAX {
                    return found;
                }
                if partial.done == rule.parts.len() && (!whole || at == self.limit) {
                    let binding = Binding {
                        rule: (category, number),
                        roles: partial.roles.clone(),
                        left: partial.left.clone(),
                        span: partial.span.clone().unwrap_or(start..at),
                        score: partial.score,
                    };
                    // A reading that ends with something passed over is the one that ended before it.
                    if whole || binding.span.end == at {
                        found.push((Rc::new(binding), at));
                    }
                }
                if at < self.limit {
                    for (end, next) in self.steps_from(category, &rule.parts, &partial, at, whole) {
                        cells[end - start].push(next);
                    }
                }
            }
        }
        found
    }

    /// Everything that may come next.
    fn steps_from(
        &mut self,
        category: usize,
        parts: &[Part],
        partial: &Partial,
        at: usize,
        whole: bool,
    ) -> Vec<(usize, Partial)> {
        let mut next = Vec::new();
        if let Some(part) = parts.get(partial.done) {
            next.extend(self.part(category, part, partial, at));
        }
        if partial.open {
            next.extend(self.more_text(category, partial, at, whole));
        }
        let kind = &GRAMMAR.categories[category];
        if whole || partial.done > 0 {
            for adjunct in &kind.adjuncts {
                next.extend(self.adjunct(*adjunct, partial, at));
            }
        }
        next.extend(self.passed(kind, partial, at, whole));
        next
    }

    /// The next part of the rule at a token.
    fn part(
        &mut self,
        category: usize,
        part: &Part,
        partial: &Partial,
        at: usize,
    ) -> Vec<(usize, Partial)> {
        let read = |end: usize, score: f32, role: Option<(&'static str, Value)>| {
            let mut next = partial.clone();
            next.done += 1;
            next.open = false;
            next.speech = false;
            next.score += score;
            next.covers(at..end);
            next.roles.extend(role);
            (end, next)
        };
        match part {
            Part::Words(words) => {
                let costs = words
                    .iter()
                    .filter_map(|word| self.lattice.cost_of(at, *word));
                let cost = costs.reduce(f32::min);
                cost.map(|cost| read(at + 1, self.worth(at) - cost, None))
                    .into_iter()
                    .collect()
            }
            Part::Class(class) => self
                .phrases(*class, at)
                .map(|(end, _, score)| read(end, score, None))
                .collect(),
            Part::Value { role, class } => self
                .phrases(*class, at)
                .map(|(end, value, score)| read(end, score, Some((*role, Value::Constant(value)))))
                .collect(),
            Part::Slot {
                role,
                takes: takes @ (Takes::Text | Takes::Speech),
            } => {
                let mut opened = partial.clone();
                opened.done += 1;
                opened.open = true;
                opened.speech = *takes == Takes::Speech;
                opened.roles.push((role, Value::Text(Vec::new())));
                self.more_text(category, &opened, at, true)
            }
            Part::Slot {
                role,
                takes: Takes::Category(category),
            } => {
                let found = self.readings(*category, at);
                let inner = found.iter().map(|inner| {
                    let value = Value::Inner(Rc::clone(inner));
                    read(inner.span.end, inner.score, Some((*role, value)))
                });
                inner.collect()
            }
            Part::Slot { role, takes } => {
                let edges = self.lattice.edges(at).iter();
                edges
                    .filter(|edge| takes.fits(&edge.filler) && edge.end <= self.limit)
                    .map(|edge| {
                        let value = Value::Filler(edge.filler.clone(), at..edge.end);
                        read(edge.end, edge.score, Some((*role, value)))
                    })
                    .collect()
            }
        }
    }

    /// An adjunct at a token.
    fn adjunct(&mut self, adjunct: usize, partial: &Partial, at: usize) -> Vec<(usize, Partial)> {
        /// Roles that may be said more than once.
        const AGAIN: &[&str] = &["when", "people"];
        if partial.speech && !self.may_close(at) {
            return Vec::new();
        }
        let found = self.readings(adjunct, at);
        let fits = found.iter().filter(|inner| {
            inner.roles.iter().all(|(role, _)| {
                AGAIN.contains(role) || partial.roles.iter().all(|(taken, _)| taken != role)
            })
        });
        fits.map(|inner| {
            let mut next = partial.clone();
            // An open text stays the last text.
            let open = partial.open && !partial.speech;
            (next.open, next.speech) = (open, false);
            let place = match (open, next.roles.pop()) {
                (true, Some(text)) => Some(text),
                (_, last) => {
                    next.roles.extend(last);
                    None
                }
            };
            next.roles.extend(inner.roles.iter().cloned());
            next.roles.extend(place);
            next.score += inner.score + score::ADJUNCT;
            next.covers(inner.span.clone());
            (inner.span.end, next)
        })
        .collect()
    }

    /// Fillers, marks, and, in a whole request, words that nothing reads.
    fn passed(
        &self,
        kind: &Category,
        partial: &Partial,
        at: usize,
        whole: bool,
    ) -> Vec<(usize, Partial)> {
        let pass = |end: usize, score: f32, left: Option<usize>| {
            let mut next = partial.clone();
            next.score += score;
            next.left.extend(left);
            (end, next)
        };
        let mut next = Vec::new();
        if partial.speech {
            return next;
        }
        if whole {
            let fillers = GRAMMAR.class("filler").into_iter();
            next.extend(
                fillers
                    .flat_map(|class| self.phrases(class, at))
                    .map(|(end, _, _)| pass(end, score::FILLER, None)),
            );
        }
        if self.lattice.is_mark(at) {
            if whole || (partial.done > 0 && self.lattice.word(at) == ",") {
                next.push(pass(at + 1, score::FILLER, None));
            }
        } else if whole && !partial.open && kind.tool.is_some() {
            next.push(pass(at + 1, score::LEFT, Some(at)));
        }
        next
    }

    /// The phrases of a class that begin at a token: where each ends, its value, what it adds.
    fn phrases(
        &self,
        class: usize,
        at: usize,
    ) -> impl Iterator<Item = (usize, &'static str, f32)> + use<'_> {
        let starts: Vec<_> = self
            .lattice
            .words_at(at)
            .iter()
            .map(|(word, _)| *word)
            .collect();
        let is = |at: usize, word| at < self.limit && self.lattice.cost_of(at, word).is_some();
        let found = GRAMMAR.phrases(class, &starts, at, is);
        found.into_iter().map(move |(end, value)| {
            let score = (at..end).map(|token| self.worth(token) - self.typo(token));
            (end, value, score.sum())
        })
    }

    /// Whether every fixed word of a rule occurs at all.
    fn may_hold(&self, parts: &[Part], start: usize) -> bool {
        parts.iter().all(|part| match part {
            Part::Words(words) => (start..self.limit).any(|at| {
                words
                    .iter()
                    .any(|word| self.lattice.cost_of(at, *word).is_some())
            }),
            Part::Class(class) | Part::Value { class, .. } => {
                (start..self.limit).any(|at| self.phrases(*class, at).next().is_some())
            }
            Part::Slot { .. } => true,
        })
    }
}

impl Partial {
    fn covers(&mut self, tokens: Range<usize>) {
        self.span = Some(match self.span.take() {
            Some(span) => span.start.min(tokens.start)..span.end.max(tokens.end),
            None => tokens,
        });
    }
}

impl Takes {
    fn fits(self, filler: &Filler) -> bool {
        matches!(
            (self, filler),
            (Self::Time, Filler::Time(_))
                | (Self::Length, Filler::Length(_))
                | (Self::People, Filler::People(_))
                | (Self::Number, Filler::Number(_))
                | (Self::Ordinal, Filler::Ordinal(_))
                | (Self::Quote, Filler::Quote(_))
                | (Self::Address, Filler::Address(_))
                | (Self::File, Filler::File(_))
        )
    }
}

fn constants(pairs: &[(&'static str, &'static str)]) -> Vec<(&'static str, Value)> {
    let fixed = pairs
        .iter()
        .map(|(role, word)| (*role, Value::Constant(word)));
    fixed.collect()
}

/// The best readings for each place of a rule.
fn best(mut partials: Vec<Partial>) -> Vec<Partial> {
    partials.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut counts: HashMap<(usize, bool), usize> = HashMap::new();
    partials.retain(|partial| {
        let count = counts.entry((partial.done, partial.open)).or_default();
        *count += 1;
        *count <= BEAM
    });
    partials
}
