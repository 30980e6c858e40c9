//! What may stand between the parts of a rule: adjuncts, filler words, marks, repeated words, and words that a loose
//! reading leaves out.

use super::super::grammar::{Category, GRAMMAR, RulePart, SlotType};
use super::super::weights::weights;
use super::partial_reading::PartialReading;
use super::{Chart, Continuation};

impl Chart<'_, '_> {
    /// Adds the readings of an adjunct at a token.
    pub(super) fn adjunct(
        &mut self,
        adjunct: usize,
        partial: &PartialReading,
        at: usize,
        next: &mut Vec<Continuation>,
    ) {
        /// Roles that may be said more than once.
        const AGAIN: &[&str] = &["when", "people", "part"];
        if partial.is_speech() && !self.may_close(at) {
            return;
        }
        let behind = partial.time_before(at);
        for inner in self.readings(adjunct, at).iter() {
            // "From Monday to Wednesday" is one time, not two.
            let end = inner.span.end;
            if inner.has("when") && behind.is_some_and(|first| self.lattice.is_one_time(first..end))
            {
                continue;
            }
            let mut roles = inner.roles.iter().map(|(role, _)| *role);
            if roles.all(|role| AGAIN.contains(&role) || !partial.fills(|taken| taken == role)) {
                next.push((inner.span.end, partial.with(inner, weights().adjunct)));
            }
        }
    }

    /// Passes over filler words, asides, marks and repeated words, a greeting before a request, and "do you know"
    /// before a question. In a loose reading, also leaves words out.
    pub(super) fn passed(
        &self,
        kind: &Category,
        parts: &[RulePart],
        partial: &PartialReading,
        (at, whole): (usize, bool),
        next: &mut Vec<Continuation>,
    ) {
        if partial.is_speech() {
            return;
        }
        // Open text takes the word itself.
        if whole
            && partial.text.is_none()
            && let Some(cost) = self.lattice.cost_of_leaving_out(at)
        {
            next.push((at + 1, partial.without(at, cost)));
        }
        let mut pass = |end: usize| {
            let mut passed = partial.clone();
            passed.score += weights().filler;
            next.push((end, passed));
        };
        let first = whole && partial.end().is_none() && partial.done == 0;
        // "Thanks" at the beginning of a message to somebody belongs to the message.
        let speaks = |part: &RulePart| {
            matches!(
                part,
                RulePart::Slot {
                    takes: SlotType::Speech,
                    ..
                }
            )
        };
        let asks = kind.filters.is_some() || kind.tool == Some("recall.search");
        let told = partial.done > 0 && parts.get(partial.done).is_some_and(speaks);
        for (class, may_stand) in [
            ("filler", whole && !told),
            ("aside", whole && !told && partial.end().is_some()),
            (
                "ask_aside",
                kind.filters.is_some() && whole && partial.end().is_some(),
            ),
            ("greeting", first),
            ("lead", first && asks && !kind.condition),
        ] {
            if let Some(class) = GRAMMAR.class(class).filter(|_| may_stand) {
                self.phrases(class, at).for_each(|hit| pass(hit.end));
            }
        }
        // A repeated word: "get rid of of the mail".
        if at > 0 && partial.end().is_some() && self.lattice.is_repeated(at) {
            pass(at + 1);
        }
        let owns = self.lattice.word(at) == "'s";
        if self.lattice.is_mark(at)
            && !owns
            && (whole || partial.done > 0 && self.lattice.word(at) == ",")
        {
            pass(at + 1);
        }
    }
}
